//! Requests to REST.

use serde_json::{Value, json};

use crate::wire::Exchange;

/// A request below `/api/v1` with a JSON body.
pub fn send(method: &'static str, path: &str, body: &Value) -> Exchange {
    at(method, path).with("Content-Type", "application/json").body(body.to_string())
}

/// A request below `/api/v1` without a body.
pub fn at(method: &'static str, path: &str) -> Exchange {
    Exchange::new(method, format!("/api/v1{path}"))
}

pub fn meal() -> Value {
    json!({"eaten_at": "2025-05-25T12:30:00", "kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18, "name": "Rice"})
}
