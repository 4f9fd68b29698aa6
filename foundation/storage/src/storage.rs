use std::{path::Path, sync::Arc};

use crate::{
    AppliedMigration, BoxFuture, DatabaseUrl, Error, Schema, StorageOptions, Tx, Write, postgres::PostgresEngine,
    sqlite, sqlite::SqliteEngine,
};

/// An open database.
#[derive(Clone)]
pub struct Storage {
    pub(crate) engine: Engine,
}

#[derive(Clone)]
pub(crate) enum Engine {
    Sqlite(Arc<SqliteEngine>),
    Postgres(Arc<PostgresEngine>),
}

impl Storage {
    /// Opens the database, made when it is not there, and migrates it forward. Refused: a database that a newer
    /// version migrated, and a captured table that breaks the rules of [`crate::Capture::Rows`].
    pub async fn open(url: &DatabaseUrl, schema: Schema, options: StorageOptions) -> Result<Self, Error> {
        let engine = match url {
            DatabaseUrl::Sqlite(path) => {
                let path = path.clone();
                let opening = move || SqliteEngine::open(&path, &schema, options.readers);
                let opened = tokio::task::spawn_blocking(opening).await;
                let opened = opened.map_err(|cause| Error::Internal(cause.to_string()))?;
                Engine::Sqlite(Arc::new(opened.map_err(|fault| fault.error)?))
            }
            DatabaseUrl::Postgres(url) => {
                let opened = PostgresEngine::open(url, &schema, options.pool).await;
                Engine::Postgres(Arc::new(opened.map_err(|fault| fault.error)?))
            }
        };
        Ok(Self { engine })
    }

    /// Runs `job` in a read-only transaction that sees one state of the database. `job` may run several times.
    pub async fn read<R, E, J>(&self, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(engine) => engine.read(job).await,
            Engine::Postgres(engine) => engine.read(job).await,
        }
    }

    /// Runs `job` in a serializable transaction and answers only after its commit is durable. `job` may run several
    /// times, so it is a pure function of its transaction. It goes on when the caller leaves. A job that answers an
    /// error leaves nothing; where a statement failed, that statement's error is the answer, whatever the job said.
    pub async fn write<R, E, J>(&self, how: Write, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(engine) => engine.write(how, job).await,
            Engine::Postgres(engine) => Arc::clone(engine).write(how, job).await,
        }
    }

    /// Finishes the writes that were accepted; later calls are `Unavailable`.
    pub async fn close(&self) -> Result<(), Error> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.close().await,
            Engine::Postgres(engine) => engine.close().await,
        }
        Ok(())
    }

    /// `SQLite` or `PostgreSQL`.
    pub fn engine_name(&self) -> &'static str {
        match &self.engine {
            Engine::Sqlite(_) => "SQLite",
            Engine::Postgres(_) => "PostgreSQL",
        }
    }

    /// The migrations the database has seen, storage's own first.
    pub async fn migrations_applied(&self) -> Result<Vec<AppliedMigration>, Error> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.apart(sqlite::applied).await,
            Engine::Postgres(engine) => engine.migrations_applied().await.map_err(|fault| fault.error),
        }
    }

    /// What is wrong with the database, in sentences; empty when nothing is. Reads all of it on SQLite.
    pub async fn quick_check(&self) -> Result<Vec<String>, Error> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.apart(sqlite::problems).await,
            Engine::Postgres(engine) => {
                engine.ping().await.map_err(|fault| fault.error)?;
                Ok(Vec::new())
            }
        }
    }

    /// Copies the database as it stands to `path`, while it is in use. SQLite only.
    pub async fn backup(&self, path: &Path) -> Result<(), Error> {
        match &self.engine {
            Engine::Sqlite(engine) => {
                let path = path.to_owned();
                engine.apart(move |connection| sqlite::backup(connection, &path)).await
            }
            Engine::Postgres(_) => {
                Err(Error::Unavailable("a PostgreSQL database is backed up with pg_dump".to_owned()))
            }
        }
    }

    /// Puts the backup `from` in place of the SQLite database `to`, which nobody may have open. Ids given since the
    /// backup was made are not given again: every counter leaps by a million. Blocks.
    pub fn restore(from: &Path, to: &Path) -> Result<(), Error> {
        sqlite::restore(from, to).map_err(|fault| fault.error)
    }
}
