use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    BoxFuture, Error, Schema, Tx, Write,
    fault::Fault,
    sqlite::{
        SqliteSession, connection, file,
        migrate::migrate,
        readers::Readers,
        write_job::Writing,
        writer::{Message, Writer},
    },
    tx::Session,
};

pub(crate) struct SqliteEngine {
    pub(crate) path: PathBuf,
    readers: Readers,
    writer: mpsc::Sender<Message>,
}

impl SqliteEngine {
    /// Blocks: opens the file, migrates it, starts the threads.
    pub(crate) fn open(path: &Path, schema: &Schema, readers: usize) -> Result<Self, Fault> {
        file::create_private(path)?;
        let (connection, change) = connection::open_writer(path)?;
        let catalog = Arc::new(migrate(&connection, path, schema)?);
        let tx = |session: SqliteSession| Tx::new(Session::Sqlite(Box::new(session)), Arc::clone(&catalog));
        let mut reading = Vec::new();
        for _ in 0..readers.max(1) {
            reading.push(tx(SqliteSession::reader(connection::open_reader(path)?)));
        }
        let (writer, queue) = mpsc::channel();
        let writing = Writer::new(tx(SqliteSession::new(connection, change)), queue);
        let thread = thread::Builder::new().name("storage-writer".to_owned());
        thread.spawn(move || writing.run()).map_err(|cause| Fault::unavailable(cause.to_string()))?;
        Ok(Self { path: path.to_owned(), readers: Readers::new(reading), writer })
    }

    pub(crate) async fn read<R, E, J>(&self, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
        E: From<Error>,
    {
        self.readers.read(&job).await
    }

    pub(crate) async fn write<R, E, J>(&self, how: Write, job: J) -> Result<R, E>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>> + Send + 'static,
        R: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        if self.writer.send(Message::Job(Box::new(Writing::new(job, how, reply)))).is_err() {
            return Err(E::from(closed()));
        }
        // Without an answer the job was dropped unrun, or rolled back with a writer that panicked.
        answer.await.unwrap_or_else(|_| Err(E::from(closed())))
    }

    /// Runs `task` on the writing connection, between two batches.
    #[cfg(feature = "testing")]
    pub(crate) async fn on_writer<T: Send + 'static>(
        &self,
        task: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        let (reply, answer) = oneshot::channel();
        let task = Message::Task(Box::new(move |session| {
            let _ = reply.send(task(&session.connection));
        }));
        self.writer.send(task).map_err(|_| closed())?;
        let done = answer.await.map_err(|_| closed())?;
        done.map_err(|fault| fault.error)
    }

    /// Runs `task` on a connection of its own, on a thread that may wait.
    pub(crate) async fn apart<T: Send + 'static>(
        &self,
        task: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        let path = self.path.clone();
        let done = tokio::task::spawn_blocking(move || task(&connection::open_reader(&path)?)).await;
        done.map_err(|cause| Error::Internal(cause.to_string()))?.map_err(|fault| fault.error)
    }

    /// Finishes the writes and reads that were accepted; later ones are refused.
    pub(crate) async fn close(&self) {
        let (done, finished) = oneshot::channel();
        if self.writer.send(Message::Stop(done)).is_ok() {
            // An error: the writer had already stopped.
            let _ = finished.await;
        }
        self.readers.close().await;
    }
}

fn closed() -> Error {
    Error::Unavailable("storage is closed".to_owned())
}
