use http::{HeaderMap, header};
use serde_json::{Map, Value};

use crate::Fault;

/// What form of the answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// The answer object alone.
    Json,
    /// The text for people beside the object.
    Answer,
}

impl Accept {
    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Answer => "application/vnd.almanac.answer+json",
        }
    }
}

/// What the server answered; also a refusal is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: u16,
    /// The answer (`_meta` inside) or the error body, unchanged. Empty for 502, 503 and 504 from a proxy.
    pub body: Map<String, Value>,
    /// The readable half of an answer, where the server made one.
    pub text: Option<String>,
    /// Seconds to wait, from `Retry-After`.
    pub retry_after_s: Option<u64>,
    /// Version of the server.
    pub version: Option<String>,
}

impl Reply {
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// `error` of an error body.
    pub fn code(&self) -> Option<&str> {
        self.body.get("error")?.as_str()
    }

    /// Reads an answer. `Foreign` when it is none of ours.
    pub(crate) fn read(status: u16, headers: &HeaderMap, bytes: &[u8]) -> Result<Self, Fault> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let read = serde_json::from_slice(bytes);
        let body = match read {
            Ok(Value::Object(body)) if !matches!(status, 300..=399) => body,
            _ if matches!(status, 502..=504) => Map::new(),
            _ => return Err(Fault::Foreign { status }),
        };
        let halves = text("content-type").is_some_and(|kind| kind.starts_with(Accept::Answer.media_type()));
        let mut reply = Self {
            status,
            body,
            text: None,
            retry_after_s: text(header::RETRY_AFTER.as_str()).and_then(|seconds| seconds.parse().ok()),
            version: text("almanac-version").map(str::to_owned),
        };
        if halves {
            reply.split();
        }
        Ok(reply)
    }

    /// `{"text", "data"}` into its halves.
    fn split(&mut self) {
        if let Some(Value::Object(data)) = self.body.swap_remove("data") {
            self.text = self.body.get("text").and_then(Value::as_str).map(str::to_owned);
            self.body = data;
        }
    }
}
