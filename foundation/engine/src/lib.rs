//! `Engine::call`: the one function that runs any operation, for every surface, with the same checks in the same order.

mod answer;
mod call;
mod checked;
mod clock;
mod engine;
mod guard;
mod host;
mod housekeeping;
mod idempotency;
mod pages;
mod people;
mod reaching;
mod schema;
mod transaction;
mod uses;

pub use answer::{Answer, Meta};
pub use call::{Failed, Request};
pub use clock::{Clock, SystemClock};
pub use engine::{Engine, EngineOptions};
pub use identity::NewPerson;
pub use schema::STATEMENTS;
