use std::sync::{Arc, OnceLock};

use operation::{Caller, Failure, Toolset};

use crate::raw::Context;

/// What the layers found out about a request, for the handler behind them.
#[derive(Clone)]
pub(crate) struct Visit(Arc<Inner>);

struct Inner {
    caller: Arc<Caller>,
    toolset: Toolset,
    key: Option<String>,
    refused: OnceLock<Failure>,
}

impl Visit {
    /// `key` is the `Idempotency-Key` header.
    pub fn new(caller: Arc<Caller>, toolset: Toolset, key: Option<String>) -> Self {
        Self(Arc::new(Inner { caller, toolset, key, refused: OnceLock::new() }))
    }

    /// The visit of a request that came through the layers.
    pub fn of(context: &Context) -> Option<&Self> {
        context.extensions.get::<http::request::Parts>()?.extensions.get::<Self>()
    }

    pub fn caller(&self) -> &Arc<Caller> {
        &self.0.caller
    }

    pub fn toolset(&self) -> &Toolset {
        &self.0.toolset
    }

    pub fn key(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    /// Notes a failure that only HTTP can tell: the layers answer 401 or 403 with it.
    pub fn refuse(&self, failure: Failure) {
        // A request has one call, so nothing was noted before.
        let _ = self.0.refused.set(failure);
    }

    pub fn refused(&self) -> Option<&Failure> {
        self.0.refused.get()
    }
}
