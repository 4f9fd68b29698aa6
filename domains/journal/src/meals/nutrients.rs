use operation::FieldFault;
use plausibility::MealEnergy;
use schemars::JsonSchema;
use serde::Serialize;

use crate::number::Tenths;

/// Most of any nutrient in a meal, in g.
const MOST_G: i64 = 1_000;
const MOST_KCAL: i64 = 10_000;
const MOST_SODIUM_MG: i64 = 50_000;

/// What a meal holds. What nobody said is missing, which is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Nutrients {
    pub kcal: Tenths,
    pub protein_g: Tenths,
    pub carb_g: Tenths,
    pub fat_g: Tenths,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fiber_g: Option<Tenths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sugar_g: Option<Tenths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saturated_fat_g: Option<Tenths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alcohol_g: Option<Tenths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sodium_mg: Option<i64>,
}

impl Nutrients {
    /// Every nutrient multiplied.
    pub fn times(self, factor: f64) -> Self {
        let part = |tenths: Option<Tenths>| tenths.map(|tenths| tenths.times(factor));
        Self {
            kcal: self.kcal.times(factor),
            protein_g: self.protein_g.times(factor),
            carb_g: self.carb_g.times(factor),
            fat_g: self.fat_g.times(factor),
            fiber_g: part(self.fiber_g),
            sugar_g: part(self.sugar_g),
            saturated_fat_g: part(self.saturated_fat_g),
            alcohol_g: part(self.alcohol_g),
            sodium_mg: self.sodium_mg.map(|mg| sodium_mg(mg as f64 * factor)),
        }
    }

    pub fn energy(&self) -> MealEnergy {
        MealEnergy {
            kcal_tenths: self.kcal.0,
            protein_tenths: self.protein_g.0,
            carb_tenths: self.carb_g.0,
            fat_tenths: self.fat_g.0,
            alcohol_tenths: self.alcohol_g.unwrap_or_default().0,
        }
    }

    /// What a row must not hold, whether it is new, changed or multiplied.
    pub fn faults(&self, zero_ok: bool) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        if !zero_ok && [self.kcal, self.protein_g, self.carb_g, self.fat_g].iter().all(|amount| amount.0 == 0) {
            faults.push(FieldFault::new("kcal", "everything is 0; send zero_ok: true if that is right"));
        }
        let limits = [
            ("kcal", Some(self.kcal.0), MOST_KCAL * 10),
            ("protein_g", Some(self.protein_g.0), MOST_G * 10),
            ("carb_g", Some(self.carb_g.0), MOST_G * 10),
            ("fat_g", Some(self.fat_g.0), MOST_G * 10),
            ("fiber_g", self.fiber_g.map(|amount| amount.0), MOST_G * 10),
            ("sugar_g", self.sugar_g.map(|amount| amount.0), MOST_G * 10),
            ("saturated_fat_g", self.saturated_fat_g.map(|amount| amount.0), MOST_G * 10),
            ("alcohol_g", self.alcohol_g.map(|amount| amount.0), MOST_G * 10),
        ];
        for (field, amount, most) in limits {
            if amount.is_some_and(|amount| amount > most) {
                faults.push(FieldFault::new(field, format!("must be ≤ {}", most / 10)));
            }
        }
        if self.sodium_mg.is_some_and(|mg| mg > MOST_SODIUM_MG) {
            faults.push(FieldFault::new("sodium_mg", format!("must be ≤ {MOST_SODIUM_MG}")));
        }
        faults
    }

    /// `25p / 50c / 18f`.
    pub fn macros(&self) -> String {
        format!("{}p / {}c / {}f", self.protein_g, self.carb_g, self.fat_g)
    }
}

/// Whole milligrams of an entered number, rounded half away from zero.
pub fn sodium_mg(entered: f64) -> i64 {
    units::whole(units::tenths(entered))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lunch() -> Nutrients {
        Nutrients {
            kcal: Tenths(5_000),
            protein_g: Tenths(250),
            carb_g: Tenths(500),
            fat_g: Tenths(180),
            sodium_mg: Some(801),
            ..Nutrients::default()
        }
    }

    #[test]
    fn half_a_meal_is_half_of_every_nutrient_and_of_nothing_unknown() {
        let half = lunch().times(0.5);
        assert_eq!((half.kcal, half.protein_g, half.fat_g), (Tenths(2_500), Tenths(125), Tenths(90)));
        assert_eq!((half.sodium_mg, half.fiber_g), (Some(401), None));
        assert_eq!(half.macros(), "12.5p / 25c / 9f");
    }

    #[test]
    fn b7_a_meal_of_nothing_needs_a_word_that_it_is_right() {
        let nothing = Nutrients::default();
        assert_eq!(nothing.faults(false)[0].reason, "everything is 0; send zero_ok: true if that is right");
        assert_eq!(nothing.faults(true), []);
        assert_eq!(lunch().faults(false), []);
    }

    #[test]
    fn a_multiplied_meal_keeps_the_limits_of_a_new_one() {
        let faults: Vec<String> = lunch()
            .times(20.0 + 1.0)
            .faults(false)
            .into_iter()
            .map(|fault| fault.field + " " + &fault.reason)
            .collect();
        assert_eq!(faults, ["kcal must be ≤ 10000", "carb_g must be ≤ 1000"]);
    }

    #[test]
    fn missing_is_not_shown_and_is_not_zero() {
        let shown = serde_json::to_value(lunch()).unwrap();
        assert_eq!(
            shown,
            serde_json::json!({"kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18, "sodium_mg": 801})
        );
    }
}
