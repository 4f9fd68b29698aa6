//! Commands for whoever holds the database: they act on it directly.

mod backup;
mod create_person;
mod doctor;
mod migrate;

pub use backup::{backup, restore};
pub use create_person::create_person;
pub use doctor::doctor;
pub use migrate::migrate;
