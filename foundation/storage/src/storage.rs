use std::{path::PathBuf, time::Duration};

use crate::{BoxFuture, Error, Migration, Table, Tx};

/// Everything storage must know about the domains: their tables and migrations, in order.
#[derive(Debug, Clone)]
pub struct Schema {
    pub tables: Vec<Table>,
    pub migrations: Vec<Migration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(String),
}

#[derive(Debug, Clone)]
pub struct StorageOptions {
    pub readers: usize,
    pub pool: usize,
}

/// How a write runs.
#[derive(Debug, Clone, Copy)]
pub struct Write {
    /// Whose rows it writes (0: nobody's): writes of one owner queue behind each other inside this process.
    pub owner: i64,
    /// Allocate a change id, so that captured tables may be written.
    pub change: bool,
    /// Not begun by then: `Unavailable`.
    pub deadline: Duration,
}

/// An open database.
#[derive(Clone)]
pub struct Storage {
    _private: (),
}

impl Storage {
    pub async fn open(url: &DatabaseUrl, schema: Schema, options: StorageOptions) -> Result<Self, Error> {
        todo!()
    }

    /// Runs `job` in a read-only transaction that sees one state of the database.
    pub async fn read<R, E, J>(&self, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        todo!()
    }

    /// Runs `job` in a serializable transaction and answers only after its commit is durable. `job` may run several
    /// times, so it is a pure function of its transaction. It goes on when the caller leaves.
    pub async fn write<R, E, J>(&self, how: Write, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        todo!()
    }
}
