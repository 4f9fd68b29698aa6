use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Capture, Error, Table,
    capture::{Column, ForeignKey, Kind, SavedShape, TableColumns},
};

/// Every table of the schema, and what the change log knows of the captured ones.
#[derive(Debug)]
pub(crate) struct Catalog {
    pub tables: Vec<Table>,
    /// Parents before children.
    pub captured: Vec<CapturedTable>,
}

#[derive(Debug)]
pub(crate) struct CapturedTable {
    pub table: Table,
    /// The captured columns, in the table's order: all but `owner`, `id`, bookkeeping and generated ones.
    pub columns: Vec<Column>,
    /// Number of the shape in force.
    pub shape: i64,
    pub shapes: Vec<SavedShape>,
    pub foreign_keys: Vec<ForeignKey>,
    pub uniques: Vec<Vec<String>>,
    /// Foreign keys of any table of the schema that point here.
    pub references: Vec<Reference>,
}

#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub child: Table,
    pub key: ForeignKey,
    pub child_has_id: bool,
}

impl CapturedTable {
    /// Whether images of shape `number` can be put back: every column they hold is still there, and nothing rewrote
    /// the rows since.
    pub(crate) fn takes_images_of(&self, number: i64) -> bool {
        let Some(shape) = self.shapes.iter().find(|shape| shape.number == number) else { return false };
        let rewritten = self.shapes.iter().any(|later| later.number > number && later.rewritten);
        !rewritten && shape.columns.iter().all(|column| self.columns.contains(column))
    }
}

impl Catalog {
    pub(crate) fn captured(&self, table: &str) -> Option<&CapturedTable> {
        self.captured.iter().find(|captured| captured.table.name == table)
    }

    /// The captured table whose rows are called `entity`.
    pub(crate) fn of_entity(&self, entity: &str) -> Option<&CapturedTable> {
        self.captured.iter().find(|captured| captured.table.entity == entity)
    }

    pub(crate) fn has(&self, table: &str) -> bool {
        self.tables.iter().any(|known| known.name == table)
    }

    /// Checks the rules of captured tables and puts parents before children.
    pub(crate) fn new(
        tables: Vec<Table>,
        columns: &BTreeMap<&'static str, TableColumns>,
        mut shapes: BTreeMap<String, Vec<SavedShape>>,
    ) -> Result<Self, Error> {
        let mut captured = Vec::new();
        for table in &tables {
            let here = columns_of(columns, table)?;
            let Some(kept) = captured_columns(table, here)? else { continue };
            let shapes = shapes.remove(table.name).unwrap_or_default();
            captured.push(CapturedTable {
                table: *table,
                columns: kept,
                shape: shapes.last().map_or(0, |shape| shape.number),
                shapes,
                foreign_keys: here.foreign_keys.clone(),
                uniques: here.uniques.clone(),
                references: references(&tables, columns, table.name)?,
            });
        }
        Ok(Self { tables, captured: parents_first(captured)? })
    }
}

fn columns_of<'a>(all: &'a BTreeMap<&'static str, TableColumns>, table: &Table) -> Result<&'a TableColumns, Error> {
    all.get(table.name)
        .filter(|columns| !columns.columns.is_empty())
        .ok_or_else(|| Error::Internal(format!("the schema names table {}, which no migration creates", table.name)))
}

