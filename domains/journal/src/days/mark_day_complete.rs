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

/// Marks a day as completely logged, also one without a meal (a fast). Use it when the person says that was all; a
/// finished day with enough logged counts as complete by itself.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkDayComplete {
    /// The user-day; default today.
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
