use schemars::JsonSchema;
use serde::Serialize;

use super::Mark;

/// Days with meals that a day is compared with.
pub const REFERENCE_DAYS: usize = 28;
/// Fewer of them say nothing.
const FEWEST_REFERENCE_DAYS: usize = 7;

/// How much of a user-day is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Completeness {
    /// Today: more may come.
    Open,
    Complete,
    Partial,
    /// Nothing is logged.
    Empty,
}

impl Completeness {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Empty => "empty",
        }
    }

    /// A mark wins. Else today is open, a day without meals empty, and a day partial when its energy is below half of
    /// the median of the days with meals before it. `kcal` is the day's, `None` without a meal; `earlier` are those of
    /// up to 28 such days. All in tenths.
    pub fn of(mark: Option<Mark>, is_today: bool, kcal: Option<i64>, earlier: &[i64]) -> Self {
        match (mark, kcal) {
            (Some(Mark::Complete), _) => Self::Complete,
            (Some(Mark::Partial), _) => Self::Partial,
            _ if is_today => Self::Open,
            (None, None) => Self::Empty,
            (None, Some(kcal)) if is_far_below(kcal, earlier) => Self::Partial,
            _ => Self::Complete,
        }
    }
}

fn is_far_below(kcal: i64, earlier: &[i64]) -> bool {
    if earlier.len() < FEWEST_REFERENCE_DAYS {
        return false;
    }
    let mut sorted = earlier.to_vec();
    sorted.sort_unstable();
    // Twice the median, so that nothing is rounded.
    let twice_median = sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2];
    4 * kcal < twice_median
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEEK: [i64; 7] = [20_000; 7];

    #[test]
    fn a_day_below_half_of_the_median_is_partial() {
        assert_eq!(Completeness::of(None, false, Some(9_999), &WEEK), Completeness::Partial);
        assert_eq!(Completeness::of(None, false, Some(10_000), &WEEK), Completeness::Complete);
        let uneven = [10_000, 10_000, 10_000, 10_000, 30_000, 30_000, 30_000, 30_000];
        assert_eq!(Completeness::of(None, false, Some(9_999), &uneven), Completeness::Partial);
    }

    #[test]
    fn with_fewer_than_seven_days_any_meal_makes_a_day_complete() {
        assert_eq!(Completeness::of(None, false, Some(1), &WEEK[..6]), Completeness::Complete);
        assert_eq!(Completeness::of(None, false, None, &WEEK), Completeness::Empty);
    }

    #[test]
    fn a_mark_wins_and_today_is_open() {
        assert_eq!(Completeness::of(Some(Mark::Complete), true, None, &WEEK), Completeness::Complete);
        assert_eq!(Completeness::of(Some(Mark::Complete), false, Some(1), &WEEK), Completeness::Complete);
        assert_eq!(Completeness::of(Some(Mark::Partial), false, Some(90_000), &WEEK), Completeness::Partial);
        assert_eq!(Completeness::of(None, true, Some(1), &WEEK), Completeness::Open);
        assert_eq!(Completeness::of(None, true, None, &[]), Completeness::Open);
    }
}
