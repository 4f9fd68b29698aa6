//! What every request of this surface passes first: preflight, host and origin, floods; and what every answer carries.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    body::Body,
    extract::{ConnectInfo, State},
    middleware::Next,
    response::Response,
};
use door::{Floods, Origins};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};

use crate::{Settings, refusal};

const METHODS: &str = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";
const HEADERS: &str = "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, \
    Last-Event-ID, Idempotency-Key";
const EXPOSED: &str = "WWW-Authenticate, Mcp-Session-Id, Retry-After, Almanac-Version";

pub(crate) struct Front {
    origins: Origins,
    floods: Floods,
}

impl Front {
    pub fn new(settings: &Settings) -> Self {
        Self { origins: Origins::new(&settings.reach), floods: Floods::new(settings.flood) }
    }

    fn refuse(&self, request: &Request<Body>) -> Option<Response> {
        if let Some(sentence) = self.origins.refuse(request.uri(), request.headers()) {
            return Some(refusal::error(StatusCode::FORBIDDEN, "forbidden", sentence));
        }
        let credential = request.headers().get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
        self.floods.refuse(peer(request), credential).map(refusal::too_many)
    }
}

/// Address of the other side, where the listener knows it.
pub(crate) fn peer(request: &Request<Body>) -> Option<IpAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip())
}

pub(crate) async fn pass(State(front): State<Arc<Front>>, request: Request<Body>, next: Next) -> Response {
    if request.method() == Method::OPTIONS {
        return preflight();
    }
    let mut response = match front.refuse(&request) {
        Some(refused) => refused,
        None => next.run(request).await,
    };
    dress(response.headers_mut());
    response
}

fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    set(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    set(headers, header::ACCESS_CONTROL_MAX_AGE, "7200");
    dress(headers);
    response
}

/// Any page may read an answer, none may send cookies; nobody but the caller keeps it.
fn dress(headers: &mut HeaderMap) {
    set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    set(headers, header::VARY, "Cookie, Authorization, Accept");
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, HeaderName::from_static("almanac-version"), env!("CARGO_PKG_VERSION"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        set(headers, header::CACHE_CONTROL, "private, no-cache");
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
