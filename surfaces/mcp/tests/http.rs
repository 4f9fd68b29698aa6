//! The HTTP layers: `specs/mcp.md` §5, §6 and §15 #10–14, #24–26.
#![allow(clippy::unwrap_used, reason = "test helpers")]

mod fixture;

use axum::{body::Body, extract::ConnectInfo};
use fixture::{ALL, House, loopback, message, public};
use http::{Method, Request};
use mcp::{Flood, Settings};
use serde_json::{Value, json};

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

fn request(method: Method, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(method).uri("/mcp");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

#[tokio::test]
async fn only_post_is_a_method() {
    let house = House::new(loopback());
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::HEAD] {
        let got = house.send(request(method, &[("host", "localhost"), ("authorization", &bearer(ALL))])).await;
        assert_eq!((got.status.as_u16(), got.header("allow"), got.text.as_str()), (405, "POST", ""));
    }
    let got = house.send(request(Method::GET, &[("host", "localhost")])).await;
    assert_eq!(got.status, 401);
}

#[tokio::test]
async fn both_paths_answer_the_same() {
    let house = House::new(loopback());
    let (with, without) = (
        house.legacy_at("/mcp/", ALL, "tools/list", json!({})).await,
        house.legacy_at("/mcp", ALL, "tools/list", json!({})).await,
    );
    assert_eq!((with.status, with.text), (without.status, without.text));
}

#[tokio::test]
async fn a_preflight_passes_before_anything_else() {
    let house = House::new(loopback());
    let got =
        house.send(request(Method::OPTIONS, &[("host", "evil.example"), ("origin", "https://evil.example")])).await;
    assert_eq!(got.status, 200);
    assert_eq!(got.header("access-control-allow-origin"), "*");
    for name in [
        "authorization",
        "content-type",
        "accept",
        "mcp-protocol-version",
        "mcp-session-id",
        "mcp-method",
        "mcp-name",
        "last-event-id",
        "idempotency-key",
    ] {
        assert!(got.header("access-control-allow-headers").split(", ").any(|allowed| allowed == name), "{name}");
    }
    assert_eq!(got.header("access-control-allow-methods"), "GET, POST, DELETE, OPTIONS");
    assert_eq!(got.header("access-control-max-age"), "7200");
}

#[tokio::test]
async fn any_accept_and_any_form_of_json_will_do() {
    let house = House::new(loopback());
    let token = bearer(ALL);
    let base = [("host", "localhost"), ("authorization", token.as_str())];
    for extra in [
        None,
        Some(("accept", "*/*")),
        Some(("accept", "application/json")),
        Some(("accept", "text/html")),
        Some(("content-type", "application/json; charset=utf-8")),
    ] {
        let headers = [&base[..], extra.as_slice()].concat();
        let got = house.post("/mcp", &headers, message(1, "ping", json!({}))).await;
        assert_eq!((got.status.as_u16(), got.header("content-type")), (200, "application/json"), "{extra:?}");
    }
    let got = house
        .post("/mcp", &[&base[..], &[("content-type", "text/plain")]].concat(), message(1, "ping", json!({})))
        .await;
    assert_eq!(got.status, 415);
    assert_eq!(got.json()["error"], "unsupported_media_type");
}

#[tokio::test]
async fn a_mebibyte_is_the_most() {
    let house = House::new(loopback());
    let token = bearer(ALL);
    let headers = [("host", "localhost"), ("authorization", token.as_str())];
    let ping = message(1, "ping", json!({}));
    let fitting = format!("{ping}{}", " ".repeat((1 << 20) - ping.len()));
    assert_eq!(house.post("/mcp", &headers, fitting.clone()).await.status, 200);
    let got = house.post("/mcp", &headers, format!("{fitting} ")).await;
    assert_eq!((got.status.as_u16(), got.json()["error"].clone()), (413, json!("payload_too_large")));
    let declared = [&headers[..], &[("content-length", "1048577")]].concat();
    assert_eq!(house.post("/mcp", &declared, "{}").await.status, 413);
}

