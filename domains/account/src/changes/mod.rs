//! What was changed, and taking it back.

mod entry;
mod get_change;
mod list_changes;
mod obstacle;
mod rights;
mod row;
mod times;
mod undo_change;
mod undo_changes;

use operation::{Listed, local};

pub(crate) const OPERATIONS: &[Listed] = &[
    local::<get_change::GetChange>,
    local::<list_changes::ListChanges>,
    local::<undo_change::UndoChange>,
    local::<undo_changes::UndoChanges>,
];
