use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    middleware,
    response::Response,
    routing::{any, get},
};
use engine::Engine;
use http::{Method, Request, StatusCode};

use crate::{
    Settings, answer, caller, claim,
    front::{self, Front},
    health, input, openapi, refusal,
    routes::{self, Route},
};

/// Largest request body.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// Everything this surface answers: `/api/v1/…`, `/api/v1/openapi.json`, `/healthz`, `/readyz`, and a JSON 404 for the
/// rest. The peer's address is taken from `axum::extract::ConnectInfo` where the listener puts it into the request.
pub fn router(engine: Engine, settings: Settings) -> Router {
    let mut router = Router::new();
    for route in routes::of(engine.catalog()) {
        let (route, engine) = (Arc::new(route), engine.clone());
        let path = format!("/api/v1{}", route.path);
        let answer = move |request| answer_at(engine.clone(), route.clone(), request);
        router = router.route(&path, any(answer));
    }
    let document = openapi::document(engine.catalog()).to_string();
    let healthy = engine.clone();
    router
        .route("/api/v1/openapi.json", get(move || async move { answer::json(StatusCode::OK, document.clone()) }))
        .method_not_allowed_fallback(async || refusal::method_not_allowed("GET, HEAD"))
        .fallback(async || refusal::unknown_route())
        .layer(middleware::from_fn_with_state(engine, claim::require))
        .layer(middleware::from_fn_with_state(Arc::new(Front::new(&settings)), front::pass))
        .merge(health::router(healthy))
}

async fn answer_at(engine: Engine, route: Arc<Route>, request: Request<Body>) -> Response {
    let wants_both = answer::wants_both(request.headers());
    match call(&engine, &route, request).await {
        Ok(answer) => answer::said(answer, wants_both),
        Err(refused) => *refused,
    }
}

async fn call(engine: &Engine, route: &Route, request: Request<Body>) -> Result<engine::Answer, Box<Response>> {
    let name =
        route.operation(request.method()).ok_or_else(|| Box::new(refusal::method_not_allowed(&route.allow())))?;
    let entry = engine.catalog().get(name).ok_or_else(|| Box::new(refusal::unknown_route()))?;
    let caller = caller::of(engine, entry, request.headers()).await?;
    let peer = front::peer(&request);
    let key = input::key(request.headers())?;
    let (head, body) = request.into_parts();
    let input = input::gather(entry, &head, body).await?;
    let asked = engine::Request {
        caller: caller.clone(),
        operation: name.to_owned(),
        input: input.into(),
        key,
        toolset: operation::Toolset::default(),
    };
    let answer = engine.call(asked).await;
    engine.note_use(&caller, peer);
    answer.map_err(|failed| Box::new(refusal::of(&failed, caller.scopes)))
}

/// `HEAD` is answered like `GET`; the connection leaves the body out.
pub(crate) fn is_head(method: &Method) -> bool {
    method == Method::HEAD
}