/// The columns an image of `table` holds; `None` when it is not captured. An error says which rule it breaks.
pub(crate) fn captured_columns(table: &Table, here: &TableColumns) -> Result<Option<Vec<Column>>, Error> {
    let Capture::Rows { except } = table.capture else { return Ok(None) };
    let refuse = |why: String| Err(Error::Internal(format!("table {} cannot be captured: {why}", table.name)));
    if here.primary_key != ["owner", "id"] {
        return refuse("its primary key is not (owner, id)".to_owned());
    }
    for needed in ["version", "updated_at"] {
        if !here.columns.iter().any(|column| column.name == needed && column.kind == Kind::Integer) {
            return refuse(format!("it has no integer column {needed}"));
        }
    }
    if let Some(unknown) = except.iter().find(|name| here.columns.iter().all(|column| column.name != **name)) {
        return refuse(format!("it has no column {unknown} to leave out"));
    }
    if let Some(key) = here.foreign_keys.iter().find(|key| !key.plain) {
        return refuse(format!("its foreign key to {} is not NO ACTION and immediate", key.parent));
    }
    let left_out = |column: &Column| {
        ["owner", "id"].contains(&column.name.as_str())
            || except.contains(&column.name.as_str())
            || here.generated.contains(&column.name)
    };
    let kept: Vec<Column> = here.columns.iter().filter(|column| !left_out(column)).cloned().collect();
    if let Some(column) = kept.iter().find(|column| !matches!(column.kind, Kind::Integer | Kind::Text)) {
        return refuse(format!("column {} is neither integer nor text", column.name));
    }
    Ok(Some(kept))
}

fn references(
    tables: &[Table],
    columns: &BTreeMap<&'static str, TableColumns>,
    parent: &str,
) -> Result<Vec<Reference>, Error> {
    let mut references = Vec::new();
    for child in tables {
        let here = columns_of(columns, child)?;
        let child_has_id = here.columns.iter().any(|column| column.name == "id");
        let keys = here.foreign_keys.iter().filter(|key| key.parent == parent);
        references.extend(keys.map(|key| Reference { child: *child, key: key.clone(), child_has_id }));
    }
    Ok(references)
}

/// A row may refer to its own table; cycles over several tables are refused.
fn parents_first(mut tables: Vec<CapturedTable>) -> Result<Vec<CapturedTable>, Error> {
    let mut names: BTreeSet<&str> = tables.iter().map(|captured| captured.table.name).collect();
    let mut ordered = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let free = tables.iter().position(|captured| {
            let mut parents = captured.foreign_keys.iter().map(|key| key.parent.as_str());
            parents.all(|parent| parent == captured.table.name || !names.contains(parent))
        });
        let Some(free) = free else {
            let names: Vec<_> = names.into_iter().collect();
            return Err(Error::Internal(format!("captured tables refer to each other: {}", names.join(", "))));
        };
        let table = tables.remove(free);
        names.remove(table.table.name);
        ordered.push(table);
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEAL: Table = Table { name: "meal", entity: "meal", capture: Capture::Rows { except: &["seen_at"] } };

    fn columns(extra: &[(&str, Kind)]) -> TableColumns {
        let fixed = ["owner", "id", "version", "updated_at", "seen_at"].map(|name| (name, Kind::Integer));
        TableColumns {
            columns: fixed
                .iter()
                .chain(extra)
                .map(|(name, kind)| Column { name: (*name).to_owned(), kind: kind.clone() })
                .collect(),
            primary_key: vec!["owner".to_owned(), "id".to_owned()],
            ..TableColumns::default()
        }
    }

    fn refusal(columns: &TableColumns) -> String {
        captured_columns(&MEAL, columns).unwrap_err().to_string()
    }

    #[test]
    fn bookkeeping_and_the_key_stay_out_of_images() {
        let kept = captured_columns(&MEAL, &columns(&[("name", Kind::Text)])).unwrap().unwrap();
        assert_eq!(kept.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["version", "updated_at", "name"]);
    }

    #[test]
    fn what_an_image_cannot_hold_is_refused_in_a_sentence() {
        assert!(refusal(&columns(&[("photo", Kind::Blob)])).contains("column photo is neither integer nor text"));
        assert!(refusal(&columns(&[("score", Kind::Real)])).contains("column score"));
        let mut keyless = columns(&[]);
        keyless.primary_key = vec!["id".to_owned()];
        assert!(refusal(&keyless).contains("primary key is not (owner, id)"));
        let mut cascading = columns(&[]);
        let names = || vec!["owner".to_owned(), "person_id".to_owned()];
        let key = ForeignKey { columns: names(), parent: "person".into(), parent_columns: names(), plain: false };
        cascading.foreign_keys.push(key);
        assert!(refusal(&cascading).contains("foreign key to person"));
    }
}
