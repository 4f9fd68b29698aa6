use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::CalendarError;
use crate::scan::Scan;

/// A plain calendar date, `YYYY-MM-DD` in JSON and storage. Never shifted by a zone or day start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub(crate) jiff::civil::Date);

impl Date {
    /// Smallest date a range may name; used for an open end.
    pub const MIN: Date = Date(jiff::civil::date(1, 1, 1));
    /// Largest date a range may name; used for an open end.
    pub const MAX: Date = Date(jiff::civil::date(9999, 12, 31));

    /// `NotADate` for another form, `NotARealDate` for 30 February.
    pub fn parse(text: &str) -> Result<Self, CalendarError> {
        let mut scan = Scan::new(text);
        let date = Self::scan(&mut scan).ok_or(CalendarError::NotADate)?;
        if !scan.at_end() {
            return Err(CalendarError::NotADate);
        }
        date
    }

    /// Reads `YYYY-MM-DD`: `None` for another form, an error inside for a date that no calendar has.
    pub(crate) fn scan(scan: &mut Scan<'_>) -> Option<Result<Self, CalendarError>> {
        let year = scan.digits(4)?;
        scan.eat(b'-')?;
        let month = scan.digits(2)?;
        scan.eat(b'-')?;
        let day = scan.digits(2)?;
        Some(Self::new(year as i16, month as u8, day as u8))
    }

    /// `NotARealDate` when the month, the day or the year (1–9999) does not exist.
    pub fn new(year: i16, month: u8, day: u8) -> Result<Self, CalendarError> {
        let (Ok(month), Ok(day)) = (i8::try_from(month), i8::try_from(day)) else {
            return Err(CalendarError::NotARealDate);
        };
        match jiff::civil::Date::new(year, month, day) {
            Ok(date) if year >= 1 => Ok(Self(date)),
            _ => Err(CalendarError::NotARealDate),
        }
    }

    /// Year, month 1–12, day 1–31.
    pub fn ymd(self) -> (i16, u8, u8) {
        let date = self.0;
        (date.year(), date.month().unsigned_abs(), date.day().unsigned_abs())
    }

    /// The nearest date between `MIN` and `MAX`.
    pub(crate) fn clamped(date: jiff::civil::Date) -> Self {
        Self(date).clamp(Self::MIN, Self::MAX)
    }

    /// This date moved by whole days (negative: back), stopping at `MIN` and `MAX`.
    pub fn plus_days(self, days: i64) -> Self {
        const WHOLE_RANGE: i64 = 3_652_058;
        let span = jiff::Span::new().days(days.clamp(-WHOLE_RANGE, WHOLE_RANGE));
        Self::clamped(self.0.saturating_add(span))
    }

    /// Days from `self` to `later` (negative when it is earlier).
    pub fn days_until(self, later: Date) -> i64 {
        self.0.duration_until(later.0).as_secs() / 86_400
    }

    /// Completed calendar years from `self` (a birthday) to `on`; someone born on 29 February completes a year on
    /// 1 March of a common year.
    pub fn years_until(self, on: Date) -> i64 {
        let years = i64::from(on.0.year()) - i64::from(self.0.year());
        let birthday = (self.0.month(), self.0.day());
        if (on.0.month(), on.0.day()) < birthday { years - 1 } else { years }
    }

    /// `Mon`, `Tue`, …
    pub fn weekday(self) -> &'static str {
        use jiff::civil::Weekday::{Friday, Monday, Saturday, Sunday, Thursday, Tuesday, Wednesday};
        match self.0.weekday() {
            Monday => "Mon",
            Tuesday => "Tue",
            Wednesday => "Wed",
            Thursday => "Thu",
            Friday => "Fri",
            Saturday => "Sat",
            Sunday => "Sun",
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.ymd();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Date {
    type Err = CalendarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

impl JsonSchema for Date {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    #[test]
    fn a_date_is_written_as_it_was_read() {
        for text in ["0001-01-01", "2024-02-29", "2026-05-25", "9999-12-31"] {
            assert_eq!(date(text).to_string(), text);
        }
    }

    #[test]
    fn another_form_is_not_a_date() {
        for text in [
            "",
            "2026",
            "2026-5-25",
            "26-05-25",
            "20260525",
            "2026/05/25",
            "2026-05-25 ",
            " 2026-05-25",
            "2026-05-25T12:00",
            "+2026-05-25",
            "-026-05-25",
            "today",
            "２０２６-05-25",
        ] {
            assert_eq!(Date::parse(text), Err(CalendarError::NotADate), "{text}");
        }
    }

    #[test]
    fn a_date_that_no_calendar_has_is_not_real() {
        for text in [
            "2026-02-30",
            "2026-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-04-31",
            "0000-01-01",
            "2026-99-99",
        ] {
            assert_eq!(Date::parse(text), Err(CalendarError::NotARealDate), "{text}");
        }
    }

    #[test]
    fn days_are_counted_over_leap_days_and_stop_at_the_ends() {
        assert_eq!(date("2024-02-28").plus_days(2), date("2024-03-01"));
        assert_eq!(date("2026-01-01").plus_days(-1), date("2025-12-31"));
        assert_eq!(date("2026-01-01").days_until(date("2027-01-01")), 365);
        assert_eq!(date("2026-01-02").days_until(date("2026-01-01")), -1);
        assert_eq!(Date::MIN.days_until(Date::MAX), 3_652_058);
        assert_eq!(date("2026-01-01").plus_days(i64::MAX), Date::MAX);
        assert_eq!(date("2026-01-01").plus_days(i64::MIN), Date::MIN);
        assert_eq!(Date::MIN.plus_days(-1), Date::MIN);
    }

    #[test]
    fn a_year_of_age_is_completed_on_the_birthday() {
        let born = date("1990-05-25");
        assert_eq!(born.years_until(date("2026-05-24")), 35);
        assert_eq!(born.years_until(date("2026-05-25")), 36);
        let leap = date("2000-02-29");
        assert_eq!(leap.years_until(date("2026-02-28")), 25);
        assert_eq!(leap.years_until(date("2026-03-01")), 26);
    }

    #[test]
    fn the_weekday_is_three_letters() {
        assert_eq!(date("2026-05-25").weekday(), "Mon");
        assert_eq!(date("2026-05-31").weekday(), "Sun");
    }

    #[test]
    fn json_holds_the_text() {
        let json = serde_json::to_string(&date("2026-05-25")).unwrap();
        assert_eq!(json, r#""2026-05-25""#);
        assert_eq!(serde_json::from_str::<Date>(&json).unwrap(), date("2026-05-25"));
        let error = serde_json::from_str::<Date>(r#""2026-02-30""#).unwrap_err();
        assert!(error.to_string().starts_with("is not a real date"));
    }
}
