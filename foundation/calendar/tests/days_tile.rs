//! Days cover the time line without holes and without overlaps, whatever a zone does with its clocks.
#![allow(clippy::unwrap_used)]

use calendar::{Date, DayClock, EventTime, Instant, TimeNote, Zone};
use proptest::prelude::*;

/// A zone and the year to walk through: odd offsets, half-hour and double changes, changes at midnight, a month without
/// summer time, a skipped date.
const YEARS: [(&str, i16); 18] = [
    ("America/Toronto", 2026),
    ("Europe/Berlin", 2026),
    ("Pacific/Auckland", 2026),
    ("Asia/Beirut", 2026),
    ("Asia/Kathmandu", 2026),
    ("Australia/Lord_Howe", 2026),
    ("Pacific/Apia", 2011),
    ("Antarctica/Troll", 2026),
    ("Africa/Casablanca", 2026),
    ("Pacific/Chatham", 2026),
    ("America/St_Johns", 2006),
    ("Asia/Gaza", 2026),
    ("America/Havana", 2026),
    ("America/Sao_Paulo", 2018),
    ("Asia/Tehran", 2021),
    ("Pacific/Kiritimati", 1994),
    ("Pacific/Kwajalein", 1993),
    ("Atlantic/Azores", 2026),
];

const QUARTER_S: i64 = 15 * 60;

fn clock(zone: &str, day_start_hour: u8) -> DayClock {
    DayClock { zone: Zone::parse(zone).unwrap(), day_start_hour }
}

fn date(year: i16, month: u8, day: u8) -> Date {
    Date::new(year, month, day).unwrap()
}

#[test]
fn every_quarter_hour_of_a_year_lies_in_its_own_day() {
    std::thread::scope(|scope| {
        for (zone, year) in YEARS {
            scope.spawn(move || (0..=6).for_each(|hour| walk(&clock(zone, hour), year)));
        }
    });
}

/// Walks a year in quarter hours. Each step compares `user_date` with the window of the day that the walk is in, which
/// moves on only when its end is reached.
fn walk(clock: &DayClock, year: i16) {
    let mut at = clock.start(date(year, 1, 1));
    let end = clock.start(date(year + 1, 1, 1));
    let mut day = date(year, 1, 1);
    let mut window = clock.window(day);
    while at < end {
        while at >= window.1 {
            day = day.plus_days(1);
            let next = clock.window(day);
            assert_eq!(window.1, next.0, "{clock:?}: {day} does not follow");
            window = next;
        }
        assert!(window.0 <= at, "{clock:?}: {day} begins after {}", at.utc());
        assert_eq!(clock.user_date(at), day, "{clock:?} at {}", at.utc());
        at = at.plus_seconds(QUARTER_S);
    }
}

#[test]
fn around_every_change_of_every_zone_an_instant_lies_in_its_own_day() {
    let names: Vec<String> =
        jiff::tz::db().available().map(|n| n.to_string()).filter(|name| Zone::parse(name).is_ok()).collect();
    assert!(names.len() > 400, "the bundled data names {} zones", names.len());
    for name in names {
        let zone = jiff::tz::TimeZone::get(&name).unwrap();
        let from = "1970-01-01T00:00:00Z".parse().unwrap();
        for change in zone.following(from).take(40) {
            let change = Instant::from(change.timestamp());
            for hour in [0, 4] {
                let clock = clock(&name, hour);
                for seconds in [-90_000, -1, 0, 3_600, 90_000] {
                    assert_in_own_day(&clock, change.plus_seconds(seconds));
                }
            }
        }
    }
}

fn assert_in_own_day(clock: &DayClock, at: Instant) {
    let day = clock.user_date(at);
    let (start, end) = clock.window(day);
    assert!(start <= at && at < end, "{clock:?}: {} in {day}", at.utc());
}

fn any_clock() -> impl Strategy<Value = DayClock> {
    let zones: Vec<&str> = YEARS.iter().map(|(zone, _)| *zone).collect();
    (prop::sample::select(zones), 0_u8..=6).prop_map(|(zone, hour)| clock(zone, hour))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_instant_lies_in_its_own_day(clock in any_clock(), seconds in -2_000_000_000_i64..4_000_000_000) {
        assert_in_own_day(&clock, Instant::from_micros(seconds * 1_000_000 + 999_999));
    }

    #[test]
    fn the_wall_clock_shows_a_resolved_local_time_unless_it_was_skipped(
        clock in any_clock(),
        days in 0_i64..25_000,
        minute in 0_i64..1_440,
    ) {
        let day = date(1970, 1, 1).plus_days(days);
        let text = format!("{day}T{:02}:{:02}", minute / 60, minute % 60);
        let time = EventTime::parse(&text).unwrap();
        let moment = clock.resolve(Some(&time), Instant::MAX).unwrap();
        prop_assert_eq!(moment.user_date, clock.user_date(moment.at));
        let shown = &moment.at.in_zone(&clock.zone)[..16];
        match moment.note {
            Some(TimeNote::InGap) => prop_assert!(shown > text.as_str()),
            Some(TimeNote::Ambiguous { other }) => {
                prop_assert!(other > moment.at);
                prop_assert_eq!(&other.in_zone(&clock.zone)[..16], text.as_str());
                prop_assert_eq!(shown, text.as_str());
            }
            _ => prop_assert_eq!(shown, text.as_str()),
        }
    }

    #[test]
    fn a_date_alone_pins_exactly_that_date(clock in any_clock(), days in 0_i64..25_000) {
        let day = date(1970, 1, 1).plus_days(days);
        let moment = clock.resolve(Some(&EventTime::Day(day)), Instant::MAX).unwrap();
        prop_assert_eq!(moment.user_date, day);
    }
}
