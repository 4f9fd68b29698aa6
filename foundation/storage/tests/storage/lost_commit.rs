//! The connection breaks at the worst moment: COMMIT was sent and its answer does not come.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use storage::{DatabaseUrl, Error, Storage, StorageOptions, Write, testing::TestEngine};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use crate::house::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Breaks {
    /// The server never sees the COMMIT.
    BeforeCommit,
    /// The server commits; nobody hears of it.
    AfterCommit,
}

/// Stands between Almanac and the server and breaks one connection, once armed.
struct Wire {
    port: u16,
    armed: Arc<AtomicBool>,
}

impl Wire {
    async fn lay(server: (String, u16), breaks: Breaks) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let armed = Arc::new(AtomicBool::new(false));
        let arm = armed.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect((server.0.as_str(), server.1)).await.unwrap();
                tokio::spawn(carry(near, far, arm.clone(), breaks));
            }
        });
        Self { port, armed }
    }
}

async fn carry(near: TcpStream, far: TcpStream, armed: Arc<AtomicBool>, breaks: Breaks) {
    let (mut from_near, to_near) = near.into_split();
    let (from_far, mut to_far) = far.into_split();
    let mute = Arc::new(AtomicBool::new(false));
    let back = tokio::spawn(answer(from_far, to_near, mute.clone()));
    let mut buffer = vec![0; 65536];
    while let Ok(read @ 1..) = from_near.read(&mut buffer).await {
        let commits = buffer[..read].windows(6).any(|bytes| bytes == b"COMMIT");
        if commits && armed.swap(false, Ordering::SeqCst) {
            mute.store(true, Ordering::SeqCst);
            if breaks == Breaks::AfterCommit {
                to_far.write_all(&buffer[..read]).await.unwrap();
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            back.abort();
            return;
        }
        if to_far.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}

async fn answer(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mute: Arc<AtomicBool>) {
    let mut buffer = vec![0; 65536];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if !mute.load(Ordering::SeqCst) && to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}

/// The database of `house` through a wire.
async fn through(house: &House, breaks: Breaks) -> (Storage, Wire) {
    let DatabaseUrl::Postgres(url) = &house.database.url else { panic!("only a server can lose an answer") };
    let config: tokio_postgres::Config = url.parse().unwrap();
    let tokio_postgres::config::Host::Tcp(host) = &config.get_hosts()[0] else { panic!("the test needs TCP") };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let wire = Wire::lay((host.clone(), port), breaks).await;
    let user = config.get_user().unwrap();
    let password = config.get_password().map(|p| format!(":{}", String::from_utf8_lossy(p))).unwrap_or_default();
    let name = config.get_dbname().unwrap();
    let url = format!("postgresql://{user}{password}@127.0.0.1:{}/{name}", wire.port);
    let options = StorageOptions { readers: 1, pool: 4 };
    (Storage::open(&DatabaseUrl::Postgres(url), schema(), options).await.unwrap(), wire)
}

async fn add_item(storage: &Storage, how: Write, kept: bool, runs: &Arc<AtomicU32>) -> Result<i64, Error> {
    let runs = runs.clone();
    let writing = storage.write(
        how,
        as_job(move |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move {
                let id = new_item(tx, ANA, None, 1).await?;
                if kept {
                    record(tx, ANA, "add_item", at(0)).await?;
                }
                Ok(id)
            })
        }),
    );
    writing.await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_took_effect_is_found_by_its_call_id_and_not_repeated() {
    let house = house(TestEngine::Postgres).await;
    let (storage, wire) = through(&house, Breaks::AfterCommit).await;
    let runs = Arc::default();
    wire.armed.store(true, Ordering::SeqCst);
    let id = add_item(&storage, Write { call_id: Some(9), ..captured(ANA) }, true, &runs).await.unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    let items = house.rows(&ITEMS, ANA).await;
    assert_eq!((items.len(), items[0].get::<i64>(0).unwrap()), (1, id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_never_arrived_is_found_so_and_run_again() {
    let house = house(TestEngine::Postgres).await;
    let (storage, wire) = through(&house, Breaks::BeforeCommit).await;
    let runs = Arc::default();
    wire.armed.store(true, Ordering::SeqCst);
    let id = add_item(&storage, Write { call_id: Some(9), ..captured(ANA) }, true, &runs).await.unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    let items = house.rows(&ITEMS, ANA).await;
    assert_eq!((items.len(), items[0].get::<i64>(0).unwrap()), (1, id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_kept_call_id_the_outcome_is_unknown_and_nothing_is_repeated() {
    let house = house(TestEngine::Postgres).await;
    for (breaks, kept) in [(Breaks::AfterCommit, 1), (Breaks::BeforeCommit, 1)] {
        let (storage, wire) = through(&house, breaks).await;
        let runs = Arc::default();
        wire.armed.store(true, Ordering::SeqCst);
        let answer = add_item(&storage, captured(ANA), false, &runs).await;
        assert!(matches!(answer, Err(Error::OutcomeUnknown(_))), "{answer:?}");
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        let until = tokio::time::timeout(Duration::from_secs(10), async {
            while house.rows(&ITEMS, ANA).await.len() != kept {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        until.await.expect("the server does what it was told");
    }
}
