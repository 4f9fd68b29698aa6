//! A domain of notes: one keyed operation, a list, a fault, and one that asks another server.

use calendar::EventTime;
use operation::{
    Area, Call, Cursor, Domain, Effect, Entity, Failure, FieldFault, Instructions, Local, Needs, Operation, Outside,
    Page, PageEnds, Reaching, Repeatable, Role, local, reaching, repeatable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Capture, Migration, Table, Tx, params};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

storage::statements! {
    INSERT = "INSERT INTO note (owner, id, text, version, created_at, updated_at) VALUES ($1, $2, $3, 1, $4, $4)";
    GET = "SELECT text FROM note WHERE owner = $1 AND id = $2";
    DELETE = "DELETE FROM note WHERE owner = $1 AND id = $2";
    LIST = "SELECT id, text FROM note WHERE owner = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
    COUNT = "SELECT count(*) FROM note WHERE owner = $1";
    INTEND = "INSERT INTO intent (owner, id, path) VALUES ($1, $2, $3)";
    INTENTS = "SELECT count(*) FROM intent WHERE owner = $1";
}

pub const DOMAIN: Domain = Domain {
    name: "notes",
    area: Area::Journal,
    operations: &[&[
        repeatable::<WriteNote>,
        local::<ListNotes>,
        local::<ShowNotes>,
        local::<DropNote>,
        local::<BreakNote>,
        local::<WritingRead>,
        reaching::<FetchNote>,
    ]],
    tables: &[
        Table { name: "note", entity: "note", capture: Capture::Rows { except: &[] } },
        Table { name: "intent", entity: "intent", capture: Capture::None },
    ],
    migrations: &[Migration {
        domain: "notes",
        number: 1,
        name: "note",
        sql: "CREATE TABLE note (owner {int} NOT NULL, id {int} NOT NULL, text {text} NOT NULL, version {int} NOT NULL, \
              created_at {int} NOT NULL, updated_at {int} NOT NULL, PRIMARY KEY (owner, id)) {strict}; \
              CREATE TABLE intent (owner {int} NOT NULL, id {int} NOT NULL, path {text} NOT NULL, \
              PRIMARY KEY (owner, id)) {strict};",
    }],
    statements: &[STATEMENTS],
    pinned: &[],
    columns: &[],
    entities: &[Entity { name: "note", summary: "A note." }],
    workflows: &[],
    resources: &[],
    instructions: Instructions { long: "", short: "" },
};

const WRITES: Needs = Needs::writing(Area::Journal);
const READS: Needs = Needs::reading(Area::Journal);

#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    id: i64,
    notes: i64,
    summary: String,
}

async fn written(tx: &mut Tx, call: &Call, id: i64, text: &str) -> Result<Written, Failure> {
    let count = tx.row(&COUNT, &params![call.owner()?]).await?;
    let notes = count.map_or(Ok(0), |row| row.get(0))?;
    Ok(Written { id, notes, summary: format!("Wrote {text}") })
}

async fn insert(tx: &mut Tx, call: &Call, text: &str) -> Result<Written, Failure> {
    let id = tx.new_id("note").await?;
    tx.execute(&INSERT, &params![call.owner()?, id, text, call.now]).await?;
    written(tx, call, id, text).await
}

/// Writes a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteNote {
    /// What it says.
    #[schemars(length(min = 1))]
    text: String,
    /// When it happened.
    #[serde(default)]
    at: Option<EventTime>,
    /// Repeat the same value when you retry the same call.
    #[serde(default)]
    #[expect(dead_code, reason = "the engine reads it")]
    idempotency_key: Option<String>,
    /// Write it although an equal one was written.
    #[serde(default)]
    #[expect(dead_code, reason = "the engine reads it")]
    allow_duplicate: bool,
}

impl Operation for WriteNote {
    const NAME: &'static str = "write_note";
    const PATH: &'static str = "/notes";
    const EFFECT: Effect = Effect::Creates;
    const NEEDS: Needs = WRITES;
    const ENTITY: &'static str = "note";
    const ROLE: Role = Role::Create;
    const IDEMPOTENT: bool = true;
    type Output = Written;

