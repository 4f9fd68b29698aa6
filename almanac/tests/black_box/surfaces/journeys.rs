//! What a person does over REST, from the first meal to taking it back.

use serde_json::json;

use super::asking::{at, meal, send};
use crate::house::Served;

#[test]
fn a_meal_is_logged_read_corrected_deleted_and_brought_back() {
    let house = Served::open();
    let logged = house.ask(send("POST", "/meals", &meal()));
    assert_eq!(logged.status, 201, "{}", logged.text());
    let logged = logged.json();
    let id = logged["id"].as_i64().expect("an id");
    assert_eq!(logged["day_totals"]["kcal"], 500);
    assert_eq!(logged["undo"]["tool"], "undo_change");
    assert_eq!(logged.as_object().and_then(|answer| answer.keys().next_back()).map(String::as_str), Some("_meta"));

    let read = house.ask(at("GET", "/meals?from_date=2025-05-25&to_date=2025-05-25&limit=5")).json();
    assert_eq!((&read["total"], &read["items"][0]["id"]), (&json!(1), &json!(id)));

    let corrected = house.ask(send("PATCH", &format!("/meals/{id}"), &json!({"kcal": 600, "notes": "large"})));
    assert_eq!((corrected.status, &corrected.json()["before"]["kcal"]), (200, &json!(500)), "{}", corrected.text());

    let refused = house.ask(at("DELETE", &format!("/meals/{id}")));
    assert_eq!(refused.status, 422);
    assert_eq!(refused.json()["fields"][0]["field"], "confirm");
    let deleted = house.ask(at("DELETE", &format!("/meals/{id}?confirm=true"))).json();
    assert_eq!((&deleted["deleted"], &deleted["day_totals"]["kcal"]), (&json!(true), &json!(0)));

    let change = deleted["change_id"].as_i64().expect("a change");
    let undone = house.ask(send("PATCH", &format!("/account/changes/{change}/undo"), &json!({})));
    assert_eq!(undone.status, 200, "{}", undone.text());
    let read = house.ask(at("GET", "/signals/macros?at=2025-05-25T12:30:00")).json();
    assert_eq!(read["day_totals"]["kcal"], 600, "{read}");
}

#[test]
fn a_key_in_the_header_makes_a_repeated_call_one_row() {
    let house = Served::open();
    let keyed = |body| send("POST", "/meals", &body).with("Idempotency-Key", "breakfast-1");
    let first = house.ask(keyed(meal()));
    let again = house.ask(keyed(meal()));
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.json()["id"], again.json()["id"]);
    assert_eq!(again.json()["replayed"], true);
    let mut other = meal();
    other["kcal"] = json!(501);
    let reused = house.ask(keyed(other));
    assert_eq!((reused.status, &reused.json()["error"]), (409, &json!("key_reused")));
}

#[test]
fn today_in_a_path_stands_for_leaving_the_date_out() {
    let house = Served::open();
    let marked = house.ask(send("PATCH", "/days/today/complete", &json!({})));
    assert_eq!(marked.status, 200, "{}", marked.text());
    let named = house.ask(at("PATCH", "/days/2025-05-25/partial"));
    assert_eq!(named.json()["date"], "2025-05-25", "a body may be left out");
    let wrong = house.ask(at("PATCH", "/days/tomorrow/partial"));
    assert_eq!((wrong.status, &wrong.json()["fields"][0]["field"]), (422, &json!("date")));
}

#[test]
fn an_answer_comes_in_two_halves_where_they_are_asked_for() {
    let house = Served::open();
    let kind = "application/vnd.almanac.answer+json";
    let reply = house.ask(at("GET", "/profile").with("Accept", kind));
    assert_eq!(reply.header("content-type"), Some(kind));
    let answer = reply.json();
    let text: serde_json::Value = serde_json::from_str(answer["text"].as_str().expect("text")).expect("JSON");
    assert_eq!(text, answer["data"]);
    assert_eq!(text["_meta"]["user_tz"], crate::house::ZONE);
}

#[test]
fn texts_of_a_query_are_read_by_their_fields() {
    let house = Served::open();
    house.ask(send("POST", "/meals", &meal()));
    let found = house.ask(at("GET", "/meals/search?query=rice&limit=3"));
    assert_eq!(found.status, 200, "{}", found.text());
    let wrong = house.ask(at("GET", "/meals?limit=many&colour=blue")).json();
    let fields: Vec<&str> =
        wrong["fields"].as_array().expect("fields").iter().filter_map(|fault| fault["field"].as_str()).collect();
    assert_eq!(fields, ["limit", "colour"]);
}
