use calendar::Instant;

use crate::{Error, Row, Sql, Tx, Value, params};

crate::statements! {
    POSITION = "SELECT at FROM change WHERE owner = $1 AND id = $2";
    ONE = "SELECT id, at, operation, area, actor_kind, actor_id, actor_name, source, summary, row_count, undoes,
            undone_by, pruned
        FROM change WHERE owner = $1 AND id = $2";
    LIST = "SELECT id, at, operation, area, actor_kind, actor_id, actor_name, source, summary, row_count, undoes,
            undone_by, pruned
        FROM change
        WHERE owner = $1 AND at >= $2 AND at < $3 AND (at, id) < ($4, $5)
            AND (CAST($6 AS TEXT) IS NULL OR (actor_kind = $6 AND actor_id = $7))
            AND (CAST($8 AS TEXT) IS NULL OR EXISTS (
                SELECT 1 FROM change_row r
                WHERE r.owner = change.owner AND r.change_id = change.id AND r.tbl = $8
                    AND r.id BETWEEN change.id * CAST($9 AS BIGINT)
                        AND change.id * CAST($9 AS BIGINT) + CAST($10 AS BIGINT)))
        ORDER BY at DESC, id DESC LIMIT $11";
    LIST_OF_ROW = "SELECT id, at, operation, area, actor_kind, actor_id, actor_name, source, summary, row_count, undoes,
            undone_by, pruned
        FROM change
        WHERE owner = $1 AND at >= $2 AND at < $3 AND (at, id) < ($4, $5)
            AND (CAST($6 AS TEXT) IS NULL OR (actor_kind = $6 AND actor_id = $7))
            AND id IN (SELECT change_id FROM change_row WHERE owner = $1 AND tbl = $8 AND row_id = $9)
        ORDER BY at DESC, id DESC LIMIT $10";
}

/// A change as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeEntry {
    pub id: i64,
    pub at: Instant,
    pub operation: String,
    /// One, or several where one undo took back changes of several.
    pub areas: Vec<String>,
    pub actor_kind: String,
    pub actor_id: i64,
    pub actor_name: String,
    pub source: String,
    pub summary: String,
    /// Rows it touched.
    pub rows: i64,
    /// The one change that it undid.
    pub undoes: Option<i64>,
    pub undone_by: Option<i64>,
    /// Its images are no longer kept.
    pub pruned: bool,
}

/// Which changes a list shows; `ChangeFilter::default()` shows all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Inclusive.
    pub from: Option<Instant>,
    /// Exclusive.
    pub to: Option<Instant>,
    /// Kind and id of the connection, token or session.
    pub actor: Option<(String, i64)>,
    /// A word of [`crate::Table::entity`]; an unknown one matches nothing.
    pub entity: Option<String>,
    /// With `entity`: the changes of that row.
    pub entity_id: Option<i64>,
    /// Only changes all of whose areas are among these.
    pub areas: Option<Vec<String>>,
}

/// Rows read at once while areas are sorted out.
const CHUNK: i64 = 200;

impl Tx {
    /// Change `id` of `owner`, if there is one.
    pub async fn change_entry(&mut self, owner: i64, id: i64) -> Result<Option<ChangeEntry>, Error> {
        self.row(&ONE, &params![owner, id]).await?.as_ref().map(entry).transpose()
    }

    /// Up to `limit` changes of `owner`, newest first, from the one after `before_id` on.
    pub async fn changes(
        &mut self,
        owner: i64,
        filter: &ChangeFilter,
        before_id: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, Error> {
        let Some(mut position) = self.position(owner, before_id).await? else { return Ok(Vec::new()) };
        let table = match &filter.entity {
            None => None,
            Some(entity) => match self.catalog.of_entity(entity) {
                Some(captured) => Some(captured.table.name),
                None => return Ok(Vec::new()),
            },
        };
        let mut found = Vec::new();
        loop {
            let (sql, params) = question(owner, filter, table, position, self.image_ids());
            let rows = self.rows(sql, &params).await?;
            for row in &rows {
                let entry = entry(row)?;
                position = (entry.at.micros(), entry.id);
                if found.len() < limit && filter.shows(&entry) {
                    found.push(entry);
                }
            }
            if found.len() == limit || (rows.len() as i64) < CHUNK {
                return Ok(found);
            }
        }
    }

    /// Where a list goes on; `None` when `before_id` is no change of this owner.
    async fn position(&mut self, owner: i64, before_id: Option<i64>) -> Result<Option<(i64, i64)>, Error> {
        let Some(id) = before_id else { return Ok(Some((i64::MAX, i64::MAX))) };
        let row = self.row(&POSITION, &params![owner, id]).await?;
        row.map(|row| Ok((row.get(0)?, id))).transpose()
    }
}

impl ChangeFilter {
    fn shows(&self, entry: &ChangeEntry) -> bool {
        self.areas.as_ref().is_none_or(|areas| entry.areas.iter().all(|area| areas.contains(area)))
    }
}

fn question(
    owner: i64,
    filter: &ChangeFilter,
    table: Option<&'static str>,
    position: (i64, i64),
    image_ids: (i64, i64),
) -> (&'static Sql, Vec<Value>) {
    let from = filter.from.map_or(i64::MIN, Instant::micros);
    let to = filter.to.map_or(i64::MAX, Instant::micros);
    let (kind, actor) = filter.actor.clone().unzip();
    let mut params = params![owner, from, to, position.0, position.1, kind, actor, table].to_vec();
    match (table, filter.entity_id) {
        (Some(_), Some(id)) => {
            params.extend(params![id, CHUNK]);
            (&LIST_OF_ROW, params)
        }
        _ => {
            params.extend(params![image_ids.0, image_ids.1, CHUNK]);
            (&LIST, params)
        }
    }
}

fn entry(row: &Row) -> Result<ChangeEntry, Error> {
    Ok(ChangeEntry {
        id: row.get(0)?,
        at: row.get(1)?,
        operation: row.get(2)?,
        areas: row.get::<String>(3)?.split(' ').filter(|area| !area.is_empty()).map(str::to_owned).collect(),
        actor_kind: row.get(4)?,
        actor_id: row.get(5)?,
        actor_name: row.get(6)?,
        source: row.get(7)?,
        summary: row.get(8)?,
        rows: row.get(9)?,
        undoes: row.get(10)?,
        undone_by: row.get(11)?,
        pruned: row.get(12)?,
    })
}
