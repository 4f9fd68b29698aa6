//! Cases 21 to 23: what `tools/list` publishes, and that answers keep to it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    house::Served,
    rpc::{self, ERAS},
    walker,
};

fn text(tool: &Value, member: &str) -> String {
    tool[member].as_str().unwrap_or_default().to_owned()
}

#[test]
fn case_21_every_schema_is_portable() {
    let house = Served::open();
    let faults: Vec<String> = house
        .tools()
        .iter()
        .flat_map(|tool| {
            let input = walker::input_faults(&tool["inputSchema"]).into_iter().map(|fault| format!("input: {fault}"));
            let output =
                walker::output_faults(&tool["outputSchema"]).into_iter().map(|fault| format!("output: {fault}"));
            input.chain(output).map(|fault| format!("{}: {fault}", text(tool, "name"))).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn case_22_every_tool_is_named_described_and_annotated() {
    let house = Served::open();
    for tool in house.tools() {
        let name = text(&tool, "name");
        assert!(walker::is_name(&name), "{name}");
        let title = text(&tool, "title");
        assert!(!title.is_empty() && title == text(&tool["annotations"], "title"), "{name}: {title}");
        let docs = text(&tool, "description");
        assert!((20..=700).contains(&docs.chars().count()), "{name}: {} characters", docs.chars().count());
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{name}: {hint}");
        }
        assert_eq!(hints.as_object().map(serde_json::Map::len), Some(5), "{name}");
        assert_eq!(tool["securitySchemes"], tool["_meta"]["securitySchemes"], "{name}");
        let scheme = &tool["securitySchemes"][0];
        assert!(
            scheme["type"] == "noauth" || (scheme["type"] == "oauth2" && scheme["scopes"].is_array()),
            "{name}: {scheme}"
        );
    }
}

#[test]
fn case_22_hints_follow_from_what_a_tool_does() {
    let house = Served::open();
    let tools = house.tools();
    let hints = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
            .map(|hint| tool["annotations"][hint] == true)
    };
    for (name, expected) in [
        ("get_meals", [true, false, true, false]),
        ("ping", [true, false, true, false]),
        ("log_meal", [false, false, true, false]),
        ("log_weight", [false, false, true, false]),
        ("update_meal", [false, false, false, false]),
        ("mark_day_complete", [false, false, true, false]),
        ("delete_meal", [false, true, true, false]),
        ("revoke_access_token", [false, true, true, false]),
        ("undo_change", [false, false, true, false]),
    ] {
        assert_eq!(hints(name), expected, "{name}");
    }
    for tool in &tools {
        let removes = tool["annotations"]["destructiveHint"] == true;
        let confirms =
            tool["inputSchema"]["required"].as_array().is_some_and(|fields| fields.contains(&json!("confirm")));
        assert!(!removes || confirms, "{}: removes without a yes", tool["name"]);
    }
}

#[test]
fn case_22_the_list_is_one_sorted_page_and_the_same_each_time() {
    let house = Served::open();
    for era in ERAS {
        let list = || house.ask(era.request("tools/list", json!({"cursor": "ignored"})));
        let (first, second) = (list(), list());
        assert_eq!(first.body, second.body);
        let result = first.result();
        assert!(result.get("nextCursor").is_none());
        let names: Vec<String> =
            result["tools"].as_array().expect("tools").iter().map(|tool| text(tool, "name")).collect();
        let sorted: BTreeSet<String> = names.iter().cloned().collect();
        assert!(names.iter().eq(sorted.iter()), "sorted and unique: {names:?}");
    }
}

#[test]
fn case_22_no_description_asks_for_a_tool_that_is_not_there() {
    let house = Served::open();
    let known: BTreeSet<String> = house.tools().iter().map(|tool| text(tool, "name")).collect();
    let instructions =
        house.ask(rpc::legacy("initialize", rpc::initialize("2025-11-25"))).result()["instructions"].clone();
    let mut texts: Vec<(String, String)> =
        house.tools().iter().map(|tool| (text(tool, "name"), text(tool, "description"))).collect();
    texts.push(("instructions".into(), instructions.as_str().unwrap_or_default().to_owned()));
    for (place, words) in texts {
        for word in words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            let looks_like_a_tool = [
                "log_", "get_", "update_", "delete_", "list_", "undo_", "mark_", "search_", "define_", "start_", "end_",
            ]
            .iter()
            .any(|verb| word.starts_with(verb) && word.len() > verb.len());
            assert!(!looks_like_a_tool || known.contains(word), "{place} names {word}");
        }
    }
}

#[test]
fn case_23_a_refusal_has_no_object() {
    let house = Served::open();
    for tool in house.tools() {
        let name = text(&tool, "name");
        for era in ERAS {
            let result = house.ask(era.call(&name, json!({"no_such_parameter": true}))).result();
            assert_eq!(result["isError"], true, "{name}");
            assert!(result.get("structuredContent").is_none(), "{name}");
            let said = result["content"][0]["text"].as_str().unwrap_or_default();
            assert!(said.starts_with(&format!("tool {name} input validation failed — ")), "{said}");
            assert!(said.contains("no_such_parameter: Unknown parameter"), "{said}");
        }
    }
}
