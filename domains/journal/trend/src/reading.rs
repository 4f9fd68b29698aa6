use calendar::Date;

/// A weigh-in: at most one per date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub date: Date,
    /// Grams, as stored.
    pub weight_g: i64,
}

impl Reading {
    pub fn kg(self) -> f64 {
        self.weight_g as f64 / 1000.0
    }
}
