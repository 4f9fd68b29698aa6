//! Lists cut to size and followed by cursor.

use serde_json::{Value, json};

use crate::on_both;

/// All ids of a list, page by page.
async fn follow(almanac: &testkit::TestAlmanac, limit: i64) -> (Vec<i64>, usize) {
    let (mut ids, mut pages, mut cursor) = (Vec::new(), 0, Value::Null);
    loop {
        let page = almanac.call("list_notes", json!({"limit": limit, "cursor": cursor})).await;
        assert!(page.to_string().len() <= 24_000);
        ids.extend(page["items"].as_array().unwrap().iter().map(|note| note["id"].as_i64().unwrap()));
        pages += 1;
        cursor = page["next_cursor"].clone();
        assert_eq!(page["truncated"], json!(!cursor.is_null()));
        if cursor.is_null() {
            return (ids, pages);
        }
    }
}

on_both! {
    async fn following_the_cursor_yields_every_item_once(almanac: TestAlmanac) {
        for number in 0..7 {
            almanac.call("write_note", json!({"text": format!("note {number}")})).await;
        }
        assert_eq!(follow(&almanac, 3).await, (vec![7, 6, 5, 4, 3, 2, 1], 3));
        assert_eq!(follow(&almanac, 7).await, (vec![7, 6, 5, 4, 3, 2, 1], 1));
    }

    async fn an_answer_over_its_size_drops_whole_items_and_says_so(almanac: TestAlmanac) {
        for number in 0..10 {
            almanac.call("write_note", json!({"text": format!("{number}{}", "x".repeat(5000))})).await;
        }
        let page = almanac.call("list_notes", json!({})).await;
        let shown = page["items"].as_array().unwrap().len();
        assert!((1..10).contains(&shown));
        assert_eq!(page["left_out"], json!(10 - shown));
        assert!(page["hint"].as_str().unwrap().contains("limit"));
        assert_eq!(page["total"], 10);
        assert_eq!(follow(&almanac, 50).await.0, vec![10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    }

    async fn a_list_without_a_cursor_is_cut_too(almanac: TestAlmanac) {
        almanac.call("write_note", json!({"text": "short"})).await;
        let all = almanac.call("show_notes", json!({})).await;
        assert_eq!((&all["truncated"], all.get("left_out"), all.get("next_cursor")), (&json!(false), None, None));
        for number in 0..10 {
            almanac.call("write_note", json!({"text": format!("{number}{}", "x".repeat(5000))})).await;
        }
        let cut = almanac.call("show_notes", json!({})).await;
        let shown = cut["notes"].as_array().unwrap().len();
        assert!((1..11).contains(&shown) && cut.to_string().len() <= 24_000);
        assert_eq!((&cut["truncated"], &cut["left_out"]), (&json!(true), &json!(11 - shown)));
        assert_eq!((&cut["hint"], cut.get("next_cursor")), (&json!("Not all is shown: use list_notes."), None));
    }

    async fn a_cursor_of_another_list_or_person_is_refused(almanac: TestAlmanac) {
        for text in ["a", "b"] {
            almanac.call("write_note", json!({"text": text})).await;
        }
        let cursor = almanac.call("list_notes", json!({"limit": 1})).await["next_cursor"].clone();
        let faults = [json!({"cursor": cursor, "query": "other"}), json!({"cursor": "bm9uc2Vuc2U"}), json!({"cursor": "?"})];
        for input in faults {
            let body = almanac.refused("list_notes", input).await;
            assert_eq!(body["fields"][0]["field"], "cursor");
        }
        almanac.becomes(testkit::SAM);
        assert_eq!(almanac.refused("list_notes", json!({"cursor": cursor})).await["error"], "invalid_input");
    }
}
