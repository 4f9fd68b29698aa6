//! Numbers as people enter and read them, and as they are stored: integers in base units.
//!
//! Pure. Every conversion rounds once, half away from zero, and is done in integers, so that saving an unchanged form
//! never changes what is stored.

mod rounding;
mod tenths;
mod weight;

pub use tenths::{from_tenths, tenths, whole};
pub use weight::{WeightUnit, grams, kilograms, shown_weight};
