//! Rows that are gone: what they were, as the change log remembers it.

use storage::{Error, Row, Tx, Value};

storage::statements! {
    LAST_IMAGE = "SELECT change_id, before_image FROM change_row WHERE owner = $1 AND tbl = $2 AND row_id = $3 \
        ORDER BY id DESC LIMIT 1";
}

/// A row that was there and is not.
pub struct Removed {
    /// The change that took it away.
    pub change_id: i64,
    /// Its columns in the order asked for.
    pub row: Row,
}

/// What a missing row was before it went, as long as the change log keeps its image. `columns` is a select list of
/// plain names.
pub async fn last_image(
    tx: &mut Tx,
    owner: i64,
    table: &'static str,
    id: i64,
    columns: &str,
) -> Result<Option<Removed>, Error> {
    let Some(found) = tx.row(&LAST_IMAGE, &storage::params![owner, table, id]).await? else { return Ok(None) };
    let Some(text) = found.get::<Option<String>>(1)? else { return Ok(None) };
    let image: serde_json::Value = serde_json::from_str(&text).map_err(|error| Error::Internal(error.to_string()))?;
    let values = columns.split(", ").map(|column| match column {
        "id" => Value::Integer(id),
        column => value_of(&image[column]),
    });
    Ok(Some(Removed { change_id: found.get(0)?, row: Row(values.collect()) }))
}

/// Captured tables hold integers and text only.
fn value_of(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::String(text) => text.as_str().into(),
        value => value.as_i64().into(),
    }
}
