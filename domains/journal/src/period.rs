//! The stretch of time that a list is asked for (§5.6), in one of three kinds of words.

use calendar::{Date, EventTime, Instant};
use operation::{Call, FieldFault};

/// What the caller said.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    pub from_date: Option<Date>,
    pub to_date: Option<Date>,
    pub from: Option<&'a EventTime>,
    pub to: Option<&'a EventTime>,
    pub from_days_ago: Option<i64>,
}

/// What it comes to: both conditions hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    pub from_date: Date,
    pub to_date: Date,
    /// Inclusive.
    pub from: Instant,
    /// Exclusive.
    pub to: Instant,
}

/// A moment can be pinned to a date this far from the date that the present zone gives it.
const ZONES_APART_DAYS: i64 = 2;

impl Asked<'_> {
    pub fn faults(&self) -> Vec<FieldFault> {
        let given = [
            ("from_date", self.from_date.is_some() || self.to_date.is_some()),
            ("from", self.from.is_some() || self.to.is_some()),
            ("from_days_ago", self.from_days_ago.is_some()),
        ];
        let mut kinds = given.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
        if let (Some(first), Some(_)) = (kinds.next(), kinds.next()) {
            return vec![FieldFault::new(first, "give exactly one of from_date, from, from_days_ago")];
        }
        date_order(self.from_date, self.to_date).into_iter().collect()
    }

    /// The period; the last `days` user-days when nothing was said.
    pub fn period(&self, call: &Call, days: i64) -> Period {
        if self.from.is_some() || self.to.is_some() {
            return self.between_instants(call);
        }
        let all = (Date::MIN, Date::MAX);
        let (from_date, to_date) = if self.from_date.is_some() || self.to_date.is_some() {
            (self.from_date.unwrap_or(all.0), self.to_date.unwrap_or(all.1))
        } else {
            (call.today().plus_days(1 - self.from_days_ago.unwrap_or(days)), call.today())
        };
        Period { from_date, to_date, from: Instant::MIN, to: Instant::MAX }
    }

    fn between_instants(&self, call: &Call) -> Period {
        let day = &call.caller.day;
        let at = |time: &EventTime| match time {
            EventTime::Day(date) => day.start(*date),
            // A filter may name a time that is still to come.
            time => day.resolve(Some(time), Instant::MAX).map_or(Instant::MAX, |moment| moment.at),
        };
        let from = self.from.map_or(Instant::MIN, at);
        let to = self.to.map_or(Instant::MAX, at);
        let from_date = self.from.map_or(Date::MIN, |_| day.user_date(from).plus_days(-ZONES_APART_DAYS));
        let to_date = self.to.map_or(Date::MAX, |_| day.user_date(to).plus_days(ZONES_APART_DAYS));
        Period { from_date, to_date, from, to }
    }
}

/// A range must not end before it begins.
pub fn date_order(from: Option<Date>, to: Option<Date>) -> Option<FieldFault> {
    let backwards = matches!((from, to), (Some(from), Some(to)) if to < from);
    backwards.then(|| FieldFault::new("to_date", "is before from_date"))
}
