//! What the layers cost, without the protocol library and the token check: `specs/mcp.md` §17.1. For a quiet machine:
//! `cargo bench -p mcp`. Fails where the layers are over their limit.
#![allow(clippy::disallowed_methods, reason = "a stopwatch needs the real clock")]

#[path = "../tests/fixture/mod.rs"]
mod fixture;

use std::time::{Duration, Instant};

use fixture::{ALL, House, MODERN, loopback, message, with_meta};
use serde_json::{Value, json};

const CALLS: u32 = 5_000;
const LIMIT: Duration = Duration::from_micros(30);

/// The quickest of five rounds, per message.
async fn quickest(headers: &[(&str, &str)], body: &str, status: u16) -> Duration {
    let house = House::new(loopback());
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let began = Instant::now();
        for _ in 0..CALLS {
            assert_eq!(house.post("/mcp", headers, body.to_owned()).await.status, status);
        }
        best = best.min(began.elapsed() / CALLS);
    }
    best
}

/// A notification goes through all layers and ends before the library. It carries what a call carries.
fn notification() -> Value {
    let arguments = json!({"kcal": 500, "protein_g": 30, "carb_g": 50, "fat_g": 18, "name": "Porridge with berries"});
    let mut body = json!({"jsonrpc": "2.0", "method": "tools/call"});
    body["params"] = with_meta(json!({"name": "log_meal", "arguments": arguments}));
    body
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    layers().await;
    library().await;
}

async fn layers() {
    let bearer = format!("Bearer {ALL}");
    let headers = [
        ("host", "localhost"),
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("user-agent", "tester/1.0"),
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/call"),
        ("mcp-name", "log_meal"),
    ];
    let spent = quickest(&headers, &notification().to_string(), 202).await;
    println!("layers 2-7: {:.1} µs (at most {})", spent.as_secs_f64() * 1e6, LIMIT.as_micros());
    assert!(spent <= LIMIT, "{spent:?}");
}

/// A ping through the protocol library, told apart.
async fn library() {
    let bearer = format!("Bearer {ALL}");
    let headers = [("host", "localhost"), ("authorization", bearer.as_str())];
    let spent = quickest(&headers, &message(1, "ping", json!({})), 200).await;
    println!("ping with the library, without sockets: {:.1} µs", spent.as_secs_f64() * 1e6);
    let call = message(1, "tools/call", json!({"name": "ping", "arguments": {}}));
    let spent = quickest(&headers, &call, 200).await;
    println!("tools/call with the library, without sockets: {:.1} µs", spent.as_secs_f64() * 1e6);
}
