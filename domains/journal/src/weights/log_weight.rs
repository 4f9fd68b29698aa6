use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Id, Tx};
use units::{WeightUnit, grams};

use super::{
    BodyWeight, body_weight, limits,
    shown::{Entered, trend_on},
};
use crate::{
    number::{Number, Tenths},
    saying, text,
    warning::Warning,
};

/// Logs a weigh-in; one a date. Logging the same date again replaces the weight and keeps what is left out.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogWeight {
    /// Default today.
    #[serde(default)]
    pub measured_on: Option<Date>,
    /// In `unit`.
    #[schemars(extend("exclusiveMinimum" = 0, "x-quiet" = true), range(max = 1500))]
    pub weight: f64,
    /// Default kg; required for imperial people.
    #[serde(default)]
    pub unit: Option<WeightUnit>,
    /// Percent.
    #[serde(default)]
    #[schemars(range(min = 2, max = 75), extend("x-quiet" = true))]
    pub body_fat_pct: Option<f64>,
    /// Before eating.
    #[serde(default)]
    pub fasted: Option<bool>,
    /// 2 to 650 kg.
    #[serde(default)]
    pub allow_extreme: bool,
    /// Notes.
    #[serde(default)]
    #[schemars(length(max = 2000), extend("x-quiet" = true))]
    pub notes: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LoggedWeight {
    pub id: Id<BodyWeight>,
    pub measured_on: Date,
    pub weight_kg: Number,
    pub entered: Entered,
    /// In the person's own units.
    pub display: String,
    /// The smoothed weight on that date.
    pub trend_kg: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Replaced>,
    pub date: Date,
    pub summary: String,
    pub warnings: Vec<Warning>,
}

/// The weight that stood there before.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Replaced {
    pub weight_kg: Number,
}

impl Operation for LogWeight {
    const NAME: &'static str = "log_weight";
    const PATH: &'static str = "/body-weights";
    const EFFECT: Effect = Effect::Creates;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "body_weight";
    const ROLE: Role = Role::Create;
    const IDEMPOTENT: bool = true;
    const EVERYDAY: bool = true;

    type Output = LoggedWeight;

