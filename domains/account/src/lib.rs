//! The account: profile and time of a person, their access and tokens, what was changed and how to take it back, and
//! what this server can do.

mod access;
mod changes;
mod domain;
mod profile;
mod server;
mod tokens;

pub use domain::DOMAIN;
