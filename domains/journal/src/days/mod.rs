//! Days as a whole: what they add up to, and what the person says about them.

mod bucket;
mod completeness;
pub mod day_mark;
mod get_macros_for_date;
mod get_macros_range;
mod get_macros_today;
mod mark_day_complete;
mod mark_day_partial;
mod marking;
mod sentence;
mod standing;
mod totals;

pub use completeness::Completeness;
pub use day_mark::{DayMark, Mark};
pub use sentence::sentence;
pub use totals::{DaySum, DayTarget, DayTotals, TouchedDay};

use operation::{Listed, local};

pub const OPERATIONS: &[Listed] = &[
    local::<get_macros_for_date::GetMacrosForDate>,
    local::<get_macros_range::GetMacrosRange>,
    local::<get_macros_today::GetMacrosToday>,
    local::<mark_day_complete::MarkDayComplete>,
    local::<mark_day_partial::MarkDayPartial>,
];
