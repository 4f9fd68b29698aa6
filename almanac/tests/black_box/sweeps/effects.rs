//! What an operation does to the database: a read nothing, a repeated call one thing, an undo everything back.

use std::collections::BTreeMap;

use operation::{Catalog, Effect, Entry};
use serde_json::json;

use super::{
    catalog::catalog,
    database::{Contents, contents},
    host::Host,
    story,
};
use crate::postgres::Engine;

/// Tables that record that a call was made; undo leaves them alone.
const OF_THE_RECORD: [&str; 6] =
    ["change", "change_row", "change_row_column", "idempotency_key", "id_block", "account_event"];
/// Columns that only move forward.
const ONLY_FORWARD: [&str; 2] = ["version", "updated_at"];

/// Every operation that fits, on every engine.
fn swept(catalog: &Catalog, fits: impl Fn(&Entry) -> bool) -> Vec<(Engine, &Entry)> {
    let fitting: Vec<&Entry> = catalog.iter().filter(|entry| fits(entry)).collect();
    Engine::ALL.into_iter().flat_map(|engine| fitting.iter().map(move |entry| (engine, *entry))).collect()
}

#[test]
fn a_read_changes_nothing() {
    for engine in Engine::ALL {
        let (house, _) = story::begin(engine);
        let host = Host::open(&house);
        let before = contents(&house);
        for entry in catalog().iter().filter(|entry| entry.effect == Effect::Reads) {
            host.call(entry.name, &entry.example);
            assert_eq!(contents(&house), before, "{} wrote on {engine:?}", entry.name);
        }
    }
}

#[test]
fn one_key_twice_is_one_change() {
    let mut count = 0;
    for (engine, entry) in swept(&catalog(), |entry| entry.keyed.is_some()) {
        let (house, _) = story::begin(engine);
        let host = Host::open(&house);
        let mut input = entry.example.clone();
        input["idempotency_key"] = json!("once");
        let first = host.call(entry.name, &input);
        let once = without_counters(contents(&house));
        let second = host.call(entry.name, &input);
        assert_eq!(without_counters(contents(&house)), once, "{} twice on {engine:?}", entry.name);
        assert_eq!((&second["id"], &second["replayed"]), (&first["id"], &json!(true)), "{}", entry.name);
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn what_is_idempotent_may_be_repeated() {
    for (engine, entry) in swept(&catalog(), |entry| entry.idempotent && entry.effect.writes()) {
        let (house, _) = story::begin(engine);
        let host = Host::open(&house);
        host.call(entry.name, &entry.example);
        let once = of_the_person(contents(&house));
        host.call(entry.name, &entry.example);
        assert_eq!(of_the_person(contents(&house)), once, "{} twice on {engine:?}", entry.name);
    }
}

#[test]
fn undoing_any_captured_write_brings_every_column_back() {
    let mut count = 0;
    for (engine, entry) in swept(&catalog(), |entry| entry.effect.writes()) {
        let (house, _) = story::begin(engine);
        let host = Host::open(&house);
        let before = of_the_person(contents(&house));
        let Some(change) = host.call(entry.name, &entry.example)["change_id"].as_i64() else { continue };
        assert_ne!(of_the_person(contents(&house)), before, "{} changed nothing on {engine:?}", entry.name);
        let undone = host.call("undo_change", &json!({"change_id": change}));
        assert_eq!(of_the_person(contents(&house)), before, "{} and its undo on {engine:?}", entry.name);
        if let Some(redo) = undone["change_id"].as_i64() {
            host.call("undo_change", &json!({"change_id": redo}));
            assert_ne!(
                of_the_person(contents(&house)),
                before,
                "{}: undoing the undo restores, on {engine:?}",
                entry.name
            );
        }
        count += 1;
    }
    assert!(count >= 8, "captured writes were swept");
}

/// The database without its counters of ids: one that was claimed and not used is not given again.
fn without_counters(mut contents: Contents) -> Contents {
    contents.remove("id_block");
    contents
}

/// The database without its record of calls and without columns that only move forward.
fn of_the_person(contents: Contents) -> Contents {
    contents
        .into_iter()
        .filter(|(table, _)| !OF_THE_RECORD.contains(&table.as_str()))
        .map(|(table, rows)| (table, rows.into_iter().map(without_forward).collect()))
        .collect()
}

fn without_forward(row: BTreeMap<String, String>) -> BTreeMap<String, String> {
    row.into_iter().filter(|(column, _)| !ONLY_FORWARD.contains(&column.as_str())).collect()
}
