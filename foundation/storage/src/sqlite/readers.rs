use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
};

use tokio::sync::oneshot;

use crate::{BoxFuture, Error, Tx, fault::Fault, job::run_at_once};

type Job = Box<dyn FnOnce(&mut Tx) + Send>;

/// A few threads, each with a `query_only` connection, that share one queue.
pub(crate) struct Readers {
    queue: Arc<Queue>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    idle: usize,
    closed: bool,
}

impl Readers {
    pub(crate) fn start(connections: Vec<Tx>) -> Result<Self, Fault> {
        let queue = Arc::new(Queue::default());
        let mut threads = Vec::with_capacity(connections.len());
        for mut tx in connections {
            let queue = Arc::clone(&queue);
            let thread = std::thread::Builder::new().name("storage-reader".to_owned());
            let thread = thread.spawn(move || {
                while let Some(job) = queue.take() {
                    // Jobs catch their own panics; a fault here must not cost the thread.
                    if catch_unwind(AssertUnwindSafe(|| job(&mut tx))).is_err()
                        && let Ok(session) = tx.sqlite()
                    {
                        session.roll_back();
                    }
                }
            });
            threads.push(thread.map_err(|cause| Fault::unavailable(cause.to_string()))?);
        }
        Ok(Self { queue, threads: Mutex::new(threads) })
    }

    pub(crate) async fn read<R, E, J>(&self, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let accepted = self.queue.put(Box::new(move |tx| {
            let outcome = read_once(&job, tx);
            // A caller that left has nobody to tell.
            let _ = reply.send(outcome);
        }));
        if !accepted {
            return Err(E::from(Error::Unavailable("storage is closed".to_owned())));
        }
        answer.await.unwrap_or_else(|_| Err(E::from(Error::Internal("the read was lost".to_owned()))))
    }

    /// Finishes what was accepted and closes the connections.
    pub(crate) fn close(&self) {
        self.queue.close();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a reading thread panicked");
            }
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, job: Job) -> bool {
        let mut waiting = self.lock();
        if waiting.closed {
            return false;
        }
        waiting.jobs.push_back(job);
        let wake = waiting.idle > 0;
        drop(waiting);
        if wake {
            self.arrived.notify_one();
        }
        true
    }

    fn take(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if let Some(job) = waiting.jobs.pop_front() {
                return Some(job);
            }
            if waiting.closed {
                return None;
            }
            waiting.idle += 1;
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.idle -= 1;
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_all();
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