#[tokio::test]
async fn foreign_hosts_and_pages_are_forbidden() {
    let house = House::new(loopback());
    let token = bearer(ALL);
    let ping = || message(1, "ping", json!({}));
    let got = house.post("/mcp", &[("host", "evil.example"), ("authorization", &token)], ping()).await;
    assert_eq!((got.status.as_u16(), got.json()["error"].clone()), (403, json!("forbidden")));
    let page = [("host", "localhost"), ("authorization", token.as_str()), ("origin", "https://evil.example")];
    assert_eq!(house.post("/mcp", &page, ping()).await.status, 403);
    assert_eq!(house.post("/mcp", &page[..2], ping()).await.status, 200);
}

#[tokio::test]
async fn without_visitors_everything_needs_a_token() {
    let house = House::new(Settings { oauth: true, ..loopback() });
    for method in ["initialize", "server/discover", "tools/list", "ping", "notifications/initialized"] {
        let got = house.legacy_at("/mcp", "", method, json!({"_meta": {"x": 1}})).await;
        if method == "server/discover" {
            assert_eq!(got.status, 400, "malformed before anything else");
            continue;
        }
        assert_eq!(got.status, 401, "{method}");
        assert_eq!(
            got.header("www-authenticate"),
            "Bearer resource_metadata=\"http://localhost:8787/.well-known/oauth-protected-resource/mcp\", \
             scope=\"profile journal kitchen\""
        );
        assert_eq!(got.json()["error"], "unauthenticated");
    }
}

#[tokio::test]
async fn with_personal_tokens_only_a_401_names_the_realm() {
    let house = House::new(loopback());
    for token in ["", "nonsense"] {
        let got = house.legacy_at("/mcp", token, "ping", json!({})).await;
        assert_eq!((got.status.as_u16(), got.header("www-authenticate")), (401, "Bearer realm=\"almanac\""));
    }
    let got = house.legacy_at("/mcp", "nonsense", "ping", json!({})).await;
    assert_eq!(got.json()["error"], "invalid_token");
}

#[tokio::test]
async fn a_bad_token_is_never_a_visitor() {
    let house = House::new(Settings { anonymous: true, oauth: true, ..loopback() });
    let got = house.legacy_at("/mcp", "nonsense", "ping", json!({})).await;
    assert_eq!(got.status, 401);
    assert!(got.header("www-authenticate").starts_with("Bearer error=\"invalid_token\", error_description=\""));
    assert!(got.header("www-authenticate").contains("resource_metadata=\"http://localhost:8787/.well-known/"));
    for malformed in ["Basic YQ==", "Bearer", "Bearer a b"] {
        let got = house
            .post("/mcp", &[("host", "localhost"), ("authorization", malformed)], message(1, "ping", json!({})))
            .await;
        assert_eq!((got.status.as_u16(), got.json()["error"].clone()), (401, json!("invalid_token")), "{malformed}");
    }
    let twice = [("host", "localhost"), ("authorization", "Bearer alm_"), ("authorization", "Bearer alm_")];
    assert_eq!(house.post("/mcp", &twice, message(1, "ping", json!({}))).await.status, 400);
    let got = house.legacy_at("/mcp", "alm_unavailable", "ping", json!({})).await;
    assert_eq!((got.status.as_u16(), got.json()["error"].clone()), (503, json!("unavailable")));
}

#[tokio::test]
async fn a_call_beyond_the_scopes_is_a_step_up_and_runs_nothing() {
    let house = House::new(Settings { oauth: true, ..loopback() });
    let call = json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1}});
    let got = house.legacy_at("/mcp", "alm_journal:read", "tools/call", call).await;
    assert_eq!(got.status, 403);
    let challenge = got.header("www-authenticate");
    assert!(challenge.starts_with("Bearer error=\"insufficient_scope\""), "{challenge}");
    assert!(challenge.contains("scope=\"journal\"") && challenge.contains("resource_metadata=\"http"), "{challenge}");
    assert_eq!(
        got.json()["error_description"],
        "log_meal needs the journal permission. Reconnect Almanac and allow journal."
    );
    let read = json!({"uri": "almanac://meals"});
    let got = house.legacy_at("/mcp", "alm_kitchen", "resources/read", read).await;
    assert_eq!(got.status, 403);
    assert!(got.header("www-authenticate").contains("scope=\"journal:read kitchen\""));
    assert_eq!(house.fixture.writes.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test]
