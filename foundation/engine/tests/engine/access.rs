//! Who may call.

use operation::{Caller, Failure};
use serde_json::json;

use crate::on_both;

on_both! {
    async fn a_visitor_is_asked_for_a_credential(almanac: TestAlmanac) {
        almanac.pin(Caller::visitor("api"));
        assert!(matches!(almanac.try_call("list_notes", json!({})).await, Err(Failure::Unauthenticated)));
    }

    async fn a_missing_scope_is_named_before_the_input_is_looked_at(almanac: TestAlmanac) {
        almanac.with_scopes("journal:read");
        let body = almanac.refused("write_note", json!({"text": 5})).await;
        assert_eq!(body["error"], "insufficient_scope");
        assert_eq!(
            body["message"],
            "write_note needs the journal permission. Reconnect Almanac and allow journal."
        );
        assert_eq!(almanac.call("list_notes", json!({})).await["total"], 0);
    }

    async fn a_pending_person_waits(almanac: TestAlmanac) {
        let mut caller = almanac.caller().await;
        caller.person.as_mut().unwrap().state = "pending".into();
        almanac.pin(caller);
        let body = almanac.refused("write_note", json!({"text": "a"})).await;
        assert_eq!((body["error"].as_str(), body["state"].as_str()), (Some("account_not_ready"), Some("pending")));
    }

    async fn an_unknown_name_is_no_operation(almanac: TestAlmanac) {
        let failure = almanac.try_call("foo_bar", json!({})).await.unwrap_err();
        assert_eq!(failure.status(), 404);
        assert_eq!(failure.body(0)["message"], "unknown tool: foo_bar");
    }

    async fn rows_of_another_person_look_like_none(almanac: TestAlmanac) {
        let note = almanac.call("write_note", json!({"text": "mine"})).await;
        almanac.becomes(testkit::SAM);
        let theirs = almanac.refused("drop_note", json!({"note_id": note["id"]})).await.to_string();
        let nobodys = almanac.refused("drop_note", json!({"note_id": 999})).await.to_string();
        assert_eq!(theirs.replace(&note["id"].to_string(), "999"), nobodys);
    }
}
