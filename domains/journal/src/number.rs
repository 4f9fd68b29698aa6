//! Numbers as answers show them: as short as they are, `75` and `12.5`.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// An amount in tenths of its unit, as stored: 0.1 kcal or 0.1 g. Answers show the unit itself: 125 ⇒ `12.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Tenths(pub i64);

impl Tenths {
    /// An entered number, rounded to a tenth, half away from zero.
    pub fn of(value: f64) -> Self {
        Self(units::tenths(value))
    }

    /// Multiplied and rounded once.
    pub fn times(self, factor: f64) -> Self {
        Self::of(units::from_tenths(self.0) * factor)
    }

    /// Rounded to a whole number, half away from zero.
    pub fn whole(self) -> i64 {
        units::whole(self.0)
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 10, self.0 % 10) {
            (whole, 0) => write!(f, "{whole}"),
            _ => write!(f, "{}", units::from_tenths(self.0)),
        }
    }
}

impl Serialize for Tenths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(units::from_tenths(self.0)).serialize(serializer)
    }
}

impl From<Tenths> for storage::Value {
    fn from(tenths: Tenths) -> Self {
        tenths.0.into()
    }
}

impl storage::FromValue for Tenths {
    fn from_value(value: &storage::Value) -> Option<Self> {
        i64::from_value(value).map(Self)
    }
}

/// A number that is shown without `.0` when it is whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

impl Number {
    /// Rounded to two decimals, as trends are shown.
    pub fn hundredths(value: f64) -> Self {
        Self((value * 100.0).round() / 100.0)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 9.0e15 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

macro_rules! shown_as_a_number {
    ($($name:ident),+) => {$(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "number"})
            }
        }
    )+};
}

shown_as_a_number!(Tenths, Number);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_amounts_are_shown_without_a_point() {
        let shown = [Tenths(750), Tenths(125), Tenths(0), Tenths(-5)];
        assert_eq!(serde_json::to_string(&shown).unwrap(), "[75,12.5,0,-0.5]");
        assert_eq!(shown.map(|tenths| tenths.to_string()), ["75", "12.5", "0", "-0.5"]);
        assert_eq!(serde_json::to_string(&Number::hundredths(80.0241)).unwrap(), "80.02");
    }

    #[test]
    fn a_share_is_rounded_once() {
        assert_eq!(Tenths(3_750).times(0.5), Tenths(1_875));
        assert_eq!(Tenths(25).times(0.5), Tenths(13));
        assert_eq!(Tenths(1).times(1.0 / 3.0), Tenths(0));
    }
}
