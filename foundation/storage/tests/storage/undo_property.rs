//! undo ∘ do restores every column but `version` and `updated_at`, which only move forward.

use std::sync::atomic::{AtomicI64, Ordering};

use proptest::{prelude::*, test_runner::TestRunner};
use storage::{Error, Row, Tx, Undone, on_both_engines, params, testing::TestEngine};

use crate::house::*;

on_both_engines! { undo_takes_back_whatever_a_change_did }

/// One statement of a change; numbers pick among the rows there are.
#[derive(Debug, Clone, Copy)]
enum Act {
    AddShelf(u8),
    AddItem(Option<u8>, i64),
    SetQuantity(u8, i64),
    AddToAll(i64),
    MoveItem(u8, Option<u8>),
    RenameShelf(u8, u8),
    DeleteItem(u8),
    ClearShelf(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let shelf = || prop::option::of(any::<u8>());
    prop_oneof![
        any::<u8>().prop_map(Act::AddShelf),
        (shelf(), -5..100_i64).prop_map(|(shelf, quantity)| Act::AddItem(shelf, quantity)),
        (any::<u8>(), -5..100_i64).prop_map(|(item, quantity)| Act::SetQuantity(item, quantity)),
        (-3..4_i64).prop_map(Act::AddToAll),
        (any::<u8>(), shelf()).prop_map(|(item, shelf)| Act::MoveItem(item, shelf)),
        (any::<u8>(), any::<u8>()).prop_map(|(shelf, name)| Act::RenameShelf(shelf, name)),
        any::<u8>().prop_map(Act::DeleteItem),
        any::<u8>().prop_map(Act::ClearShelf),
    ]
}

async fn ids(tx: &mut Tx, owner: i64) -> Result<(Vec<i64>, Vec<i64>), Error> {
    let ids = |rows: Vec<Row>| rows.iter().map(|row| row.get(0)).collect::<Result<Vec<i64>, _>>();
    Ok((ids(tx.rows(&SHELVES, &params![owner]).await?)?, ids(tx.rows(&ITEMS, &params![owner]).await?)?))
}

fn pick(ids: &[i64], number: u8) -> Option<i64> {
    (!ids.is_empty()).then(|| ids[usize::from(number) % ids.len()])
}

/// Does what can be done; a name that is taken or a row that is not there is skipped.
async fn perform(tx: &mut Tx, owner: i64, act: Act, names: &AtomicI64) -> Result<(), Error> {
    let (shelves, items) = ids(tx, owner).await?;
    let fresh = |name: u8| format!("{name}-{}", names.fetch_add(1, Ordering::Relaxed));
    match act {
        Act::AddShelf(name) => drop(new_shelf(tx, owner, &fresh(name)).await?),
        Act::AddItem(shelf, quantity) => {
            let shelf = shelf.and_then(|number| pick(&shelves, number));
            new_item(tx, owner, shelf, quantity).await?;
        }
        Act::SetQuantity(item, quantity) => {
            let Some(item) = pick(&items, item) else { return Ok(()) };
            tx.execute(&SET_QUANTITY, &params![owner, item, quantity, at(1)]).await?;
        }
        Act::AddToAll(more) => drop(tx.execute(&ADD_TO_ALL, &params![owner, more, at(1)]).await?),
        Act::MoveItem(item, shelf) => {
            let Some(item) = pick(&items, item) else { return Ok(()) };
            let shelf = shelf.and_then(|number| pick(&shelves, number));
            tx.execute(&MOVE_ITEM, &params![owner, item, shelf, at(1)]).await?;
        }
        Act::RenameShelf(shelf, name) => {
            let Some(shelf) = pick(&shelves, shelf) else { return Ok(()) };
            let name = fresh(name);
            tx.execute(&RENAME_SHELF, &params![owner, shelf, &name, &name, at(1)]).await?;
        }
        Act::DeleteItem(item) => {
            let Some(item) = pick(&items, item) else { return Ok(()) };
            tx.execute(&DELETE_ITEM, &params![owner, item]).await?;
        }
        Act::ClearShelf(shelf) => {
            let Some(shelf) = pick(&shelves, shelf) else { return Ok(()) };
            tx.execute(&DELETE_ITEMS_OF, &params![owner, shelf]).await?;
            tx.execute(&DELETE_SHELF, &params![owner, shelf]).await?;
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq)]
struct State {
    shelves: Vec<Row>,
    items: Vec<Row>,
}

impl House {
    async fn state(&self, owner: i64) -> State {
        State { shelves: self.rows(&SHELVES, owner).await, items: self.rows(&ITEMS, owner).await }
    }

    async fn perform(&self, owner: i64, acts: Vec<Act>) -> i64 {
        static NAMES: AtomicI64 = AtomicI64::new(0);
        let doing = self.change(owner, "acts", move |tx| {
            let acts = acts.clone();
            Box::pin(async move {
                for act in acts {
                    perform(tx, owner, act, &NAMES).await?;
                }
                Ok(())
            })
        });
        doing.await.unwrap()
    }
}

/// The state without `version` and `updated_at`, which are columns 1 and 2.
fn apart(state: &State) -> Vec<Vec<storage::Value>> {
    let all = state.shelves.iter().chain(&state.items);
    all.map(|row| [&row.0[..1], &row.0[3..]].concat()).collect()
}

fn versions_moved_on(before: &State, after: &State) -> bool {
    let moved = |before: &[Row], after: &[Row]| {
        before.iter().all(|old| {
            let new = after.iter().find(|new| new.0[0] == old.0[0]);
            new.is_none_or(|new| new.get::<i64>(1).unwrap() >= old.get::<i64>(1).unwrap())
        })
    };
    moved(&before.shelves, &after.shelves) && moved(&before.items, &after.items)
}

async fn undo_takes_back_whatever_a_change_did(engine: TestEngine) {
    let house = house(engine).await;
    let handle = tokio::runtime::Handle::current();
    let cases = if engine == TestEngine::Sqlite { 120 } else { 25 };
    let owners = AtomicI64::new(100);
    let changes = prop::collection::vec(prop::collection::vec(act(), 1..7), 1..5);
    let property = move || {
        let mut runner =
            TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
        runner.run(&changes, |changes| {
            let owner = owners.fetch_add(1, Ordering::Relaxed);
            handle.block_on(check(&house, owner, changes))
        })
    };
    tokio::task::spawn_blocking(property).await.unwrap().unwrap();
}

/// Does all changes, then undoes them newest first, then undoes the last undo.
async fn check(house: &House, owner: i64, changes: Vec<Vec<Act>>) -> Result<(), TestCaseError> {
    let mut done = Vec::new();
    for acts in changes {
        let before = house.state(owner).await;
        let change = house.perform(owner, acts).await;
        done.push((change, before));
    }
    while let Some((change, before)) = done.pop() {
        let left = house.state(owner).await;
        if apart(&left) == apart(&before) {
            continue;
        }
        let (undone, undo) = house.undo(owner, change, at(7)).await;
        prop_assert!(matches!(undone, Undone::Restored(_)), "{:?}", undone);
        let now = house.state(owner).await;
        prop_assert_eq!(apart(&now), apart(&before));
        prop_assert!(versions_moved_on(&left, &now));
        if done.len() % 2 == 0 {
            let (undone, redo) = house.undo(owner, undo, at(8)).await;
            prop_assert!(matches!(undone, Undone::Restored(_)), "{:?}", undone);
            let again = house.state(owner).await;
            prop_assert_eq!(apart(&again), apart(&left));
            prop_assert!(versions_moved_on(&now, &again));
            let (undone, _) = house.undo(owner, redo, at(9)).await;
            prop_assert!(matches!(undone, Undone::Restored(_)), "{:?}", undone);
            prop_assert_eq!(apart(&house.state(owner).await), apart(&before));
        }
    }
    Ok(())
}
