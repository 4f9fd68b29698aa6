//! Layer 2: any page may ask, none may send cookies.

use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::reply::{Reply, empty_reply};

const HEADERS: &str = "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, \
    last-event-id, idempotency-key";

pub(super) fn preflight() -> Reply {
    let mut reply = empty_reply(StatusCode::OK);
    let headers = reply.headers_mut();
    set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE, OPTIONS");
    set(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    set(headers, header::ACCESS_CONTROL_MAX_AGE, "7200");
    dress(&mut reply);
    reply
}

/// What every answer carries.
pub(super) fn dress(reply: &mut Reply) {
    let headers = reply.headers_mut();
    set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, "WWW-Authenticate, Mcp-Session-Id, Retry-After");
    if is_event_stream(headers) {
        set(headers, header::CACHE_CONTROL, "no-cache");
        set(headers, header::HeaderName::from_static("x-accel-buffering"), "no");
    } else {
        set(headers, header::CACHE_CONTROL, "no-store");
    }
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

fn set(headers: &mut HeaderMap, name: header::HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
