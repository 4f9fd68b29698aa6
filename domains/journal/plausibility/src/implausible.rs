/// Fewer earlier meals of the slot than this say nothing.
const FEWEST_MEALS: usize = 10;
/// How far back the earlier meals of the slot lie.
pub const HISTORY_DAYS: i64 = 90;

/// `implausible`: a meal of `kcal_tenths` is more than four standard deviations (n − 1) above the mean of the person's
/// meals of that slot, and more than one and a half times the largest of them.
pub fn implausible(kcal_tenths: i64, earlier_kcal_tenths: &[i64]) -> bool {
    let Some(largest) = earlier_kcal_tenths.iter().max() else {
        return false;
    };
    if earlier_kcal_tenths.len() < FEWEST_MEALS || 2 * kcal_tenths <= 3 * largest {
        return false;
    }
    let n = earlier_kcal_tenths.len() as f64;
    let mean = earlier_kcal_tenths.iter().map(|&kcal| kcal as f64).sum::<f64>() / n;
    let squares: f64 = earlier_kcal_tenths.iter().map(|&kcal| (kcal as f64 - mean).powi(2)).sum();
    kcal_tenths as f64 > mean + 4.0 * (squares / (n - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREAKFASTS: [i64; 10] = [3_800, 4_000, 4_200, 4_400, 4_000, 3_900, 4_100, 4_300, 4_200, 4_100];

    #[test]
    fn ten_breakfasts_make_a_huge_one_stand_out() {
        assert!(!implausible(6_500, &BREAKFASTS));
        assert!(!implausible(6_600, &BREAKFASTS));
        assert!(implausible(6_610, &BREAKFASTS));
        assert!(implausible(41_290, &BREAKFASTS));
    }

    #[test]
    fn nine_breakfasts_say_nothing() {
        assert!(!implausible(41_290, &BREAKFASTS[..9]));
        assert!(!implausible(41_290, &[]));
    }

    #[test]
    fn a_person_whose_meals_vary_widely_is_left_alone() {
        let varied = [1_000, 9_000, 1_000, 9_000, 1_000, 9_000, 1_000, 9_000, 1_000, 9_000];
        assert!(!implausible(14_000, &varied));
        assert!(implausible(22_000, &varied));
    }
}
