use storage::{ChangedRow, Error, Undone, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    undoing_an_insert_removes_the_row,
    undoing_an_update_brings_every_column_back_and_moves_the_version_on,
    undoing_a_delete_brings_the_row_back_under_its_id,
    undoing_an_undo_restores_what_it_took_back,
    a_row_changed_since_is_a_conflict_that_names_the_later_changes,
    an_undo_with_a_conflict_writes_nothing,
    a_shelf_and_its_items_come_back_together,
    a_parent_made_by_the_change_goes_after_its_children_have_moved,
    a_row_that_refers_to_one_that_should_go_is_named,
    a_taken_unique_name_is_named,
    a_parent_that_is_gone_is_named,
    several_changes_are_undone_as_one,
    an_unknown_change_is_not_undoable,
    what_one_change_did_to_a_row_twice_is_folded,
}

async fn undoing_an_insert_removes_the_row(engine: TestEngine) {
    let house = house(engine).await;
    let inserting =
        house.change(ANA, "add_item", |tx| Box::pin(async move { new_item(tx, ANA, None, 1).await.map(drop) }));
    let change = inserting.await.unwrap();
    let (undone, _) = house.undo(ANA, change, at(9)).await;
    let Undone::Restored(rows) = undone else { panic!("{undone:?}") };
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].entity, rows[0].after.clone()), ("item", None));
    assert!(house.rows(&ITEMS, ANA).await.is_empty());
}

async fn undoing_an_update_brings_every_column_back_and_moves_the_version_on(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let before = house.rows(&ITEMS, ANA).await;
    let change = set_quantity(&house, item, 50).await;
    house.undo(ANA, change, at(9)).await;
    let after = house.rows(&ITEMS, ANA).await;
    assert_eq!(after[0].0[3..], before[0].0[3..]);
    assert_eq!(after[0].get::<i64>(1).unwrap(), 3, "version 1, changed 2, undone 3");
    assert_eq!(after[0].get::<i64>(2).unwrap(), at(9).micros());
}

async fn set_quantity(house: &House, item: i64, quantity: i64) -> i64 {
    let changing = house.change(ANA, "set_quantity", move |tx| {
        Box::pin(async move { tx.execute(&SET_QUANTITY, &params![ANA, item, quantity, at(4)]).await.map(drop) })
    });
    changing.await.unwrap()
}

async fn delete_item(house: &House, item: i64) -> i64 {
    let deleting = house.change(ANA, "delete_item", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_ITEM, &params![ANA, item]).await.map(drop) })
    });
    deleting.await.unwrap()
}

