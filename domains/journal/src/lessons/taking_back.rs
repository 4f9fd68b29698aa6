//! Undo ∘ do restores every column but `version` and `updated_at`.

use serde_json::{Value, json};
use testkit::TestEngine;

use crate::story::Story;

storage::on_both_engines! {
    every_write_of_a_meal_can_be_taken_back,
    every_write_of_a_weight_can_be_taken_back,
    a_mark_can_be_taken_back,
    a_deleted_meal_comes_back_under_its_id_and_can_be_deleted_again,
    an_old_version_never_passes_after_an_undo,
}

fn change(answer: &Value) -> i64 {
    answer["change_id"].as_i64().unwrap()
}

/// The rows of a list without their version.
async fn rows(story: &Story, operation: &str, list: &str) -> Value {
    let mut rows = story.call(operation, json!({})).await[list].clone();
    for row in rows.as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("version");
    }
    rows
}

async fn every_write_of_a_meal_can_be_taken_back(engine: TestEngine) {
    let story = Story::new(engine).await;
    let pizza = json!({"eaten_at": "2026-05-24T19:00", "name": "Pizzá", "kcal": 800, "protein_g": 33, "carb_g": 90,
        "fat_g": 34.5, "fiber_g": 0, "notes": "two\nslices"});
    story.call("log_meal", pizza).await;
    for (operation, input) in [
        ("log_meal", json!({"kcal": 100, "protein_g": 0, "carb_g": 25, "fat_g": 0})),
        ("update_meal", json!({"meal_id": 1, "scale": 0.5})),
        ("update_meal", json!({"meal_id": 1, "eaten_at": "2026-05-23", "clear": ["name", "notes", "fiber_g"]})),
        ("delete_meal", json!({"meal_id": 1, "confirm": true})),
    ] {
        let before = rows(&story, "get_meals", "items").await;
        let answer = story.call(operation, input).await;
        assert_eq!(answer["undo"], json!({"tool": "undo_change", "change_id": answer["change_id"]}));
        assert_ne!(rows(&story, "get_meals", "items").await, before);
        story.undo(change(&answer)).await;
        assert_eq!(rows(&story, "get_meals", "items").await, before, "{operation}");
    }
    let found = story.call("search_meals", json!({"query": "pizza slices"})).await;
    assert_eq!(found["total"], 1, "what is searched came back, too");
}

async fn every_write_of_a_weight_can_be_taken_back(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.call("log_weight", json!({"weight": 80.4, "body_fat_pct": 20, "fasted": true, "notes": "x"})).await;
    for (operation, input) in [
        ("log_weight", json!({"weight": 79.9, "measured_on": "2026-05-20"})),
        ("log_weight", json!({"weight": 177, "unit": "lb", "fasted": false})),
        ("update_weight", json!({"weight_id": 1, "measured_on": "2026-05-19", "clear": ["notes", "fasted"]})),
        ("delete_weight", json!({"weight_id": 1, "confirm": true})),
    ] {
        let before = rows(&story, "get_weight_trend", "points").await;
        let answer = story.call(operation, input).await;
        assert_ne!(rows(&story, "get_weight_trend", "points").await, before);
        story.undo(change(&answer)).await;
        assert_eq!(rows(&story, "get_weight_trend", "points").await, before, "{operation}");
    }
    let row = story.call("update_weight", json!({"weight_id": 1, "weight": 80.4})).await["body_weight"].clone();
    assert_eq!((&row["body_fat_pct"], &row["fasted"], &row["notes"]), (&json!(20), &json!(true), &json!("x")));
    assert_eq!(row["entered"], json!({"value": 80.4, "unit": "kg"}));
}

async fn a_mark_can_be_taken_back(engine: TestEngine) {
    let story = Story::new(engine).await;
    let complete = story.call("mark_day_complete", json!({"date": "2026-05-24"})).await;
    let partial = story.call("mark_day_partial", json!({"date": "2026-05-24"})).await;
    let day = || story.call("get_macros_for_date", json!({"date": "2026-05-24"}));
    assert_eq!(day().await["completeness"], "partial");
    story.undo(change(&partial)).await;
    assert_eq!(day().await["completeness"], "complete");
    story.undo(change(&complete)).await;
    assert_eq!(day().await["completeness"], "empty");
}

async fn a_deleted_meal_comes_back_under_its_id_and_can_be_deleted_again(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.call("log_meal", json!({"kcal": 100, "protein_g": 0, "carb_g": 25, "fat_g": 0})).await;
    let deleted = story.call("delete_meal", json!({"meal_id": 1, "confirm": true})).await;
    story.undo(change(&deleted)).await;
    assert_eq!(story.call("get_meals", json!({})).await["items"][0]["id"], 1);
    let again = story.call("delete_meal", json!({"meal_id": 1, "confirm": true})).await;
    assert_eq!(again.get("already_deleted"), None);
    assert_ne!(again["change_id"], deleted["change_id"]);
}

async fn an_old_version_never_passes_after_an_undo(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.call("log_meal", json!({"kcal": 100, "protein_g": 0, "carb_g": 25, "fat_g": 0})).await;
    let update = story.call("update_meal", json!({"meal_id": 1, "kcal": 200})).await;
    story.undo(change(&update)).await;
    let stale = story.refused("update_meal", json!({"meal_id": 1, "kcal": 300, "expected_version": 1})).await;
    assert_eq!((&stale["error"], &stale["current"]["kcal"]), (&json!("version_conflict"), &json!(100)));
}
