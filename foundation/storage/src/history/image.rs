use serde_json::Map;

use crate::{Error, Row, Value, capture::Column};

/// One row as it was, column → value, in the table's order; without owner, id, bookkeeping and generated columns.
pub type RowImage = Map<String, serde_json::Value>;

/// What one change did to one row, folded.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedRow {
    pub table: &'static str,
    pub entity: &'static str,
    pub id: i64,
    /// `None`: the change inserted it.
    pub before: Option<RowImage>,
    /// `None`: the change removed it.
    pub after: Option<RowImage>,
}

/// A row that is not, apart from `version` and `updated_at`, what the change left; or one that is in the way of
/// putting rows back, which has neither `before` nor `after`.
#[derive(Debug, Clone, PartialEq)]
pub struct UndoConflict {
    pub row: ChangedRow,
    pub now: Option<RowImage>,
    /// Later changes that touched it, oldest first.
    pub later_changes: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Undone {
    /// All rows are back; what that did to each, as any change does something to rows.
    Restored(Vec<ChangedRow>),
    /// Nothing was written.
    Conflicts(Vec<UndoConflict>),
    /// Images are gone (older than kept) or no longer fit the schema. Nothing was written.
    NotUndoable(String),
}

/// They only move forward, also when everything else goes back.
pub(crate) const FORWARD: [&str; 2] = ["version", "updated_at"];

/// Whether two states of a row are one apart from `version` and `updated_at`, as far as `left` knows columns.
pub(crate) fn same(left: Option<&RowImage>, now: Option<&RowImage>) -> bool {
    match (left, now) {
        (None, None) => true,
        (Some(left), Some(now)) => left
            .iter()
            .filter(|(column, _)| !FORWARD.contains(&column.as_str()))
            .all(|(column, value)| now.get(column) == Some(value)),
        _ => false,
    }
}

pub(crate) fn parse(text: &str) -> Result<RowImage, Error> {
    serde_json::from_str(text).map_err(|cause| Error::Internal(format!("an image is no JSON object: {cause}")))
}

/// The image of a row that was read with exactly `columns`.
pub(crate) fn of_row(columns: &[Column], row: Row) -> Result<RowImage, Error> {
    let mut image = RowImage::with_capacity(columns.len());
    for (column, value) in columns.iter().zip(row.0) {
        let value = match value {
            Value::Null => serde_json::Value::Null,
            Value::Integer(integer) => integer.into(),
            Value::Text(text) => text.into(),
            other => return Err(Error::Internal(format!("column {} holds {}", column.name, other.kind()))),
        };
        image.insert(column.name.clone(), value);
    }
    Ok(image)
}

pub(crate) fn column_value(image: &RowImage, column: &str) -> Result<Value, Error> {
    match image.get(column) {
        None | Some(serde_json::Value::Null) => Ok(Value::Null),
        Some(serde_json::Value::String(text)) => Ok(Value::Text(text.clone())),
        Some(serde_json::Value::Number(number)) if number.is_i64() => Ok(number.as_i64().into()),
        Some(other) => Err(Error::Internal(format!("an image holds {other} in column {column}"))),
    }
}
