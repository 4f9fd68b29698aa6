use operation::{Call, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{ChangeEntry, ChangedRow, Id, Tx, Undone};

use super::{
    entry::makes_a_person,
    obstacle::{Conflict, changed_since, not_undoable},
    rights,
    row::{self, Row},
};

/// Takes one change back, also an undo. Refused with changed_since when a row was changed later: tell the person what
/// came later and ask. Say what was taken back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoChange {
    /// Id of the change.
    pub change_id: Id<ChangeEntry>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TakenBack {
    /// The change that was taken back.
    undone_change_id: i64,
    summary: String,
    rows: Vec<Row>,
    /// Rows that did not fit.
    rows_left_out: usize,
    /// Of the earlier undo, where this one had nothing left to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    change_id: Option<i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replayed: bool,
}

const MOST_BYTES: usize = 16_000;
const TOOK_BACK: &str = "Took back: ";
const PUT_BACK: &str = "Put back: ";

impl Operation for UndoChange {
    const NAME: &'static str = "undo_change";
    const PATH: &'static str = "/account/changes/{change_id}/undo";
    const EFFECT: Effect = Effect::Changes;
    const NEEDS: Needs = Needs::AnyCredential;
    const IDEMPOTENT: bool = true;
    const ENTITY: &'static str = "change";
    const ROLE: Role = Role::Update;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["summary", "rows[].before", "rows[].after"];
    type Output = TakenBack;

    fn example() -> Value {
        json!({"change_id": 3})
    }
}

impl Local for UndoChange {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<TakenBack, Failure> {
        let (owner, id) = (call.owner()?, self.change_id.raw());
        let entry = rights::readable(tx, call, id).await?;
        rights::need_writing(rights::missing_to_write(&entry, &call.caller))?;
        if let Some(undo) = entry.undone_by {
            let rows = tx.changed_rows(owner, undo).await?;
            return Ok(TakenBack { change_id: Some(undo), replayed: true, ..TakenBack::of(&entry, &rows, call) });
        }
        if makes_a_person(&entry) {
            return Err(not_undoable(id, "the profile was made with it"));
        }
        match tx.undo(owner, id, call.now).await? {
            Undone::Restored(rows) => Ok(TakenBack::of(&entry, &rows, call)),
            Undone::NotUndoable(reason) => Err(not_undoable(id, &reason)),
            Undone::Conflicts(conflicts) => {
                let conflicts = conflicts.into_iter().map(|conflict| Conflict::of(id, conflict, call)).collect();
                Err(changed_since(tx, call, conflicts).await?)
            }
        }
    }
}

impl TakenBack {
    fn of(entry: &ChangeEntry, rows: &[ChangedRow], call: &Call) -> Self {
        let (rows, rows_left_out) = row::fitting(rows, call, MOST_BYTES);
        let summary = taken_back(&entry.summary);
        Self { undone_change_id: entry.id, summary, rows, rows_left_out, change_id: None, replayed: false }
    }
}

/// What was done, turned round: taking back an undo puts back.
fn taken_back(summary: &str) -> String {
    match (summary.strip_prefix(TOOK_BACK), summary.strip_prefix(PUT_BACK)) {
        (Some(done), _) => format!("{PUT_BACK}{done}"),
        (_, Some(done)) => format!("{TOOK_BACK}{done}"),
        _ => format!("{TOOK_BACK}{summary}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_turned_round_each_time() {
        let once = taken_back("Logged meal");
        assert_eq!(once, "Took back: Logged meal");
        let twice = taken_back(&once);
        assert_eq!(twice, "Put back: Logged meal");
        assert_eq!(taken_back(&twice), once);
    }
}
