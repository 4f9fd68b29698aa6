//! The worked example of the trend, and what must hold for every row of readings.

#![allow(clippy::unwrap_used)]

use calendar::Date;
use proptest::prelude::*;
use trend::{Confidence, Reading, daily_trend, slope, trend_at_readings, weight_change};

fn day(number: i64) -> Date {
    Date::new(2026, 1, 1).unwrap().plus_days(number)
}

fn readings(days_and_grams: &[(i64, i64)]) -> Vec<Reading> {
    days_and_grams.iter().map(|&(number, weight_g)| Reading { date: day(number), weight_g }).collect()
}

fn thousandths(kg: f64) -> i64 {
    (kg * 1000.0).round() as i64
}

fn example() -> Vec<Reading> {
    readings(&[(0, 80_000), (1, 80_600), (2, 79_800), (3, 79_900), (10, 79_000), (11, 79_200)])
}

#[test]
fn the_trend_follows_the_worked_example() {
    let trend: Vec<i64> = trend_at_readings(&example()).into_iter().map(thousandths).collect();
    assert_eq!(trend, [80_000, 80_040, 80_024, 80_016, 79_625, 79_597]);
}

#[test]
fn days_without_a_reading_carry_the_trend() {
    let line = daily_trend(&example(), day(2), day(12));
    assert_eq!(line.len(), 11);
    let trend: Vec<i64> = line.iter().map(|point| thousandths(point.trend_kg.unwrap())).collect();
    assert_eq!(trend[..2], [80_024, 80_016]);
    assert!(trend[2..8].iter().all(|&kg| kg == 80_016));
    assert_eq!(trend[8..], [79_625, 79_597, 79_597]);
    assert_eq!(line[0].reading.unwrap().weight_g, 79_800);
    assert_eq!(line[3].reading, None);
}

#[test]
fn a_gap_of_more_than_fourteen_days_is_empty_and_the_trend_goes_on_after_it() {
    let bridged = daily_trend(&readings(&[(0, 80_000), (14, 79_000)]), day(0), day(14));
    assert!(bridged.iter().all(|point| point.trend_kg.is_some()));

    let gap = daily_trend(&readings(&[(0, 80_000), (15, 79_000)]), day(0), day(15));
    assert!(gap[1..15].iter().all(|point| point.trend_kg.is_none()));
    assert_eq!(thousandths(gap[0].trend_kg.unwrap()), 80_000);
    // 1 − 0.5^1.5 = 0.6464 of the way.
    assert_eq!(thousandths(gap[15].trend_kg.unwrap()), 79_354);
}

#[test]
fn a_long_time_after_the_last_reading_there_is_no_trend() {
    let one = readings(&[(0, 80_000)]);
    assert!(daily_trend(&one, day(0), day(14))[14].trend_kg.is_some());
    assert!(daily_trend(&one, day(0), day(15))[15].trend_kg.is_none());
    assert!(daily_trend(&one, day(100), day(101)).iter().all(|point| point.trend_kg.is_none()));
}

#[test]
fn before_the_first_reading_and_without_any_there_is_no_trend() {
    let line = daily_trend(&readings(&[(2, 80_000)]), day(0), day(2));
    assert_eq!(line.iter().filter(|point| point.trend_kg.is_some()).count(), 1);
    assert!(daily_trend(&[], day(0), day(3)).iter().all(|point| point.trend_kg.is_none()));
    assert!(daily_trend(&example(), day(3), day(2)).is_empty());
}

#[test]
fn the_change_is_taken_over_the_last_thirty_days() {
    let change = weight_change(&readings(&[(0, 90_000), (9, 82_000), (39, 80_500)])).unwrap();
    assert_eq!(thousandths(change.value_kg), -1_500);
    assert_eq!(change.over_days, 30);
    assert_eq!(change.confidence, Confidence::Established);

    let early = weight_change(&example()).unwrap();
    assert_eq!(thousandths(early.value_kg), -800);
    assert_eq!((early.over_days, early.confidence), (11, Confidence::Early));
}

