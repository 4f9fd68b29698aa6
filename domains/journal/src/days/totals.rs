use calendar::Date;
use schemars::JsonSchema;
use serde::Serialize;

use crate::number::Tenths;

/// What is logged on a user-day, in stored units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaySum {
    pub date: Date,
    pub meals: i64,
    pub kcal: Tenths,
    pub protein_g: Tenths,
    pub carb_g: Tenths,
    pub fat_g: Tenths,
}

/// What a day adds up to, each number rounded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DayTotals {
    pub kcal: i64,
    pub protein_g: Tenths,
    pub carb_g: Tenths,
    pub fat_g: Tenths,
    pub kcal_from_food: i64,
    pub kcal_from_alcohol: i64,
}

/// What a day is measured against; there is none without an active phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct DayTarget {
    pub kcal: i64,
    pub protein_g: i64,
    pub carb_g: i64,
    pub fat_g: i64,
}

/// The totals of a day that a write touched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct TouchedDay {
    pub date: Date,
    pub day_totals: DayTotals,
    pub day_target: Option<DayTarget>,
}

impl DaySum {
    /// A day without a row.
    pub fn nothing(date: Date) -> Self {
        let zero = Tenths(0);
        Self { date, meals: 0, kcal: zero, protein_g: zero, carb_g: zero, fat_g: zero }
    }

    /// Two sums in one, under the date of the first.
    pub fn and(self, other: Self) -> Self {
        Self {
            date: self.date,
            meals: self.meals + other.meals,
            kcal: Tenths(self.kcal.0 + other.kcal.0),
            protein_g: Tenths(self.protein_g.0 + other.protein_g.0),
            carb_g: Tenths(self.carb_g.0 + other.carb_g.0),
            fat_g: Tenths(self.fat_g.0 + other.fat_g.0),
        }
    }

    pub fn totals(&self) -> DayTotals {
        DayTotals {
            kcal: self.kcal.whole(),
            protein_g: self.protein_g,
            carb_g: self.carb_g,
            fat_g: self.fat_g,
            kcal_from_food: self.kcal.whole(),
            kcal_from_alcohol: 0,
        }
    }

    pub fn touched(&self) -> TouchedDay {
        TouchedDay { date: self.date, day_totals: self.totals(), day_target: None }
    }

    /// `1200 kcal (no active phase)`.
    pub fn against_target(&self) -> String {
        format!("{} kcal (no active phase)", self.kcal.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_rounded_once() {
        let date = Date::parse("2026-05-25").unwrap();
        let quarter = DaySum { kcal: Tenths(1_004), protein_g: Tenths(4), meals: 1, ..DaySum::nothing(date) };
        let totals = quarter.and(quarter).totals();
        assert_eq!((totals.kcal, totals.kcal_from_food, totals.protein_g), (201, 201, Tenths(8)));
        assert_eq!(quarter.and(quarter).against_target(), "201 kcal (no active phase)");
    }
}
