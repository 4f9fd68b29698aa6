//! MCP on two streams: `specs/mcp.md` §7.1, §13 and §15 #32.
#![allow(clippy::unwrap_used, reason = "test helpers")]

mod fixture;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use fixture::{House, caller, loopback, message, with_meta};
use mcp::stdio::{Who, serve};
use operation::Failure;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

fn always(scopes: &'static str) -> Who {
    Arc::new(move |source| Box::pin(async move { Ok(caller(scopes, &source)) }))
}

/// Every answer to the lines, by id.
async fn answers(who: Who, tools: &str, lines: &[String]) -> Vec<Value> {
    let house = House::new(loopback());
    let (input, output) = tokio::io::duplex(1 << 22);
    let text = lines.join("\n") + "\n";
    serve(&house.mcp, who, tools, text.as_bytes(), input).await.unwrap();
    let mut lines = BufReader::new(output).lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        found.push(serde_json::from_str::<Value>(&line).unwrap());
    }
    found.sort_by_key(|answer| answer["id"].as_i64());
    found
}

#[tokio::test]
async fn a_broken_line_is_skipped_and_both_eras_are_answered() {
    let lines = [
        "{\"jsonrpc\":".to_owned(),
        "Content-Length: 12".to_owned(),
        String::new(),
        message(1, "tools/list", json!({})),
        message(2, "tools/list", with_meta(json!({}))),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        message(3, "ping", json!({})),
        message(
            4,
            "tools/call",
            with_meta(json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1, "name": "é"}})),
        ),
        message(5, "resources/read", with_meta(json!({"uri": "almanac://meals"}))),
    ];
    let got = answers(always("journal"), "", &lines).await;
    assert_eq!(got.len(), 5, "{got:?}");
    assert_eq!(got[0]["result"]["tools"].as_array().unwrap().len(), 6);
    assert_eq!(got[1]["result"]["ttlMs"], 60000);
    assert_eq!(got[2]["result"], json!({}));
    assert_eq!(got[3]["result"]["structuredContent"]["source"], "assistant:tester");
    assert_eq!(got[4]["result"]["resultType"], "complete");
}

#[tokio::test]
async fn nothing_needs_initialize_first_and_a_legacy_request_may_follow_a_modern_one() {
    let hello =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let lines = [
        message(1, "server/discover", with_meta(json!({}))),
        message(2, "initialize", hello),
        message(3, "ping", with_meta(json!({}))),
    ];
    let got = answers(always("journal"), "", &lines).await;
    assert_eq!(got[0]["result"]["supportedVersions"].as_array().unwrap().len(), 5);
    assert_eq!(got[1]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(got[2]["error"]["code"], -32601);
}

#[tokio::test]
async fn a_missing_credential_or_scope_is_an_error_of_the_session() {
    let revoked: Who = Arc::new(|_| Box::pin(async { Err(Failure::InvalidCredential("revoked")) }));
    let call = json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1}});
    let got = answers(revoked, "", &[message(1, "tools/call", call.clone())]).await;
    assert_eq!(got[0]["error"], json!({"code": -32001, "message": "Unauthenticated"}));
    let got = answers(always("journal:read"), "", &[message(1, "tools/call", call)]).await;
    assert_eq!(got[0]["error"], json!({"code": -32003, "message": "Forbidden", "data": {"scope": "journal"}}));
}

#[tokio::test]
async fn the_caller_is_looked_up_for_each_message() {
    let alive = Arc::new(AtomicBool::new(true));
    let seen = alive.clone();
    let who: Who = Arc::new(move |source| {
        let alive = seen.load(Ordering::SeqCst);
        Box::pin(async move {
            if alive { Ok(caller("journal", &source)) } else { Err(Failure::InvalidCredential("revoked")) }
        })
    });
    let house = House::new(loopback());
    let (client, server) = tokio::io::duplex(1 << 16);
    let (reading, writing) = tokio::io::split(server);
    let served = tokio::spawn(async move { serve(&house.mcp, who, "", reading, writing).await });
    let (from_server, mut to_server) = tokio::io::split(client);
    let mut lines = BufReader::new(from_server).lines();
    for (id, code) in [(1, Value::Null), (2, json!(-32001))] {
        to_server.write_all((message(id, "ping", json!({})) + "\n").as_bytes()).await.unwrap();
        let answer: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &code));
        alive.store(false, Ordering::SeqCst);
    }
    to_server.shutdown().await.unwrap();
    drop((to_server, lines));
    tokio::time::timeout(Duration::from_secs(5), served).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_cancelled_request_gets_no_answer() {
    let never: Who = Arc::new(|_| Box::pin(std::future::pending()));
    let lines = [
        message(1, "ping", json!({})),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}).to_string(),
    ];
    let got = tokio::time::timeout(Duration::from_secs(5), answers(never, "", &lines)).await.unwrap();
    assert_eq!(got, Vec::<Value>::new());
}

#[tokio::test]
async fn a_toolset_given_at_start_holds_for_the_session() {
    let got = answers(always("journal"), "everyday", &[message(1, "tools/list", json!({}))]).await;
    assert_eq!(got[0]["result"]["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_the_next_one_answered() {
    let long = |megabytes: usize| json!({"x": "x".repeat(megabytes << 20)});
    let lines = [
        message(1, "ping", long(1)),
        message(2, "ping", json!({})),
        json!({"jsonrpc": "2.0", "method": "notifications/x", "params": long(1)}).to_string(),
        "x".repeat(2 << 20),
        message(3, "ping", long(20)),
        message(4, "ping", json!({})),
    ];
    let got = answers(always("journal"), "", &lines).await;
    let shown: Vec<_> = got.iter().map(|answer| (answer["id"].as_i64(), answer["error"]["code"].as_i64())).collect();
    let refused = Some(-32600);
    assert_eq!(shown, [(None, refused), (Some(1), refused), (Some(2), None), (Some(4), None)]);
}

#[tokio::test]
async fn a_message_nested_too_deeply_is_answered() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"arguments":{}{}}}}}"#,
        "[".repeat(300),
        "]".repeat(300)
    );
    let got = answers(always("journal"), "", &[deep]).await;
    assert_eq!((&got[0]["id"], &got[0]["error"]["code"]), (&Value::Null, &json!(-32700)));
}
