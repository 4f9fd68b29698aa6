use operation::{Call, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{ChangeEntry, Id, Tx};

use super::{
    entry::Shown,
    rights,
    row::{self, Row},
};

/// Shows one change: each row it touched, with the changed fields before and after. Find its id with list_changes or in
/// the answer of the write.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetChange {
    /// Id of the change.
    pub change_id: Id<ChangeEntry>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Told {
    change: Shown,
    rows: Vec<Row>,
    /// Rows that did not fit.
    rows_left_out: usize,
    /// False once the old values are no longer kept.
    images_kept: bool,
}

const MOST_BYTES: usize = 20_000;

impl Operation for GetChange {
    const NAME: &'static str = "get_change";
    const PATH: &'static str = "/account/changes/{change_id}";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::AnyCredential;
    const ENTITY: &'static str = "change";
    const ROLE: Role = Role::Read;
    const UNTRUSTED: &'static [&'static str] =
        &["change.summary", "change.actor.name", "rows[].before", "rows[].after"];
    type Output = Told;

    fn example() -> Value {
        json!({"change_id": 1})
    }
}

impl Local for GetChange {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Told, Failure> {
        let id = self.change_id.raw();
        let entry = rights::readable(tx, call, id).await?;
        let changed = tx.changed_rows(call.owner()?, id).await?;
        let (rows, rows_left_out) = row::fitting(&changed, call, MOST_BYTES);
        Ok(Told { images_kept: !entry.pruned, change: Shown::of(entry, call), rows, rows_left_out })
    }
}
