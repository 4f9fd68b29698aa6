//! A changed row in words that people can read.

use calendar::{Instant, Zone};
use operation::{
    Call, Catalog,
    catalog::{Column, Shown as Form},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use storage::{ChangedRow, RowImage};

/// What a change did to one row.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    pub entity: &'static str,
    pub id: i64,
    /// `created`, `changed` or `removed`.
    pub what: &'static str,
    /// Before: the changed fields, or the whole row where it was removed; null where it was created.
    pub before: Option<Map<String, Value>>,
    /// After: the changed fields, or the whole row where it was created; null where it was removed.
    pub after: Option<Map<String, Value>>,
}

/// Columns that every captured table has; they say nothing about the person.
const INTERNAL: [&str; 6] = ["owner", "id", "version", "created_at", "updated_at", "source"];

impl Row {
    pub fn of(row: &ChangedRow, call: &Call) -> Self {
        let told = |image: &RowImage| tell(row.table, image, &call.catalog, &call.caller.day.zone);
        let (mut before, mut after) = (row.before.as_ref().map(told), row.after.as_ref().map(told));
        let what = match (&mut before, &mut after) {
            (None, _) => "created",
            (_, None) => "removed",
            (Some(before), Some(after)) => {
                keep_different(before, after);
                "changed"
            }
        };
        Self { entity: row.entity, id: row.id, what, before, after }
    }
}

/// As many rows as fit into `most_bytes`, and how many are left out.
pub fn fitting(rows: &[ChangedRow], call: &Call, most_bytes: usize) -> (Vec<Row>, usize) {
    let mut room = most_bytes;
    let mut shown = Vec::new();
    for row in rows {
        let row = Row::of(row, call);
        let size = json!(row).to_string().len() + 1;
        if size > room && !shown.is_empty() {
            break;
        }
        room = room.saturating_sub(size);
        shown.push(row);
    }
    let left_out = rows.len() - shown.len();
    (shown, left_out)
}

/// One state of a row; its moments on the clock of the row's own zone, where it has one.
pub fn tell(table: &str, image: &RowImage, catalog: &Catalog, zone: &Zone) -> Map<String, Value> {
    let own = image.get("zone").and_then(Value::as_str).and_then(|name| Zone::parse(name).ok());
    let zone = own.as_ref().unwrap_or(zone);
    image
        .iter()
        .filter(|(column, _)| !INTERNAL.contains(&column.as_str()))
        .filter_map(|(column, value)| tell_column(form_of(table, column, catalog), column, value, zone))
        .collect()
}

fn form_of(table: &str, column: &str, catalog: &Catalog) -> Option<Form> {
    let is_it = |path: &str| path.strip_prefix(table).and_then(|rest| rest.strip_prefix('.')) == Some(column);
    let columns = catalog.domains.iter().flat_map(|domain| domain.columns);
    columns.filter(|known: &&Column| is_it(known.path)).map(|known| known.shown).next()
}

fn tell_column(form: Option<Form>, column: &str, value: &Value, zone: &Zone) -> Option<(String, Value)> {
    let told = match (form, value.as_i64()) {
        (Some(Form::Hidden), _) => return None,
        (Some(Form::Flag), Some(flag)) => (column, json!(flag != 0)),
        (Some(Form::Tenths(name)), Some(tenths)) => (name, in_whole(tenths)),
        (Some(Form::Tenths(name)), None) => (name, value.clone()),
        (None, Some(micros)) if column == "at" || column.ends_with("_at") => {
            (column, json!(Instant::from_micros(micros).in_zone(zone)))
        }
        _ => (column, value.clone()),
    };
    Some((told.0.to_owned(), told.1))
}

fn in_whole(tenths: i64) -> Value {
    if tenths % 10 == 0 { json!(tenths / 10) } else { json!(tenths as f64 / 10.0) }
}

fn keep_different(before: &mut Map<String, Value>, after: &mut Map<String, Value>) {
    let same: Vec<String> =
        before.iter().filter(|(name, value)| after.get(*name) == Some(value)).map(|(name, _)| name.clone()).collect();
    for name in same {
        before.remove(&name);
        after.remove(&name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(form: Option<Form>, column: &str, value: Value) -> Option<(String, Value)> {
        tell_column(form, column, &value, &Zone::parse("America/Toronto").unwrap())
    }

    #[test]
    fn stored_forms_are_told_as_people_read_them() {
        let tenths = Some(Form::Tenths("height_cm"));
        assert_eq!(told(tenths, "height_mm", json!(1725)), Some(("height_cm".into(), json!(172.5))));
        assert_eq!(told(tenths, "height_mm", json!(1720)), Some(("height_cm".into(), json!(172))));
        assert_eq!(told(tenths, "height_mm", Value::Null), Some(("height_cm".into(), Value::Null)));
        assert_eq!(told(Some(Form::Flag), "fasted", json!(1)), Some(("fasted".into(), json!(true))));
        assert_eq!(told(Some(Form::Hidden), "words", json!("soup")), None);
        assert_eq!(told(None, "name", json!("soup")), Some(("name".into(), json!("soup"))));
    }

    #[test]
    fn moments_are_told_in_the_persons_zone() {
        let lunch = json!(1_779_726_600_000_000_i64);
        assert_eq!(told(None, "eaten_at", lunch), Some(("eaten_at".into(), json!("2026-05-25T12:30:00-04:00"))));
    }

    #[test]
    fn a_row_with_a_zone_keeps_its_own_clock() {
        let image = json!({"eaten_at": 1_779_726_600_000_000_i64, "zone": "Asia/Tokyo", "owner": 1, "version": 2});
        let nothing = Catalog::new(&[]).unwrap();
        let told = tell("meal", image.as_object().unwrap(), &nothing, &Zone::utc());
        assert_eq!(json!(told), json!({"eaten_at": "2026-05-26T01:30:00+09:00", "zone": "Asia/Tokyo"}));
    }

    #[test]
    fn only_what_differs_is_kept_of_a_changed_row() {
        let mut before = json!({"a": 1, "b": 2}).as_object().unwrap().clone();
        let mut after = json!({"a": 1, "b": 3, "c": 4}).as_object().unwrap().clone();
        keep_different(&mut before, &mut after);
        assert_eq!((json!(before), json!(after)), (json!({"b": 2}), json!({"b": 3, "c": 4})));
    }
}
