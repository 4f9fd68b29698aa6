//! What looks odd about a stored meal, seen beside the person's other meals.

use calendar::{TimeNote, TimePrecision};
use operation::Failure;
use plausibility::{HISTORY_DAYS, duplicate_suspect, implausible, possible_alcohol};
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
    // Nearly every meal ends here: only one over 1.5 times every other can stand out, and is worth reading them all.
    let two_thirds = (2 * kcal + 2) / 3;
    if meal::is_as_large_in_slot(tx, owner, slot, range, stored.id, two_thirds).await? {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestEngine, codes};

    use crate::story::Story;

    storage::on_both_engines! { energy_that_the_nutrients_do_not_explain_is_told, b28_alcohol_in_the_food_explains_its_energy, b6_a_meal_far_beyond_ten_breakfasts_is_told_and_kept, the_same_energy_within_twenty_minutes_is_a_suspect, a_date_alone_is_shown_back_and_takes_part_in_no_guess }

    fn lunch() -> Value {
        json!({"eaten_at": "2026-05-25T12:30:00", "kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18})
    }

    fn plain(eaten_at: &str, kcal: i64) -> Value {
        json!({"eaten_at": eaten_at, "kcal": kcal, "protein_g": 0, "carb_g": 0, "fat_g": kcal as f64 / 9.0})
    }

    async fn energy_that_the_nutrients_do_not_explain_is_told(engine: TestEngine) {
        let story = Story::new(engine).await;
        let mut meal = lunch();
        assert_eq!(story.call("log_meal", meal.clone()).await["warnings"], json!([]));
        meal["kcal"] = json!(700);
        assert_eq!(codes(&story.call("log_meal", meal).await), ["energy_mismatch"]);
    }

    async fn b28_alcohol_in_the_food_explains_its_energy(engine: TestEngine) {
        let story = Story::new(engine).await;
        let mut meal = json!({"name": "Trifle with rum", "kcal": 198, "protein_g": 0, "carb_g": 25, "fat_g": 0});
        assert_eq!(codes(&story.call("log_meal", meal.clone()).await), ["energy_mismatch", "possible_alcohol"]);
        meal["alcohol_g"] = json!(14);
        let warnings = story.call("log_meal", meal).await;
        assert_eq!(codes(&warnings), ["possible_alcohol", "duplicate_suspect"]);
    }

    async fn b6_a_meal_far_beyond_ten_breakfasts_is_told_and_kept(engine: TestEngine) {
        let story = Story::new(engine).await;
        for (day, kcal) in [380, 400, 420, 440, 400, 390, 410, 430, 420, 410].into_iter().enumerate() {
            story.call("log_meal", plain(&format!("2026-05-{:02}T08:00", day + 10), kcal)).await;
        }
        let on = |time: &str, kcal| story.call("log_meal", plain(time, kcal));
        assert_eq!(on("2026-05-25T07:00", 650).await["warnings"], json!([]));
        // The meal of 650 would be among the earlier ones.
        story.call("delete_meal", json!({"meal_id": 11, "confirm": true})).await;
        assert_eq!(codes(&on("2026-05-25T07:00", 661).await), ["implausible"]);
        story.call("delete_meal", json!({"meal_id": 12, "confirm": true})).await;
        assert_eq!(codes(&on("2026-05-25T07:00", 4_129).await), ["implausible"]);
        assert_eq!(on("2026-05-25T12:00", 4_129).await["warnings"], json!([]), "no lunches to compare with");
    }

    async fn the_same_energy_within_twenty_minutes_is_a_suspect(engine: TestEngine) {
        let story = Story::new(engine).await;
        let first = story.call("log_meal", plain("2026-05-25T12:00", 500)).await;
        let second = story.call("log_meal", plain("2026-05-25T12:20", 505)).await;
        assert_eq!(codes(&second), ["duplicate_suspect"]);
        assert_eq!(second["warnings"][0]["meal_id"], first["id"]);
        assert_eq!(story.call("log_meal", plain("2026-05-25T12:41", 500)).await["warnings"], json!([]));
    }

    async fn a_date_alone_is_shown_back_and_takes_part_in_no_guess(engine: TestEngine) {
        let story = Story::new(engine).await;
        story.call("log_meal", plain("2026-05-24T12:00", 500)).await;
        let answer = story.call("log_meal", plain("2026-05-24", 500)).await;
        assert_eq!(answer["eaten_at"], "2026-05-24");
        assert_eq!((&answer["slot"], &answer["user_date"]), (&Value::Null, &json!("2026-05-24")));
        assert_eq!(codes(&answer), ["time_assumed"]);
        assert_eq!(answer["day_totals"]["kcal"], 1000);
        let today = story.call("log_meal", plain("2026-05-25", 300)).await;
        assert_eq!(today["user_date"], "2026-05-25");
    }
}
