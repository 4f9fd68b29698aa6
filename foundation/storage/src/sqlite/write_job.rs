use std::time::Instant;

use tokio::sync::oneshot;

use crate::{
    BoxFuture, Error, Tx, Write, clock,
    fault::{Fault, FaultKind},
    job::run_at_once,
};

/// A write as the writer sees it: it can run it as often as needed and answers it once.
pub(crate) trait WriteJob: Send {
    /// Runs inside the open transaction of `tx`, keeps the outcome and says what becomes of the rows.
    fn run(&mut self, tx: &mut Tx) -> Ran;
    /// Its outcome is this error, whatever it was before.
    fn refuse(&mut self, error: Error);
    fn is_late(&self) -> bool;
    fn answer(self: Box<Self>);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ran {
    Keep,
    Discard,
    /// Contention: worth another try in a transaction of its own.
    TryAgain,
}

pub(crate) struct Writing<R, E, J> {
    job: J,
    how: Write,
    deadline: Instant,
    outcome: Option<Result<R, E>>,
    reply: oneshot::Sender<Result<R, E>>,
}

impl<R, E, J> Writing<R, E, J> {
    pub(crate) fn new(job: J, how: Write, reply: oneshot::Sender<Result<R, E>>) -> Self {
        let deadline = clock::monotonic() + how.deadline;
        Self { job, how, deadline, outcome: None, reply }
    }
}

impl<R, E, J> WriteJob for Writing<R, E, J>
where
    J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send,
    R: Send,
    E: From<Error> + Send,
{
    fn run(&mut self, tx: &mut Tx) -> Ran {
        let outcome = match begin(tx, &self.how) {
            Ok(()) => run_at_once(&self.job, tx),
            Err(fault) => Err(fault.error),
        };
        let fault = end(tx);
        let ran = match (&fault, &outcome) {
            (Some(Fault { kind: FaultKind::Contended, .. }), _) => Ran::TryAgain,
            (None, Ok(Ok(_))) => Ran::Keep,
            _ => Ran::Discard,
        };
        self.outcome = Some(match (fault, outcome) {
            (Some(fault), _) => Err(E::from(fault.error)),
            (None, Ok(outcome)) => outcome,
            (None, Err(error)) => Err(E::from(error)),
        });
        ran
    }

    fn refuse(&mut self, error: Error) {
        self.outcome = Some(Err(E::from(error)));
    }

    fn is_late(&self) -> bool {
        clock::left_until(self.deadline).is_zero()
    }

    fn answer(self: Box<Self>) {
        let missing = || Err(E::from(Error::Internal("the write was never run".to_owned())));
        // A caller that left has nobody to tell; its write stands.
        let _ = self.reply.send(self.outcome.unwrap_or_else(missing));
    }
}

fn begin(tx: &mut Tx, how: &Write) -> Result<(), Fault> {
    let session = tx.sqlite()?;
    let change = match how.change {
        true => Some(session.counters.next(&session.connection, CHANGE)?),
        false => None,
    };
    session.change.set(change);
    tx.change = change;
    tx.writes = true;
    tx.call_id = how.call_id;
    Ok(())
}

/// Leaves nothing of the job in `tx`; a captured write outside a job fails again.
fn end(tx: &mut Tx) -> Option<Fault> {
    if let Ok(session) = tx.sqlite() {
        session.change.set(None);
    }
    tx.change = None;
    tx.call_id = None;
    tx.recorded = None;
    tx.took_back = false;
    tx.undone.clear();
    tx.fault.take()
}

/// The counter of changes in `id_block`.
const CHANGE: &str = crate::history::CHANGE_TABLE;
