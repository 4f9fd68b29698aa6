use calendar::{Date, EventTime};
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, PageEnds, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

use super::{Completeness, DayTarget, DayTotals, sentence, standing};
use crate::meals::{ShownMeal, meal};

/// What fits into an answer.
const MOST_MEALS: i64 = 40;

/// Totals and meals of one day, given as a date or as a moment in it. For several days use `get_macros_range`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMacrosForDate {
    /// The day.
    #[serde(default)]
    pub date: Option<Date>,
    /// A local time in it.
    #[serde(default)]
    pub at: Option<EventTime>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MacrosOfDay {
    pub date: Date,
    pub day_totals: DayTotals,
    pub day_target: Option<DayTarget>,
    pub completeness: Completeness,
    pub meals_logged: i64,
    /// Oldest first; the first 40 at most. The others are listed by `get_meals`.
    pub meals: Vec<ShownMeal>,
    /// There are more meals than shown.
    pub truncated: bool,
    pub summary: String,
}

impl Operation for GetMacrosForDate {
    const NAME: &'static str = "get_macros_for_date";
    const PATH: &'static str = "/signals/macros";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Journal);
    const ENTITY: &'static str = "day";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;
    const NARROW_BY: &'static str = "get_meals";
    const UNTRUSTED: &'static [&'static str] = &["meals[].name", "meals[].notes"];

    type Output = MacrosOfDay;

    fn example() -> Value {
        json!({"date": "2026-05-25"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        self.day(call).err().into_iter().collect()
    }

    fn page(output: &MacrosOfDay) -> Option<PageEnds> {
        let logged = usize::try_from(output.meals_logged).unwrap_or(usize::MAX);
        Some(PageEnds::without_cursor("meals", logged.saturating_sub(output.meals.len())))
    }
}

impl Local for GetMacrosForDate {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<MacrosOfDay, Failure> {
        let (owner, today) = (call.owner()?, call.today());
        let date = self.day(call).map_err(|fault| Failure::Invalid(vec![fault]))?;
        let standing = standing::of_day(tx, owner, date, today).await?;
        let meals = meal::of_day(tx, owner, date, MOST_MEALS).await?;
        Ok(MacrosOfDay {
            date,
            day_totals: standing.sum.totals(),
            day_target: None,
            completeness: standing.completeness,
            meals_logged: standing.sum.meals,
            truncated: standing.sum.meals > MOST_MEALS,
            meals: meals.iter().map(ShownMeal::from).collect(),
            summary: sentence(&standing.sum, today),
        })
    }
}

impl GetMacrosForDate {
    fn day(&self, call: &Call) -> Result<Date, FieldFault> {
        match (self.date, &self.at) {
            (Some(date), None) if date > call.today() => Err(FieldFault::new("date", "is in the future")),
            (Some(date), None) => Ok(date),
            (None, Some(at)) => {
                let moment = call.caller.day.resolve(Some(at), call.now);
                moment.map(|moment| moment.user_date).map_err(|error| FieldFault::new("at", error.to_string()))
            }
            _ => Err(FieldFault::new("date", "give exactly one of date, at")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { a_day_is_given_by_date_or_by_a_moment_in_it, exactly_one_of_the_two_is_given_and_no_day_to_come, a_day_of_many_meals_is_cut_with_a_word, a_day_of_long_notes_keeps_to_the_size_of_an_answer }

    async fn story(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        for time in ["2026-05-24T19:00", "2026-05-24T08:00", "2026-05-25T01:00"] {
            let meal = json!({"eaten_at": time, "kcal": 300, "protein_g": 20, "carb_g": 30, "fat_g": 10});
            story.call("log_meal", meal).await;
        }
        story
    }

    async fn a_day_is_given_by_date_or_by_a_moment_in_it(engine: TestEngine) {
        let story = story(engine).await;
        let by_date = story.call("get_macros_for_date", json!({"date": "2026-05-24"})).await;
        assert_eq!((&by_date["day_totals"]["kcal"], &by_date["completeness"]), (&json!(900), &json!("complete")));
        let times: Vec<_> = by_date["meals"].as_array().unwrap().iter().map(|meal| &meal["eaten_at"]).collect();
        assert_eq!(times[0], "2026-05-24T08:00:00-04:00");
        assert_eq!(times[2], "2026-05-25T01:00:00-04:00");
        let by_moment = story.call("get_macros_for_date", json!({"at": "2026-05-25T03:59"})).await;
        assert_eq!(by_date, by_moment);
        assert_eq!(
            by_date["summary"],
            "2026-05-24 (Sun, yesterday): 900 kcal from 3 meals, 60p / 90c / 30f (no active phase)"
        );
    }

    async fn exactly_one_of_the_two_is_given_and_no_day_to_come(engine: TestEngine) {
        let story = story(engine).await;
        for (input, field, reason) in [
            (json!({}), "date", "give exactly one of date, at"),
            (json!({"date": "2026-05-24", "at": "2026-05-24"}), "date", "give exactly one of date, at"),
            (json!({"date": "2026-05-26"}), "date", "is in the future"),
            (json!({"at": "2026-05-26T12:00"}), "at", "is in the future"),
        ] {
            let body = story.refused("get_macros_for_date", input).await;
            assert_eq!(body["fields"], json!([{"field": field, "reason": reason}]));
        }
    }

    async fn a_day_of_many_meals_is_cut_with_a_word(engine: TestEngine) {
        let story = Story::new(engine).await;
        for minute in 0..42 {
            let time = format!("2026-05-24T10:{minute:02}");
            let meal = json!({"eaten_at": time, "kcal": 10, "protein_g": 0, "carb_g": 2.5, "fat_g": 0});
            story.call("log_meal", meal).await;
        }
        let answer = story.call("get_macros_for_date", json!({"date": "2026-05-24"})).await;
        assert_eq!(answer["meals"].as_array().unwrap().len(), 40);
        assert_eq!((&answer["truncated"], &answer["meals_logged"]), (&json!(true), &json!(42)));
        assert_eq!((&answer["left_out"], &answer["hint"]), (&json!(2), &json!("Not all is shown: use get_meals.")));
        assert_eq!(answer.get("next_cursor"), None);
        assert_eq!(answer["day_totals"]["kcal"], 420);
    }

    async fn a_day_of_long_notes_keeps_to_the_size_of_an_answer(engine: TestEngine) {
        let story = Story::new(engine).await;
        for hour in 5..20 {
            let time = format!("2026-05-24T{hour:02}:00");
            let notes = "é".repeat(2_000);
            let meal = json!({"eaten_at": time, "kcal": 10, "protein_g": 0, "carb_g": 2.5, "fat_g": 0, "notes": notes});
            story.call("log_meal", meal).await;
        }
        let answer = story.call("get_macros_for_date", json!({"date": "2026-05-24"})).await;
        let shown = answer["meals"].as_array().unwrap().len();
        assert!((1..15).contains(&shown) && answer.to_string().len() <= GetMacrosForDate::MAX_BYTES);
        assert_eq!((&answer["truncated"], &answer["left_out"]), (&json!(true), &json!(15 - shown)));
        assert_eq!(answer["day_totals"]["kcal"], 150);
    }
}
