//! The journal: what a person eats and weighs, day by day.

pub mod days;
mod domain;
mod guide;
#[cfg(test)]
mod lessons;
pub mod meals;
mod number;
mod patch;
mod period;
mod removed;
mod saying;
#[cfg(test)]
mod story;
mod text;
mod warning;
pub mod weights;

pub use domain::DOMAIN;
