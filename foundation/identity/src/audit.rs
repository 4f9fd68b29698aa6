//! Record file of table `account_event`: what happened to an account, append-only, never with a credential.

use calendar::Instant;
use operation::{Actor, Call, Failure};
use storage::{Tx, params};

use crate::closed_set::closed_set;

storage::statements! {
    INSERT = "INSERT INTO account_event (owner, id, at, kind, actor_kind, actor_id, actor_name, way_in, outcome, \
              subject_id, call_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
}

closed_set! {
    EventKind {
        SetupClaimed = "setup_claimed",
        AccessTokenCreated = "access_token_created",
        AccessTokenRevoked = "access_token_revoked",
    }
}

/// One event.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    pub kind: EventKind,
    /// Whose account it is about.
    pub person: i64,
    pub actor: &'a Actor,
    /// Surface it came through.
    pub way_in: &'a str,
    /// Row it is about, such as the token.
    pub subject: Option<i64>,
    pub call_id: Option<i64>,
}

impl<'a> Event<'a> {
    /// An event in the caller's own account.
    pub fn of_call(call: &'a Call, kind: EventKind, subject: Option<i64>) -> Result<Self, Failure> {
        Ok(Self {
            kind,
            person: call.owner()?,
            actor: &call.caller.actor,
            way_in: &call.caller.source,
            subject,
            call_id: Some(call.call_id),
        })
    }
}

/// Appends an event that succeeded with its transaction.
pub async fn record(tx: &mut Tx, event: &Event<'_>, now: Instant) -> Result<(), Failure> {
    let id = tx.new_id("account_event").await?;
    let values = params![
        event.person,
        id,
        now,
        event.kind,
        event.actor.kind.as_str(),
        event.actor.id,
        &event.actor.name,
        event.way_in,
        "ok",
        event.subject,
        event.call_id
    ];
    tx.execute(&INSERT, &values).await?;
    Ok(())
}
