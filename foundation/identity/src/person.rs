//! Record file of table `person`: who there is, and whether they may come in. Not captured by the change log.

use calendar::Instant;
use operation::Failure;
use storage::{Tx, params};

use crate::{Email, closed_set::closed_set};

storage::statements! {
    INSERT = "INSERT INTO person (id, email, email_canonical, is_admin, state, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
              ON CONFLICT (email_canonical) DO NOTHING RETURNING id";
    BY_EMAIL = "SELECT id FROM person WHERE email_canonical = $1";
    FIRST_ADMIN = "SELECT id FROM person WHERE is_admin = 1 AND state = 'active' ORDER BY id LIMIT 1";
    SEEN = "UPDATE person SET last_seen_at = $1 WHERE id = $2 AND (last_seen_at IS NULL OR last_seen_at < $1)";
}

closed_set! {
    /// Whether a person may come in. Read on every call.
    State { Pending = "pending", Active = "active", Suspended = "suspended", Deleting = "deleting" }
}

/// Adds a person and answers the id; `None` when somebody has the address.
pub async fn insert(
    tx: &mut Tx,
    email: &Email,
    is_admin: bool,
    state: State,
    now: Instant,
) -> Result<Option<i64>, Failure> {
    let id = tx.new_id("person").await?;
    let values = params![id, email.given(), email.canonical(), is_admin, state, now];
    let inserted = tx.row(&INSERT, &values).await?;
    Ok(inserted.map(|_| id))
}

/// The person with this address.
pub async fn by_email(tx: &mut Tx, email: &Email) -> Result<Option<i64>, Failure> {
    let row = tx.row(&BY_EMAIL, &params![email.canonical()]).await?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// The active admin who came first.
pub async fn first_admin(tx: &mut Tx) -> Result<Option<i64>, Failure> {
    let row = tx.row(&FIRST_ADMIN, &[]).await?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// Moves "last seen" forward.
pub async fn seen(tx: &mut Tx, id: i64, now: Instant) -> Result<(), Failure> {
    tx.execute(&SEEN, &params![now, id]).await?;
    Ok(())
}
