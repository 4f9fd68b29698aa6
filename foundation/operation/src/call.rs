use std::sync::Arc;

use calendar::{Date, Instant};

use crate::{Caller, Catalog, Failure, Person, Toolset};

/// One call of one operation: who, when, through what. `now` is the only clock.
#[derive(Clone)]
pub struct Call {
    pub caller: Arc<Caller>,
    pub now: Instant,
    /// Unique per call; named in logs and in `Internal` answers.
    pub call_id: i64,
    /// The operation being called.
    pub operation: &'static str,
    /// Everything this server offers.
    pub catalog: Arc<Catalog>,
    /// Which part of the catalog the connection shows.
    pub toolset: Toolset,
    /// Public origin of this server, for URLs in answers.
    pub base_url: Arc<str>,
}

impl Call {
    /// The person who calls; every operation that needs a credential has one.
    pub fn person(&self) -> Result<&Person, Failure> {
        self.caller.person.as_ref().ok_or_else(Failure::unauthenticated)
    }

    /// Owner of the rows this call may touch.
    pub fn owner(&self) -> Result<i64, Failure> {
        self.person().map(|person| person.id)
    }

    /// Today as the person counts it.
    pub fn today(&self) -> Date {
        self.caller.day.user_date(self.now)
    }
}
