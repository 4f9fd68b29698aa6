//! Layers 7 and 8: scope, toolset, and the protocol library.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, Full};
use operation::{Caller, Failure, Toolset};
use serde_json::{Map, Value, json};

use super::Stack;
use crate::{
    envelope::{Envelope, Found, META_SERVER},
    gate,
    protocol::{Era, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, server_info, unknown_method},
    reply::{Refusal, Reply, empty_reply, full},
    server::params,
    visit::Visit,
};

/// A message that has passed layer 4.
pub(crate) struct Asked<'a> {
    pub envelope: &'a Envelope<'a>,
    pub era: Era,
    /// The toolset of the URL as it was written.
    pub tools: &'a str,
    /// The client takes a challenge from a tool's result only.
    pub reads_results_only: bool,
}

impl Asked<'_> {
    pub fn is_call(&self) -> bool {
        self.envelope.method() == "tools/call"
    }

    fn refusal(&self, code: i32, message: String) -> Refusal {
        Refusal::bad_request(code, message).with_id(self.envelope.id())
    }

    /// A refused call as its result, with `_meta` of the protocol.
    pub fn refused(&self, text: &str, mut meta: Map<String, Value>) -> Value {
        let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
        if self.era == Era::Modern {
            result["resultType"] = json!("complete");
            meta.insert(META_SERVER.to_owned(), server_info());
        }
        if !meta.is_empty() {
            result["_meta"] = Value::Object(meta);
        }
        json!({"jsonrpc": "2.0", "id": self.envelope.id(), "result": result})
    }
}

/// How a message ended: with an answer, or with a failure that each transport tells in its own way.
pub(crate) enum Outcome {
    Reply(Reply),
    /// A credential or scope is missing; the caller, where known.
    Refused(Failure, Option<Arc<Caller>>),
}

impl Stack {
    /// Runs a message for a caller. `parts` are those of the POST.
    pub(super) async fn run(&self, parts: Parts, bytes: Bytes, asked: &Asked<'_>, caller: Arc<Caller>) -> Outcome {
        let toolset = match self.toolset(asked) {
            Ok(toolset) => toolset,
            Err(refusal) => return Outcome::Reply(refusal.reply()),
        };
        if let Some(failure) = gate::refuse(&self.0.tools, asked.envelope, &caller, &toolset) {
            return Outcome::Refused(failure, Some(caller));
        }
        if asked.envelope.is_notification() {
            return Outcome::Reply(empty_reply(StatusCode::ACCEPTED));
        }
        if let Some(refusal) = self.refuse_form(asked) {
            return Outcome::Reply(refusal.reply());
        }
        let key = parts.headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
        let visit = Visit::new(caller, toolset, key);
        let request = Request::from_parts(library_parts(parts, visit.clone()), Full::new(bytes.clone()));
        let reply = self.0.service.handle(request).await;
        match visit.refused() {
            Some(failure) => Outcome::Refused(failure.clone(), Some(visit.caller().clone())),
            None => Outcome::Reply(self.finished(reply, &bytes, asked, &visit).await),
        }
    }

    fn toolset(&self, asked: &Asked<'_>) -> Result<Toolset, Refusal> {
        if asked.tools.is_empty() {
            return Ok(Toolset::default());
        }
        let catalog = self.catalog();
        Toolset::parse(asked.tools, catalog).map_err(|_| {
            let message = format!("tools: unknown toolset; valid are {}", Toolset::known(catalog).join(", "));
            asked.refusal(INVALID_PARAMS, message)
        })
    }

    /// What the library would not even read, or answers otherwise than we do: methods of tasks, and params that are no
    /// object.
    fn refuse_form(&self, asked: &Asked<'_>) -> Option<Refusal> {
        let (method, era) = (asked.envelope.method(), asked.era);
        let unusable = unusable(asked.envelope);
        if unusable.is_none() && !method.starts_with("tasks/") {
            return None;
        }
        let found_status = if era == Era::Modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
        let extras = self.0.backend.extras().is_some();
        let known = params::fault(method, None, era, extras).is_some();
        Some(match unusable {
            Some(what) if known => {
                asked.refusal(INVALID_PARAMS, format!("{method}: {what}")).with_status(StatusCode::OK)
            }
            _ => asked.refusal(METHOD_NOT_FOUND, unknown_method(method)).with_status(found_status),
        })
    }

    async fn finished(&self, reply: Reply, bytes: &[u8], asked: &Asked<'_>, visit: &Visit) -> Reply {
        if is_text(&reply) {
            // The library refuses in plain text what only its own reader finds wrong, such as JSON nested too deeply.
            return unread(reply.status(), bytes, asked).reply();
        }
        if asked.envelope.method() == "tools/list" && reply.status() == StatusCode::OK {
            return with_tools(reply, &self.0.tools.listed(visit)).await;
        }
        reply
    }
}

/// What in the params no method takes, in words.
fn unusable(envelope: &Envelope<'_>) -> Option<String> {
    if matches!(envelope.params.get(), Some(Found::Other)) {
        return Some("params must be an object".into());
    }
    let params = envelope.params()?;
    if matches!(params.meta.get(), Some(Found::Other)) {
        return Some("_meta must be an object".into());
    }
    let name: String = params.arguments.get()?.twice.as_ref()?.chars().filter(|c| !c.is_control()).take(64).collect();
    Some(format!("{name} is given twice in arguments"))
}

/// What the library could not read: params of a form that its types do not have, or what only looked like JSON.
fn unread(status: StatusCode, bytes: &[u8], asked: &Asked<'_>) -> Refusal {
    if status != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return asked.refusal(INVALID_REQUEST, "the request cannot be served".into());
    }
    if serde_json::from_slice::<Value>(bytes).is_err() {
        return Refusal::bad_request(
            PARSE_ERROR,
            "the body cannot be read: it is nested too deeply or has a bad number",
        );
    }
    let sentence = format!("{}: params do not have the form that this method takes", asked.envelope.method());
    asked.refusal(INVALID_PARAMS, sentence).with_status(StatusCode::OK)
}

fn is_text(reply: &Reply) -> bool {
    let kind = reply.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    reply.status() != StatusCode::ACCEPTED
        && !kind.starts_with(b"application/json")
        && !kind.starts_with(b"text/event-stream")
}

/// What the library gets to see: JSON in and out whatever the client said, the visit, and no credential.
fn library_parts(mut parts: Parts, visit: Visit) -> Parts {
    let headers = &mut parts.headers;
    headers.remove(header::AUTHORIZATION);
    headers.remove(header::COOKIE);
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    parts.extensions.insert(visit);
    parts
}

const NO_TOOLS: &[u8] = b"\"tools\":[]";

/// Puts the tools, as they were written at start, into the list that the handler left empty: the one body that is
/// edited.
async fn with_tools(reply: Reply, tools: &[u8]) -> Reply {
    let (mut head, body) = reply.into_parts();
    let Ok(body) = body.collect().await.map(http_body_util::Collected::to_bytes);
    let Some(at) = body.windows(NO_TOOLS.len()).rposition(|window| window == NO_TOOLS) else {
        return Reply::from_parts(head, full(body));
    };
    let (before, after) = (&body[..at], &body[at + NO_TOOLS.len()..]);
    let listed = [before, b"\"tools\":", tools, after].concat();
    head.headers.remove(header::CONTENT_LENGTH);
    Reply::from_parts(head, full(listed))
}
