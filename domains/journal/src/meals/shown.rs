use calendar::Date;
use schemars::JsonSchema;
use serde::Serialize;
use storage::Id;

use super::{Meal, MealSlot, Nutrients, meal::Place};

/// A meal as answers show it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShownMeal {
    pub id: Id<Meal>,
    /// Local time with the offset of its zone, or the date alone where the time is unknown.
    pub eaten_at: String,
    pub zone: String,
    pub user_date: Date,
    pub name: Option<String>,
    pub slot: Option<MealSlot>,
    /// `derived`: the slot follows from the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot_source: Option<&'static str>,
    #[serde(flatten)]
    pub nutrients: Nutrients,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    pub source: String,
    /// Goes into `expected_version`.
    pub version: i64,
    /// Where it stands in a list, newest first.
    #[serde(skip)]
    #[schemars(skip)]
    pub place: Place,
}

impl From<&Meal> for ShownMeal {
    fn from(meal: &Meal) -> Self {
        Self {
            id: meal.id,
            eaten_at: meal.eaten_at_shown(),
            zone: meal.zone.name().to_owned(),
            user_date: meal.user_date,
            name: meal.name.clone(),
            slot: meal.slot,
            slot_source: meal.slot_source(),
            nutrients: meal.nutrients,
            notes: meal.notes.clone(),
            source: meal.source.clone(),
            version: meal.version,
            place: (meal.user_date, meal.eaten_at, meal.id.raw()),
        }
    }
}

impl Meal {
    /// `derived` when nobody gave the slot.
    pub fn slot_source(&self) -> Option<&'static str> {
        self.slot_derived.then_some("derived")
    }
}
