//! From an entry and its input to an HTTP request.

use bytes::Bytes;
use http::{HeaderValue, Method, Request, header};
use http_body_util::Full;
use operation::{Entry, Verb};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::{Accept, Fault};

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Everything a request is made from, so that it can be made a second time.
pub(crate) struct Outgoing {
    pub method: Method,
    pub uri: String,
    pub body: Bytes,
    pub key: Option<HeaderValue>,
    pub accept: Accept,
}

impl Outgoing {
    /// Path parameters are taken from the input, the rest becomes the query (GET, DELETE) or the JSON body.
    pub fn of(
        api: &str,
        entry: &Entry,
        mut input: Map<String, Value>,
        key: Option<&str>,
        accept: Accept,
    ) -> Result<Self, Fault> {
        let path = path(entry, &mut input)?;
        let verb = entry.effect.verb();
        let in_query = matches!(verb, Verb::Get | Verb::Delete);
        let query = if in_query { query(&input) } else { String::new() };
        let body = if in_query { Bytes::new() } else { Value::Object(input).to_string().into() };
        Ok(Self {
            method: Method::from_bytes(verb.as_str().as_bytes()).unwrap_or(Method::POST),
            uri: format!("{api}{path}{query}"),
            body,
            key: key.map(HeaderValue::try_from).transpose().map_err(|_| Fault::Header { name: "idempotency key" })?,
            accept,
        })
    }

    /// The request with its headers.
    pub fn request(&self, bearer: Option<&HeaderValue>) -> Result<Request<Full<Bytes>>, Fault> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.parse().map_err(|_| Fault::Header { name: "input" })?;
        let headers = request.headers_mut();
        headers.insert(header::ACCEPT, HeaderValue::from_static(self.accept.media_type()));
        headers.insert(header::USER_AGENT, HeaderValue::from_static(concat!("almanac/", env!("CARGO_PKG_VERSION"))));
        if !self.body.is_empty() {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        if let Some(bearer) = bearer {
            headers.insert(header::AUTHORIZATION, bearer.clone());
        }
        if let Some(key) = &self.key {
            headers.insert("idempotency-key", key.clone());
        }
        Ok(request)
    }
}

/// The path with its parameters taken out of the input; an optional one that is not given is `today`.
fn path(entry: &Entry, input: &mut Map<String, Value>) -> Result<String, Fault> {
    let mut path = String::new();
    for segment in entry.path.split('/').skip(1) {
        path.push('/');
        let parameter = segment.strip_prefix('{').and_then(|segment| segment.strip_suffix('}'));
        let Some(parameter) = parameter else {
            path.push_str(segment);
            continue;
        };
        let optional = entry.input.get(parameter).is_some_and(|field| !field.required);
        match input.shift_remove(parameter).filter(|value| !value.is_null()).map(|value| text(&value)) {
            Some(text) if !text.is_empty() => path.extend(utf8_percent_encode(&text, PLAIN)),
            _ if optional => path.push_str("today"),
            _ => return Err(Fault::Incomplete { parameter }),
        }
    }
    Ok(path)
}

/// `?a=1&b=x`, or nothing. Lists and objects are JSON texts, which every input takes.
fn query(input: &Map<String, Value>) -> String {
    let pairs = input.iter().filter(|(_, value)| !value.is_null());
    let pairs: Vec<String> = pairs
        .map(|(name, value)| {
            let (name, value) = (utf8_percent_encode(name, PLAIN), text(value));
            format!("{name}={}", utf8_percent_encode(&value, PLAIN))
        })
        .collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
