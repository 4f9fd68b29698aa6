//! What looks odd about a stored meal, seen beside the person's other meals.

use calendar::{TimeNote, TimePrecision};
use operation::Failure;
use plausibility::{FEWEST_MEALS, HISTORY_DAYS, duplicate_suspect, implausible, possible_alcohol};
use storage::Tx;

use super::{Meal, meal};
use crate::warning::Warning;

/// Two meals further apart than this are never taken for one.
const DUPLICATE_WITHIN_S: i64 = 20 * 60;

/// Every warning of §8.7 that holds for a meal which is already stored.
pub async fn of(tx: &mut Tx, owner: i64, meal: &Meal, note: Option<TimeNote>) -> Result<Vec<Warning>, Failure> {
    let mut warnings: Vec<Warning> = note.map(|note| Warning::of_time(note, &meal.zone)).into_iter().collect();
    warnings.extend(of_the_row(meal));
    if stands_out(tx, owner, meal).await? {
        warnings.push(Warning::new(
            "implausible",
            "Far more energy than this person's meals at that time of day in the last 90 days; check the number.",
        ));
    }
    if let Some(other) = twin(tx, owner, meal).await? {
        let message = "Another meal of that day has about the same energy within 20 minutes; was it logged twice?";
        warnings.push(Warning { meal_id: Some(other), ..Warning::new("duplicate_suspect", message) });
    }
    Ok(warnings)
}

/// What the row alone says.
fn of_the_row(meal: &Meal) -> Vec<Warning> {
    let energy = meal.nutrients.energy();
    let mut warnings = Vec::new();
    if energy.mismatch() {
        let explained = units::whole(energy.explained_kcal_tenths());
        warnings.push(Warning::new(
            "energy_mismatch",
            format!("{} kcal, but the nutrients add up to {explained} kcal; check the numbers.", meal.nutrients.kcal),
        ));
    }
    let texts = [meal.name.as_deref().unwrap_or_default(), meal.notes.as_deref().unwrap_or_default()];
    if possible_alcohol(energy, &texts) {
        warnings.push(Warning::new(
            "possible_alcohol",
            "This may hold an alcoholic drink: its energy is not explained by protein, carbohydrate and fat. \
             Alcoholic drinks are not meals.",
        ));
    }
    warnings
}

async fn stands_out(tx: &mut Tx, owner: i64, stored: &Meal) -> Result<bool, Failure> {
    let Some(slot) = stored.slot else { return Ok(false) };
    let kcal = stored.nutrients.kcal.0;
    let range = (stored.user_date.plus_days(-HISTORY_DAYS), stored.user_date);
    let (meals, largest) = meal::largest_of_slot(tx, owner, slot, range, stored.id).await?;
    // Nearly every meal ends here; only one that may stand out is worth reading the others.
    if meals < FEWEST_MEALS as i64 || 2 * kcal <= 3 * largest {
        return Ok(false);
    }
    Ok(implausible(kcal, &meal::kcal_of_slot(tx, owner, slot, range, stored.id).await?))
}

async fn twin(tx: &mut Tx, owner: i64, stored: &Meal) -> Result<Option<i64>, Failure> {
    if stored.precision == TimePrecision::Day {
        return Ok(None);
    }
    let this = (stored.eaten_at.micros(), stored.nutrients.kcal.0);
    let near = meal::near(tx, owner, stored, DUPLICATE_WITHIN_S).await?;
    Ok(near.into_iter().find(|&(_, at, kcal)| duplicate_suspect(this, (at, kcal))).map(|(id, ..)| id))
}
