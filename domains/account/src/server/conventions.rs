use operation::{Area, Call, Effect, Entry};
use schemars::JsonSchema;
use serde::Serialize;

/// How to write inputs and read answers.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Conventions {
    timezone_handling: String,
    date_format: &'static str,
    timestamp_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    food_weights: Option<&'static str>,
    idempotency: String,
}

impl Conventions {
    pub fn of(call: &Call, listed: &[&Entry]) -> Self {
        let day = &call.caller.day;
        let journal =
            listed.iter().any(|entry| matches!(entry.needs, operation::Needs::Scope(s) if s.area == Area::Journal));
        let imperial = call.caller.person.as_ref().is_some_and(|person| person.prefers_imperial);
        Self {
            timezone_handling: format!(
                "A time without offset is read in the person's zone, {}; add Z only when they said UTC. Their day begins \
                 at {:02}:00, so take today from _meta or an answer and read dates back to them.",
                day.zone, day.day_start_hour
            ),
            date_format: "YYYY-MM-DD",
            timestamp_format: "YYYY-MM-DDTHH:MM in inputs; answers add seconds and the offset",
            weights_unit: journal.then_some(if imperial {
                "Give unit with every body weight: kg, lb or st; it is never guessed."
            } else {
                "Body weights are kg unless unit says lb or st."
            }),
            food_weights: journal.then_some("Food is in grams, sodium in mg, energy in kcal."),
            idempotency: repeatable(listed),
        }
    }
}

/// Which writes may be sent again after a lost answer.
fn repeatable(listed: &[&Entry]) -> String {
    let names = |repeatable: bool| {
        let made = listed.iter().filter(move |e| e.effect == Effect::Creates && e.idempotent == repeatable);
        made.map(|entry| entry.name).collect::<Vec<_>>().join(", ")
    };
    let (may, not) = (names(true), names(false));
    let mut text = String::from("Reads and removals may be repeated.");
    if !may.is_empty() {
        text.push_str(&format!(" After a network failure repeat with the same input: {may}."));
    }
    if !not.is_empty() {
        text.push_str(&format!(" Never repeat blindly: {not}."));
    }
    text
}
