//! People and their credentials against a real database.

mod callers;
mod creation;
mod house;
mod tokens;