async fn undoing_a_delete_brings_the_row_back_under_its_id(engine: TestEngine) {
    let house = house(engine).await;
    let shelf = house.shelf(ANA, "top").await;
    let item = house.item(ANA, Some(shelf), 7).await;
    let before = house.rows(&ITEMS, ANA).await;
    let deletion = delete_item(&house, item).await;
    let (undone, _) = house.undo(ANA, deletion, at(9)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    let after = house.rows(&ITEMS, ANA).await;
    assert_eq!((after[0].0[0].clone(), &after[0].0[3..]), (before[0].0[0].clone(), &before[0].0[3..]));
    assert_eq!(after[0].get::<i64>(1).unwrap(), 2, "a stale version 1 never passes");
}

async fn undoing_an_undo_restores_what_it_took_back(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let change = set_quantity(&house, item, 50).await;
    let (_, undo) = house.undo(ANA, change, at(8)).await;
    assert_eq!(undone_by(&house, change).await, Some(undo));
    let (undone, redo) = house.undo(ANA, undo, at(9)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    assert_eq!(house.integer(&SUM, ANA).await, 50);
    assert_eq!((undone_by(&house, undo).await, undone_by(&house, change).await), (Some(redo), None));
    let (undone, _) = house.undo(ANA, change, at(10)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    assert_eq!(house.integer(&SUM, ANA).await, 1);
}

async fn undone_by(house: &House, change: i64) -> Option<i64> {
    let entry = house.storage.read(as_job(move |tx| Box::pin(async move { tx.change_entry(ANA, change).await })));
    entry.await.unwrap().expect("the change is kept").undone_by
}

async fn a_row_changed_since_is_a_conflict_that_names_the_later_changes(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let first = set_quantity(&house, item, 2).await;
    let second = set_quantity(&house, item, 3).await;
    let third = set_quantity(&house, item, 4).await;
    let (undone, _) = house.undo(ANA, first, at(9)).await;
    let Undone::Conflicts(conflicts) = undone else { panic!("{undone:?}") };
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].later_changes, [second, third]);
    assert_eq!(quantity(&conflicts[0].row), (Some(1), Some(2)));
    assert_eq!(conflicts[0].now.as_ref().unwrap()["quantity"], 4);
    let (undone, _) = house.undo(ANA, third, at(9)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    let (undone, _) = house.undo(ANA, second, at(9)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    let (undone, _) = house.undo(ANA, first, at(9)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    assert_eq!(house.integer(&SUM, ANA).await, 1);
}

fn quantity(row: &ChangedRow) -> (Option<i64>, Option<i64>) {
    let of = |image: &Option<storage::RowImage>| image.as_ref().and_then(|image| image["quantity"].as_i64());
    (of(&row.before), of(&row.after))
}

async fn an_undo_with_a_conflict_writes_nothing(engine: TestEngine) {
    let house = house(engine).await;
    let (first, second) = (house.item(ANA, None, 1).await, house.item(ANA, None, 2).await);
    let adding = house.change(ANA, "add_to_all", |tx| {
        Box::pin(async move { tx.execute(&ADD_TO_ALL, &params![ANA, 10, at(5)]).await.map(drop) })
    });
    let change = adding.await.unwrap();
    set_quantity(&house, second, 0).await;
    let images = house.rows(&IMAGES, ANA).await.len();
    let (undone, _) = house.undo(ANA, change, at(9)).await;
    assert!(matches!(undone, Undone::Conflicts(_)), "{undone:?}");
    assert_eq!(house.rows(&IMAGES, ANA).await.len(), images);
    assert_eq!(house.rows(&ITEMS, ANA).await[0].get::<i64>(5).unwrap(), 11, "item {first} stays");
}

async fn a_shelf_and_its_items_come_back_together(engine: TestEngine) {
    let house = house(engine).await;
    let shelf = house.shelf(ANA, "top").await;
    for quantity in 1..=3 {
        house.item(ANA, Some(shelf), quantity).await;
    }
    let clearing = house.change(ANA, "remove_shelf", move |tx| {
        Box::pin(async move {
            tx.execute(&DELETE_ITEMS_OF, &params![ANA, shelf]).await?;
            tx.execute(&DELETE_SHELF, &params![ANA, shelf]).await.map(drop)
        })
    });
    let change = clearing.await.unwrap();
    let (undone, undo) = house.undo(ANA, change, at(9)).await;
    assert!(matches!(&undone, Undone::Restored(rows) if rows.len() == 4), "{undone:?}");
    assert_eq!(house.integer(&SUM, ANA).await, 6);
    assert_eq!(house.rows(&SHELVES, ANA).await.len(), 1);
    let (undone, _) = house.undo(ANA, undo, at(10)).await;
    assert!(matches!(&undone, Undone::Restored(rows) if rows.len() == 4), "{undone:?}");
    assert!(house.rows(&SHELVES, ANA).await.is_empty());
}

/// The update has to come before the delete, although deletes usually come first.
async fn a_parent_made_by_the_change_goes_after_its_children_have_moved(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let moving = house.change(ANA, "tidy", move |tx| {
        Box::pin(async move {
            let shelf = new_shelf(tx, ANA, "new").await?;
            tx.execute(&MOVE_ITEM, &params![ANA, item, shelf, at(2)]).await.map(drop)
        })
    });
    let change = moving.await.unwrap();
    let (undone, _) = house.undo(ANA, change, at(9)).await;
    assert!(matches!(&undone, Undone::Restored(rows) if rows.len() == 2), "{undone:?}");
    assert!(house.rows(&SHELVES, ANA).await.is_empty());
    assert_eq!(house.rows(&ITEMS, ANA).await[0].get::<Option<i64>>(3).unwrap(), None);
}

async fn a_row_that_refers_to_one_that_should_go_is_named(engine: TestEngine) {
    let house = house(engine).await;
    let adding =
        house.change(ANA, "add_shelf", |tx| Box::pin(async move { new_shelf(tx, ANA, "top").await.map(drop) }));
    let change = adding.await.unwrap();
    let shelf = house.rows(&SHELVES, ANA).await[0].get::<i64>(0).unwrap();
    let item = house.item(ANA, Some(shelf), 1).await;
    let (undone, _) = house.undo(ANA, change, at(9)).await;
    let Undone::Conflicts(conflicts) = undone else { panic!("{undone:?}") };
    assert_eq!((conflicts[0].row.entity, conflicts[0].row.id), ("item", item));
    assert_eq!(conflicts[0].now.as_ref().unwrap()["shelf_id"], shelf);
    assert_eq!(conflicts[0].later_changes.len(), 1);

    let labelling =
        house.storage.write(plainly(ANA), as_job(move |tx| Box::pin(async move { new_sticker(tx, ANA, item).await })));
    let sticker = labelling.await.unwrap();
    let item_change = conflicts[0].later_changes[0];
    let (undone, _) = house.undo(ANA, item_change, at(9)).await;
    let Undone::Conflicts(conflicts) = undone else { panic!("{undone:?}") };
    assert_eq!((conflicts[0].row.entity, conflicts[0].row.id), ("sticker", sticker));
}

async fn a_taken_unique_name_is_named(engine: TestEngine) {
    let house = house(engine).await;
    let shelf = house.shelf(ANA, "Top").await;
    let deleting = house.change(ANA, "delete_shelf", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_SHELF, &params![ANA, shelf]).await.map(drop) })
    });
    let change = deleting.await.unwrap();
    let other = house.shelf(ANA, "TOP").await;
    house.shelf(BEN, "top").await;
    let (undone, _) = house.undo(ANA, change, at(9)).await;
    let Undone::Conflicts(conflicts) = undone else { panic!("{undone:?}") };
    assert_eq!(conflicts.len(), 1);
    assert_eq!((conflicts[0].row.entity, conflicts[0].row.id), ("shelf", other));
    assert_eq!(conflicts[0].now.as_ref().unwrap()["name"], "TOP");

    let renaming = house.change(ANA, "rename_shelf", move |tx| {
        Box::pin(async move { tx.execute(&RENAME_SHELF, &params![ANA, other, "low", "low", at(3)]).await.map(drop) })
    });
    let renamed = renaming.await.unwrap();
    assert!(matches!(house.undo(ANA, change, at(9)).await.0, Undone::Restored(_)));
    let (undone, _) = house.undo(ANA, renamed, at(9)).await;
    let Undone::Conflicts(conflicts) = undone else { panic!("{undone:?}") };
    assert_eq!((conflicts[0].row.entity, conflicts[0].row.id), ("shelf", shelf), "an update meets the name too");
}

