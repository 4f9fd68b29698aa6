use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::{Value, json};

/// One write of a round: every number tells which one it is.
#[derive(Debug, Clone, Copy)]
pub struct Write {
    pub number: usize,
    pub round: usize,
}

impl Write {
    pub fn kcal(self) -> i64 {
        100 + i64::try_from(self.number).expect("a small number")
    }

    pub fn name(self) -> String {
        format!("Meal {} of round {}", self.number, self.round)
    }

    pub fn key(self) -> String {
        format!("kill-{}-{}", self.round, self.number)
    }

    fn meal(self, date: &str) -> Value {
        json!({
            "eaten_at": date, "kcal": self.kcal(), "protein_g": 1, "carb_g": 2, "fat_g": 3, "name": self.name(),
        })
    }

    /// Logs the meal over REST under its key. `None`: no whole answer came. Panics on an answer that is no success.
    pub fn send(self, to: SocketAddr, token: &str, date: &str) -> Option<Value> {
        let body = self.meal(date).to_string();
        let mut stream = TcpStream::connect_timeout(&to, Duration::from_secs(5)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
        let head = format!(
            "POST /api/v1/meals HTTP/1.1\r\nHost: {to}\r\nAuthorization: Bearer {token}\r\nIdempotency-Key: {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.key(),
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let body = serde_json::from_str(body).ok()?;
        assert!(head.starts_with("HTTP/1.1 201"), "write {}: {head}\n{body}", self.number);
        Some(body)
    }
}
