use std::{borrow::Cow, fmt, hash, marker::PhantomData, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of a row of entity `T`, 1 … 2^53 − 1; an integer in JSON.
pub struct Id<T>(i64, PhantomData<fn() -> T>);

impl<T> Id<T> {
    /// The largest id: what a JSON number holds exactly.
    pub const MAX: i64 = (1 << 53) - 1;

    pub const fn new(raw: i64) -> Self {
        Self(raw, PhantomData)
    }

    pub const fn raw(self) -> i64 {
        self.0
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> hash::Hash for Id<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> FromStr for Id<T> {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::new)
    }
}

impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Self::new)
    }
}

impl<T> JsonSchema for Id<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": Id::<T>::MAX, "x-quiet": true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Meal;

    #[test]
    fn an_id_is_an_integer_in_json() {
        let id: Id<Meal> = serde_json::from_str("42").unwrap();
        assert_eq!(id, Id::new(42));
        assert_eq!(serde_json::to_string(&id).unwrap(), "42");
        assert!(serde_json::from_str::<Id<Meal>>("\"42\"").is_err());
    }

    #[test]
    fn its_schema_is_what_json_numbers_can_hold() {
        let schema = serde_json::to_value(schemars::schema_for!(Id<Meal>)).unwrap();
        assert_eq!(schema["type"], "integer");
        assert_eq!(schema["maximum"], 9_007_199_254_740_991_i64);
    }
}
