use calendar::Instant;

use crate::{Error, Tx, params};

// With a plain DISTINCT, SQLite reads all images of the owner in the order of (tbl, row_id).
crate::statements! {
    ROWS = "SELECT count(*) FROM (
        SELECT DISTINCT tbl, row_id FROM change_row
        WHERE owner = $1 AND change_id = $2 AND id BETWEEN $3 AND $4) AS touched";
    RECORD = "INSERT INTO change (owner, id, call_id, at, operation, area, actor_kind, actor_id, actor_name, source,
            summary, row_count, undoes, pruned)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0)";
    AREA = "SELECT area FROM change WHERE owner = $1 AND id = $2";
    UNDONE = "UPDATE change SET undone_by = $3 WHERE owner = $1 AND id = $2";
    IN_FORCE_AGAIN = "UPDATE change SET undone_by = NULL WHERE owner = $1 AND undone_by = $2";
}

/// Who did what, kept with the rows it touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub owner: i64,
    /// The transaction's own: [`Tx::change`].
    pub id: i64,
    pub at: Instant,
    pub operation: String,
    /// What a caller must be allowed to read to see it: the scope's area. An undo has that of what it undid,
    /// whatever stands here.
    pub area: String,
    pub actor_kind: String,
    pub actor_id: i64,
    pub actor_name: String,
    /// The surface.
    pub source: String,
    pub summary: String,
}

impl Tx {
    /// Keeps `change` when its transaction has touched captured rows of its owner, and answers how many; otherwise
    /// nothing is kept and the answer is 0. Changes that this transaction has undone are marked so, and those that
    /// they had undone are in force again.
    pub async fn record_change(&mut self, change: &Change) -> Result<i64, Error> {
        let undone = std::mem::take(&mut self.undone);
        let rows = match self.images_made(change.owner) {
            // One image is one row; of several, some may be of the same.
            Some(images @ (0 | 1)) => images,
            _ => self.rows_touched(change).await?,
        };
        if rows == 0 {
            return Ok(0);
        }
        let area = match undone.is_empty() {
            true => change.area.clone(),
            false => self.areas_of(change.owner, &undone).await?,
        };
        let undoes = match undone.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        let params = params![
            change.owner,
            change.id,
            self.call_id,
            change.at,
            &change.operation,
            area,
            &change.actor_kind,
            change.actor_id,
            &change.actor_name,
            &change.source,
            &change.summary,
            rows,
            undoes
        ];
        self.execute(&RECORD, &params).await?;
        self.recorded = self.call_id.map(|call_id| (change.owner, call_id));
        for id in undone {
            self.execute(&UNDONE, &params![change.owner, id, change.id]).await?;
            self.execute(&IN_FORCE_AGAIN, &params![change.owner, id]).await?;
        }
        Ok(rows)
    }

    async fn rows_touched(&mut self, change: &Change) -> Result<i64, Error> {
        let (from, span) = self.image_ids();
        let first = change.id.saturating_mul(from);
        let params = params![change.owner, change.id, first, first.saturating_add(span)];
        self.row(&ROWS, &params).await?.map_or(Ok(0), |row| row.get(0))
    }

    async fn areas_of(&mut self, owner: i64, changes: &[i64]) -> Result<String, Error> {
        let mut areas = std::collections::BTreeSet::new();
        for id in changes {
            if let Some(row) = self.row(&AREA, &params![owner, *id]).await? {
                areas.extend(row.get::<String>(0)?.split(' ').map(str::to_owned));
            }
        }
        Ok(Vec::from_iter(areas).join(" "))
    }
}
