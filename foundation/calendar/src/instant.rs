use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

use crate::{CalendarError, EventTime, Zone};

/// A moment, in microseconds since 1970-01-01T00:00:00Z. Serialises as that integer only in storage; answers use
/// [`Instant::in_zone`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(i64);

impl Instant {
    /// Before every date that can be named; used for an open end.
    pub const MIN: Instant = Instant(i64::MIN);
    /// After every date that can be named; used for an open end.
    pub const MAX: Instant = Instant(i64::MAX);

    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This moment moved by whole seconds, for expiries and windows (never for date arithmetic).
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }

    /// A time with `Z` or an offset, as filters of audit and change lists take it; `NotATime` without one.
    pub fn parse_rfc3339(text: &str) -> Result<Self, CalendarError> {
        match EventTime::parse(text)? {
            EventTime::Exact(instant) => Ok(instant),
            EventTime::Local(_) | EventTime::Day(_) => Err(CalendarError::NotATime),
        }
    }

    /// `2026-05-25T16:30:00Z`, to the second.
    pub fn utc(self) -> String {
        let mut text = String::with_capacity(20);
        push_wall_clock(&mut text, Offset::UTC.to_datetime(self.timestamp()));
        text.push('Z');
        text
    }

    /// `2026-05-25T12:30:00-04:00`: wall clock of `zone` with its offset, to the second (an offset of the time before
    /// standard time is written to the nearest minute).
    pub fn in_zone(self, zone: &Zone) -> String {
        let timestamp = self.timestamp();
        let offset = zone.inner().to_offset(timestamp);
        let mut text = String::with_capacity(25);
        push_wall_clock(&mut text, offset.to_datetime(timestamp));
        push_offset(&mut text, offset);
        text
    }

    /// The nearest moment that has a calendar date.
    pub(crate) fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 { Timestamp::MIN } else { Timestamp::MAX })
    }
}

impl From<Timestamp> for Instant {
    /// What is finer than a microsecond is cut off.
    fn from(timestamp: Timestamp) -> Self {
        Self(timestamp.as_microsecond())
    }
}

fn push_wall_clock(text: &mut String, wall: DateTime) {
    let year = wall.year();
    if year < 0 {
        text.push('-');
    }
    push_two(text, year.unsigned_abs() / 100);
    push_two(text, year.unsigned_abs() % 100);
    for (mark, part) in
        [('-', wall.month()), ('-', wall.day()), ('T', wall.hour()), (':', wall.minute()), (':', wall.second())]
    {
        text.push(mark);
        push_two(text, part.unsigned_abs().into());
    }
}

fn push_offset(text: &mut String, offset: Offset) {
    let seconds = offset.seconds();
    let minutes = (seconds.unsigned_abs() + 30) / 60;
    text.push(if seconds < 0 { '-' } else { '+' });
    push_two(text, (minutes / 60) as u16);
    text.push(':');
    push_two(text, (minutes % 60) as u16);
}

fn push_two(text: &mut String, number: u16) {
    text.push(char::from(b'0' + (number / 10 % 10) as u8));
    text.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        Zone::parse(name).unwrap()
    }

    #[test]
    fn a_moment_is_shown_in_utc_and_on_the_wall_clock_of_a_zone() {
        let lunch = Instant::parse_rfc3339("2026-05-25T16:30:09.999Z").unwrap();
        assert_eq!(lunch.utc(), "2026-05-25T16:30:09Z");
        assert_eq!(lunch.in_zone(&zone("America/Toronto")), "2026-05-25T12:30:09-04:00");
        assert_eq!(lunch.in_zone(&zone("Asia/Kathmandu")), "2026-05-25T22:15:09+05:45");
        assert_eq!(lunch.in_zone(&Zone::utc()), "2026-05-25T16:30:09+00:00");
    }

    #[test]
    fn a_moment_before_1970_is_cut_to_the_second_it_lies_in() {
        assert_eq!(Instant::from_micros(-1).utc(), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn moments_outside_the_calendar_are_shown_as_its_ends() {
        assert!(Instant::MAX.utc().starts_with("9999-12-30T"));
        assert!(Instant::MIN.utc().starts_with("-9999-01-02T"));
        assert_eq!(Instant::MAX.plus_seconds(1), Instant::MAX);
        assert_eq!(Instant::MIN.plus_seconds(i64::MIN), Instant::MIN);
    }

    #[test]
    fn a_filter_needs_an_offset() {
        let exact = Instant::parse_rfc3339("2026-05-25T12:30:00-04:00").unwrap();
        assert_eq!(exact.utc(), "2026-05-25T16:30:00Z");
        for text in ["2026-05-25T12:30:00", "2026-05-25", "now"] {
            assert_eq!(Instant::parse_rfc3339(text), Err(CalendarError::NotATime));
        }
    }
}
