use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use operation::Entry;
use serde_json::{Map, Value};

use crate::{Accept, Fault, Me, Reply, Unusable, base, request::Outgoing};

/// Larger answers than any operation gives.
const MOST_BYTES: usize = 16 << 20;
const CALL_S: u64 = 30;
const OPEN_WORLD_CALL_S: u64 = 60;

/// Another Almanac, reached over its REST API. Cheap to clone.
#[derive(Clone)]
pub struct Remote {
    api: String,
    bearer: Option<HeaderValue>,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Remote {
    /// `base` is an origin, `…/api` or `…/api/v1`; plain http leads to loopback only. Connects to nothing yet.
    pub fn new(base: &str, token: Option<&str>) -> Result<Self, Unusable> {
        let bearer = token.map(|token| HeaderValue::try_from(format!("Bearer {}", token.trim()))).transpose();
        let mut bearer = bearer.map_err(|_| Unusable("The token has characters that no token has.".into()))?;
        if let Some(bearer) = &mut bearer {
            bearer.set_sensitive(true);
        }
        let mut plain = HttpConnector::new();
        plain.enforce_http(false);
        plain.set_nodelay(true);
        plain.set_connect_timeout(Some(Duration::from_secs(10)));
        let connector =
            HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().wrap_connector(plain);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(8))
            .build(connector);
        Ok(Self { api: base::api_of(base)?, bearer, client })
    }

    /// Where the API is: `https://almanac.example/api/v1`.
    pub fn api(&self) -> &str {
        &self.api
    }

    /// Where the server is: `https://almanac.example`.
    pub fn origin(&self) -> &str {
        self.api.strip_suffix(base::API).unwrap_or(&self.api)
    }

    /// Calls an operation with an input that was checked. `key` becomes the `Idempotency-Key` header. An operation that
    /// may be repeated is asked once more when its answer is lost. Redirects are not followed.
    pub async fn call(
        &self,
        entry: &Entry,
        input: Map<String, Value>,
        key: Option<&str>,
        accept: Accept,
    ) -> Result<Reply, Fault> {
        let outgoing = Outgoing::of(&self.api, entry, input, key, accept)?;
        let seconds = if entry.open_world { OPEN_WORLD_CALL_S } else { CALL_S };
        self.send(&outgoing, seconds, entry.idempotent).await
    }

    /// Reads `/users/me`. The inner `Err` is the server's refusal.
    pub async fn me(&self) -> Result<Result<Me, Reply>, Fault> {
        let outgoing = Outgoing {
            method: Method::GET,
            uri: format!("{}/users/me", self.api),
            body: Bytes::new(),
            key: None,
            accept: Accept::Json,
        };
        let reply = self.send(&outgoing, CALL_S, true).await?;
        if !reply.is_success() {
            return Ok(Err(reply));
        }
        let me = Me::read(&reply.body, reply.version.clone());
        me.map(Ok).ok_or(Fault::Foreign { status: reply.status })
    }

    async fn send(&self, outgoing: &Outgoing, seconds: u64, again: bool) -> Result<Reply, Fault> {
        let patience = Duration::from_secs(seconds);
        let asking = async {
            match self.once(outgoing.request(self.bearer.as_ref())?).await {
                Err(Fault::Unreachable { .. }) if again => self.once(outgoing.request(self.bearer.as_ref())?).await,
                answer => answer,
            }
        };
        tokio::time::timeout(patience, asking)
            .await
            .unwrap_or_else(|_| Err(Fault::TimedOut { origin: self.origin().to_owned(), seconds }))
    }

    async fn once(&self, request: Request<Full<Bytes>>) -> Result<Reply, Fault> {
        let answer = self.client.request(request).await.map_err(|error| self.unreachable(&error))?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MOST_BYTES).collect().await;
        let body = body.map_err(|error| self.unreachable(error.as_ref()))?.to_bytes();
        Reply::read(head.status.as_u16(), &head.headers, &body)
    }

    /// The innermost cause says most: `Connection refused`.
    fn unreachable(&self, error: &(dyn std::error::Error + 'static)) -> Fault {
        let mut cause = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        Fault::Unreachable { origin: self.origin().to_owned(), cause: cause.to_string() }
    }
}
