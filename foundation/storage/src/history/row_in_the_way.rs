use crate::{
    Error, Tx, Value,
    capture::{CapturedTable, Catalog, Reference},
    history::{
        changed_rows::{named, values},
        image::{RowImage, UndoConflict, Undone},
        undo::Step,
    },
    params,
    sql::Text,
};

/// Rows named per reason; a conflict with a thousand meals is told by its first.
const NAMED: usize = 10;

impl Tx {
    /// Why none of `steps` can be taken: the rows that refer to one that should go, that one which should come back
    /// refers to and that are gone, or that hold its unique values.
    pub(crate) async fn rows_in_the_way(
        &mut self,
        owner: i64,
        catalog: &Catalog,
        steps: &[Step],
    ) -> Result<Undone, Error> {
        let mut conflicts: Vec<UndoConflict> = Vec::new();
        for step in steps {
            let captured = step.table(catalog);
            let rows = match &step.goal {
                None => self.referring(owner, captured, step).await?,
                Some(goal) => self.holding(owner, captured, step, goal).await?,
            };
            for (table, id) in rows {
                if let Some(conflict) = self.in_the_way(owner, catalog, &table, id, step.last).await?
                    && !conflicts.contains(&conflict)
                {
                    conflicts.push(conflict);
                }
            }
        }
        let Some(step) = steps.first().filter(|_| conflicts.is_empty()) else {
            return Ok(Undone::Conflicts(conflicts));
        };
        let table = step.table(catalog).table.entity;
        Ok(Undone::NotUndoable(format!("the rules of {table} do not allow {table} {} back", step.row_id)))
    }

    async fn in_the_way(
        &mut self,
        owner: i64,
        catalog: &Catalog,
        table: &str,
        id: i64,
        last: i64,
    ) -> Result<Option<UndoConflict>, Error> {
        let Some(row) = named(catalog, table, id) else { return Ok(None) };
        let now = match catalog.captured(table) {
            Some(captured) => self.image_now(owner, captured, id).await?,
            None => None,
        };
        let later_changes = self.later_changes(owner, table, id, last).await?;
        Ok(Some(UndoConflict { row, now, later_changes }))
    }

    /// Rows that refer to the row of `step`.
    async fn referring(
        &mut self,
        owner: i64,
        captured: &CapturedTable,
        step: &Step,
    ) -> Result<Vec<(String, i64)>, Error> {
        let mut found = Vec::new();
        let Some(now) = &step.now else { return Ok(found) };
        for Reference { child, key, child_has_id } in &captured.references {
            if *child_has_id {
                let wanted = values(now, &key.parent_columns, owner, step.row_id)?;
                found.extend(self.ids_where(child.name, &key.columns, wanted, None).await?);
            }
        }
        Ok(found)
    }

    /// Parents that are gone, and rows that hold what must be unique.
    async fn holding(
        &mut self,
        owner: i64,
        captured: &CapturedTable,
        step: &Step,
        goal: &RowImage,
    ) -> Result<Vec<(String, i64)>, Error> {
        let mut found = Vec::new();
        for unique in &captured.uniques {
            let wanted = values(goal, unique, owner, step.row_id)?;
            found.extend(self.ids_where(captured.table.name, unique, wanted, Some(step.row_id)).await?);
        }
        for key in captured.foreign_keys.iter().filter(|key| key.parent_columns == ["owner", "id"]) {
            let wanted = values(goal, &key.columns, owner, step.row_id)?;
            let Some(Value::Integer(id)) = wanted.last().cloned() else { continue };
            if self.ids_where(&key.parent, &key.parent_columns, wanted, None).await?.is_empty() {
                found.push((key.parent.clone(), id));
            }
        }
        Ok(found)
    }

    /// Rows of `table` whose `columns` hold `wanted`; none when a value is NULL, which equals nothing.
    async fn ids_where(
        &mut self,
        table: &str,
        columns: &[String],
        mut wanted: Vec<Value>,
        but: Option<i64>,
    ) -> Result<Vec<(String, i64)>, Error> {
        if wanted.contains(&Value::Null) {
            return Ok(Vec::new());
        }
        let same: Vec<String> =
            columns.iter().enumerate().map(|(at, column)| format!("{column} = ${}", at + 1)).collect();
        let text = format!(
            "SELECT id FROM {table} WHERE {} AND id <> ${} ORDER BY id LIMIT {NAMED}",
            same.join(" AND "),
            columns.len() + 1
        );
        wanted.extend(params![but.unwrap_or(0)]);
        let rows = self.rows_of("ids_where", Text::Made(&text), &wanted).await?;
        rows.iter().map(|row| Ok((table.to_owned(), row.get(0)?))).collect()
    }
}
