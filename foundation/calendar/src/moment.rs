use crate::{Date, Instant};

/// How exactly the person knew the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimePrecision {
    /// A time of day was given, or it is now.
    Minute,
    /// Only the date was given.
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

    /// Reads what [`TimePrecision::as_str`] wrote; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "minute" => Some(Self::Minute),
            "day" => Some(Self::Day),
            _ => None,
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

impl TimeNote {
    /// The code of the warning: `time_in_gap`, `time_ambiguous` or `time_assumed`.
    pub fn code(self) -> &'static str {
        match self {
            Self::InGap => "time_in_gap",
            Self::Ambiguous { .. } => "time_ambiguous",
            Self::Assumed => "time_assumed",
        }
    }
}

/// An event time tied to an instant and pinned to its user-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub at: Instant,
    pub user_date: Date,
    pub precision: TimePrecision,
    pub note: Option<TimeNote>,
}
