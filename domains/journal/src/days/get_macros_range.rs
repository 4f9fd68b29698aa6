use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, PageEnds, Role};
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

/// Totals per day, or sums per week or month, and the average of complete days. For one day use `get_macros_for_date`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMacrosRange {
    /// First date.
    pub from_date: Date,
    /// Last; 400 days at most.
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
    /// There are more rows than shown.
    pub truncated: bool,
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

    fn page(_: &MacrosRange) -> Option<PageEnds> {
        Some(PageEnds::without_cursor("rows", 0))
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
            truncated: false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { each_day_has_a_row_and_the_average_its_denominators, weeks_and_months_hold_sums, diary_range_and_today_agree, a_range_runs_forward_and_not_too_long, the_longest_range_by_day_keeps_to_the_size_of_an_answer }

    /// 2,000 kcal on each of ten days up to yesterday but one, 500 yesterday, 300 today.
    async fn fortnight(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        for (date, kcal) in (14..24).map(|day| (day, 2000)).chain([(24, 500), (25, 300)]) {
            let time = format!("2026-05-{date}T12:00");
            let meal = json!({"eaten_at": time, "kcal": kcal, "protein_g": 10, "carb_g": 20, "fat_g": 30});
            story.call("log_meal", meal).await;
        }
        story
    }

    async fn each_day_has_a_row_and_the_average_its_denominators(engine: TestEngine) {
        let story = fortnight(engine).await;
        let answer = story.call("get_macros_range", json!({"from_date": "2026-05-13", "to_date": "2026-05-31"})).await;
        let rows = answer["rows"].as_array().unwrap();
        assert_eq!((rows.len(), &answer["bucket"]), (13, &json!("day")), "nothing after today");
        let words: Vec<&str> = rows.iter().map(|row| row["completeness"].as_str().unwrap()).collect();
        assert_eq!(words[0], "empty");
        assert!(words[1..11].iter().all(|word| *word == "complete"));
        assert_eq!(words[11..], ["partial", "open"]);
        assert_eq!(answer["average"], json!({"value": 2000, "window_days": 13, "days_with_data": 10}));
        assert_eq!(rows[12]["day_totals"]["kcal"], 300);
    }

    async fn weeks_and_months_hold_sums(engine: TestEngine) {
        let story = fortnight(engine).await;
        let range = |bucket: &str| json!({"from_date": "2026-05-14", "to_date": "2026-05-25", "bucket": bucket});
        let answer = story.call("get_macros_range", range("week")).await;
        let rows = answer["rows"].as_array().unwrap();
        let dates: Vec<_> = rows.iter().map(|row| (&row["date"], &row["to_date"])).collect();
        assert_eq!(dates[0], (&json!("2026-05-14"), &json!("2026-05-17")));
        assert_eq!(dates[1], (&json!("2026-05-18"), &json!("2026-05-24")));
        assert_eq!(rows[1]["day_totals"]["kcal"], 12_500);
        assert_eq!(rows[1]["average"], json!({"value": 2000, "window_days": 7, "days_with_data": 6}));
        assert_eq!((&rows[1]["completeness"], &rows[2]["completeness"]), (&json!("partial"), &json!("open")));
        let months = story.call("get_macros_range", range("month")).await;
        assert_eq!(months["rows"][0]["day_totals"]["kcal"], 20_800);
    }

    async fn diary_range_and_today_agree(engine: TestEngine) {
        let story = fortnight(engine).await;
        let range = story.call("get_macros_range", json!({"from_date": "2026-05-25", "to_date": "2026-05-25"})).await;
        let today = story.call("get_macros_today", json!({})).await;
        let date = story.call("get_macros_for_date", json!({"date": "2026-05-25"})).await;
        assert_eq!(range["rows"][0]["day_totals"], date["day_totals"]);
        assert_eq!(date["day_totals"]["kcal"], today["kcal_in"]);
    }

    async fn a_range_runs_forward_and_not_too_long(engine: TestEngine) {
        let story = Story::new(engine).await;
        let refused = |from: &str, to: &str| {
            let input = json!({"from_date": from, "to_date": to});
            async { story.refused("get_macros_range", input).await["fields"][0].clone() }
        };
        assert_eq!(refused("2026-05-25", "2026-05-24").await["reason"], "is before from_date");
        let reason = "is more than 400 days after from_date";
        assert_eq!(refused("2025-01-01", "2026-02-05").await, json!({"field": "to_date", "reason": reason}));
        let longest = json!({"from_date": "2025-01-01", "to_date": "2026-02-04"});
        assert_eq!(story.call("get_macros_range", longest).await["bucket"], "week");
    }

    async fn the_longest_range_by_day_keeps_to_the_size_of_an_answer(engine: TestEngine) {
        let story = Story::new(engine).await;
        let longest = json!({"from_date": "2025-01-01", "to_date": "2026-02-04", "bucket": "day"});
        let answer = story.call("get_macros_range", longest).await;
        let shown = answer["rows"].as_array().unwrap().len();
        assert!(answer.to_string().len() <= GetMacrosRange::MAX_BYTES);
        let left_out = answer.get("left_out").and_then(Value::as_u64).unwrap_or(0);
        assert_eq!((shown as u64 + left_out, &answer["truncated"]), (400, &json!(left_out > 0)));
        assert_eq!(answer["hint"].as_str().is_some_and(|hint| hint.contains("bucket")), left_out > 0);
    }
}
