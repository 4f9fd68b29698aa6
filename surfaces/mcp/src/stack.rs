//! The HTTP layers, outermost first: preflight, host and origin, floods, body, identity, method, scope and toolset, and
//! then the protocol library.

pub(crate) mod body;
mod cors;
mod identity;
mod message;
mod run;

pub use message::Who;
use run::{Asked, Outcome};

use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    task::{Context, Poll},
};

use axum::extract::ConnectInfo;
use door::{Floods, Origins};
use http::{HeaderValue, Method, Request, StatusCode, header, request::Parts};
use operation::{BoxFuture, Catalog, Failure};
use rmcp::transport::streamable_http_server::{StreamableHttpService, session::never::NeverSessionManager};

use crate::{
    backend::Backend,
    challenge::Challenges,
    protocol,
    reply::{Refusal, Reply, empty_reply, error_reply},
    server::Server,
    toolset::{self, Tools},
};

/// All layers as one tower service.
#[derive(Clone)]
pub(crate) struct Stack(Arc<Layers>);

struct Layers {
    backend: Arc<dyn Backend>,
    tools: Arc<Tools>,
    challenges: Challenges,
    origins: Origins,
    floods: Floods,
    /// A host name that passes the library's check, for messages that came without HTTP.
    host: HeaderValue,
    /// Visitors are served.
    anonymous: bool,
    service: StreamableHttpService<Server, NeverSessionManager>,
}

impl Stack {
    pub fn new(
        backend: Arc<dyn Backend>,
        tools: Arc<Tools>,
        challenges: Challenges,
        origins: Origins,
        floods: Floods,
        anonymous: bool,
        service: StreamableHttpService<Server, NeverSessionManager>,
    ) -> Self {
        let host = origins.allowed_hosts().first().and_then(|host| HeaderValue::from_str(host).ok());
        let host = host.unwrap_or(HeaderValue::from_static("localhost"));
        Self(Arc::new(Layers { backend, tools, challenges, origins, floods, host, anonymous, service }))
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        self.0.tools.catalog()
    }

    async fn serve(self, request: Request<axum::body::Body>) -> Reply {
        if request.method() == Method::OPTIONS {
            return cors::preflight();
        }
        let mut reply = self.answer(request).await.unwrap_or_else(|reply| *reply);
        cors::dress(&mut reply);
        reply
    }

    /// `Err` is the answer of the layer that stopped the request.
    async fn answer(&self, request: Request<axum::body::Body>) -> Result<Reply, Box<Reply>> {
        let (parts, body) = request.into_parts();
        self.refuse_foreign(&parts)?;
        self.refuse_flood(&parts)?;
        let tools = toolset::of_query(parts.uri.query());
        if parts.method != Method::POST {
            let told = |failure: Failure| self.refused(&failure, None, None, &tools);
            self.identify(&parts.headers, None).await?.map_err(|failure| Box::new(told(failure)))?;
            return Ok(method_not_allowed());
        }
        let bytes = body::collect(&parts.headers, body).await?;
        let envelope = protocol::read(&bytes).map_err(boxed)?;
        let era = protocol::era(&envelope, &parts.headers).map_err(boxed)?;
        let reads_results_only = identity::speaks_openai(&parts.headers, &envelope);
        let asked = Asked { envelope: &envelope, era, tools: &tools, reads_results_only };
        let outcome = match self.identify(&parts.headers, Some(&envelope)).await? {
            Ok(caller) => {
                let (caller, peer) = (Arc::new(caller), peer(&parts));
                let outcome = self.run(parts, bytes.clone(), &asked, caller.clone()).await;
                self.0.backend.used(&caller, peer);
                outcome
            }
            Err(failure) => Outcome::Refused(failure, None),
        };
        Ok(match outcome {
            Outcome::Reply(reply) => reply,
            Outcome::Refused(failure, caller) => self.refused(&failure, caller.as_deref(), Some(&asked), &tools),
        })
    }

    fn refuse_foreign(&self, parts: &Parts) -> Result<(), Box<Reply>> {
        match self.0.origins.refuse(&parts.uri, &parts.headers) {
            Some(sentence) => Err(Box::new(error_reply(StatusCode::FORBIDDEN, "forbidden", sentence))),
            None => Ok(()),
        }
    }

    fn refuse_flood(&self, parts: &Parts) -> Result<(), Box<Reply>> {
        let credential = parts.headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
        let Some(seconds) = self.0.floods.refuse(peer(parts), credential) else { return Ok(()) };
        let sentence = "Too many requests; try again later.";
        let mut reply = error_reply(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", sentence);
        reply.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        Err(Box::new(reply))
    }
}

/// Address of the other side, where the listener knows it.
fn peer(parts: &Parts) -> Option<IpAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip())
}

fn boxed(refusal: Refusal) -> Box<Reply> {
    Box::new(refusal.reply())
}

/// Never a page: a 200, 400 or 404 on GET sets off reconnect storms in some clients.
fn method_not_allowed() -> Reply {
    let mut reply = empty_reply(StatusCode::METHOD_NOT_ALLOWED);
    reply.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    reply
}

impl tower::Service<Request<axum::body::Body>> for Stack {
    type Response = Reply;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Reply, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<axum::body::Body>) -> Self::Future {
        let stack = self.clone();
        Box::pin(async move { Ok(stack.serve(request).await) })
    }
}
