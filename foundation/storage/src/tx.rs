use std::{future::Future, pin::Pin, sync::Arc};

use crate::{
    Error, Row, Sql, Value,
    capture::Catalog,
    fault::{Fault, FaultKind},
    history::IMAGES_PER_CHANGE,
    postgres::PostgresSession,
    sql::Text,
    sqlite::SqliteSession,
};

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An open transaction on either engine. Pass it as `&mut Tx`. A statement error poisons it: every later statement
/// answers the same error, and nothing commits.
pub struct Tx {
    pub(crate) session: Session,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) change: Option<i64>,
    /// A read gives no ids.
    pub(crate) writes: bool,
    /// [`crate::Write::call_id`].
    pub(crate) call_id: Option<i64>,
    /// Owner and call id of the row of `change` that this transaction wrote.
    pub(crate) recorded: Option<(i64, i64)>,
    /// Statements of this transaction were rolled back.
    pub(crate) took_back: bool,
    /// Changes undone here and not yet marked so.
    pub(crate) undone: Vec<i64>,
    pub(crate) fault: Option<Fault>,
}

pub(crate) enum Session {
    Sqlite(Box<SqliteSession>),
    Postgres(Box<PostgresSession>),
}

impl Tx {
    pub(crate) fn new(session: Session, catalog: Arc<Catalog>) -> Self {
        Self {
            session,
            catalog,
            change: None,
            writes: false,
            call_id: None,
            recorded: None,
            took_back: false,
            undone: Vec::new(),
            fault: None,
        }
    }

    /// Runs a statement and answers how many rows it touched.
    pub async fn execute(&mut self, sql: &Sql, params: &[Value]) -> Result<u64, Error> {
        self.check_all(sql.name, params)?;
        let done = match &mut self.session {
            Session::Sqlite(session) => session.execute(Text::Constant(sql.text), params),
            Session::Postgres(session) => session.execute(Text::Constant(sql.text), params).await,
        };
        done.map_err(|fault| self.poison(sql.name, fault))
    }

    pub async fn rows(&mut self, sql: &Sql, params: &[Value]) -> Result<Vec<Row>, Error> {
        self.rows_of(sql.name, Text::Constant(sql.text), params).await
    }

    /// The first row, or `None`.
    pub async fn row(&mut self, sql: &Sql, params: &[Value]) -> Result<Option<Row>, Error> {
        self.check_all(sql.name, params)?;
        let done = match &mut self.session {
            Session::Sqlite(session) => session.row(Text::Constant(sql.text), params),
            Session::Postgres(session) => {
                session.rows(Text::Constant(sql.text), params).await.map(|rows| rows.into_iter().next())
            }
        };
        done.map_err(|fault| self.poison(sql.name, fault))
    }

    /// A new id for `table` (a name of the schema): never given twice, also not after delete, undo or restore.
    pub async fn new_id(&mut self, table: &'static str) -> Result<i64, Error> {
        self.check()?;
        let done = match &mut self.session {
            _ if !self.writes => Err(Fault::internal("a read was asked for a new id")),
            Session::Sqlite(session) => session.counters.next(&session.connection, table),
            Session::Postgres(session) if self.catalog.has(table) => session.ids.next(table).await,
            Session::Postgres(_) => Err(Fault::internal(format!("{table} is no table of the schema"))),
        };
        done.map_err(|fault| self.poison("new_id", fault))
    }

    /// For an import that brings its own ids: later ids of `table` are above `seen`. On PostgreSQL other processes
    /// may still hold ids below it, so import while nobody else writes.
    pub async fn raise_ids(&mut self, table: &'static str, seen: i64) -> Result<(), Error> {
        self.check()?;
        let done = match &mut self.session {
            Session::Sqlite(session) => session.counters.raise(&session.connection, table, seen),
            Session::Postgres(session) => session.ids.raise(table, seen).await,
        };
        done.map_err(|fault| self.poison("raise_ids", fault))
    }

    /// The change that writes of captured tables in this transaction belong to; `None` in a read or an uncaptured write.
    pub fn change(&self) -> Option<i64> {
        self.change
    }

    pub(crate) async fn rows_of(&mut self, name: &str, text: Text<'_>, params: &[Value]) -> Result<Vec<Row>, Error> {
        self.check_all(name, params)?;
        let done = match &mut self.session {
            Session::Sqlite(session) => session.rows(text, params),
            Session::Postgres(session) => session.rows(text, params).await,
        };
        done.map_err(|fault| self.poison(name, fault))
    }

    /// Runs a statement that a constraint may refuse: `None` then, and the transaction goes on as if it had not run.
    pub(crate) async fn attempt(
        &mut self,
        name: &str,
        text: Text<'_>,
        params: &[Value],
    ) -> Result<Option<Vec<Row>>, Error> {
        self.savepoint("SAVEPOINT attempt").await?;
        self.check()?;
        let done = match &mut self.session {
            Session::Sqlite(session) => session.rows(text, params),
            Session::Postgres(session) => session.rows(text, params).await,
        };
        let rows = match done {
            Ok(rows) => Some(rows),
            Err(fault) if fault.kind == FaultKind::Constraint => {
                self.took_back = true;
                self.savepoint("ROLLBACK TO SAVEPOINT attempt").await?;
                None
            }
            Err(fault) => return Err(self.poison(name, fault)),
        };
        self.savepoint("RELEASE SAVEPOINT attempt").await?;
        Ok(rows)
    }

    pub(crate) async fn savepoint(&mut self, command: &'static str) -> Result<(), Error> {
        self.check()?;
        let done = match &mut self.session {
            Session::Sqlite(session) => session.command(command),
            Session::Postgres(session) => session.command(command).await,
        };
        done.map_err(|fault| self.poison(command, fault))
    }

    /// Between which ids the images of a change lie: from `change` times the first on, as many as the second.
    pub(crate) fn image_ids(&self) -> (i64, i64) {
        match self.session {
            Session::Sqlite(_) => (IMAGES_PER_CHANGE, IMAGES_PER_CHANGE - 1),
            Session::Postgres(_) => (0, i64::MAX),
        }
    }

    /// How many images of rows of `owner` this transaction has made, where that is known without asking the database.
    pub(crate) fn images_made(&self, owner: i64) -> Option<i64> {
        match &self.session {
            Session::Sqlite(session) if !self.took_back => session.change.images_of(owner),
            _ => None,
        }
    }

    fn check(&self) -> Result<(), Error> {
        self.fault.as_ref().map_or(Ok(()), |fault| Err(fault.error.clone()))
    }

    /// Refuses what one engine would store and the other would not.
    fn check_all(&mut self, name: &str, params: &[Value]) -> Result<(), Error> {
        self.check()?;
        for value in params {
            let wrong = match value {
                Value::Real(real) if !real.is_finite() => "a parameter is no finite number",
                Value::Text(text) if text.contains('\0') => "a text holds the character U+0000",
                _ => continue,
            };
            return Err(self.poison(name, Fault::internal(wrong)));
        }
        Ok(())
    }

    fn poison(&mut self, name: &str, fault: Fault) -> Error {
        let fault = fault.in_statement(name);
        let error = fault.error.clone();
        self.fault = Some(fault);
        error
    }
}

impl Tx {
    pub(crate) fn sqlite(&mut self) -> Result<&mut SqliteSession, Fault> {
        match &mut self.session {
            Session::Sqlite(session) => Ok(session),
            Session::Postgres(_) => Err(Fault::internal("a transaction of PostgreSQL was given to SQLite")),
        }
    }
}
