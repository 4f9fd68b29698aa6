//! What `mark_day_complete` and `mark_day_partial` share.

use calendar::Date;
use operation::{Call, Failure, FieldFault};
use schemars::JsonSchema;
use serde::Serialize;
use storage::Tx;

use super::{Completeness, DayMark, Mark, day_mark, standing};
use crate::{saying, warning::Warning};

#[derive(Debug, Serialize, JsonSchema)]
pub struct MarkedDay {
    pub id: i64,
    pub date: Date,
    pub completeness: Completeness,
    pub kcal_in: i64,
    pub summary: String,
    pub warnings: Vec<Warning>,
}

/// A day that has not begun cannot be marked.
pub fn fault(date: Option<Date>, call: &Call) -> Option<FieldFault> {
    date.filter(|date| *date > call.today()).map(|_| FieldFault::new("date", "is in the future"))
}

/// Marks a day (today when none is given); marking it the same way again changes nothing.
pub async fn mark_day(tx: &mut Tx, call: &Call, date: Option<Date>, mark: Mark) -> Result<MarkedDay, Failure> {
    let (owner, today) = (call.owner()?, call.today());
    let date = date.unwrap_or(today);
    let row = put(tx, call, owner, date, mark).await?;
    let standing = standing::of_day(tx, owner, date, today).await?;
    let (meals, kcal) = (saying::count(standing.sum.meals, "meal"), standing.sum.kcal.whole());
    Ok(MarkedDay {
        id: row.id,
        date,
        completeness: standing.completeness,
        kcal_in: kcal,
        summary: format!("Marked {} {}: {meals}, {kcal} kcal", saying::date(date, today), row.mark.as_str()),
        warnings: Vec::new(),
    })
}

async fn put(tx: &mut Tx, call: &Call, owner: i64, date: Date, mark: Mark) -> Result<DayMark, Failure> {
    let source = call.caller.source.clone();
    match day_mark::get(tx, owner, date).await? {
        Some(old) if old.mark == mark => Ok(old),
        Some(old) => {
            let row = DayMark { version: old.version + 1, updated_at: call.now, source, mark, ..old };
            day_mark::update(tx, owner, &row).await?;
            Ok(row)
        }
        None => {
            let id = day_mark::new_id(tx).await?;
            let row = DayMark { id, version: 1, updated_at: call.now, source, date, mark };
            day_mark::insert(tx, owner, &row).await?;
            Ok(row)
        }
    }
}
