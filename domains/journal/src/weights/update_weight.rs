use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Patch, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use storage::{Id, Tx};
use units::{WeightUnit, grams};

use super::{
    BodyWeight, body_weight, limits,
    shown::{ShownWeight, trend_on},
};
use crate::{
    number::{Number, Tenths},
    patch, saying, text,
    warning::Warning,
};

/// Corrects a weigh-in: only fields given change, also its date. To log a new weight use `log_weight`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateWeight {
    /// Id of the weigh-in.
    pub weight_id: Id<BodyWeight>,
    /// New date.
    #[serde(default)]
    pub measured_on: Option<Date>,
    /// In `unit`.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0, "x-quiet" = true), range(max = 1500))]
    pub weight: Option<f64>,
    /// Default kg; required for imperial people.
    #[serde(default)]
    pub unit: Option<WeightUnit>,
    /// Percent.
    #[serde(default)]
    #[schemars(range(min = 2, max = 75), extend("x-quiet" = true))]
    pub body_fat_pct: Patch<f64>,
    /// Before eating.
    #[serde(default)]
    pub fasted: Patch<bool>,
    /// 2 to 650 kg.
    #[serde(default)]
    pub allow_extreme: bool,
    /// Notes.
    #[serde(default)]
    #[schemars(length(max = 2000), extend("x-quiet" = true))]
    pub notes: Patch<String>,
    /// Known version.
    #[serde(default)]
    #[schemars(range(min = 1), extend("x-quiet" = true))]
    pub expected_version: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct UpdatedWeight {
    pub body_weight: ShownWeight,
    /// The smoothed weight on its date.
    pub trend_kg: Option<Number>,
    /// Old values of what changed.
    pub before: Map<String, Value>,
    pub summary: String,
    pub warnings: Vec<Warning>,
}

