//! The bridge over a server that answers as REST does: `specs/mcp.md` §7.2.
#![allow(clippy::unwrap_used, reason = "test helpers")]

mod fixture;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{Method, Request, Response},
};
use calendar::EventTime;
use fixture::{domain, loopback, message, with_meta};
use http_body_util::BodyExt as _;
use mcp::{Mcp, bridge::Bridge, stdio::serve};
use operation::{
    Area, Call, Catalog, Domain, Effect, Failure, Instructions, Local, Needs, Operation, Repeatable, Role, repeatable,
};
use remote::Remote;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use storage::Tx;
use tokio::io::{AsyncBufReadExt as _, BufReader};

#[derive(Clone, Default)]
struct Server {
    asked_who: Arc<AtomicUsize>,
    keys: Arc<Mutex<Vec<Option<String>>>>,
}

/// Logs a meal at a time.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape is read")]
struct LogTimed {
    /// When.
    #[serde(default)]
    eaten_at: Option<EventTime>,
    /// Energy in kcal.
    kcal: f64,
    /// Protein in g.
    protein_g: f64,
    /// Carbohydrates in g.
    carb_g: f64,
    /// Fat in g.
    fat_g: f64,
    /// Key of the call.
    #[serde(default)]
    idempotency_key: Option<String>,
    /// Log it anyway.
    #[serde(default)]
    allow_duplicate: Option<bool>,
}

impl Operation for LogTimed {
    const NAME: &'static str = "log_timed";
    const PATH: &'static str = "/timed";
    const EFFECT: Effect = Effect::Creates;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "pantry";
    const ROLE: Role = Role::Create;
    const IDEMPOTENT: bool = true;
    type Output = domain::Fact;

    fn example() -> Value {
        json!({"kcal": 1, "protein_g": 1, "carb_g": 1, "fat_g": 1})
    }
}

impl Local for LogTimed {
    async fn run(&self, _: &mut Tx, _: &Call) -> Result<domain::Fact, Failure> {
        Err(Failure::internal("asked of another server only"))
    }
}

impl Repeatable for LogTimed {
    const KIND: &'static str = "meal";

    fn row(output: &domain::Fact) -> i64 {
        output.id
    }

    async fn replay(&self, _: &mut Tx, _: &Call, _: i64) -> Result<Option<domain::Fact>, Failure> {
        Ok(None)
    }
}

const TIMED: Domain = Domain {
    operations: &[&[repeatable::<LogTimed>]],
    instructions: Instructions { long: "Timed: `log_timed`.", short: "Timed: `log_timed`." },
    ..domain::KITCHEN
};

async fn answer(State(server): State<Server>, request: Request<Body>) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let method = request.method().clone();
    let token = request.headers().get("authorization").map(|value| value.to_str().unwrap().to_owned());
    let key = request.headers().get("idempotency-key").map(|value| value.to_str().unwrap().to_owned());
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
        (Method::POST, path) if path.ends_with("/timed") => {
            server.keys.lock().unwrap().push(key);
            logged(&input)
        }
        (Method::GET, path) if path.ends_with("/health") => {
            let data = json!({"toolset": {"active": [], "listed": 6, "left_out": 0}, "_meta": {"user_tz": "UTC"}});
            reply(200, data)
        }
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
        Some("broken-text") => reply(500, json!({"error": "internal", "message": "m", "call_id": "c-9"})),
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
    answers_of(&[domain::JOURNAL, domain::KITCHEN], base, token, "", lines).await
}

async fn answers_of(domains: &[Domain], base: &str, token: &str, tools: &str, lines: &[String]) -> Vec<Value> {
    let catalog = Arc::new(Catalog::new(domains).unwrap());
    let bridge = Bridge::new(Remote::new(base, Some(token)).unwrap(), catalog);
    let mcp = Mcp::over(bridge.clone(), loopback()).unwrap();
    let (input, output) = tokio::io::duplex(1 << 22);
    let text = lines.join("\n") + "\n";
    serve(&mcp, bridge.who(), tools, text.as_bytes(), input).await.unwrap();
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
        log(8, "broken-text"),
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
    assert_eq!(got[7]["error"]["message"], "internal error, call c-9");
    assert_eq!(got[7]["error"]["data"], json!({"call_id": "c-9"}));
}

