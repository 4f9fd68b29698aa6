//! Writers in each other's way. On PostgreSQL `Storage` opened twice stands for two replicas.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use storage::{Error, Storage, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    thirty_two_writers_of_one_person_all_succeed,
    two_replicas_never_lose_an_update,
    contention_is_retried_whatever_the_job_makes_of_the_error,
}

/// Inserts an item and reads the sum, as a meal and its day's total.
async fn add_and_sum(storage: &Storage, owner: i64) -> Result<i64, Error> {
    let writing = storage.write(
        captured(owner),
        as_job(move |tx| {
            Box::pin(async move {
                new_item(tx, owner, None, 1).await?;
                let sum = tx.row(&SUM, &params![owner]).await?.expect("a sum").get(0)?;
                record(tx, owner, "add_item", at(0)).await?;
                Ok::<i64, Error>(sum)
            })
        }),
    );
    writing.await
}

async fn thirty_two_writers_of_one_person_all_succeed(engine: TestEngine) {
    let house = house(engine).await;
    let writers: Vec<_> = (0..32)
        .map(|_| {
            let storage = house.storage.clone();
            tokio::spawn(async move {
                let mut sums = Vec::new();
                for _ in 0..5 {
                    sums.push(add_and_sum(&storage, ANA).await.unwrap());
                }
                sums
            })
        })
        .collect();
    let mut sums = Vec::new();
    for writer in writers {
        sums.extend(writer.await.unwrap());
    }
    sums.sort_unstable();
    assert_eq!(sums, (1..=160).collect::<Vec<_>>(), "every writer saw its own row and no half of another's");
}

async fn two_replicas_never_lose_an_update(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 0).await;
    let beside = house.database.open(schema()).await.unwrap();
    let writers: Vec<_> = [house.storage.clone(), beside]
        .into_iter()
        .map(|storage| {
            tokio::spawn(async move {
                for _ in 0..40 {
                    let adding = storage.write(
                        captured(ANA),
                        as_job(move |tx| {
                            Box::pin(async move {
                                let row = tx.row(&QUANTITY, &params![ANA, item]).await?.expect("the item");
                                let more = row.get::<i64>(0)? + 1;
                                tx.execute(&SET_QUANTITY, &params![ANA, item, more, at(1)]).await
                            })
                        }),
                    );
                    adding.await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(house.integer(&SUM, ANA).await, 80);
}

#[derive(Debug)]
struct Hidden;

impl From<Error> for Hidden {
    fn from(_: Error) -> Self {
        Self
    }
}

/// On PostgreSQL a second replica changes the row between the job's read and its write.
async fn contention_is_retried_whatever_the_job_makes_of_the_error(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 0).await;
    let beside = house.database.open(schema()).await.unwrap();
    let runs = Arc::new(AtomicU32::new(0));
    let (counted, meddling) = (runs.clone(), engine == TestEngine::Postgres);
    let writing = house.storage.write(
        captured(ANA),
        as_job(move |tx| {
            let (counted, beside) = (counted.clone(), beside.clone());
            Box::pin(async move {
                let run = counted.fetch_add(1, Ordering::SeqCst);
                let row = tx.row(&QUANTITY, &params![ANA, item]).await.map_err(|_| Hidden)?.ok_or(Hidden)?;
                let more = row.get::<i64>(0).map_err(|_| Hidden)? + 1;
                if meddling && run == 0 {
                    let meddler = beside.write(
                        captured(ANA),
                        as_job(move |tx| {
                            Box::pin(async move { tx.execute(&SET_QUANTITY, &params![ANA, item, 10, at(1)]).await })
                        }),
                    );
                    meddler.await.map_err(|_: Error| Hidden)?;
                }
                tx.execute(&SET_QUANTITY, &params![ANA, item, more, at(1)]).await.map_err(|_| Hidden)
            })
        }),
    );
    tokio::time::timeout(Duration::from_secs(20), writing).await.unwrap().unwrap();
    let (expected_runs, expected) = if meddling { (2, 11) } else { (1, 1) };
    assert_eq!(runs.load(Ordering::SeqCst), expected_runs);
    assert_eq!(house.integer(&SUM, ANA).await, expected);
}
