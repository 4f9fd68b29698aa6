//! Record file of table `access_token`: personal access tokens, by hash. Not captured: revoking has no undo.

use calendar::Instant;
use operation::{Actor, ActorKind, Failure, Scopes};
use storage::{Row, Tx, params};

use crate::Credential;

storage::statements! {
    INSERT = "INSERT INTO access_token (owner, id, token_hash, name, scopes, parent_kind, parent_id, created_at, \
              expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    GET = "SELECT id, name, scopes, created_at, expires_at, revoked_at, last_used_at, last_network FROM access_token \
           WHERE owner = $1 AND id = $2";
    LIVE = "SELECT id, name, scopes, created_at, expires_at, revoked_at, last_used_at, last_network FROM access_token \
            WHERE owner = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY id DESC";
    REVOKE = "WITH RECURSIVE line (id) AS (\
                SELECT id FROM access_token WHERE owner = $1 AND id = $2 \
                UNION \
                SELECT child.id FROM access_token AS child JOIN line ON child.parent_id = line.id \
                WHERE child.owner = $1 AND child.parent_kind = 'access_token') \
              UPDATE access_token SET revoked_at = $3 WHERE owner = $1 AND id IN (SELECT id FROM line) \
              AND revoked_at IS NULL RETURNING id";
    STAMP = "UPDATE access_token SET last_used_at = $1, last_network = coalesce($2, last_network) \
             WHERE owner = $3 AND id = $4 AND (last_used_at IS NULL OR last_used_at <= $5)";
}

/// "Last used" is stamped at most this often.
pub const LAST_USED_STEP_S: i64 = 600;

/// A token as its owner sees it; the secret is nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessToken {
    pub id: i64,
    pub name: String,
    /// Granted; what it opens today may be less.
    pub scopes: Scopes,
    pub created_at: Instant,
    pub expires_at: Option<Instant>,
    pub revoked_at: Option<Instant>,
    pub last_used_at: Option<Instant>,
    pub last_network: Option<String>,
}

/// A token to be made.
#[derive(Debug, Clone)]
pub struct NewAccessToken<'a> {
    pub name: &'a str,
    pub scopes: Scopes,
    pub expires_at: Option<Instant>,
    /// Through what it is made.
    pub maker: &'a Actor,
}

impl AccessToken {
    fn of(row: &Row) -> Result<Self, Failure> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            scopes: stored_scopes(&row.get::<String>(2)?)?,
            created_at: row.get(3)?,
            expires_at: row.get(4)?,
            revoked_at: row.get(5)?,
            last_used_at: row.get(6)?,
            last_network: row.get(7)?,
        })
    }
}

pub(crate) fn stored_scopes(text: &str) -> Result<Scopes, Failure> {
    Scopes::parse(text).map_err(|unknown| Failure::internal(format!("a token holds the unknown scope {unknown:?}")))
}

/// The credential that a token made through `maker` dies with.
fn parent(maker: &Actor) -> Option<&Actor> {
    matches!(maker.kind, ActorKind::AccessToken | ActorKind::Grant | ActorKind::Connector).then_some(maker)
}

/// Whether what is made through this actor must be weaker than the actor's own credential.
pub fn makes_only_weaker(maker: &Actor) -> bool {
    parent(maker).is_some()
}

/// Keeps the hash of a new credential; answers the row's id.
pub async fn insert(
    tx: &mut Tx,
    owner: i64,
    new: &NewAccessToken<'_>,
    credential: &Credential,
    now: Instant,
) -> Result<i64, Failure> {
    let id = tx.new_id("access_token").await?;
    let parent = parent(new.maker);
    let values = params![
        owner,
        id,
        credential.hash(),
        new.name,
        new.scopes.to_string(),
        parent.map(|maker| maker.kind.as_str()),
        parent.map(|maker| maker.id),
        now,
        new.expires_at
    ];
    tx.execute(&INSERT, &values).await?;
    Ok(id)
}

/// One token of this person, also a dead one.
pub async fn get(tx: &mut Tx, owner: i64, id: i64) -> Result<Option<AccessToken>, Failure> {
    let row = tx.row(&GET, &params![owner, id]).await?;
    row.map(|row| AccessToken::of(&row)).transpose()
}

/// The tokens that work now, newest first.
pub async fn live(tx: &mut Tx, owner: i64, now: Instant) -> Result<Vec<AccessToken>, Failure> {
    tx.rows(&LIVE, &params![owner, now]).await?.iter().map(AccessToken::of).collect()
}

/// Revokes a token and all that were made through it, at any remove; answers the ids that died now.
pub async fn revoke(tx: &mut Tx, owner: i64, id: i64, now: Instant) -> Result<Vec<i64>, Failure> {
    let rows = tx.rows(&REVOKE, &params![owner, id, now]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect::<Result<_, _>>()?)
}

/// Notes that a token was used, and from which network, unless that was noted within the last ten minutes. After the
/// answer, in a transaction of its own; owner and id are those of the caller's person and actor.
pub async fn stamp_last_used(
    tx: &mut Tx,
    owner: i64,
    id: i64,
    network: Option<&str>,
    now: Instant,
) -> Result<(), Failure> {
    let before = now.plus_seconds(-LAST_USED_STEP_S);
    let stamped = tx.execute(&STAMP, &params![now, network, owner, id, before]).await?;
    if stamped > 0 {
        crate::person::seen(tx, owner, now).await?;
    }
    Ok(())
}
