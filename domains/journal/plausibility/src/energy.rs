/// The energy of a meal and where it comes from, in tenths of a kcal and of a gram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MealEnergy {
    pub kcal_tenths: i64,
    pub protein_tenths: i64,
    pub carb_tenths: i64,
    pub fat_tenths: i64,
    /// 0 when the person said nothing about alcohol.
    pub alcohol_tenths: i64,
}

impl MealEnergy {
    /// 4 kcal per gram of protein and carbohydrate, 9 of fat, in tenths of a kcal.
    pub fn macros_kcal_tenths(self) -> i64 {
        4 * self.protein_tenths + 4 * self.carb_tenths + 9 * self.fat_tenths
    }

    /// As [`MealEnergy::macros_kcal_tenths`], with 7 kcal per gram of alcohol.
    pub fn explained_kcal_tenths(self) -> i64 {
        self.macros_kcal_tenths() + 7 * self.alcohol_tenths
    }

    /// `energy_mismatch`: kcal and nutrients are apart by more than 25 kcal and more than 15 % of the kcal.
    pub fn mismatch(self) -> bool {
        let apart = (self.kcal_tenths - self.explained_kcal_tenths()).abs();
        apart * 100 > (25 * 10 * 100).max(15 * self.kcal_tenths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meal(kcal: i64, protein: i64, carb: i64, fat: i64, alcohol: i64) -> MealEnergy {
        MealEnergy {
            kcal_tenths: kcal * 10,
            protein_tenths: protein * 10,
            carb_tenths: carb * 10,
            fat_tenths: fat * 10,
            alcohol_tenths: alcohol * 10,
        }
    }

    #[test]
    fn five_hundred_for_462_is_silent_and_seven_hundred_warns() {
        assert_eq!(meal(500, 25, 50, 18, 0).explained_kcal_tenths(), 4_620);
        assert!(!meal(500, 25, 50, 18, 0).mismatch());
        assert!(meal(700, 25, 50, 18, 0).mismatch());
    }

    #[test]
    fn exactly_the_limit_is_silent() {
        assert!(!meal(25, 0, 0, 0, 0).mismatch());
        assert!(meal(26, 0, 0, 0, 0).mismatch());
        // 850 kcal of 1 000 are exactly 15 % less; 840 are more.
        assert!(!meal(1_000, 100, 0, 50, 0).mismatch());
        assert!(meal(1_000, 0, 210, 0, 0).mismatch());
    }

    #[test]
    fn alcohol_explains_the_energy_of_a_drink() {
        assert!(meal(98, 0, 0, 0, 0).mismatch());
        assert!(!meal(98, 0, 0, 0, 14).mismatch());
    }
}
