//! Tools, resources and instructions: `specs/mcp.md` §§8, 9, 12–14 and §15 #16, #19–22, #28, #31.
#![allow(clippy::unwrap_used, reason = "test helpers")]

mod fixture;

use fixture::{ALL, House, loopback, with_meta};
use serde_json::{Value, json};

fn house() -> House {
    House::new(loopback())
}

fn names(result: &Value) -> Vec<&str> {
    result["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect()
}

#[tokio::test]
async fn the_list_is_sorted_whole_and_the_same_twice() {
    let house = house();
    let got = house.legacy("tools/list", json!({"cursor": "x"})).await;
    let result = got.result();
    let all = ["delete_meal", "get_meals", "get_pantry", "log_meal", "log_workout", "ping", "update_profile"];
    assert_eq!(names(&result), all);
    assert!(result.get("nextCursor").is_none());
    assert_eq!(got.text, house.legacy("tools/list", json!({})).await.text);
}

#[tokio::test]
async fn a_descriptor_says_what_its_operation_is() {
    let result = house().legacy("tools/list", json!({})).await.result();
    let tool = result["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "log_meal").unwrap().clone();
    let expected = json!({
        "name": "log_meal",
        "title": "Log meal",
        "description": "Logs a meal. For one that is already saved use `get_meals` first.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "kcal": {"type": "number", "minimum": 0, "maximum": 10000, "description": "Energy in kcal."},
                "protein_g": {"type": "number", "minimum": 0, "description": "Protein in g."},
                "name": {"type": "string", "description": "Name of the meal."},
            },
            "required": ["kcal", "protein_g"],
            "additionalProperties": false,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "summary": {"type": "string"}, "_meta": {"type": "object"}},
        },
        "annotations": {
            "title": "Log meal",
            "readOnlyHint": false,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
        "securitySchemes": [{"type": "oauth2", "scopes": ["journal"]}],
        "_meta": {"securitySchemes": [{"type": "oauth2", "scopes": ["journal"]}]},
    });
    assert_eq!(tool, expected);
}

#[tokio::test]
async fn hints_follow_the_effect() {
    let result = house().legacy("tools/list", json!({})).await.result();
    let hints: Vec<(&str, [bool; 3])> = result["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let hint = |name: &str| tool["annotations"][name].as_bool().unwrap();
            (tool["name"].as_str().unwrap(), ["readOnlyHint", "destructiveHint", "idempotentHint"].map(hint))
        })
        .collect();
    assert_eq!(
        hints,
        [
            ("delete_meal", [false, true, true]),
            ("get_meals", [true, false, true]),
            ("get_pantry", [true, false, true]),
            ("log_meal", [false, false, true]),
            ("log_workout", [false, false, false]),
            ("ping", [true, false, true]),
            ("update_profile", [false, false, true]),
        ]
    );
}

