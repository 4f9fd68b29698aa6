use crate::rounding::{MILLION, divide, millionths};

/// An entered amount (g, kcal) in the tenths that are stored: 12.25 ⇒ 123.
pub fn tenths(value: f64) -> i64 {
    divide(millionths(value) * 10, MILLION)
}

/// Stored tenths as a number: 123 ⇒ 12.3.
pub fn from_tenths(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// Stored tenths, such as a day's sum, rounded once to a whole number: 1 235 ⇒ 124.
pub fn whole(tenths: i64) -> i64 {
    divide(tenths.into(), 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        assert_eq!([0.0, 0.04, 0.05, 12.25, 12.35, -0.05].map(tenths), [0, 0, 1, 123, 124, -1]);
        assert_eq!([0, 4, 5, 1_234, 1_235, -5].map(whole), [0, 0, 1, 123, 124, -1]);
    }

    #[test]
    fn every_half_of_a_tenth_is_rounded_up_whatever_its_binary_form() {
        for hundredths in (5..1_000_000_i64).step_by(10) {
            assert_eq!(tenths(hundredths as f64 / 100.0), hundredths / 10 + 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_stored_amount_survives_being_shown(stored in -100_000_i64..100_000) {
            prop_assert_eq!(tenths(from_tenths(stored)), stored);
        }

        #[test]
        fn no_number_panics(value in any::<f64>()) {
            tenths(value);
        }
    }
}
