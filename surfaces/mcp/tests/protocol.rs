//! The compatibility cases of the protocol itself: `specs/mcp.md` §15 #1–17.

mod fixture;

use fixture::{House, MODERN, loopback, message, meta, with_meta};
use serde_json::{Value, json};

fn house() -> House {
    House::new(loopback())
}

fn hello(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}})
}

#[tokio::test]
async fn initialize_answers_the_legacy_version_asked_for() {
    let house = house();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let got = house.legacy("initialize", hello(version)).await;
        let result = got.result();
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"], json!({"name": "almanac", "title": "Almanac", "version": "0.1.0"}));
        assert_eq!(result["capabilities"], json!({"tools": {}, "resources": {}}));
        assert!(result["instructions"].as_str().unwrap().contains("log_meal"));
        assert_eq!(got.header("mcp-session-id"), "");
        assert_eq!(got.header("cache-control"), "no-store");
        assert!(result.get("_meta").is_none() && result.get("resultType").is_none());
    }
}

#[tokio::test]
async fn initialize_falls_back_to_the_newest_legacy_version_and_never_to_the_modern_one() {
    let house = house();
    for version in ["1999-01-01", "2031-01-01", MODERN] {
        assert_eq!(house.legacy("initialize", hello(version)).await.result()["protocolVersion"], "2025-11-25");
    }
    let got = house.legacy("initialize", json!({"capabilities": {}})).await;
    assert_eq!((got.status.as_u16(), got.code()), (200, -32602), "{}", got.text);
    let bearer = format!("Bearer {}", fixture::ALL);
    let headers = [("host", "localhost"), ("authorization", &bearer), ("mcp-protocol-version", "2025-06-18")];
    let got = house.post("/mcp", &headers, message(1, "initialize", hello("2025-11-25"))).await;
    assert_eq!((got.status.as_u16(), got.code()), (400, -32600));
}

#[tokio::test]
async fn an_unknown_version_is_refused_with_the_five_we_know() {
    let house = house();
    let bearer = format!("Bearer {}", fixture::ALL);
    let headers = [("host", "localhost"), ("authorization", &bearer), ("mcp-protocol-version", "2031-01-01")];
    let mut modern = meta();
    modern["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    for params in [json!({}), json!({"_meta": modern})] {
        let got = house.post("/mcp", &headers, message(5, "tools/list", params)).await;
        assert_eq!((got.status.as_u16(), got.code()), (400, -32022));
        let data = &got.json()["error"]["data"];
        assert_eq!(data["requested"], "2031-01-01");
        assert_eq!(data["supported"].as_array().unwrap().len(), 5);
        assert_eq!(got.json()["id"], 5);
    }
}

#[tokio::test]
async fn discover_says_who_we_are_and_how_long_that_holds() {
    let result = house().modern("server/discover", json!({})).await.result();
    assert_eq!(
        result["supportedVersions"],
        json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
    );
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(60000), &json!("private")));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "almanac");
    assert!(result["instructions"].as_str().unwrap().contains("Kitchen"));
}

#[tokio::test]
async fn headers_must_repeat_the_body() {
    let house = house();
    let call = json!({"name": "ping", "arguments": {}});
    for (left_out, method, params) in [
        ("mcp-method", "tools/list", json!({})),
        ("mcp-name", "tools/call", call.clone()),
        ("mcp-protocol-version", "tools/list", json!({})),
    ] {
        let got = house.modern_without(left_out, method, params).await;
        assert_eq!((got.status.as_u16(), got.code()), (400, -32020), "{left_out}: {}", got.text);
    }
    let bearer = format!("Bearer {}", fixture::ALL);
    let base = [("host", "localhost"), ("authorization", &bearer), ("mcp-protocol-version", MODERN)];
    let wrong = [&base[..], &[("mcp-method", "tools/call")]].concat();
    let got = house.post("/mcp", &wrong, message(1, "tools/list", with_meta(json!({})))).await;
    assert_eq!((got.status.as_u16(), got.code()), (400, -32020));
    let encoded = [&base[..], &[("mcp-method", "tools/call"), ("mcp-name", "=?base64?cGluZw==?=")]].concat();
    let got = house.post("/mcp", &encoded, message(1, "tools/call", with_meta(call))).await;
    assert_eq!(got.result()["isError"], false);
}

