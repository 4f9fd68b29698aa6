use std::collections::BTreeMap;

use engine::Request;
use operation::Toolset;
use serde_json::{Value, json};
use storage::testing::TestEngine;

use crate::house::House;

/// How often each tool is named.
fn tools(map: &Value) -> BTreeMap<String, usize> {
    let by_role =
        map["tools_by_entity"].as_object().unwrap().values().flat_map(|roles| roles.as_object().unwrap().values());
    let lists = by_role.chain([&map["tools_other"]]).flat_map(|list| list.as_array().unwrap());
    let mut counted = BTreeMap::new();
    for tool in lists {
        *counted.entry(tool["name"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    counted
}

async fn every_listed_tool_is_there_exactly_once(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.person("ana").await;
    let map = house.call("get_capabilities", json!({})).await;
    let listed = house.engine.catalog().iter().filter(|entry| entry.off_mcp.is_none() && entry.is_listed_for(&ana));
    let listed: BTreeMap<String, usize> = listed.map(|entry| (entry.name.to_owned(), 1)).collect();
    assert_eq!(tools(&map), listed);
    assert!(!listed.contains_key("create_access_token"));
    assert_eq!(map["toolset"], json!({"active": [], "listed": listed.len(), "left_out": 0}));
    assert_eq!(map["recommended_entrypoint"], "get_macros_today");
    assert_eq!(map["server"], json!({"name": "almanac", "version": env!("CARGO_PKG_VERSION")}));
    assert!(map.to_string().len() < 24_000);
}

async fn only_what_is_granted_is_there(engine: TestEngine) {
    let house = House::on(engine).await;
    let reader = house.through_token("journal:read").await;
    let map = house.call_as(&reader, "get_capabilities", json!({})).await;
    assert_eq!(map["granted_scopes"], json!(["journal:read"]));
    let tools = tools(&map);
    assert!(tools.contains_key("get_note") && tools.contains_key("undo_change"));
    assert!(!tools.contains_key("write_note") && !tools.contains_key("get_user_profile"));
    assert_eq!(map["recommended_entrypoint"], "get_macros_today");
    let ways: Vec<&Value> = map["common_workflows"].as_array().unwrap().iter().map(|way| &way["name"]).collect();
    assert_eq!(ways, ["take back a change"], "no way through tools that are not granted or do not exist");
}

async fn whoever_may_not_read_the_journal_begins_elsewhere(engine: TestEngine) {
    let house = House::on(engine).await;
    for (scopes, entry_point) in [("profile:read", "get_user_profile"), ("kitchen", "get_my_access")] {
        let map = house.call_as(&house.through_token(scopes).await, "get_capabilities", json!({})).await;
        assert_eq!(map["recommended_entrypoint"], entry_point);
        assert_eq!(map["conventions"].get("weights_unit"), None);
    }
}

async fn a_toolset_says_what_it_leaves_out_and_how_to_widen_it(engine: TestEngine) {
    let house = House::on(engine).await;
    let toolset = Toolset::parse("everyday,read", house.engine.catalog()).unwrap();
    let caller = house.person("ana").await;
    let request = Request { caller, operation: "get_capabilities".into(), input: json!({}), key: None, toolset };
    let map = house.engine.call(request).await.unwrap().into_value();
    let shown: Vec<String> = tools(&map).into_keys().collect();
    assert_eq!(shown, ["get_capabilities", "get_user_profile", "list_changes"]);
    assert_eq!((&map["toolset"]["active"], &map["toolset"]["listed"]), (&json!(["everyday", "read"]), &json!(3)));
    assert!(map["toolset"]["left_out"].as_i64().unwrap() > 0);
    assert!(map["toolset"]["widen"].as_str().unwrap().contains("everyday, read, account, notes"));
}

async fn a_domain_narrows_the_map(engine: TestEngine) {
    let house = House::on(engine).await;
    let map = house.call("get_capabilities", json!({"domain": "notes"})).await;
    assert_eq!(tools(&map).len(), 5);
    assert_eq!(map["entities"], json!([{"name": "note", "summary": "A note."}]));
    let body = house.refused("get_capabilities", json!({"domain": "kitchen"})).await;
    assert_eq!(body["message"], "domain: must be one of account, notes");
}

storage::on_both_engines! {
    every_listed_tool_is_there_exactly_once,
    only_what_is_granted_is_there,
    whoever_may_not_read_the_journal_begins_elsewhere,
    a_toolset_says_what_it_leaves_out_and_how_to_widen_it,
    a_domain_narrows_the_map,
}
