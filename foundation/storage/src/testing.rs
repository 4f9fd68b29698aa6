//! Databases for tests: a fresh one each, on either engine, and faults on demand.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{DatabaseUrl, Error, Schema, Storage, StorageOptions, storage::Engine};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestEngine {
    Sqlite,
    /// On the server that `ALMANAC_TEST_POSTGRES` names, a URL whose user may create databases.
    Postgres,
}

/// A fresh database; it goes when this is dropped.
pub struct TestDatabase {
    pub url: DatabaseUrl,
    home: Home,
}

enum Home {
    Folder { _kept: tempfile::TempDir },
    Server { server: String, name: String },
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

impl TestDatabase {
    /// Panics with a sentence when there is no server to make it on: a test of PostgreSQL is never skipped.
    pub async fn create(engine: TestEngine) -> Self {
        match engine {
            TestEngine::Sqlite => {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let url = DatabaseUrl::Sqlite(folder.path().join("almanac.db"));
                Self { url, home: Home::Folder { _kept: folder } }
            }
            TestEngine::Postgres => {
                let server = server();
                let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                let name = format!("almanac_test_{}_{number}", std::process::id());
                let text = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                command(&server, &text).await.expect("the test server drops a database");
                command(&server, &format!("CREATE DATABASE {name}")).await.expect("the test server makes a database");
                Self { url: DatabaseUrl::Postgres(with_database(&server, &name)), home: Home::Server { server, name } }
            }
        }
    }

    pub async fn open(&self, schema: Schema) -> Result<Storage, Error> {
        let options = StorageOptions { readers: 2, pool: 40 };
        Storage::open(&self.url, schema, options).await
    }

    /// The file of a SQLite database.
    pub fn path(&self) -> Option<PathBuf> {
        match &self.url {
            DatabaseUrl::Sqlite(path) => Some(path.clone()),
            DatabaseUrl::Postgres(_) => None,
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Home::Server { server, name } = &self.home else { return };
        let (server, text) = (server.clone(), format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        // Dropping happens inside a runtime, which cannot be waited on from within.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(command(&server, &text)).map_err(std::io::Error::other)
        });
        if let Ok(Err(cause)) = dropping.join() {
            eprintln!("database {name} stays behind: {cause}");
        }
    }
}

fn server() -> String {
    std::env::var("ALMANAC_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!(
            "ALMANAC_TEST_POSTGRES is not set: it is the URL of a PostgreSQL server where databases may be created, \
             such as postgres://postgres@127.0.0.1:5432/postgres; `cargo xtask test` starts one"
        )
    })
}

fn with_database(server: &str, name: &str) -> String {
    let (address, options) = server.split_once('?').map_or((server, None), |(address, rest)| (address, Some(rest)));
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address[start..].find('/').map_or(address.len(), |at| start + at);
    let options = options.map(|options| format!("?{options}")).unwrap_or_default();
    format!("{}/{name}{options}", &address[..end])
}

async fn command(server: &str, text: &str) -> Result<(), tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await?;
    let connected = tokio::spawn(connection);
    let done = client.batch_execute(text).await;
    connected.abort();
    done
}

impl Storage {
    /// A full disk: the SQLite file grows by at most `pages` from here on; `None` gives the space back.
    pub async fn limit_growth(&self, pages: Option<i64>) -> Result<(), Error> {
        let Engine::Sqlite(engine) = &self.engine else {
            return Err(Error::Unavailable("only SQLite can play a full disk".to_owned()));
        };
        engine
            .on_writer(move |connection| {
                let now: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
                let most = pages.map_or(i64::from(u32::MAX) - 1, |pages| now + pages);
                connection.pragma_update_and_check(None, "max_page_count", most, |_| Ok(()))?;
                Ok(())
            })
            .await
    }

    /// Holds the SQLite writer up until the answer is dropped, so that jobs gather behind it.
    pub async fn hold_writer(&self) -> Result<WriterHeld, Error> {
        let Engine::Sqlite(engine) = &self.engine else {
            return Err(Error::Unavailable("only SQLite has one writer".to_owned()));
        };
        let (release, held) = std::sync::mpsc::channel::<()>();
        let (started, running) = tokio::sync::oneshot::channel();
        let engine = engine.clone();
        tokio::spawn(async move {
            let hold = engine.on_writer(move |_| {
                let _ = started.send(());
                let _ = held.recv();
                Ok(())
            });
            hold.await
        });
        running.await.map_err(|_| Error::Unavailable("storage is closed".to_owned()))?;
        Ok(WriterHeld { _release: release })
    }
}

/// The writer goes on when this is dropped.
pub struct WriterHeld {
    _release: std::sync::mpsc::Sender<()>,
}

/// Runs an `async fn(TestEngine)` as two tests, one on each engine.
///
/// ```ignore
/// storage::on_both_engines! { a_row_is_read_back, ids_are_never_reused }
/// ```
#[macro_export]
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name($crate::testing::TestEngine::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name($crate::testing::TestEngine::Postgres).await;
            }
        }
    )+};
}
