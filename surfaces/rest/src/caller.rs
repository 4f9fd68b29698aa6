//! Who calls: the bearer credential and nothing else.

use std::sync::Arc;

use axum::response::Response;
use door::BearerFault;
use engine::{Engine, Failed};
use http::{HeaderMap, StatusCode};
use operation::{Caller, Entry, Failure, Needs, Scopes};

use crate::refusal;

/// How changes made through this surface are marked.
const SOURCE: &str = "api";

/// The caller of a request. A visitor is stopped here where the operation needs a credential, before the body is read.
pub(crate) async fn of(engine: &Engine, entry: &Entry, headers: &HeaderMap) -> Result<Arc<Caller>, Box<Response>> {
    let failure = match door::bearer(headers) {
        Ok(None) if entry.needs == Needs::Anonymous => return Ok(Arc::new(Caller::visitor(SOURCE))),
        Ok(None) => Failure::Unauthenticated,
        Ok(Some(token)) => match engine.caller_of_credential(token, SOURCE).await {
            Ok(caller) => return Ok(Arc::new(caller)),
            Err(failure) => failure,
        },
        Err(BearerFault::NoToken) => Failure::InvalidCredential("The Authorization header is not a bearer token."),
        Err(BearerFault::Several) => {
            let sentence = "Send one Authorization header.";
            return Err(Box::new(refusal::error(StatusCode::BAD_REQUEST, "invalid_request", sentence)));
        }
    };
    if let Failure::Internal { cause } = &failure {
        tracing::error!(%cause, "a credential could not be looked up");
    }
    Err(Box::new(refusal::of(&Failed { failure, call_id: 0 }, Scopes::NONE)))
}
