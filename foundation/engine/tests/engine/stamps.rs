//! What the engine adds to an answer.

use serde_json::json;

use crate::on_both;

on_both! {
    async fn every_answer_carries_the_persons_clock(almanac: TestAlmanac) {
        let page = almanac.call("list_notes", json!({})).await;
        assert_eq!(
            page["_meta"],
            json!({"server_now": "2026-05-25T14:30:45-04:00", "user_tz": "America/Toronto", "untrusted_fields": ["items[].text"]})
        );
        assert!(page.get("change_id").is_none(), "a read changes nothing");
    }

    async fn a_write_names_its_change_and_how_to_take_it_back(almanac: TestAlmanac) {
        let note = almanac.call("write_note", json!({"text": "a"})).await;
        let change = note["change_id"].as_i64().unwrap();
        assert_eq!(note["undo"], json!({"tool": "undo_change", "change_id": change}));
        let owner = almanac.caller().await.person.unwrap().id;
        let entry: Result<_, operation::Failure> = almanac
            .engine
            .storage()
            .read(move |tx| Box::pin(async move { Ok(tx.change_entry(owner, change).await?) }))
            .await;
        let entry = entry.unwrap().unwrap();
        assert_eq!((entry.operation.as_str(), entry.summary.as_str(), entry.rows), ("write_note", "Wrote a", 1));
        assert_eq!((entry.actor_kind.as_str(), entry.source.as_str()), ("cli", "api"));
    }
}
