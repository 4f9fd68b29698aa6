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

/// Marks a day as not completely logged, so that averages leave it out. Use it when the person says something is
/// missing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkDayPartial {
    /// Default today.
    #[serde(default)]
    pub date: Option<Date>,
}

impl Operation for MarkDayPartial {
    const NAME: &'static str = "mark_day_partial";
    const PATH: &'static str = "/days/{date}/partial";
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

impl Local for MarkDayPartial {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<MarkedDay, Failure> {
        mark_day(tx, call, self.date, Mark::Partial).await
    }
}
