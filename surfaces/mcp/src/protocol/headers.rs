//! The headers that repeat the body, so that something between can route without reading it.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::HeaderMap;

use super::mismatch;
use crate::{envelope::Envelope, reply::Refusal};

pub(crate) const VERSION: &str = "mcp-protocol-version";
pub(crate) const METHOD: &str = "mcp-method";
pub(crate) const NAME: &str = "mcp-name";

/// The only value of a header; two of them are a mismatch with whatever the body says.
pub(super) fn one<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(mismatch("a header that repeats the body is given twice"));
    }
    match first.map(http::HeaderValue::to_str) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text.trim())),
        Some(Err(_)) => Err(mismatch("a header that repeats the body has characters beyond ASCII")),
    }
}

/// `Mcp-Method` and `Mcp-Name` against the body.
pub(super) fn repeat(envelope: &Envelope<'_>, headers: &HeaderMap) -> Result<(), Refusal> {
    match one(headers, METHOD)? {
        None => return Err(mismatch("the Mcp-Method header is missing")),
        Some(method) if method != envelope.method() => {
            return Err(mismatch("the Mcp-Method header differs from the body's method"));
        }
        Some(_) => {}
    }
    let Some(named) = named(envelope) else { return Ok(()) };
    match one(headers, NAME)? {
        None => Err(mismatch("the Mcp-Name header is missing")),
        Some(raw) => match decode(raw) {
            Some(name) if name == named => Ok(()),
            Some(_) => Err(mismatch("the Mcp-Name header differs from the body")),
            None => Err(mismatch("the Mcp-Name header is not valid Base64")),
        },
    }
}

/// What `Mcp-Name` repeats, where the method has such a thing and the body gives it.
pub(crate) fn named<'e>(envelope: &'e Envelope<'_>) -> Option<&'e str> {
    match envelope.method() {
        "tools/call" | "prompts/get" => envelope.name(),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => envelope.uri(),
        _ => None,
    }
}

fn decode(raw: &str) -> Option<Cow<'_, str>> {
    match raw.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(inner) => String::from_utf8(STANDARD.decode(inner).ok()?).ok().map(Cow::Owned),
        None => Some(Cow::Borrowed(raw)),
    }
}

/// A text as a header value may carry it.
pub(crate) fn encode(text: &str) -> String {
    let plain = text.chars().all(|c| (' '..='~').contains(&c))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) }
}