impl Operation for UpdateWeight {
    const NAME: &'static str = "update_weight";
    const PATH: &'static str = "/body-weights/{weight_id}";
    const EFFECT: Effect = Effect::Changes;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "body_weight";
    const ROLE: Role = Role::Update;
    const UNTRUSTED: &'static [&'static str] = &["body_weight.notes", "before.notes"];

    type Output = UpdatedWeight;

    fn example() -> Value {
        json!({"weight_id": 1, "weight": 79.8, "unit": "kg"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        if self.changes_nothing() {
            faults.push(FieldFault::new("weight_id", "nothing to change"));
        }
        faults.extend(limits::date_fault(self.measured_on, call));
        match (self.weight, self.unit) {
            (Some(weight), unit) => match limits::unit_or_fault(unit, call) {
                Ok(unit) => faults.extend(limits::weight_fault(weight, unit, self.allow_extreme)),
                Err(fault) => faults.push(fault),
            },
            (None, Some(_)) => faults.push(FieldFault::new("weight", "Required")),
            (None, None) => {}
        }
        faults
    }
}

impl Local for UpdateWeight {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<UpdatedWeight, Failure> {
        let owner = call.owner()?;
        let missing = || Failure::not_found("body_weight", self.weight_id.raw());
        let old = body_weight::get(tx, owner, self.weight_id).await?.ok_or_else(missing)?;
        let old_shown = ShownWeight::of(&old, call)?;
        patch::check_version(self.expected_version, old.version, &old_shown)?;

        let mut new = self.applied_to(&old, call)?;
        if new.measured_on != old.measured_on {
            date_must_be_free(tx, owner, new.measured_on).await?;
        }
        if new != old {
            new.version += 1;
            new.updated_at = call.now;
            body_weight::update(tx, owner, &new).await?;
        }
        let body_weight = ShownWeight::of(&new, call)?;
        let before = patch::before(&old_shown, &body_weight)?;
        Ok(UpdatedWeight {
            trend_kg: trend_on(tx, owner, new.measured_on).await?,
            summary: summary(&old, &new, &old_shown.display, &body_weight.display, call),
            body_weight,
            before,
            warnings: Vec::new(),
        })
    }
}

async fn date_must_be_free(tx: &mut Tx, owner: i64, date: Date) -> Result<(), Failure> {
    match body_weight::on(tx, owner, date).await? {
        None => Ok(()),
        Some(other) => Err(Failure::conflict(
            "date_taken",
            format!("There is a weigh-in on {date} already; change or delete that one."),
            json!({"existing_id": other.id}),
        )),
    }
}

impl UpdateWeight {
    fn changes_nothing(&self) -> bool {
        let words = !self.body_fat_pct.is_keep() || !self.fasted.is_keep() || !self.notes.is_keep();
        !words && self.measured_on.is_none() && self.weight.is_none() && self.unit.is_none()
    }

    fn applied_to(&self, old: &BodyWeight, call: &Call) -> Result<BodyWeight, Failure> {
        let mut new = old.clone();
        new.measured_on = self.measured_on.unwrap_or(old.measured_on);
        if let Some(weight) = self.weight {
            let unit = limits::unit_or_fault(self.unit, call).map_err(|fault| Failure::Invalid(vec![fault]))?;
            new.weight_g = grams(weight, unit);
            new.entered = (weight, unit);
        }
        match self.body_fat_pct {
            Patch::Keep => {}
            Patch::Clear => new.body_fat_pct = None,
            Patch::Set(value) => new.body_fat_pct = Some(Tenths::of(value)),
        }
        new.fasted = self.fasted.clone().apply(old.fasted);
        match &self.notes {
            Patch::Keep => {}
            Patch::Clear => new.notes = None,
            Patch::Set(notes) => new.notes = text::notes(notes),
        }
        Ok(new)
    }
}

fn summary(old: &BodyWeight, new: &BodyWeight, old_display: &str, display: &str, call: &Call) -> String {
    let date = saying::date(new.measured_on, call.today());
    if new == old {
        return format!("Weight for {date} is unchanged: {display}");
    }
    let mut was = Vec::new();
    if old_display != display {
        was.push(old_display.to_owned());
    }
    if old.measured_on != new.measured_on {
        was.push(format!("on {}", saying::date(old.measured_on, call.today())));
    }
    let was = if was.is_empty() { String::new() } else { format!(" (was {})", was.join(", ")) };
    format!("Updated weight for {date}: now {display}{was}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { only_what_is_given_changes, a_taken_date_is_refused_with_the_weigh_in_that_has_it, the_rules_of_a_new_weight_hold }

    async fn two_weights(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        story.call("log_weight", json!({"weight": 80.4, "measured_on": "2026-05-24", "body_fat_pct": 20.5})).await;
        story.call("log_weight", json!({"weight": 80.2, "fasted": true})).await;
        story
    }

    async fn only_what_is_given_changes(engine: TestEngine) {
        let story = two_weights(engine).await;
        let answer = story.call("update_weight", json!({"weight_id": 1, "weight": 79.9, "unit": "kg"})).await;
        assert_eq!((&answer["body_weight"]["weight_kg"], &answer["body_weight"]["version"]), (&json!(79.9), &json!(2)));
        assert_eq!(answer["body_weight"]["body_fat_pct"], 20.5);
        let before = json!({"weight_kg": 80.4, "entered": {"value": 80.4, "unit": "kg"}, "display": "80.4 kg"});
        assert_eq!(answer["before"], before);
        assert_eq!(answer["summary"], "Updated weight for 2026-05-24 (Sun, yesterday): now 79.9 kg (was 80.4 kg)");
        let cleared = story.call("update_weight", json!({"weight_id": 1, "clear": ["body_fat_pct"]})).await;
        assert_eq!(cleared["body_weight"].get("body_fat_pct"), None);
    }

    async fn a_taken_date_is_refused_with_the_weigh_in_that_has_it(engine: TestEngine) {
        let story = two_weights(engine).await;
        let body = story.refused("update_weight", json!({"weight_id": 1, "measured_on": "2026-05-25"})).await;
        assert_eq!((&body["error"], &body["existing_id"]), (&json!("date_taken"), &json!(2)));
        let moved = story.call("update_weight", json!({"weight_id": 1, "measured_on": "2026-05-23"})).await;
        assert_eq!(moved["body_weight"]["measured_on"], "2026-05-23");
        assert!(moved["summary"].as_str().unwrap().ends_with("(was on 2026-05-24 (Sun, yesterday))"));
    }

    async fn the_rules_of_a_new_weight_hold(engine: TestEngine) {
        let story = two_weights(engine).await;
        for (input, field, reason) in [
            (json!({"weight_id": 1}), "weight_id", "nothing to change"),
            (json!({"weight_id": 1, "unit": "lb"}), "weight", "Required"),
            (json!({"weight_id": 1, "measured_on": "2026-05-26"}), "measured_on", "is in the future"),
            (json!({"weight_id": 1, "body_fat_pct": 76}), "body_fat_pct", "must be ≤ 75"),
        ] {
            let body = story.refused("update_weight", input).await;
            assert_eq!(body["fields"], json!([{"field": field, "reason": reason}]));
        }
        let stale = story.refused("update_weight", json!({"weight_id": 1, "weight": 80, "expected_version": 7})).await;
        assert_eq!((&stale["error"], &stale["current"]["id"]), (&json!("version_conflict"), &json!(1)));
        assert_eq!(story.refused("update_weight", json!({"weight_id": 9, "weight": 80})).await["what"], "body_weight");
    }
}
