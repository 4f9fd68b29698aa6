use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{Receiver, TryRecvError},
};

use tokio::sync::oneshot;

use crate::{
    Error, Tx,
    fault::Fault,
    sqlite::{
        counters::Counters,
        write_job::{Ran, WriteJob},
    },
};

/// Jobs that share one commit.
const BATCH: usize = 64;
/// Tries of a job that meets contention although its transaction began IMMEDIATE.
const TRIES: usize = 3;

pub(crate) enum Message {
    Job(Box<dyn WriteJob>),
    /// Something to do on the writing connection, outside every transaction.
    #[cfg(feature = "testing")]
    Task(Box<dyn FnOnce(&mut super::SqliteSession) + Send>),
    /// Everything before it is finished; the writer ends and answers.
    Stop(oneshot::Sender<()>),
}

/// The one thread that writes. It takes all jobs that wait, runs each in a savepoint of one transaction, and answers
/// them only after the commit.
pub(crate) struct Writer {
    tx: Tx,
    queue: Receiver<Message>,
    /// Taken while a batch was gathered; comes after it.
    next: Option<Message>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Batch {
    Committed,
    /// SQLite ended the transaction, or the commit failed: nothing of it stands.
    Lost,
}

impl Writer {
    pub(crate) fn new(tx: Tx, queue: Receiver<Message>) -> Self {
        Self { tx, queue, next: None }
    }

    pub(crate) fn run(mut self) {
        while let Some(message) = self.next.take().or_else(|| self.queue.recv().ok()) {
            match message {
                Message::Job(job) => {
                    // Jobs catch their own panics; this is for a fault of the writer itself. The callers of the batch
                    // are told that their answer was lost, later ones are served.
                    if catch_unwind(AssertUnwindSafe(|| self.batch(job))).is_err() {
                        tracing::error!("the writer panicked; its batch is rolled back");
                        self.roll_back();
                    }
                }
                #[cfg(feature = "testing")]
                Message::Task(task) => {
                    if let Ok(session) = self.tx.sqlite() {
                        task(session);
                    }
                }
                Message::Stop(done) => {
                    while let Ok(message) = self.queue.try_recv() {
                        if let Message::Job(mut job) = message {
                            job.refuse(Error::Unavailable("storage is closed".to_owned()));
                            job.answer();
                        }
                    }
                    drop(self);
                    let _ = done.send(());
                    return;
                }
            }
        }
    }

    fn batch(&mut self, first: Box<dyn WriteJob>) {
        let mut jobs = Vec::with_capacity(BATCH);
        jobs.push(first);
        match self.together(&mut jobs) {
            Ok(Batch::Committed) => jobs.into_iter().for_each(|job| job.answer()),
            Ok(Batch::Lost) => jobs.into_iter().for_each(|job| self.alone(job)),
            Err(fault) => {
                for mut job in jobs {
                    job.refuse(unavailable(&fault));
                    job.answer();
                }
            }
        }
    }

    /// Runs `jobs` and all that arrive meanwhile, up to a full batch. An error: the transaction could not begin.
    fn together(&mut self, jobs: &mut Vec<Box<dyn WriteJob>>) -> Result<Batch, Fault> {
        self.begin()?;
        let mut place = 0;
        let mut kept = false;
        loop {
            if jobs[place].is_late() {
                jobs[place].refuse(late());
            } else {
                match self.in_savepoint(jobs[place].as_mut()) {
                    Ok(Ran::Keep) => kept = true,
                    Ok(Ran::Discard) => {}
                    Ok(Ran::TryAgain) | Err(_) => {
                        self.roll_back();
                        return Ok(Batch::Lost);
                    }
                }
            }
            place += 1;
            if place == jobs.len() && !(place < BATCH && self.take_waiting(jobs)) {
                break;
            }
        }
        Ok(self.commit(kept).unwrap_or(Batch::Lost))
    }

    /// Moves one waiting job into the batch.
    fn take_waiting(&mut self, jobs: &mut Vec<Box<dyn WriteJob>>) -> bool {
        match self.queue.try_recv() {
            Ok(Message::Job(job)) => {
                jobs.push(job);
                true
            }
            Ok(other) => {
                self.next = Some(other);
                false
            }
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => false,
        }
    }

    /// An error: the transaction is not what it was, and the batch is lost.
    fn in_savepoint(&mut self, job: &mut dyn WriteJob) -> Result<Ran, Fault> {
        self.tx.sqlite()?.command("SAVEPOINT job")?;
        let ran = self.run_job(job)?;
        let session = self.tx.sqlite()?;
        if ran != Ran::Keep {
            session.command("ROLLBACK TO job")?;
        }
        session.command("RELEASE job")?;
        Ok(ran)
    }

    /// Runs one job. Ids it took and then did not use go back.
    fn run_job(&mut self, job: &mut dyn WriteJob) -> Result<Ran, Fault> {
        let (counters, changes) = self.counters()?;
        let ran = job.run(&mut self.tx);
        let session = self.tx.sqlite()?;
        if session.connection.is_autocommit() {
            return Err(Fault::unavailable("SQLite ended the transaction"));
        }
        if ran != Ran::Keep || session.connection.total_changes() == changes {
            session.counters = counters;
        }
        Ok(ran)
    }

    fn counters(&mut self) -> Result<(Counters, u64), Fault> {
        let session = self.tx.sqlite()?;
        Ok((session.counters.clone(), session.connection.total_changes()))
    }

    /// Runs a job in a transaction of its own, answered by its own outcome.
    fn alone(&mut self, mut job: Box<dyn WriteJob>) {
        for attempt in 1..=TRIES {
            match self.alone_once(job.as_mut()) {
                Ok(Ran::TryAgain) if attempt < TRIES => {}
                Ok(_) => break,
                Err(fault) => {
                    job.refuse(unavailable(&fault));
                    break;
                }
            }
        }
        job.answer();
    }

    fn alone_once(&mut self, job: &mut dyn WriteJob) -> Result<Ran, Fault> {
        self.begin()?;
        let ran = match self.run_job(job) {
            Ok(ran) => ran,
            // The job kept the error that ended the transaction.
            Err(_) => {
                self.roll_back();
                return Ok(Ran::Discard);
            }
        };
        if ran == Ran::Keep {
            self.commit(true)?;
        } else {
            self.roll_back();
        }
        Ok(ran)
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let session = self.tx.sqlite()?;
        session.counters.forget();
        session.command("BEGIN IMMEDIATE")
    }

    fn commit(&mut self, kept: bool) -> Result<Batch, Fault> {
        if !kept {
            self.roll_back();
            return Ok(Batch::Committed);
        }
        let session = self.tx.sqlite()?;
        let connection = &session.connection;
        let done = session.counters.write(connection).and_then(|()| session.command("COMMIT"));
        if let Err(fault) = done {
            self.roll_back();
            return Err(fault);
        }
        session.counters.forget();
        Ok(Batch::Committed)
    }

    fn roll_back(&mut self) {
        if let Ok(session) = self.tx.sqlite() {
            session.roll_back();
        }
    }
}

fn late() -> Error {
    Error::Unavailable("the write was not begun by its deadline".to_owned())
}

/// Nothing was written, so contention and faults of the transaction itself are for the caller one thing.
fn unavailable(fault: &Fault) -> Error {
    match &fault.error {
        Error::Conflict(cause) | Error::Unavailable(cause) => Error::Unavailable(cause.clone()),
        error => error.clone(),
    }
}
