use std::{sync::Arc, time::Duration};

use operation::{Call, Catalog, Entry, Failure, entry::Parsed};

use crate::idempotency::Key;

/// A call that passed every check before its transaction.
pub struct Checked {
    pub catalog: Arc<Catalog>,
    pub name: &'static str,
    pub input: Parsed,
    pub call: Arc<Call>,
    pub key: Option<Key>,
    pub seal: String,
}

impl Checked {
    pub fn entry(&self) -> Result<&Entry, Failure> {
        self.catalog.get(self.name).ok_or_else(|| Failure::internal("an entry left the catalog"))
    }

    /// How long the whole call may take.
    pub fn patience(&self) -> Result<Duration, Failure> {
        Ok(Duration::from_secs(if self.entry()?.open_world { 60 } else { 30 }))
    }
}
