//! Answers that the layers give by themselves, before or instead of the protocol library.

use std::{borrow::Cow, convert::Infallible};

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use serde_json::{Value, json};

pub(crate) type Body = BoxBody<Bytes, Infallible>;
pub(crate) type Reply = Response<Body>;

/// A message that does not run: a JSON-RPC error with its HTTP status.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub code: i32,
    pub message: Cow<'static, str>,
    pub data: Option<Box<Value>>,
    pub id: Value,
}

impl Refusal {
    pub fn bad_request(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into(), data: None, id: Value::Null }
    }

    pub fn with_id(mut self, id: Value) -> Self {
        self.id = id;
        self
    }

    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    pub fn body(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.as_ref().clone();
        }
        json!({"jsonrpc": "2.0", "id": self.id, "error": error})
    }

    pub fn reply(&self) -> Reply {
        json_reply(self.status, &self.body())
    }
}

pub(crate) fn json_reply(status: StatusCode, body: &Value) -> Reply {
    let mut reply = Response::new(full(body.to_string()));
    *reply.status_mut() = status;
    reply.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    reply
}

pub(crate) fn error_reply(status: StatusCode, error: &str, description: &str) -> Reply {
    json_reply(status, &json!({"error": error, "error_description": description}))
}

pub(crate) fn empty_reply(status: StatusCode) -> Reply {
    let mut reply = Response::new(full(Bytes::new()));
    *reply.status_mut() = status;
    reply
}

pub(crate) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).boxed()
}
