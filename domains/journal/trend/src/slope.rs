use calendar::Date;

use crate::Reading;

/// Dates that the slope is taken over, the last one included.
pub const SLOPE_DAYS: i64 = 28;

const FEWEST_READINGS: usize = 4;
const SHORTEST_SPAN_DAYS: i64 = 10;
const DAYS_PER_WEEK: f64 = 7.0;
/// 95 % of a normal distribution.
const Z_95: f64 = 1.96;

/// How fast the weight moves, by least squares over the readings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    pub kg_per_week: f64,
    /// Standard error of `kg_per_week`.
    pub standard_error: f64,
}

impl Slope {
    /// Lower and upper end of the 95 % interval, in kg per week.
    pub fn interval(self) -> (f64, f64) {
        let half = Z_95 * self.standard_error;
        (self.kg_per_week - half, self.kg_per_week + half)
    }
}

/// The slope over the 28 dates that end with `as_of`; `None` with fewer than four readings or less than ten days between
/// the first and the last of them.
pub fn slope(readings: &[Reading], as_of: Date) -> Option<Slope> {
    let first_date = as_of.plus_days(1 - SLOPE_DAYS);
    let from = readings.partition_point(|reading| reading.date < first_date);
    let to = readings.partition_point(|reading| reading.date <= as_of);
    let window = &readings[from..to];
    let (first, last) = (window.first()?, window.last()?);
    if window.len() < FEWEST_READINGS || first.date.days_until(last.date) < SHORTEST_SPAN_DAYS {
        return None;
    }
    Some(least_squares(window, first.date))
}

/// Slope and its standard error √(s²/Sxx), where s² is the residual variance with n − 2 degrees of freedom.
fn least_squares(window: &[Reading], origin: Date) -> Slope {
    let n = window.len() as f64;
    let points: Vec<(f64, f64)> = window.iter().map(|r| (origin.days_until(r.date) as f64, r.kg())).collect();
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / n;
    let s_xx: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let s_xy: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let per_day = s_xy / s_xx;
    let residuals: f64 = points.iter().map(|(x, y)| (y - mean_y - per_day * (x - mean_x)).powi(2)).sum();
    let standard_error = (residuals / (n - 2.0) / s_xx).sqrt();
    Slope { kg_per_week: per_day * DAYS_PER_WEEK, standard_error: standard_error * DAYS_PER_WEEK }
}
