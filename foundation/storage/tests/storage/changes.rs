use storage::{ChangeFilter, Undone, Write, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! {
    changes_are_listed_newest_first_in_pages,
    changes_are_filtered_by_time_actor_and_row,
    a_change_says_who_did_what_and_how_many_rows,
    an_undo_has_the_area_of_what_it_undid,
    a_pruned_change_stays_listed_and_cannot_be_undone,
    rows_of_another_owner_are_not_counted,
}

impl House {
    async fn add_item_at(&self, owner: i64, seconds: i64) -> (i64, i64) {
        let writing = self.storage.write(
            captured(owner),
            as_job(move |tx| {
                Box::pin(async move {
                    let item = new_item(tx, owner, None, 1).await?;
                    Ok::<_, storage::Error>((item, record(tx, owner, "add_item", at(seconds)).await?))
                })
            }),
        );
        writing.await.unwrap()
    }

    async fn ids(&self, filter: ChangeFilter, before: Option<i64>, limit: usize) -> Vec<i64> {
        let listing = self.storage.read(as_job(move |tx| {
            let filter = filter.clone();
            Box::pin(async move { tx.changes(ANA, &filter, before, limit).await })
        }));
        listing.await.unwrap().iter().map(|entry| entry.id).collect()
    }
}

async fn changes_are_listed_newest_first_in_pages(engine: TestEngine) {
    let house = house(engine).await;
    let mut made = Vec::new();
    for second in 0..5 {
        made.push(house.add_item_at(ANA, second).await.1);
        house.add_item_at(BEN, second).await;
    }
    made.reverse();
    let all = ChangeFilter::default;
    assert_eq!(house.ids(all(), None, 100).await, made);
    assert_eq!(house.ids(all(), None, 2).await, made[..2]);
    assert_eq!(house.ids(all(), Some(made[1]), 2).await, made[2..4]);
    assert_eq!(house.ids(all(), Some(made[4]), 2).await, Vec::<i64>::new());
    assert_eq!(house.ids(all(), Some(999_999), 2).await, Vec::<i64>::new());
}

async fn changes_are_filtered_by_time_actor_and_row(engine: TestEngine) {
    let house = house(engine).await;
    let (item, first) = house.add_item_at(ANA, 0).await;
    let (_, second) = house.add_item_at(ANA, 10).await;
    let changing = house.change(ANA, "set_quantity", move |tx| {
        Box::pin(async move { tx.execute(&SET_QUANTITY, &params![ANA, item, 5, at(4)]).await.map(drop) })
    });
    let third = changing.await.unwrap();
    house.shelf(ANA, "top").await;
    let only = |change: fn(&mut ChangeFilter)| {
        let mut filter = ChangeFilter::default();
        change(&mut filter);
        filter
    };
    assert_eq!(house.ids(only(|f| f.from = Some(at(10))), None, 9).await, [second]);
    assert_eq!(house.ids(only(|f| f.to = Some(at(10))), None, 9).await.len(), 3);
    let of_row = ChangeFilter { entity: Some("item".into()), entity_id: Some(item), ..ChangeFilter::default() };
    assert_eq!(house.ids(of_row, None, 9).await, [third, first]);
    assert_eq!(house.ids(only(|f| f.entity = Some("item".into())), None, 9).await.len(), 3);
    assert_eq!(house.ids(only(|f| f.entity = Some("cellar".into())), None, 9).await.len(), 0);
    assert_eq!(house.ids(only(|f| f.actor = Some(("token".into(), 7))), None, 9).await.len(), 4);
    assert_eq!(house.ids(only(|f| f.actor = Some(("token".into(), 8))), None, 9).await.len(), 0);
    assert_eq!(house.ids(only(|f| f.areas = Some(vec!["house".into()])), None, 9).await.len(), 4);
    assert_eq!(house.ids(only(|f| f.areas = Some(vec![])), None, 9).await.len(), 0);
}

async fn a_change_says_who_did_what_and_how_many_rows(engine: TestEngine) {
    let house = house(engine).await;
    let (_, id) = house.add_item_at(ANA, 3).await;
    let entry = house.storage.read(as_job(move |tx| Box::pin(async move { tx.change_entry(ANA, id).await })));
    let entry = entry.await.unwrap().unwrap();
    assert_eq!((entry.id, entry.at, entry.rows, entry.pruned), (id, at(3), 1, false));
    assert_eq!((entry.operation.as_str(), entry.summary.as_str()), ("add_item", "add_item was called"));
    assert_eq!((entry.actor_kind.as_str(), entry.actor_id, entry.actor_name.as_str()), ("token", 7, "a test"));
    assert_eq!((entry.areas, entry.source.as_str()), (vec!["house".to_owned()], "api"));
    let of_others = house.storage.read(as_job(move |tx| Box::pin(async move { tx.change_entry(BEN, id).await })));
    assert_eq!(of_others.await.unwrap(), None);
}

async fn an_undo_has_the_area_of_what_it_undid(engine: TestEngine) {
    let house = house(engine).await;
    let (_, id) = house.add_item_at(ANA, 3).await;
    let undoing = house.storage.write(
        captured(ANA),
        as_job(move |tx| {
            Box::pin(async move {
                tx.undo(ANA, id, at(4)).await?;
                let undo = storage::Change {
                    owner: ANA,
                    id: tx.change().unwrap(),
                    at: at(4),
                    operation: "undo_change".into(),
                    area: String::new(),
                    actor_kind: "cli".into(),
                    actor_id: 0,
                    actor_name: String::new(),
                    source: "cli".into(),
                    summary: "Undone".into(),
                };
                assert_eq!(tx.record_change(&undo).await?, 1);
                tx.change_entry(ANA, undo.id).await
            })
        }),
    );
    let entry = undoing.await.unwrap().unwrap();
    assert_eq!((entry.areas, entry.undoes), (vec!["house".to_owned()], Some(id)));
}

async fn a_pruned_change_stays_listed_and_cannot_be_undone(engine: TestEngine) {
    let house = house(engine).await;
    let (_, old) = house.add_item_at(ANA, 0).await;
    let (_, new) = house.add_item_at(ANA, 100).await;
    assert_eq!(house.storage.prune_images(at(50)).await, Ok(1));
    assert_eq!(house.storage.prune_images(at(50)).await, Ok(0), "once is enough");
    assert_eq!(house.ids(ChangeFilter::default(), None, 9).await, [new, old]);
    assert_eq!(house.rows(&IMAGES, ANA).await.len(), 1);
    assert!(matches!(house.undo(ANA, old, at(200)).await.0, Undone::NotUndoable(_)));
    assert!(matches!(house.undo(ANA, new, at(200)).await.0, Undone::Restored(_)));
}

async fn rows_of_another_owner_are_not_counted(engine: TestEngine) {
    let house = house(engine).await;
    for (also_own, expected) in [(false, 0), (true, 1)] {
        let writing = house.storage.write(
            captured(ANA),
            as_job(move |tx| {
                Box::pin(async move {
                    new_item(tx, BEN, None, 1).await?;
                    if also_own {
                        new_item(tx, ANA, None, 1).await?;
                    }
                    let id = record(tx, ANA, "add_item", at(0)).await?;
                    Ok::<_, storage::Error>(tx.change_entry(ANA, id).await?.map_or(0, |entry| entry.rows))
                })
            }),
        );
        assert_eq!(writing.await, Ok(expected));
    }
}

/// On SQLite no answer is lost, and an index by call would cost every write a page.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_call_id_is_kept_once_on_postgres() {
    let house = house(TestEngine::Postgres).await;
    let how = Write { call_id: Some(42), ..captured(ANA) };
    for first in [true, false] {
        let writing = house.storage.write(
            how,
            as_job(|tx| {
                Box::pin(async move {
                    new_item(tx, ANA, None, 1).await?;
                    record(tx, ANA, "add_item", at(0)).await
                })
            }),
        );
        assert_eq!(writing.await.is_ok(), first);
    }
    assert_eq!(house.integer(&SUM, ANA).await, 1);
}
