//! Operations as commands: flags, JSON, forms of output, exit codes, a remote server.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::house::{ANA, BRUNO, House, Served, bare_almanac, said};

const MEAL: [&str; 8] = ["--kcal", "500", "--protein-g", "25", "--carb-g", "50", "--fat-g", "18"];

fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("almanac runs")
}

fn fails(house: &House, arguments: &[&str], code: i32) -> String {
    let output = output(house.almanac().args(arguments));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
    assert!(output.stdout.is_empty(), "a refusal is on standard error");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn answer(house: &House, arguments: &[&str]) -> Value {
    serde_json::from_str(&house.run(arguments)).expect("JSON when standard output is no terminal")
}

#[test]
fn flags_json_and_files_are_one_input() {
    let house = House::build();
    let by_flags = answer(&house, &[&["log-meal", "--name", "Rice"], &MEAL[..]].concat());
    assert_eq!(by_flags["day_totals"]["kcal"], 500);
    assert_eq!(by_flags["_meta"]["user_tz"], crate::house::ZONE);
    let both = answer(&house, &["log-meal", "--json", r#"{"protein_g": 1, "carb_g": 2, "fat_g": 3}"#, "--kcal", "40"]);
    assert_eq!(both["day_totals"]["kcal"], 540);
    let file = house.folder().join("meal.json");
    std::fs::write(&file, r#"{"kcal": 60, "protein_g": 1, "carb_g": 2, "fat_g": 5}"#).expect("written");
    let by_file = answer(&house, &["log-meal", "--json", &format!("@{}", file.display())]);
    assert_eq!(by_file["day_totals"]["kcal"], 600);
    let mut child = house.almanac();
    child.args(["log-meal", "--json", "@-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("almanac starts");
    let text = br#"{"kcal": 10, "protein_g": 1, "carb_g": 1, "fat_g": 0}"#;
    child.stdin.take().expect("a pipe").write_all(text).expect("written");
    assert!(child.wait().expect("a child").success());
}

#[test]
fn a_table_is_for_people_and_has_no_meta() {
    let house = House::build();
    house.run(&[&["log-meal", "--name", "Rice", "--notes", "a\nb"], &MEAL[..]].concat());
    let table = house.run(&["get-meals", "--output", "table"]);
    assert!(table.starts_with("total"), "{table}");
    assert!(table.contains("items (1)\nid ") && table.contains("Rice") && !table.contains("_meta"), "{table}");
}

#[test]
fn every_failure_has_its_exit_code() {
    let house = House::build();
    let message = fails(&house, &["log-meal", "--kcal", "5x"], 2);
    assert!(message.contains("kcal: Expected number, received string\n  protein_g: Required"), "{message}");
    fails(&house, &["log-meal", "--no-such-flag"], 2);
    fails(&house, &["log-meal", "--json", "{broken"], 2);
    fails(&house, &["log-meal", "--json", "[1]"], 2);
    fails(&house, &["log-meal", "--json", "@/no/such/file"], 2);
    let message = fails(&house, &["log-meal", "--json", "{\"kcal\": 1}", "--kcal", "2"], 2);
    assert!(message.contains("give exactly one of --kcal, --json"), "{message}");
    fails(&house, &["delete-meal", "--meal-id", "77", "--confirm"], 5);
    fails(&house, &["delete-meal", "--meal-id", "77", "--confirm=false"], 2);
    fails(&house, &["get-meals", "--as", "nobody@example.org"], 5);
    let keyed = [&["log-meal", "--idempotency-key", "k"], &MEAL[..]].concat();
    house.run(&keyed);
    let other =
        ["log-meal", "--idempotency-key", "k", "--kcal", "9", "--protein-g", "0", "--carb-g", "0", "--fat-g", "1"];
    fails(&house, &other, 6);
    fails(&House::unclaimed(), &["get-meals"], 1);
}

#[test]
fn an_error_is_json_where_json_was_asked_for() {
    let house = House::build();
    let body: Value = serde_json::from_str(&fails(&house, &["log-meal", "--output", "json"], 2)).expect("JSON");
    assert_eq!(body["error"], "invalid_input");
    assert_eq!(body["fields"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_command_acts_as_the_owner_or_as_the_person_named() {
    let house = House::build();
    house.person(BRUNO, "Bruno");
    house.run(&[&["log-meal", "--as", BRUNO], &MEAL[..]].concat());
    assert_eq!(answer(&house, &["get-meals"])["total"], 0);
    assert_eq!(answer(&house, &["get-meals", "--as", BRUNO])["total"], 1);
    assert_eq!(answer(&house, &["get-my-access"])["person"]["email"], ANA);
}

#[test]
fn a_server_answers_like_the_database() {
    let house = Served::open();
    let remote = |token: Option<&str>, arguments: &[&str]| {
        let mut command = bare_almanac();
        command.env("ALMANAC_DATA", "/proc/nowhere").env("ALMANAC_API_BASE", format!("{}/api", house.server().base()));
        command.envs(token.map(|token| ("ALMANAC_API_TOKEN", token))).args(arguments);
        output(&mut command)
    };
    let token = Some(house.token.as_str());
    let logged = remote(token, &[&["log-meal", "--name", "Ärger & Reis"], &MEAL[..]].concat());
    assert!(logged.status.success(), "{}", said(&logged));
    let logged: Value = serde_json::from_slice(&logged.stdout).expect("JSON");
    let there: Value = serde_json::from_slice(&remote(token, &["get-meals", "--limit", "5"]).stdout).expect("JSON");
    let here = answer(&house.house, &["get-meals", "--limit", "5"]);
    assert_eq!((&there["items"], &there["total"]), (&here["items"], &json!(1)));
    assert_eq!(here["items"][0]["id"], logged["id"]);

    let id = logged["id"].to_string();
    let cleared = remote(token, &["update-meal", "--meal-id", &id, "--clear", "name"]);
    assert!(cleared.status.success(), "{}", said(&cleared));
    assert!(answer(&house.house, &["get-meals"])["items"][0]["name"].is_null());

    for (token, arguments, code) in [
        (None, vec!["get-meals"], 3),
        (Some("alm_unknown"), vec!["get-meals"], 3),
        (token, vec!["get-meals", "--limit", "0"], 2),
        (token, vec!["delete-meal", "--meal-id", "77", "--confirm"], 5),
        (token, vec!["get-meals", "--as", ANA], 2),
        (token, vec!["create-person", "x@example.org"], 2),
        (token, vec!["backup", "/proc/nowhere/copy.db"], 2),
        (token, vec!["get-meals", "--api-url", "http://almanac.example"], 2),
        (token, vec!["get-meals", "--api-url", "http://127.0.0.1:9"], 1),
    ] {
        let refused = remote(token, &arguments);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {}", said(&refused));
    }
    let reader = house.house.token("journal:read");
    assert_eq!(remote(Some(&reader), &[&["log-meal"], &MEAL[..]].concat()).status.code(), Some(4));
}

#[test]
fn help_lists_the_operations_by_domain() {
    let help = House::unclaimed().run(&["--help"]);
    let (account, journal) = (help.find("Operations, account:"), help.find("Operations, journal:"));
    assert!(account.is_some() && account < journal, "{help}");
    assert!(help.find("  log-meal ") > journal && help.find("  list-changes ") < journal, "{help}");
    let help = House::unclaimed().run(&["log-meal", "--help"]);
    assert!(help.contains("--kcal <N>") && help.contains("--slot <") && help.contains("[required]"), "{help}");
}

#[test]
fn a_domain_that_is_off_has_no_operations() {
    let house = House::build();
    let off = |arguments: &[&str]| output(house.almanac().env("ALMANAC_DOMAINS", "account").args(arguments));
    assert_eq!(off(&["get-meals"]).status.code(), Some(5));
    let listed: Value = serde_json::from_slice(&off(&["operations"]).stdout).expect("JSON");
    assert!(listed["operations"].as_array().expect("operations").iter().all(|entry| entry["domain"] == "account"));
}