#[test]
fn one_reading_in_a_month_is_no_change() {
    assert_eq!(weight_change(&[]), None);
    assert_eq!(weight_change(&readings(&[(0, 80_000)])), None);
    assert_eq!(weight_change(&readings(&[(0, 80_000), (31, 79_000)])), None);
}

#[test]
fn the_slope_of_a_straight_line_is_exact_and_certain() {
    let line: Vec<(i64, i64)> = (0..28).map(|number| (number, 90_000 - number * 100)).collect();
    let slope = slope(&readings(&line), day(27)).unwrap();
    assert!((slope.kg_per_week + 0.7).abs() < 1e-9);
    assert!(slope.standard_error < 1e-9);
}

#[test]
fn the_slope_has_the_standard_error_of_the_textbook() {
    // x 0 4 8 12, y 80 81 80 81: b = 0.05, residual sum 0.8, Sxx 80 ⇒ SE = √(0.4/80) = 0.070711 per day.
    let four = readings(&[(0, 80_000), (4, 81_000), (8, 80_000), (12, 81_000)]);
    let slope = slope(&four, day(12)).unwrap();
    assert!((slope.kg_per_week - 0.35).abs() < 1e-9);
    assert!((slope.standard_error - 7.0 * 0.005_f64.sqrt()).abs() < 1e-9);
    let (low, high) = slope.interval();
    assert!((low + 0.620_151).abs() < 1e-6 && (high - 1.320_151).abs() < 1e-6);
}

#[test]
fn too_few_readings_have_no_slope() {
    assert_eq!(slope(&readings(&[(0, 1), (5, 2), (12, 3)]), day(12)), None);
    assert_eq!(slope(&readings(&[(0, 1), (3, 2), (6, 3), (9, 4)]), day(9)), None);
    assert!(slope(&readings(&[(0, 1), (3, 2), (6, 3), (10, 4)]), day(10)).is_some());
    // The first of the four lies 28 days back, outside the 28 dates.
    assert_eq!(slope(&readings(&[(0, 1), (12, 2), (20, 3), (28, 4)]), day(28)), None);
    assert_eq!(slope(&[], day(0)), None);
}

fn any_readings() -> impl Strategy<Value = Vec<Reading>> {
    prop::collection::btree_map(0_i64..400, 20_000_i64..400_000, 1..60)
        .prop_map(|rows| readings(&rows.into_iter().collect::<Vec<_>>()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_trend_lies_between_the_smallest_and_the_largest_reading(readings in any_readings()) {
        let low = readings.iter().map(|r| r.kg()).fold(f64::MAX, f64::min);
        let high = readings.iter().map(|r| r.kg()).fold(f64::MIN, f64::max);
        for kg in trend_at_readings(&readings) {
            prop_assert!(kg >= low - 1e-9 && kg <= high + 1e-9);
        }
    }

    #[test]
    fn the_line_agrees_with_the_readings_wherever_it_begins(readings in any_readings(), from in 0_i64..400) {
        let trend = trend_at_readings(&readings);
        let line = daily_trend(&readings, day(from), day(400));
        for (reading, kg) in readings.iter().zip(trend).filter(|(reading, _)| reading.date >= day(from)) {
            let point = line[day(from).days_until(reading.date) as usize];
            prop_assert_eq!(point.reading, Some(*reading));
            prop_assert_eq!(point.trend_kg, Some(kg));
        }
    }

    #[test]
    fn what_lies_a_year_back_does_not_show(
        old in 20_000_i64..400_000,
        readings in any_readings(),
    ) {
        let shown = |first: i64| {
            let mut all = vec![Reading { date: day(-1), weight_g: first }];
            all.extend(readings.iter().copied());
            all.push(Reading { date: day(400), weight_g: 80_000 });
            trend_at_readings(&all).pop().unwrap()
        };
        prop_assert!((shown(old) - shown(80_000)).abs() < 0.005);
    }
}
