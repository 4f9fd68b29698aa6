use storage::{Storage, on_both_engines, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    every_statement_can_be_prepared_and_its_columns_counted,
    a_broken_statement_is_named,
    a_plan_shows_a_table_that_is_read_whole,
    no_statement_of_the_change_log_reads_a_table_whole,
}

storage::statements! {
    BROKEN = "SELECT FROM item WHERE";
    WEIGHT_ON = "SELECT sum(weight) FROM sticker WHERE owner = $1 AND item_id = $2";
    BY_LABEL = "SELECT id FROM item WHERE label = $1";
}

async fn every_statement_can_be_prepared_and_its_columns_counted(engine: TestEngine) {
    let house = house(engine).await;
    let own = Storage::own_statements();
    let counts = house.storage.prepare_all(&[&[crate::house::QUANTITY, crate::house::ITEMS, DELETE_ITEM]]).await;
    assert_eq!(counts.unwrap(), [("QUANTITY", 1), ("ITEMS", 6), ("DELETE_ITEM", 0)]);
    let all = house.storage.prepare_all(own).await.unwrap();
    assert_eq!(all.len(), own.iter().map(|list| list.len()).sum::<usize>());
    house.storage.prepare_all(&[crate::house::STATEMENTS]).await.unwrap();
}

async fn a_broken_statement_is_named(engine: TestEngine) {
    let house = house(engine).await;
    let error = house.storage.prepare_all(&[&[BROKEN]]).await.unwrap_err().to_string();
    assert!(error.contains("BROKEN"), "{error}");
}

fn reads_whole(plan: &[String], table: &str) -> bool {
    plan.iter().any(|line| {
        line.contains(&format!("Seq Scan on {table}"))
            || (line.contains(&format!("SCAN {table}")) && !line.contains("INDEX"))
    })
}

async fn a_plan_shows_a_table_that_is_read_whole(engine: TestEngine) {
    let house = house(engine).await;
    let plan = house.storage.explain(&BY_LABEL).await.unwrap();
    assert!(reads_whole(&plan, "item"), "{plan:?}");
    let plan = house.storage.explain(&crate::house::QUANTITY).await.unwrap();
    assert!(!reads_whole(&plan, "item"), "{plan:?}");
}

async fn no_statement_of_the_change_log_reads_a_table_whole(engine: TestEngine) {
    let house = house(engine).await;
    for sql in Storage::own_statements().iter().copied().flatten() {
        let plan = house.storage.explain(sql).await.unwrap();
        assert!(!reads_whole(&plan, "change") && !reads_whole(&plan, "change_row"), "{}: {plan:?}", sql.name);
    }
}

/// Without statistics it reads all stickers of the owner in the order of their key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_prefers_an_index_to_the_owners_whole_table() {
    let house = house(TestEngine::Sqlite).await;
    let plan = house.storage.explain(&WEIGHT_ON).await.unwrap().join(" ");
    assert!(plan.contains("sticker_item (owner=? AND item_id=?)"), "{plan}");
}
