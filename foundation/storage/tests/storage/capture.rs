use storage::{Capture, Error, Schema, Table, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    a_captured_write_without_a_change_fails,
    inserts_updates_and_deletes_leave_before_images_of_every_row,
    bookkeeping_columns_are_neither_captured_nor_need_a_change,
    owner_and_id_of_a_captured_row_never_change,
    a_table_that_cannot_be_captured_is_refused_at_open,
    uncaptured_tables_leave_no_images,
}

storage::statements! {
    TAKE_AWAY = "UPDATE item SET owner = $2 WHERE owner = $1";
}

async fn a_captured_write_without_a_change_fails(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let inserting =
        house.storage.write(plainly(ANA), as_job(|tx| Box::pin(async move { new_item(tx, ANA, None, 1).await })));
    assert!(inserting.await.unwrap_err().to_string().contains("without a change"));
    let deleting = house.storage.write(
        plainly(ANA),
        as_job(move |tx| Box::pin(async move { tx.execute(&DELETE_ITEM, &params![ANA, item]).await })),
    );
    assert!(deleting.await.unwrap_err().to_string().contains("without a change"));
    assert_eq!(house.rows(&ITEMS, ANA).await.len(), 1);
}

async fn inserts_updates_and_deletes_leave_before_images_of_every_row(engine: TestEngine) {
    let house = house(engine).await;
    let (first, second) = (house.item(ANA, None, 1).await, house.item(ANA, None, 2).await);
    house.item(BEN, None, 9).await;
    let adding = house.change(ANA, "add_to_all", |tx| {
        Box::pin(async move { tx.execute(&ADD_TO_ALL, &params![ANA, 10, at(5)]).await.map(drop) })
    });
    let change = adding.await.unwrap();
    let deleting = house.change(ANA, "delete_item", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_ITEM, &params![ANA, second]).await.map(drop) })
    });
    let deletion = deleting.await.unwrap();
    let images = house.rows(&IMAGES, ANA).await;
    let seen: Vec<(i64, i64, Option<String>)> =
        images.iter().map(|row| (row.get(1).unwrap(), row.get(2).unwrap(), row.get(3).unwrap())).collect();
    assert_eq!(seen.len(), 5);
    assert!(seen[0].2.is_none() && seen[1].2.is_none(), "an insert has no before");
    let mut updated: Vec<i64> = seen[2..4].iter().map(|(row, ..)| *row).collect();
    updated.sort_unstable();
    assert_eq!((updated, seen[2].1, seen[3].1), (vec![first, second], change, change));
    assert_eq!((seen[4].0, seen[4].1), (second, deletion));
    let image: serde_json::Value = serde_json::from_str(seen[4].2.as_ref().unwrap()).unwrap();
    let expected = serde_json::json!({
        "version": 2, "updated_at": at(5).micros(), "shelf_id": null, "label": "jar", "quantity": 12
    });
    assert_eq!(image, expected);
}

async fn bookkeeping_columns_are_neither_captured_nor_need_a_change(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let seeing = house.storage.write(
        plainly(ANA),
        as_job(move |tx| Box::pin(async move { tx.execute(&SEE_ITEM, &params![ANA, item, at(3)]).await })),
    );
    assert_eq!(seeing.await, Ok(1));
    assert_eq!(house.rows(&IMAGES, ANA).await.len(), 1);
}

async fn owner_and_id_of_a_captured_row_never_change(engine: TestEngine) {
    let house = house(engine).await;
    house.item(ANA, None, 1).await;
    let taking = house
        .storage
        .write(captured(ANA), as_job(|tx| Box::pin(async move { tx.execute(&TAKE_AWAY, &params![ANA, BEN]).await })));
    assert!(taking.await.unwrap_err().to_string().contains("owner and id of a captured row never change"));
}

async fn a_table_that_cannot_be_captured_is_refused_at_open(engine: TestEngine) {
    let house = house(engine).await;
    house.storage.close().await.unwrap();
    let sticker = Table { name: "sticker", entity: "sticker", capture: Capture::Rows { except: &[] } };
    let refused = house.database.open(Schema { tables: vec![SHELF, ITEM, sticker], ..schema() }).await;
    let Err(Error::Internal(cause)) = refused else { panic!("it was opened") };
    assert!(cause.contains("table sticker cannot be captured"), "{cause}");
    let missing = Table { name: "cellar", entity: "cellar", capture: Capture::None };
    let refused = house.database.open(Schema { tables: vec![missing], ..schema() }).await;
    assert!(matches!(refused, Err(Error::Internal(cause)) if cause.contains("which no migration creates")));
}

async fn uncaptured_tables_leave_no_images(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let images = house.rows(&IMAGES, ANA).await.len();
    let writing = house.storage.write(
        captured(ANA),
        as_job(move |tx| {
            Box::pin(async move {
                new_sticker(tx, ANA, item).await?;
                let kept = record(tx, ANA, "stick", at(1)).await?;
                tx.change_entry(ANA, kept).await
            })
        }),
    );
    assert_eq!(writing.await, Ok(None), "a change without captured rows is not recorded");
    assert_eq!(house.rows(&IMAGES, ANA).await.len(), images);
}
