use std::{
    hash::BuildHasher,
    time::{Duration, Instant},
};

use deadpool_postgres::Pool;
use tokio::task::JoinHandle;

use crate::{clock, fault::Fault};

const LASTS_S: i64 = 60;
const RENEWED: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(300);

const CLAIM: &str = "INSERT INTO migration_lease (id, holder, expires_at)
    VALUES (1, $1, now() + $2 * interval '1 second')
    ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE migration_lease.expires_at < now() OR migration_lease.holder = excluded.holder
    RETURNING holder";

/// The right to migrate, held in a row so that it works through any pooler and on relatives of PostgreSQL.
pub(crate) struct Lease {
    pool: Pool,
    holder: String,
    renewing: JoinHandle<()>,
}

impl Lease {
    /// Waits while another process migrates.
    pub(crate) async fn take(pool: &Pool) -> Result<Self, Fault> {
        let holder = format!("{:016x}", std::hash::RandomState::new().hash_one(std::process::id()));
        let give_up: Instant = clock::monotonic() + PATIENCE;
        while !claim(pool, &holder).await? {
            if clock::left_until(give_up).is_zero() {
                return Err(Fault::unavailable("another process has been migrating this database for five minutes"));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        let renewing = tokio::spawn(renew(pool.clone(), holder.clone()));
        Ok(Self { pool: pool.clone(), holder, renewing })
    }

    pub(crate) async fn give_back(self) -> Result<(), Fault> {
        self.renewing.abort();
        let client = self.pool.get().await?;
        client.execute("DELETE FROM migration_lease WHERE holder = $1", &[&self.holder]).await?;
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.renewing.abort();
    }
}

async fn claim(pool: &Pool, holder: &str) -> Result<bool, Fault> {
    let client = pool.get().await?;
    let lasts = LASTS_S as f64;
    Ok(client.query_opt(CLAIM, &[&holder, &lasts]).await?.is_some())
}

async fn renew(pool: Pool, holder: String) {
    loop {
        tokio::time::sleep(RENEWED).await;
        if let Err(fault) = claim(&pool, &holder).await {
            tracing::warn!(cause = %fault.error, "the migration lease was not renewed");
        }
    }
}