#[tokio::test]
async fn a_success_has_two_halves_with_the_same_facts() {
    let house = house();
    let call = json!({"name": "log_meal", "arguments": {"kcal": 500, "protein_g": 30}});
    let legacy = house.legacy("tools/call", call.clone()).await.result();
    let text: Value = serde_json::from_str(legacy["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, legacy["structuredContent"]);
    let last = legacy["structuredContent"].as_object().unwrap().keys().next_back().unwrap().clone();
    assert_eq!((last.as_str(), &legacy["isError"]), ("_meta", &json!(false)));
    assert!(legacy.get("_meta").is_none() && legacy.get("resultType").is_none() && legacy.get("ttlMs").is_none());
    let modern = house.modern("tools/call", call).await.result();
    assert_eq!(modern["resultType"], "complete");
    assert_eq!(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "almanac");
    assert_eq!(modern["structuredContent"]["source"], "assistant:tester");
}

#[tokio::test]
async fn the_header_key_reaches_the_call() {
    let token = format!("Bearer {ALL}");
    let headers =
        [("host", "localhost"), ("authorization", token.as_str()), ("idempotency-key", "k1"), ("user-agent", "curl/8")];
    let call = json!({"name": "log_meal", "arguments": {"kcal": 500, "protein_g": 30}});
    let result = house().post("/mcp", &headers, fixture::message(1, "tools/call", call)).await.result();
    assert_eq!(result["structuredContent"]["key"], "k1");
    assert_eq!(result["structuredContent"]["source"], "assistant:curl");
}

#[tokio::test]
async fn an_unknown_tool_is_told_in_the_way_of_the_era() {
    let house = house();
    for name in ["foo_bar", "make_token"] {
        let call = json!({"name": name, "arguments": {}});
        let legacy = house.legacy("tools/call", call.clone()).await.result();
        let expected = json!({"content": [{"type": "text", "text": format!("unknown tool: {name}")}], "isError": true});
        assert_eq!(legacy, expected);
        let modern = house.modern("tools/call", call).await;
        assert_eq!((modern.status.as_u16(), modern.code()), (200, -32602));
        assert_eq!(modern.json()["error"]["message"], format!("unknown tool: {name}"));
    }
    let long = format!("a\u{7}{}", "b".repeat(200));
    let result = house.legacy("tools/call", json!({"name": long})).await.result();
    assert_eq!(result["content"][0]["text"], format!("unknown tool: a{}", "b".repeat(127)));
}

#[tokio::test]
async fn wrong_fields_are_named_all_at_once() {
    let house = house();
    for (name, arguments, sentence) in [
        ("log_meal", json!({"kcal": "500"}), "kcal: Expected number, received string; protein_g: Required"),
        ("delete_meal", json!({"meal_id": 1}), "confirm: Invalid literal value, expected true"),
        ("delete_meal", json!({"meal_id": 1, "confirm": "true"}), "confirm: Invalid literal value, expected true"),
        ("delete_meal", json!({"meal_id": 1, "confirm": false}), "confirm: Invalid literal value, expected true"),
        ("log_meal", json!({"kcal": 1, "protein_g": 1, "name": "rule"}), "kcal: is in the future"),
    ] {
        let expected = json!({
            "content": [{"type": "text", "text": format!("tool {name} input validation failed — {sentence}")}],
            "isError": true,
        });
        let call = json!({"name": name, "arguments": arguments});
        assert_eq!(house.legacy("tools/call", call.clone()).await.result(), expected);
        assert_eq!(house.modern("tools/call", call).await.result()["content"], expected["content"]);
    }
    assert_eq!(house.fixture.writes.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_refusal_is_the_body_that_rest_sends() {
    let house = house();
    let call = |name: &str| json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1, "name": name}});
    let result = house.legacy("tools/call", call("refused")).await.result();
    assert_eq!(result["content"][0]["text"], r#"{"error":"name_taken","message":"Taken.","existing_id":3}"#);
    assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None));
    let result = house.legacy("tools/call", call("busy")).await.result();
    assert!(result["content"][0]["text"].as_str().unwrap().contains(r#""retry_after_s":9"#));
    for got in [house.legacy("tools/call", call("broken")).await, house.modern("tools/call", call("broken")).await] {
        assert_eq!((got.status.as_u16(), got.code()), (200, -32603));
        assert_eq!(
            got.json()["error"],
            json!({"code": -32603, "message": "internal error, call 77", "data": {"call_id": 77}})
        );
    }
}

#[tokio::test]
async fn a_toolset_shortens_the_list_only() {
    let house = house();
    let listed = async |uri: &str| house.legacy_at(uri, ALL, "tools/list", json!({})).await.result();
    assert_eq!(names(&listed("/mcp?tools=everyday").await), ["get_meals", "log_meal"]);
    assert_eq!(names(&listed("/mcp?tools=read").await), ["get_meals", "get_pantry", "ping"]);
    assert_eq!(names(&listed("/mcp?x=1&tools=journal%2Cread").await), ["get_meals", "ping"]);
    assert_eq!(names(&listed("/mcp?tools=kitchen").await), ["get_pantry"]);
    let got = house.legacy_at("/mcp?tools=nope", ALL, "tools/list", json!({})).await;
    assert_eq!((got.status.as_u16(), got.code()), (400, -32602));
    assert_eq!(got.json()["error"]["message"], "tools: unknown toolset; valid are everyday, read, journal, kitchen");
    let call = json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1}});
    let hidden = house.legacy_at("/mcp?tools=read", ALL, "tools/call", call.clone()).await.result();
    assert_eq!(hidden["content"][0]["text"], "unknown tool: log_meal");
    assert_eq!(house.fixture.writes.load(std::sync::atomic::Ordering::SeqCst), 0);
    let unlisted = house.legacy_at("/mcp?tools=kitchen", ALL, "tools/call", call).await.result();
    assert_eq!(unlisted["isError"], false);
}

