use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Id, Tx};
use trend::{SEED_DAYS, TrendPoint};
use units::{WeightUnit, kilograms, shown_weight};

use super::{BodyWeight, body_weight};
use crate::{number::Number, period::date_order};

const DEFAULT_DAYS: i64 = 30;
const MOST_DAYS: i64 = 400;
/// A weigh-in this long after the range still tells how long the gap is in which the range ends.
const GAP_DAYS: i64 = 15;

/// Weigh-ins with the trend beneath their noise, the current trend weight, its change over up to 30 days and slope.
/// Judge progress by the trend, never by two weigh-ins.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetWeightTrend {
    /// First date.
    #[serde(default)]
    pub from_date: Option<Date>,
    /// Last date; default today.
    #[serde(default)]
    pub to_date: Option<Date>,
    /// Last n days; default 30.
    #[serde(default)]
    #[schemars(range(min = 1, max = 400), extend("x-quiet" = true))]
    pub from_days_ago: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WeightTrend {
    /// One for each date, oldest first. A gap of more than 14 days has no trend.
    pub points: Vec<Point>,
    /// The trend on the date of the last weigh-in.
    pub current_kg: Option<Number>,
    /// The same in the person's own units.
    pub current_display: Option<String>,
    /// Date of the last weigh-in up to the end of the range.
    pub as_of: Option<Date>,
    pub weight_change: Option<Change>,
    pub slope: Option<ShownSlope>,
    pub weigh_ins: usize,
}

#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Point {
    pub date: Date,
    pub id: Option<Id<BodyWeight>>,
    pub raw_kg: Option<Number>,
    pub trend_kg: Option<Number>,
}

/// Last weigh-in minus the first one of the 30 days before it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    pub value_kg: Number,
    pub over_days: i64,
    /// `established` once 30 days lie between the two.
    pub confidence: &'static str,
}

/// Least squares over 28 days, with half the width of its 95 % interval.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShownSlope {
    pub kg_per_week: Number,
    pub plus_minus: Number,
}

impl Operation for GetWeightTrend {
    const NAME: &'static str = "get_weight_trend";
    const PATH: &'static str = "/signals/trend-weight";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Journal);
    const ENTITY: &'static str = "body_weight";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;
    /// 400 dates.
    const MAX_BYTES: usize = 64_000;
    const NARROW_BY: &'static str = "from_days_ago";

    type Output = WeightTrend;

    fn example() -> Value {
        json!({"from_days_ago": 7})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let dates = self.from_date.is_some() || self.to_date.is_some();
        if dates && self.from_days_ago.is_some() {
            return vec![FieldFault::new("from_date", "give exactly one of from_date, from_days_ago")];
        }
        let (from, to) = self.range(call);
        let long = from.days_until(to) >= MOST_DAYS;
        let long = long.then(|| FieldFault::new("from_date", format!("is more than {MOST_DAYS} days before to_date")));
        date_order(self.from_date, self.to_date).into_iter().chain(long).collect()
    }
}

impl Local for GetWeightTrend {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<WeightTrend, Failure> {
        let (from, to) = self.range(call);
        let (first, last) = (from.plus_days(-SEED_DAYS), to.plus_days(GAP_DAYS));
        let mut weights = body_weight::list_between(tx, call.owner()?, first, last).await?;
        let readings: Vec<_> = weights.iter().map(BodyWeight::reading).collect();
        let points: Vec<Point> =
            trend::daily_trend(&readings, from, to).into_iter().map(|point| point_of(point, &weights)).collect();

        weights.retain(|weight| weight.measured_on <= to);
        let readings = &readings[..weights.len()];
        let trend_kg = trend::trend_at_readings(readings).last().copied();
        let as_of = readings.last().map(|reading| reading.date);
        Ok(WeightTrend {
            weigh_ins: points.iter().filter(|point| point.id.is_some()).count(),
            points,
            current_kg: trend_kg.map(Number::hundredths),
            current_display: trend_kg.map(|kg| in_own_units(kg, weights.last(), call)).transpose()?,
            as_of,
            weight_change: trend::weight_change(readings).map(Change::of),
            slope: as_of.and_then(|as_of| trend::slope(readings, as_of)).map(ShownSlope::of),
        })
    }
}

impl GetWeightTrend {
    fn range(&self, call: &Call) -> (Date, Date) {
        let latest = call.caller.day.latest_date(call.now);
        let to = self.to_date.map_or(latest, |to| to.min(latest));
        let days = self.from_days_ago.unwrap_or(DEFAULT_DAYS);
        (self.from_date.unwrap_or_else(|| to.plus_days(1 - days)), to)
    }
}

