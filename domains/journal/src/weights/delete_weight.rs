use calendar::Date;
use operation::{Area, Call, Confirm, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Id, Tx};

use super::{BodyWeight, body_weight};
use crate::saying;

/// Deletes a weigh-in. To correct one use `update_weight`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteWeight {
    /// Id of the weigh-in.
    pub weight_id: Id<BodyWeight>,
    /// True, after a yes.
    pub confirm: Confirm,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedWeight {
    pub deleted: bool,
    pub weight_id: Id<BodyWeight>,
    pub date: Date,
    pub summary: String,
    /// It was gone before this call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub already_deleted: bool,
    /// The change that took it away, where that was an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_id: Option<i64>,
}

impl Operation for DeleteWeight {
    const NAME: &'static str = "delete_weight";
    const PATH: &'static str = "/body-weights/{weight_id}";
    const EFFECT: Effect = Effect::Removes;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "body_weight";
    const ROLE: Role = Role::Delete;

    type Output = DeletedWeight;

    fn example() -> Value {
        json!({"weight_id": 1, "confirm": true})
    }
}

impl Local for DeleteWeight {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<DeletedWeight, Failure> {
        let owner = call.owner()?;
        let (change_id, weight) = match body_weight::get(tx, owner, self.weight_id).await? {
            Some(weight) => {
                body_weight::remove(tx, owner, weight.id).await?;
                (None, weight)
            }
            None => {
                let gone = body_weight::removed(tx, owner, self.weight_id).await?;
                let missing = || Failure::not_found("body_weight", self.weight_id.raw());
                let (change_id, weight) = gone.ok_or_else(missing)?;
                (Some(change_id), weight)
            }
        };
        let date = saying::date(weight.measured_on, call.today());
        Ok(DeletedWeight {
            deleted: true,
            weight_id: weight.id,
            date: weight.measured_on,
            summary: format!("Deleted weight of {date}: {}", weight.display(call)?),
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

    storage::on_both_engines! { a_deleted_weigh_in_is_named_and_its_date_is_free_again }

    async fn a_deleted_weigh_in_is_named_and_its_date_is_free_again(engine: TestEngine) {
        let story = Story::new(engine).await;
        story.call("log_weight", json!({"weight": 80.4, "measured_on": "2026-05-24"})).await;
        let answer = story.call("delete_weight", json!({"weight_id": 1, "confirm": true})).await;
        assert_eq!(answer["summary"], "Deleted weight of 2026-05-24 (Sun, yesterday): 80.4 kg");
        let again = story.call("delete_weight", json!({"weight_id": 1, "confirm": true})).await;
        assert_eq!((&again["already_deleted"], &again["summary"]), (&json!(true), &answer["summary"]));
        let new = story.call("log_weight", json!({"weight": 80.4, "measured_on": "2026-05-24"})).await;
        assert_eq!(new["id"], 2, "an id is never given twice");
        assert_eq!(
            story.refused("delete_weight", json!({"weight_id": 9, "confirm": true})).await["error"],
            "not_found"
        );
    }
}
