use serde_json::{Value, json};
use storage::testing::TestEngine;

use crate::house::{House, refusal};

fn ids(list: &Value) -> Vec<i64> {
    list["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
}

async fn changes_are_listed_newest_first_in_pages(engine: TestEngine) {
    let house = House::on(engine).await;
    let mut made = Vec::new();
    for text in ["one", "two", "three"] {
        made.insert(0, house.note(text).await.1);
        house.pass(60);
    }
    let first = house.call("list_changes", json!({"limit": 2, "entity": "note"})).await;
    assert_eq!((ids(&first), &first["truncated"]), (made[..2].to_vec(), &json!(true)));
    assert_eq!(first["items"][0]["at"], "2026-05-25T12:02:00+00:00");
    assert_eq!(first["items"][0]["summary"], "Wrote note 3 (Mon)");
    assert_eq!(first["items"][0]["actor"], json!({"kind": "cli", "id": 0, "name": "command line"}));
    let more = json!({"limit": 2, "entity": "note", "cursor": first["next_cursor"]});
    let second = house.call("list_changes", more).await;
    assert_eq!((ids(&second), &second["next_cursor"]), (made[2..].to_vec(), &json!(null)));
    let whole = house.call("list_changes", json!({})).await;
    assert_eq!(ids(&whole).len(), 4, "and the one that made the profile");
}

async fn changes_are_found_by_time_domain_and_row(engine: TestEngine) {
    let house = House::on(engine).await;
    let (note, written) = house.note("one").await;
    house.pass(3600);
    let changed =
        house.call("change_note", json!({"note_id": note, "text": "two"})).await["change_id"].as_i64().unwrap();
    house.note("other").await;
    let list = async |input: Value| ids(&house.call("list_changes", input).await);
    assert_eq!(list(json!({"entity": "note", "entity_id": note})).await, [changed, written]);
    assert_eq!(list(json!({"domain": "notes", "to": "2026-05-25T13:00:00Z"})).await, [written]);
    assert_eq!(list(json!({"domain": "account", "from": "2026-05-25"})).await.len(), 1);
    assert_eq!(list(json!({"from": "2026-05-26"})).await, [0; 0]);
    assert_eq!(list(json!({"connection_id": 1})).await, [0; 0]);
    let body = house.refused("list_changes", json!({"domain": "x", "entity": "y", "entity_id": 1})).await;
    assert_eq!(
        body["message"],
        "domain: must be one of account, notes; entity: must be one of profile, body_profile, note"
    );
    let alone = house.refused("list_changes", json!({"entity_id": 1, "from": "2026-05-26", "to": "2026-05-25"})).await;
    assert_eq!(alone["message"], "to: is before from; entity: Required");
}

async fn a_change_is_told_in_readable_fields(engine: TestEngine) {
    let house = House::on(engine).await;
    house.call("update_user_profile", json!({"timezone": "America/Toronto"})).await;
    let (note, written) = house.note("one").await;
    let changed = house.call("change_note", json!({"note_id": note, "text": "two"})).await["change_id"].clone();
    let told = house.call("get_change", json!({"change_id": written})).await;
    assert_eq!(
        told["rows"],
        json!([{
            "entity": "note", "id": note, "what": "created", "before": null,
            "after": {"text": "one", "amount_g": 12.5, "written_at": "2026-05-25T08:00:00-04:00"},
        }])
    );
    let told = house.call("get_change", json!({"change_id": changed})).await;
    assert_eq!(told["rows"][0]["before"], json!({"text": "one"}));
    assert_eq!(told["rows"][0]["after"], json!({"text": "two"}));
    assert_eq!((&told["change"]["operation"], &told["change"]["undoable"]), (&json!("change_note"), &json!(true)));
}

async fn an_undo_restores_and_an_undone_undo_restores_again(engine: TestEngine) {
    let house = House::on(engine).await;
    let (note, written) = house.note("one").await;
    let dropped = house.call("drop_note", json!({"note_id": note, "confirm": true})).await["change_id"].clone();
    assert_eq!(house.text_of(note).await, None);
    let undone = house.call("undo_change", json!({"change_id": dropped})).await;
    assert_eq!(house.text_of(note).await.as_deref(), Some("one"));
    assert_eq!(
        (&undone["summary"], &undone["rows"][0]["what"]),
        (&json!("Took back: Dropped note 1 (Mon)"), &json!("created"))
    );
    assert_eq!(undone["undo"], json!({"tool": "undo_change", "change_id": undone["change_id"]}));
    let again = house.call("undo_change", json!({"change_id": dropped})).await;
    assert_eq!((&again["replayed"], &again["change_id"]), (&json!(true), &undone["change_id"]));
    assert_eq!(again["rows"], undone["rows"]);
    let redone = house.call("undo_change", json!({"change_id": undone["change_id"]})).await;
    assert_eq!((&redone["summary"], house.text_of(note).await), (&json!("Put back: Dropped note 1 (Mon)"), None));
    let listed = house.call("list_changes", json!({"entity": "note"})).await;
    let of = |id: &Value| listed["items"].as_array().unwrap().iter().find(|item| item["id"] == *id).unwrap().clone();
    assert_eq!(of(&dropped)["undone_by"], json!(null));
    assert_eq!(of(&undone["change_id"])["undone_by"], redone["change_id"]);
    assert_eq!(of(&redone["change_id"])["undoes"], undone["change_id"]);
    let back = house.call("undo_change", json!({"change_id": redone["change_id"]})).await;
    assert_eq!(house.text_of(note).await.as_deref(), Some("one"));
    assert!(back["change_id"].is_i64());
    house.call("undo_change", json!({"change_id": written})).await;
    assert_eq!(house.text_of(note).await, None, "the row is what the first change left, so that goes too");
}

async fn what_was_changed_since_stays_and_is_shown(engine: TestEngine) {
    let house = House::on(engine).await;
    let (note, written) = house.note("one").await;
    let changed = house.call("change_note", json!({"note_id": note, "text": "two"})).await["change_id"].clone();
    let body = house.refused("undo_change", json!({"change_id": written})).await;
    assert_eq!(body["error"], "changed_since");
    assert_eq!(body["rows"][0]["left"]["text"], "one");
    assert_eq!(body["rows"][0]["now"]["text"], "two");
    assert_eq!(body["rows"][0]["later_changes"], json!([changed]));
    assert_eq!(
        (&body["later_changes"][0]["id"], &body["later_changes"][0]["summary"]),
        (&changed, &json!("Changed note 1 (Mon)"))
    );
    assert_eq!(house.text_of(note).await.as_deref(), Some("two"));
    house.call("undo_change", json!({"change_id": changed})).await;
    house.call("undo_change", json!({"change_id": written})).await;
    assert_eq!(house.text_of(note).await, None);
}

async fn rights_follow_the_areas_of_a_change(engine: TestEngine) {
    let house = House::on(engine).await;
    let (_, written) = house.note("one").await;
    let zone = house.call("update_user_profile", json!({"timezone": "Asia/Tokyo"})).await["change_id"].clone();
    let reader = house.through_token("journal:read").await;
    let listed = house.call_as(&reader, "list_changes", json!({})).await;
    assert_eq!((ids(&listed), &listed["items"][0]["undoable"]), (vec![written], &json!(false)));
    let body = refusal(house.try_as(&reader, "undo_change", json!({"change_id": written})).await);
    assert_eq!((&body["error"], &body["scope"]), (&json!("needs_scope"), &json!("journal")));
    for hidden in ["get_change", "undo_change"] {
        let body = refusal(house.try_as(&reader, hidden, json!({"change_id": zone})).await);
        assert_eq!(body["error"], "not_found");
    }
    let ben = house.person("ben").await;
    let foreign = refusal(house.try_as(&ben, "get_change", json!({"change_id": written})).await);
    let mut unknown = refusal(house.try_as(&ben, "get_change", json!({"change_id": 999_999})).await);
    unknown["id"] = json!(written);
    assert_eq!(foreign, unknown);
}

async fn an_undone_zone_shows_in_the_answer(engine: TestEngine) {
    let house = House::on(engine).await;
    let zone = house.call("update_user_profile", json!({"timezone": "Asia/Tokyo"})).await["change_id"].clone();
    let undone = house.call("undo_change", json!({"change_id": zone})).await;
    assert_eq!(undone["_meta"]["user_tz"], "UTC");
    assert_eq!(undone["rows"][0]["after"], json!({"timezone": "UTC", "timezone_set": false}));
}

async fn nobody_loses_their_profile(engine: TestEngine) {
    let house = House::on(engine).await;
    let listed = house.call("list_changes", json!({})).await;
    assert_eq!(
        (&listed["items"][0]["operation"], &listed["items"][0]["undoable"]),
        (&json!("create_person"), &json!(false))
    );
    let body = house.refused("undo_change", json!({"change_id": listed["items"][0]["id"]})).await;
    assert_eq!(body["error"], "not_undoable");
}

storage::on_both_engines! {
    changes_are_listed_newest_first_in_pages,
    changes_are_found_by_time_domain_and_row,
    a_change_is_told_in_readable_fields,
    an_undo_restores_and_an_undone_undo_restores_again,
    what_was_changed_since_stays_and_is_shown,
    rights_follow_the_areas_of_a_change,
    an_undone_zone_shows_in_the_answer,
    nobody_loses_their_profile,
}
