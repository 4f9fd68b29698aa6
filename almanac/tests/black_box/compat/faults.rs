//! Cases 29 and 30: clients that leave, lists that are too long.

use std::{collections::BTreeSet, thread, time::Duration};

use serde_json::{Value, json};

use crate::{
    house::{House, Served},
    postgres::{Database, Engine},
    rpc::Era,
};

#[test]
fn case_29_a_client_that_leaves_in_mid_call_leaves_the_row_and_its_key_or_neither() {
    let house = Served::open();
    for attempt in 0..24_u64 {
        let meal = json!({"kcal": 300 + attempt, "protein_g": 25, "carb_g": 50, "fat_g": 18,
            "idempotency_key": format!("left-{attempt}")});
        let call = || Era::Legacy.call("log_meal", meal.clone()).bearer(&house.token);
        let stream = call().start(house.server().address);
        thread::sleep(Duration::from_micros(attempt * 150));
        drop(stream);
        let retry = house.send(call()).result();
        assert_eq!(retry["isError"], false, "{retry}");
        let again = house.send(call()).result();
        assert_eq!(again["structuredContent"]["id"], retry["structuredContent"]["id"]);
        assert_eq!(again["structuredContent"]["replayed"], true);
        assert_eq!(house.meals().len() as u64, attempt + 1, "one row for call, retry and retry");
    }
    house.house.run(&["log-weight", "--weight", "80", "--unit", "kg"]); // no transaction is left open
}

#[test]
fn case_30_a_list_that_is_too_long_is_cut_between_items_and_goes_on() {
    let house = Served::open();
    let mut logged = BTreeSet::new();
    for index in 0..130 {
        let meal = json!({"kcal": 300 + index, "protein_g": 10, "carb_g": 20, "fat_g": 5, "name": format!("{index} {}", "long ".repeat(30))});
        logged.insert(house.done("log_meal", meal)["id"].as_i64().expect("an id"));
    }
    let mut seen = BTreeSet::new();
    let mut input = json!({"from_days_ago": 7, "limit": 100});
    for page in 0.. {
        assert!(page < 20, "the cursor comes to an end");
        let result = house.call("get_meals", input.clone());
        let text = result["content"][0]["text"].as_str().expect("text");
        assert!(text.len() <= 24_000, "{} bytes", text.len());
        let answer = &result["structuredContent"];
        let items = answer["items"].as_array().expect("items");
        assert!(!items.is_empty());
        assert_eq!(answer["total"], 130);
        for item in items {
            assert!(item["name"].as_str().is_some_and(|name| name.len() > 150), "whole items: {item}");
            assert!(seen.insert(item["id"].as_i64().expect("an id")), "an item twice");
        }
        if page == 0 {
            assert_eq!(answer["truncated"], true);
            assert_eq!(items.len() as u64 + answer["left_out"].as_u64().expect("left_out"), 100);
            assert!(answer["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{answer}");
        }
        match &answer["next_cursor"] {
            Value::Null => break,
            cursor => input["cursor"] = cursor.clone(),
        }
    }
    assert_eq!(seen, logged);
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let house = Served::open();
    for kcal in [400, 500, 600] {
        house.done("log_meal", json!({"kcal": kcal, "protein_g": 10, "carb_g": 20, "fat_g": 5}));
    }
    let answer = house.done("get_meals", json!({"limit": 2}));
    let cursor = answer["next_cursor"].as_str().expect("more follow").to_owned();
    assert_eq!(
        house.done("get_meals", json!({"limit": 2, "cursor": cursor}))["items"].as_array().map(Vec::len),
        Some(1)
    );
    for input in [json!({"limit": 2, "query": "soup", "cursor": cursor}), json!({"cursor": "nonsense"})] {
        assert!(house.refused("get_meals", input).contains("cursor: "));
    }
}

#[test]
fn eight_identical_calls_at_once_make_one_row() {
    for engine in Engine::ALL {
        let house = Served::of(match engine {
            Engine::Sqlite => House::build(),
            Engine::Postgres => House::build_on(Some(Database::create())),
        });
        let meal = json!({"eaten_at": "2026-05-25T12:30:00", "kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18});
        let ask = || house.done("log_meal", meal.clone());
        let answers: Vec<Value> = thread::scope(|scope| {
            let calls: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            calls.into_iter().map(|call| call.join().expect("an answer")).collect()
        });
        let ids: BTreeSet<i64> = answers.iter().filter_map(|answer| answer["id"].as_i64()).collect();
        assert_eq!(ids.len(), 1, "{engine:?}: {answers:?}");
        assert!(answers.iter().all(|answer| answer["day_totals"] == answers[0]["day_totals"]));
        assert_eq!(answers[0]["day_totals"]["kcal"], 500);
        assert_eq!(answers.iter().filter(|answer| answer["replayed"] == true).count(), 7, "{engine:?}");
    }
}
