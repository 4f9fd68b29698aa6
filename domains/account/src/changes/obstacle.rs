//! Why a change cannot be taken back.

use operation::{Call, Failure};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use storage::{Tx, UndoConflict};

use super::{entry::Shown, rights, row::tell};

/// A row that is not what the change left.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Conflict {
    /// The change that cannot be taken back.
    pub change_id: i64,
    pub entity: &'static str,
    pub id: i64,
    /// What the change left; null: it removed the row.
    pub left: Option<Map<String, Value>>,
    /// What is there now; null: the row is gone.
    pub now: Option<Map<String, Value>>,
    /// Changes that touched the row since, oldest first.
    pub later_changes: Vec<i64>,
}

/// Rows told in one refusal.
const MOST_ROWS: usize = 20;
/// Later changes described in one refusal.
const MOST_CHANGES: usize = 10;

impl Conflict {
    pub fn of(change_id: i64, conflict: UndoConflict, call: &Call) -> Self {
        let UndoConflict { row, now, later_changes } = conflict;
        let told = |image| tell(row.table, image, &call.catalog, &call.caller.day.zone);
        Self {
            change_id,
            entity: row.entity,
            id: row.id,
            left: row.after.as_ref().map(told),
            now: now.as_ref().map(told),
            later_changes,
        }
    }
}

/// `changed_since` with the rows and the later changes.
pub async fn changed_since(tx: &mut Tx, call: &Call, mut conflicts: Vec<Conflict>) -> Result<Failure, Failure> {
    let count = conflicts.len();
    conflicts.truncate(MOST_ROWS);
    let mut ids: Vec<i64> = conflicts.iter().flat_map(|conflict| conflict.later_changes.iter().copied()).collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids.dedup();
    let mut later = Vec::new();
    for id in ids.into_iter().take(MOST_CHANGES) {
        let entry = tx.change_entry(call.owner()?, id).await?;
        later.extend(entry.filter(|entry| rights::may_read(entry, &call.caller)).map(|entry| Shown::of(entry, call)));
    }
    let rows = if count == 1 { "1 row is".to_owned() } else { format!("{count} rows are") };
    let message =
        format!("Nothing was taken back: {rows} no longer what the change left. Take later changes back first.");
    Ok(Failure::conflict("changed_since", message, json!({"rows": conflicts, "later_changes": later})))
}

/// How many of the conflicts fit; the first one always.
pub fn fitting(conflicts: &[Conflict], most_bytes: usize) -> usize {
    let mut used = 0;
    let fits = |conflict: &&Conflict| {
        used += json!(conflict).to_string().len();
        used <= most_bytes
    };
    conflicts.iter().take_while(fits).count().max(conflicts.len().min(1))
}

/// `not_undoable`, with the reason as a part of a sentence.
pub fn not_undoable(change_id: i64, reason: &str) -> Failure {
    let message = format!("Change {change_id} cannot be taken back: {reason}.");
    Failure::conflict("not_undoable", message, json!({"change_id": change_id}))
}
