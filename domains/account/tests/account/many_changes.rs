use std::sync::Arc;

use operation::Caller;
use serde_json::{Value, json};
use storage::testing::TestEngine;

use crate::house::{House, refusal};

/// Ana through a token that wrote and changed notes: the holder, the token's id, the notes' ids.
async fn busy(house: &House) -> (Arc<Caller>, i64, [i64; 2]) {
    let (token, id) =
        house.token(&house.person("ana").await, json!({"name": "busy", "scopes": "profile journal"})).await;
    let holder = house.holder(&token).await;
    let mut notes = [0; 2];
    for note in &mut notes {
        *note = house.call_as(&holder, "write_note", json!({"text": "one"})).await["id"].as_i64().unwrap();
        house.call_as(&holder, "change_note", json!({"note_id": note, "text": "two"})).await;
    }
    (holder, id, notes)
}

fn all_of(token: i64) -> Value {
    json!({"access_token_id": token, "dry_run": false, "confirm": true})
}

async fn all_that_a_token_did_is_taken_back_as_one(engine: TestEngine) {
    let house = House::on(engine).await;
    let (kept, _) = house.note("kept").await;
    let (_, token, notes) = busy(&house).await;
    let dry = house.call("undo_changes", json!({"access_token_id": token})).await;
    assert_eq!((&dry["dry_run"], &dry["count"], &dry["change_id"]), (&json!(true), &json!(4), &json!(null)));
    assert_eq!(dry["changes"][0]["summary"], json!(format!("Changed note {} (Mon)", notes[1])));
    assert_eq!(house.text_of(notes[0]).await.as_deref(), Some("two"));
    let done = house.call("undo_changes", all_of(token)).await;
    assert_eq!((&done["count"], &done["summary"]), (&json!(4), &json!("Took back 4 changes.")));
    for note in notes {
        assert_eq!(house.text_of(note).await, None);
    }
    assert_eq!(house.text_of(kept).await.as_deref(), Some("kept"));
    let again = house.call("undo_changes", all_of(token)).await;
    assert_eq!((&again["count"], &again["change_id"]), (&json!(0), &json!(null)));
    house.call("undo_change", json!({"change_id": done["change_id"]})).await;
    for note in notes {
        assert_eq!(house.text_of(note).await.as_deref(), Some("two"));
    }
}

async fn one_conflict_and_nothing_is_taken_back(engine: TestEngine) {
    let house = House::on(engine).await;
    let (_, token, notes) = busy(&house).await;
    let since = house.call("change_note", json!({"note_id": notes[0], "text": "three"})).await["change_id"].clone();
    let dry = house.call("undo_changes", json!({"access_token_id": token})).await;
    assert_eq!(dry["conflicts"][0]["later_changes"], json!([since]));
    assert_eq!(dry["conflicts"][0]["now"]["text"], "three");
    assert!(dry["summary"].as_str().unwrap().starts_with("Nothing can be taken back"));
    let body = house.refused("undo_changes", all_of(token)).await;
    assert_eq!((&body["error"], &body["later_changes"][0]["id"]), (&json!("changed_since"), &since));
    assert_eq!(house.text_of(notes[0]).await.as_deref(), Some("three"));
    assert_eq!(house.text_of(notes[1]).await.as_deref(), Some("two"));
}

async fn an_undo_among_them_is_taken_back_too(engine: TestEngine) {
    let house = House::on(engine).await;
    let (holder, token, notes) = busy(&house).await;
    let changed = house.call_as(&holder, "change_note", json!({"note_id": notes[0], "text": "three"})).await;
    house.call_as(&holder, "undo_change", json!({"change_id": changed["change_id"]})).await;
    let done = house.call("undo_changes", all_of(token)).await;
    assert_eq!(done["count"], 6);
    assert_eq!(house.text_of(notes[0]).await, None);
}

