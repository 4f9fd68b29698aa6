use std::{collections::BTreeMap, path::Path};

use rusqlite::Connection;

use crate::{
    AppliedMigration, Migration, Schema, Table,
    capture::{Catalog, PREFIX, SavedShape, TableColumns, Trigger, captured_columns, next_shape, sqlite_triggers},
    dialect::Dialect,
    fault::Fault,
    migration,
    sqlite::{file, introspection::describe, statistics},
};

const RECORD: &str = "CREATE TABLE IF NOT EXISTS migration (
    domain TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL, PRIMARY KEY (domain, number)
) STRICT, WITHOUT ROWID";

/// Brings the database to the schema and reads the catalog back from it. One transaction; a backup file is written
/// before a database that already holds something is migrated.
pub(crate) fn migrate(connection: &Connection, path: &Path, schema: &Schema) -> Result<Catalog, Fault> {
    let known: Vec<Migration> = std::iter::once(migration::OWN).chain(schema.migrations.iter().copied()).collect();
    let seen = applied(connection)?;
    let waiting = migration::pending(&known, &seen).map_err(Fault::from)?;
    if !waiting.is_empty() && !seen.is_empty() {
        file::backup_before_migration(connection, path, seen.len())?;
    }
    // A migration may rebuild a table that others refer to; the check comes at the end.
    connection.pragma_update(None, "foreign_keys", "OFF")?;
    let done = in_transaction(connection, schema, &known);
    connection.pragma_update(None, "foreign_keys", "ON")?;
    done
}

fn in_transaction(connection: &Connection, schema: &Schema, known: &[Migration]) -> Result<Catalog, Fault> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = forward(connection, schema, known);
    if done.is_ok() {
        connection.execute_batch("COMMIT")?;
    } else if !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    done
}

fn forward(connection: &Connection, schema: &Schema, known: &[Migration]) -> Result<Catalog, Fault> {
    connection.execute_batch(RECORD)?;
    // Read again: another process may have been faster.
    let waiting = migration::pending(known, &applied(connection)?).map_err(Fault::from)?;
    if !waiting.is_empty() {
        drop_triggers(connection)?;
    }
    for migration in &waiting {
        let named =
            |fault: Fault| fault.in_statement(&format!("migration {} {:04}", migration.domain, migration.number));
        connection.execute_batch(&Dialect::Sqlite.words(migration.sql)).map_err(|cause| named(cause.into()))?;
        connection.execute(
            "INSERT INTO migration (domain, number, name, checksum, applied_at) VALUES (?1, ?2, ?3, ?4, unixepoch())",
            (migration.domain, migration.number, migration.name, migration.checksum()),
        )?;
    }
    if !waiting.is_empty() {
        check_foreign_keys(connection)?;
    }
    let catalog = catalog(connection, &schema.tables, &waiting)?;
    let triggers: Vec<Trigger> = catalog.captured.iter().flat_map(sqlite_triggers).collect();
    if present_triggers(connection)? != sorted(&triggers) {
        drop_triggers(connection)?;
        for trigger in &triggers {
            connection.execute_batch(&trigger.sql)?;
        }
    }
    statistics::set(connection)?;
    Ok(catalog)
}

fn check_foreign_keys(connection: &Connection) -> Result<(), Fault> {
    let mut check = connection.prepare("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1")?;
    let mut rows = check.query([])?;
    match rows.next()? {
        None => Ok(()),
        Some(row) => {
            let (child, parent): (String, String) = (row.get(0)?, row.get(1)?);
            Err(Fault::internal(format!("after the migrations a row of {child} refers to no row of {parent}")))
        }
    }
}

/// What the database has seen; nothing when it is new.
pub(crate) fn applied(connection: &Connection) -> Result<Vec<AppliedMigration>, Fault> {
    if !connection.table_exists(None, "migration")? {
        return Ok(Vec::new());
    }
    let mut list = connection
        .prepare("SELECT domain, number, name, checksum FROM migration ORDER BY applied_at, domain, number")?;
    let rows = list.query_map([], |row| {
        Ok(AppliedMigration { domain: row.get(0)?, number: row.get(1)?, name: row.get(2)?, checksum: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn catalog(connection: &Connection, tables: &[Table], run_now: &[Migration]) -> Result<Catalog, Fault> {
    let mut columns: BTreeMap<&'static str, TableColumns> = BTreeMap::new();
    let mut shapes = BTreeMap::new();
    for table in tables {
        let here = describe(connection, table.name)?;
        seed(connection, table.name)?;
        if let Some(captured) = captured_columns(table, &here).map_err(Fault::from)? {
            let mut saved = saved_shapes(connection, table.name)?;
            if let Some(shape) = next_shape(table.name, &captured, &saved, run_now) {
                save_shape(connection, table.name, &shape)?;
                saved.push(shape);
            }
            shapes.insert(table.name.to_owned(), saved);
        }
        columns.insert(table.name, here);
    }
    seed(connection, crate::history::CHANGE_TABLE)?;
    Catalog::new(tables.to_vec(), &columns, shapes).map_err(Fault::from)
}

fn seed(connection: &Connection, table: &str) -> Result<(), Fault> {
    connection.execute("INSERT INTO id_block (tbl, next) VALUES (?1, 1) ON CONFLICT DO NOTHING", [table])?;
    Ok(())
}

fn saved_shapes(connection: &Connection, table: &str) -> Result<Vec<SavedShape>, Fault> {
    let mut list =
        connection.prepare("SELECT number, columns, rewritten FROM capture_shape WHERE tbl = ?1 ORDER BY number")?;
    let mut rows = list.query([table])?;
    let mut saved = Vec::new();
    while let Some(row) = rows.next()? {
        let columns: String = row.get(1)?;
        saved.push(SavedShape::parse(row.get(0)?, &columns, row.get::<_, i64>(2)? == 1).map_err(Fault::from)?);
    }
    Ok(saved)
}

fn save_shape(connection: &Connection, table: &str, shape: &SavedShape) -> Result<(), Fault> {
    connection.execute(
        "INSERT INTO capture_shape (tbl, number, columns, rewritten) VALUES (?1, ?2, ?3, ?4)",
        (table, shape.number, shape.columns_text().map_err(Fault::from)?, i64::from(shape.rewritten)),
    )?;
    Ok(())
}

fn present_triggers(connection: &Connection) -> Result<Vec<(String, String)>, Fault> {
    let mut list = connection.prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?1) = ?2 ORDER BY name",
    )?;
    let rows = list.query_map((PREFIX.len() as i64, PREFIX), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn sorted(triggers: &[Trigger]) -> Vec<(String, String)> {
    let mut sorted: Vec<_> = triggers.iter().map(|trigger| (trigger.name.clone(), trigger.sql.clone())).collect();
    sorted.sort();
    sorted
}

fn drop_triggers(connection: &Connection) -> Result<(), Fault> {
    for (name, _) in present_triggers(connection)? {
        connection.execute_batch(&format!("DROP TRIGGER {name}"))?;
    }
    Ok(())
}
