//! The account operations through the engine, beside a small domain that has rows to change.

#![expect(clippy::unwrap_used, reason = "tests may fail by panicking")]

mod access;
mod capabilities;
mod changes;
mod house;
mod many_changes;
mod notes;
mod profile;
mod tokens;
mod words;
