//! `almanac demo`: a person with 90 days of plausible meals and weights, made by calling the operations.

mod dice;
mod dishes;
mod run;
mod stepping_clock;
mod story;

pub use run::run;
