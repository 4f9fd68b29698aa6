use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::civil::{DateTime, Time};
use jiff::tz::Offset;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::scan::Scan;
use crate::{CalendarError, Date, Instant};

/// When something happened, in one of the forms of `specs/journal.md` §4.2; not yet tied to a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventTime {
    /// With `Z` or an offset: that instant.
    Exact(Instant),
    /// Wall clock in the profile's zone.
    Local(DateTime),
    /// That user-day, hour unknown.
    Day(Date),
}

impl EventTime {
    /// `2026-05-25T12:30` with optional seconds, fraction (kept to the microsecond) and `Z` or `±HH:MM`; a space may
    /// stand for the `T`; or a date alone. `NotARealDate` for 30 February and for an instant outside the years 1–9999;
    /// `NotATime` for every other form, among them `24:00`, a leap second and an hour that no clock shows.
    pub fn parse(text: &str) -> Result<Self, CalendarError> {
        let mut scan = Scan::new(text);
        let date = Date::scan(&mut scan).ok_or(CalendarError::NotATime)?;
        if scan.at_end() {
            return date.map(Self::Day);
        }
        let (time, offset) = time_and_offset(&mut scan).ok_or(CalendarError::NotATime)?;
        let wall = DateTime::from_parts(date?.0, time);
        match offset {
            None => Ok(Self::Local(wall)),
            Some(offset) => exact(wall, offset).map(Self::Exact),
        }
    }
}

fn exact(wall: DateTime, offset: Offset) -> Result<Instant, CalendarError> {
    let timestamp = offset.to_timestamp(wall).map_err(|_| CalendarError::NotARealDate)?;
    // An offset can push 0001-01-01 into a year that has no four digits.
    if Offset::UTC.to_datetime(timestamp).year() < 1 {
        return Err(CalendarError::NotARealDate);
    }
    Ok(timestamp.into())
}

/// `THH:MM[:SS[.fraction]]` and, when the text goes on, `Z` or `±HH:MM` up to its end.
fn time_and_offset(scan: &mut Scan<'_>) -> Option<(Time, Option<Offset>)> {
    scan.eat(b'T').or_else(|| scan.eat(b' '))?;
    let hour = scan.digits(2)?;
    scan.eat(b':')?;
    let minute = scan.digits(2)?;
    let (mut second, mut micros) = (0, 0);
    if scan.eat(b':').is_some() {
        second = scan.digits(2)?;
        if scan.eat(b'.').is_some() {
            micros = scan.fraction_micros()?;
        }
    }
    let offset = if scan.at_end() { None } else { Some(offset(scan)?) };
    let time = Time::new(hour as i8, minute as i8, second as i8, (micros * 1000) as i32).ok()?;
    scan.at_end().then_some((time, offset))
}

fn offset(scan: &mut Scan<'_>) -> Option<Offset> {
    if scan.eat(b'Z').is_some() {
        return Some(Offset::UTC);
    }
    let sign = match scan.peek()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    scan.eat(scan.peek()?)?;
    let hours = scan.digits(2)?;
    scan.eat(b':')?;
    let minutes = scan.digits(2)?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60) as i32).ok()
}

/// A text that [`EventTime::parse`] reads as the same time.
impl fmt::Display for EventTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(instant) => {
                write_wall(f, Offset::UTC.to_datetime(instant.timestamp()))?;
                f.write_str("Z")
            }
            Self::Local(wall) => write_wall(f, *wall),
            Self::Day(date) => date.fmt(f),
        }
    }
}

fn write_wall(f: &mut fmt::Formatter<'_>, wall: DateTime) -> fmt::Result {
    let (date, time) = (Date(wall.date()), wall.time());
    write!(f, "{date}T{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())?;
    match time.subsec_nanosecond() / 1000 {
        0 => Ok(()),
        micros => write!(f, ".{micros:06}"),
    }
}

impl FromStr for EventTime {
    type Err = CalendarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl Serialize for EventTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EventTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

impl JsonSchema for EventTime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "x-kind": "event_time" })
    }
}
