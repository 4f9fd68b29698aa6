use std::collections::HashMap;

use crate::{
    Error, Tx, Value,
    capture::{CapturedTable, Catalog},
    history::image::{self, ChangedRow, RowImage},
    params,
    sql::Text,
};

crate::statements! {
    IMAGES = "SELECT id, tbl, row_id, shape, before_image FROM change_row
        WHERE owner = $1 AND change_id = $2 AND id BETWEEN $3 AND $4 ORDER BY id";
    NEXT_IMAGE = "SELECT shape, before_image FROM change_row
        WHERE owner = $1 AND tbl = $2 AND row_id = $3 AND id > $4 ORDER BY id LIMIT 1";
    LATER_CHANGES = "SELECT change_id, min(id) AS first_id FROM change_row
        WHERE owner = $1 AND tbl = $2 AND row_id = $3 AND id > $4 GROUP BY change_id ORDER BY first_id";
}

/// What a change's images say about one row, before anybody has looked at the row itself.
#[derive(Debug, Clone)]
pub(crate) struct Folded {
    pub table: String,
    pub row_id: i64,
    pub before: Option<RowImage>,
    /// Shape of `before`.
    pub shape: i64,
    /// Position of the change's last image of the row.
    pub last: i64,
}

impl Tx {
    /// What `change` of `owner` did to each row, in the order it first touched them. A row it inserted and removed
    /// again is left out, and so are rows of tables that are no longer captured. Empty once its images are pruned.
    pub async fn changed_rows(&mut self, owner: i64, change: i64) -> Result<Vec<ChangedRow>, Error> {
        let catalog = self.catalog.clone();
        let mut changed = Vec::new();
        for folded in self.folded(owner, change).await? {
            let Some(captured) = catalog.captured(&folded.table) else { continue };
            let after = self.left_by(owner, captured, &folded).await?;
            changed.extend(changed_row(captured, folded, after));
        }
        Ok(changed)
    }

    pub(crate) async fn folded(&mut self, owner: i64, change: i64) -> Result<Vec<Folded>, Error> {
        let mut order: Vec<Folded> = Vec::new();
        let mut places: HashMap<(String, i64), usize> = HashMap::new();
        let (from, span) = self.image_ids();
        let first = change.saturating_mul(from);
        for row in self.rows(&IMAGES, &params![owner, change, first, first.saturating_add(span)]).await? {
            let (last, table, row_id): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if let Some(place) = places.get(&(table.clone(), row_id)) {
                order[*place].last = last;
                continue;
            }
            let before = row.get::<Option<String>>(4)?.map(|text| image::parse(&text)).transpose()?;
            places.insert((table.clone(), row_id), order.len());
            order.push(Folded { table, row_id, before, shape: row.get(3)?, last });
        }
        Ok(order)
    }

    /// What the row was after the change: its next before image, or the row itself.
    pub(crate) async fn left_by(
        &mut self,
        owner: i64,
        captured: &CapturedTable,
        folded: &Folded,
    ) -> Result<Option<RowImage>, Error> {
        let params = params![owner, captured.table.name, folded.row_id, folded.last];
        match self.row(&NEXT_IMAGE, &params).await? {
            Some(next) => next.get::<Option<String>>(1)?.map(|text| image::parse(&text)).transpose(),
            None => self.image_now(owner, captured, folded.row_id).await,
        }
    }

    pub(crate) async fn image_now(
        &mut self,
        owner: i64,
        captured: &CapturedTable,
        id: i64,
    ) -> Result<Option<RowImage>, Error> {
        let names: Vec<&str> = captured.columns.iter().map(|column| column.name.as_str()).collect();
        let text = format!("SELECT {} FROM {} WHERE owner = $1 AND id = $2", names.join(", "), captured.table.name);
        let rows = self.rows_of("image_now", Text::Made(&text), &params![owner, id]).await?;
        rows.into_iter().next().map(|row| image::of_row(&captured.columns, row)).transpose()
    }

    /// Changes that touched the row after image `position`, oldest first.
    pub(crate) async fn later_changes(
        &mut self,
        owner: i64,
        table: &str,
        row_id: i64,
        position: i64,
    ) -> Result<Vec<i64>, Error> {
        let rows = self.rows(&LATER_CHANGES, &params![owner, table, row_id, position]).await?;
        rows.iter().map(|row| row.get(0)).collect()
    }
}

/// `None`: it was inserted and removed by the same change.
pub(crate) fn changed_row(captured: &CapturedTable, folded: Folded, after: Option<RowImage>) -> Option<ChangedRow> {
    let (table, entity) = (captured.table.name, captured.table.entity);
    let touched = folded.before.is_some() || after.is_some();
    touched.then_some(ChangedRow { table, entity, id: folded.row_id, before: folded.before, after })
}

/// A row that is only named.
pub(crate) fn named(catalog: &Catalog, table: &str, id: i64) -> Option<ChangedRow> {
    let known = catalog.tables.iter().find(|known| known.name == table)?;
    Some(ChangedRow { table: known.name, entity: known.entity, id, before: None, after: None })
}

/// Parameters of a statement made from columns of an image.
pub(crate) fn values(image: &RowImage, columns: &[String], owner: i64, id: i64) -> Result<Vec<Value>, Error> {
    let value = |column: &String| match column.as_str() {
        "owner" => Ok(owner.into()),
        "id" => Ok(id.into()),
        name => image::column_value(image, name),
    };
    columns.iter().map(value).collect()
}
