//! Success: the answer object, or its two halves where the caller asks for them.

use axum::{body::Body, response::Response};
use engine::Answer;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::json;

const JSON: &str = "application/json";
/// `{"text", "data"}`: what is shown where only text is, beside the object.
const BOTH: &str = "application/vnd.almanac.answer+json";

pub(crate) fn wants_both(headers: &HeaderMap) -> bool {
    headers.get_all(header::ACCEPT).iter().any(|accept| accept.to_str().is_ok_and(|accept| accept.contains(BOTH)))
}

/// A successful call.
pub(crate) fn said(answer: Answer, both: bool) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let object = answer.into_value();
    if both {
        let text = object.to_string();
        return typed(status, json!({"text": text, "data": object}).to_string(), BOTH);
    }
    json(status, object.to_string())
}

pub(crate) fn json(status: StatusCode, text: String) -> Response {
    typed(status, text, JSON)
}

fn typed(status: StatusCode, text: String, kind: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
