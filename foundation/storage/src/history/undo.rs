use std::sync::Arc;

use calendar::Instant;

use crate::{
    Error, Tx, Value,
    capture::{CapturedTable, Catalog},
    history::{
        changed_rows::{Folded, changed_row},
        image::{self, ChangedRow, RowImage, UndoConflict, Undone, column_value, same},
    },
    params,
    sql::Text,
};

/// One row to put back.
#[derive(Debug)]
pub(crate) struct Step {
    /// Place of its table in the catalog: parents before children.
    place: usize,
    pub row_id: i64,
    /// Position of the undone change's last image of the row.
    pub last: i64,
    pub now: Option<RowImage>,
    /// What it will be; `None`: it goes.
    pub goal: Option<RowImage>,
}

/// A row as it is, beside what the change made of it.
enum Compared {
    /// There is nothing to take back.
    Same,
    /// It is what the change left.
    Left(Step),
    ChangedSince(UndoConflict),
}

impl Tx {
    /// Takes `change` of `owner` back, in this transaction, which has a change of its own. `now` becomes the
    /// `updated_at` of the rows. It is undone as a whole or not at all; undoing a change that is undone already is a
    /// conflict, and undoing an undo restores what it took back.
    pub async fn undo(&mut self, owner: i64, change: i64, now: Instant) -> Result<Undone, Error> {
        if self.change.is_none() {
            return Err(Error::Internal("an undo needs a transaction with a change".to_owned()));
        }
        match self.change_entry(owner, change).await? {
            None => return Ok(Undone::NotUndoable("no such change is kept".to_owned())),
            Some(entry) if entry.pruned => {
                return Ok(Undone::NotUndoable("what the rows were before is no longer kept".to_owned()));
            }
            Some(_) => {}
        }
        let catalog = Arc::clone(&self.catalog);
        let mut steps = Vec::new();
        let mut conflicts = Vec::new();
        for folded in self.folded(owner, change).await? {
            let place = catalog.captured.iter().position(|captured| captured.table.name == folded.table);
            let fits = |place: &usize| catalog.captured[*place].takes_images_of(folded.shape);
            let Some(place) = place.filter(fits) else {
                let table = folded.table;
                return Ok(Undone::NotUndoable(format!("table {table} is no longer what it was then")));
            };
            match self.compare(owner, &catalog, place, folded, now).await? {
                Compared::Same => {}
                Compared::Left(step) => steps.push(step),
                Compared::ChangedSince(conflict) => conflicts.push(conflict),
            }
        }
        if !conflicts.is_empty() {
            return Ok(Undone::Conflicts(conflicts));
        }
        self.put_back(owner, change, &catalog, steps).await
    }

    async fn compare(
        &mut self,
        owner: i64,
        catalog: &Catalog,
        place: usize,
        folded: Folded,
        at: Instant,
    ) -> Result<Compared, Error> {
        let captured = &catalog.captured[place];
        let left = self.left_by(owner, captured, &folded).await?;
        let now = self.image_now(owner, captured, folded.row_id).await?;
        if !same(left.as_ref(), now.as_ref()) {
            let later_changes = self.later_changes(owner, captured.table.name, folded.row_id, folded.last).await?;
            let row = changed_row(captured, folded, left);
            return Ok(
                row.map_or(Compared::Same, |row| Compared::ChangedSince(UndoConflict { row, now, later_changes }))
            );
        }
        if same(folded.before.as_ref(), now.as_ref()) {
            return Ok(Compared::Same);
        }
        let (row_id, last) = (folded.row_id, folded.last);
        let goal = folded.before.map(|before| moved_forward(before, now.as_ref(), at)).transpose()?;
        Ok(Compared::Left(Step { place, row_id, last, now, goal }))
    }

