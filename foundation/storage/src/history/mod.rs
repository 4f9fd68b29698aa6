//! What changes did to rows, and how to take them back.

mod image;

pub use image::{ChangedRow, RowImage, Undone, UndoConflict};

/// The table of changes, and the name of its id counter.
pub(crate) const CHANGE_TABLE: &str = "change";
