use rusqlite::Connection;

use crate::{
    capture::{Column, ForeignKey, Kind, TableColumns},
    fault::Fault,
};

/// A table as SQLite describes it; without columns when there is none of that name.
pub(crate) fn describe(connection: &Connection, table: &str) -> Result<TableColumns, Fault> {
    let mut described = TableColumns::default();
    let mut keys: Vec<(i64, String)> = Vec::new();
    let mut columns = connection.prepare("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid")?;
    let mut rows = columns.query([table])?;
    while let Some(row) = rows.next()? {
        let (name, kind): (String, String) = (row.get(0)?, row.get(1)?);
        match row.get(2)? {
            0 => {}
            place => keys.push((place, name.clone())),
        }
        if row.get::<_, i64>(3)? != 0 {
            described.generated.push(name.clone());
        }
        described.columns.push(Column { name, kind: kind_of(&kind) });
    }
    keys.sort();
    described.primary_key = keys.into_iter().map(|(_, name)| name).collect();
    described.foreign_keys = foreign_keys(connection, table)?;
    described.uniques = uniques(connection, table)?;
    Ok(described)
}

fn kind_of(declared: &str) -> Kind {
    match declared.to_ascii_uppercase().as_str() {
        "INTEGER" | "INT" => Kind::Integer,
        "REAL" => Kind::Real,
        "TEXT" => Kind::Text,
        "BLOB" => Kind::Blob,
        other => Kind::Other(other.to_owned()),
    }
}

fn foreign_keys(connection: &Connection, table: &str) -> Result<Vec<ForeignKey>, Fault> {
    let text = "SELECT coalesce(sql, '') FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let sql: String = connection.query_row(text, [table], |row| row.get(0)).unwrap_or_default();
    let deferred = sql.to_ascii_uppercase().contains("INITIALLY DEFERRED");
    let mut list = connection.prepare(
        "SELECT id, \"table\", \"from\", \"to\", on_update, on_delete FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
    )?;
    let mut rows = list.query([table])?;
    let mut found: Vec<(i64, ForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let parent: String = row.get(1)?;
        let actions: (String, String) = (row.get(4)?, row.get(5)?);
        if found.last().is_none_or(|(last, _)| *last != id) {
            let plain = actions.0 == "NO ACTION" && actions.1 == "NO ACTION" && !deferred;
            found.push((id, ForeignKey { columns: Vec::new(), parent, parent_columns: Vec::new(), plain }));
        }
        if let Some((_, key)) = found.last_mut() {
            key.columns.push(row.get(2)?);
            key.parent_columns.extend(row.get::<_, Option<String>>(3)?);
        }
    }
    for (_, key) in found.iter_mut().filter(|(_, key)| key.parent_columns.is_empty()) {
        key.parent_columns = primary_key(connection, &key.parent)?;
    }
    Ok(found.into_iter().map(|(_, key)| key).collect())
}

fn primary_key(connection: &Connection, table: &str) -> Result<Vec<String>, Fault> {
    strings(connection, "SELECT name FROM pragma_table_xinfo(?1) WHERE pk > 0 ORDER BY pk", table)
}

fn uniques(connection: &Connection, table: &str) -> Result<Vec<Vec<String>>, Fault> {
    let list = "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" = 1 AND origin <> 'pk' ORDER BY name";
    let mut uniques = Vec::new();
    for index in strings(connection, list, table)? {
        let columns = "SELECT coalesce(name, '') FROM pragma_index_info(?1) ORDER BY seqno";
        let columns = strings(connection, columns, &index)?;
        if columns.iter().all(|column| !column.is_empty()) {
            uniques.push(columns);
        }
    }
    Ok(uniques)
}

fn strings(connection: &Connection, sql: &str, argument: &str) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([argument], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
