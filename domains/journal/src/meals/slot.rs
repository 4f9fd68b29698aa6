use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Part of the day that a meal belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MealSlot {
    Breakfast,
    Lunch,
    Dinner,
    Snack,
}

impl MealSlot {
    /// The usual slot at a local hour (0–23).
    pub fn at(hour: u8) -> Self {
        match hour {
            4..=10 => Self::Breakfast,
            11..=15 => Self::Lunch,
            16..=21 => Self::Dinner,
            _ => Self::Snack,
        }
    }

    /// As stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breakfast => "breakfast",
            Self::Lunch => "lunch",
            Self::Dinner => "dinner",
            Self::Snack => "snack",
        }
    }

    /// Reads what [`MealSlot::as_str`] wrote; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Breakfast, Self::Lunch, Self::Dinner, Self::Snack].into_iter().find(|slot| slot.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slot_follows_the_local_clock() {
        use MealSlot::{Breakfast, Dinner, Lunch, Snack};
        let slots = [3, 4, 10, 11, 15, 16, 21, 22, 0].map(MealSlot::at);
        assert_eq!(slots, [Snack, Breakfast, Breakfast, Lunch, Lunch, Dinner, Dinner, Snack, Snack]);
    }

    #[test]
    fn a_slot_is_stored_as_it_is_shown() {
        for slot in [MealSlot::Breakfast, MealSlot::Lunch, MealSlot::Dinner, MealSlot::Snack] {
            assert_eq!(MealSlot::parse(slot.as_str()), Some(slot));
            assert_eq!(serde_json::to_value(slot).unwrap(), slot.as_str());
        }
        assert_eq!(MealSlot::parse("brunch"), None);
    }
}
