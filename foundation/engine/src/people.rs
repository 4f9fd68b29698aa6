//! From a credential to a caller.

use std::sync::atomic::Ordering;

use operation::{Caller, Failure};

use crate::Engine;

impl Engine {
    /// The caller behind a bearer credential (`alm_…`), read from the database now. `source` is `api`,
    /// `assistant:<client>` or `cli`. `InvalidCredential` when unknown, expired, revoked or its person not active.
    pub async fn caller_of_credential(&self, credential: &str, source: &str) -> Result<Caller, Failure> {
        let (credential, source) = (credential.to_owned(), source.to_owned());
        let (now, areas) = (self.now(), self.areas());
        self.storage()
            .read(move |tx| {
                let (credential, source) = (credential.clone(), source.clone());
                Box::pin(async move { identity::caller_of_credential(tx, &credential, now, &source, areas).await })
            })
            .await
    }

    /// The caller of the host's command line for the person with this e-mail (`None`: the owner), with every scope the
    /// person may use. `NotFound` when there is none.
    pub async fn caller_on_host(&self, email: Option<&str>) -> Result<Caller, Failure> {
        let email = email.map(str::to_owned);
        let areas = self.areas();
        self.storage()
            .read(move |tx| {
                let email = email.clone();
                Box::pin(async move { identity::caller_of_email(tx, email.as_deref(), "cli", areas).await })
            })
            .await
    }

    /// Whether the instance has an owner. Asked of the database until it does.
    pub async fn is_claimed(&self) -> Result<bool, Failure> {
        if self.claimed().load(Ordering::Relaxed) {
            return Ok(true);
        }
        let claimed: bool = self.storage().read(|tx| Box::pin(identity::is_claimed(tx))).await?;
        self.claimed().store(claimed, Ordering::Relaxed);
        Ok(claimed)
    }
}
