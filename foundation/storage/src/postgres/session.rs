use std::{
    collections::HashSet,
    future::Future,
    pin::pin,
    sync::{Arc, PoisonError, RwLock},
    task::{Context, Waker},
};

use deadpool_postgres::Object;
use tokio_postgres::{Statement, types::ToSql};

use crate::{
    Error, Row, Value,
    fault::{Fault, FaultKind},
    postgres::{fault::is_stale_plan, ids::IdBlocks, value::read_row},
    sql::Text,
};

/// A connection as a transaction uses it.
pub(crate) struct PostgresSession {
    client: Object,
    pub(crate) ids: Arc<IdBlocks>,
    state: State,
    openers: Arc<Openers>,
}

#[derive(Debug)]
pub(crate) enum State {
    /// BEGIN, with this text, goes out in one packet with the first statement.
    Unbegun(String),
    /// A read: its first statement runs without a transaction unless another one is known to follow it.
    Reading,
    /// That first statement, which has run.
    Alone(&'static str),
    Open,
}

/// First statements of reads that turned out to have a second one: those reads begin a transaction.
#[derive(Debug, Default)]
pub(crate) struct Openers(RwLock<HashSet<(usize, usize)>>);

impl Openers {
    fn contain(&self, text: &'static str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(&(text.as_ptr() as usize, text.len()))
    }

    fn add(&self, text: &'static str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert((text.as_ptr() as usize, text.len()));
    }
}

const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl PostgresSession {
    pub(crate) fn new(client: Object, ids: Arc<IdBlocks>, openers: Arc<Openers>, state: State) -> Self {
        Self { client, ids, state, openers }
    }

    pub(crate) async fn execute(&mut self, text: Text<'_>, params: &[Value]) -> Result<u64, Fault> {
        let statement = self.prepare(text, params).await?;
        let lead = self.lead(text)?;
        let params = references(params);
        let done = after(&self.client, lead, self.client.execute(&statement, &params)).await;
        done.map_err(|error| self.failed(error))
    }

    pub(crate) async fn rows(&mut self, text: Text<'_>, params: &[Value]) -> Result<Vec<Row>, Fault> {
        let statement = self.prepare(text, params).await?;
        let lead = self.lead(text)?;
        let params = references(params);
        let done = after(&self.client, lead, self.client.query(&statement, &params)).await;
        let rows = done.map_err(|error| self.failed(error))?;
        rows.iter().map(read_row).collect()
    }

    /// A command without parameters or answer, such as a savepoint.
    pub(crate) async fn command(&mut self, text: &'static str) -> Result<(), Fault> {
        let lead = self.lead(Text::Made(text))?;
        let done = after(&self.client, lead, self.client.batch_execute(text)).await;
        done.map_err(|error| self.failed(error))
    }

    async fn prepare(&self, text: Text<'_>, params: &[Value]) -> Result<Statement, Fault> {
        let statement = self.client.prepare_cached(text.as_str()).await?;
        let wanted = statement.params().len();
        if wanted != params.len() {
            return Err(Fault::internal(format!("{wanted} parameters wanted, {} given", params.len())));
        }
        Ok(statement)
    }

    /// What has to be sent before the next statement.
    fn lead(&mut self, text: Text<'_>) -> Result<Option<String>, Fault> {
        match (&self.state, text) {
            (State::Open, _) => Ok(None),
            (State::Unbegun(begin), _) => {
                let begin = begin.clone();
                self.state = State::Open;
                Ok(Some(begin))
            }
            (State::Reading, Text::Constant(text)) if is_select(text) && !self.openers.contain(text) => {
                self.state = State::Alone(text);
                Ok(None)
            }
            (State::Reading, _) => {
                self.state = State::Open;
                Ok(Some(BEGIN_READING.to_owned()))
            }
            (State::Alone(first), _) => {
                self.openers.add(first);
                let error = Error::Conflict("the read has more than one statement".to_owned());
                Err(Fault { error, kind: FaultKind::NeedsTransaction })
            }
        }
    }

    fn failed(&self, error: tokio_postgres::Error) -> Fault {
        if is_stale_plan(&error) {
            self.client.statement_cache.clear();
        }
        Fault::from(error)
    }

    /// Nothing was sent that a commit could make durable.
    pub(crate) fn is_empty(&self) -> bool {
        !matches!(self.state, State::Open)
    }

    /// An error with an answer of the server means it did not commit; one without leaves that open.
    pub(crate) async fn commit(&mut self) -> Result<(), tokio_postgres::Error> {
        if self.is_empty() {
            return Ok(());
        }
        self.client.batch_execute("COMMIT").await?;
        self.state = State::Unbegun(String::new());
        Ok(())
    }
}

/// Leaves no transaction open on a connection that goes back to the pool: ROLLBACK is sent, its answer not awaited;
/// whatever comes next on the connection comes after it.
impl Drop for PostgresSession {
    fn drop(&mut self) {
        if matches!(self.state, State::Open) {
            let rollback = pin!(self.client.batch_execute("ROLLBACK"));
            let _ = rollback.poll(&mut Context::from_waker(Waker::noop()));
        }
    }
}

/// Sends `lead` and then the statement without waiting in between.
async fn after<T>(
    client: &Object,
    lead: Option<String>,
    statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, tokio_postgres::Error> {
    let Some(lead) = lead else { return statement.await };
    let (led, done) = tokio::join!(biased; client.batch_execute(&lead), statement);
    led?;
    done
}

fn references(params: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// WITH may hide a statement that writes, so it runs in a read-only transaction.
fn is_select(text: &str) -> bool {
    text.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"))
}
