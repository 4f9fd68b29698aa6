//! Everything that is not success, as `{"error", "message", …}` with its status and headers.

use axum::response::Response;
use engine::Failed;
use http::{HeaderValue, StatusCode, header};
use operation::{Failure, Scopes};
use serde_json::json;

use crate::answer;

/// Seconds after which a call that met a passing fault may come again.
const AFTER_A_FAULT_S: u64 = 5;

/// A failed call of a caller who has `granted`.
pub(crate) fn of(failed: &Failed, granted: Scopes) -> Response {
    let failure = &failed.failure;
    let status = StatusCode::from_u16(failure.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = failed.body();
    let mut response = answer::json(status, body.to_string());
    let headers = response.headers_mut();
    match failure {
        Failure::Unauthenticated | Failure::InvalidCredential(_) => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"almanac\""));
        }
        Failure::MissingScope { needs, .. } => {
            let description = quoted(body["message"].as_str().unwrap_or_default());
            let scope = granted.union(*needs);
            let challenge =
                format!("Bearer error=\"insufficient_scope\", error_description=\"{description}\", scope=\"{scope}\"");
            headers.extend(HeaderValue::try_from(challenge).ok().map(|value| (header::WWW_AUTHENTICATE, value)));
        }
        Failure::TooMany { retry_after_s } => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(*retry_after_s));
        }
        Failure::Unavailable { .. } => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(AFTER_A_FAULT_S));
        }
        Failure::Forbidden { .. }
        | Failure::NotFound { .. }
        | Failure::UnknownOperation { .. }
        | Failure::Invalid(_)
        | Failure::Refused(_)
        | Failure::Internal { .. } => {}
    }
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// A refusal of the surface itself.
pub(crate) fn error(status: StatusCode, code: &str, message: &str) -> Response {
    answer::json(status, json!({"error": code, "message": message}).to_string())
}

pub(crate) fn too_many(retry_after_s: u64) -> Response {
    of(&Failed { failure: Failure::TooMany { retry_after_s }, call_id: 0 }, Scopes::NONE)
}

pub(crate) fn unknown_route() -> Response {
    error(StatusCode::NOT_FOUND, "unknown_route", "Nothing is at this path; see /api/v1/openapi.json.")
}

pub(crate) fn method_not_allowed(allow: &str) -> Response {
    let message = format!("This path takes {allow}.");
    let mut response = error(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", &message);
    response.headers_mut().extend(HeaderValue::try_from(allow).ok().map(|value| (header::ALLOW, value)));
    response
}

/// ASCII without quotes and backslashes, as a quoted string holds it.
fn quoted(text: &str) -> String {
    text.chars().filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\')).collect()
}
