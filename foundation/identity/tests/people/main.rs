//! People and their credentials against a real database.

#![expect(clippy::unwrap_used, reason = "tests may fail by panicking")]

mod callers;
mod creation;
mod house;
mod tokens;
