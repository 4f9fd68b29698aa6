use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, config::DbConfig, functions::FunctionFlags};

use crate::fault::Fault;

const STATEMENTS: usize = 512;
const BUSY: Duration = Duration::from_secs(10);
/// Pages in the log before a commit copies them into the database file (16 MiB): fewer of the longest commits.
const CHECKPOINT_PAGES: i64 = 4096;
const LOG_LIMIT_BYTES: i64 = 64 * 1024 * 1024;

/// The change that captured writes on a connection belong to, as `almanac_change()` answers it; 0: none.
#[derive(Debug, Clone, Default)]
pub(crate) struct CurrentChange(Arc<AtomicI64>);

impl CurrentChange {
    pub(crate) fn set(&self, change: Option<i64>) {
        self.0.store(change.unwrap_or(0), Ordering::Relaxed);
    }
}

pub(crate) fn open(path: &Path) -> Result<(Connection, CurrentChange), Fault> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(Fault::unavailable(format!("the file system of {} does not allow WAL", path.display())));
    }
    for (pragma, value) in [
        ("synchronous", "FULL"),
        ("foreign_keys", "ON"),
        // So that REPLACE cannot delete a row past the capture triggers.
        ("recursive_triggers", "ON"),
        ("trusted_schema", "OFF"),
        ("temp_store", "MEMORY"),
    ] {
        connection.pragma_update(None, pragma, value)?;
    }
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", LOG_LIMIT_BYTES)?;
    let change = CurrentChange::default();
    register_change(&connection, change.clone())?;
    Ok((connection, change))
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, Fault> {
    let (connection, _) = open(path)?;
    connection.pragma_update(None, "query_only", "ON")?;
    Ok(connection)
}

fn register_change(connection: &Connection, change: CurrentChange) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("almanac_change", 0, flags, move |_| match change.0.load(Ordering::Relaxed) {
        0 => Err(rusqlite::Error::UserFunctionError("a captured table was written without a change".into())),
        change => Ok(change),
    })
}
