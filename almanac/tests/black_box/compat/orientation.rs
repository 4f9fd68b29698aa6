//! The map of what a connection can do, and the instructions it begins with.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    house::Served,
    rpc::{self, Era},
};

fn listed(house: &Served, query: &str) -> BTreeSet<String> {
    let tools = house.ask(rpc::legacy("tools/list", json!({})).query(query)).result();
    tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
        .collect()
}

fn map(house: &Served, input: Value, query: &str) -> Value {
    house.ask(Era::Legacy.call("get_capabilities", input).query(query)).result()["structuredContent"].clone()
}

/// Every tool of a map, as often as it is in it.
fn tools_of(map: &Value) -> Vec<String> {
    let by_entity = map["tools_by_entity"].as_object().expect("entities").values();
    let roles = by_entity.flat_map(|roles| roles.as_object().expect("roles").values());
    let other = map["tools_other"].as_array().expect("tools");
    let tools = roles.flat_map(|tools| tools.as_array().expect("tools")).chain(other);
    let mut names: Vec<String> = tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn the_map_holds_every_listed_tool_once() {
    let house = Served::open();
    for query in ["", "?tools=everyday", "?tools=read", "?tools=account"] {
        let map = map(&house, json!({}), query);
        let expected: Vec<String> = listed(&house, query).into_iter().collect();
        if expected.contains(&"get_capabilities".to_owned()) {
            assert_eq!(tools_of(&map), expected, "{query}");
        }
    }
}

#[test]
fn the_map_says_what_a_toolset_leaves_out_and_how_to_widen_it() {
    let house = Served::open();
    let all = listed(&house, "").len();
    let everyday = listed(&house, "?tools=everyday").len();
    let toolset = map(&house, json!({}), "?tools=everyday")["toolset"].clone();
    assert_eq!(toolset["active"], json!(["everyday"]));
    assert_eq!((&toolset["listed"], &toolset["left_out"]), (&json!(everyday), &json!(all - everyday)));
    assert!(toolset["widen"].as_str().is_some_and(|words| words.contains("tools=")), "{toolset}");
    let whole = map(&house, json!({}), "")["toolset"].clone();
    assert_eq!((&whole["active"], &whole["left_out"], whole.get("widen")), (&json!([]), &json!(0), None));
}

#[test]
fn one_domain_of_the_map_is_its_own() {
    let house = Served::open();
    let journal = tools_of(&map(&house, json!({"domain": "journal"}), ""));
    assert!(journal.contains(&"log_meal".to_owned()) && !journal.contains(&"list_access_tokens".to_owned()));
    let said = house.refused("get_capabilities", json!({"domain": "astrology"}));
    assert!(said.contains("domain: must be one of account, journal"), "{said}");
}

#[test]
fn the_way_in_exists() {
    let house = Served::open();
    let map = map(&house, json!({}), "");
    let entry = map["recommended_entrypoint"].as_str().expect("an entry point");
    assert!(listed(&house, "").contains(entry), "{entry}");
    assert_eq!(map["server"]["name"], "almanac");
    assert!(!map["common_workflows"].as_array().expect("workflows").is_empty());
}

#[test]
fn instructions_fit_every_host_and_speak_of_what_is_granted() {
    let house = Served::open();
    for scope in ["profile", "profile:read", "journal", "journal:read", "profile journal", "profile:read journal:read"]
    {
        let token = house.house.token(scope);
        let ask =
            |exchange: crate::wire::Exchange| house.send(exchange.bearer(&token)).result()["instructions"].clone();
        let words = ask(rpc::legacy("initialize", rpc::initialize("2025-11-25")));
        assert_eq!(words, ask(rpc::modern("server/discover", json!({}))), "{scope}: one text in both eras");
        let words = words.as_str().expect("instructions");
        assert!(words.chars().count() < 2_000 && words.len() <= 2_048, "{scope}: {} bytes", words.len());
        for word in ["get_capabilities", "confirm"] {
            assert!(words.contains(word), "{scope}: {word} in {words}");
        }
        if scope.split(' ').any(|name| name == "journal") {
            assert!(words.contains("log_meal"), "{scope}: which logs may be repeated, in {words}");
        }
    }
}
