//! Every test of storage runs on SQLite and on PostgreSQL, except where only one of them has the matter at all.

#![allow(clippy::unwrap_used)]

mod capture;
mod changes;
mod contention;
mod files;
mod full_disk;
mod group_commit;
mod house;
mod ids;
mod lost_commit;
mod migrations;
mod statements;
mod transactions;
mod undo;
mod undo_property;
