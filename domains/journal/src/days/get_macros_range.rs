use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

use super::{
    Completeness, DayTarget, DayTotals,
    bucket::{self, Average, Bucket},
    standing::{self, Standing},
};
use crate::period::date_order;

const MOST_DAYS: i64 = 400;

/// Totals per day, or sums per week or month, and the average of the complete days. For one day use
/// `get_macros_for_date`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMacrosRange {
    /// First user-day.
    pub from_date: Date,
    /// Last, included; 400 days at most.
    pub to_date: Date,
    /// Default day up to 62 days, else week.
    #[serde(default)]
    pub bucket: Option<Bucket>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MacrosRange {
    pub bucket: Bucket,
    /// Oldest first; days after today are left out.
    pub rows: Vec<RangeRow>,
    /// Energy in kcal over the complete days of the range.
    pub average: Average,
}

/// One day, or the sum of the days of a week or month.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RangeRow {
    /// First day of the row.
    pub date: Date,
    /// Last day of a week or month row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_date: Option<Date>,
    pub day_totals: DayTotals,
    pub day_target: Option<DayTarget>,
    pub completeness: Completeness,
    pub untracked: bool,
    /// Of the complete days of a week or month row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<Average>,
}

impl Operation for GetMacrosRange {
    const NAME: &'static str = "get_macros_range";
    const PATH: &'static str = "/signals/macros/range";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Journal);
    const ENTITY: &'static str = "day";
    const ROLE: Role = Role::Read;
    /// 400 days one by one.
    const MAX_BYTES: usize = 64_000;
    const NARROW_BY: &'static str = "bucket";

    type Output = MacrosRange;

    fn example() -> Value {
        json!({"from_date": "2026-05-19", "to_date": "2026-05-25"})
    }

    fn check(&self, _: &Call) -> Vec<FieldFault> {
        let backwards = date_order(Some(self.from_date), Some(self.to_date));
        let long = self.from_date.days_until(self.to_date) >= MOST_DAYS;
        let long = long.then(|| FieldFault::new("to_date", format!("is more than {MOST_DAYS} days after from_date")));
        backwards.into_iter().chain(long).collect()
    }
}

impl Local for GetMacrosRange {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<MacrosRange, Failure> {
        let days = standing::between(tx, call.owner()?, self.from_date, self.to_date, call.today()).await?;
        let bucket = self.bucket.unwrap_or_else(|| Bucket::of_range(self.from_date, self.to_date));
        Ok(MacrosRange {
            bucket,
            rows: bucket.rows(&days).filter_map(|days| row(bucket, days)).collect(),
            average: Average::of(&days),
        })
    }
}

fn row(bucket: Bucket, days: &[Standing]) -> Option<RangeRow> {
    let several = bucket != Bucket::Day;
    let sum = bucket::sum(days)?;
    Some(RangeRow {
        date: sum.date,
        to_date: several.then(|| days.last().map(|day| day.sum.date)).flatten(),
        day_totals: sum.totals(),
        day_target: None,
        completeness: bucket::completeness(days),
        untracked: false,
        average: several.then(|| Average::of(days)),
    })
}
