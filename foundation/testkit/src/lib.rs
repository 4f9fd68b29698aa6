//! An Almanac for tests: a real engine on a real, fresh database of either kind, a clock that tests turn, and named
//! people with a story. Rows are made only by calling operations.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails by panicking")]

mod clock;
mod people;
mod test_almanac;

pub use clock::TurnedClock;
pub use people::{ROBIN, SAM};
pub use storage::testing::TestEngine;
pub use test_almanac::{TestAlmanac, codes};