    fn example() -> Value {
        json!({"measured_on": "2026-05-25", "weight": 80.4, "unit": "kg"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let mut faults: Vec<FieldFault> = limits::date_fault(self.measured_on, call).into_iter().collect();
        match limits::unit_or_fault(self.unit, call) {
            Ok(unit) => faults.extend(limits::weight_fault(self.weight, unit, self.allow_extreme)),
            Err(fault) => faults.push(fault),
        }
        faults
    }
}

impl Local for LogWeight {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<LoggedWeight, Failure> {
        let owner = call.owner()?;
        let date = self.measured_on.unwrap_or_else(|| call.today());
        let old = body_weight::on(tx, owner, date).await?;
        let mut new = match &old {
            Some(old) => old.clone(),
            None => self.fresh(body_weight::new_id(tx).await?, date, call),
        };
        self.write_onto(&mut new, call)?;
        match &old {
            None => body_weight::insert(tx, owner, &new).await?,
            Some(old) if *old != new => {
                new.version += 1;
                new.updated_at = call.now;
                body_weight::update(tx, owner, &new).await?;
            }
            Some(_) => {}
        }
        let trend_kg = trend_on(tx, owner, date).await?;
        self.answer(&new, old.as_ref(), trend_kg, call)
    }
}

impl LogWeight {
    fn fresh(&self, id: Id<BodyWeight>, measured_on: Date, call: &Call) -> BodyWeight {
        BodyWeight {
            id,
            version: 1,
            created_at: call.now,
            updated_at: call.now,
            source: call.caller.source.clone(),
            measured_on,
            weight_g: 0,
            entered: (0.0, WeightUnit::Kg),
            body_fat_pct: None,
            fasted: None,
            notes: None,
        }
    }

    /// What was given; the rest stays.
    fn write_onto(&self, row: &mut BodyWeight, call: &Call) -> Result<(), Failure> {
        let unit = limits::unit_or_fault(self.unit, call).map_err(|fault| Failure::Invalid(vec![fault]))?;
        row.weight_g = grams(self.weight, unit);
        row.entered = (self.weight, unit);
        row.body_fat_pct = self.body_fat_pct.map(Tenths::of).or(row.body_fat_pct);
        row.fasted = self.fasted.or(row.fasted);
        row.notes = self.notes.as_deref().and_then(text::notes).or(row.notes.take());
        Ok(())
    }

    fn answer(
        &self,
        row: &BodyWeight,
        old: Option<&BodyWeight>,
        trend_kg: Option<Number>,
        call: &Call,
    ) -> Result<LoggedWeight, Failure> {
        let display = row.display(call)?;
        let mut summary = format!("Logged weight for {}: {display}", saying::date(row.measured_on, call.today()));
        let mut warnings = Vec::new();
        let replaced = old.filter(|old| old.weight_g != row.weight_g);
        if let Some(old) = replaced {
            let was = old.display(call)?;
            summary.push_str(&format!(", replacing {was}"));
            warnings.push(Warning::new("value_replaced", format!("{was} stood there for that date and was replaced.")));
        }
        if let Some(kept) = old.and_then(|old| self.kept(old)) {
            summary.push_str(&format!("; kept {kept}"));
        }
        Ok(LoggedWeight {
            id: row.id,
            measured_on: row.measured_on,
            weight_kg: row.shown_kg(),
            entered: row.shown_entered(),
            display,
            trend_kg,
            replaced: replaced.map(|old| Replaced { weight_kg: old.shown_kg() }),
            date: row.measured_on,
            summary,
            warnings,
        })
    }

    /// What was left out and stays as it was: `body fat and notes`.
    fn kept(&self, old: &BodyWeight) -> Option<String> {
        let kept: Vec<&str> = [
            ("body fat", old.body_fat_pct.is_some() && self.body_fat_pct.is_none()),
            ("fasted", old.fasted.is_some() && self.fasted.is_none()),
            ("notes", old.notes.is_some() && self.notes.is_none()),
        ]
        .iter()
        .filter(|(_, kept)| *kept)
        .map(|(name, _)| *name)
        .collect();
        (!kept.is_empty()).then(|| kept.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::{Story, codes};
    use testkit::TestEngine;

    storage::on_both_engines! { a_weigh_in_is_kept_as_entered, o21_pounds_are_grams_and_stay_the_pounds_entered, o2_the_last_weight_of_a_date_wins, a_plain_date_is_not_shifted_by_the_day_start, what_nobody_weighs_needs_a_word }

    async fn a_weigh_in_is_kept_as_entered(engine: TestEngine) {
        let story = Story::new(engine).await;
        let answer = story.call("log_weight", json!({"weight": 82.4})).await;
        assert_eq!((&answer["measured_on"], &answer["weight_kg"]), (&json!("2026-05-25"), &json!(82.4)));
        assert_eq!((&answer["display"], &answer["trend_kg"]), (&json!("82.4 kg"), &json!(82.4)));
        assert_eq!(answer["entered"], json!({"value": 82.4, "unit": "kg"}));
        assert_eq!(answer["summary"], "Logged weight for 2026-05-25 (Mon, today): 82.4 kg");
        assert_eq!((answer.get("replaced"), &answer["warnings"]), (None, &json!([])));
    }

    async fn o21_pounds_are_grams_and_stay_the_pounds_entered(engine: TestEngine) {
        let mut story = Story::new(engine).await;
        story.imperial().await;
        let refused = story.refused("log_weight", json!({"weight": 180})).await;
        assert_eq!(refused["fields"], json!([{"field": "unit", "reason": "Required"}]));
        let answer = story.call("log_weight", json!({"weight": 180, "unit": "lb"})).await;
        assert_eq!((&answer["weight_kg"], &answer["display"]), (&json!(81.647), &json!("180.0 lb")));
        let stones = story.call("log_weight", json!({"weight": 12, "unit": "st", "measured_on": "2026-05-24"})).await;
        assert_eq!((&stones["weight_kg"], &stones["display"]), (&json!(76.204), &json!("12.0 st")));
    }

    async fn o2_the_last_weight_of_a_date_wins(engine: TestEngine) {
        let story = Story::new(engine).await;
        let first = story.call("log_weight", json!({"weight": 80.0, "body_fat_pct": 18, "notes": "gym scale"})).await;
        let second = story.call("log_weight", json!({"weight": 79.5})).await;
        assert_eq!((&second["id"], &second["replaced"]), (&first["id"], &json!({"weight_kg": 80})));
        assert_eq!(codes(&second), ["value_replaced"]);
        assert_eq!(
            second["summary"],
            "Logged weight for 2026-05-25 (Mon, today): 79.5 kg, replacing 80.0 kg; kept body fat and notes"
        );
        let third = story.call("log_weight", json!({"weight": 80.0})).await;
        assert_eq!((&third["weight_kg"], &third["trend_kg"]), (&json!(80), &json!(80)));
        let again = story.call("log_weight", json!({"weight": 80.0})).await;
        assert_eq!((again.get("replaced"), &again["warnings"]), (None, &json!([])), "a retry replaces nothing");
    }

    async fn a_plain_date_is_not_shifted_by_the_day_start(engine: TestEngine) {
        let story = Story::new(engine).await;
        story.at("2026-05-26T01:00:00-04:00");
        let left_out = story.call("log_weight", json!({"weight": 80})).await;
        assert_eq!(left_out["measured_on"], "2026-05-25");
        let by_calendar = story.call("log_weight", json!({"weight": 80, "measured_on": "2026-05-26"})).await;
        assert_eq!(by_calendar["measured_on"], "2026-05-26");
        let body = story.refused("log_weight", json!({"weight": 80, "measured_on": "2026-05-27"})).await;
        assert_eq!(body["fields"], json!([{"field": "measured_on", "reason": "is in the future"}]));
    }

    async fn what_nobody_weighs_needs_a_word(engine: TestEngine) {
        let story = Story::new(engine).await;
        let zero = story.refused("log_weight", json!({"weight": 0})).await;
        assert_eq!(zero["fields"], json!([{"field": "weight", "reason": "must be > 0"}]));
        let low = story.refused("log_weight", json!({"weight": 3.4})).await;
        let reason = "must be 20 to 400 kg; allow_extreme: true widens this to 2 to 650 kg";
        assert_eq!(low["fields"], json!([{"field": "weight", "reason": reason}]));
        story.call("log_weight", json!({"weight": 3.4, "allow_extreme": true})).await;
    }
}