#[tokio::test]
async fn modern_metadata_must_be_whole() {
    let house = house();
    let bearer = format!("Bearer {}", fixture::ALL);
    let headers = [
        ("host", "localhost"),
        ("authorization", bearer.as_str()),
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/list"),
    ];
    let mut without = meta();
    without.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let mut malformed = meta();
    malformed["io.modelcontextprotocol/clientCapabilities"] = json!("all");
    for params in [json!({"_meta": without}), json!({"_meta": malformed}), json!({}), json!({"_meta": {}})] {
        let got = house.post("/mcp", &headers, message(1, "tools/list", params)).await;
        assert_eq!((got.status.as_u16(), got.code()), (400, -32602), "{}", got.text);
    }
    let got = house.legacy("server/discover", json!({})).await;
    assert_eq!((got.status.as_u16(), got.code()), (400, -32602));
}

#[tokio::test]
async fn what_the_modern_revision_dropped_is_not_found() {
    let house = house();
    for method in ["ping", "logging/setLevel", "foo/bar", "subscriptions/listen", "tasks/get", "initialize"] {
        let params = if method == "logging/setLevel" { json!({"level": "info"}) } else { json!({"notifications": {}}) };
        let got = house.modern(method, params).await;
        assert_eq!((got.status.as_u16(), got.code()), (404, -32601), "{method}: {}", got.text);
    }
    for (method, params) in [
        ("prompts/get", json!({"name": "x"})),
        ("completion/complete", json!({})),
        ("resources/subscribe", json!({"uri": "x:y"})),
    ] {
        let got = house.modern(method, params).await;
        assert_eq!((got.status.as_u16(), got.code()), (404, -32601), "{method}: {}", got.text);
    }
}

#[tokio::test]
async fn a_legacy_client_may_ask_in_any_order() {
    let house = house();
    assert_eq!(house.legacy("tools/list", Value::Null).await.result()["tools"].as_array().unwrap().len(), 7);
    assert_eq!(house.legacy("logging/setLevel", json!({"level": "info"})).await.result(), json!({}));
    assert_eq!(house.legacy("ping", Value::Null).await.result(), json!({}));
    assert_eq!(house.legacy("prompts/list", Value::Null).await.result(), json!({"prompts": []}));
    assert_eq!(house.legacy("resources/templates/list", Value::Null).await.result(), json!({"resourceTemplates": []}));
    for method in ["foo/bar", "prompts/get", "completion/complete", "resources/subscribe", "tasks/get"] {
        let got = house.legacy(method, json!({"name": "x", "uri": "x:y"})).await;
        assert_eq!((got.status.as_u16(), got.code()), (200, -32601), "{method}: {}", got.text);
    }
}

#[tokio::test]
async fn modern_lists_carry_hints_and_legacy_ones_none() {
    let house = house();
    for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
        let modern = house.modern(method, json!({})).await.result();
        assert_eq!((&modern["ttlMs"], &modern["cacheScope"]), (&json!(60000), &json!("private")), "{method}");
        assert_eq!(modern["resultType"], "complete");
        assert_eq!(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "almanac");
        let legacy = house.legacy(method, json!({})).await.result();
        assert_eq!(legacy.as_object().unwrap().len(), 1, "{method}: {legacy}");
    }
}

#[tokio::test]
async fn notifications_are_accepted_without_a_word() {
    let house = house();
    let bearer = format!("Bearer {}", fixture::ALL);
    for method in ["notifications/initialized", "notifications/cancelled", "notifications/whatever"] {
        let body = json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}}).to_string();
        let legacy = [("host", "localhost"), ("authorization", &bearer)];
        let modern = [&legacy[..], &[("mcp-protocol-version", MODERN), ("mcp-method", method)]].concat();
        for headers in [&legacy[..], &modern] {
            let got = house.post("/mcp", headers, body.clone()).await;
            assert_eq!((got.status.as_u16(), got.text.as_str(), got.header("content-type")), (202, "", ""));
        }
    }
}

