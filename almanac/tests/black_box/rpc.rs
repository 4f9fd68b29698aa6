//! JSON-RPC messages of both eras as HTTP requests: **legacy** without a version header, **modern** with every header
//! and `_meta` that 2026-07-28 asks for.

use serde_json::{Map, Value, json};

use crate::wire::Exchange;

pub const MODERN: &str = "2026-07-28";
pub const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Modern,
}

pub const ERAS: [Era; 2] = [Era::Legacy, Era::Modern];

impl Era {
    pub fn request(self, method: &str, params: Value) -> Exchange {
        match self {
            Self::Legacy => legacy(method, params),
            Self::Modern => modern(method, params),
        }
    }

    pub fn call(self, tool: &str, input: Value) -> Exchange {
        self.request("tools/call", json!({"name": tool, "arguments": input}))
    }
}

/// A POST of any text to `/mcp`.
pub fn post(body: impl Into<Vec<u8>>) -> Exchange {
    Exchange::new("POST", "/mcp").with("Content-Type", "application/json").body(body)
}

pub fn legacy(method: &str, params: Value) -> Exchange {
    post(message(method, params).to_string())
}

pub fn modern(method: &str, params: Value) -> Exchange {
    let params = with_meta(params, meta());
    modern_headers(method, &params, post(message(method, params.clone()).to_string()))
}

/// A modern request whose `_meta` is another one.
pub fn modern_with_meta(method: &str, params: Value, meta: Value) -> Exchange {
    let params = with_meta(params, meta);
    modern_headers(method, &params, post(message(method, params.clone()).to_string()))
}

fn modern_headers(method: &str, params: &Value, exchange: Exchange) -> Exchange {
    let exchange = exchange
        .with("Accept", "application/json, text/event-stream")
        .with("MCP-Protocol-Version", MODERN)
        .with("Mcp-Method", method);
    match params["name"].as_str().or(params["uri"].as_str()) {
        Some(name) => exchange.with("Mcp-Name", name),
        None => exchange,
    }
}

pub fn message(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": "asked", "method": method, "params": params})
}

pub fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

pub fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "black-box", "version": "1.0.0"}})
}

/// What a modern request must carry.
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "black-box", "version": "1.0.0"},
    })
}

pub fn with_meta(params: Value, meta: Value) -> Value {
    let mut params = match params {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    params.insert("_meta".into(), meta);
    Value::Object(params)
}
