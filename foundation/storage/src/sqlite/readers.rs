use std::sync::{Mutex, PoisonError};

use tokio::sync::Semaphore;

use crate::{BoxFuture, Error, Tx, job::run_at_once};

/// A few `query_only` connections. A read runs on its caller's thread, between two polls: handing it to another
/// thread and back costs more than most reads do, and many times that on a busy machine.
pub(crate) struct Readers {
    free: Mutex<Vec<Tx>>,
    /// As many permits as connections in `free`.
    permits: Semaphore,
    count: u32,
}

impl Readers {
    pub(crate) fn new(connections: Vec<Tx>) -> Self {
        let count = connections.len();
        Self { free: Mutex::new(connections), permits: Semaphore::new(count), count: count as u32 }
    }

    pub(crate) async fn read<R, E, J>(&self, job: &J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
        E: From<Error>,
    {
        let closed = || E::from(Error::Unavailable("storage is closed".to_owned()));
        let _permit = self.permits.acquire().await.map_err(|_| closed())?;
        let mut lent = self.lend().ok_or_else(closed)?;
        lent.tx().map_or_else(|| Err(closed()), |tx| read_once(job, tx))
    }

    /// Waits for the reads that run, then closes the connections.
    pub(crate) async fn close(&self) {
        if self.permits.acquire_many(self.count).await.is_ok() {
            self.permits.close();
        }
        self.free.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn lend(&self) -> Option<Lent<'_>> {
        let tx = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        tx.map(|tx| Lent { readers: self, tx: Some(tx) })
    }
}

/// A connection on loan; it goes back whatever happens.
struct Lent<'a> {
    readers: &'a Readers,
    tx: Option<Tx>,
}

impl Lent<'_> {
    fn tx(&mut self) -> Option<&mut Tx> {
        self.tx.as_mut()
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut free = self.readers.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(self.tx.take());
    }
}

/// One job in a deferred transaction: it sees one state of the database.
fn read_once<R, E, J>(job: &J, tx: &mut Tx) -> Result<R, E>
where
    J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
    E: From<Error>,
{
    let begun = tx.sqlite().and_then(|session| session.command("BEGIN DEFERRED"));
    if let Err(fault) = begun {
        return Err(E::from(fault.error));
    }
    let outcome = run_at_once(job, tx);
    let fault = tx.fault.take();
    if let Ok(session) = tx.sqlite() {
        session.roll_back();
    }
    match (fault, outcome) {
        (Some(fault), _) => Err(E::from(fault.error)),
        (None, Ok(outcome)) => outcome,
        (None, Err(error)) => Err(E::from(error)),
    }
}
