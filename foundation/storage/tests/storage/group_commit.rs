//! What only the one writer of SQLite does.

use std::time::Duration;

use storage::{Error, Storage, testing::TestEngine};
use tokio::task::JoinHandle;

use crate::house::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Write,
    Fail,
    Panic,
    Wait,
}

fn start(storage: &Storage, does: Does) -> JoinHandle<Result<i64, Error>> {
    let storage = storage.clone();
    tokio::spawn(async move {
        storage
            .write(
                captured(ANA),
                as_job(move |tx| {
                    Box::pin(async move {
                        let id = new_item(tx, ANA, None, 1).await?;
                        match does {
                            Does::Write => Ok(id),
                            Does::Fail => Err(Error::Internal("by its own rule".into())),
                            Does::Panic => panic!("in the middle"),
                            Does::Wait => {
                                tokio::task::yield_now().await;
                                Ok(id)
                            }
                        }
                    })
                }),
            )
            .await
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_a_panicking_and_a_waiting_job_harm_only_themselves() {
    let house = house(TestEngine::Sqlite).await;
    let held = house.storage.hold_writer().await.unwrap();
    let kinds = [Does::Write, Does::Fail, Does::Write, Does::Panic, Does::Wait, Does::Write];
    let jobs: Vec<_> =
        (0..60).map(|place| (place, kinds[place % 6])).map(|(_, does)| (does, start(&house.storage, does))).collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(held);
    let mut ids = Vec::new();
    for (does, job) in jobs {
        let answer = job.await.unwrap();
        match does {
            Does::Write => ids.push(answer.unwrap()),
            Does::Fail => assert_eq!(answer, Err(Error::Internal("by its own rule".into()))),
            Does::Panic => assert_eq!(answer, Err(Error::Internal("the job panicked: in the middle".into()))),
            Does::Wait => {
                assert!(answer.unwrap_err().to_string().contains("awaited something other than its transaction"));
            }
        }
    }
    ids.sort_unstable();
    assert_eq!(ids, (1..=30).collect::<Vec<_>>(), "ids are dense: jobs that failed gave theirs back");
    assert_eq!(house.rows(&ITEMS, ANA).await.len(), 30);
    assert_eq!(house.rows(&IMAGES, ANA).await.len(), 30);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_id_does_not_outlive_its_job_also_after_a_panic() {
    let house = house(TestEngine::Sqlite).await;
    assert!(start(&house.storage, Does::Panic).await.unwrap().is_err());
    let uncaptured =
        house.storage.write(plainly(ANA), as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 1).await })));
    let error = uncaptured.await.unwrap_err().to_string();
    assert!(error.contains("a captured table was written without a change"), "{error}");
}

/// An answer is given only after the commit: another connection sees the row at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_an_answer_finds_its_row_in_the_file() {
    let house = house(TestEngine::Sqlite).await;
    let path = house.database.path().unwrap();
    let jobs: Vec<_> = (0..200)
        .map(|_| {
            let (job, path) = (start(&house.storage, Does::Write), path.clone());
            tokio::spawn(async move {
                let id = job.await.unwrap().unwrap();
                let other = rusqlite::Connection::open(path).unwrap();
                other.busy_timeout(Duration::from_secs(5)).unwrap();
                let found: i64 =
                    other.query_row("SELECT count(*) FROM item WHERE id = ?1", [id], |row| row.get(0)).unwrap();
                assert_eq!(found, 1);
            })
        })
        .collect();
    for job in jobs {
        job.await.unwrap();
    }
}

/// The command line beside a server: two openings of one file, both writing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_openings_of_one_file_wait_for_each_other() {
    let house = house(TestEngine::Sqlite).await;
    let beside = house.database.open(schema()).await.unwrap();
    let jobs: Vec<_> =
        (0..100).map(|place| start(if place % 2 == 0 { &house.storage } else { &beside }, Does::Write)).collect();
    let mut ids = std::collections::BTreeSet::new();
    for job in jobs {
        ids.insert(job.await.unwrap().unwrap());
    }
    assert_eq!(ids.len(), 100, "no id was given twice");
    assert_eq!(house.integer(&SUM, ANA).await, 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_waits_too_long_for_the_writer_is_told_so() {
    let house = house(TestEngine::Sqlite).await;
    let held = house.storage.hold_writer().await.unwrap();
    let hasty = storage::Write { deadline: Duration::from_millis(20), ..captured(ANA) };
    let storage = house.storage.clone();
    let late = tokio::spawn(async move {
        storage.write(hasty, as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 1).await }))).await
    });
    let patient = start(&house.storage, Does::Write);
    tokio::time::sleep(Duration::from_millis(60)).await;
    drop(held);
    assert!(matches!(late.await.unwrap(), Err(Error::Unavailable(_))));
    assert_eq!(patient.await.unwrap(), Ok(1));
}
