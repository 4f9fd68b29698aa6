use serde_json::Map;

/// One row as it was, column → value (masked columns already replaced).
pub type RowImage = Map<String, serde_json::Value>;

/// What one change did to one row, folded.
#[derive(Debug, Clone)]
pub struct ChangedRow {
    pub table: &'static str,
    pub entity: &'static str,
    pub id: i64,
    /// `None`: the change inserted it.
    pub before: Option<RowImage>,
    /// `None`: the change removed it.
    pub after: Option<RowImage>,
}

/// A row that is not, apart from `version` and `updated_at`, what the change left.
#[derive(Debug, Clone)]
pub struct UndoConflict {
    pub row: ChangedRow,
    pub now: Option<RowImage>,
    /// Later changes that touched it, oldest first.
    pub later_changes: Vec<i64>,
}

#[derive(Debug, Clone)]
pub enum Undone {
    /// All rows are back.
    Restored(Vec<ChangedRow>),
    Conflicts(Vec<UndoConflict>),
    /// Images are gone (older than kept) or no longer fit the schema.
    NotUndoable(String),
}
