//! Cases 1 to 9: revisions, their metadata, their methods.

use serde_json::{Value, json};

use crate::{
    house::Served,
    rpc::{self, ERAS, Era, LEGACY, MODERN},
    wire::Exchange,
};

fn assert_refused(house: &Served, exchange: Exchange, status: u16, code: i64) -> Value {
    let reply = house.ask(exchange.clone());
    assert_eq!((reply.status, reply.code()), (status, Some(code)), "{exchange:?}: {}", reply.text());
    assert!(reply.is_json());
    reply.json()["error"].clone()
}

#[test]
fn case_01_initialize_answers_each_legacy_revision_with_itself() {
    let house = Served::open();
    for version in LEGACY {
        let reply = house.ask(rpc::legacy("initialize", rpc::initialize(version)));
        assert_eq!(reply.status, 200);
        assert!(reply.is_json());
        assert_eq!(reply.header("mcp-session-id"), None);
        let result = reply.result();
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "almanac");
        assert_eq!(result["serverInfo"]["title"], "Almanac");
        assert_eq!(result["capabilities"], json!({"tools": {}, "resources": {}}));
        let instructions = result["instructions"].as_str().expect("instructions");
        assert!(!instructions.is_empty() && instructions.chars().count() < 2_000 && instructions.len() <= 2_048);
        for modern in ["resultType", "_meta", "ttlMs", "cacheScope", "supportedVersions"] {
            assert!(result.get(modern).is_none(), "{modern} in a legacy answer");
        }
    }
}

#[test]
fn case_02_initialize_never_answers_a_revision_that_was_not_asked_for_or_is_not_legacy() {
    let house = Served::open();
    for version in ["1999-01-01", MODERN, ""] {
        let result = house.ask(rpc::legacy("initialize", rpc::initialize(version))).result();
        assert_eq!(result["protocolVersion"], "2025-11-25", "asked for {version}");
    }
    let mut params = rpc::initialize("2025-11-25");
    params.as_object_mut().expect("an object").remove("protocolVersion");
    assert_refused(&house, rpc::legacy("initialize", params), 200, -32602);
    let contradicting = rpc::legacy("initialize", rpc::initialize("2025-11-25"));
    assert_refused(&house, contradicting.with("MCP-Protocol-Version", "2025-06-18"), 400, -32600);
}

#[test]
fn case_03_an_unknown_revision_is_refused_with_the_known_ones() {
    let house = Served::open();
    let unknown = "2031-01-01";
    let mut meta = rpc::meta();
    meta["io.modelcontextprotocol/protocolVersion"] = json!(unknown);
    for exchange in [
        rpc::legacy("tools/list", json!({})).with("MCP-Protocol-Version", unknown),
        rpc::modern_with_meta("tools/list", json!({}), meta).set("MCP-Protocol-Version", unknown),
    ] {
        let error = assert_refused(&house, exchange, 400, -32022);
        assert_eq!(error["data"]["requested"], unknown);
        assert_eq!(error["data"]["supported"].as_array().map(Vec::len), Some(5));
    }
}

#[test]
fn case_04_discover_tells_what_a_modern_client_needs() {
    let house = Served::open();
    let reply = house.ask(rpc::modern("server/discover", json!({})));
    assert_eq!(reply.status, 200);
    let result = reply.result();
    let mut versions: Vec<&str> = LEGACY.to_vec();
    versions.push(MODERN);
    let mut supported: Vec<&str> =
        result["supportedVersions"].as_array().expect("versions").iter().filter_map(Value::as_str).collect();
    supported.sort_unstable();
    assert_eq!(supported, versions);
    assert!(result["instructions"].as_str().is_some_and(|text| !text.is_empty()));
    assert_eq!(result["ttlMs"], 60_000);
    assert_eq!(result["cacheScope"], "private");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "almanac");
    assert_eq!(result["capabilities"], json!({"tools": {}, "resources": {}}));
}

