//! Cases 10 to 15: verbs, bodies, headers, origins, ids.

use serde_json::{Value, json};

use crate::{house::Served, rpc, wire::Exchange};

fn ping() -> Exchange {
    rpc::legacy("ping", json!({}))
}

#[test]
fn case_10_only_post_is_a_method_of_the_endpoint() {
    let house = Served::open();
    for method in ["GET", "DELETE", "PUT", "HEAD", "PATCH"] {
        for path in ["/mcp", "/mcp/"] {
            let reply = house.ask(Exchange::new(method, path));
            assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method} {path}");
            assert_eq!(reply.text(), "", "{method} {path}: never a page");
        }
        let stranger = house.send(Exchange::new(method, "/mcp"));
        assert_eq!(stranger.status, 401, "{method} without a token while visitors are refused");
    }
}

#[test]
fn both_paths_answer_alike() {
    let house = Served::open();
    for method in ["tools/list", "initialize", "foo/bar"] {
        let body = rpc::message(method, rpc::initialize("2025-11-25")).to_string();
        let [bare, slashed] = ["/mcp", "/mcp/"].map(|path| {
            house.ask(Exchange::new("POST", path).with("Content-Type", "application/json").body(body.clone()))
        });
        assert_eq!((bare.status, bare.text()), (slashed.status, slashed.text()), "{method}");
        assert_eq!(bare.header("cache-control"), Some("no-store"));
    }
}

#[test]
fn case_11_any_accept_will_do_and_json_is_assumed() {
    let house = Served::open();
    for exchange in [
        ping(),
        ping().with("Accept", "*/*"),
        ping().with("Accept", "application/json"),
        ping().with("Accept", "text/event-stream"),
        ping().without("Content-Type"),
        ping().set("Content-Type", "application/json; charset=utf-8"),
        ping().set("Content-Type", "Application/JSON"),
    ] {
        let reply = house.ask(exchange.clone());
        assert_eq!(reply.status, 200, "{exchange:?}: {}", reply.text());
        assert!(reply.is_json());
    }
    let reply = house.ask(ping().set("Content-Type", "text/plain"));
    assert_eq!(reply.status, 415);
    assert!(reply.is_json() && reply.json().is_object());
}

#[test]
fn case_12_what_is_no_message_is_refused() {
    let house = Served::open();
    let broken = house.ask(rpc::post(r#"{"jsonrpc":"#));
    assert_eq!((broken.status, broken.code()), (400, Some(-32700)));
    assert_eq!(broken.json().get("id"), Some(&Value::Null));
    for body in [
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        "[]",
        "7",
        r#""ping""#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        let reply = house.ask(rpc::post(body));
        assert_eq!((reply.status, reply.code()), (400, Some(-32600)), "{body}: {}", reply.text());
    }
    assert_eq!(house.ask(rpc::post("")).code(), Some(-32700), "an empty body");
}

#[test]
fn case_12_more_than_a_mebibyte_is_too_much() {
    let house = Served::open();
    let frame = rpc::message("ping", json!({"padding": ""})).to_string().len();
    let long =
        |bytes: usize| rpc::post(rpc::message("ping", json!({"padding": "x".repeat(bytes - frame)})).to_string());
    let limit = 1 << 20;
    assert_eq!(house.ask(long(limit)).status, 200);
    for exchange in [long(limit + 1), long(limit + 1).chunked()] {
        let reply = house.ask(exchange);
        assert_eq!(reply.status, 413);
        assert!(reply.is_json() && reply.json().is_object());
    }
    assert_eq!(house.ask(long(limit).chunked()).status, 200);
}

#[test]
fn case_13_foreign_hosts_and_origins_are_refused() {
    let house = Served::open();
    let port = house.server().address.port();
    for exchange in [
        ping().with("Host", "evil.example"),
        ping().with("Origin", "https://evil.example"),
        ping().with("Origin", "null"),
    ] {
        let reply = house.ask(exchange.clone());
        assert_eq!(reply.status, 403, "{exchange:?}");
        assert!(reply.json()["error"].is_string() && reply.json()["error_description"].is_string());
    }
    for exchange in [
        ping(),
        ping().with("Host", &format!("localhost:{port}")),
        ping().with("Origin", &format!("http://localhost:{port}")),
        ping().with("Origin", "http://127.0.0.1:6274"),
    ] {
        assert_eq!(house.ask(exchange.clone()).status, 200, "{exchange:?}");
    }
    let stranger = house.send(ping().with("Host", "evil.example"));
    assert_eq!(stranger.status, 403, "the host is looked at before the credential");
}

#[test]
fn case_14_preflight_needs_no_token() {
    let house = Served::open();
    let asked = "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, \
                 last-event-id, idempotency-key";
    let reply = house.send(
        Exchange::new("OPTIONS", "/mcp")
            .with("Origin", "https://some.client.example")
            .with("Access-Control-Request-Method", "POST")
            .with("Access-Control-Request-Headers", asked),
    );
    assert_eq!(reply.status, 200);
    let allowed = reply.header("access-control-allow-headers").expect("headers").to_ascii_lowercase();
    for header in asked.split(", ") {
        assert!(allowed.contains(header.trim()), "{header} in {allowed}");
    }
    let methods = reply.header("access-control-allow-methods").expect("methods");
    assert!(["GET", "POST", "DELETE", "OPTIONS"].iter().all(|method| methods.contains(method)), "{methods}");
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    assert_eq!(reply.header("access-control-max-age"), Some("7200"));
    let exposed =
        house.ask(ping()).header("access-control-expose-headers").map(str::to_ascii_lowercase).unwrap_or_default();
    assert!(
        ["www-authenticate", "mcp-session-id", "retry-after"].iter().all(|name| exposed.contains(name)),
        "{exposed}"
    );
}

#[test]
fn case_15_an_id_comes_back_as_it_was() {
    let house = Served::open();
    for id in [json!("a"), json!(0), json!(-7), json!(""), json!(9_007_199_254_740_991_i64)] {
        for method in ["ping", "foo/bar", "tools/list"] {
            let reply = house.ask(rpc::post(json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string()));
            assert_eq!(reply.json()["id"], id, "{method}");
        }
    }
}

#[test]
fn there_are_no_sessions() {
    let house = Served::open();
    let begun = rpc::legacy("initialize", rpc::initialize("2025-06-18")).with("Mcp-Session-Id", "stolen-or-stale");
    for exchange in [begun, ping().with("Mcp-Session-Id", "another")] {
        let reply = house.ask(exchange);
        assert_eq!((reply.status, reply.header("mcp-session-id")), (200, None));
    }
}

#[test]
fn no_credential_is_ever_logged() {
    let house = crate::house::House::build();
    let token = house.token(crate::house::ALL);
    let server = house.serve_with(&[("ALMANAC_LOG_LEVEL", "debug")]);
    let secret = token.strip_prefix("alm_").expect("a personal token");
    let wrong = format!("alm_{}", secret.chars().rev().collect::<String>());
    for exchange in [
        ping().bearer(&token),
        ping().bearer(&wrong),
        ping().query(&format!("?token={token}")),
        ping().with("X-Token", &token),
        Exchange::new("GET", format!("/api/v1/{token}")).bearer(&token),
        Exchange::new("GET", "/api/v1/meals").with("Authorization", &format!("Basic {token}")),
        rpc::post(format!("{token} is not JSON")).bearer(&token),
    ] {
        exchange.send(server.address);
    }
    let log = server.log();
    assert!(!log.is_empty(), "something is logged at all");
    assert!(!log.contains(secret) && !log.contains(&wrong[4..]), "a credential in {log}");
}