#[tokio::test]
async fn the_grant_decides_what_is_listed() {
    let house = house();
    let listed = async |token: &str| house.legacy_at("/mcp", token, "tools/list", json!({})).await.result();
    assert_eq!(names(&listed("alm_journal:read").await), ["get_meals", "ping", "update_profile"]);
    assert_eq!(names(&listed("alm_kitchen:read").await), ["get_pantry", "ping", "update_profile"]);
}

#[tokio::test]
async fn a_resource_is_the_answer_of_its_operation() {
    let house = house();
    let listed = house.legacy("resources/list", json!({})).await.result();
    let described = json!([{
        "uri": "almanac://meals", "name": "meals", "title": "Meals",
        "description": "The newest meals.", "mimeType": "application/json",
    }]);
    assert_eq!(listed["resources"], described);
    let read = json!({"uri": "almanac://meals"});
    let result = house.legacy("resources/read", read.clone()).await.result();
    let content = &result["contents"][0];
    assert_eq!((&content["uri"], &content["mimeType"]), (&json!("almanac://meals"), &json!("application/json")));
    let text: Value = serde_json::from_str(content["text"].as_str().unwrap()).unwrap();
    assert_eq!(text[0]["summary"], "did get_meals");
    assert_eq!(result.as_object().unwrap().len(), 1);
    let modern = house.modern("resources/read", read).await.result();
    assert_eq!((&modern["ttlMs"], &modern["cacheScope"]), (&json!(0), &json!("private")));
}

#[tokio::test]
async fn an_unknown_resource_has_the_code_of_its_era() {
    let house = house();
    let read = json!({"uri": "almanac://nope"});
    let legacy = house.legacy("resources/read", read.clone()).await;
    assert_eq!((legacy.status.as_u16(), legacy.code()), (200, -32002));
    let modern = house.modern("resources/read", read.clone()).await;
    assert_eq!((modern.status.as_u16(), modern.code()), (200, -32602));
    assert_eq!(modern.json()["error"]["data"], read);
}

#[tokio::test]
async fn instructions_start_with_the_first_granted_domain() {
    let house = house();
    let told = async |token: &str| {
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let result = house.legacy_at("/mcp", token, "initialize", hello).await.result();
        result["instructions"].as_str().unwrap().to_owned()
    };
    let both = told("alm_journal+kitchen").await;
    assert!(both.contains("Journal: times without offset are local. log_meal takes kcal."), "{both}");
    assert!(both.contains("After a network failure the same log_meal may be sent again; log_workout not"), "{both}");
    assert!(both.contains("Kitchen: read stock with get_pantry."));
    assert!(!both.contains("never changes stock") && !both.contains('`') && !both.contains("get_next_best_action"));
    let kitchen = told("alm_kitchen:read").await;
    assert!(kitchen.contains("cooking never changes stock") && !kitchen.contains("Journal"));
    let profile = told("alm_profile").await;
    assert!(!profile.contains("Kitchen") && !profile.contains("Journal:"));
}

#[tokio::test]
async fn modern_calls_reach_operations_with_their_metadata_left_out() {
    let params = with_meta(json!({"name": "get_meals"}));
    let result = house().modern("tools/call", params).await.result();
    assert_eq!(result["structuredContent"]["total"], 1);
}
