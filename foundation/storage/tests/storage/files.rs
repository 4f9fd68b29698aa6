//! Backup, restore and checks of the SQLite file.

use storage::{Error, Migration, Schema, Storage, testing::TestEngine};

use crate::house::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_taken_while_writing_is_whole_and_restores() {
    let house = house(TestEngine::Sqlite).await;
    let path = house.database.path().unwrap();
    let backup = path.with_extension("backup");
    let item = house.item(ANA, None, 4).await;
    house.storage.backup(&backup).await.unwrap();
    let lost = house.item(ANA, None, 5).await;

    let error = Storage::restore(&backup, &path).unwrap_err();
    assert!(error.to_string().contains("in use"), "{error}");
    house.storage.close().await.unwrap();
    drop(house.storage);
    Storage::restore(&backup, &path).unwrap();

    let house = House { storage: house.database.open(schema()).await.unwrap(), database: house.database };
    assert_eq!(house.integer(&SUM, ANA).await, 4);
    assert_eq!(house.rows(&ITEMS, ANA).await[0].get::<i64>(0).unwrap(), item);
    assert!(house.item(ANA, None, 1).await > lost, "the id of the lost row is not given again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_backup_is_not_restored() {
    let house = house(TestEngine::Sqlite).await;
    let path = house.database.path().unwrap();
    house.storage.close().await.unwrap();
    let text = path.with_extension("txt");
    std::fs::write(&text, "not a database at all, but long enough to look like a file of some kind\n").unwrap();
    assert!(Storage::restore(&text, &path).is_err());
    assert!(Storage::restore(&path.with_extension("missing"), &path).is_err());
    let again = house.database.open(schema()).await.unwrap();
    assert_eq!(again.quick_check().await, Ok(Vec::new()));
    assert_eq!(again.engine_name(), "SQLite");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_written_before_a_database_is_migrated() {
    let house = house(TestEngine::Sqlite).await;
    let path = house.database.path().unwrap();
    house.item(ANA, None, 4).await;
    house.storage.close().await.unwrap();
    let beside = |name: &str| path.with_file_name(format!("almanac.db{name}"));
    assert!(!beside(".before-1").exists(), "an empty database needs none");
    let second = Migration { domain: "house", number: 2, name: "gone", sql: "DELETE FROM item;" };
    let migrated = house.database.open(Schema { migrations: vec![MIGRATION, second], ..schema() }).await.unwrap();
    migrated.close().await.unwrap();
    let copy = rusqlite::Connection::open(beside(".before-3")).unwrap();
    let rows: i64 = copy.query_row("SELECT count(*) FROM item", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_names_the_tool_that_backs_it_up() {
    let house = house(TestEngine::Postgres).await;
    let refused = house.storage.backup(std::path::Path::new("backup.db")).await;
    assert!(matches!(refused, Err(Error::Unavailable(cause)) if cause.contains("pg_dump")));
    assert_eq!(house.storage.quick_check().await, Ok(Vec::new()));
    assert_eq!(house.storage.engine_name(), "PostgreSQL");
}

/// The `sqlite3` shell, or any other program, cannot change a captured table past the change log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_program_cannot_write_a_captured_table() {
    let house = house(TestEngine::Sqlite).await;
    house.item(ANA, None, 4).await;
    let other = rusqlite::Connection::open(house.database.path().unwrap()).unwrap();
    let error = other.execute("DELETE FROM item", []).unwrap_err().to_string();
    assert!(error.contains("no such function: almanac_"), "{error}");
}

/// It is about somebody's health.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_its_owner_reads_the_database_and_its_backups() {
    use std::os::unix::fs::PermissionsExt;

    let house = house(TestEngine::Sqlite).await;
    house.item(ANA, None, 4).await;
    let path = house.database.path().unwrap();
    let backup = path.with_extension("backup");
    house.storage.backup(&backup).await.unwrap();
    for file in [path.clone(), path.with_extension("db-wal"), backup] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", file.display());
    }
}
