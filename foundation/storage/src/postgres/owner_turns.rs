use std::{sync::Arc, time::Instant};

use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{clock, fault::Fault};

const STRIPES: usize = 1024;

/// Writes of one owner take turns inside this process: parallel ones that also read the day's sum would fail one
/// another at COMMIT. Nothing depends on it for correctness.
pub(crate) struct OwnerTurns(Vec<Arc<Mutex<()>>>);

impl OwnerTurns {
    pub(crate) fn new() -> Self {
        Self((0..STRIPES).map(|_| Arc::default()).collect())
    }

    /// Nobody's rows (owner 0) need no turn.
    pub(crate) async fn take(&self, owner: i64, deadline: Instant) -> Result<Option<OwnedMutexGuard<()>>, Fault> {
        if owner == 0 {
            return Ok(None);
        }
        let stripe = Arc::clone(&self.0[owner.rem_euclid(STRIPES as i64) as usize]);
        match tokio::time::timeout(clock::left_until(deadline), stripe.lock_owned()).await {
            Ok(turn) => Ok(Some(turn)),
            Err(_) => Err(Fault::unavailable("the write was not begun by its deadline")),
        }
    }
}
