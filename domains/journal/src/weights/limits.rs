//! What a body weight may be.

use calendar::Date;
use operation::{Call, FieldFault};
use units::{WeightUnit, grams};

const USUAL_G: std::ops::RangeInclusive<i64> = 20_000..=400_000;
const EXTREME_G: std::ops::RangeInclusive<i64> = 2_000..=650_000;

/// `weight` beyond what people weigh, or beyond what anybody ever weighed.
pub fn weight_fault(weight: f64, unit: WeightUnit, allow_extreme: bool) -> Option<FieldFault> {
    let grams = grams(weight, unit);
    let reason = match allow_extreme {
        true if !EXTREME_G.contains(&grams) => "must be 2 to 650 kg",
        false if !USUAL_G.contains(&grams) => "must be 20 to 400 kg; allow_extreme: true widens this to 2 to 650 kg",
        _ => return None,
    };
    Some(FieldFault::new("weight", reason))
}

/// The unit that holds: kilograms for metric people who name none; imperial people must name it, since nobody guesses
/// it from the number.
pub fn unit_or_fault(unit: Option<WeightUnit>, call: &Call) -> Result<WeightUnit, FieldFault> {
    let imperial = call.person().is_ok_and(|person| person.prefers_imperial);
    match unit {
        Some(unit) => Ok(unit),
        None if imperial => Err(FieldFault::new("unit", "Required")),
        None => Ok(WeightUnit::Kg),
    }
}

/// A plain date may be today by the day start or by the calendar, whichever is later.
pub fn date_fault(date: Option<Date>, call: &Call) -> Option<FieldFault> {
    let latest = call.caller.day.latest_date(call.now);
    date.filter(|date| *date > latest).map(|_| FieldFault::new("measured_on", "is in the future"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b19_zero_and_negative_weights_are_refused() {
        for weight in [0.0, -80.0, 19.9, 401.0] {
            assert!(weight_fault(weight, WeightUnit::Kg, false).is_some(), "{weight}");
        }
        assert_eq!(weight_fault(20.0, WeightUnit::Kg, false), None);
        assert_eq!(weight_fault(400.0, WeightUnit::Kg, false), None);
    }

    #[test]
    fn extreme_weights_need_a_word_and_have_limits_too() {
        assert!(weight_fault(3.4, WeightUnit::Kg, false).is_some());
        assert_eq!(weight_fault(3.4, WeightUnit::Kg, true), None);
        assert_eq!(weight_fault(1_400.0, WeightUnit::Lb, true), None);
        assert!(weight_fault(651.0, WeightUnit::Kg, true).is_some());
        assert!(weight_fault(1.9, WeightUnit::Kg, true).is_some());
    }
}
