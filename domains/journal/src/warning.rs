//! What the person should hear about a write that was kept all the same.

use calendar::{TimeNote, Zone};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Warning {
    pub code: &'static str,
    /// One sentence to tell the person.
    pub message: String,
    /// The meal that looks like the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meal_id: Option<i64>,
    /// The other moment at which the clock showed the given time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}

impl Warning {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), meal_id: None, other: None }
    }

    /// How a time was read, where it was not plain.
    pub fn of_time(note: TimeNote, zone: &Zone) -> Self {
        let message = match note {
            TimeNote::InGap => {
                "The clock skipped that time on that day; it was moved forward by the length of the gap."
            }
            TimeNote::Ambiguous { .. } => "The clock showed that time twice on that day; the earlier one was taken.",
            TimeNote::Assumed => "Only a date was given; the time of day is unknown.",
        };
        let other = match note {
            TimeNote::Ambiguous { other } => Some(other.in_zone(zone)),
            TimeNote::InGap | TimeNote::Assumed => None,
        };
        Self { other, ..Self::new(note.code(), message) }
    }
}
