use crate::Reading;

const CHANGE_DAYS: i64 = 30;

/// What the readings of the last month say by themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightChange {
    /// Last reading minus the first one.
    pub value_kg: f64,
    /// Days between the two, at most 30.
    pub over_days: i64,
    pub confidence: Confidence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// Fewer than 30 days between the readings.
    Early,
    Established,
}

impl Confidence {
    /// `early` or `established`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Early => "early",
            Self::Established => "established",
        }
    }
}

/// The last reading minus the first one of the 30 days before it; `None` with fewer than two.
pub fn weight_change(readings: &[Reading]) -> Option<WeightChange> {
    let last = readings.last()?;
    let first = readings.iter().find(|reading| reading.date.days_until(last.date) <= CHANGE_DAYS)?;
    let over_days = first.date.days_until(last.date);
    if over_days == 0 {
        return None;
    }
    let confidence = if over_days == CHANGE_DAYS { Confidence::Established } else { Confidence::Early };
    Some(WeightChange { value_kg: (last.weight_g - first.weight_g) as f64 / 1000.0, over_days, confidence })
}
