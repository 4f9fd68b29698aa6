//! What must hold for every operation, so that a new one is tested before anybody thinks of it.

mod access;
mod catalog;
mod database;
mod effects;
mod host;
mod parity;
mod replicas;
mod story;
mod words;
