//! `Engine::call`: the one function that runs any operation, for every surface, with the same checks in the same order.

mod answer;
mod call;
mod clock;
mod cursor;
mod engine;
mod host;
mod idempotency;

pub use answer::{Answer, Meta};
pub use call::{Failed, Request};
pub use clock::{Clock, SystemClock};
pub use engine::{Engine, EngineOptions};
pub use host::NewPerson;
