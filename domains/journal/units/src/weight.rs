use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rounding::{MILLION, divide, millionths};

/// `kg`, `lb` or `st`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum WeightUnit {
    Kg,
    Lb,
    St,
}

impl WeightUnit {
    /// `kg`, `lb` or `st`, as stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kg => "kg",
            Self::Lb => "lb",
            Self::St => "st",
        }
    }

    /// Reads what [`WeightUnit::as_str`] wrote; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Kg, Self::Lb, Self::St].into_iter().find(|unit| unit.as_str() == text)
    }

    /// Exact: 1 lb = 453.59237 g, 1 st = 6 350.29318 g.
    fn micrograms(self) -> i128 {
        match self {
            Self::Kg => 1_000_000_000,
            Self::Lb => 453_592_370,
            Self::St => 6_350_293_180,
        }
    }
}

/// Whole grams, the stored unit.
pub fn grams(value: f64, unit: WeightUnit) -> i64 {
    divide(millionths(value) * unit.micrograms(), MILLION * MILLION)
}

/// Stored grams as kilograms, exact to the gram.
pub fn kilograms(grams: i64) -> f64 {
    grams as f64 / 1000.0
}

/// A stored weight for a person who prefers `preferred`: the value they entered when it was in that unit, with at least
/// one decimal, otherwise the conversion at one decimal: `180.0 lb`.
pub fn shown_weight(grams: i64, entered: Option<(f64, WeightUnit)>, preferred: WeightUnit) -> String {
    let unit = preferred.as_str();
    match entered {
        Some((value, entered_in)) if entered_in == preferred => {
            if value.fract() == 0.0 {
                format!("{value:.1} {unit}")
            } else {
                format!("{value} {unit}")
            }
        }
        _ => {
            let tenths = divide(i128::from(grams) * MILLION * 10, preferred.micrograms());
            format!("{:.1} {unit}", tenths as f64 / 10.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_hundred_and_eighty_pounds_stay_so() {
        assert_eq!(grams(180.0, WeightUnit::Lb), 81_647);
        assert_eq!(shown_weight(81_647, None, WeightUnit::Lb), "180.0 lb");
        assert_eq!(shown_weight(81_647, Some((180.0, WeightUnit::Lb)), WeightUnit::Lb), "180.0 lb");
        assert_eq!(grams(12.0, WeightUnit::St), 76_204);
        assert_eq!(grams(80.5, WeightUnit::Kg), 80_500);
        assert_eq!(kilograms(81_647), 81.647);
    }

    #[test]
    fn saving_an_unchanged_form_never_changes_the_stored_grams() {
        for tenths in 300..=7_000 {
            let pounds = f64::from(tenths) / 10.0;
            let stored = grams(pounds, WeightUnit::Lb);
            let shown = shown_weight(stored, None, WeightUnit::Lb);
            assert_eq!(shown, format!("{pounds:.1} lb"));
            let read_back: f64 = shown.trim_end_matches(" lb").parse().unwrap();
            assert_eq!(grams(read_back, WeightUnit::Lb), stored, "{shown}");
        }
    }

    #[test]
    fn the_entered_value_is_shown_when_it_is_in_the_preferred_unit() {
        assert_eq!(shown_weight(80_250, Some((80.25, WeightUnit::Kg)), WeightUnit::Kg), "80.25 kg");
        assert_eq!(shown_weight(80_250, None, WeightUnit::Kg), "80.3 kg");
        assert_eq!(shown_weight(76_204, Some((12.0, WeightUnit::St)), WeightUnit::Kg), "76.2 kg");
        assert_eq!(shown_weight(76_204, Some((12.0, WeightUnit::St)), WeightUnit::Lb), "168.0 lb");
        assert_eq!(shown_weight(76_204, None, WeightUnit::St), "12.0 st");
    }

    #[test]
    fn half_a_gram_is_rounded_up() {
        assert_eq!(grams(80.0005, WeightUnit::Kg), 80_001);
        assert_eq!(grams(80.000_499, WeightUnit::Kg), 80_000);
    }

    #[test]
    fn a_unit_is_written_in_its_short_form() {
        for unit in [WeightUnit::Kg, WeightUnit::Lb, WeightUnit::St] {
            assert_eq!(serde_json::to_value(unit).unwrap(), unit.as_str());
            assert_eq!(WeightUnit::parse(unit.as_str()), Some(unit));
        }
        assert_eq!(WeightUnit::parse("KG"), None);
        let schema = serde_json::to_value(schemars::schema_for!(WeightUnit)).unwrap();
        assert_eq!(schema["enum"], serde_json::json!(["kg", "lb", "st"]));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_number_panics(value in any::<f64>(), stored in any::<i64>()) {
            for unit in [WeightUnit::Kg, WeightUnit::Lb, WeightUnit::St] {
                grams(value, unit);
                shown_weight(stored, Some((value, WeightUnit::Kg)), unit);
            }
        }
    }
}
