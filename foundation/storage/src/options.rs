use std::time::Duration;

use crate::{Migration, Table};

/// Everything storage must know about the domains: their tables and migrations, in order.
#[derive(Debug, Clone)]
pub struct Schema {
    pub tables: Vec<Table>,
    pub migrations: Vec<Migration>,
}

#[derive(Debug, Clone)]
pub struct StorageOptions {
    /// Connections that read (SQLite).
    pub readers: usize,
    /// Connections to the server (PostgreSQL).
    pub pool: usize,
}

impl Default for StorageOptions {
    fn default() -> Self {
        Self { readers: 4, pool: 16 }
    }
}

/// How a write runs.
#[derive(Debug, Clone, Copy)]
pub struct Write {
    /// Whose rows it writes (0: nobody's): writes of one owner queue behind each other inside this process.
    pub owner: i64,
    /// Allocate a change id, so that captured tables may be written.
    pub change: bool,
    /// Unique among the owner's calls and kept with the change: on PostgreSQL it decides what became of a COMMIT whose
    /// answer was lost.
    pub call_id: Option<i64>,
    /// Not begun by then: `Unavailable`.
    pub deadline: Duration,
}
