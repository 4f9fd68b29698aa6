//! The worked examples of the journal's rules of time.
#![allow(clippy::unwrap_used)]

use calendar::{CalendarError, Date, DayClock, EventTime, Instant, Moment, TimeNote, TimePrecision, Zone};

fn clock(zone: &str, day_start_hour: u8) -> DayClock {
    DayClock { zone: Zone::parse(zone).unwrap(), day_start_hour }
}

fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

fn instant(text: &str) -> Instant {
    Instant::parse_rfc3339(text).unwrap()
}

/// Long after every example, so that none lies in the future.
fn later() -> Instant {
    instant("2030-01-01T00:00:00Z")
}

fn resolve(clock: &DayClock, text: &str) -> Moment {
    let time = EventTime::parse(text).unwrap();
    clock.resolve(Some(&time), later()).unwrap()
}

fn window(clock: &DayClock, day: &str) -> (String, String, i64) {
    let (start, end) = clock.window(date(day));
    let hours = (end.micros() - start.micros()) / 3_600_000_000;
    (start.utc(), end.utc(), hours)
}

fn span(start: &str, end: &str, hours: i64) -> (String, String, i64) {
    (start.to_owned(), end.to_owned(), hours)
}

#[test]
fn a_day_is_an_hour_shorter_or_longer_when_the_clock_changes() {
    let toronto = clock("America/Toronto", 4);
    assert_eq!(window(&toronto, "2026-03-07"), span("2026-03-07T09:00:00Z", "2026-03-08T08:00:00Z", 23));
    assert_eq!(window(&toronto, "2026-10-31"), span("2026-10-31T08:00:00Z", "2026-11-01T09:00:00Z", 25));
    assert_eq!(
        window(&clock("Pacific/Auckland", 4), "2026-04-04"),
        span("2026-04-03T15:00:00Z", "2026-04-04T16:00:00Z", 25)
    );
}

#[test]
fn a_local_time_on_a_day_of_change_is_not_an_hour_off() {
    let toronto = clock("America/Toronto", 4);
    let spring = resolve(&toronto, "2026-03-08T06:30");
    assert_eq!(spring.at.utc(), "2026-03-08T10:30:00Z");
    assert_eq!(spring.user_date, date("2026-03-08"));
    assert_eq!(spring.note, None);
    let autumn = resolve(&toronto, "2026-11-01T03:30");
    assert_eq!(autumn.at.utc(), "2026-11-01T08:30:00Z");
    assert_eq!(autumn.user_date, date("2026-10-31"));
}

#[test]
fn a_skipped_time_moves_forward_and_a_repeated_one_is_the_earlier() {
    let toronto = clock("America/Toronto", 4);
    let gap = resolve(&toronto, "2026-03-08T02:30");
    assert_eq!(gap.at.utc(), "2026-03-08T07:30:00Z");
    assert_eq!(gap.note, Some(TimeNote::InGap));
    let twice = resolve(&toronto, "2026-11-01T01:30");
    assert_eq!(twice.at.utc(), "2026-11-01T05:30:00Z");
    assert_eq!(twice.note, Some(TimeNote::Ambiguous { other: instant("2026-11-01T06:30:00Z") }));
    assert_eq!(twice.precision, TimePrecision::Minute);
}

#[test]
fn the_day_rolls_over_at_its_start_hour() {
    let toronto = clock("America/Toronto", 4);
    let user_date = |text| toronto.user_date(instant(text));
    assert_eq!(user_date("2026-05-26T07:59:59Z"), date("2026-05-25"));
    assert_eq!(user_date("2026-05-26T07:59:59.999999Z"), date("2026-05-25"));
    assert_eq!(user_date("2026-05-26T08:00:00Z"), date("2026-05-26"));
    assert_eq!(
        window(&clock("America/Toronto", 2), "2026-03-08"),
        span("2026-03-08T07:00:00Z", "2026-03-09T06:00:00Z", 23)
    );
}

#[test]
fn berlin_beirut_and_kathmandu() {
    let berlin = clock("Europe/Berlin", 4);
    assert_eq!(berlin.user_date(instant("2026-03-29T02:00:00Z")), date("2026-03-29"));
    assert_eq!(
        window(&clock("Asia/Beirut", 0), "2026-03-29"),
        span("2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z", 23)
    );
    let lunch = resolve(&clock("Asia/Kathmandu", 4), "2026-05-25T12:30");
    assert_eq!(lunch.at.utc(), "2026-05-25T06:45:00Z");
    assert_eq!(lunch.user_date, date("2026-05-25"));
}

