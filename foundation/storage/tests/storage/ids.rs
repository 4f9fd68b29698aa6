use std::collections::BTreeSet;

use storage::{Error, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    an_id_is_never_given_twice_also_after_a_delete_and_an_undo,
    an_id_is_not_given_again_after_a_restart,
    an_import_pushes_later_ids_past_its_own,
    an_unknown_table_has_no_ids,
    ids_of_parallel_writers_do_not_meet,
}

async fn an_id_is_never_given_twice_also_after_a_delete_and_an_undo(engine: TestEngine) {
    let house = house(engine).await;
    let newest = house.item(ANA, None, 1).await;
    let deleting = house.change(ANA, "delete_item", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_ITEM, &params![ANA, newest]).await.map(drop) })
    });
    let deletion = deleting.await.unwrap();
    let next = house.item(ANA, None, 2).await;
    assert!(next > newest);
    house.undo(ANA, deletion, at(1)).await;
    let ids: Vec<i64> = house.rows(&ITEMS, ANA).await.iter().map(|row| row.get(0).unwrap()).collect();
    assert_eq!(ids, [newest, next], "the deleted row is back under its id");
    assert!(house.item(ANA, None, 3).await > next);
}

async fn an_id_is_not_given_again_after_a_restart(engine: TestEngine) {
    let first = house(engine).await;
    let before = first.item(ANA, None, 1).await;
    first.storage.close().await.unwrap();
    let again = House { storage: first.database.open(schema()).await.unwrap(), database: first.database };
    assert!(again.item(ANA, None, 1).await > before);
}

async fn an_import_pushes_later_ids_past_its_own(engine: TestEngine) {
    let house = house(engine).await;
    house.item(ANA, None, 1).await;
    let importing = house.storage.write(
        captured(ANA),
        as_job(|tx| {
            Box::pin(async move {
                tx.execute(&INSERT_ITEM, &params![ANA, 5_000, at(0), None::<i64>, "jar", 1]).await?;
                tx.raise_ids("item", 5_000).await
            })
        }),
    );
    importing.await.unwrap();
    assert!(house.item(ANA, None, 1).await > 5_000);
}

async fn an_unknown_table_has_no_ids(engine: TestEngine) {
    let house = house(engine).await;
    let asking = house.storage.write(plainly(ANA), as_job(|tx| Box::pin(async move { tx.new_id("cellar").await })));
    assert!(matches!(asking.await, Err(Error::Internal(cause)) if cause.contains("cellar is no table")));
}

async fn ids_of_parallel_writers_do_not_meet(engine: TestEngine) {
    let house = house(engine).await;
    let writers: Vec<_> = (1..=8)
        .map(|owner| {
            let storage = house.storage.clone();
            tokio::spawn(async move {
                let mut ids = Vec::new();
                for _ in 0..20 {
                    let writing = storage.write(
                        captured(owner),
                        as_job(move |tx| Box::pin(async move { new_item(tx, owner, None, 1).await })),
                    );
                    ids.push(writing.await.unwrap());
                }
                ids
            })
        })
        .collect();
    let mut seen = BTreeSet::new();
    for writer in writers {
        for id in writer.await.unwrap() {
            assert!(seen.insert(id), "{id} was given twice");
        }
    }
}
