//! Record file of table `claim`: whether this instance has, or ever had, an owner.

use calendar::Instant;
use operation::Failure;
use storage::{Tx, params};

storage::statements! {
    IS_CLAIMED = "SELECT person_id FROM claim WHERE id = 1";
    CLAIM = "INSERT INTO claim (id, person_id, claimed_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING RETURNING id";
}

/// Whether the instance has an owner. Once true it stays true, also when everybody is gone.
pub async fn is_claimed(tx: &mut Tx) -> Result<bool, Failure> {
    Ok(owner(tx).await?.is_some())
}

/// The person who claimed the instance; they may be gone.
pub(crate) async fn owner(tx: &mut Tx) -> Result<Option<i64>, Failure> {
    let row = tx.row(&IS_CLAIMED, &[]).await?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// Makes `person` the owner, unless the instance is claimed already.
pub(crate) async fn claim(tx: &mut Tx, person: i64, now: Instant) -> Result<bool, Failure> {
    Ok(tx.row(&CLAIM, &params![person, now]).await?.is_some())
}
