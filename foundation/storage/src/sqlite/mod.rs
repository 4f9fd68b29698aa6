//! SQLite: one writer thread with group commit, a few reading connections.

mod connection;
mod counters;
mod engine;
mod fault;
mod file;
mod introspection;
mod migrate;
mod readers;
mod session;
mod statistics;
mod write_job;
mod writer;

pub(crate) use engine::SqliteEngine;
pub(crate) use file::{backup, problems, restore};
pub(crate) use migrate::applied;
pub(crate) use session::SqliteSession;