    async fn put_back(
        &mut self,
        owner: i64,
        change: i64,
        catalog: &Catalog,
        mut steps: Vec<Step>,
    ) -> Result<Undone, Error> {
        // Children go before their parents, then rows change, then parents come before their children.
        steps.sort_by_key(|step| match (&step.now, &step.goal) {
            (_, None) => (0, -(step.place as i64)),
            (Some(_), Some(_)) => (1, step.place as i64),
            (None, Some(_)) => (2, step.place as i64),
        });
        self.savepoint("SAVEPOINT undo").await?;
        let mut restored = Vec::with_capacity(steps.len());
        loop {
            let before = steps.len();
            let mut waiting = Vec::new();
            for step in steps {
                let captured = &catalog.captured[step.place];
                match self.take(owner, captured, &step).await? {
                    true => restored.push(did(captured, step)),
                    // Another row of the same change may still be in the way.
                    false => waiting.push(step),
                }
            }
            steps = waiting;
            if steps.is_empty() {
                self.savepoint("RELEASE SAVEPOINT undo").await?;
                self.undone.push(change);
                return Ok(Undone::Restored(restored));
            }
            if steps.len() == before {
                let undone = self.rows_in_the_way(owner, catalog, &steps).await?;
                self.took_back = true;
                self.savepoint("ROLLBACK TO SAVEPOINT undo").await?;
                self.savepoint("RELEASE SAVEPOINT undo").await?;
                return Ok(undone);
            }
        }
    }

    /// `false`: a constraint does not allow it, now.
    async fn take(&mut self, owner: i64, captured: &CapturedTable, step: &Step) -> Result<bool, Error> {
        let table = captured.table.name;
        let Some(goal) = &step.goal else {
            let text = format!("DELETE FROM {table} WHERE owner = $1 AND id = $2 RETURNING id");
            let gone = self.attempt("undo", Text::Made(&text), &params![owner, step.row_id]).await?;
            return Ok(gone.is_some_and(|rows| !rows.is_empty()));
        };
        let mut params: Vec<Value> = params![owner, step.row_id].to_vec();
        for column in goal.keys() {
            params.push(column_value(goal, column)?);
        }
        let text = match step.now {
            Some(_) => update_text(table, goal),
            None => insert_text(table, goal),
        };
        let done = self.attempt("undo", Text::Made(&text), &params).await?;
        Ok(done.is_some_and(|rows| !rows.is_empty()))
    }
}

/// `before` with `version` above every version the row has had, and `updated_at` now.
fn moved_forward(mut before: RowImage, now: Option<&RowImage>, at: Instant) -> Result<RowImage, Error> {
    let version = |image: &RowImage| match image::column_value(image, "version")? {
        Value::Integer(version) => Ok(version),
        other => Err(Error::Internal(format!("version holds {}", other.kind()))),
    };
    let seen = version(&before)?.max(now.map_or(Ok(0), version)?);
    before.insert("version".to_owned(), (seen + 1).into());
    before.insert("updated_at".to_owned(), at.micros().into());
    Ok(before)
}

fn update_text(table: &str, goal: &RowImage) -> String {
    let set: Vec<String> = goal.keys().enumerate().map(|(at, column)| format!("{column} = ${}", at + 3)).collect();
    format!("UPDATE {table} SET {} WHERE owner = $1 AND id = $2 RETURNING id", set.join(", "))
}

/// Columns that the image does not know take their defaults.
fn insert_text(table: &str, goal: &RowImage) -> String {
    let columns: Vec<&str> = goal.keys().map(String::as_str).collect();
    let places: Vec<String> = (3..goal.len() + 3).map(|at| format!("${at}")).collect();
    format!(
        "INSERT INTO {table} (owner, id, {}) VALUES ($1, $2, {}) ON CONFLICT DO NOTHING RETURNING id",
        columns.join(", "),
        places.join(", ")
    )
}

fn did(captured: &CapturedTable, step: Step) -> ChangedRow {
    let (table, entity) = (captured.table.name, captured.table.entity);
    ChangedRow { table, entity, id: step.row_id, before: step.now, after: step.goal }
}

impl Step {
    pub(crate) fn table<'a>(&self, catalog: &'a Catalog) -> &'a CapturedTable {
        &catalog.captured[self.place]
    }
}
