//! Until somebody owns the instance, everything says how that is done.

use axum::{
    Router,
    body::Body,
    extract::State,
    middleware::{self, Next},
    response::Response,
};
use engine::{Engine, Failed};
use http::{HeaderValue, Method, Request, StatusCode, header};
use operation::Scopes;
use serde_json::json;

use crate::{answer, refusal};

/// Puts 503 before a whole router while the instance has no owner; preflights pass.
pub fn gate(engine: Engine, router: Router) -> Router {
    router.layer(middleware::from_fn_with_state(engine, require))
}

pub(crate) async fn require(State(engine): State<Engine>, request: Request<Body>, next: Next) -> Response {
    if request.method() == Method::OPTIONS {
        return next.run(request).await;
    }
    match engine.is_claimed().await {
        Ok(true) => next.run(request).await,
        Ok(false) => unclaimed(),
        Err(failure) => refusal::of(&Failed { failure, call_id: 0 }, Scopes::NONE),
    }
}

fn unclaimed() -> Response {
    let commands = [
        "almanac create-person EMAIL --name NAME --timezone ZONE",
        "almanac create-access-token --person EMAIL --name NAME --scope \"profile journal\"",
    ];
    let body = json!({
        "error": "unclaimed",
        "message": "This Almanac has no owner yet. On its host, run create-person and then create-access-token.",
        "commands": commands,
    });
    let mut response = answer::json(StatusCode::SERVICE_UNAVAILABLE, body.to_string());
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("30"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
