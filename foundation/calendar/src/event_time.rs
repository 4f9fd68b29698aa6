use crate::{CalendarError, Date, Instant};

/// When something happened, in one of the forms of `specs/journal.md` §4.2; not yet tied to a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventTime {
    /// With `Z` or an offset: that instant.
    Exact(Instant),
    /// Wall clock in the profile's zone.
    Local(jiff::civil::DateTime),
    /// That user-day, hour unknown.
    Day(Date),
}

impl EventTime {
    pub fn parse(text: &str) -> Result<Self, CalendarError> {
        todo!()
    }
}
// FromStr, Serialize/Deserialize as text; JsonSchema: {"type":"string","x-kind":"event_time"}.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimePrecision {
    Minute,
    Day,
}

impl TimePrecision {
    /// `minute` or `day`, as stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Day => "day",
        }
    }
}

/// What the person should hear about how their time was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeNote {
    /// `time_in_gap`: the wall clock skipped that time; it was moved forward.
    InGap,
    /// `time_ambiguous`: the wall clock showed it twice; the earlier was taken, this is the other.
    Ambiguous { other: Instant },
    /// `time_assumed`: only a date was given.
    Assumed,
}

/// An event time tied to an instant and pinned to its user-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub at: Instant,
    pub user_date: Date,
    pub precision: TimePrecision,
    pub note: Option<TimeNote>,
}
