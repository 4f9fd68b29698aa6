use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, AmbiguousTimestamp};

use crate::{CalendarError, Date, EventTime, Instant, Moment, TimeNote, TimePrecision, Zone};

/// How far ahead of the server's clock a device may be.
const CLOCK_TOLERANCE_S: i64 = 5 * 60;

/// A person's day: their zone and the hour (0–6) at which their day starts (`specs/journal.md` §4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayClock {
    pub zone: Zone,
    /// 0–6; anything larger counts as 6.
    pub day_start_hour: u8,
}

impl DayClock {
    /// First instant of user-day `date`: the wall clock reads `day_start_hour:00`; a gap resolves forward by its
    /// length, a repeated hour to its first occurrence.
    pub fn start(&self, date: Date) -> Instant {
        self.on_wall_clock(date, self.start_hour()).into()
    }

    /// First instant of user-day `date` and of the next one: the half-open span of the day. Empty for a date that the
    /// zone skipped.
    pub fn window(&self, date: Date) -> (Instant, Instant) {
        let end = if date == Date::MAX { Instant::MAX } else { self.start(date.plus_days(1)) };
        (self.start(date), end)
    }

    /// The last date whose start is not after `at`, so an instant always lies in its own day's window.
    pub fn user_date(&self, at: Instant) -> Date {
        let timestamp = at.timestamp();
        let wall = self.zone.inner().to_datetime(timestamp);
        // A clock set back across midnight shows the old date again after the new day has begun, so the search starts
        // one day late; a skipped date makes it go back more than one.
        let mut date = Date::clamped(wall.date()).plus_days(1);
        while date > Date::MIN && self.start_timestamp(date) > timestamp {
            date = date.plus_days(-1);
        }
        date
    }

    /// The user-day in which `now` lies.
    pub fn today(&self, now: Instant) -> Date {
        self.user_date(now)
    }

    /// The civil date that the wall clock of the zone shows at `at`.
    pub fn civil_date(&self, at: Instant) -> Date {
        Date::clamped(self.wall_clock(at).date())
    }

    /// Latest plain date that may be entered at `now`: the later of the user-day and the civil date.
    pub fn latest_date(&self, now: Instant) -> Date {
        self.user_date(now).max(self.civil_date(now))
    }

    /// The event time a person gave, or `now` without one. `InTheFuture` later than now + 5 min (a date-only time:
    /// later than today).
    pub fn resolve(&self, time: Option<&EventTime>, now: Instant) -> Result<Moment, CalendarError> {
        match time {
            None => Ok(self.minute(now, None)),
            Some(EventTime::Exact(at)) => past(*at, now).map(|at| self.minute(at, None)),
            Some(EventTime::Local(wall)) => self.resolve_local(*wall, now),
            Some(EventTime::Day(date)) => self.resolve_day(*date, now),
        }
    }

    /// Wall-clock hour and minute of `at`.
    pub fn local_hour_minute(&self, at: Instant) -> (u8, u8) {
        let wall = self.wall_clock(at);
        (wall.hour().unsigned_abs(), wall.minute().unsigned_abs())
    }

    fn resolve_local(&self, wall: DateTime, now: Instant) -> Result<Moment, CalendarError> {
        let ambiguous = self.zone.inner().to_ambiguous_timestamp(wall);
        let note = match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { .. } => None,
            AmbiguousOffset::Gap { .. } => Some(TimeNote::InGap),
            AmbiguousOffset::Fold { .. } => Some(TimeNote::Ambiguous { other: instant(ambiguous.later())? }),
        };
        let at = past(instant(ambiguous.compatible())?, now)?;
        Ok(self.minute(at, note))
    }

    fn resolve_day(&self, date: Date, now: Instant) -> Result<Moment, CalendarError> {
        if date > self.today(now) {
            return Err(CalendarError::InTheFuture);
        }
        Ok(Moment {
            at: self.on_wall_clock(date, 12).into(),
            user_date: date,
            precision: TimePrecision::Day,
            note: Some(TimeNote::Assumed),
        })
    }

    fn minute(&self, at: Instant, note: Option<TimeNote>) -> Moment {
        Moment { at, user_date: self.user_date(at), precision: TimePrecision::Minute, note }
    }

    fn start_hour(&self) -> i8 {
        self.day_start_hour.min(6) as i8
    }

    fn start_timestamp(&self, date: Date) -> Timestamp {
        self.on_wall_clock(date, self.start_hour())
    }

    fn on_wall_clock(&self, date: Date, hour: i8) -> Timestamp {
        let wall = DateTime::from_parts(date.0, Time::constant(hour, 0, 0, 0));
        let ambiguous: AmbiguousTimestamp = self.zone.inner().to_ambiguous_timestamp(wall);
        // Only the last day of year 9999 can lie outside the range of instants.
        ambiguous.compatible().unwrap_or(Timestamp::MAX)
    }

    fn wall_clock(&self, at: Instant) -> DateTime {
        self.zone.inner().to_datetime(at.timestamp())
    }
}

fn past(at: Instant, now: Instant) -> Result<Instant, CalendarError> {
    if at > now.plus_seconds(CLOCK_TOLERANCE_S) { Err(CalendarError::InTheFuture) } else { Ok(at) }
}

fn instant(timestamp: Result<Timestamp, jiff::Error>) -> Result<Instant, CalendarError> {
    // Local times are within the years 1–9999, so only the end of the calendar can overflow.
    timestamp.map(Instant::from).map_err(|_| CalendarError::InTheFuture)
}
