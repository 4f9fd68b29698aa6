use crate::CalendarError;

/// A plain calendar date, `YYYY-MM-DD` in JSON and storage. Never shifted by a zone or day start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub(crate) jiff::civil::Date);

impl Date {
    /// Smallest and largest date a range may name; used for an open end.
    pub const MIN: Date = Date(jiff::civil::date(1, 1, 1));
    pub const MAX: Date = Date(jiff::civil::date(9999, 12, 31));

    /// `NotADate` for another form, `NotARealDate` for 30 February.
    pub fn parse(text: &str) -> Result<Self, CalendarError> {
        todo!()
    }

    /// This date moved by whole days (negative: back), stopping at `MIN` and `MAX`.
    pub fn plus_days(self, days: i64) -> Self {
        todo!()
    }

    /// Days from `self` to `later` (negative when it is earlier).
    pub fn days_until(self, later: Date) -> i64 {
        todo!()
    }

    /// Completed calendar years from `self` (a birthday) to `on`.
    pub fn years_until(self, on: Date) -> i64 {
        todo!()
    }

    /// `Mon`, `Tue`, …
    pub fn weekday(self) -> &'static str {
        todo!()
    }
}
// Display, FromStr, Serialize, Deserialize as ISO text; JsonSchema: {"type":"string","format":"date"}.