#[test]
fn case_04_discover_without_meta_is_malformed_in_any_shape() {
    let house = Served::open();
    for exchange in [
        rpc::legacy("server/discover", json!({})),
        rpc::legacy("server/discover", json!({}))
            .with("MCP-Protocol-Version", MODERN)
            .with("Mcp-Method", "server/discover"),
        rpc::post(r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#),
        rpc::modern_with_meta("server/discover", json!({}), json!({})),
    ] {
        assert_refused(&house, exchange, 400, -32602);
    }
}

#[test]
fn case_05_modern_headers_must_repeat_the_body() {
    let house = Served::open();
    let list = || rpc::modern("tools/list", json!({}));
    let call = || Era::Modern.call("get_macros_today", json!({}));
    for exchange in [
        list().without("Mcp-Method"),
        list().set("Mcp-Method", "prompts/list"),
        list().set("Mcp-Method", "TOOLS/LIST"),
        list().without("MCP-Protocol-Version"),
        list().set("MCP-Protocol-Version", "2025-11-25"),
        call().without("Mcp-Name"),
        call().set("Mcp-Name", "get_meals"),
    ] {
        assert_refused(&house, exchange, 400, -32020);
    }
}

#[test]
fn case_05_a_header_may_be_spelled_padded_or_encoded_in_other_ways() {
    let house = Served::open();
    let call = || Era::Modern.call("get_macros_today", json!({}));
    for exchange in [
        call().without("Mcp-Method").with("mcp-METHOD", "tools/call"),
        call().set("Mcp-Name", "  get_macros_today  "),
        call().set("Mcp-Name", "=?base64?Z2V0X21hY3Jvc190b2RheQ==?="),
    ] {
        let reply = house.ask(exchange);
        assert_eq!((reply.status, &reply.result()["isError"]), (200, &json!(false)));
    }
}

#[test]
fn case_06_modern_metadata_must_be_whole() {
    let house = Served::open();
    let mut meta = rpc::meta();
    meta.as_object_mut().expect("an object").remove("io.modelcontextprotocol/clientCapabilities");
    assert_refused(&house, rpc::modern_with_meta("tools/list", json!({}), meta), 400, -32602);
    let mut meta = rpc::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!("none");
    assert_refused(&house, rpc::modern_with_meta("tools/list", json!({}), meta), 400, -32602);
    let headless =
        rpc::legacy("tools/list", json!({})).with("MCP-Protocol-Version", MODERN).with("Mcp-Method", "tools/list");
    assert_refused(&house, headless, 400, -32602);
    let mut meta = rpc::meta();
    meta.as_object_mut().expect("an object").remove("io.modelcontextprotocol/clientInfo");
    assert_eq!(house.ask(rpc::modern_with_meta("tools/list", json!({}), meta)).status, 200, "clientInfo is optional");
}

#[test]
fn case_07_methods_that_a_modern_client_has_not_are_not_found() {
    let house = Served::open();
    for method in
        ["ping", "logging/setLevel", "foo/bar", "subscriptions/listen", "tasks/get", "initialize", "prompts/get"]
    {
        assert_refused(&house, rpc::modern(method, json!({})), 404, -32601);
    }
}

#[test]
fn case_08_a_legacy_client_needs_no_order() {
    let house = Served::open();
    let tools = house.ask(rpc::legacy("tools/list", json!({}))).result()["tools"].clone();
    assert!(tools.as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == "log_meal")));
    for (method, params, result) in [
        ("logging/setLevel", json!({"level": "info"}), json!({})),
        ("ping", json!({}), json!({})),
        ("prompts/list", json!({}), json!({"prompts": []})),
        ("resources/templates/list", json!({}), json!({"resourceTemplates": []})),
    ] {
        assert_eq!(house.ask(rpc::legacy(method, params)).result(), result, "{method}");
    }
    for method in ["foo/bar", "prompts/get", "completion/complete", "resources/subscribe", "tasks/get"] {
        assert_refused(&house, rpc::legacy(method, json!({})), 200, -32601);
    }
    for version in LEGACY {
        let reply = house.ask(rpc::legacy("ping", json!({})).with("MCP-Protocol-Version", version));
        assert_eq!(reply.status, 200, "{version}");
    }
}

#[test]
fn case_09_notifications_are_accepted_without_a_word() {
    let house = Served::open();
    for method in ["notifications/initialized", "notifications/cancelled"] {
        let params = if method.ends_with("cancelled") { json!({"requestId": 7}) } else { json!({}) };
        let legacy = rpc::post(rpc::notification(method, params.clone()).to_string());
        let modern_body = rpc::notification(method, rpc::with_meta(params, rpc::meta())).to_string();
        let modern = rpc::post(modern_body).with("MCP-Protocol-Version", MODERN).with("Mcp-Method", method);
        for exchange in [legacy, modern] {
            let reply = house.ask(exchange);
            assert_eq!((reply.status, reply.text(), reply.header("content-type")), (202, "", None), "{method}");
        }
    }
}

#[test]
fn modern_answers_carry_their_hints_and_legacy_ones_none() {
    let house = Served::open();
    for (method, ttl) in [
        ("tools/list", 60_000),
        ("resources/list", 60_000),
        ("resources/templates/list", 60_000),
        ("prompts/list", 60_000),
    ] {
        let modern = house.ask(rpc::modern(method, json!({}))).result();
        assert_eq!((&modern["ttlMs"], &modern["cacheScope"]), (&json!(ttl), &json!("private")), "{method}");
        assert_eq!(modern["resultType"], "complete");
        assert_eq!(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "almanac");
        let legacy = house.ask(rpc::legacy(method, json!({}))).result();
        for hint in ["ttlMs", "cacheScope", "resultType", "_meta"] {
            assert!(legacy.get(hint).is_none(), "{hint} in {method}");
        }
    }
    for era in ERAS {
        let result = house.ask(era.call("get_macros_today", json!({}))).result();
        assert_eq!(result.get("resultType").is_some(), era == Era::Modern);
        assert_eq!(result["_meta"].get("io.modelcontextprotocol/serverInfo").is_some(), era == Era::Modern);
    }
}
