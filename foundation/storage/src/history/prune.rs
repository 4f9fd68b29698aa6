use std::time::Duration;

use calendar::Instant;

use crate::{Error, Storage, Write, params};

crate::statements! {
    PAGE = "SELECT owner, id, at, pruned FROM change WHERE (owner, id) > ($1, $2) ORDER BY owner, id LIMIT $3";
    DROP_IMAGES = "DELETE FROM change_row WHERE owner = $1 AND change_id = $2 AND id BETWEEN $3 AND $4";
    MARK = "UPDATE change SET pruned = 1 WHERE owner = $1 AND id = $2";
}

/// Changes looked at in one read.
const PAGE_SIZE: i64 = 5_000;
/// Changes pruned in one write, so that no write holds the others up for long.
const CHUNK: usize = 200;
const DEADLINE: Duration = Duration::from_secs(60);

impl Storage {
    /// Drops the images of changes made before `before` and answers of how many. They stay listed and can no longer
    /// be undone. Runs in many short transactions.
    pub async fn prune_images(&self, before: Instant) -> Result<u64, Error> {
        let mut position = (i64::MIN, i64::MIN);
        let mut pruned = 0;
        loop {
            let page: Vec<(i64, i64, Instant, bool)> = self
                .read(move |tx| {
                    Box::pin(async move {
                        let rows = tx.rows(&PAGE, &params![position.0, position.1, PAGE_SIZE]).await?;
                        let read = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
                        read.collect::<Result<_, Error>>()
                    })
                })
                .await?;
            let Some((owner, id, ..)) = page.last() else { return Ok(pruned) };
            position = (*owner, *id);
            let old = page.iter().filter(|(_, _, at, done)| *at < before && !done);
            let old: Vec<(i64, i64)> = old.map(|(owner, id, ..)| (*owner, *id)).collect();
            for chunk in old.chunks(CHUNK) {
                self.prune(chunk.to_vec()).await?;
                pruned += chunk.len() as u64;
            }
        }
    }

    async fn prune(&self, changes: Vec<(i64, i64)>) -> Result<(), Error> {
        let how = Write { owner: 0, change: false, call_id: None, deadline: DEADLINE };
        self.write(how, move |tx| {
            let changes = changes.clone();
            Box::pin(async move {
                let (from, span) = tx.image_ids();
                for (owner, id) in changes {
                    let first = id.saturating_mul(from);
                    tx.execute(&DROP_IMAGES, &params![owner, id, first, first.saturating_add(span)]).await?;
                    tx.execute(&MARK, &params![owner, id]).await?;
                }
                Ok(())
            })
        })
        .await
    }
}