    fn example() -> Value {
        json!({"text": "a"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let resolved = call.caller.day.resolve(self.at.as_ref(), call.now);
        resolved.err().map(|error| FieldFault::new("at", error.to_string())).into_iter().collect()
    }
}

impl Local for WriteNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        insert(tx, call, &self.text).await
    }
}

impl Repeatable for WriteNote {
    const KIND: &'static str = "note";

    fn row(output: &Written) -> i64 {
        output.id
    }

    async fn replay(&self, tx: &mut Tx, call: &Call, row: i64) -> Result<Option<Written>, Failure> {
        let Some(found) = tx.row(&GET, &params![call.owner()?, row]).await? else { return Ok(None) };
        let text: String = found.get(0)?;
        written(tx, call, row, &text).await.map(Some)
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Note {
    id: i64,
    text: String,
}

/// Lists notes, newest first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListNotes {
    /// At most so many.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<i64>,
    /// Only those; stands for any filter.
    #[serde(default)]
    #[expect(dead_code, reason = "only the cursor is bound to it")]
    query: Option<String>,
    /// Where the last page ended.
    #[serde(default)]
    cursor: Option<Cursor>,
}

impl Operation for ListNotes {
    const NAME: &'static str = "list_notes";
    const PATH: &'static str = "/notes";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = READS;
    const ENTITY: &'static str = "note";
    const ROLE: Role = Role::Read;
    const UNTRUSTED: &'static [&'static str] = &["items[].text"];
    type Output = Page<Note>;

    fn example() -> Value {
        json!({})
    }

    fn page(output: &Page<Note>) -> Option<PageEnds> {
        Some(output.ends())
    }
}

impl Local for ListNotes {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Page<Note>, Failure> {
        let limit = self.limit.unwrap_or(50);
        let key = self.cursor.as_ref().map(Cursor::key).transpose()?;
        let before = key.and_then(|key| key.first()?.as_i64()).unwrap_or(i64::MAX);
        let rows = tx.rows(&LIST, &params![call.owner()?, before, limit + 1]).await?;
        let notes: Result<Vec<Note>, storage::Error> =
            rows.iter().map(|row| Ok(Note { id: row.get(0)?, text: row.get(1)? })).collect();
        let total = tx.row(&COUNT, &params![call.owner()?]).await?.map_or(Ok(0), |row| row.get(0))?;
        Ok(Page::new(notes?, usize::try_from(limit).unwrap(), total, |note| vec![json!(note.id)]))
    }
}

/// Shows all notes, without pages.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowNotes {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AllNotes {
    notes: Vec<Note>,
    truncated: bool,
}

impl Operation for ShowNotes {
    const NAME: &'static str = "show_notes";
    const PATH: &'static str = "/all-notes";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = READS;
    const ENTITY: &'static str = "note";
    const ROLE: Role = Role::Read;
    const NARROW_BY: &'static str = "list_notes";
    type Output = AllNotes;

    fn example() -> Value {
        json!({})
    }

    fn page(_: &AllNotes) -> Option<PageEnds> {
        Some(PageEnds::without_cursor("notes", 0))
    }
}

impl Local for ShowNotes {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<AllNotes, Failure> {
        let rows = tx.rows(&LIST, &params![call.owner()?, i64::MAX, 1_000_i64]).await?;
        let notes: Result<Vec<Note>, storage::Error> =
            rows.iter().map(|row| Ok(Note { id: row.get(0)?, text: row.get(1)? })).collect();
        Ok(AllNotes { notes: notes?, truncated: false })
    }
}

macro_rules! note_operation {
    ($name:ident, $operation:literal, $path:literal, $effect:expr, $role:expr, $output:ty, $example:tt) => {
        impl Operation for $name {
            const NAME: &'static str = $operation;
            const PATH: &'static str = $path;
            const EFFECT: Effect = $effect;
            const NEEDS: Needs = WRITES;
            const ENTITY: &'static str = "note";
            const ROLE: Role = $role;
            const OPEN_WORLD: bool = matches!(Self::ROLE, Role::Create);
            type Output = $output;

            fn example() -> Value {
                json!($example)
            }
        }
    };
}

/// Drops a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DropNote {
    /// Which note.
    note_id: i64,
}

