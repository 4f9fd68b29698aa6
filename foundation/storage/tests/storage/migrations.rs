use storage::{
    AppliedMigration, Error, Migration, Schema, Undone, on_both_engines, params,
    testing::{TestDatabase, TestEngine},
};

use crate::house::*;

on_both_engines! {
    migrations_run_once_and_are_recorded,
    a_failing_migration_leaves_the_database_as_it_was,
    a_database_of_a_newer_version_is_refused,
    an_added_column_takes_its_default_when_an_older_image_comes_back,
    an_image_from_before_a_rewrite_is_not_undoable,
    an_image_with_a_dropped_column_is_not_undoable,
    two_processes_may_open_a_new_database_at_once,
}

const ADDED: Migration = Migration {
    domain: "house",
    number: 2,
    name: "colour",
    sql: "ALTER TABLE item ADD COLUMN colour {text} NOT NULL DEFAULT 'white';",
};
const REWRITTEN: Migration =
    Migration { domain: "house", number: 2, name: "tens", sql: "UPDATE item SET quantity = quantity * 10;" };
const DROPPED: Migration =
    Migration { domain: "house", number: 2, name: "no_note", sql: "ALTER TABLE shelf DROP COLUMN note;" };
const BROKEN: Migration = Migration {
    domain: "house",
    number: 2,
    name: "broken",
    sql: "ALTER TABLE item ADD COLUMN colour {text}; INSERT INTO nowhere VALUES (1);",
};

storage::statements! {
    COLOURS = "SELECT colour FROM item WHERE owner = $1 ORDER BY id";
}

fn with(migration: Migration) -> Schema {
    Schema { migrations: vec![MIGRATION, migration], ..schema() }
}

async fn reopened(house: House, schema: Schema) -> House {
    house.storage.close().await.unwrap();
    House { storage: house.database.open(schema).await.unwrap(), database: house.database }
}

async fn migrations_run_once_and_are_recorded(engine: TestEngine) {
    let first = house(engine).await;
    first.item(ANA, None, 1).await;
    let again = reopened(first, with(ADDED)).await;
    let again = reopened(again, with(ADDED)).await;
    let seen = again.storage.migrations_applied().await.unwrap();
    let names: Vec<(&str, i64)> = seen.iter().map(|m: &AppliedMigration| (m.domain.as_str(), m.number)).collect();
    assert_eq!(names.len(), 3);
    assert!(names.contains(&("storage", 1)) && names.contains(&("house", 1)) && names.contains(&("house", 2)));
    assert_eq!(again.rows(&COLOURS, ANA).await[0].get::<String>(0).unwrap(), "white");
}

async fn a_failing_migration_leaves_the_database_as_it_was(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    house.storage.close().await.unwrap();
    let Err(error) = house.database.open(with(BROKEN)).await else { panic!("it was opened") };
    assert!(error.to_string().contains("migration house 0002"), "{error}");
    let again = House { storage: house.database.open(schema()).await.unwrap(), database: house.database };
    let writing = again.storage.write(
        plainly(ANA),
        as_job(move |tx| Box::pin(async move { tx.execute(&DELETE_ITEM, &params![ANA, item]).await })),
    );
    assert!(writing.await.unwrap_err().to_string().contains("without a change"), "the triggers still stand");
}

async fn a_database_of_a_newer_version_is_refused(engine: TestEngine) {
    let newer = reopened(house(engine).await, with(ADDED)).await;
    newer.storage.close().await.unwrap();
    let Err(error) = newer.database.open(schema()).await else { panic!("it was opened") };
    assert!(matches!(&error, Error::Unavailable(cause) if cause.contains("newer version of Almanac")), "{error}");
}

async fn delete_item(house: &House, item: i64) -> i64 {
    let deleting = house.change(ANA, "delete_item", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_ITEM, &params![ANA, item]).await.map(drop) })
    });
    deleting.await.unwrap()
}

async fn an_added_column_takes_its_default_when_an_older_image_comes_back(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 3).await;
    let deletion = delete_item(&house, item).await;
    let house = reopened(house, with(ADDED)).await;
    let (undone, _) = house.undo(ANA, deletion, at(9)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    assert_eq!(house.rows(&COLOURS, ANA).await[0].get::<String>(0).unwrap(), "white");
    assert_eq!(house.integer(&SUM, ANA).await, 3);
}

async fn an_image_from_before_a_rewrite_is_not_undoable(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 3).await;
    let deletion = delete_item(&house, item).await;
    let house = reopened(house, with(REWRITTEN)).await;
    let (undone, _) = house.undo(ANA, deletion, at(9)).await;
    assert!(matches!(undone, Undone::NotUndoable(_)), "{undone:?}");
    let item = house.item(ANA, None, 5).await;
    let deletion = delete_item(&house, item).await;
    assert!(matches!(house.undo(ANA, deletion, at(9)).await.0, Undone::Restored(_)), "newer ones are");
}

async fn an_image_with_a_dropped_column_is_not_undoable(engine: TestEngine) {
    let house = house(engine).await;
    let shelf = house.shelf(ANA, "top").await;
    let deleting = house.change(ANA, "delete_shelf", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_SHELF, &params![ANA, shelf]).await.map(drop) })
    });
    let deletion = deleting.await.unwrap();
    let house = reopened(house, with(DROPPED)).await;
    assert!(matches!(house.undo(ANA, deletion, at(9)).await.0, Undone::NotUndoable(_)));
}

async fn two_processes_may_open_a_new_database_at_once(engine: TestEngine) {
    let database = TestDatabase::create(engine).await;
    let (one, other) = tokio::join!(database.open(schema()), database.open(schema()));
    let house = House { storage: one.unwrap(), database };
    house.item(ANA, None, 1).await;
    let other = other.unwrap();
    let writing = other.write(captured(ANA), as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 2).await })));
    writing.await.unwrap();
    assert_eq!(house.integer(&SUM, ANA).await, 3);
}
