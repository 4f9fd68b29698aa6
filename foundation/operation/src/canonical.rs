//! The canonical form of an input and the key derived from it (`specs/journal.md` §5.5).

use aws_lc_rs::digest::{SHA256, digest};
use calendar::{DayClock, EventTime, Instant};
use serde_json::{Map, Value};

use crate::{Fields, Kind, Shape};

/// Parameters that say how to repeat a call, not what it does.
const ABOUT_THE_CALL: [&str; 2] = ["idempotency_key", "allow_duplicate"];

/// Canonical JSON: members sorted by name, no white space, shortest numbers, absent and null members left out.
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

/// `meal:<person>:<sha256 of the canonical input>`, without the parameters that are about the call itself.
pub fn derived_key(kind: &str, person: i64, input: &Map<String, Value>) -> String {
    format!("{kind}:{person}:{}", payload_hash(input))
}

/// Lower-case hex SHA-256 of the canonical input, without the parameters that are about the call itself.
pub fn payload_hash(input: &Map<String, Value>) -> String {
    let members: Map<String, Value> = input
        .iter()
        .filter(|(name, _)| !ABOUT_THE_CALL.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    hex_sha256(canonical_json(&Value::Object(members)).as_bytes())
}

pub fn hex_sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    digest(&SHA256, bytes).as_ref().iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}"); // writing to a String cannot fail
        hex
    })
}

impl Fields {
    /// The input with its event times as resolved UTC instants; a date-only time stays a date. Nested inputs have none.
    pub fn with_instants(&self, input: &Map<String, Value>, day: &DayClock, now: Instant) -> Map<String, Value> {
        let mut resolved = input.clone();
        for field in self.event_times() {
            let Some(time) = input.get(field).and_then(Value::as_str).and_then(|text| EventTime::parse(text).ok())
            else {
                continue;
            };
            if matches!(time, EventTime::Day(_)) {
                continue;
            }
            if let Ok(moment) = day.resolve(Some(&time), now) {
                resolved.insert(field.to_owned(), moment.at.utc().into());
            }
        }
        resolved
    }

    /// Whether an event time with a clock is given: what makes two equal inputs the same event for a whole day.
    pub fn has_clock_time(&self, input: &Map<String, Value>) -> bool {
        self.event_times()
            .filter_map(|name| input.get(name)?.as_str())
            .any(|text| !matches!(EventTime::parse(text), Ok(EventTime::Day(_)) | Err(_)))
    }

    fn event_times(&self) -> impl Iterator<Item = &str> {
        self.list
            .iter()
            .filter(|field| matches!(field.shape, Shape::Text { kind: Kind::EventTime, .. }))
            .map(|field| field.name.as_str())
    }
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().filter(|name| !members[*name].is_null()).collect();
            names.sort();
            text.push('{');
            for (index, name) in names.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(&members[name], text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_canonical(item, text);
            }
            text.push(']');
        }
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 9.0e15 => text.push_str(&(float as i64).to_string()),
            _ => text.push_str(&number.to_string()),
        },
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_journals_oracle_key_is_reproduced() {
        let input = json!({"kcal": 500.0, "protein_g": 25, "carb_g": 50, "fat_g": 18, "eaten_at": "2026-05-25T16:30:00Z",
            "name": null, "allow_duplicate": false});
        let input = input.as_object().unwrap();
        assert_eq!(payload_hash(input), "5cd4954303035576da65ab7238562710a592bda2ccd5e1d171a12a24ea2defa4");
    }

    #[test]
    fn the_bridges_oracle_key_is_over_the_input_as_received() {
        let input = json!({"eaten_at": "2026-05-25T12:30:00", "kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18});
        let key = derived_key("meal", 7, input.as_object().unwrap());
        assert_eq!(key, "meal:7:ea47d32e6e940a81f1ab5885cfbac6ff6a36711a177f83d2d74e90b9970eed33");
    }

    #[test]
    fn order_and_white_space_do_not_matter_but_a_different_number_does() {
        let one = canonical_json(&json!({"b": [1.0, {"y": 2, "x": null}], "a": "é"}));
        assert_eq!(one, r#"{"a":"é","b":[1,{"y":2}]}"#);
        assert_ne!(one, canonical_json(&json!({"b": [1.5, {"y": 2}], "a": "é"})));
    }
}
