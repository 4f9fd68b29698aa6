//! Repeated calls make one row (`specs/journal.md` §5.5): the key row is written with the data, and points at it.

use calendar::Instant;
use operation::{Call, Entry, Failure, derived_key, payload_hash};
use serde_json::{Map, Value, json};
use storage::{Tx, params};

storage::statements! {
    FIND = "SELECT row_id, payload, change_id FROM idempotency_key WHERE owner = $1 AND operation = $2 AND key = $3 AND expires_at > $4";
    REMEMBER = "INSERT INTO idempotency_key (owner, operation, key, row_id, payload, change_id, created_at, expires_at) \
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
                ON CONFLICT (owner, operation, key) DO UPDATE SET row_id = excluded.row_id, payload = excluded.payload, \
                change_id = excluded.change_id, created_at = excluded.created_at, expires_at = excluded.expires_at";
    SWEEP = "DELETE FROM idempotency_key WHERE expires_at < $1";
}

const DAY_S: i64 = 24 * 3600;
/// Without a clock time two equal calls may be two events: only a quick repeat is a retry.
const RETRY_S: i64 = 10 * 60;

/// The key of one call.
pub struct Key {
    text: String,
    payload: String,
    given: bool,
    /// `allow_duplicate`: run although a derived key is known.
    run_anyway: bool,
    life_s: i64,
}

/// What an earlier call with this key made.
pub struct Known {
    pub row: i64,
    pub change: Option<i64>,
}

impl Key {
    /// The key of a keyed operation's call: the one given, else the one derived from its input.
    pub fn of(
        entry: &Entry,
        call: &Call,
        input: &Map<String, Value>,
        header: Option<String>,
    ) -> Result<Option<Self>, Failure> {
        let Some(kind) = entry.keyed else { return Ok(None) };
        let field = input.get("idempotency_key").and_then(Value::as_str).map(str::to_owned);
        let given = field.or(header);
        if given.as_ref().is_some_and(|key| key.is_empty() || key.chars().count() > 200) {
            return Err(Failure::invalid("idempotency_key", "must be 1 to 200 characters"));
        }
        let resolved = entry.input.with_instants(input, &call.caller.day, call.now);
        let clock_time = entry.input.has_clock_time(input);
        Ok(Some(Self {
            payload: payload_hash(&resolved),
            run_anyway: given.is_none() && input.get("allow_duplicate") == Some(&Value::Bool(true)),
            life_s: if given.is_some() || clock_time { DAY_S } else { RETRY_S },
            text: match &given {
                Some(key) => key.clone(),
                None => derived_key(kind, call.owner()?, &resolved),
            },
            given: given.is_some(),
        }))
    }

    /// What this key made before, while it lives.
    pub async fn find(&self, tx: &mut Tx, call: &Call) -> Result<Option<Known>, Failure> {
        if self.run_anyway {
            return Ok(None);
        }
        let key = params![call.owner()?, call.operation, &self.text, call.now];
        let Some(row) = tx.row(&FIND, &key).await? else { return Ok(None) };
        if self.given && row.get::<String>(1)? != self.payload {
            return Err(Failure::conflict(
                "key_reused",
                "This idempotency key was used for a call with another input; nothing was written.",
                json!({}),
            ));
        }
        Ok(Some(Known { row: row.get(0)?, change: row.get(2)? }))
    }

    pub async fn remember(&self, tx: &mut Tx, call: &Call, row: i64, change: Option<i64>) -> Result<(), Failure> {
        let expires = call.now.plus_seconds(self.life_s);
        let values = params![call.owner()?, call.operation, &self.text, row, &self.payload, change, call.now, expires];
        tx.execute(&REMEMBER, &values).await?;
        Ok(())
    }
}

/// Removes keys that no longer answer: housekeeping, nothing depends on it.
pub async fn sweep(tx: &mut Tx, now: Instant) -> Result<u64, Failure> {
    Ok(tx.execute(&SWEEP, &params![now]).await?)
}
