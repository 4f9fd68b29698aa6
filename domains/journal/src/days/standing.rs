//! Days as they stand: what is logged on each, and how complete that is.

use calendar::Date;
use operation::Failure;
use storage::Tx;

use super::{Completeness, DaySum, Mark, completeness::REFERENCE_DAYS, day_mark};
use crate::meals::meal;

/// A user-day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    pub sum: DaySum,
    pub completeness: Completeness,
}

/// Every day of a range up to today, oldest first, also those without a row.
pub async fn between(tx: &mut Tx, owner: i64, from: Date, to: Date, today: Date) -> Result<Vec<Standing>, Failure> {
    let to = to.min(today);
    let sums = meal::day_sums(tx, owner, from, to).await?;
    let mut earlier = meal::kcal_before(tx, owner, from, REFERENCE_DAYS as i64).await?;
    earlier.reverse();
    let marks: Vec<(Date, Mark)> =
        day_mark::list_between(tx, owner, from, to).await?.into_iter().map(|row| (row.date, row.mark)).collect();
    Ok(days(from, to, today, &sums, &marks, earlier))
}

/// How one day stands.
pub async fn of_day(tx: &mut Tx, owner: i64, date: Date, today: Date) -> Result<Standing, Failure> {
    let mut days = between(tx, owner, date, date, today).await?;
    days.pop().ok_or_else(|| Failure::internal("a day after today has no standing"))
}

/// `earlier`: energy of the days with meals before `from`, oldest first; it grows by each day that has meals.
fn days(
    from: Date,
    to: Date,
    today: Date,
    sums: &[DaySum],
    marks: &[(Date, Mark)],
    mut earlier: Vec<i64>,
) -> Vec<Standing> {
    let mut sums = sums.iter().peekable();
    let mut marks = marks.iter().peekable();
    let dates = (0..=from.days_until(to)).map(|days| from.plus_days(days));
    dates
        .map(|date| {
            let sum = sums.next_if(|sum| sum.date == date);
            let mark = marks.next_if(|(marked, _)| *marked == date).map(|(_, mark)| *mark);
            let kcal = sum.map(|sum| sum.kcal.0);
            let reference = &earlier[earlier.len().saturating_sub(REFERENCE_DAYS)..];
            let completeness = Completeness::of(mark, date == today, kcal, reference);
            earlier.extend(kcal);
            Standing { sum: sum.copied().unwrap_or_else(|| DaySum::nothing(date)), completeness }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Tenths;

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    fn eaten(text: &str, kcal: i64) -> DaySum {
        DaySum { meals: 1, kcal: Tenths(kcal), ..DaySum::nothing(day(text)) }
    }

    #[test]
    fn every_day_of_the_range_stands_there_once() {
        let sums = [eaten("2026-05-02", 20_000), eaten("2026-05-04", 9_000)];
        let marks = [(day("2026-05-01"), Mark::Complete)];
        let days = days(day("2026-05-01"), day("2026-05-05"), day("2026-05-05"), &sums, &marks, vec![20_000; 28]);
        let words: Vec<&str> = days.iter().map(|day| day.completeness.as_str()).collect();
        assert_eq!(words, ["complete", "complete", "empty", "partial", "open"]);
        assert_eq!(days.iter().map(|day| day.sum.kcal.0).sum::<i64>(), 29_000);
    }

    #[test]
    fn a_day_is_compared_with_the_28_days_with_meals_before_it() {
        let mut sums: Vec<DaySum> = Vec::new();
        for number in 0..28 {
            sums.push(eaten(&day("2026-05-01").plus_days(number).to_string(), 4_000));
        }
        let last = sums[27].date;
        let days = days(day("2026-05-01"), last, day("2026-07-01"), &sums, &[], vec![20_000; 28]);
        // At first 400 kcal are little; once most of the 28 days before are like that, they are usual.
        assert_eq!(days[0].completeness, Completeness::Partial);
        assert_eq!(days[13].completeness, Completeness::Partial);
        assert_eq!(days[27].completeness, Completeness::Complete);
    }
}
