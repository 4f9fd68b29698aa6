//! A call that arrives twice makes one row (§5.5).

use std::sync::Arc;

use serde_json::{Value, json};
use testkit::TestEngine;

use crate::story::Story;

storage::on_both_engines! {
    a_retry_answers_with_the_first_row,
    two_coffees_a_day_are_two_rows_and_a_retry_is_one,
    o1_a_key_lives_a_day_and_no_longer,
    o4_a_failed_call_stores_nothing_and_a_replay_is_created_all_the_same,
    o5_a_key_belongs_to_one_person,
    o6_eight_equal_calls_at_once_make_one_row,
    a_given_key_with_another_meal_is_refused,
    a_row_that_is_gone_is_logged_anew,
    b3_a_second_equal_helping_is_a_row_of_its_own,
    a_replay_shows_the_row_as_it_is_now,
    a_weigh_in_ignores_keys,
}

fn lunch() -> Value {
    json!({"eaten_at": "2026-05-25T12:30:00", "kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18})
}

fn coffee() -> Value {
    json!({"name": "coffee", "kcal": 20, "protein_g": 1, "carb_g": 1.5, "fat_g": 1})
}

fn keyed(mut input: Value, key: &str) -> Value {
    input["idempotency_key"] = json!(key);
    input
}

async fn meals(story: &Story) -> Value {
    story.call("get_meals", json!({})).await["total"].clone()
}

async fn a_retry_answers_with_the_first_row(engine: TestEngine) {
    let story = Story::new(engine).await;
    let first = story.call("log_meal", lunch()).await;
    story.pass(3600);
    let second = story.call("log_meal", lunch()).await;
    assert_eq!((first.get("replayed"), &second["replayed"]), (None, &json!(true)));
    for same in ["id", "change_id", "undo", "summary", "day_totals", "eaten_at", "slot"] {
        assert_eq!(first[same], second[same], "{same}");
    }
    assert_eq!(meals(&story).await, 1);
}

async fn two_coffees_a_day_are_two_rows_and_a_retry_is_one(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.call("log_meal", coffee()).await;
    story.pass(9 * 60);
    assert_eq!(story.call("log_meal", coffee()).await["replayed"], true);
    story.pass(2 * 60);
    let second = story.call("log_meal", coffee()).await;
    assert_eq!((second.get("replayed"), &second["day_totals"]["kcal"]), (None, &json!(40)));
    let mut yesterday = coffee();
    yesterday["eaten_at"] = json!("2026-05-24");
    story.call("log_meal", yesterday.clone()).await;
    story.pass(11 * 60);
    assert_eq!(story.call("log_meal", yesterday).await["day_totals"]["kcal"], 40, "a date alone is no clock time");
}

async fn o1_a_key_lives_a_day_and_no_longer(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.call("log_meal", keyed(lunch(), "k")).await;
    story.pass(24 * 3600 - 1);
    assert_eq!(story.call("log_meal", keyed(lunch(), "k")).await["replayed"], true);
    story.pass(2);
    let late = story.call("log_meal", keyed(lunch(), "k")).await;
    assert_eq!((late.get("replayed"), &late["day_totals"]["kcal"]), (None, &json!(1000)));
}

async fn o4_a_failed_call_stores_nothing_and_a_replay_is_created_all_the_same(engine: TestEngine) {
    let story = Story::new(engine).await;
    let mut wrong = keyed(lunch(), "k");
    wrong["eaten_at"] = json!("2026-05-26T12:30");
    story.refused("log_meal", wrong).await;
    let first = story.answer("log_meal", keyed(lunch(), "k"), None).await.unwrap();
    let again = story.answer("log_meal", keyed(lunch(), "k"), None).await.unwrap();
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!((first.body.get("replayed"), &again.body["replayed"]), (None, &json!(true)));
}

async fn o5_a_key_belongs_to_one_person(engine: TestEngine) {
    let mut story = Story::new(engine).await;
    let robins = story.call("log_meal", keyed(lunch(), "k")).await;
    story.as_sam();
    let sams = story.call("log_meal", keyed(lunch(), "k")).await;
    assert_ne!(robins["id"], sams["id"]);
    assert_eq!((sams.get("replayed"), &sams["day_totals"]["kcal"]), (None, &json!(500)));
}

async fn o6_eight_equal_calls_at_once_make_one_row(engine: TestEngine) {
    let story = Arc::new(Story::new(engine).await);
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let story = story.clone();
            tokio::spawn(async move { story.call("log_meal", lunch()).await })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    assert_eq!(answers.iter().filter(|answer| answer.get("replayed") == Some(&json!(true))).count(), 7);
    for answer in &answers {
        assert_eq!((&answer["id"], &answer["day_totals"]), (&answers[0]["id"], &answers[0]["day_totals"]));
    }
    assert_eq!(meals(&story).await, 1);
}

async fn a_given_key_with_another_meal_is_refused(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.answer("log_meal", lunch(), Some("header")).await.unwrap();
    let mut other = lunch();
    other["kcal"] = json!(501);
    let failure = story.answer("log_meal", other, Some("header")).await.unwrap_err();
    assert_eq!((&failure.body(0)["error"], failure.status()), (&json!("key_reused"), 409));
    assert_eq!(meals(&story).await, 1);
}

async fn a_row_that_is_gone_is_logged_anew(engine: TestEngine) {
    let story = Story::new(engine).await;
    let first = story.call("log_meal", lunch()).await;
    story.call("delete_meal", json!({"meal_id": first["id"], "confirm": true})).await;
    let second = story.call("log_meal", lunch()).await;
    assert_ne!(first["id"], second["id"]);
    story.undo(second["change_id"].as_i64().unwrap()).await;
    let third = story.call("log_meal", lunch()).await;
    assert_eq!((third.get("replayed"), &third["day_totals"]["kcal"]), (None, &json!(500)));
}

async fn b3_a_second_equal_helping_is_a_row_of_its_own(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.call("log_meal", lunch()).await;
    let mut second = lunch();
    second["allow_duplicate"] = json!(true);
    let answer = story.call("log_meal", second).await;
    assert_eq!((answer.get("replayed"), &answer["day_totals"]["kcal"]), (None, &json!(1000)));
}

async fn a_replay_shows_the_row_as_it_is_now(engine: TestEngine) {
    let story = Story::new(engine).await;
    let first = story.call("log_meal", lunch()).await;
    story.call("update_meal", json!({"meal_id": first["id"], "scale": 0.5})).await;
    let replay = story.call("log_meal", lunch()).await;
    assert_eq!((&replay["id"], &replay["day_totals"]["kcal"]), (&first["id"], &json!(250)));
    assert!(replay["summary"].as_str().unwrap().contains("250 kcal logged, 12.5p / 25c / 9f"));
}

async fn a_weigh_in_ignores_keys(engine: TestEngine) {
    let story = Story::new(engine).await;
    for kg in [80.0, 79.5, 80.0] {
        story.answer("log_weight", json!({"weight": kg}), Some("same")).await.unwrap();
    }
    let trend = story.call("get_weight_trend", json!({"from_days_ago": 1})).await;
    assert_eq!(trend["points"][0]["raw_kg"], 80);
}