#[test]
fn a_date_that_the_zone_skipped_has_an_empty_window() {
    for start_hour in 0..=6 {
        let apia = clock("Pacific/Apia", start_hour);
        let (start, end) = apia.window(date("2011-12-30"));
        assert_eq!(start, end);
        assert_eq!(apia.user_date(start), date("2011-12-31"));
        assert_eq!(apia.user_date(start.plus_seconds(-1)), date("2011-12-29"), "start hour {start_hour}");
    }
}

#[test]
fn a_clock_set_back_across_midnight_stays_in_the_new_day() {
    // Until 2011 Newfoundland set its clocks back at 00:01, to 23:01 of the day before.
    let st_johns = clock("America/St_Johns", 0);
    let change = instant("2006-10-29T02:31:00Z");
    assert_eq!(st_johns.civil_date(change), date("2006-10-28"));
    assert_eq!(st_johns.user_date(change), date("2006-10-29"));
    assert_eq!(st_johns.latest_date(change), date("2006-10-29"));
}

#[test]
fn an_offset_is_that_instant_and_the_day_still_comes_from_the_zone() {
    let toronto = clock("America/Toronto", 4);
    let tokyo_evening = resolve(&toronto, "2026-05-26T16:30:00+09:00");
    assert_eq!(tokyo_evening.at.utc(), "2026-05-26T07:30:00Z");
    assert_eq!(tokyo_evening.user_date, date("2026-05-25"));
    assert_eq!(tokyo_evening.note, None);
}

#[test]
fn a_date_alone_is_that_day_at_noon() {
    let toronto = clock("America/Toronto", 4);
    let moment = resolve(&toronto, "2026-05-25");
    assert_eq!(moment.at.utc(), "2026-05-25T16:00:00Z");
    assert_eq!(moment.user_date, date("2026-05-25"));
    assert_eq!(moment.precision, TimePrecision::Day);
    assert_eq!(moment.note, Some(TimeNote::Assumed));
}

#[test]
fn a_date_alone_is_checked_as_a_date() {
    let toronto = clock("America/Toronto", 4);
    let today = EventTime::parse("2026-05-25").unwrap();
    let tomorrow = EventTime::parse("2026-05-26").unwrap();
    let before_noon = instant("2026-05-25T10:00:00Z");
    assert!(toronto.resolve(Some(&today), before_noon).is_ok());
    // 01:00 on the civil 26th still belongs to the 25th.
    let after_midnight = instant("2026-05-26T05:00:00Z");
    assert_eq!(toronto.resolve(Some(&tomorrow), after_midnight), Err(CalendarError::InTheFuture));
    assert_eq!(toronto.latest_date(after_midnight), date("2026-05-26"));
    assert_eq!(toronto.today(after_midnight), date("2026-05-25"));
}

#[test]
fn more_than_five_minutes_ahead_is_the_future() {
    let toronto = clock("America/Toronto", 4);
    let now = instant("2026-05-25T16:30:00Z");
    let at = |text: &str| toronto.resolve(Some(&EventTime::parse(text).unwrap()), now);
    assert!(at("2026-05-25T12:35").is_ok());
    assert_eq!(at("2026-05-25T12:35:00.000001"), Err(CalendarError::InTheFuture));
    assert_eq!(at("2026-05-25T16:36:00Z"), Err(CalendarError::InTheFuture));
    assert_eq!(at("9999-12-31T23:59"), Err(CalendarError::InTheFuture));
}

#[test]
fn without_a_time_it_is_now() {
    let toronto = clock("America/Toronto", 4);
    let now = instant("2026-05-25T16:30:00Z");
    let moment = toronto.resolve(None, now).unwrap();
    assert_eq!(moment, Moment { at: now, user_date: date("2026-05-25"), precision: TimePrecision::Minute, note: None });
    assert_eq!(toronto.local_hour_minute(now), (12, 30));
}

#[test]
fn the_ends_of_the_calendar_do_not_panic() {
    for zone in ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"] {
        let clock = clock(zone, 6);
        for day in [Date::MIN, Date::MAX] {
            let (start, end) = clock.window(day);
            assert!(start <= end, "{zone} {day}");
        }
        assert_eq!(clock.user_date(Instant::MIN), Date::MIN);
        assert!(clock.user_date(Instant::MAX) >= date("9999-12-30"));
        assert!(clock.latest_date(Instant::MAX) <= Date::MAX);
    }
}
