use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use storage::{Error, Row, Value, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    every_kind_of_value_comes_back_as_it_went_in,
    an_error_of_the_job_leaves_nothing,
    a_failed_statement_poisons_what_comes_after_it,
    the_statement_that_failed_is_the_answer_even_when_the_job_hides_it,
    a_panic_harms_only_its_own_call,
    a_read_cannot_write,
    a_read_of_two_statements_sees_one_state,
    a_write_goes_on_when_its_caller_leaves,
    a_write_whose_deadline_is_over_is_not_begun,
    writes_accepted_before_closing_are_finished,
    parameters_are_counted_and_may_repeat,
    what_one_engine_could_not_store_is_refused_by_both,
    a_read_gives_no_ids,
}

storage::statements! {
    PICTURE = "SELECT weight, picture, id FROM sticker WHERE owner = $1 ORDER BY id";
    WRONG = "SELECT nothing FROM item WHERE owner = $1";
    BEFORE_AND_AFTER = "SELECT label, quantity FROM item WHERE (quantity > $2 OR quantity < $2) AND owner = $1 ORDER BY id";
    ONE = "SELECT 1 AS one";
}

async fn every_kind_of_value_comes_back_as_it_went_in(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, -5).await;
    let writing =
        house.storage.write(plainly(ANA), as_job(move |tx| Box::pin(async move { new_sticker(tx, ANA, item).await })));
    writing.await.unwrap();
    let rows = house.rows(&PICTURE, ANA).await;
    assert_eq!(rows, [Row(vec![Value::Real(1.5), Value::Blob(vec![0, 255]), Value::Integer(1)])]);
    let items = house.rows(&ITEMS, ANA).await;
    assert_eq!(items[0].0[3..], [Value::Null, Value::Text("jar".into()), Value::Integer(-5)]);
}

#[derive(Debug, PartialEq)]
enum Refused {
    ByRule,
    ByStorage(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::ByStorage(error)
    }
}

async fn an_error_of_the_job_leaves_nothing(engine: TestEngine) {
    let house = house(engine).await;
    let writing = house.storage.write(
        captured(ANA),
        as_job(|tx| {
            Box::pin(async move {
                new_item(tx, ANA, None, 1).await?;
                Err::<(), _>(Refused::ByRule)
            })
        }),
    );
    assert_eq!(writing.await, Err(Refused::ByRule));
    assert!(house.rows(&ITEMS, ANA).await.is_empty());
    assert!(house.rows(&IMAGES, ANA).await.is_empty());
}

async fn a_failed_statement_poisons_what_comes_after_it(engine: TestEngine) {
    let house = house(engine).await;
    let writing = house.storage.write(
        captured(ANA),
        as_job(|tx| {
            Box::pin(async move {
                new_item(tx, ANA, None, 1).await?;
                let first = tx.rows(&WRONG, &params![ANA]).await.unwrap_err();
                let second = tx.rows(&ONE, &params![]).await.unwrap_err();
                assert_eq!(first, second);
                assert_eq!(tx.new_id("item").await.unwrap_err(), first);
                Err::<(), _>(first)
            })
        }),
    );
    let error = writing.await.unwrap_err();
    assert!(error.to_string().contains("WRONG"), "{error}");
    assert!(matches!(error, Error::Internal(_)), "{error}");
    assert!(house.rows(&ITEMS, ANA).await.is_empty());
}

async fn the_statement_that_failed_is_the_answer_even_when_the_job_hides_it(engine: TestEngine) {
    let house = house(engine).await;
    let writing = house.storage.write(
        plainly(ANA),
        as_job(|tx| {
            Box::pin(async move {
                let _ = tx.rows(&WRONG, &params![ANA]).await;
                Ok::<_, Error>("all is well")
            })
        }),
    );
    assert!(writing.await.unwrap_err().to_string().contains("WRONG"));
    let reading = house.storage.read(as_job(|tx| {
        Box::pin(async move {
            let _ = tx.rows(&WRONG, &params![ANA]).await;
            Err::<(), _>(Refused::ByRule)
        })
    }));
    assert!(matches!(reading.await, Err(Refused::ByStorage(_))));
}

async fn a_panic_harms_only_its_own_call(engine: TestEngine) {
    let house = house(engine).await;
    let panicking = house.storage.write(
        captured(ANA),
        as_job(|tx| {
            Box::pin(async move {
                new_item(tx, ANA, None, 1).await?;
                if tx.change().is_some() {
                    panic!("the jar broke");
                }
                Ok::<_, Error>(())
            })
        }),
    );
    let reading = house.storage.read(as_job(|tx| {
        Box::pin(async move {
            tx.rows(&ONE, &params![]).await?;
            if tx.change().is_none() {
                panic!("nothing to see");
            }
            Ok::<_, Error>(())
        })
    }));
    assert_eq!(panicking.await, Err(Error::Internal("the job panicked: the jar broke".into())));
    assert_eq!(reading.await, Err(Error::Internal("the job panicked: nothing to see".into())));
    assert_eq!(house.integer(&SUM, ANA).await, 0);
    house.item(ANA, None, 3).await;
    assert_eq!(house.integer(&SUM, ANA).await, 3);
}

