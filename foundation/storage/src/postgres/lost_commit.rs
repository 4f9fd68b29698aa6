use std::time::{Duration, Instant};

use deadpool_postgres::Pool;

use crate::{clock, fault::Fault, postgres::ids::IdBlocks};

/// What became of a transaction whose COMMIT was sent and not answered.
pub(crate) enum Fate {
    Committed,
    RolledBack,
    Unknown(String),
}

/// The same unique key once more. Where the lost transaction still runs, the insert waits for its end.
const PROBE: &str = "INSERT INTO change (owner, id, call_id, at, operation, area, actor_kind, actor_id, actor_name,
        source, summary, row_count, pruned)
    VALUES ($1, $2, $3, 0, '', '', '', 0, '', '', '', 0, 0)
    ON CONFLICT DO NOTHING RETURNING id";

/// The least time that finding out may take, also when the call's deadline is over.
const LEAST: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) async fn fate(pool: &Pool, ids: &IdBlocks, owner: i64, call_id: i64, deadline: Instant) -> Fate {
    let until = deadline.max(clock::monotonic() + LEAST);
    loop {
        let probing = tokio::time::timeout(clock::left_until(until), probe(pool, ids, owner, call_id)).await;
        match probing {
            Ok(Ok(true)) => return Fate::RolledBack,
            Ok(Ok(false)) => return Fate::Committed,
            Ok(Err(fault)) if clock::left_until(until) <= PAUSE => return Fate::Unknown(fault.error.to_string()),
            Ok(Err(_)) => tokio::time::sleep(PAUSE).await,
            Err(_) => return Fate::Unknown("the server did not tell in time".to_owned()),
        }
    }
}

/// Whether the key is free, which it is only when the transaction that used it did not commit.
async fn probe(pool: &Pool, ids: &IdBlocks, owner: i64, call_id: i64) -> Result<bool, Fault> {
    let id = ids.next(crate::history::CHANGE_TABLE).await?;
    let mut client = pool.get().await?;
    let transaction = client.transaction().await?;
    let free = transaction.query_opt(PROBE, &[&owner, &id, &call_id]).await?.is_some();
    transaction.rollback().await?;
    Ok(free)
}
