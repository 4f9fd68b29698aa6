//! Everything in a database as text, to compare two moments.

use std::{collections::BTreeMap, path::Path};

use rusqlite::{Connection, OpenFlags, types::ValueRef};
use serde_json::Value;

use crate::{house::House, postgres::Database};

/// Rows of every table by table name; a row is its columns by name.
pub type Contents = BTreeMap<String, Vec<BTreeMap<String, String>>>;

/// Everything in a house's database.
pub fn contents(house: &House) -> Contents {
    match &house.database {
        Some(database) => postgres_contents(database),
        None => sqlite_contents(house.folder()),
    }
}

fn postgres_contents(database: &Database) -> Contents {
    let tables = database.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename");
    let mut contents: Contents = tables.lines().map(|table| (table.to_owned(), Vec::new())).collect();
    let selects: Vec<String> =
        tables.lines().map(|table| format!("SELECT '{table}', row_to_json(it)::text FROM \"{table}\" it")).collect();
    for line in database.ask(&selects.join(" UNION ALL ")).lines() {
        let (table, row) = line.split_once('|').expect("a table and a row");
        let row: BTreeMap<String, Value> = serde_json::from_str(row).expect("a row");
        let row = row.into_iter().map(|(column, value)| (column, value.to_string())).collect();
        contents.get_mut(table).expect("a known table").push(row);
    }
    contents.values_mut().for_each(|rows| rows.sort());
    contents
}

fn sqlite_contents(folder: &Path) -> Contents {
    let file = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.extension().is_some_and(|kind| ["db", "sqlite", "sqlite3"].iter().any(|known| kind == *known))
        })
        .expect("a database file");
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a database");
    let tables: Vec<String> = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        .and_then(|mut names| names.query_map([], |row| row.get(0))?.collect())
        .expect("tables");
    tables.into_iter().map(|table| (table.clone(), rows(&database, &table))).collect()
}

fn rows(database: &Connection, table: &str) -> Vec<BTreeMap<String, String>> {
    let mut statement = database.prepare(&format!("SELECT * FROM \"{table}\"")).expect("a table");
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let row = |row: &rusqlite::Row<'_>| {
        columns
            .iter()
            .enumerate()
            .map(|(index, name)| Ok((name.clone(), shown(row.get_ref(index)?))))
            .collect::<rusqlite::Result<BTreeMap<String, String>>>()
    };
    let mut rows: Vec<_> = statement.query_map([], row).and_then(Iterator::collect).expect("rows");
    rows.sort();
    rows
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".into(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => format!("{bytes:02x?}"),
    }
}
