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

/// On SQLite the images of change `n` have the ids from `n` times this on, in the order they were made, so that
/// they lie together and need no index to be found.
pub(crate) const IMAGES_PER_CHANGE: i64 = 1 << 20;

/// Every statement of the change log.
pub(crate) const STATEMENTS: &[&[crate::Sql]] =
    &[change::STATEMENTS, changed_rows::STATEMENTS, changes::STATEMENTS, prune::STATEMENTS];
