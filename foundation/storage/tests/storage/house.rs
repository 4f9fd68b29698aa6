//! A small house to test in: shelves with items on them, and stickers that nobody captures.

use std::time::Duration;

use calendar::Instant;
use storage::{
    BoxFuture, Capture, Change, Error, Migration, Schema, Storage, Table, Tx, Undone, Write, fold_unique, params,
    testing::{TestDatabase, TestEngine},
};

pub const SHELF: Table = Table { name: "shelf", entity: "shelf", capture: Capture::Rows { except: &[] } };
pub const ITEM: Table = Table { name: "item", entity: "item", capture: Capture::Rows { except: &["seen_at"] } };
pub const STICKER: Table = Table { name: "sticker", entity: "sticker", capture: Capture::None };

pub const MIGRATION: Migration = Migration {
    domain: "house",
    number: 1,
    name: "shelves",
    sql: "CREATE TABLE shelf (
            owner {int} NOT NULL, id {int} NOT NULL, version {int} NOT NULL, updated_at {int} NOT NULL,
            name {text} NOT NULL, name_folded {text} NOT NULL, note {text},
            PRIMARY KEY (owner, id), UNIQUE (owner, name_folded)
        ) {strict};
        CREATE TABLE item (
            owner {int} NOT NULL, id {int} NOT NULL, version {int} NOT NULL, updated_at {int} NOT NULL,
            shelf_id {int}, label {text} NOT NULL, quantity {int} NOT NULL, seen_at {int},
            PRIMARY KEY (owner, id),
            FOREIGN KEY (owner, shelf_id) REFERENCES shelf (owner, id)
        ) {strict};
        CREATE INDEX item_shelf ON item (owner, shelf_id);
        CREATE TABLE sticker (
            owner {int} NOT NULL, id {int} NOT NULL, item_id {int} NOT NULL, weight {real}, picture {blob},
            PRIMARY KEY (owner, id),
            FOREIGN KEY (owner, item_id) REFERENCES item (owner, id)
        ) {clustered};
        CREATE INDEX sticker_item ON sticker (owner, item_id);",
};

storage::statements! {
    pub INSERT_SHELF = "INSERT INTO shelf (owner, id, version, updated_at, name, name_folded, note)
        VALUES ($1, $2, 1, $3, $4, $5, $6)";
    pub INSERT_ITEM = "INSERT INTO item (owner, id, version, updated_at, shelf_id, label, quantity)
        VALUES ($1, $2, 1, $3, $4, $5, $6)";
    pub INSERT_STICKER = "INSERT INTO sticker (owner, id, item_id, weight, picture) VALUES ($1, $2, $3, $4, $5)";
    pub RENAME_SHELF = "UPDATE shelf SET name = $3, name_folded = $4, version = version + 1, updated_at = $5
        WHERE owner = $1 AND id = $2";
    pub SET_QUANTITY = "UPDATE item SET quantity = $3, version = version + 1, updated_at = $4 WHERE owner = $1 AND id = $2";
    pub ADD_TO_ALL = "UPDATE item SET quantity = quantity + $2, version = version + 1, updated_at = $3 WHERE owner = $1";
    pub MOVE_ITEM = "UPDATE item SET shelf_id = $3, version = version + 1, updated_at = $4 WHERE owner = $1 AND id = $2";
    pub SEE_ITEM = "UPDATE item SET seen_at = $3 WHERE owner = $1 AND id = $2";
    pub DELETE_ITEM = "DELETE FROM item WHERE owner = $1 AND id = $2";
    pub DELETE_ITEMS_OF = "DELETE FROM item WHERE owner = $1 AND shelf_id = $2";
    pub DELETE_SHELF = "DELETE FROM shelf WHERE owner = $1 AND id = $2";
    pub QUANTITY = "SELECT quantity FROM item WHERE owner = $1 AND id = $2";
    pub SUM = "SELECT CAST(coalesce(sum(quantity), 0) AS BIGINT) AS total FROM item WHERE owner = $1";
    pub SHELVES = "SELECT id, version, updated_at, name, name_folded, note FROM shelf WHERE owner = $1 ORDER BY id";
    pub ITEMS = "SELECT id, version, updated_at, shelf_id, label, quantity FROM item WHERE owner = $1 ORDER BY id";
    pub IMAGES = "SELECT tbl, row_id, change_id, before_image FROM change_row WHERE owner = $1 ORDER BY id";
}

pub fn schema() -> Schema {
    Schema { tables: vec![SHELF, ITEM, STICKER], migrations: vec![MIGRATION] }
}

/// An open database of the house.
pub struct House {
    pub storage: Storage,
    pub database: TestDatabase,
}