async fn many_changes_are_told_up_to_the_size_of_an_answer(engine: TestEngine) {
    let house = House::on(engine).await;
    let (token, id) =
        house.token(&house.person("ana").await, json!({"name": "busy", "scopes": "profile journal"})).await;
    let holder = house.holder(&token).await;
    for number in 0..400 {
        house.call_as(&holder, "write_note", json!({"text": format!("note {number}")})).await;
    }
    let dry = house.call("undo_changes", json!({"access_token_id": id})).await;
    let shown = dry["changes"].as_array().unwrap().len();
    assert!((41..400).contains(&shown) && dry.to_string().len() <= 24_000, "{shown}");
    assert_eq!((&dry["count"], &dry["left_out"], &dry["truncated"]), (&json!(400), &json!(400 - shown), &json!(true)));
    assert_eq!(dry["hint"], "Not all is shown: use from and to.");
}

async fn many_conflicts_leave_room_for_the_changes(engine: TestEngine) {
    let house = House::on(engine).await;
    let (holder, token, _) = busy(&house).await;
    for number in 0..10 {
        let text = format!("{number}{}", "x".repeat(2_000));
        let id = house.call_as(&holder, "write_note", json!({"text": text})).await["id"].clone();
        house.call("change_note", json!({"note_id": id, "text": "three"})).await;
    }
    let dry = house.call("undo_changes", json!({"access_token_id": token})).await;
    let (told, left_out) = (dry["conflicts"].as_array().unwrap().len(), &dry["conflicts_left_out"]);
    assert!((1..10).contains(&told), "{told}");
    assert_eq!((left_out, &dry["truncated"]), (&json!(10 - told), &json!(false)));
    assert!(dry.to_string().len() <= 24_000);
}

async fn only_the_time_asked_for_is_taken_back(engine: TestEngine) {
    let house = House::on(engine).await;
    let (holder, token, notes) = busy(&house).await;
    house.pass(3600);
    house.call_as(&holder, "change_note", json!({"note_id": notes[0], "text": "three"})).await;
    let input = json!({"access_token_id": token, "from": "2026-05-25T12:30:00", "dry_run": false, "confirm": true});
    assert_eq!(house.call("undo_changes", input).await["count"], 1);
    assert_eq!(house.text_of(notes[0]).await.as_deref(), Some("two"));
}

async fn what_is_readable_and_not_writable_stops_the_whole(engine: TestEngine) {
    let house = House::on(engine).await;
    let (holder, token, notes) = busy(&house).await;
    house.call_as(&holder, "update_user_profile", json!({"name": "Anna"})).await;
    let writer = house.through_token("journal").await;
    assert_eq!(house.call_as(&writer, "undo_changes", json!({"access_token_id": token})).await["count"], 4);
    let reader = house.through_token("journal profile:read").await;
    let body = refusal(house.try_as(&reader, "undo_changes", all_of(token)).await);
    assert_eq!((&body["error"], &body["scope"]), (&json!("needs_scope"), &json!("profile")));
    assert_eq!(house.text_of(notes[0]).await.as_deref(), Some("two"));
}

async fn it_takes_one_source_and_a_yes(engine: TestEngine) {
    let house = House::on(engine).await;
    let none = house.refused("undo_changes", json!({"from": "2026-05-25"})).await;
    assert_eq!(none["message"], "connection_id: give exactly one of connection_id, access_token_id, session_id");
    let two = house.refused("undo_changes", json!({"access_token_id": 1, "session_id": 1})).await;
    assert_eq!(two["message"], "access_token_id: give exactly one of connection_id, access_token_id, session_id");
    for unsure in [
        json!({"access_token_id": 1, "dry_run": false}),
        json!({"access_token_id": 1, "dry_run": false, "confirm": false}),
    ] {
        let body = house.refused("undo_changes", unsure).await;
        assert_eq!(body["message"], "confirm: Invalid literal value, expected true");
    }
}

storage::on_both_engines! {
    all_that_a_token_did_is_taken_back_as_one,
    one_conflict_and_nothing_is_taken_back,
    an_undo_among_them_is_taken_back_too,
    many_changes_are_told_up_to_the_size_of_an_answer,
    many_conflicts_leave_room_for_the_changes,
    only_the_time_asked_for_is_taken_back,
    what_is_readable_and_not_writable_stops_the_whole,
    it_takes_one_source_and_a_yes,
}
