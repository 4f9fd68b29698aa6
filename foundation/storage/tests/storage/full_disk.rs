//! What SQLite does when the disk is full: it may end the transaction by itself, in the middle of a batch.

use std::time::Duration;

use storage::{Error, Storage, params, testing::TestEngine};
use tokio::task::JoinHandle;

use crate::house::*;

fn add_item(storage: &Storage, label_bytes: usize) -> JoinHandle<Result<i64, Error>> {
    let storage = storage.clone();
    tokio::spawn(async move {
        storage
            .write(
                captured(ANA),
                as_job(move |tx| {
                    Box::pin(async move {
                        let id = tx.new_id("item").await?;
                        let label = "x".repeat(label_bytes);
                        tx.execute(&INSERT_ITEM, &params![ANA, id, at(0), None::<i64>, label, 1]).await?;
                        Ok(id)
                    })
                }),
            )
            .await
    })
}

/// A batch in which one job needs more space than there is: the others are kept, each by its own outcome.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_job_too_many_does_not_take_the_batch_with_it() {
    let house = house(TestEngine::Sqlite).await;
    house.item(ANA, None, 1).await;
    house.storage.limit_growth(Some(20)).await.unwrap();
    let held = house.storage.hold_writer().await.unwrap();
    let jobs: Vec<_> =
        (0..30).map(|place| add_item(&house.storage, if place == 10 { 1_000_000 } else { 10 })).collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(held);
    let mut kept = 0;
    for (place, job) in jobs.into_iter().enumerate() {
        match (place, job.await.unwrap()) {
            (10, answer) => assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}"),
            (_, answer) => kept += i64::from(answer.is_ok()),
        }
    }
    assert_eq!(kept, 29);
    assert_eq!(house.rows(&ITEMS, ANA).await.len(), 30);
    assert_eq!(house.rows(&IMAGES, ANA).await.len(), 30);
    assert_eq!(house.storage.quick_check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_unavailable_and_recovers_without_a_restart() {
    let house = house(TestEngine::Sqlite).await;
    house.storage.limit_growth(Some(2)).await.unwrap();
    let mut acknowledged = 0;
    let mut refused = 0;
    for _ in 0..10 {
        let jobs: Vec<_> = (0..20).map(|_| add_item(&house.storage, 2_000)).collect();
        for job in jobs {
            match job.await.unwrap() {
                Ok(_) => acknowledged += 1,
                Err(Error::Unavailable(cause)) => {
                    assert!(cause.contains("full"), "{cause}");
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(house.rows(&ITEMS, ANA).await.len(), acknowledged, "exactly what was acknowledged is there");
    house.storage.limit_growth(None).await.unwrap();
    assert!(add_item(&house.storage, 2_000).await.unwrap().is_ok());
    assert_eq!(house.rows(&ITEMS, ANA).await.len(), acknowledged + 1);
}
