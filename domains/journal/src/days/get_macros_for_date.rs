use calendar::{Date, EventTime};
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
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
    /// The user-day.
    #[serde(default)]
    pub date: Option<Date>,
    /// A local time; the day it belongs to is meant.
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
    /// Oldest first; the first 40. The others are listed by `get_meals`.
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
    const UNTRUSTED: &'static [&'static str] = &["meals[].name", "meals[].notes"];

    type Output = MacrosOfDay;

    fn example() -> Value {
        json!({"date": "2026-05-25"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        self.day(call).err().into_iter().collect()
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
