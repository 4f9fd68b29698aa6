//! Results and errors as the protocol library's types, in both eras.

use std::sync::LazyLock;

use operation::{Entry, Failure, failure::sentence};
use rmcp::{
    ErrorData,
    model::{
        CacheScope, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject, ReadResourceResult,
    },
};
use serde_json::{Map, Value, json};

use crate::{
    backend::{Said, Unsaid},
    challenge,
    envelope::META_SERVER,
    protocol::{Era, FORBIDDEN, UNAUTHENTICATED, server_info},
    visit::Visit,
};

/// How long a list may be kept.
pub(crate) const LIST_TTL_MS: u64 = 60_000;

/// Protocol-level `_meta` of every modern result.
pub(crate) fn stamp(era: Era) -> Option<MetaObject> {
    static STAMP: LazyLock<MetaObject> =
        LazyLock::new(|| MetaObject(Map::from_iter([(META_SERVER.to_owned(), server_info())])));
    (era == Era::Modern).then(|| STAMP.clone())
}

/// A fixture's result with the `_meta` of its era.
pub(crate) fn stamped(response: CallToolResponse, era: Era) -> CallToolResponse {
    match response {
        CallToolResponse::Complete(mut result) if result.meta.is_none() => {
            result.meta = stamp(era);
            result.into()
        }
        other => other,
    }
}

/// Results that a client may keep, with the hints that only modern answers carry.
pub(crate) trait Hinted: Sized {
    fn hints(&mut self) -> (&mut Option<MetaObject>, &mut Option<u64>, &mut Option<CacheScope>);

    fn hinted(mut self, era: Era, ttl_ms: u64) -> Self {
        if era == Era::Modern {
            let (meta, ttl, scope) = self.hints();
            *ttl = Some(ttl_ms);
            *scope = Some(CacheScope::Private);
            *meta = stamp(era);
        }
        self
    }
}

macro_rules! hinted {
    ($($result:ty),*) => {$(
        impl Hinted for $result {
            fn hints(&mut self) -> (&mut Option<MetaObject>, &mut Option<u64>, &mut Option<CacheScope>) {
                (&mut self.meta, &mut self.ttl_ms, &mut self.cache_scope)
            }
        }
    )*};
}

hinted!(ListToolsResult, ListResourcesResult, ListResourceTemplatesResult, ListPromptsResult, ReadResourceResult);

/// Both halves of a success.
pub(crate) fn success(said: Said, era: Era) -> Result<CallToolResult, ErrorData> {
    let object = Value::Object(said.object);
    // `to_string` of serde_json writes bytes; `Display` goes through the formatter and takes twice as long.
    let written = || serde_json::to_string(&object);
    let text =
        said.text.map_or_else(written, Ok).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(object);
    result.meta = stamp(era);
    Ok(result)
}

/// A refusal that the model reads: one text, nothing else.
pub(crate) fn refusal(text: String, era: Era) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.meta = stamp(era);
    result
}

/// The answer to a name that is no tool here: hosts of the legacy era hide protocol errors from the model, the modern
/// revision defines it as one.
pub(crate) fn unknown_tool(name: &str, era: Era) -> Result<CallToolResponse, ErrorData> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(128).collect();
    let message = format!("unknown tool: {name}");
    match era {
        Era::Legacy => Ok(refusal(message, era).into()),
        Era::Modern => Err(ErrorData::invalid_params(message, None)),
    }
}

/// A call without an answer, each kind in its place.
pub(crate) fn unsaid(entry: &Entry, unsaid: Unsaid, visit: &Visit, era: Era) -> Result<CallToolResponse, ErrorData> {
    let failed = match unsaid {
        Unsaid::Failed(failed) => failed,
        Unsaid::Told(body) => return Ok(refusal(Value::Object(body).to_string(), era).into()),
        Unsaid::Broken { call_id } => return Err(internal(call_id)),
    };
    let text = match &failed.failure {
        Failure::Unauthenticated | Failure::InvalidCredential(_) | Failure::MissingScope { .. } => {
            return Err(refused_access(failed.failure, visit));
        }
        Failure::Internal { .. } => return Err(internal(failed.call_id.into())),
        Failure::UnknownOperation { name } => return unknown_tool(name, era),
        Failure::Invalid(faults) => format!("tool {} input validation failed — {}", entry.name, sentence(faults)),
        Failure::Forbidden { .. }
        | Failure::NotFound { .. }
        | Failure::Refused(_)
        | Failure::TooMany { .. }
        | Failure::Unavailable { .. } => failed.body().to_string(),
    };
    Ok(refusal(text, era).into())
}

/// A failed read of a resource: there is no result that could carry it.
pub(crate) fn unsaid_read(unsaid: Unsaid, visit: &Visit) -> ErrorData {
    let failed = match unsaid {
        Unsaid::Failed(failed) => failed,
        Unsaid::Told(body) => return ErrorData::internal_error("the resource cannot be read", Some(body.into())),
        Unsaid::Broken { call_id } => return internal(call_id),
    };
    match &failed.failure {
        Failure::Unauthenticated | Failure::InvalidCredential(_) | Failure::MissingScope { .. } => {
            refused_access(failed.failure, visit)
        }
        Failure::Internal { .. } => internal(failed.call_id.into()),
        other => ErrorData::internal_error(challenge::sentence(other), Some(failed.body())),
    }
}

/// Noted for the layers, which answer with 401 or 403 where there is HTTP.
fn refused_access(failure: Failure, visit: &Visit) -> ErrorData {
    let error = access_error(&failure);
    visit.refuse(failure);
    error
}

/// A caller that cannot be served, where there is no HTTP status to say it.
pub(crate) fn access_error(failure: &Failure) -> ErrorData {
    match failure {
        Failure::Internal { cause } => {
            // Before a call there is no id of one.
            tracing::error!(%cause, "the caller cannot be looked up");
            internal(Value::from(0))
        }
        Failure::Unavailable { .. } => ErrorData::internal_error(challenge::sentence(failure), Some(failure.body(0))),
        Failure::MissingScope { needs, .. } => {
            ErrorData::new(ErrorCode(FORBIDDEN), "Forbidden", Some(json!({"scope": needs.to_string()})))
        }
        _ => ErrorData::new(ErrorCode(UNAUTHENTICATED), "Unauthenticated", None),
    }
}

fn internal(call_id: Value) -> ErrorData {
    let named = call_id.as_str().map_or_else(|| call_id.to_string(), str::to_owned);
    ErrorData::internal_error(format!("internal error, call {named}"), Some(json!({"call_id": call_id})))
}

pub(crate) fn unknown_resource(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("unknown resource", Some(json!({"uri": uri})))
}