fn point_of(point: TrendPoint, weights: &[BodyWeight]) -> Point {
    let row = weights.binary_search_by_key(&point.date, |weight| weight.measured_on);
    Point {
        date: point.date,
        id: row.ok().map(|row| weights[row].id),
        raw_kg: point.reading.map(|reading| Number(kilograms(reading.weight_g))),
        trend_kg: point.trend_kg.map(Number::hundredths),
    }
}

/// A weight in kg as the person reads weights: in the unit of their last weigh-in when that is an imperial one.
fn in_own_units(kg: f64, last: Option<&BodyWeight>, call: &Call) -> Result<String, Failure> {
    let unit = match (call.person()?.prefers_imperial, last.map(|weight| weight.entered.1)) {
        (false, _) => WeightUnit::Kg,
        (true, Some(WeightUnit::St)) => WeightUnit::St,
        (true, _) => WeightUnit::Lb,
    };
    Ok(shown_weight((kg * 1000.0).round() as i64, None, unit))
}

impl Change {
    fn of(change: trend::WeightChange) -> Self {
        Self {
            value_kg: Number::hundredths(change.value_kg),
            over_days: change.over_days,
            confidence: change.confidence.as_str(),
        }
    }
}

impl ShownSlope {
    fn of(slope: trend::Slope) -> Self {
        let (low, high) = slope.interval();
        Self { kg_per_week: Number::hundredths(slope.kg_per_week), plus_minus: Number::hundredths((high - low) / 2.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { the_trend_follows_the_worked_example, a_trend_does_not_start_anew_with_each_window, imperial_people_read_pounds, without_a_weigh_in_nothing_is_claimed, a_range_is_given_in_one_kind_of_words_and_not_too_long }

    async fn oracle(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        for (day, kg) in [(14, 80.0), (15, 80.6), (16, 79.8), (17, 79.9), (24, 79.0), (25, 79.2)] {
            let weight = json!({"weight": kg, "measured_on": format!("2026-05-{day}")});
            story.call("log_weight", weight).await;
        }
        story
    }

    async fn the_trend_follows_the_worked_example(engine: TestEngine) {
        let story = oracle(engine).await;
        let answer = story.call("get_weight_trend", json!({"from_date": "2026-05-14"})).await;
        let points = answer["points"].as_array().unwrap();
        assert_eq!(points.len(), 12);
        let trend: Vec<&Value> = points.iter().map(|point| &point["trend_kg"]).collect();
        assert_eq!(trend[..5], [&json!(80), &json!(80.04), &json!(80.02), &json!(80.02), &json!(80.02)]);
        assert_eq!(trend[10..], [&json!(79.63), &json!(79.6)]);
        assert_eq!(points[4], json!({"date": "2026-05-18", "id": null, "raw_kg": null, "trend_kg": 80.02}));
        assert_eq!((&answer["current_kg"], &answer["as_of"]), (&json!(79.6), &json!("2026-05-25")));
        let change = json!({"value_kg": -0.8, "over_days": 11, "confidence": "early"});
        assert_eq!((&answer["weight_change"], &answer["weigh_ins"]), (&change, &json!(6)));
        assert!(answer["slope"]["kg_per_week"].as_f64().unwrap() < -0.3);
        assert!(answer["slope"]["plus_minus"].as_f64().unwrap() > 0.0);
    }

    async fn a_trend_does_not_start_anew_with_each_window(engine: TestEngine) {
        let story = oracle(engine).await;
        let whole = story.call("get_weight_trend", json!({"from_days_ago": 30})).await;
        let two = story.call("get_weight_trend", json!({"from_days_ago": 2})).await;
        assert_eq!(two["points"], json!(whole["points"].as_array().unwrap()[28..]));
        assert_eq!(two["current_kg"], whole["current_kg"]);
    }

    async fn imperial_people_read_pounds(engine: TestEngine) {
        let mut story = oracle(engine).await;
        story.imperial().await;
        let answer = story.call("get_weight_trend", json!({})).await;
        assert_eq!(answer["current_display"], "175.5 lb");
    }

    async fn without_a_weigh_in_nothing_is_claimed(engine: TestEngine) {
        let story = Story::new(engine).await;
        let answer = story.call("get_weight_trend", json!({})).await;
        assert_eq!(answer["points"].as_array().unwrap().len(), 30);
        for name in ["current_kg", "as_of", "weight_change", "slope"] {
            assert_eq!(answer[name], Value::Null, "{name}");
        }
    }

    async fn a_range_is_given_in_one_kind_of_words_and_not_too_long(engine: TestEngine) {
        let story = Story::new(engine).await;
        for (input, reason) in [
            (json!({"from_date": "2026-05-01", "from_days_ago": 3}), "give exactly one of from_date, from_days_ago"),
            (json!({"from_date": "2025-01-01"}), "is more than 400 days before to_date"),
        ] {
            let body = story.refused("get_weight_trend", input).await;
            assert_eq!(body["fields"], json!([{"field": "from_date", "reason": reason}]));
        }
    }
}
