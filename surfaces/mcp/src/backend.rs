//! What stands behind the protocol: the engine, a remote server, or the fixture of the conformance suite.

use std::{net::IpAddr, sync::Arc};

use engine::{Engine, Failed, Request};
use operation::{BoxFuture, Caller, Catalog, Failure};
use serde_json::{Map, Value};

use crate::raw::Extras;

/// A successful call's two halves, with the same facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// What is shown where only text is; `None`: the compact JSON of `object`.
    pub text: Option<String>,
    /// The answer, `_meta` last.
    pub object: Map<String, Value>,
}

/// Why a call has no answer.
#[derive(Debug, Clone)]
pub enum Unsaid {
    Failed(Failed),
    /// A refusal that another server has already worded: `{"error": code, "message": sentence, …}`.
    Told(Map<String, Value>),
    /// A fault of another server, by the id of its call as it gave it.
    Broken {
        call_id: Value,
    },
}

impl From<Failed> for Unsaid {
    fn from(failed: Failed) -> Self {
        Self::Failed(failed)
    }
}

impl From<Failure> for Unsaid {
    fn from(failure: Failure) -> Self {
        Self::Failed(Failed { failure, call_id: 0 })
    }
}

/// Answers calls, and says who calls.
pub trait Backend: Send + Sync + 'static {
    fn catalog(&self) -> &Arc<Catalog>;

    /// The caller behind a bearer credential; `source` is `assistant:<client>`.
    fn caller<'a>(&'a self, credential: &'a str, source: &'a str) -> BoxFuture<'a, Result<Caller, Failure>>;

    fn call(&self, request: Request) -> BoxFuture<'_, Result<Said, Unsaid>>;

    /// Notes, after the answer, that the caller's credential was used, and from where. A stand-in need not.
    fn used(&self, _caller: &Caller, _peer: Option<IpAddr>) {}

    /// Tools, prompts and resources beside the operations. The product has none.
    fn extras(&self) -> Option<&dyn Extras> {
        None
    }
}

impl Backend for Engine {
    fn catalog(&self) -> &Arc<Catalog> {
        Engine::catalog(self)
    }

    fn caller<'a>(&'a self, credential: &'a str, source: &'a str) -> BoxFuture<'a, Result<Caller, Failure>> {
        Box::pin(self.caller_of_credential(credential, source))
    }

    fn call(&self, request: Request) -> BoxFuture<'_, Result<Said, Unsaid>> {
        Box::pin(async move {
            let answer = Engine::call(self, request).await?;
            let mut object = answer.body;
            object.insert("_meta".into(), answer.meta.to_value());
            Ok(Said { text: None, object })
        })
    }

    fn used(&self, caller: &Caller, peer: Option<IpAddr>) {
        self.note_use(caller, peer);
    }
}
