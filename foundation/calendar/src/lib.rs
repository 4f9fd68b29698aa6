//! Time as Almanac counts it: instants, plain dates, zones, and the user-day that starts at a chosen hour.
//!
//! Pure: no clock, no I/O. `call.now` is the only "now" there is.

mod date;
mod day_clock;
mod error;
mod event_time;
mod instant;
mod moment;
mod scan;
mod zone;

pub use date::Date;
pub use day_clock::DayClock;
pub use error::CalendarError;
pub use event_time::EventTime;
pub use instant::Instant;
pub use moment::{Moment, TimeNote, TimePrecision};
pub use zone::Zone;
