use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::error::Error;

/// One kept-alive connection to a server on this machine.
pub struct Client {
    sender: SendRequest<Full<Bytes>>,
}

impl Client {
    pub async fn connect(port: u16) -> Result<Self, Error> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // Ends with the sender; an error of the connection reaches the request that waits on it.
        tokio::spawn(connection);
        Ok(Self { sender })
    }

    /// The body of a successful answer; an error holds the first part of any other.
    pub async fn call(&mut self, request: Request<Full<Bytes>>) -> Result<Bytes, Error> {
        self.sender.ready().await?;
        let answer = self.sender.send_request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        if status != StatusCode::OK || !is_result(&body) {
            let start = String::from_utf8_lossy(&body[..body.len().min(400)]).into_owned();
            return Err(format!("answered {status}: {start}").into());
        }
        Ok(body)
    }
}

fn is_result(body: &[u8]) -> bool {
    std::str::from_utf8(body).is_ok_and(|text| text.contains(r#""result":{"#) && !text.contains(r#""isError":true"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_no_result() {
        assert!(is_result(br#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":false}}"#));
        assert!(!is_result(br#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}"#));
        assert!(!is_result(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}"#));
        assert!(!is_result(&[0xff]));
    }
}
