use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, config::DbConfig, functions::FunctionFlags};

use crate::{fault::Fault, history::IMAGES_PER_CHANGE};

const STATEMENTS: usize = 512;
const BUSY: Duration = Duration::from_secs(10);
/// Pages in the log before a commit copies them into the database file (16 MiB): fewer of the longest commits.
const CHECKPOINT_PAGES: i64 = 4096;
/// Pages the writer keeps; a full batch by many people must fit, or it is written to the log twice.
const CACHE_KIB: i64 = 8 * 1024;
const LOG_LIMIT_BYTES: i64 = 64 * 1024 * 1024;

/// The change that captured writes on a connection belong to.
#[derive(Debug, Clone, Default)]
pub(crate) struct CurrentChange(Arc<Current>);

#[derive(Debug, Default)]
struct Current {
    /// 0: none.
    change: AtomicI64,
    images: AtomicI64,
    /// Whose row the first image is of.
    owner: AtomicI64,
    /// Images of other people's rows are among them.
    mixed: AtomicBool,
}

impl CurrentChange {
    pub(crate) fn set(&self, change: Option<i64>) {
        self.0.change.store(change.unwrap_or(0), Ordering::Relaxed);
        self.0.images.store(0, Ordering::Relaxed);
        self.0.mixed.store(false, Ordering::Relaxed);
    }

    /// Images of rows of `owner` made since it was set, also those that were rolled back; `None` when rows of several
    /// owners were touched.
    pub(crate) fn images_of(&self, owner: i64) -> Option<i64> {
        let images = self.0.images.load(Ordering::Relaxed);
        let all_theirs = !self.0.mixed.load(Ordering::Relaxed) && self.0.owner.load(Ordering::Relaxed) == owner;
        (images == 0 || all_theirs).then_some(images)
    }

    fn id(&self) -> rusqlite::Result<i64> {
        match self.0.change.load(Ordering::Relaxed) {
            0 => Err(failed("a captured table was written without a change")),
            change => Ok(change),
        }
    }

    fn next_image(&self, owner: i64) -> rusqlite::Result<i64> {
        let change = self.id()?;
        let place = self.0.images.fetch_add(1, Ordering::Relaxed);
        if place == 0 {
            self.0.owner.store(owner, Ordering::Relaxed);
        } else if self.0.owner.load(Ordering::Relaxed) != owner {
            self.0.mixed.store(true, Ordering::Relaxed);
        }
        match IMAGES_PER_CHANGE.checked_mul(change) {
            Some(first) if place < IMAGES_PER_CHANGE => Ok(first + place),
            _ => Err(failed("one change touches more than a million rows")),
        }
    }
}

fn failed(why: &str) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(why.into())
}

fn open(path: &Path) -> Result<(Connection, CurrentChange), Fault> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // One plan per statement, whatever is bound: it is never prepared again for a value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
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

pub(crate) fn open_writer(path: &Path) -> Result<(Connection, CurrentChange), Fault> {
    let (connection, change) = open(path)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    Ok((connection, change))
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, Fault> {
    let (connection, _) = open(path)?;
    connection.pragma_update(None, "query_only", "ON")?;
    Ok(connection)
}

fn register_change(connection: &Connection, change: CurrentChange) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    let images = change.clone();
    connection.create_scalar_function("almanac_change", 0, flags, move |_| change.id())?;
    connection.create_scalar_function("almanac_image", 1, flags, move |call| images.next_image(call.get(0)?))
}
