//! HTTP/1.1 by hand, so that a test decides every byte: a header twice, a body cut short, a length that is not sent.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// One request, before it is sent.
#[derive(Debug, Clone)]
pub struct Exchange {
    method: &'static str,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    chunked: bool,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Exchange {
    pub fn new(method: &'static str, target: impl Into<String>) -> Self {
        Self { method, target: target.into(), headers: Vec::new(), body: Vec::new(), chunked: false }
    }

    /// Adds a header, also beside one of the same name.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes away every header of this name.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        self
    }

    /// Replaces a header.
    pub fn set(self, name: &str, value: &str) -> Self {
        self.without(name).with(name, value)
    }

    pub fn bearer(self, token: &str) -> Self {
        self.set("Authorization", &format!("Bearer {token}"))
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the body in chunks, without its length.
    pub fn chunked(mut self) -> Self {
        self.chunked = true;
        self
    }

    /// Adds to the target: `?tools=read`.
    pub fn query(mut self, query: &str) -> Self {
        self.target.push_str(query);
        self
    }

    /// Sends it and reads the whole answer.
    pub fn send(&self, to: SocketAddr) -> Reply {
        let mut stream = self.start(to);
        let mut answer = Vec::new();
        // A server that refuses a long body may close while it is still being sent: what it said first counts.
        let _ = stream.read_to_end(&mut answer);
        Reply::parse(&answer).unwrap_or_else(|| panic!("no HTTP answer to {} {}: {answer:?}", self.method, self.target))
    }

    /// Sends it and leaves the answer unread.
    pub fn start(&self, to: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(to).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let _ = stream.write_all(&self.bytes(to)); // the answer tells, see `send`
        stream
    }

    fn bytes(&self, to: SocketAddr) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {to}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("Connection: close\r\n");
        let mut bytes = head.into_bytes();
        if self.chunked {
            bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
            for chunk in self.body.chunks(64 * 1024) {
                bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(b"0\r\n\r\n");
        } else {
            if !self.body.is_empty() || self.method == "POST" {
                bytes.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
            }
            bytes.extend_from_slice(b"\r\n");
            bytes.extend_from_slice(&self.body);
        }
        bytes
    }
}

impl Reply {
    fn parse(answer: &[u8]) -> Option<Self> {
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&answer[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut body = answer[end + 4..].to_vec();
        if headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked") {
            body = unchunked(&body)?;
        }
        Some(Self { status, headers, body })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn is_json(&self) -> bool {
        self.header("content-type").is_some_and(|kind| kind.starts_with("application/json"))
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", self.text()))
    }

    /// The code of a JSON-RPC error, or `None` where there is a result.
    pub fn code(&self) -> Option<i64> {
        self.json()["error"]["code"].as_i64()
    }

    /// The result of a JSON-RPC answer.
    pub fn result(&self) -> Value {
        let answer = self.json();
        assert!(answer.get("error").is_none(), "an error: {answer}");
        answer["result"].clone()
    }
}

fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|window| window == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).ok()?.split(';').next()?, 16).ok()?;
        rest = &rest[end + 2..];
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        rest = rest.get(size + 2..)?;
    }
}
