use operation::{Area, Call, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use storage::Tx;

use super::sentence;
use crate::{meals::meal, number::Tenths};

/// What the person has eaten today: energy, macros, number of meals, and the target if any. For another day use
/// `get_macros_for_date`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMacrosToday {}

/// Targets are null without an active phase.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MacrosToday {
    pub kcal_in: i64,
    pub kcal_target: Option<i64>,
    pub pct: Option<i64>,
    pub protein_g_in: Tenths,
    pub carb_g_in: Tenths,
    pub fat_g_in: Tenths,
    pub protein_g_target: Option<i64>,
    pub carb_g_target: Option<i64>,
    pub fat_g_target: Option<i64>,
    pub maintenance_kcal: Option<i64>,
    pub observed: Option<Map<String, Value>>,
    pub meals_logged: i64,
    pub summary: String,
}

impl Operation for GetMacrosToday {
    const NAME: &'static str = "get_macros_today";
    const PATH: &'static str = "/signals/macros/today";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Journal);
    const ENTITY: &'static str = "day";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;

    type Output = MacrosToday;

    fn example() -> Value {
        json!({})
    }
}

impl Local for GetMacrosToday {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<MacrosToday, Failure> {
        let today = call.today();
        let sum = meal::day_sum(tx, call.owner()?, today).await?;
        Ok(MacrosToday {
            kcal_in: sum.kcal.whole(),
            kcal_target: None,
            pct: None,
            protein_g_in: sum.protein_g,
            carb_g_in: sum.carb_g,
            fat_g_in: sum.fat_g,
            protein_g_target: None,
            carb_g_target: None,
            fat_g_target: None,
            maintenance_kcal: None,
            observed: None,
            meals_logged: sum.meals,
            summary: sentence(&sum, today),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { the_day_so_far_is_summed_from_its_rows }

    async fn the_day_so_far_is_summed_from_its_rows(engine: TestEngine) {
        let story = Story::new(engine).await;
        let empty = story.call("get_macros_today", json!({})).await;
        assert_eq!((&empty["kcal_in"], &empty["meals_logged"]), (&json!(0), &json!(0)));
        assert_eq!(empty["summary"], "2026-05-25 (Mon, today): no meals logged yet");
        for (time, protein) in [("2026-05-25T03:00", 90.0), ("2026-05-25T08:00", 10.2), ("2026-05-25T12:00", 10.3)] {
            let meal = json!({"eaten_at": time, "kcal": 250, "protein_g": protein, "carb_g": 20, "fat_g": 10});
            story.call("log_meal", meal).await;
        }
        let answer = story.call("get_macros_today", json!({})).await;
        assert_eq!((&answer["kcal_in"], &answer["protein_g_in"]), (&json!(500), &json!(20.5)));
        assert_eq!((&answer["meals_logged"], &answer["kcal_target"]), (&json!(2), &Value::Null));
        assert_eq!(
            answer["summary"],
            "2026-05-25 (Mon, today): 500 kcal so far from 2 meals, 20.5p / 40c / 20f (no active phase)"
        );
    }
}