async fn a_read_cannot_write(engine: TestEngine) {
    let house = house(engine).await;
    let shelf = house.shelf(ANA, "top").await;
    for leading in [false, true] {
        let reading = house.storage.read(as_job(move |tx| {
            Box::pin(async move {
                if leading {
                    tx.rows(&ONE, &params![]).await?;
                }
                tx.execute(&DELETE_SHELF, &params![ANA, shelf]).await
            })
        }));
        assert!(matches!(reading.await, Err(Error::Internal(_) | Error::Unavailable(_))));
    }
    assert_eq!(house.rows(&SHELVES, ANA).await.len(), 1);
}

async fn a_read_of_two_statements_sees_one_state(engine: TestEngine) {
    let house = house(engine).await;
    let storage = house.storage.clone();
    let runs = Arc::new(AtomicU32::new(0));
    let (looked, go_on) = (Arc::new(tokio::sync::Semaphore::new(0)), Arc::new(std::sync::Barrier::new(2)));
    let (counted, signal, barrier) = (runs.clone(), looked.clone(), go_on.clone());
    let reading = tokio::spawn(async move {
        storage
            .read(as_job(move |tx| {
                let (counted, signal, barrier) = (counted.clone(), signal.clone(), barrier.clone());
                Box::pin(async move {
                    let run = counted.fetch_add(1, Ordering::SeqCst);
                    let first: i64 = tx.row(&SUM, &params![ANA]).await?.expect("a sum").get(0)?;
                    if run == 0 {
                        signal.add_permits(1);
                        barrier.wait();
                    }
                    let second: i64 = tx.row(&SUM, &params![ANA]).await?.expect("a sum").get(0)?;
                    Ok::<_, Error>((first, second))
                })
            }))
            .await
    });
    looked.acquire().await.unwrap().forget();
    house.item(ANA, None, 9).await;
    tokio::task::spawn_blocking(move || go_on.wait()).await.unwrap();
    let (first, second) = reading.await.unwrap().unwrap();
    assert_eq!(first, second);
}

async fn a_write_goes_on_when_its_caller_leaves(engine: TestEngine) {
    let house = house(engine).await;
    let storage = house.storage.clone();
    let leaving = tokio::spawn(async move {
        storage.write(captured(ANA), as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 4).await }))).await
    });
    tokio::time::sleep(std::time::Duration::from_micros(300)).await;
    leaving.abort();
    house.storage.close().await.unwrap();
    let again = house.database.open(schema()).await.unwrap();
    let house = House { storage: again, database: house.database };
    let sum = house.integer(&SUM, ANA).await;
    assert!(sum == 4 || sum == 0, "half a write: {sum}");
}

async fn a_write_whose_deadline_is_over_is_not_begun(engine: TestEngine) {
    let house = house(engine).await;
    let late = storage::Write { deadline: std::time::Duration::ZERO, ..captured(ANA) };
    let writing = house.storage.write(late, as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 1).await })));
    assert!(matches!(writing.await, Err(Error::Unavailable(_))));
    assert_eq!(house.integer(&SUM, ANA).await, 0);
}

async fn writes_accepted_before_closing_are_finished(engine: TestEngine) {
    let house = house(engine).await;
    let writing: Vec<_> = (0..50)
        .map(|_| {
            let storage = house.storage.clone();
            tokio::spawn(async move {
                storage
                    .write(captured(ANA), as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 1).await })))
                    .await
            })
        })
        .collect();
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    house.storage.close().await.unwrap();
    let mut done = 0;
    for write in writing {
        match write.await.unwrap() {
            Ok(_) => done += 1,
            Err(error) => assert!(matches!(error, Error::Unavailable(_)), "{error}"),
        }
    }
    let again = house.database.open(schema()).await.unwrap();
    let house = House { storage: again, database: house.database };
    assert_eq!(house.integer(&SUM, ANA).await, done);
}

async fn parameters_are_counted_and_may_repeat(engine: TestEngine) {
    let house = house(engine).await;
    house.item(ANA, None, 2).await;
    house.item(ANA, None, 5).await;
    let found =
        house.storage.read(as_job(|tx| Box::pin(async move { tx.rows(&BEFORE_AND_AFTER, &params![ANA, 2]).await })));
    assert_eq!(found.await.unwrap().len(), 1);
    let short =
        house.storage.read(as_job(|tx| Box::pin(async move { tx.rows(&BEFORE_AND_AFTER, &params![ANA]).await })));
    let error = short.await.unwrap_err().to_string();
    assert!(error.contains("2 parameters wanted, 1 given"), "{error}");
}

async fn what_one_engine_could_not_store_is_refused_by_both(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    for (weight, name) in [(f64::NAN, "top"), (1.0, "to\0p")] {
        let writing = house.storage.write(
            captured(ANA),
            as_job(move |tx| {
                Box::pin(async move {
                    new_shelf(tx, ANA, name).await?;
                    tx.execute(&INSERT_STICKER, &params![ANA, 1, item, weight, None::<Vec<u8>>]).await
                })
            }),
        );
        assert!(matches!(writing.await, Err(Error::Internal(_))));
    }
    assert!(house.rows(&SHELVES, ANA).await.is_empty());
}

async fn a_read_gives_no_ids(engine: TestEngine) {
    let house = house(engine).await;
    let reading = house.storage.read(as_job(|tx| Box::pin(async move { tx.new_id("item").await })));
    assert!(matches!(reading.await, Err(Error::Internal(cause)) if cause.contains("a read was asked")));
}
