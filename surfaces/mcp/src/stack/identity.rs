//! Layer 5: the `Authorization` header, and nothing else, says who calls.

use door::BearerFault;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use operation::{Caller, Failure, Toolset};
use serde_json::{Map, json};

use super::{Stack, run::Asked};
use crate::{
    challenge,
    envelope::Envelope,
    reply::{Reply, error_reply, json_reply},
};

impl Stack {
    /// The caller, or why there is none; the outer `Err` is a request that no credential would cure.
    pub(super) async fn identify(
        &self,
        headers: &HeaderMap,
        envelope: Option<&Envelope<'_>>,
    ) -> Result<Result<Caller, Failure>, Box<Reply>> {
        let source = source(headers, envelope);
        match door::bearer(headers) {
            Ok(Some(credential)) => Ok(self.0.backend.caller(credential, &source).await),
            Ok(None) if self.0.anonymous => Ok(Ok(Caller::visitor(&source))),
            Ok(None) => Ok(Err(Failure::Unauthenticated)),
            Err(BearerFault::NoToken) => {
                Ok(Err(Failure::InvalidCredential("The Authorization header is not a bearer token.")))
            }
            Err(BearerFault::Several) => {
                let sentence = "Send one Authorization header.";
                Err(Box::new(error_reply(StatusCode::BAD_REQUEST, "invalid_request", sentence)))
            }
        }
    }

    /// The answer to a caller without the credential or scope; `caller` is who it is, where that is known.
    pub(super) fn refused(
        &self,
        failure: &Failure,
        caller: Option<&Caller>,
        asked: Option<&Asked<'_>>,
        tools: &str,
    ) -> Reply {
        let status = StatusCode::from_u16(failure.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return json_reply(status, &challenge::body(failure));
        }
        let granted = caller.map(|caller| caller.scopes).unwrap_or_default();
        let known = Toolset::parse(tools, self.catalog()).is_ok();
        let challenge = self.0.challenges.of(failure, granted, if known { tools } else { "" });
        let in_result = |asked: &&Asked<'_>| asked.is_call() && asked.reads_results_only;
        if let Some(asked) = asked.filter(in_result).filter(|_| !matches!(failure, Failure::InvalidCredential(_))) {
            let meta = Map::from_iter([("mcp/www_authenticate".to_owned(), json!([challenge]))]);
            return json_reply(StatusCode::OK, &asked.refused(&challenge::sentence(failure), meta));
        }
        let mut reply = json_reply(status, &challenge::body(failure));
        if let Ok(value) = HeaderValue::try_from(challenge) {
            reply.headers_mut().insert(header::WWW_AUTHENTICATE, value);
        }
        reply
    }
}

/// These clients start their log-in from a tool result only.
pub(super) fn speaks_openai(headers: &HeaderMap, envelope: &Envelope<'_>) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let names =
        |name: &str, part: &str| name.as_bytes().windows(part.len()).any(|at| at.eq_ignore_ascii_case(part.as_bytes()));
    [agent, envelope.client_name()].into_iter().flatten().any(|name| names(name, "openai") || names(name, "chatgpt"))
}

/// `assistant:<client>`: what the client calls itself, or its user agent's product.
pub(super) fn source(headers: &HeaderMap, envelope: Option<&Envelope<'_>>) -> String {
    let agent = || headers.get(header::USER_AGENT)?.to_str().ok()?.split(['/', ' ']).next();
    let name = envelope.and_then(Envelope::client_name).or_else(agent).unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '@' | '/');
    let name: String = name.chars().filter(plain).take(64).collect();
    let name = if name.trim().is_empty() { "unknown" } else { name.trim() };
    format!("assistant:{name}")
}
