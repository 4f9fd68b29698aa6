//! Commands for whoever holds the database.

use std::process::Stdio;

use serde_json::Value;

use crate::house::{ANA, House, said};

fn code(house: &House, arguments: &[&str]) -> (Option<i32>, String) {
    let output = house.almanac().args(arguments).stdin(Stdio::null()).output().expect("almanac runs");
    (output.status.code(), said(&output))
}

fn json(house: &House, arguments: &[&str]) -> Value {
    serde_json::from_str(&house.run(arguments)).expect("JSON")
}

#[test]
fn the_first_person_owns_the_instance() {
    let house = House::unclaimed();
    assert_eq!(json(&house, &["create-person", ANA])["owner"], true);
    assert_eq!(json(&house, &["create-person", "b@example.org", "--admin"])["owner"], false);
    assert_eq!(code(&house, &["create-person", "ANA@example.org"]).0, Some(6), "the address is taken");
    let (exit, message) = code(&house, &["create-person", "nobody", "--timezone", "Mars"]);
    assert_eq!(exit, Some(2));
    assert!(message.contains("email: ") && message.contains("timezone: is not an IANA time zone"), "{message}");
    assert_eq!(code(&house, &["create-person"]).0, Some(2));
}

#[test]
fn a_token_is_made_for_a_person_and_printed_alone() {
    let house = House::build();
    let token = house.run(&[
        "create-access-token",
        "--person",
        ANA,
        "--name",
        "x",
        "--scope",
        "journal:read",
        "--output",
        "text",
    ]);
    assert!(token.starts_with("alm_") && token.len() == 47, "the token alone");
    let made = json(&house, &["create-access-token", "--name", "y", "--scopes", "profile", "--expires-in-days", "3"]);
    assert!(made["expires_at"].is_string() && made["token"].is_string());
    assert_eq!(json(&house, &["list-access-tokens"])["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(code(&house, &["create-access-token", "--person", ANA, "--name", "z", "--scope", "dreams"]).0, Some(2));
}

#[test]
fn the_doctor_says_what_is_missing() {
    let house = House::unclaimed();
    let (exit, report) = code(&house, &["doctor"]);
    assert_eq!(exit, Some(1));
    assert!(report.contains("create-person"), "{report}");
    house.person(ANA, "Ana");
    let report = json(&house, &["doctor", "--output", "json"]);
    assert_eq!(report["ok"], true);
    let names: Vec<&str> =
        report["checks"].as_array().expect("checks").iter().filter_map(|check| check["check"].as_str()).collect();
    assert_eq!(names, ["database", "migrations", "integrity", "clock", "owner"]);
}

#[test]
fn a_backup_taken_while_serving_is_restored_elsewhere() {
    let house = House::build();
    let _server = house.serve();
    house.run(&["log-weight", "--weight", "80.5"]);
    let file = house.folder().join("copy.db");
    let copy = file.display().to_string();
    house.run(&["backup", &copy]);
    assert_eq!(code(&house, &["backup", &copy]).0, Some(6), "nothing is overwritten");
    house.run(&["log-weight", "--weight", "81.5", "--measured-on", "2025-01-02"]);

    let other = House::unclaimed();
    other.run(&["restore", &copy]);
    let trend = json(&other, &["get-weight-trend", "--from-days-ago", "400"]);
    assert_eq!(trend["weigh_ins"], 1, "{trend}");
    let next = json(&other, &["log-weight", "--weight", "79", "--measured-on", "2025-01-02"]);
    assert!(next["id"].as_i64() > Some(1_000_000), "ids given after the backup are not given again: {next}");
}

#[test]
fn migrate_says_what_was_applied() {
    let report = json(&House::build(), &["migrate"]);
    let steps = report["migrations"].as_array().expect("migrations");
    assert!(steps.iter().any(|step| step["domain"] == "journal"), "{report}");
    assert_eq!(report["database"], "SQLite");
}

#[test]
fn a_page_of_the_reference_is_the_same_every_time() {
    let house = House::unclaimed();
    for page in ["settings", "openapi", "tools"] {
        let text = house.run(&["reference", page]);
        assert!(text.len() > 1000, "{page}");
        assert_eq!(text, house.run(&["reference", page]), "{page}");
    }
    assert!(house.run(&["reference", "settings"]).contains("`--listen ADDRESS` · `ALMANAC_LISTEN`"));
}
