//! A domain with one captured table, in the journal's area.

use operation::{
    Area, Call, Confirm, Domain, Effect, Entity, Failure, Instructions, Local, Needs, Operation, Role, Workflow,
    catalog::Column, local,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Capture, Migration, Table, Tx, params};

storage::statements! {
    INSERT = "INSERT INTO note (owner, id, text, amount, written_at, version, created_at, updated_at) \
              VALUES ($1, $2, $3, $4, $5, 1, $6, $7)";
    UPDATE = "UPDATE note SET text = $1, version = version + 1, updated_at = $2 WHERE owner = $3 AND id = $4 RETURNING id";
    DELETE = "DELETE FROM note WHERE owner = $1 AND id = $2 RETURNING id";
    GET = "SELECT text FROM note WHERE owner = $1 AND id = $2";
    COUNT = "SELECT count(*) FROM note WHERE owner = $1";
}

pub const DOMAIN: Domain = Domain {
    name: "notes",
    area: Area::Journal,
    operations: &[&[
        local::<WriteNote>,
        local::<ChangeNote>,
        local::<DropNote>,
        local::<GetNote>,
        local::<GetMacrosToday>,
    ]],
    tables: &[Table { name: "note", entity: "note", capture: Capture::Rows { except: &[] } }],
    migrations: &[Migration {
        domain: "notes",
        number: 1,
        name: "note",
        sql: "CREATE TABLE note (owner {int} NOT NULL, id {int} NOT NULL, text {text} NOT NULL, amount {int} NOT NULL, \
              written_at {int} NOT NULL, version {int} NOT NULL, created_at {int} NOT NULL, updated_at {int} NOT NULL, \
              PRIMARY KEY (owner, id)) {strict};",
    }],
    statements: &[STATEMENTS],
    pinned: &[COUNT],
    columns: &[Column::tenths("note.amount", "amount_g")],
    entities: &[Entity { name: "note", summary: "A note." }],
    workflows: &[Workflow { name: "plan", when: "Never.", steps: &["Use `plan_everything`."] }],
    resources: &[],
    instructions: Instructions { long: "", short: "" },
};

#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    id: i64,
    summary: String,
}

macro_rules! note_operation {
    ($name:ident, $operation:literal, $path:literal, $effect:expr, $needs:expr, $role:expr, $example:tt) => {
        impl Operation for $name {
            const NAME: &'static str = $operation;
            const PATH: &'static str = $path;
            const EFFECT: Effect = $effect;
            const NEEDS: Needs = $needs;
            const ENTITY: &'static str = "note";
            const ROLE: Role = $role;
            type Output = Written;

            fn example() -> Value {
                json!($example)
            }
        }
    };
}

/// Writes a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteNote {
    /// What it says.
    text: String,
}

/// Changes a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeNote {
    /// Which note.
    note_id: i64,
    /// What it says.
    text: String,
}

/// Drops a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DropNote {
    /// Which note.
    note_id: i64,
    /// Must be true.
    #[expect(dead_code, reason = "the checker insists on it")]
    confirm: Confirm,
}

/// Shows a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetNote {
    /// Which note.
    note_id: i64,
}

/// Stands for the place where a person goes on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMacrosToday {}

const WRITES: Needs = Needs::writing(Area::Journal);
note_operation!(WriteNote, "write_note", "/notes", Effect::Creates, WRITES, Role::Create, {"text": "a"});
note_operation!(ChangeNote, "change_note", "/notes/{note_id}", Effect::Changes, WRITES, Role::Update, {"note_id": 1, "text": "b"});
note_operation!(DropNote, "drop_note", "/notes/{note_id}", Effect::Removes, WRITES, Role::Delete, {"note_id": 1, "confirm": true});
note_operation!(GetNote, "get_note", "/notes/{note_id}", Effect::Reads, Needs::reading(Area::Journal), Role::Read, {"note_id": 1});

note_operation!(
    GetMacrosToday,
    "get_macros_today",
    "/today",
    Effect::Reads,
    Needs::reading(Area::Journal),
    Role::Other,
    {}
);

fn written(id: i64, did: &str) -> Written {
    Written { id, summary: format!("{did} note {id} (Mon, today)") }
}

fn there(row: Option<storage::Row>, id: i64) -> Result<storage::Row, Failure> {
    row.ok_or_else(|| Failure::not_found("note", id))
}

impl Local for WriteNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        let id = tx.new_id("note").await?;
        let values = params![call.owner()?, id, &self.text, 125_i64, call.now, call.now, call.now];
        tx.execute(&INSERT, &values).await?;
        Ok(written(id, "Wrote"))
    }
}

impl Local for ChangeNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        let row = tx.row(&UPDATE, &params![&self.text, call.now, call.owner()?, self.note_id]).await?;
        there(row, self.note_id).map(|_| written(self.note_id, "Changed"))
    }
}

impl Local for DropNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        let row = tx.row(&DELETE, &params![call.owner()?, self.note_id]).await?;
        there(row, self.note_id).map(|_| written(self.note_id, "Dropped"))
    }
}

impl Local for GetNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        let row = tx.row(&GET, &params![call.owner()?, self.note_id]).await?;
        let summary = there(row, self.note_id)?.get(0)?;
        Ok(Written { id: self.note_id, summary })
    }
}

impl Local for GetMacrosToday {
    async fn run(&self, _tx: &mut Tx, _call: &Call) -> Result<Written, Failure> {
        Ok(written(0, "Summed"))
    }
}
