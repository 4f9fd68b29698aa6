use std::sync::Arc;

use calendar::Instant;
use operation::{Caller, Catalog, Domain, Failure};
use storage::{DatabaseUrl, Storage};

use crate::{Answer, Clock, Failed, Request};

/// What an engine is built from.
pub struct EngineOptions {
    /// Public origin, without a slash at the end.
    pub base_url: String,
    pub clock: Arc<dyn Clock>,
}

/// A running Almanac without a surface. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    _private: (),
}

impl Engine {
    /// Opens (and migrates) the database and checks the catalog of `domains` (identity's own tables come by themselves).
    pub async fn open(url: &DatabaseUrl, domains: &[Domain], options: EngineOptions) -> Result<Self, Failure> {
        todo!()
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        todo!()
    }

    pub fn base_url(&self) -> &str {
        todo!()
    }

    pub fn now(&self) -> Instant {
        todo!()
    }

    pub fn storage(&self) -> &Storage {
        todo!()
    }

    /// Runs one operation: find, scope, input, rules, transaction, change log, stamp.
    pub async fn call(&self, request: Request) -> Result<Answer, Failed> {
        todo!()
    }

    /// The caller behind a bearer credential (`alm_…`), read from the database now. `source` is `api`,
    /// `assistant:<client>` or `cli`. `InvalidCredential` when unknown, expired, revoked or its person not active.
    pub async fn caller_of_credential(&self, credential: &str, source: &str) -> Result<Caller, Failure> {
        todo!()
    }

    /// The caller of the host's command line for the person with this e-mail (`None`: the owner), with every scope the
    /// person may use. `NotFound` when there is none.
    pub async fn caller_on_host(&self, email: Option<&str>) -> Result<Caller, Failure> {
        todo!()
    }

    /// Whether the instance has an owner. Asked of the database until it does.
    pub async fn is_claimed(&self) -> Result<bool, Failure> {
        todo!()
    }

    /// Finishes accepted writes and closes the database.
    pub async fn close(self) {
        todo!()
    }
}
