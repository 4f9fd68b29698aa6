use std::future::Future;

use storage::Tx;

use crate::{Call, Failure, Operation, Outside};

/// An operation that needs nothing but its transaction.
pub trait Local: Operation {
    /// Pure in its transaction, input and `call`: it may run several times. Awaits nothing but `tx`.
    fn run(&self, tx: &mut Tx, call: &Call) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// A [`Local`] operation that creates a row once, however often the same call arrives (`specs/journal.md` §5.5).
pub trait Repeatable: Local {
    /// First part of the derived key: `meal`.
    const KIND: &'static str;

    /// Id of the row that `run` made.
    fn row(output: &Self::Output) -> i64;

    /// The answer of a repeated call: the current row and totals, with `replayed: true`; `None` when the row is gone.
    fn replay(
        &self,
        tx: &mut Tx,
        call: &Call,
        row: i64,
    ) -> impl Future<Output = Result<Option<Self::Output>, Failure>> + Send;
}

/// An operation that calls another service while the caller waits: no transaction is open during `reach`.
pub trait Reaching: Operation {
    type Plan: Send + Sync + 'static;
    type Answer: Send + Sync + 'static;

    fn prepare(&self, tx: &mut Tx, call: &Call) -> impl Future<Output = Result<Self::Plan, Failure>> + Send;

    fn reach(&self, plan: &Self::Plan, outside: &Outside)
    -> impl Future<Output = Result<Self::Answer, Failure>> + Send;

    fn settle(
        &self,
        tx: &mut Tx,
        call: &Call,
        answer: &Self::Answer,
    ) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}
