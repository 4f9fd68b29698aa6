use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// A server on loopback: one scripted answer per request; an empty one breaks the connection instead.
pub struct Server {
    pub base: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub async fn saying(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback works");
        let base = format!("http://{}", listener.local_addr().expect("loopback works"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let asked = seen.clone();
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.expect("loopback works");
                let request = read(&mut stream).await;
                asked.lock().expect("no test panicked").push(request);
                stream.write_all(answer.as_bytes()).await.expect("loopback works");
            }
        });
        Self { base, seen }
    }

    /// Every request so far: head and body as text.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("no test panicked").clone()
    }
}

async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.expect("loopback works");
        assert!(count > 0, "the request broke off: {text}");
        bytes.extend_from_slice(&part[..count]);
    }
}

/// An HTTP answer that ends its connection.
pub fn answer(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len())
}

pub fn json(status: u16, body: &str) -> String {
    answer(status, "Content-Type: application/json\r\n", body)
}
