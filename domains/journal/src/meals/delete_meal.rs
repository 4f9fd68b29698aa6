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
    /// True, after a yes.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { a_deleted_meal_is_named_with_the_days_new_total, deleting_again_answers_the_same, a_meal_that_never_was_theirs_is_not_found, it_refuses_without_a_yes }

    async fn two_meals(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        for (time, kcal) in [("2026-05-24T19:00", 500), ("2026-05-24T12:00", 700)] {
            let meal = json!({"eaten_at": time, "name": "x", "kcal": kcal, "protein_g": 0, "carb_g": 0, "fat_g": 0});
            story.call("log_meal", meal).await;
        }
        story
    }

    async fn a_deleted_meal_is_named_with_the_days_new_total(engine: TestEngine) {
        let story = two_meals(engine).await;
        let answer = story.call("delete_meal", json!({"meal_id": 1, "confirm": true})).await;
        assert_eq!((&answer["deleted"], &answer["meal_id"]), (&json!(true), &json!(1)));
        assert_eq!(
            answer["summary"],
            "Deleted meal of 2026-05-24 (Sun, yesterday): 500 kcal, 0p / 0c / 0f; day total: 700 kcal (no active phase)"
        );
        assert_eq!((&answer["day_totals"]["kcal"], &answer["user_date"]), (&json!(700), &json!("2026-05-24")));
        assert_eq!(answer.get("already_deleted"), None);
    }

    async fn deleting_again_answers_the_same(engine: TestEngine) {
        let story = two_meals(engine).await;
        let mut first = story.call("delete_meal", json!({"meal_id": 1, "confirm": true})).await;
        let second = story.call("delete_meal", json!({"meal_id": 1, "confirm": true})).await;
        assert_eq!(second["already_deleted"], true);
        first["already_deleted"] = json!(true);
        assert!(first["change_id"].is_i64());
        assert_eq!(first, second, "the change that took it away, too");
    }

    async fn a_meal_that_never_was_theirs_is_not_found(engine: TestEngine) {
        let mut story = two_meals(engine).await;
        let never = story.refused("delete_meal", json!({"meal_id": 99, "confirm": true})).await;
        story.as_sam();
        let foreign = story.refused("delete_meal", json!({"meal_id": 1, "confirm": true})).await;
        assert_eq!((&never["error"], &never["what"]), (&json!("not_found"), &json!("meal")));
        assert_eq!((&foreign["error"], &foreign["message"]), (&never["error"], &never["message"]));
    }

    async fn it_refuses_without_a_yes(engine: TestEngine) {
        let story = two_meals(engine).await;
        for input in [json!({"meal_id": 1}), json!({"meal_id": 1, "confirm": false})] {
            let body = story.refused("delete_meal", input).await;
            let reason = "Invalid literal value, expected true";
            assert_eq!(body["fields"], json!([{"field": "confirm", "reason": reason}]));
        }
        assert_eq!(story.call("get_meals", json!({})).await["total"], 2);
    }
}