pub async fn house(engine: TestEngine) -> House {
    let database = TestDatabase::create(engine).await;
    let storage = database.open(schema()).await.unwrap();
    House { storage, database }
}

pub const ANA: i64 = 1;
pub const BEN: i64 = 2;

pub fn at(seconds: i64) -> Instant {
    Instant::from_micros(1_780_000_000_000_000).plus_seconds(seconds)
}

pub fn plainly(owner: i64) -> Write {
    Write { owner, change: false, call_id: None, deadline: Duration::from_secs(30) }
}

pub fn captured(owner: i64) -> Write {
    Write { change: true, ..plainly(owner) }
}

impl House {
    /// Runs `job` as one change of `owner`, recorded as `operation`, and answers the change's id.
    pub async fn change<J>(&self, owner: i64, operation: &'static str, job: J) -> Result<i64, Error>
    where
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<(), Error>> + Send + Sync + Clone + 'static,
    {
        let recorded = as_job(move |tx| {
            let job = job.clone();
            Box::pin(async move {
                job(tx).await?;
                record(tx, owner, operation, at(0)).await
            })
        });
        self.storage.write(captured(owner), recorded).await
    }

    pub async fn shelf(&self, owner: i64, name: &'static str) -> i64 {
        let change = self.storage.write(
            captured(owner),
            as_job(move |tx| {
                Box::pin(async move {
                    let id = new_shelf(tx, owner, name).await?;
                    record(tx, owner, "add_shelf", at(0)).await?;
                    Ok::<_, Error>(id)
                })
            }),
        );
        change.await.unwrap()
    }

    pub async fn item(&self, owner: i64, shelf: Option<i64>, quantity: i64) -> i64 {
        let change = self.storage.write(
            captured(owner),
            as_job(move |tx| {
                Box::pin(async move {
                    let id = new_item(tx, owner, shelf, quantity).await?;
                    record(tx, owner, "add_item", at(0)).await?;
                    Ok::<_, Error>(id)
                })
            }),
        );
        change.await.unwrap()
    }

    /// Undoes `change` as a change of its own; what is not undone leaves nothing.
    pub async fn undo(&self, owner: i64, change: i64, now: Instant) -> (Undone, i64) {
        let undoing = self.storage.write(
            captured(owner),
            as_job(move |tx| {
                Box::pin(async move {
                    let undone = tx.undo(owner, change, now).await?;
                    let id = record(tx, owner, "undo_change", now).await?;
                    Ok::<_, Error>((undone, id))
                })
            }),
        );
        undoing.await.unwrap()
    }

    pub async fn rows(&self, sql: &'static storage::Sql, owner: i64) -> Vec<storage::Row> {
        let reading = self.storage.read(as_job(move |tx| Box::pin(async move { tx.rows(sql, &params![owner]).await })));
        reading.await.unwrap()
    }

    pub async fn integer(&self, sql: &'static storage::Sql, owner: i64) -> i64 {
        self.rows(sql, owner).await[0].get(0).unwrap()
    }
}

/// Helps the compiler see a closure as a job.
pub fn as_job<R, E, J>(job: J) -> J
where
    J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
{
    job
}

pub async fn record(tx: &mut Tx, owner: i64, operation: &str, now: Instant) -> Result<i64, Error> {
    let change = Change {
        owner,
        id: tx.change().expect("a change"),
        at: now,
        operation: operation.to_owned(),
        area: "house".to_owned(),
        actor_kind: "token".to_owned(),
        actor_id: 7,
        actor_name: "a test".to_owned(),
        source: "api".to_owned(),
        summary: format!("{operation} was called"),
    };
    tx.record_change(&change).await?;
    Ok(change.id)
}

pub async fn new_shelf(tx: &mut Tx, owner: i64, name: &str) -> Result<i64, Error> {
    let id = tx.new_id("shelf").await?;
    tx.execute(&INSERT_SHELF, &params![owner, id, at(0), name, fold_unique(name), None::<String>]).await?;
    Ok(id)
}

pub async fn new_item(tx: &mut Tx, owner: i64, shelf: Option<i64>, quantity: i64) -> Result<i64, Error> {
    let id = tx.new_id("item").await?;
    tx.execute(&INSERT_ITEM, &params![owner, id, at(0), shelf, "jar", quantity]).await?;
    Ok(id)
}

pub async fn new_sticker(tx: &mut Tx, owner: i64, item: i64) -> Result<i64, Error> {
    let id = tx.new_id("sticker").await?;
    tx.execute(&INSERT_STICKER, &params![owner, id, item, 1.5, vec![0_u8, 255]]).await?;
    Ok(id)
}
