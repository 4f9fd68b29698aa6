//! Rows that are past their time: swept in the background by any replica; nothing depends on it.

use std::time::Duration;

use operation::Failure;
use storage::Write;

use crate::{Engine, idempotency};

/// Days for which row images of changes are kept.
const IMAGES_KEPT_DAYS: i64 = 400;

impl Engine {
    /// Removes expired idempotency keys and images of changes older than 400 days. To be called about once an hour.
    pub async fn sweep(&self) -> Result<(), Failure> {
        let now = self.now();
        let how = Write { owner: 0, change: false, deadline: Duration::from_secs(10), call_id: None };
        let keys = self.storage().write(how, move |tx| Box::pin(idempotency::sweep(tx, now))).await?;
        let images = self.storage().prune_images(now.plus_seconds(-IMAGES_KEPT_DAYS * 24 * 3600)).await?;
        tracing::debug!(keys, images, "swept");
        Ok(())
    }
}