async fn some_clients_take_a_challenge_from_a_result_only() {
    let house = House::new(Settings { oauth: true, ..loopback() });
    let call = json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1}});
    let token = bearer("alm_journal:read");
    let headers = [("host", "localhost"), ("authorization", token.as_str()), ("user-agent", "openai-mcp/1.0")];
    let got = house.post("/mcp", &headers, message(1, "tools/call", call.clone())).await;
    let result = got.result();
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("log_meal needs the journal permission"));
    let challenge = result["_meta"]["mcp/www_authenticate"][0].as_str().unwrap();
    assert!(challenge.contains("insufficient_scope"));
    let got = house.post("/mcp", &[headers[0], headers[2]], message(1, "tools/call", call.clone())).await;
    assert_eq!(got.result()["isError"], true);
    let got = house.post("/mcp", &[headers[0], headers[2]], message(1, "tools/list", json!({}))).await;
    assert_eq!(got.status, 401);
    let bad = [headers[0], ("authorization", "Bearer nonsense"), headers[2]];
    assert_eq!(house.post("/mcp", &bad, message(1, "tools/call", call)).await.status, 401);
}

#[tokio::test]
async fn a_challenge_on_a_toolset_url_names_the_toolset() {
    let house = House::new(public());
    let headers = [("host", "almanac.example")];
    let got = house.post("/mcp?tools=read,journal", &headers, message(1, "ping", json!({}))).await;
    assert!(got.header("www-authenticate").contains("oauth-protected-resource/mcp?tools=read,journal\""));
    let got = house.post("/mcp?tools=nope", &headers, message(1, "ping", json!({}))).await;
    assert!(got.header("www-authenticate").contains("oauth-protected-resource/mcp\""));
}

#[tokio::test]
async fn visitors_see_what_needs_nothing_and_how_to_sign_in() {
    let house = House::new(Settings { anonymous: true, ..loopback() });
    let listed = house.legacy_at("/mcp", "", "tools/list", json!({})).await.result();
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["ping", "sign_in"]);
    assert_eq!(listed["tools"][0]["securitySchemes"], json!([{"type": "noauth"}]));
    let call = |name: &str| json!({"name": name, "arguments": {}});
    assert_eq!(house.legacy_at("/mcp", "", "tools/call", call("ping")).await.result()["isError"], false);
    for name in ["sign_in", "log_meal", "update_profile"] {
        assert_eq!(house.legacy_at("/mcp", "", "tools/call", call(name)).await.status, 401, "{name}");
    }
    let unknown = house.legacy_at("/mcp", "", "tools/call", call("foo_bar")).await.result();
    assert_eq!(unknown["content"][0]["text"], "unknown tool: foo_bar");
    let signed_in = house.legacy("tools/call", call("sign_in")).await.result();
    assert_eq!(signed_in["content"][0]["text"], "unknown tool: sign_in");
    let read = json!({"uri": "almanac://meals"});
    assert_eq!(house.legacy_at("/mcp", "", "resources/read", read).await.status, 401);
    assert_eq!(house.legacy_at("/mcp", "", "resources/list", json!({})).await.result()["resources"], json!([]));
}

#[tokio::test]
async fn a_flood_is_told_when_to_come_back() {
    let house = House::new(Settings { flood: Flood { per_credential: 1, per_network: 9 }, ..loopback() });
    let send = || {
        let mut request = request(Method::POST, &[("host", "localhost"), ("authorization", &bearer(ALL))]);
        let peer: std::net::SocketAddr = "203.0.113.7:9".parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        *request.body_mut() = Body::from(message(1, "ping", json!({})));
        house.send(request)
    };
    assert_eq!(send().await.status, 200);
    let got = send().await;
    assert_eq!((got.status.as_u16(), got.json()["error"].clone()), (429, json!("too_many_requests")));
    assert!(got.header("retry-after").parse::<u64>().unwrap() > 0);
}

#[tokio::test]
async fn a_credential_that_dies_inside_the_call_is_a_401() {
    let house = House::new(loopback());
    let call = json!({"name": "log_meal", "arguments": {"kcal": 1, "protein_g": 1, "name": "revoked"}});
    let got = house.legacy("tools/call", call).await;
    assert_eq!((got.status.as_u16(), got.json()["error"].clone()), (401, json!("invalid_token")));
    assert_eq!(got.json().get("jsonrpc"), None::<&Value>);
}
