use calendar::Instant;

use crate::{Error, Tx, params};

// With a plain DISTINCT, SQLite reads all images of the owner in the order of (tbl, row_id).
crate::statements! {
    RECORD = "INSERT INTO change (owner, id, call_id, at, operation, area, actor_kind, actor_id, actor_name, source,
            summary, row_count, undoes, pruned)
        SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS TEXT),
            CAST($6 AS TEXT), CAST($7 AS TEXT), CAST($8 AS BIGINT), CAST($9 AS TEXT), CAST($10 AS TEXT),
            CAST($11 AS TEXT), touched.row_count, CAST($12 AS BIGINT), 0
        FROM (
            SELECT count(DISTINCT tbl || ' ' || row_id) AS row_count
            FROM change_row WHERE owner = $1 AND change_id = $2
        ) AS touched
        WHERE touched.row_count > 0
        RETURNING row_count";
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
            undoes
        ];
        let Some(row) = self.row(&RECORD, &params).await? else { return Ok(0) };
        self.recorded = self.call_id.map(|call_id| (change.owner, call_id));
        for id in undone {
            self.execute(&UNDONE, &params![change.owner, id, change.id]).await?;
            self.execute(&IN_FORCE_AGAIN, &params![change.owner, id]).await?;
        }
        row.get(0)
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