note_operation!(DropNote, "drop_note", "/notes/{note_id}", Effect::Removes, Role::Delete, Written, {"note_id": 1});

impl Local for DropNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        let dropped = tx.execute(&DELETE, &params![call.owner()?, self.note_id]).await?;
        if dropped == 0 {
            return Err(Failure::not_found("note", self.note_id));
        }
        written(tx, call, self.note_id, "nothing").await
    }
}

/// Writes a note and breaks in the middle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BreakNote {
    /// `panic`, `refuse` or `wait`.
    how: String,
}

note_operation!(BreakNote, "break_note", "/broken", Effect::Changes, Role::Other, Written, {"how": "refuse"});

impl Local for BreakNote {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        let written = insert(tx, call, "half").await?;
        match self.how.as_str() {
            "panic" => panic!("an operation with a fault"),
            "refuse" => Err(Failure::unprocessable("no", "No.", json!({"note": written.id}))),
            _ => Ok(written),
        }
    }
}

/// Reads, although it tries to write.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WritingRead {}

impl Operation for WritingRead {
    const NAME: &'static str = "writing_read";
    const PATH: &'static str = "/writing-read";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::AnyCredential;
    const ENTITY: &'static str = "note";
    const ROLE: Role = Role::Other;
    type Output = Written;

    fn example() -> Value {
        json!({})
    }
}

impl Local for WritingRead {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Written, Failure> {
        tx.execute(&INSERT, &params![call.owner()?, 4711_i64, "sneaked in", call.now]).await?;
        written(tx, call, 4711, "sneaked in").await
    }
}

/// Fetches a note from another server.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchNote {
    /// Port of the server on this machine.
    port: u16,
    /// Path of the note there.
    path: String,
}

note_operation!(FetchNote, "fetch_note", "/fetched", Effect::Creates, Role::Create, Written, {"port": 1, "path": "/a"});

impl Reaching for FetchNote {
    type Plan = i64;
    type Answer = String;

    async fn prepare(&self, tx: &mut Tx, call: &Call) -> Result<i64, Failure> {
        tx.row(&COUNT, &params![call.owner()?]).await?.map_or(Ok(0), |row| Ok(row.get(0)?))
    }

    async fn reach(&self, before: &i64, outside: &Outside) -> Result<String, Failure> {
        let (owner, path, call_id) = (outside.call.owner()?, self.path.clone(), outside.call.call_id);
        outside
            .record(move |tx| {
                let path = path.clone();
                Box::pin(async move { Ok(tx.execute(&INTEND, &params![owner, call_id, path]).await?) })
            })
            .await?;
        let text = fetch(self.port, &self.path).await.map_err(|fault| Failure::Unavailable { message: fault })?;
        Ok(format!("{text} after {before}"))
    }

    async fn settle(&self, tx: &mut Tx, call: &Call, answer: &String) -> Result<Written, Failure> {
        insert(tx, call, answer).await
    }
}

/// A plain HTTP GET; every way of going wrong is a sentence.
async fn fetch(port: u16, path: &str) -> Result<String, String> {
    let said = |error: std::io::Error| format!("the other server: {error}");
    let exchange = async {
        let mut socket = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.map_err(said)?;
        socket.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).await.map_err(said)?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.map_err(said)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("the other server broke off")?;
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok());
        match (head.starts_with("HTTP/1.0 200"), length == Some(body.len())) {
            (true, true) => Ok(body.to_owned()),
            (true, false) => Err("the other server broke off".to_owned()),
            (false, _) => Err("the other server refused".to_owned()),
        }
    };
    let patience = std::time::Duration::from_secs(1);
    tokio::time::timeout(patience, exchange).await.unwrap_or_else(|_| Err("the other server does not answer".into()))
}

/// How many fetches were begun.
pub async fn intents(engine: &engine::Engine, owner: i64) -> i64 {
    let count: Result<i64, Failure> = engine
        .storage()
        .read(move |tx| {
            Box::pin(async move {
                let row = tx.row(&INTENTS, &params![owner]).await?;
                Ok(row.map_or(Ok(0), |row| row.get(0))?)
            })
        })
        .await;
    count.unwrap()
}
