//! Which tables the change log captures, what their rows look like, and the triggers that capture them.

mod catalog;
mod column;
mod shape;
mod triggers;

pub(crate) use catalog::{CapturedTable, Catalog, Reference, captured_columns};
pub(crate) use column::{Column, ForeignKey, Kind, TableColumns};
pub(crate) use shape::{SavedShape, next_shape};
pub(crate) use triggers::{PREFIX, Trigger, postgres_triggers, sqlite_triggers};
