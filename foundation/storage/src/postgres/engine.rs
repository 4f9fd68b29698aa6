use std::{
    hash::BuildHasher,
    sync::Arc,
    time::{Duration, Instant},
};

use deadpool_postgres::{Pool, Timeouts};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use crate::{
    AppliedMigration, BoxFuture, Error, Schema, Tx, Write,
    capture::Catalog,
    clock,
    fault::{Fault, FaultKind},
    job::run_waiting,
    postgres::{
        PostgresSession, connect,
        ids::IdBlocks,
        lost_commit::{Fate, fate},
        migrate::{applied, migrate},
        owner_turns::OwnerTurns,
        session::{Openers, State},
    },
    tx::Session,
};

/// Tries of a write that others get ahead of.
const TRIES: u32 = 10;
/// Tries of a read whose connection was lost, or which turned out to need a transaction.
const READ_TRIES: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

pub(crate) struct PostgresEngine {
    pub(crate) pool: Pool,
    pub(crate) catalog: Arc<Catalog>,
    ids: Arc<IdBlocks>,
    openers: Arc<Openers>,
    turns: OwnerTurns,
    /// Held for reading by every write that runs; whether the engine is closed.
    closed: Arc<RwLock<bool>>,
}

/// What became of one try.
enum Try<T> {
    Done(T),
    Again(Error),
}

impl PostgresEngine {
    pub(crate) async fn open(url: &str, schema: &Schema, size: usize) -> Result<Self, Fault> {
        let pool = connect::pool(url, size)?;
        // One connection migrates, the other renews the lease.
        let catalog = Arc::new(migrate(&connect::pool(url, 2)?, schema).await?);
        Ok(Self {
            pool,
            catalog,
            ids: Arc::new(IdBlocks::new(connect::pool(url, 1)?)),
            openers: Arc::default(),
            turns: OwnerTurns::new(),
            closed: Arc::default(),
        })
    }

