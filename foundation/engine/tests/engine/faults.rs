//! What goes wrong harms only its own call and leaves nothing half written.

use operation::Failure;
use serde_json::json;

use crate::on_both;

on_both! {
    async fn a_panic_harms_only_its_own_call(almanac: TestAlmanac) {
        let failure = almanac.try_call("break_note", json!({"how": "panic"})).await.unwrap_err();
        assert!(matches!(failure, Failure::Internal { .. }), "{failure:?}");
        assert_eq!(failure.body(77)["call_id"], 77);
        let page = almanac.call("list_notes", json!({})).await;
        assert_eq!(page["total"], 0);
        almanac.call("write_note", json!({"text": "still here"})).await;
    }

    async fn a_refusal_after_a_write_leaves_nothing(almanac: TestAlmanac) {
        let body = almanac.refused("break_note", json!({"how": "refuse"})).await;
        assert_eq!(body["error"], "no");
        assert_eq!(almanac.call("list_notes", json!({})).await["total"], 0);
    }

    async fn a_read_cannot_write(almanac: TestAlmanac) {
        let failure = almanac.try_call("writing_read", json!({})).await.unwrap_err();
        assert!(matches!(failure, Failure::Internal { .. }), "{failure:?}");
        assert_eq!(almanac.call("list_notes", json!({})).await["total"], 0);
    }
}
