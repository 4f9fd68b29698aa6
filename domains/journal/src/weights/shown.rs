use calendar::Date;
use operation::{Call, Failure};
use schemars::JsonSchema;
use serde::Serialize;
use storage::{Id, Tx};
use trend::SEED_DAYS;
use units::{WeightUnit, kilograms, shown_weight};

use super::{BodyWeight, body_weight};
use crate::number::{Number, Tenths};

/// A weigh-in as answers show it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShownWeight {
    pub id: Id<BodyWeight>,
    pub measured_on: Date,
    pub weight_kg: Number,
    pub entered: Entered,
    /// In the person's own units.
    pub display: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_fat_pct: Option<Tenths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fasted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    pub source: String,
    /// Goes into `expected_version`.
    pub version: i64,
}

/// What the person typed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Entered {
    pub value: Number,
    pub unit: WeightUnit,
}

impl ShownWeight {
    pub fn of(weight: &BodyWeight, call: &Call) -> Result<Self, Failure> {
        Ok(Self {
            id: weight.id,
            measured_on: weight.measured_on,
            weight_kg: weight.shown_kg(),
            entered: weight.shown_entered(),
            display: weight.display(call)?,
            body_fat_pct: weight.body_fat_pct,
            fasted: weight.fasted,
            notes: weight.notes.clone(),
            source: weight.source.clone(),
            version: weight.version,
        })
    }
}

impl BodyWeight {
    pub fn shown_kg(&self) -> Number {
        Number(kilograms(self.weight_g))
    }

    pub fn shown_entered(&self) -> Entered {
        let (value, unit) = self.entered;
        Entered { value: Number(value), unit }
    }

    /// The entered value when it is in the person's units, else converted.
    pub fn display(&self, call: &Call) -> Result<String, Failure> {
        let unit = match (call.person()?.prefers_imperial, self.entered.1) {
            (false, _) => WeightUnit::Kg,
            (true, WeightUnit::St) => WeightUnit::St,
            (true, WeightUnit::Kg | WeightUnit::Lb) => WeightUnit::Lb,
        };
        Ok(shown_weight(self.weight_g, Some(self.entered), unit))
    }
}

/// The trend on a date, from the readings of the year before it; `None` without one.
pub async fn trend_on(tx: &mut Tx, owner: i64, date: Date) -> Result<Option<Number>, Failure> {
    let weights = body_weight::list_between(tx, owner, date.plus_days(-SEED_DAYS), date).await?;
    let readings: Vec<_> = weights.iter().map(BodyWeight::reading).collect();
    Ok(trend::trend_at_readings(&readings).last().map(|kg| Number::hundredths(*kg)))
}
