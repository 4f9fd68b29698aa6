//! What looks wrong about a meal. Nothing here refuses anything: the row is kept and the person is told.
//!
//! Pure. Amounts are the stored tenths (0.1 kcal, 0.1 g), so every limit is exact.

mod drinks;
mod duplicate;
mod energy;
mod implausible;

pub use drinks::possible_alcohol;
pub use duplicate::duplicate_suspect;
pub use energy::MealEnergy;
pub use implausible::{HISTORY_DAYS, implausible};
