//! What a message must be before it may run: JSON-RPC 2.0, a revision we speak, and headers that repeat the body.

pub(crate) mod headers;

use http::HeaderMap;
use serde_json::{Value, json};

use crate::{
    envelope::{Envelope, Found, Loose, META_CAPABILITIES, META_VERSION, Meta},
    reply::Refusal,
};

/// Every revision served, oldest first.
pub const VERSIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];
/// The first revision without a handshake.
pub const MODERN: &str = "2026-07-28";
/// What `initialize` falls back to.
pub const NEWEST_LEGACY: &str = "2025-11-25";

pub(crate) const PARSE_ERROR: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;
pub(crate) const INVALID_PARAMS: i32 = -32602;
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
pub(crate) const HEADER_MISMATCH: i32 = -32020;
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;
pub(crate) const UNAUTHENTICATED: i32 = -32001;
pub(crate) const FORBIDDEN: i32 = -32003;

/// How a request speaks: with a handshake behind it, or carrying its own metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Modern,
}

impl Era {
    pub fn of_version(version: &str) -> Self {
        if version >= MODERN { Self::Modern } else { Self::Legacy }
    }
}

/// Reads the body and refuses what is no JSON-RPC message of ours.
pub(crate) fn read(body: &[u8]) -> Result<Envelope<'_>, Refusal> {
    let invalid = |message: &'static str| Refusal::bad_request(INVALID_REQUEST, message);
    let parse_error = || Refusal::bad_request(PARSE_ERROR, "the body is not JSON");
    if body.trim_ascii_start().first() != Some(&b'{') {
        return match serde_json::from_slice::<serde::de::IgnoredAny>(body) {
            Err(_) => Err(parse_error()),
            Ok(_) if body.trim_ascii_start().first() == Some(&b'[') => Err(invalid("batches are not supported")),
            Ok(_) => Err(invalid("a message is a JSON object")),
        };
    }
    let envelope = Envelope::read(body).map_err(|_| parse_error())?;
    match check_shape(&envelope) {
        Some(message) => Err(invalid(message).with_id(envelope.id())),
        None => Ok(envelope),
    }
}

fn check_shape(envelope: &Envelope<'_>) -> Option<&'static str> {
    if envelope.jsonrpc.get().and_then(Loose::text) != Some("2.0") {
        return Some("jsonrpc must be \"2.0\"");
    }
    if !matches!(envelope.id.get(), None | Some(Loose::Text(_) | Loose::Integer(_))) {
        return Some("id must be a string or an integer of 64 bits with a sign");
    }
    if envelope.outcome {
        return Some("this server asks nothing of clients and takes no responses");
    }
    if envelope.method.get().and_then(Loose::text).is_none() {
        return Some("method must be a string");
    }
    let meta_twice = envelope.meta().is_some_and(|meta| meta.twice);
    let twice = envelope.twice || meta_twice || envelope.params().is_some_and(|params| params.twice);
    twice.then_some("a member is given twice")
}

/// The era of the message; `Err` where its metadata is unusable or headers and body disagree.
pub(crate) fn era(envelope: &Envelope<'_>, headers: &HeaderMap) -> Result<Era, Refusal> {
    era_or_refusal(envelope, headers).map_err(|refusal| refusal.with_id(envelope.id()))
}

fn era_or_refusal(envelope: &Envelope<'_>, headers: &HeaderMap) -> Result<Era, Refusal> {
    let header = headers::one(headers, headers::VERSION)?;
    if envelope.method() == "initialize"
        && let Some(asked) = envelope.params().and_then(|params| params.protocol_version.get()?.text())
    {
        return match header {
            Some(header) if header != asked => Err(Refusal::bad_request(
                INVALID_REQUEST,
                "the MCP-Protocol-Version header contradicts params.protocolVersion",
            )),
            _ => Ok(Era::Legacy),
        };
    }
    let Some(meta) = envelope.meta().filter(|meta| meta.version.get().is_some()) else {
        return era_without_meta(envelope, header);
    };
    era_of_meta(envelope, meta, header, headers)
}

fn era_without_meta(envelope: &Envelope<'_>, header: Option<&str>) -> Result<Era, Refusal> {
    if let Some(unknown) = header.filter(|version| !VERSIONS.contains(version)) {
        return Err(unsupported(unknown));
    }
    let modern = header.is_some_and(|version| Era::of_version(version) == Era::Modern);
    if envelope.is_notification() {
        return Ok(if modern { Era::Modern } else { Era::Legacy });
    }
    if modern || envelope.method() == "server/discover" {
        return Err(malformed_meta(&[META_VERSION, META_CAPABILITIES]));
    }
    Ok(Era::Legacy)
}

fn era_of_meta(
    envelope: &Envelope<'_>,
    meta: &Meta<'_>,
    header: Option<&str>,
    headers: &HeaderMap,
) -> Result<Era, Refusal> {
    let Some(version) = meta.version.get().and_then(Loose::text) else {
        return Err(malformed_meta(&[META_VERSION]));
    };
    match header {
        None => return Err(mismatch("the MCP-Protocol-Version header is missing")),
        Some(header) if header != version => {
            return Err(mismatch("the MCP-Protocol-Version header differs from params._meta"));
        }
        Some(_) => {}
    }
    if !VERSIONS.contains(&version) {
        return Err(unsupported(version));
    }
    if Era::of_version(version) == Era::Legacy {
        return Ok(Era::Legacy);
    }
    headers::repeat(envelope, headers)?;
    if meta.capabilities.get() != Some(&Loose::Object) && !envelope.is_notification() {
        return Err(malformed_meta(&[META_CAPABILITIES]));
    }
    if meta.client_info.get().is_some_and(|info| !is_client_info(info)) {
        return Err(malformed_meta(&[crate::envelope::META_CLIENT]));
    }
    Ok(Era::Modern)
}

fn is_client_info(info: &Found<crate::envelope::Named<'_>>) -> bool {
    info.object().is_some_and(|named| {
        let text = |slot: Option<&Loose<'_>>| slot.and_then(Loose::text).is_some();
        text(named.name.get()) && text(named.version.get())
    })
}

fn unsupported(requested: &str) -> Refusal {
    let shown: String = requested.chars().filter(|c| !c.is_control()).take(64).collect();
    Refusal::bad_request(UNSUPPORTED_VERSION, "Unsupported protocol version")
        .with_data(json!({"requested": shown, "supported": VERSIONS}))
}

fn mismatch(message: &'static str) -> Refusal {
    Refusal::bad_request(HEADER_MISMATCH, message)
}

fn malformed_meta(fields: &[&str]) -> Refusal {
    let message = format!("params._meta is missing or has malformed required fields: {}", fields.join(", "));
    Refusal::bad_request(INVALID_PARAMS, message)
}

/// What is said of a method that is not served.
pub(crate) fn unknown_method(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(128).collect();
    format!("unknown method: {name}")
}

/// The version members of an answer that only the modern era has.
pub(crate) fn server_info() -> Value {
    json!({"name": "almanac", "title": "Almanac", "version": env!("CARGO_PKG_VERSION")})
}
