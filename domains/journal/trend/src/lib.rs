//! Body weight over time: the trend beneath the noise, the change over a month, and the slope.
//!
//! Pure: readings in, numbers out. Readings are one per date, oldest first. Kilograms are not rounded; answers show two
//! decimals.

mod change;
mod ewma;
mod reading;
mod slope;

pub use change::{Confidence, WeightChange, weight_change};
pub use ewma::{SEED_DAYS, TrendPoint, daily_trend, trend_at_readings};
pub use reading::Reading;
pub use slope::{SLOPE_DAYS, Slope, slope};
