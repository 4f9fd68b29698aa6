//! Path, query and body made one JSON object: the input.

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use operation::{Entry, Kind, Shape};
use serde_json::{Map, Value};

use crate::{json, query, refusal::error, surface::MOST_BYTES};

type Gathered<T> = Result<T, Box<Response>>;

/// The input of a request; what it means is checked by the engine.
pub(crate) async fn gather(entry: &Entry, head: &Parts, body: Body) -> Gathered<Map<String, Value>> {
    let mut input = of_url(entry, head)?;
    let body = of_body(&head.headers, body).await?;
    for (name, value) in body {
        if input.insert(name, value).is_some() {
            return Err(bad("ambiguous_parameter", "A parameter is in the URL and in the body; send it once."));
        }
    }
    Ok(input)
}

/// The `Idempotency-Key` header.
pub(crate) fn key(headers: &HeaderMap) -> Gathered<Option<String>> {
    let mut keys = headers.get_all("idempotency-key").iter();
    match (keys.next(), keys.next()) {
        (None, _) => Ok(None),
        (Some(key), None) => match key.to_str() {
            Ok(key) => Ok(Some(key.to_owned())),
            Err(_) => Err(bad("invalid_request", "The Idempotency-Key has characters other than ASCII.")),
        },
        (Some(_), Some(_)) => Err(bad("invalid_request", "Send one Idempotency-Key.")),
    }
}

fn of_url(entry: &Entry, head: &Parts) -> Gathered<Map<String, Value>> {
    let not_text = |_| bad("invalid_request", "The URL has bytes that are no UTF-8 text.");
    let path = query::of_path(entry.path, head.uri.path()).map_err(not_text)?;
    let given = path.iter().map(|(name, text)| (*name, text)).filter(|(name, text)| !is_left_out(entry, name, text));
    let mut input = entry.input.from_text(given);
    let pairs = query::pairs(head.uri.query().unwrap_or_default()).map_err(not_text)?;
    let twice = |(at, (name, _)): (usize, &(String, String))| {
        let in_path = path.iter().any(|(parameter, _)| parameter == name);
        in_path || (!is_list(entry, name) && pairs[..at].iter().any(|(earlier, _)| earlier == name))
    };
    if pairs.iter().enumerate().any(twice) {
        return Err(bad("ambiguous_parameter", "A parameter of the URL is given twice; send it once."));
    }
    input.extend(entry.input.from_text(pairs));
    Ok(input)
}

/// `today` in the place of an optional date.
fn is_left_out(entry: &Entry, name: &str, text: &str) -> bool {
    let optional_date = entry.input.get(name).is_some_and(|field| {
        !field.required && matches!(field.shape, Shape::Text { kind: Kind::Date | Kind::EventTime, .. })
    });
    optional_date && text == "today"
}

fn is_list(entry: &Entry, name: &str) -> bool {
    entry.input.get(name).is_some_and(|field| matches!(field.shape, Shape::List { .. }))
}

async fn of_body(headers: &HeaderMap, body: Body) -> Gathered<Map<String, Value>> {
    let bytes = collect(headers, body).await?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    refuse_media(headers)?;
    match json::read(&bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(bad("invalid_json", "The body must be one JSON object.")),
        Err(sentence) => Err(bad("invalid_json", &sentence)),
    }
}

/// Absent counts as JSON; parameters are allowed, compression is not.
fn refuse_media(headers: &HeaderMap) -> Gathered<()> {
    let text = |name| headers.get(name).map(|value: &http::HeaderValue| value.to_str().unwrap_or("?"));
    let kind = text(header::CONTENT_TYPE).map_or("application/json", |kind| kind.split(';').next().unwrap_or_default());
    let coding = text(header::CONTENT_ENCODING).unwrap_or("identity");
    let sentence = if !kind.trim().eq_ignore_ascii_case("application/json") {
        "Send the body as application/json."
    } else if !coding.trim().eq_ignore_ascii_case("identity") {
        "Send the body without compression."
    } else {
        return Ok(());
    };
    Err(Box::new(error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", sentence)))
}

async fn collect(headers: &HeaderMap, body: Body) -> Gathered<Bytes> {
    let too_large =
        || Box::new(error(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", "A body may have up to 1 MiB."));
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > MOST_BYTES) {
        return Err(too_large());
    }
    match Limited::new(body, MOST_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(fault) if fault.is::<LengthLimitError>() => Err(too_large()),
        Err(_) => {
            Err(Box::new(error(StatusCode::REQUEST_TIMEOUT, "incomplete_body", "The body did not come whole in time.")))
        }
    }
}

fn bad(code: &str, message: &str) -> Box<Response> {
    Box::new(error(StatusCode::BAD_REQUEST, code, message))
}