#[tokio::test]
async fn a_refused_token_is_an_error_of_the_session() {
    let base = serve_rest(Server::default()).await;
    let got = answers(&base, "alm_bad", &[log(1, "x"), message(2, "tools/list", json!({}))]).await;
    assert_eq!(got[0]["error"], json!({"code": -32001, "message": "Unauthenticated"}));
    assert_eq!(got[1]["error"]["code"], -32001);
}

#[tokio::test]
async fn a_server_that_is_away_is_told_in_one_sentence_and_only_to_calls() {
    let hello =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let lines = [
        log(1, "x"),
        message(2, "tools/list", json!({})),
        message(3, "initialize", hello),
        message(4, "ping", json!({})),
        message(5, "server/discover", with_meta(json!({}))),
    ];
    let got = answers("http://127.0.0.1:9", "alm_good", &lines).await;
    let text = got[0]["result"]["content"][0]["text"].as_str().unwrap();
    let sentence = "The Almanac server at http://127.0.0.1:9 cannot be reached; try again.";
    assert_eq!(text, json!({"error": "unavailable", "message": sentence}).to_string());
    assert_eq!(got[0]["result"]["isError"], true);
    assert_eq!(got[1]["result"]["tools"].as_array().unwrap().len(), 7);
    assert_eq!(got[2]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(got[3]["result"], json!({}));
    assert_eq!(got[4]["result"]["supportedVersions"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_call_with_a_clock_time_carries_the_key_of_its_input() {
    let server = Server::default();
    let base = serve_rest(server.clone()).await;
    let lunch = json!({"eaten_at": "2026-05-25T12:30:00", "kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18});
    let with = |name: &str, value: Value| {
        let mut input = lunch.clone();
        input[name] = value;
        input
    };
    for (input, keyed) in [
        (lunch.clone(), true),
        (with("allow_duplicate", json!(false)), true),
        (with("allow_duplicate", json!(true)), false),
        (with("idempotency_key", json!("mine")), false),
        (with("eaten_at", json!("2026-05-25")), false),
        (with("eaten_at", Value::Null), false),
    ] {
        let got = answers_of(&[domain::JOURNAL, TIMED], &base, "alm_good", "", &[call(1, "log_timed", input)]).await;
        assert_eq!(got[0]["result"]["isError"], false, "{got:?}");
        let key = server.keys.lock().unwrap().pop().unwrap();
        let hash = "ea47d32e6e940a81f1ab5885cfbac6ff6a36711a177f83d2d74e90b9970eed33";
        assert_eq!(key, keyed.then(|| format!("meal:7:{hash}")));
    }
}

#[tokio::test]
async fn the_map_shows_the_toolset_of_the_bridge() {
    let base = serve_rest(Server::default()).await;
    let domains = [domain::JOURNAL, domain::KITCHEN];
    let asked = [call(1, "ping", json!({}))];
    let got = answers_of(&domains, &base, "alm_good", "read", &asked).await;
    let result = &got[0]["result"];
    let toolset = &result["structuredContent"]["toolset"];
    assert_eq!(
        (&toolset["active"], &toolset["listed"], &toolset["left_out"]),
        (&json!(["read"]), &json!(2), &json!(4))
    );
    assert!(toolset["widen"].as_str().unwrap().contains("without --tools"));
    assert_eq!(result["content"][0]["text"], result["structuredContent"].to_string());
    let got = answers(&base, "alm_good", &asked).await;
    assert_eq!(got[0]["result"]["structuredContent"]["toolset"]["listed"], 6);
}
