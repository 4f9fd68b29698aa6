//! Repeated calls.

use at_once::all;
use serde_json::{Value, json};

use crate::on_both;

mod at_once {
    use std::sync::Arc;

    use engine::Request;
    use operation::Toolset;
    use serde_json::Value;
    use testkit::TestAlmanac;

    /// The answers of the same call made `times` times at once.
    pub async fn all(almanac: &TestAlmanac, operation: &str, input: Value, times: usize) -> Vec<Value> {
        let caller = Arc::new(almanac.caller().await);
        let calls: Vec<_> = (0..times)
            .map(|_| {
                let (engine, caller, operation, input) =
                    (almanac.engine.clone(), caller.clone(), operation.to_owned(), input.clone());
                tokio::spawn(async move {
                    let request = Request { caller, operation, input, key: None, toolset: Toolset::default() };
                    engine.call(request).await.unwrap().into_value()
                })
            })
            .collect();
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.await.unwrap());
        }
        answers
    }
}

const LUNCH: &str = "2026-05-25T12:30";

on_both! {
    async fn eight_equal_calls_at_once_make_one_row(almanac: TestAlmanac) {
        let answers = all(&almanac, "write_note", json!({"text": "a", "at": LUNCH}), 8).await;
        let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert!(answers.iter().all(|answer| answer["notes"] == 1 && answer["change_id"] == answers[0]["change_id"]));
        assert_eq!(answers.iter().filter(|answer| answer["replayed"] == true).count(), 7);
    }

    async fn a_repeat_answers_the_current_row_with_the_first_status(almanac: TestAlmanac) {
        let first = almanac.answer("write_note", json!({"text": "a", "at": LUNCH}), None).await.unwrap();
        almanac.call("write_note", json!({"text": "b", "at": LUNCH})).await;
        let again = almanac.answer("write_note", json!({"text": "a", "at": LUNCH}), None).await.unwrap();
        assert_eq!((first.status, again.status), (201, 201));
        assert_eq!((first.body["id"].clone(), json!(2)), (again.body["id"].clone(), again.body["notes"].clone()));
        assert_eq!(again.body["replayed"], true);
    }

    async fn a_key_with_a_clock_time_lives_a_day_and_one_without_ten_minutes(almanac: TestAlmanac) {
        let timed = json!({"text": "a", "at": LUNCH});
        let untimed = json!({"text": "a"});
        for input in [&timed, &untimed] {
            almanac.call("write_note", input.clone()).await;
        }
        almanac.pass(9 * 60);
        assert_eq!(almanac.call("write_note", untimed.clone()).await["replayed"], true);
        almanac.pass(2 * 60);
        assert_eq!(almanac.call("write_note", untimed.clone()).await["notes"], 3, "a second coffee");
        assert_eq!(almanac.call("write_note", timed.clone()).await["replayed"], true);
        almanac.pass(24 * 3600);
        assert_eq!(almanac.call("write_note", timed).await["notes"], 4);
    }

    async fn a_given_key_with_another_input_is_refused(almanac: TestAlmanac) {
        almanac.call("write_note", json!({"text": "a", "idempotency_key": "k"})).await;
        let same = almanac.answer("write_note", json!({"text": "a"}), Some("k")).await.unwrap();
        assert_eq!(same.body["replayed"], true);
        let body = almanac.refused("write_note", json!({"text": "b", "idempotency_key": "k"})).await;
        assert_eq!(body["error"], "key_reused");
        almanac.becomes(testkit::SAM);
        let other = almanac.call("write_note", json!({"text": "b", "idempotency_key": "k"})).await;
        assert!(other.get("replayed").is_none(), "another person's equal key is another key");
    }

    async fn allow_duplicate_makes_a_second_row(almanac: TestAlmanac) {
        almanac.call("write_note", json!({"text": "a", "at": LUNCH})).await;
        let again = almanac.call("write_note", json!({"text": "a", "at": LUNCH, "allow_duplicate": true})).await;
        assert_eq!((again["notes"].clone(), again.get("replayed")), (json!(2), None));
    }

    async fn a_key_whose_row_is_gone_writes_again(almanac: TestAlmanac) {
        let first = almanac.call("write_note", json!({"text": "a", "at": LUNCH})).await;
        almanac.call("drop_note", json!({"note_id": first["id"]})).await;
        let again = almanac.call("write_note", json!({"text": "a", "at": LUNCH})).await;
        assert_ne!(again["id"], first["id"]);
        assert!(again.get("replayed").is_none());
    }

    async fn a_failure_stores_no_key(almanac: TestAlmanac) {
        let body = almanac.refused("write_note", json!({"text": "a", "at": "2027-01-01T00:00", "idempotency_key": "k"})).await;
        assert_eq!(body["message"], "at: is in the future");
        let written = almanac.call("write_note", json!({"text": "b", "idempotency_key": "k"})).await;
        assert_eq!(written["notes"], 1);
    }
}
