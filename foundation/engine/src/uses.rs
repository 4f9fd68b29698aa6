//! When credentials were last used: noted after the answer, outside the call's transaction, every ten minutes at most.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use calendar::Instant;
use identity::LAST_USED_STEP_S;
use operation::{ActorKind, Caller};
use storage::Write;

use crate::Engine;

/// Credentials this process has noted lately. Only spares writes: the database decides whether a note is due.
#[derive(Default)]
pub struct Uses(Mutex<HashMap<i64, Instant>>);

/// Beyond this many credentials the map starts anew.
const MOST: usize = 10_000;

impl Uses {
    fn is_due(&self, credential: i64, now: Instant) -> bool {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.get(&credential).is_some_and(|last| now < last.plus_seconds(LAST_USED_STEP_S)) {
            return false;
        }
        if noted.len() >= MOST {
            noted.clear();
        }
        noted.insert(credential, now);
        true
    }
}

impl Engine {
    /// Notes in the background that the caller's token was used, and from which network.
    pub fn note_use(&self, caller: &Caller, peer: Option<IpAddr>) {
        let (Some(person), ActorKind::AccessToken) = (&caller.person, caller.actor.kind) else { return };
        let (owner, token, now) = (person.id, caller.actor.id, self.now());
        if !self.uses().is_due(token, now) {
            return;
        }
        let network = peer.map(identity::network_of);
        let engine = self.clone();
        tokio::spawn(async move {
            let how = Write { owner, change: false, deadline: Duration::from_secs(10), call_id: None };
            let noted = engine.storage().write(how, move |tx| {
                let network = network.clone();
                Box::pin(async move { identity::stamp_last_used(tx, owner, token, network.as_deref(), now).await })
            });
            if let Err(failure) = noted.await {
                tracing::warn!(?failure, "the use of a token was not noted");
            }
        });
    }
}
