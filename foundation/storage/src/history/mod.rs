//! What changes did to rows, and how to take them back.

mod change;
mod changed_rows;
mod changes;
mod image;
mod prune;
mod row_in_the_way;
mod trial;
mod undo;

pub use change::Change;
pub use changes::{ChangeEntry, ChangeFilter};
pub use image::{ChangedRow, RowImage, UndoConflict, Undone};

/// The table of changes, and the name of its id counter.
pub(crate) const CHANGE_TABLE: &str = "change";

/// Every statement of the change log.
pub(crate) const STATEMENTS: &[&[crate::Sql]] =
    &[change::STATEMENTS, changed_rows::STATEMENTS, changes::STATEMENTS, prune::STATEMENTS];