async fn a_parent_that_is_gone_is_named(engine: TestEngine) {
    let house = house(engine).await;
    let shelf = house.shelf(ANA, "top").await;
    let item = house.item(ANA, Some(shelf), 1).await;
    let deletion = delete_item(&house, item).await;
    let deleting = house.change(ANA, "delete_shelf", move |tx| {
        Box::pin(async move { tx.execute(&DELETE_SHELF, &params![ANA, shelf]).await.map(drop) })
    });
    let later = deleting.await.unwrap();
    let (undone, _) = house.undo(ANA, deletion, at(9)).await;
    let Undone::Conflicts(conflicts) = undone else { panic!("{undone:?}") };
    assert_eq!((conflicts[0].row.entity, conflicts[0].row.id), ("shelf", shelf));
    assert_eq!((conflicts[0].now.clone(), conflicts[0].later_changes.clone()), (None, vec![later]));
}

async fn several_changes_are_undone_as_one(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let first = set_quantity(&house, item, 2).await;
    let second = set_quantity(&house, item, 3).await;
    let undoing = house.change(ANA, "undo_changes", move |tx| {
        Box::pin(async move {
            for change in [second, first] {
                let undone = tx.undo(ANA, change, at(9)).await?;
                assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
            }
            Ok(())
        })
    });
    let undo = undoing.await.unwrap();
    assert_eq!(house.integer(&SUM, ANA).await, 1);
    assert_eq!((undone_by(&house, first).await, undone_by(&house, second).await), (Some(undo), Some(undo)));
    let (undone, _) = house.undo(ANA, undo, at(10)).await;
    assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    assert_eq!(house.integer(&SUM, ANA).await, 3);
    assert_eq!((undone_by(&house, first).await, undone_by(&house, second).await), (None, None));
}

async fn an_unknown_change_is_not_undoable(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(BEN, None, 1).await;
    let images = house.rows(&IMAGES, BEN).await;
    let of_ben: i64 = images[0].get(2).unwrap();
    assert!(matches!(house.undo(ANA, of_ben, at(9)).await.0, Undone::NotUndoable(_)));
    assert!(matches!(house.undo(ANA, 123_456, at(9)).await.0, Undone::NotUndoable(_)));
    let without_change =
        house.storage.write(plainly(ANA), as_job(move |tx| Box::pin(async move { tx.undo(ANA, item, at(9)).await })));
    assert!(matches!(without_change.await, Err(Error::Internal(_))));
}

async fn what_one_change_did_to_a_row_twice_is_folded(engine: TestEngine) {
    let house = house(engine).await;
    let item = house.item(ANA, None, 1).await;
    let changing = house.change(ANA, "twice", move |tx| {
        Box::pin(async move {
            tx.execute(&SET_QUANTITY, &params![ANA, item, 5, at(1)]).await?;
            tx.execute(&SET_QUANTITY, &params![ANA, item, 6, at(1)]).await?;
            let passing = new_item(tx, ANA, None, 99).await?;
            tx.execute(&DELETE_ITEM, &params![ANA, passing]).await.map(drop)
        })
    });
    let change = changing.await.unwrap();
    let reading = house.storage.read(as_job(move |tx| Box::pin(async move { tx.changed_rows(ANA, change).await })));
    let rows = reading.await.unwrap();
    assert_eq!(rows.len(), 1, "a row that came and went is none: {rows:?}");
    assert_eq!(quantity(&rows[0]), (Some(1), Some(6)));
    assert!(matches!(house.undo(ANA, change, at(9)).await.0, Undone::Restored(_)));
    assert_eq!(house.integer(&SUM, ANA).await, 1);
}
