use calendar::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Completeness, DaySum, standing::Standing};

/// How long a row of a range is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Bucket {
    Day,
    Week,
    Month,
}

/// Days to which a range is shown day by day unless asked otherwise.
const DAYS_SHOWN_SINGLY: i64 = 62;

/// Any Monday.
fn a_monday() -> Date {
    Date::MIN
}

impl Bucket {
    pub fn of_range(from: Date, to: Date) -> Self {
        if from.days_until(to) < DAYS_SHOWN_SINGLY { Self::Day } else { Self::Week }
    }

    /// Whether two dates stand in the same row; weeks begin on Monday.
    fn holds_both(self, one: Date, other: Date) -> bool {
        let week = |date: Date| a_monday().days_until(date).div_euclid(7);
        match self {
            Self::Day => one == other,
            Self::Week => week(one) == week(other),
            Self::Month => (one.ymd().0, one.ymd().1) == (other.ymd().0, other.ymd().1),
        }
    }

    /// The days of a range in rows, in order.
    pub fn rows(self, days: &[Standing]) -> impl Iterator<Item = &[Standing]> {
        days.chunk_by(move |one, other| self.holds_both(one.sum.date, other.sum.date))
    }
}

/// The mean energy of the complete days of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Average {
    /// kcal a day; null when no day is complete.
    pub value: Option<i64>,
    pub window_days: usize,
    /// Complete days: what `value` is divided by.
    pub days_with_data: usize,
}

impl Average {
    pub fn of(days: &[Standing]) -> Self {
        let complete: Vec<i64> =
            days.iter().filter(|day| day.completeness == Completeness::Complete).map(|day| day.sum.kcal.0).collect();
        let mean = || complete.iter().sum::<i64>() as f64 / complete.len() as f64 / 10.0;
        Self {
            value: (!complete.is_empty()).then(|| mean().round() as i64),
            window_days: days.len(),
            days_with_data: complete.len(),
        }
    }
}

/// All days of a row together.
pub fn sum(days: &[Standing]) -> Option<DaySum> {
    days.iter().map(|day| day.sum).reduce(DaySum::and)
}

/// `open` while today is in it, `complete` or `empty` when every day is, else `partial`.
pub fn completeness(days: &[Standing]) -> Completeness {
    let all = |word: Completeness| days.iter().all(|day| day.completeness == word);
    if days.iter().any(|day| day.completeness == Completeness::Open) {
        Completeness::Open
    } else if all(Completeness::Complete) {
        Completeness::Complete
    } else if all(Completeness::Empty) {
        Completeness::Empty
    } else {
        Completeness::Partial
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Tenths;

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    fn days(from: &str, kcal: &[(i64, Completeness)]) -> Vec<Standing> {
        let dates = (0..).map(|days| day(from).plus_days(days));
        dates
            .zip(kcal)
            .map(|(date, &(kcal, completeness))| Standing {
                sum: DaySum { kcal: Tenths(kcal), ..DaySum::nothing(date) },
                completeness,
            })
            .collect()
    }

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        assert_eq!(a_monday().weekday(), "Mon");
        let may = days("2026-04-25", &[(10, Completeness::Complete); 20]);
        let firsts = |bucket: Bucket| bucket.rows(&may).map(|row| row[0].sum.date.to_string()).collect::<Vec<_>>();
        assert_eq!(firsts(Bucket::Week), ["2026-04-25", "2026-04-27", "2026-05-04", "2026-05-11"]);
        assert_eq!(firsts(Bucket::Month), ["2026-04-25", "2026-05-01"]);
        assert_eq!(firsts(Bucket::Day).len(), 20);
    }

    #[test]
    fn up_to_62_days_are_shown_singly() {
        assert_eq!(Bucket::of_range(day("2026-01-01"), day("2026-03-03")), Bucket::Day);
        assert_eq!(Bucket::of_range(day("2026-01-01"), day("2026-03-04")), Bucket::Week);
    }

    #[test]
    fn b11_an_average_names_the_days_it_is_taken_over() {
        use Completeness::{Complete, Empty, Open, Partial};
        let week =
            days("2026-05-04", &[(20_000, Complete), (21_005, Complete), (0, Empty), (3_000, Partial), (9_000, Open)]);
        let average = Average::of(&week);
        assert_eq!(average, Average { value: Some(2_050), window_days: 5, days_with_data: 2 });
        assert_eq!(sum(&week).unwrap().kcal, Tenths(53_005));
        assert_eq!(Average::of(&week[2..]).value, None);
    }

    #[test]
    fn a_row_of_several_days_is_as_complete_as_its_days() {
        use Completeness::{Complete, Empty, Open, Partial};
        let of = |words: &[Completeness]| {
            completeness(&days("2026-05-04", &words.iter().map(|word| (0, *word)).collect::<Vec<_>>()))
        };
        assert_eq!(of(&[Complete, Complete]), Complete);
        assert_eq!(of(&[Complete, Empty]), Partial);
        assert_eq!(of(&[Empty, Empty]), Empty);
        assert_eq!(of(&[Partial, Open]), Open);
    }
}
