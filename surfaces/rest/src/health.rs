//! For whoever watches the process: no credential, no host check.

use axum::{Router, response::Response, routing::get};
use engine::Engine;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use crate::answer;

/// `/healthz`: the process serves. `/readyz`: its database answers, too.
pub(crate) fn router(engine: Engine) -> Router {
    let ready = move || async move {
        match engine.storage().migrations_applied().await {
            Ok(_) => said(StatusCode::OK, "ok"),
            Err(_) => said(StatusCode::SERVICE_UNAVAILABLE, "storage unavailable"),
        }
    };
    Router::new().route("/healthz", get(async || said(StatusCode::OK, "ok"))).route("/readyz", get(ready))
}

fn said(status: StatusCode, word: &str) -> Response {
    let body = json!({"status": word, "version": env!("CARGO_PKG_VERSION")});
    let mut response = answer::json(status, body.to_string());
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
