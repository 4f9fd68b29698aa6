use operation::{Call, Caller};
use schemars::JsonSchema;
use serde::Serialize;
use storage::ChangeEntry;

use super::rights::missing_to_write;

/// A change as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Shown {
    pub id: i64,
    /// Time of the change in the person's zone.
    pub at: String,
    pub operation: String,
    pub actor: Through,
    /// Surface: `web`, `cli`, `api` or `assistant:<client>`.
    pub source: String,
    pub summary: String,
    /// How many rows it touched.
    pub rows: i64,
    /// The change that this one took back.
    pub undoes: Option<i64>,
    /// The change that took this one back.
    pub undone_by: Option<i64>,
    /// Whether this connection can take it back, unless a row was changed since.
    pub undoable: bool,
}

/// Through what a change was made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Through {
    pub kind: String,
    pub id: i64,
    pub name: String,
}

impl Shown {
    pub fn of(entry: ChangeEntry, call: &Call) -> Self {
        Self {
            undoable: is_undoable(&entry, &call.caller),
            id: entry.id,
            at: entry.at.in_zone(&call.caller.day.zone),
            operation: entry.operation,
            actor: Through { kind: entry.actor_kind, id: entry.actor_id, name: entry.actor_name },
            source: entry.source,
            summary: entry.summary,
            rows: entry.rows,
            undoes: entry.undoes,
            undone_by: entry.undone_by,
        }
    }
}

fn is_undoable(entry: &ChangeEntry, caller: &Caller) -> bool {
    entry.undone_by.is_none() && !entry.pruned && !makes_a_person(entry) && missing_to_write(entry, caller).is_empty()
}

/// No person is without a profile, so the change that made it stays.
pub fn makes_a_person(entry: &ChangeEntry) -> bool {
    entry.operation == identity::CREATE_PERSON
}
