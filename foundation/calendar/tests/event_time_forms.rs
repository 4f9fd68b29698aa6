//! Which texts are times, and what is said about those that are not.
#![allow(clippy::unwrap_used)]

use calendar::{CalendarError, Date, EventTime, Instant, Zone};
use proptest::prelude::*;

#[test]
fn every_accepted_form_is_read() {
    let local = EventTime::Local(jiff::civil::datetime(2026, 5, 25, 12, 30, 0, 0));
    for text in [
        "2026-05-25T12:30",
        "2026-05-25T12:30:00",
        "2026-05-25 12:30",
        "2026-05-25 12:30:00",
        "2026-05-25T12:30:00.000",
    ] {
        assert_eq!(EventTime::parse(text), Ok(local), "{text}");
    }
    let exact = EventTime::Exact(Instant::from_micros(1_779_726_600_000_000));
    for text in [
        "2026-05-25T12:30:00-04:00",
        "2026-05-25T12:30-04:00",
        "2026-05-25T16:30:00Z",
        "2026-05-25T16:30Z",
        "2026-05-25 16:30:00Z",
        "2026-05-25T16:30:00.0000009Z",
        "2026-05-25T22:15:00+05:45",
    ] {
        assert_eq!(EventTime::parse(text), Ok(exact), "{text}");
    }
    let day = EventTime::Day(Date::parse("2026-05-25").unwrap());
    assert_eq!(EventTime::parse("2026-05-25"), Ok(day));
}

#[test]
fn anything_else_is_not_a_time() {
    for text in [
        "",
        "now",
        "12:30",
        "yesterday",
        "2026-05-25T",
        "2026-05-25T12",
        "2026-05-25T12:3",
        "2026-05-25T1230",
        "2026-05-25T12:30:",
        "2026-05-25T12:30:00.",
        "2026-05-25T12:30:00.0123456789",
        "2026-05-25T12:30:00,5",
        "2026-05-25T24:00",
        "2026-05-25T25:00",
        "2026-05-25T12:60",
        "2026-05-25T12:30:60Z",
        "2026-05-25T12:30:00 02:00",
        "2026-05-25T12:30:00+2",
        "2026-05-25T12:30:00+0200",
        "2026-05-25T12:30:00+24:00",
        "2026-05-25T12:30:00+02:60",
        "2026-05-25T12:30:00-04:00[America/Toronto]",
        "2026-05-25T12:30:00ZZ",
        "2026-05-25T12:30:00z",
        "2026-05-25  12:30",
        " 2026-05-25T12:30",
        "2026-05-25T12:30 ",
        "2026-5-25T12:30",
        "1779726600",
        "2026-05-25T12:3０",
    ] {
        assert_eq!(EventTime::parse(text), Err(CalendarError::NotATime), "{text}");
    }
}

#[test]
fn a_time_on_the_thirtieth_of_february_is_not_a_real_date() {
    for text in [
        "2026-02-30",
        "2026-02-30T12:30",
        "2026-02-30T12:30:00Z",
        "2026-13-01T12:30",
        "0000-06-01T12:30",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-23:59",
    ] {
        assert_eq!(EventTime::parse(text), Err(CalendarError::NotARealDate), "{text}");
    }
}

#[test]
fn the_sentences_are_the_agreed_ones() {
    let sentences = [
        (CalendarError::NotADate, "is not a date (YYYY-MM-DD)"),
        (CalendarError::NotARealDate, "is not a real date"),
        (CalendarError::NotATime, "is not a time (YYYY-MM-DDTHH:MM, with Z or an offset only if the person gave one)"),
        (CalendarError::NotAZone, "is not an IANA time zone"),
        (CalendarError::InTheFuture, "is in the future"),
    ];
    for (error, sentence) in sentences {
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn the_schemas_name_their_kind() {
    let schema = |schema: schemars::Schema| serde_json::to_value(schema).unwrap();
    assert_eq!(schema(schemars::schema_for!(EventTime))["x-kind"], "event_time");
    assert_eq!(schema(schemars::schema_for!(Zone))["x-kind"], "zone");
    assert_eq!(schema(schemars::schema_for!(Date))["format"], "date");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}") {
        let _ = (EventTime::parse(&text), Date::parse(&text), Zone::parse(&text));
    }

    #[test]
    fn no_nearly_right_text_makes_the_parser_panic(
        text in "[0-9]{3,5}-[0-9]{1,3}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{0,10})?)?(Z|[+-][0-9]{2}:?[0-9]{0,3})?)?"
    ) {
        if let Ok(time) = EventTime::parse(&text) {
            prop_assert_eq!(EventTime::parse(&time.to_string()), Ok(time));
        }
    }

    #[test]
    fn an_instant_survives_its_text(
        micros in -62_135_596_800_000_000_i64..253_402_207_200_000_000
    ) {
        let time = EventTime::Exact(Instant::from_micros(micros));
        prop_assert_eq!(EventTime::parse(&time.to_string()), Ok(time));
        let json = serde_json::to_string(&time).unwrap();
        prop_assert_eq!(serde_json::from_str::<EventTime>(&json).unwrap(), time);
    }

    #[test]
    fn a_moment_in_a_zone_reads_back_as_the_same_second(
        seconds in 0_i64..4_000_000_000,
        zone in prop::sample::select(vec!["America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"]),
    ) {
        let instant = Instant::from_micros(seconds * 1_000_000);
        let zone = Zone::parse(zone).unwrap();
        prop_assert_eq!(Instant::parse_rfc3339(&instant.in_zone(&zone)), Ok(instant));
        prop_assert_eq!(Instant::parse_rfc3339(&instant.utc()), Ok(instant));
    }

    #[test]
    fn a_date_survives_its_text(days in 0_i64..=3_652_058) {
        let date = Date::MIN.plus_days(days);
        prop_assert_eq!(Date::parse(&date.to_string()), Ok(date));
        prop_assert_eq!(Date::MIN.days_until(date), days);
        prop_assert_eq!(date.plus_days(-days), Date::MIN);
    }
}
