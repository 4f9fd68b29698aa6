//! The list of operations that the binary is built with, and how one is called at each surface.

use operation::{Catalog, Effect, Entry};
use serde_json::{Map, Value};

use crate::{domains, wire::Exchange};

pub fn catalog() -> Catalog {
    Catalog::new(domains::DOMAINS).expect("a sound catalog")
}

/// `log_meal` → `log-meal`.
pub fn command(entry: &Entry) -> String {
    entry.name.replace('_', "-")
}

pub fn on_mcp(entry: &Entry) -> bool {
    entry.off_mcp.is_none()
}

/// The REST request of an operation: path parameters from the input, the rest as query or body.
pub fn rest(entry: &Entry, input: &Value) -> Exchange {
    let mut rest = input.as_object().cloned().unwrap_or_default();
    let mut path = format!("/api/v1{}", entry.path);
    for name in entry.path_parameters() {
        let value = rest.remove(name).map(|value| plain(&value)).unwrap_or_default();
        path = path.replace(&format!("{{{name}}}"), &encoded(&value));
    }
    let method = entry.effect.verb().as_str();
    if matches!(entry.effect, Effect::Reads | Effect::Removes) {
        return Exchange::new(method, format!("{path}{}", query(&rest)));
    }
    Exchange::new(method, path).with("Content-Type", "application/json").body(Value::Object(rest).to_string())
}

fn query(rest: &Map<String, Value>) -> String {
    let pairs: Vec<String> = rest.iter().map(|(name, value)| format!("{name}={}", encoded(&plain(value)))).collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
