//! The demo person.

use serde_json::{Value, json};

use crate::house::{House, said};

const ALL: [&str; 5] = ["--from-date", "2025-01-01", "--limit", "200", "--as"];
const DEMO: &str = "demo@example.org";

fn rows(house: &House) -> (Vec<Value>, Value) {
    let mut meals = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut arguments = [&["get-meals"], &ALL[..], &[DEMO]].concat();
        if let Some(cursor) = &cursor {
            arguments.extend(["--cursor", cursor]);
        }
        let page: Value = serde_json::from_str(&house.run(&arguments)).expect("JSON");
        meals.extend(page["items"].as_array().expect("items").iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    let trend = house.run(&["get-weight-trend", "--from-date", "2025-02-25", "--to-date", "2025-05-25", "--as", DEMO]);
    let mut trend: Value = serde_json::from_str(&trend).expect("JSON");
    trend["_meta"] = json!(null);
    (meals, trend)
}

#[test]
fn the_same_last_day_gives_the_same_rows() {
    let (one, other) = (House::unclaimed(), House::unclaimed());
    let report: Value = serde_json::from_str(&one.run(&["demo", "--until", "2025-05-25"])).expect("JSON");
    other.run(&["demo", "--until", "2025-05-25"]);
    assert_eq!((&report["from"], &report["until"]), (&json!("2025-02-25"), &json!("2025-05-25")));
    assert!(report["token"].as_str().is_some_and(|token| token.starts_with("alm_")));
    let (meals, trend) = rows(&one);
    assert_eq!(Some(meals.len() as i64), report["calls"]["log_meal"].as_i64());
    assert!(meals.len() > 200, "{}", meals.len());
    assert!(trend["weigh_ins"].as_i64() > Some(40), "{trend}");
    assert_eq!((meals, trend), rows(&other));
}

#[test]
fn a_database_with_people_is_left_alone_unless_told() {
    let house = House::build();
    let demo = |arguments: &[&str]| house.almanac().arg("demo").args(arguments).output().expect("almanac runs");
    let refused = demo(&["--until", "2025-05-25"]);
    assert_eq!(refused.status.code(), Some(6), "{}", said(&refused));
    assert!(demo(&["--until", "2025-05-25", "--into-existing"]).status.success());
    assert_eq!(demo(&["--until", "2025-05-25", "--into-existing"]).status.code(), Some(6), "the demo person is there");
    assert_eq!(demo(&["--until", "2999-01-01", "--into-existing"]).status.code(), Some(2), "the future");
}
