//! Lists in pages: the operation reads one row more than it shows, the engine cuts to size and encodes the cursor.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;

/// One page of a list, newest first unless the operation says otherwise.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// How many there are in all, on every page.
    pub total: i64,
    /// Sent back as `cursor` for the next page; `null` on the last one.
    pub next_cursor: Option<String>,
    /// More follow.
    pub truncated: bool,
    #[serde(skip)]
    #[schemars(skip)]
    ends: PageEnds,
}

impl<T> Page<T> {
    /// A page of up to `limit` of the `rows` read (one more than `limit` was asked for, to know whether more follow).
    /// `key` is the position of an item in the list's order.
    pub fn new(mut rows: Vec<T>, limit: usize, total: i64, key: impl Fn(&T) -> Vec<Value>) -> Self {
        let more = rows.len() > limit;
        rows.truncate(limit);
        let keys = rows.iter().map(key).collect();
        Self {
            items: rows,
            total,
            next_cursor: None,
            truncated: more,
            ends: PageEnds { list: "items", keys, more, beyond: 0 },
        }
    }

    pub fn ends(&self) -> PageEnds {
        self.ends.clone()
    }
}

/// What the engine needs to cut a list and to say where the next page starts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageEnds {
    /// Member of the answer that holds the list.
    pub list: &'static str,
    /// Key of each item, in order; none where the list has no cursor.
    pub keys: Vec<Vec<Value>>,
    pub more: bool,
    /// How many the operation itself left off a list that no cursor continues.
    pub beyond: usize,
}

impl PageEnds {
    /// A list without a cursor, which the engine cuts all the same; the answer needs a `truncated` member.
    pub fn without_cursor(list: &'static str, beyond: usize) -> Self {
        Self { list, keys: Vec::new(), more: beyond > 0, beyond }
    }
}

/// Where a page starts: the key of the last item before it, sealed to the operation, person and filters it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(String);

impl JsonSchema for Cursor {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cursor".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "minLength": 1, "maxLength": 500, "x-quiet": true})
    }
}

impl Cursor {
    /// Encodes the key after which the next page starts; `seal` is a digest of operation, person and filters.
    pub fn encode(key: &[Value], seal: &str) -> String {
        URL_SAFE_NO_PAD.encode(json!([seal, key]).to_string())
    }

    /// The key, where the cursor is one of ours and was made for the same list.
    pub fn decode(text: &str, seal: &str) -> Result<Vec<Value>, Failure> {
        let foreign = || Failure::invalid("cursor", "is not a cursor of this list; leave it out to start again");
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| foreign())?;
        let (found, key): (String, Vec<Value>) = serde_json::from_slice(&bytes).map_err(|_| foreign())?;
        if found == seal { Ok(key) } else { Err(foreign()) }
    }

    /// The key of a cursor that the engine has already opened (it replaces the text by the plain key).
    pub fn key(&self) -> Result<Vec<Value>, Failure> {
        serde_json::from_str(&self.0).map_err(|_| Failure::internal("a cursor that the engine did not open"))
    }
}
