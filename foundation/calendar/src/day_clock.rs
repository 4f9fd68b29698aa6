use crate::{CalendarError, Date, EventTime, Instant, Moment, Zone};

/// A person's day: their zone and the hour (0–6) at which their day starts (`specs/journal.md` §4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayClock {
    pub zone: Zone,
    pub day_start_hour: u8,
}

impl DayClock {
    /// First instant of user-day `date`: the wall clock reads `day_start_hour:00`; a gap resolves forward by its
    /// length, a repeated hour to its first occurrence.
    pub fn start(&self, date: Date) -> Instant {
        todo!()
    }

    /// The last date whose start is not after `at`, so an instant always lies in its own day's window.
    pub fn user_date(&self, at: Instant) -> Date {
        todo!()
    }

    /// The civil date that the wall clock of the zone shows at `at`.
    pub fn civil_date(&self, at: Instant) -> Date {
        todo!()
    }

    /// Latest plain date that may be entered at `now`: the later of the user-day and the civil date.
    pub fn latest_date(&self, now: Instant) -> Date {
        todo!()
    }

    /// The event time a person gave, or `now` without one. `InTheFuture` later than now + 5 min (a date-only time:
    /// later than today).
    pub fn resolve(&self, time: Option<&EventTime>, now: Instant) -> Result<Moment, CalendarError> {
        todo!()
    }

    /// Wall-clock hour and minute of `at`.
    pub fn local_hour_minute(&self, at: Instant) -> (u8, u8) {
        todo!()
    }
}
