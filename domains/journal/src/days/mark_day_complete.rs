use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use storage::Tx;

use super::{
    Mark,
    marking::{self, MarkedDay, mark_day},
};

/// Marks a day as completely logged, also one without a meal (a fast), when the person says that was all. A finished
/// day with enough logged is complete by itself.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkDayComplete {
    /// Default today.
    #[serde(default)]
    pub date: Option<Date>,
}

impl Operation for MarkDayComplete {
    const NAME: &'static str = "mark_day_complete";
    const PATH: &'static str = "/days/{date}/complete";
    const EFFECT: Effect = Effect::Changes;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "day";
    const ROLE: Role = Role::Update;
    const IDEMPOTENT: bool = true;

    type Output = MarkedDay;

    fn example() -> Value {
        json!({"date": "2026-05-25"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        marking::fault(self.date, call).into_iter().collect()
    }
}

impl Local for MarkDayComplete {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<MarkedDay, Failure> {
        mark_day(tx, call, self.date, Mark::Complete).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { a_fast_is_a_complete_day_of_0_kcal, the_last_mark_wins_and_the_same_one_twice_is_one, a_day_to_come_cannot_be_marked }

    async fn a_fast_is_a_complete_day_of_0_kcal(engine: TestEngine) {
        let story = Story::new(engine).await;
        let answer = story.call("mark_day_complete", json!({"date": "2026-05-24"})).await;
        assert_eq!((&answer["completeness"], &answer["kcal_in"]), (&json!("complete"), &json!(0)));
        assert_eq!(answer["summary"], "Marked 2026-05-24 (Sun, yesterday) complete: no meals, 0 kcal");
        let range = story.call("get_macros_range", json!({"from_date": "2026-05-23", "to_date": "2026-05-24"})).await;
        assert_eq!(range["average"], json!({"value": 0, "window_days": 2, "days_with_data": 1}));
    }

    async fn the_last_mark_wins_and_the_same_one_twice_is_one(engine: TestEngine) {
        let story = Story::new(engine).await;
        let first = story.call("mark_day_complete", json!({})).await;
        assert_eq!((&first["date"], &first["completeness"]), (&json!("2026-05-25"), &json!("complete")));
        let partial = story.call("mark_day_partial", json!({})).await;
        assert_eq!((&partial["completeness"], &partial["id"]), (&json!("partial"), &first["id"]));
        let again = story.call("mark_day_partial", json!({})).await;
        assert_eq!((&again["summary"], &again["change_id"]), (&partial["summary"], &Value::Null));
        assert_eq!(story.call("mark_day_complete", json!({})).await["completeness"], "complete");
    }

    async fn a_day_to_come_cannot_be_marked(engine: TestEngine) {
        let story = Story::new(engine).await;
        for name in ["mark_day_complete", "mark_day_partial"] {
            let body = story.refused(name, json!({"date": "2026-05-26"})).await;
            assert_eq!(body["fields"], json!([{"field": "date", "reason": "is in the future"}]));
        }
    }
}
