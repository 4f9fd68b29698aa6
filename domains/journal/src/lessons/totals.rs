//! Totals are the sums of rows, whatever happened to the rows.

use std::collections::BTreeMap;

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use serde_json::{Value, json};
use testkit::TestEngine;

use crate::story::Story;

storage::on_both_engines! { b14_totals_equal_the_sum_of_the_rows_after_any_writes }

/// One thing that somebody does to their meals.
#[derive(Debug, Clone)]
enum Deed {
    Log { hours_ago: i64, kcal: i64, protein_tenths: i64 },
    Scale { which: usize, hundredths: i64 },
    Move { which: usize, hours_ago: i64 },
    Delete { which: usize },
    TakeBack,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        4 => (0..80_i64, 1..2_000_i64, 0..900_i64)
            .prop_map(|(hours_ago, kcal, protein_tenths)| Deed::Log { hours_ago, kcal, protein_tenths }),
        2 => (any::<usize>(), 5..300_i64).prop_map(|(which, hundredths)| Deed::Scale { which, hundredths }),
        2 => (any::<usize>(), 0..80_i64).prop_map(|(which, hours_ago)| Deed::Move { which, hours_ago }),
        1 => any::<usize>().prop_map(|which| Deed::Delete { which }),
        2 => Just(Deed::TakeBack),
    ];
    prop::collection::vec(deed, 1..25)
}

async fn b14_totals_equal_the_sum_of_the_rows_after_any_writes(engine: TestEngine) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..6 {
        let deeds = deeds().new_tree(&mut runner).unwrap().current();
        let story = Story::new(engine).await;
        // The newest change is taken back first, so nothing stands in its way.
        let mut changes: Vec<i64> = Vec::new();
        for deed in &deeds {
            let answer = done(&story, deed, &mut changes).await;
            changes.extend(answer.and_then(|answer| answer["change_id"].as_i64()));
            agree(&story, deed).await;
        }
    }
}

/// Midnight to midnight, 80 hours back from 14:00 on the 25th.
fn time(hours_ago: i64) -> String {
    let hours = 24 * 25 + 14 - hours_ago;
    format!("2026-05-{:02}T{:02}:05", hours / 24, hours % 24)
}

async fn done(story: &Story, deed: &Deed, changes: &mut Vec<i64>) -> Option<Value> {
    let ids: Vec<i64> = story.call("get_meals", json!({"limit": 200})).await["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_i64().unwrap())
        .collect();
    let chosen = |which: usize| ids.get(which % ids.len().max(1)).copied();
    match *deed {
        Deed::Log { hours_ago, kcal, protein_tenths } => {
            let meal = json!({"eaten_at": time(hours_ago), "kcal": kcal, "protein_g": protein_tenths as f64 / 10.0,
                "carb_g": 1.5, "fat_g": 0.1, "allow_duplicate": true});
            Some(story.call("log_meal", meal).await)
        }
        Deed::Scale { which, hundredths } => {
            let update = json!({"meal_id": chosen(which)?, "scale": hundredths as f64 / 100.0});
            story.try_call("update_meal", update).await.ok()
        }
        Deed::Move { which, hours_ago } => {
            Some(story.call("update_meal", json!({"meal_id": chosen(which)?, "eaten_at": time(hours_ago)})).await)
        }
        Deed::Delete { which } => {
            Some(story.call("delete_meal", json!({"meal_id": chosen(which)?, "confirm": true})).await)
        }
        Deed::TakeBack => {
            story.undo(changes.pop()?).await;
            None
        }
    }
}

/// Range, diary and list say the same of every day.
async fn agree(story: &Story, after: &Deed) {
    let list = story.call("get_meals", json!({"limit": 200})).await;
    let mut sums: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for item in list["items"].as_array().unwrap() {
        let sum = sums.entry(item["user_date"].as_str().unwrap().to_owned()).or_default();
        let tenths = |name: &str| (item[name].as_f64().unwrap() * 10.0).round() as i64;
        *sum = (sum.0 + tenths("kcal"), sum.1 + tenths("protein_g"));
    }
    let range = story.call("get_macros_range", json!({"from_date": "2026-05-20", "to_date": "2026-05-25"})).await;
    for row in range["rows"].as_array().unwrap() {
        let (kcal, protein) = sums.remove(row["date"].as_str().unwrap()).unwrap_or_default();
        assert_eq!(row["day_totals"]["kcal"], (kcal + 5) / 10, "{after:?}: {row}");
        assert_eq!(row["day_totals"]["protein_g"].as_f64().unwrap(), protein as f64 / 10.0, "{after:?}: {row}");
        let day = story.call("get_macros_for_date", json!({"date": row["date"]})).await;
        assert_eq!(day["day_totals"], row["day_totals"]);
    }
    assert!(sums.is_empty(), "{sums:?}");
}