#[tokio::test]
async fn an_id_comes_back_as_it_was() {
    let house = house();
    let bearer = format!("Bearer {}", fixture::ALL);
    let headers = [("host", "localhost"), ("authorization", bearer.as_str())];
    for id in [json!("a"), json!(0), json!(-7), json!("\"tools\":[]")] {
        let got = house.post("/mcp", &headers, message(id.clone(), "tools/list", json!({}))).await;
        assert_eq!(got.json()["id"], id);
        assert_eq!(got.result()["tools"].as_array().unwrap().len(), 7);
    }
    for id in [Value::Null, json!(1.5), json!({}), json!(true)] {
        let got = house.post("/mcp", &headers, message(id, "ping", json!({}))).await;
        assert_eq!((got.status.as_u16(), got.code()), (400, -32600));
        assert_eq!(got.json()["id"], Value::Null);
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused_as_json_rpc_says() {
    let house = house();
    let bearer = format!("Bearer {}", fixture::ALL);
    let headers = [("host", "localhost"), ("authorization", bearer.as_str())];
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":{}1{}}}}}"#,
        "[".repeat(300),
        "]".repeat(300)
    );
    let deep_arguments = deep
        .replace("\"x\":", "\"name\":\"ping\",\"arguments\":")
        .replace("\"ping\",\"params", "\"tools/call\",\"params");
    for (body, code) in [
        (r#"{"jsonrpc":"#, -32700),
        ("", -32700),
        ("[1", -32700),
        (deep.as_str(), -32700),
        (deep_arguments.as_str(), -32700),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        ("7", -32600),
        (r#"{"id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","name":"log_meal"}}"#, -32600),
    ] {
        let got = house.post("/mcp", &headers, body.to_owned()).await;
        assert_eq!((got.status.as_u16(), got.code()), (400, code), "{body}: {}", got.text);
        if code == -32700 {
            assert_eq!(got.json()["id"], Value::Null);
        }
    }
}

#[tokio::test]
async fn a_parameter_given_twice_is_refused_at_any_depth() {
    let house = house();
    let bearer = format!("Bearer {}", fixture::ALL);
    let headers = [("host", "localhost"), ("authorization", bearer.as_str())];
    for arguments in [r#"{"kcal":1,"protein_g":1,"kcal":2}"#, r#"{"protein_g":1,"name":[{"kcal":1,"\u006bcal":1}]}"#] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"log_meal","arguments":{arguments}}}}}"#
        );
        let got = house.post("/mcp", &headers, body).await;
        assert_eq!((got.status.as_u16(), got.code()), (200, -32602), "{}", got.text);
        assert_eq!(got.json()["error"]["message"], "tools/call: kcal is given twice in arguments");
    }
}

#[tokio::test]
async fn an_unknown_method_is_named_in_a_sentence() {
    let house = house();
    for method in ["foo/bar", "tasks/get", "prompts/get", "completion/complete", "resources/subscribe"] {
        for got in [
            house.legacy(method, json!({"name": "x", "uri": "x:y"})).await,
            house.modern(method, json!({"name": "x"})).await,
        ] {
            assert_eq!(got.json()["error"]["message"], format!("unknown method: {method}"));
        }
    }
    let got = house.legacy(&format!("a\u{7}{}", "b".repeat(500)), json!({})).await;
    assert_eq!(got.json()["error"]["message"], format!("unknown method: a{}", "b".repeat(127)));
}

#[tokio::test]
async fn unusable_params_are_named() {
    let house = house();
    for (method, params, sentence) in [
        ("tools/call", json!({"name": "ping", "arguments": "{}"}), "tools/call: arguments must be an object"),
        ("tools/call", json!({"arguments": {}}), "tools/call: name is missing"),
        ("tools/call", json!({"name": 5}), "tools/call: name must be a string"),
        ("tools/call", json!([]), "tools/call: params must be an object"),
        ("tools/call", Value::Null, "tools/call: name is missing"),
        ("tools/list", json!([]), "tools/list: params must be an object"),
        ("ping", json!("x"), "ping: params must be an object"),
        ("resources/read", json!({}), "resources/read: uri is missing"),
        ("tools/list", json!({"_meta": "x"}), "tools/list: _meta must be an object"),
        ("tools/call", json!({"name": "ping", "_meta": [1]}), "tools/call: _meta must be an object"),
    ] {
        let got = house.legacy(method, params).await;
        assert_eq!((got.status.as_u16(), got.code()), (200, -32602), "{}", got.text);
        assert_eq!(got.json()["error"]["message"], sentence);
    }
    let got = house.modern("tools/call", json!({"arguments": {}})).await;
    assert_eq!((got.status.as_u16(), got.code()), (200, -32602), "{}", got.text);
    assert_eq!(house.legacy("tools/call", json!({"name": "ping", "arguments": null})).await.result()["isError"], false);
}
