use calendar::Date;

use crate::Reading;

/// How far before the first date shown the readings must begin: what lies earlier weighs 1e−11.
pub const SEED_DAYS: i64 = 365;

const HALF_LIFE_DAYS: f64 = 10.0;

/// A gap longer than this is not bridged.
const LONGEST_BRIDGED_GAP_DAYS: i64 = 14;

/// One date of the drawn line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrendPoint {
    pub date: Date,
    /// The reading of that date, if there is one.
    pub reading: Option<Reading>,
    /// The trend, carried over days without a reading; `None` before the first reading and within a gap of more than 14
    /// days between two readings or after the last one.
    pub trend_kg: Option<f64>,
}

/// The trend on the date of each reading, in kg: exponentially weighted with a half-life of 10 days, begun at the first
/// reading. After a gap of Δ days the new reading weighs 1 − 0.5^(Δ/10).
pub fn trend_at_readings(readings: &[Reading]) -> Vec<f64> {
    let mut trend = Vec::with_capacity(readings.len());
    let mut previous: Option<(Date, f64)> = None;
    for reading in readings {
        let kg = match previous {
            None => reading.kg(),
            Some((date, kg)) => kg + weight_after(date.days_until(reading.date)) * (reading.kg() - kg),
        };
        previous = Some((reading.date, kg));
        trend.push(kg);
    }
    trend
}

/// Share of a reading that comes `days` after the one before.
fn weight_after(days: i64) -> f64 {
    1.0 - 0.5_f64.powf(days as f64 / HALF_LIFE_DAYS)
}

/// The line from `from` to `to`, a point for every date. `readings` begin up to [`SEED_DAYS`] before `from`; those after
/// `to` count only for the length of the gap in which `to` lies.
pub fn daily_trend(readings: &[Reading], from: Date, to: Date) -> Vec<TrendPoint> {
    let trend = trend_at_readings(readings);
    let mut next = readings.partition_point(|reading| reading.date < from);
    let dates = (0..=from.days_until(to)).map(|days| from.plus_days(days));
    dates
        .map(|date| {
            let reading = readings.get(next).copied().filter(|reading| reading.date == date);
            if reading.is_some() {
                next += 1;
            }
            let gap_end = readings.get(next).map_or(to, |following| following.date);
            let last = next.checked_sub(1);
            let trend_kg = last.filter(|&last| {
                reading.is_some() || readings[last].date.days_until(gap_end) <= LONGEST_BRIDGED_GAP_DAYS
            });
            TrendPoint { date, reading, trend_kg: trend_kg.map(|last| trend[last]) }
        })
        .collect()
}
