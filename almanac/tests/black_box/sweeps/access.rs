//! Every operation as nobody, with the wrong scope, and on somebody else's rows; over REST and MCP.

use operation::{Needs, Scope, Scopes};
use serde_json::{Value, json};

use super::{
    catalog::{catalog, on_mcp, rest},
    story,
};
use crate::{
    house::{ALL, BRUNO, Served},
    rpc::{self, Era},
    wire::Reply,
};

const ABSENT: i64 = 999_999;

/// Every single scope of the areas that have operations.
fn single_scopes() -> Vec<Scope> {
    catalog().areas().into_iter().flat_map(|area| [Scope::read(area), Scope::write(area)]).collect()
}

#[test]
fn nobody_gets_anything_that_needs_somebody() {
    let house = story::open();
    for entry in catalog().iter() {
        let over_rest = house.send(rest(entry, &entry.example));
        if entry.needs == Needs::Anonymous {
            assert_eq!(over_rest.status, entry.effect.status(), "{}: {}", entry.name, over_rest.text());
        } else {
            assert_eq!(over_rest.status, 401, "{}: {}", entry.name, over_rest.text());
            assert!(over_rest.header("www-authenticate").is_some_and(|said| said.starts_with("Bearer ")));
        }
        let over_mcp = house.send(Era::Legacy.call(entry.name, entry.example.clone()));
        assert_eq!(over_mcp.status, 401, "{}: visitors are refused on MCP as a whole", entry.name);
    }
}

#[test]
fn each_wrong_scope_is_refused_and_each_right_one_is_not() {
    let catalog = catalog();
    for scope in single_scopes() {
        let house = story::open();
        let token = house.house.token(&scope.to_string());
        let held = Scopes::NONE.with(scope);
        for entry in catalog.iter() {
            let Needs::Scope(needed) = entry.needs else { continue };
            if held.contains(needed) {
                continue; // what it may do is swept by the examples
            }
            let over_rest = house.send(rest(entry, &entry.example).bearer(&token));
            assert_eq!(over_rest.status, 403, "{} with {scope}: {}", entry.name, over_rest.text());
            assert_eq!(over_rest.json()["error"], "insufficient_scope", "{} with {scope}", entry.name);
            if on_mcp(entry) {
                let over_mcp = house.send(Era::Legacy.call(entry.name, entry.example.clone()).bearer(&token));
                assert_eq!(over_mcp.status, 403, "{} with {scope}: {}", entry.name, over_mcp.text());
            }
        }
    }
}

#[test]
fn the_list_holds_an_operation_exactly_when_its_scope_is_granted() {
    let catalog = catalog();
    let house = story::open();
    for scope in single_scopes() {
        let token = house.house.token(&scope.to_string());
        let listed = house.send(rpc::legacy("tools/list", json!({})).bearer(&token)).result();
        let listed: Vec<&str> =
            listed["tools"].as_array().expect("tools").iter().filter_map(|tool| tool["name"].as_str()).collect();
        let held = Scopes::NONE.with(scope);
        let expected: Vec<&str> = catalog
            .iter()
            .filter(|entry| on_mcp(entry) && !matches!(entry.needs, Needs::Scope(needed) if !held.contains(needed)))
            .map(|entry| entry.name)
            .collect();
        assert_eq!(listed, expected, "{scope}");
    }
}

#[test]
fn another_persons_row_looks_like_none() {
    let house = story::open();
    house.house.person(BRUNO, "Bruno");
    let bruno = house.house.token_of(BRUNO, ALL);
    let mut swept = 0;
    for entry in catalog().iter() {
        let Some((field, hers)) = row_of(&entry.example) else { continue };
        swept += 1;
        let with = |id: i64| {
            let mut input = entry.example.clone();
            input[&field] = json!(id);
            input
        };
        let masked = |reply: Reply, id: i64| (reply.status, without_id(reply.text(), id));
        let [his, none] = [hers, ABSENT].map(|id| masked(house.send(rest(entry, &with(id)).bearer(&bruno)), id));
        assert_eq!(his, none, "{} over REST", entry.name);
        if entry.path_parameters().any(|name| name == field) {
            assert_eq!(his.0, 404, "{} over REST: {}", entry.name, his.1);
        }
        if on_mcp(entry) {
            let [his, none] =
                [hers, ABSENT].map(|id| masked(house.send(Era::Legacy.call(entry.name, with(id)).bearer(&bruno)), id));
            assert_eq!(his, none, "{} over MCP", entry.name);
        }
    }
    assert!(swept >= 5, "rows were swept");
    assert_untouched(&house);
}

/// An answer with `"id":7` made the same for every 7, also inside a text.
fn without_id(answer: &str, id: i64) -> String {
    answer.replace(&format!(r#""id":{id}"#), r#""id":ID"#).replace(&format!(r#"\"id\":{id}"#), r#"\"id\":ID"#)
}

/// The parameter of an example that addresses a row, and its id.
fn row_of(example: &Value) -> Option<(String, i64)> {
    let members = example.as_object()?;
    members
        .iter()
        .find(|(name, value)| name.ends_with("_id") && value.is_i64())
        .and_then(|(name, value)| Some((name.clone(), value.as_i64()?)))
}

fn assert_untouched(house: &Served) {
    let fresh = story::open();
    let rows = |house: &Served| {
        house.meals().iter().map(|meal| (meal["id"].clone(), meal["kcal"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(rows(house), rows(&fresh));
}