    pub(crate) async fn read<R, E, J>(&self, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + Sync,
        E: From<Error>,
    {
        if *self.closed.read().await {
            return Err(E::from(closed()));
        }
        let mut last = Error::Unavailable("no connection".to_owned());
        for attempt in 0..READ_TRIES {
            match self.read_once(&job, attempt).await {
                Try::Done(outcome) => return outcome,
                Try::Again(error) => last = error,
            }
        }
        tracing::warn!(error = %last, "a read met others until its tries ran out");
        Err(E::from(last))
    }

    async fn read_once<R, E, J>(&self, job: &J, attempt: u32) -> Try<Result<R, E>>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
        E: From<Error>,
    {
        let mut tx = match self.begin(State::Reading, connect::WAIT).await {
            Ok(tx) => tx,
            Err(fault) => return Try::Done(Err(E::from(fault.error))),
        };
        let outcome = run_waiting(job, &mut tx).await;
        let fault = tx.fault.take();
        drop(tx);
        match (fault, outcome) {
            (Some(Fault { kind: FaultKind::NeedsTransaction, error }), _) => Try::Again(error),
            (Some(Fault { kind: FaultKind::Contended | FaultKind::Disconnected, error }), _) => {
                tokio::time::sleep(pause(attempt)).await;
                Try::Again(error)
            }
            (Some(fault), _) => Try::Done(Err(E::from(fault.error))),
            (None, Ok(outcome)) => Try::Done(outcome),
            (None, Err(error)) => Try::Done(Err(E::from(error))),
        }
    }

    /// Runs on a task of its own, which nobody's leaving ends.
    pub(crate) async fn write<R, E, J>(self: Arc<Self>, how: Write, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let running = match self.running().await {
            Ok(running) => running,
            Err(error) => return Err(E::from(error)),
        };
        let writing = tokio::spawn(async move {
            let outcome = self.write_here(&how, &job).await;
            drop(running);
            outcome
        });
        writing.await.unwrap_or_else(|cause| Err(E::from(Error::Internal(format!("the write ended early: {cause}")))))
    }

    async fn running(&self) -> Result<OwnedRwLockReadGuard<bool>, Error> {
        let running = Arc::clone(&self.closed).read_owned().await;
        if *running { Err(closed()) } else { Ok(running) }
    }

    async fn write_here<R, E, J>(&self, how: &Write, job: &J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
        E: From<Error>,
    {
        let deadline = clock::monotonic() + how.deadline;
        let _turn = self.turns.take(how.owner, deadline).await.map_err(|fault| E::from(fault.error))?;
        let mut attempt = 0;
        loop {
            match self.write_once(how, job, deadline).await {
                Try::Done(outcome) => return outcome,
                Try::Again(error) => {
                    attempt += 1;
                    let pause = pause(attempt);
                    if attempt == TRIES || pause >= clock::left_until(deadline) {
                        tracing::warn!(%error, attempt, "a write met others until its tries ran out");
                        return Err(E::from(error));
                    }
                    tokio::time::sleep(pause).await;
                }
            }
        }
    }

    async fn write_once<R, E, J>(&self, how: &Write, job: &J, deadline: Instant) -> Try<Result<R, E>>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
        E: From<Error>,
    {
        let mut tx = match self.begin_write(how, deadline).await {
            Ok(tx) => tx,
            Err(fault) => return Try::Done(Err(E::from(fault.error))),
        };
        let outcome = run_waiting(job, &mut tx).await;
        if let Some(fault) = tx.fault.take() {
            return match fault.kind {
                FaultKind::Contended | FaultKind::Disconnected => Try::Again(fault.error),
                _ => Try::Done(Err(E::from(fault.error))),
            };
        }
        match outcome {
            Ok(Ok(answer)) => match self.commit(tx, deadline).await {
                Ok(()) => Try::Done(Ok(answer)),
                Err(fault) if fault.kind == FaultKind::Other => Try::Done(Err(E::from(fault.error))),
                Err(fault) => Try::Again(fault.error),
            },
            Ok(refusal) => Try::Done(refusal),
            Err(error) => Try::Done(Err(E::from(error))),
        }
    }

    async fn begin_write(&self, how: &Write, deadline: Instant) -> Result<Tx, Fault> {
        let left = clock::left_until(deadline);
        if left.is_zero() {
            return Err(Fault::unavailable("the write was not begun by its deadline"));
        }
        let change = match how.change {
            true => Some(self.ids.next(crate::history::CHANGE_TABLE).await?),
            false => None,
        };
        let mut begin = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE".to_owned();
        if let Some(change) = change {
            begin.push_str(&format!("; SELECT set_config('almanac.change', '{change}', true)"));
        }
        let mut tx = self.begin(State::Unbegun(begin), left).await?;
        tx.change = change;
        tx.writes = true;
        tx.call_id = how.call_id;
        Ok(tx)
    }

    async fn begin(&self, state: State, wait: Duration) -> Result<Tx, Fault> {
        let timeouts = Timeouts { wait: Some(wait), ..self.pool.timeouts() };
        let client = self.pool.timeout_get(&timeouts).await?;
        let session = PostgresSession::new(client, Arc::clone(&self.ids), Arc::clone(&self.openers), state);
        Ok(Tx::new(Session::Postgres(Box::new(session)), Arc::clone(&self.catalog)))
    }

    /// A fault of another kind than `Other` says that nothing was committed and the job may run again.
    async fn commit(&self, mut tx: Tx, deadline: Instant) -> Result<(), Fault> {
        let Session::Postgres(session) = &mut tx.session else {
            return Err(Fault::internal("a transaction of SQLite was given to PostgreSQL"));
        };
        let Err(error) = session.commit().await else { return Ok(()) };
        let fault = Fault::from(error);
        if fault.kind != FaultKind::Disconnected {
            return Err(fault);
        }
        let recorded = tx.recorded;
        drop(tx);
        let Some((owner, call_id)) = recorded else {
            return Err(Error::OutcomeUnknown(format!("the answer to COMMIT was lost: {}", fault.error)).into());
        };
        match fate(&self.pool, &self.ids, owner, call_id, deadline).await {
            Fate::Committed => Ok(()),
            Fate::RolledBack => Err(fault),
            Fate::Unknown(cause) => {
                Err(Error::OutcomeUnknown(format!("the answer to COMMIT was lost, and then: {cause}")).into())
            }
        }
    }

    pub(crate) async fn migrations_applied(&self) -> Result<Vec<AppliedMigration>, Fault> {
        let client = self.pool.get().await?;
        applied(&**client).await
    }

    pub(crate) async fn ping(&self) -> Result<(), Fault> {
        let client = self.pool.get().await?;
        Ok(client.batch_execute("SELECT 1").await?)
    }

    /// Finishes the writes that were accepted; later ones are refused.
    pub(crate) async fn close(&self) {
        *self.closed.write().await = true;
        self.pool.close();
    }
}

fn closed() -> Error {
    Error::Unavailable("storage is closed".to_owned())
}

/// Full jitter: any time up to a bound that doubles with every try.
fn pause(attempt: u32) -> Duration {
    let bound = FIRST_PAUSE.saturating_mul(1 << attempt.min(10)).min(LONGEST_PAUSE);
    // Every `RandomState` has keys of its own, which is randomness enough for a pause.
    let random = std::hash::RandomState::new().hash_one(attempt);
    bound.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64)
}
