//! A message without HTTP: an in-process POST through the same layers, as stdio needs it.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, header, request::Parts};
use http_body_util::BodyExt as _;
use operation::{BoxFuture, Caller, Failure};
use serde_json::{Map, Value, json};

use super::{
    Stack, identity,
    run::{Asked, Outcome},
};
use crate::{
    answer,
    envelope::{Envelope, Loose},
    protocol::{self, PARSE_ERROR, headers},
};

/// Says who calls, anew for each message; given `assistant:<client>`.
pub type Who = Arc<dyn Fn(String) -> BoxFuture<'static, Result<Caller, Failure>> + Send + Sync>;

impl Stack {
    /// The answer to one message, where it gets one: none for notifications and for what is not JSON.
    pub(crate) async fn message(&self, bytes: Bytes, who: &Who, tools: &str) -> Option<Bytes> {
        let envelope = match protocol::read(&bytes) {
            Ok(envelope) => envelope,
            Err(refusal) if refusal.code == PARSE_ERROR && !looks_like_json(&bytes) => {
                tracing::warn!("skipped a line that is not JSON");
                return None;
            }
            Err(refusal) => return Some(refusal.body().to_string().into()),
        };
        let headers = headers_of(&envelope);
        let era = match protocol::era(&envelope, &headers) {
            Ok(era) => era,
            Err(refusal) => return Some(refusal.body().to_string().into()),
        };
        let asked = Asked { envelope: &envelope, era, tools, reads_results_only: false };
        let outcome = match who(identity::source(&headers, Some(&envelope))).await {
            Ok(caller) => self.run(self.parts_of(headers), bytes.clone(), &asked, Arc::new(caller)).await,
            Err(failure) => Outcome::Refused(failure, None),
        };
        if envelope.is_notification() {
            return None;
        }
        match outcome {
            Outcome::Reply(reply) => reply.into_body().collect().await.ok().map(http_body_util::Collected::to_bytes),
            Outcome::Refused(failure, _) => Some(told(&failure, &asked).to_string().into()),
        }
    }

    fn parts_of(&self, headers: HeaderMap) -> Parts {
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.method = Method::POST;
        parts.headers = headers;
        parts.headers.insert(header::HOST, self.0.host.clone());
        parts
    }
}

/// JSON that cannot be read for its depth or a number is still a message that somebody may wait for.
fn looks_like_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok()
}

/// Why the caller is not served. A server that cannot be reached is a matter for the model, the rest for the client.
fn told(failure: &Failure, asked: &Asked<'_>) -> Value {
    if asked.is_call() && matches!(failure, Failure::Unavailable { .. }) {
        return asked.refused(&failure.body(0).to_string(), Map::new());
    }
    json!({"jsonrpc": "2.0", "id": asked.envelope.id(), "error": answer::access_error(failure)})
}

/// The headers that a client of the modern era would have sent over HTTP.
fn headers_of(envelope: &Envelope<'_>) -> HeaderMap {
    let mut filled = HeaderMap::new();
    let Some(version) = envelope.meta().and_then(|meta| meta.version.get()).and_then(Loose::text) else {
        return filled;
    };
    let name = headers::named(envelope).map(headers::encode);
    let values = [
        (headers::VERSION, Some(version)),
        (headers::METHOD, Some(envelope.method())),
        (headers::NAME, name.as_deref()),
    ];
    for (header, value) in values {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            filled.insert(header, value);
        }
    }
    filled
}
