//! The bridge over a server that answers as REST does: `specs/mcp.md` §7.2.
#![allow(clippy::unwrap_used, reason = "test helpers")]

mod fixture;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{Method, Request, Response},
};
use fixture::{domain, loopback, message, with_meta};
use http_body_util::BodyExt as _;
use mcp::{Mcp, bridge::Bridge, stdio::serve};
use operation::Catalog;
use remote::Remote;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};

#[derive(Clone, Default)]
struct Server {
    asked_who: Arc<AtomicUsize>,
}

async fn answer(State(server): State<Server>, request: Request<Body>) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let method = request.method().clone();
    let token = request.headers().get("authorization").map(|value| value.to_str().unwrap().to_owned());
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let input: Value = serde_json::from_slice(&body).unwrap_or_default();
    if token.as_deref() != Some("Bearer alm_good") {
        return reply(401, json!({"error": "invalid_token", "message": "Unknown."}));
    }
    match (method, path.as_str()) {
        (Method::GET, "/api/v1/users/me") => {
            server.asked_who.fetch_add(1, Ordering::SeqCst);
            let person = json!({"id": 7, "name": "Ada", "email": "ada@example.org", "state": "active"});
            reply(200, json!({"person": person, "scopes": ["journal"], "could_add": []}))
        }
        (Method::POST, path) if path.ends_with("/meals") => logged(&input),
        (Method::DELETE, path) if path.ends_with("/meals/9") => reply(
            404,
            json!({"error": "not_found", "message": "There is no meal with this id.", "what": "meal", "id": 9}),
        ),
        (Method::GET, path) if path.ends_with("/meals") => {
            reply(403, json!({"error": "insufficient_scope", "message": "get_meals needs the journal permission."}))
        }
        _ => reply(502, json!("bad gateway")),
    }
}

fn logged(input: &Value) -> Response<Body> {
    match input["name"].as_str() {
        Some("rule") => {
            let fields = json!([{"field": "kcal", "reason": "is in the future"}]);
            reply(422, json!({"error": "invalid_input", "message": "…", "fields": fields}))
        }
        Some("broken") => reply(500, json!({"error": "internal", "message": "internal error, call 9", "call_id": 9})),
        Some("gateway") => reply(502, json!("bad gateway")),
        _ => {
            let data = json!({"id": 1, "kcal": input["kcal"], "_meta": {"user_tz": "UTC"}});
            let mut reply = reply(201, json!({"text": data.to_string(), "data": data}));
            let kind = "application/vnd.almanac.answer+json".parse().unwrap();
            reply.headers_mut().insert("content-type", kind);
            reply
        }
    }
}

fn reply(status: u16, body: Value) -> Response<Body> {
    Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap()
}

/// Where the server is.
async fn serve_rest(server: Server) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer).with_state(server)).await });
    format!("http://{address}")
}

async fn answers(base: &str, token: &str, lines: &[String]) -> Vec<Value> {
    let catalog = Arc::new(Catalog::new(&[domain::JOURNAL, domain::KITCHEN]).unwrap());
    let bridge = Bridge::new(Remote::new(base, Some(token)).unwrap(), catalog);
    let mcp = Mcp::over(bridge.clone(), loopback()).unwrap();
    let (input, output) = tokio::io::duplex(1 << 22);
    let text = lines.join("\n") + "\n";
    serve(&mcp, bridge.who(), "", text.as_bytes(), input).await.unwrap();
    let mut lines = BufReader::new(output).lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        found.push(serde_json::from_str::<Value>(&line).unwrap());
    }
    found.sort_by_key(|answer| answer["id"].as_i64());
    found
}

fn call(id: i64, name: &str, arguments: Value) -> String {
    message(id, "tools/call", json!({"name": name, "arguments": arguments}))
}

fn log(id: i64, name: &str) -> String {
    call(id, "log_meal", json!({"kcal": 1, "protein_g": 1, "name": name}))
}

#[tokio::test]
async fn the_tokens_scopes_say_what_is_listed_and_are_asked_for_once() {
    let server = Server::default();
    let base = serve_rest(server.clone()).await;
    let lines = [message(1, "tools/list", json!({})), message(2, "tools/list", with_meta(json!({})))];
    let got = answers(&base, "alm_good", &lines).await;
    assert_eq!(got[0]["result"]["tools"].as_array().unwrap().len(), 6);
    assert_eq!(got[1]["result"]["tools"].as_array().unwrap().len(), 6);
    assert_eq!(server.asked_who.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_answer_comes_through_with_both_halves() {
    let base = serve_rest(Server::default()).await;
    let got = answers(&base, "alm_good", &[call(1, "log_meal", json!({"kcal": 500, "protein_g": 3}))]).await;
    let result = &got[0]["result"];
    assert_eq!(result["structuredContent"], json!({"id": 1, "kcal": 500, "_meta": {"user_tz": "UTC"}}));
    assert_eq!(result["content"][0]["text"], r#"{"id":1,"kcal":500,"_meta":{"user_tz":"UTC"}}"#);
}

#[tokio::test]
async fn refusals_mean_here_what_they_mean_there() {
    let base = serve_rest(Server::default()).await;
    let lines = [
        call(1, "log_meal", json!({"kcal": "x"})),
        log(2, "rule"),
        call(3, "delete_meal", json!({"meal_id": 9, "confirm": true})),
        log(4, "broken"),
        log(5, "gateway"),
        call(6, "get_meals", json!({})),
        call(7, "nope", json!({})),
    ];
    let got = answers(&base, "alm_good", &lines).await;
    let text = |index: usize| got[index]["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert_eq!(
        text(0),
        "tool log_meal input validation failed — kcal: Expected number, received string; protein_g: Required"
    );
    assert_eq!(text(1), "tool log_meal input validation failed — kcal: is in the future");
    assert_eq!(text(2), r#"{"error":"not_found","message":"There is no meal with this id.","what":"meal","id":9}"#);
    assert_eq!(got[3]["error"]["data"], json!({"call_id": 9}));
    assert!(text(4).starts_with(r#"{"error":"unavailable","message":"#), "{}", text(4));
    assert_eq!(got[5]["error"], json!({"code": -32003, "message": "Forbidden", "data": {"scope": "journal:read"}}));
    assert_eq!(text(6), "unknown tool: nope");
}

#[tokio::test]
async fn a_refused_token_is_an_error_of_the_session() {
    let base = serve_rest(Server::default()).await;
    let got = answers(&base, "alm_bad", &[log(1, "x"), message(2, "tools/list", json!({}))]).await;
    assert_eq!(got[0]["error"], json!({"code": -32001, "message": "Unauthenticated"}));
    assert_eq!(got[1]["error"]["code"], -32001);
}

#[tokio::test]
async fn a_server_that_is_away_is_told_in_one_sentence() {
    let got = answers("http://127.0.0.1:9", "alm_good", &[log(1, "x"), message(2, "tools/list", json!({}))]).await;
    let text = got[0]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(r#"{"error":"unavailable","message":"The Almanac server cannot be reached"#), "{text}");
    assert_eq!(got[0]["result"]["isError"], true);
    assert_eq!(got[1]["error"]["code"], -32603);
}
