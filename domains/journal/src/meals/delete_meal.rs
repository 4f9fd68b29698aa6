use calendar::Date;
use operation::{Area, Call, Confirm, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Id, Tx};

use super::{Meal, meal};
use crate::{
    days::{DayTarget, DayTotals},
    saying,
};

/// Deletes a logged meal. For a smaller portion use `update_meal`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteMeal {
    /// Id of the meal.
    pub meal_id: Id<Meal>,
    /// True, after the person said yes.
    pub confirm: Confirm,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedMeal {
    pub deleted: bool,
    pub meal_id: Id<Meal>,
    pub summary: String,
    pub user_date: Date,
    pub day_totals: DayTotals,
    pub day_target: Option<DayTarget>,
    /// It was gone before this call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub already_deleted: bool,
    /// The change that took it away, where that was an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_id: Option<i64>,
}

impl Operation for DeleteMeal {
    const NAME: &'static str = "delete_meal";
    const PATH: &'static str = "/meals/{meal_id}";
    const EFFECT: Effect = Effect::Removes;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "meal";
    const ROLE: Role = Role::Delete;
    const EVERYDAY: bool = true;

    type Output = DeletedMeal;

    fn example() -> Value {
        json!({"meal_id": 1, "confirm": true})
    }
}

impl Local for DeleteMeal {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<DeletedMeal, Failure> {
        let owner = call.owner()?;
        let (change_id, meal) = match meal::get(tx, owner, self.meal_id).await? {
            Some(meal) => {
                meal::remove(tx, owner, meal.id).await?;
                (None, meal)
            }
            None => {
                let gone = meal::removed(tx, owner, self.meal_id).await?;
                let (change_id, meal) = gone.ok_or_else(|| Failure::not_found("meal", self.meal_id.raw()))?;
                (Some(change_id), meal)
            }
        };
        let sum = meal::day_sum(tx, owner, meal.user_date).await?;
        let summary = format!(
            "Deleted meal of {}: {} kcal, {}; day total: {}",
            saying::date(meal.user_date, call.today()),
            meal.nutrients.kcal,
            meal.nutrients.macros(),
            sum.against_target(),
        );
        Ok(DeletedMeal {
            deleted: true,
            meal_id: meal.id,
            summary,
            user_date: meal.user_date,
            day_totals: sum.totals(),
            day_target: None,
            already_deleted: change_id.is_some(),
            change_id,
        })
    }
}
