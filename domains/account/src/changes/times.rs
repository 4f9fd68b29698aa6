//! The stretch of time that a list of changes is asked for.

use calendar::{DayClock, EventTime, Instant};
use operation::FieldFault;

/// The moment that a filter names: a date is the start of that day of the person, and the future is allowed.
pub fn moment(time: &EventTime, day: &DayClock) -> Instant {
    match time {
        EventTime::Day(date) => day.start(*date),
        time => day.resolve(Some(time), Instant::MAX).map_or(Instant::MAX, |moment| moment.at),
    }
}

pub fn order_fault(from: Option<&EventTime>, to: Option<&EventTime>, day: &DayClock) -> Option<FieldFault> {
    let backwards = matches!((from, to), (Some(from), Some(to)) if moment(to, day) < moment(from, day));
    backwards.then(|| FieldFault::new("to", "is before from"))
}
