//! The one check that every surface runs before an input is parsed: every wrong field at once, in the words of
//! `specs/mcp.md` §11.2. Values sent are never echoed.

use calendar::{CalendarError, Date, EventTime, Zone};
use serde_json::{Map, Value};

use super::{Bounds, Clear, Field, Fields, Kind, Shape, emit::number};
use crate::FieldFault;

/// Faults and, among them, unknown parameters of one object that a refusal names.
const MOST_FAULTS: usize = 50;
const MOST_UNKNOWN: usize = 10;
/// Characters of a list of parameters that may be repeated.
const SHORT_LIST: usize = 120;

impl Fields {
    /// The input made regular (JSON texts parsed, integral floats whole, nulls dropped or kept as "empty it"), or
    /// every fault in schema order, unknown parameters last.
    pub fn check(&self, input: Value) -> Result<Map<String, Value>, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let Value::Object(mut members) = input else {
            return Err(vec![FieldFault::new("input", "Expected object, received another type")]);
        };
        if self.clears {
            spread_clear(self, &mut members, &mut faults);
        }
        let checked = self.check_members(members, "", &mut faults);
        if faults.is_empty() { Ok(checked) } else { Err(bound(faults)) }
    }

    fn check_members(
        &self,
        mut members: Map<String, Value>,
        path: &str,
        faults: &mut Vec<FieldFault>,
    ) -> Map<String, Value> {
        let mut checked = Map::new();
        for field in &self.list {
            let path = join(path, &field.name);
            match members.swap_remove(&field.name) {
                None => field.check_absent(&path, faults),
                Some(Value::Null) => field.check_null(self.clears, &path, &mut checked, faults),
                Some(value) => {
                    let value = field.shape.check(value, &path, faults);
                    checked.insert(field.name.clone(), value);
                }
            }
        }
        self.refuse_unknown(&members, path, faults);
        checked
    }

    /// Names up to ten of them. A long list of what is allowed is given once.
    fn refuse_unknown(&self, left: &Map<String, Value>, path: &str, faults: &mut Vec<FieldFault>) {
        if left.is_empty() {
            return;
        }
        let mut unknown: Vec<&String> = left.keys().collect();
        unknown.sort();
        let allowed = self.names().collect::<Vec<_>>().join(", ");
        for (index, name) in unknown.iter().take(MOST_UNKNOWN).enumerate() {
            let shown: String = name.chars().filter(|c| !c.is_control()).take(64).collect();
            let with_list = index == 0 || allowed.len() <= SHORT_LIST;
            let reason = self.unknown(&shown, if with_list { &allowed } else { "" });
            faults.push(FieldFault::new(join(path, &shown), reason));
        }
        if let more @ 1.. = unknown.len().saturating_sub(MOST_UNKNOWN) {
            let place = if path.is_empty() { "input" } else { path };
            faults.push(FieldFault::new(place, format!("{more} more unknown parameters")));
        }
    }

    fn unknown(&self, name: &str, allowed: &str) -> String {
        if self.list.is_empty() {
            return "Unknown parameter; this tool takes none".into();
        }
        let near = self
            .names()
            .map(|known| (strsim::osa_distance(known, name), known))
            .filter(|(distance, known)| *distance <= 2.max(known.len() / 4))
            .min();
        let question = near.map_or(String::new(), |(_, known)| format!("; did you mean {known}?"));
        let stop = if question.is_empty() { "." } else { "" };
        let list = if allowed.is_empty() { String::new() } else { format!("{stop} Allowed: {allowed}") };
        format!("Unknown parameter{question}{list}")
    }
}

/// More faults than this are only counted: a refusal stays readable.
fn bound(mut faults: Vec<FieldFault>) -> Vec<FieldFault> {
    if let more @ 1.. = faults.len().saturating_sub(MOST_FAULTS) {
        faults.truncate(MOST_FAULTS);
        faults.push(FieldFault::new("input", format!("{more} more faults")));
    }
    faults
}

/// `clear: ["notes"]` becomes `notes: null`; a field both set and cleared is a fault.
fn spread_clear(fields: &Fields, members: &mut Map<String, Value>, faults: &mut Vec<FieldFault>) {
    let Some(clear) = fields.get(Clear::NAME) else { return };
    let Some(given) = members.swap_remove(Clear::NAME) else { return };
    let mut found = Vec::new();
    let checked = clear.shape.check(given, Clear::NAME, &mut found);
    if !found.is_empty() {
        faults.append(&mut found);
        return;
    }
    for name in checked.as_array().into_iter().flatten().filter_map(Value::as_str) {
        if members.get(name).is_some_and(|value| !value.is_null()) {
            faults.push(FieldFault::new(name, format!("give exactly one of {name}, clear")));
        }
        members.insert(name.to_owned(), Value::Null);
    }
}

impl Field {
    fn check_absent(&self, path: &str, faults: &mut Vec<FieldFault>) {
        if self.shape == Shape::Confirm {
            faults.push(FieldFault::new(path, "Invalid literal value, expected true"));
        } else if self.required {
            faults.push(FieldFault::new(path, "Required"));
        }
    }

    fn check_null(&self, clears: bool, path: &str, checked: &mut Map<String, Value>, faults: &mut Vec<FieldFault>) {
        if self.clearable {
            checked.insert(self.name.clone(), Value::Null);
        } else if clears && !self.required && self.default.is_none() && self.name != Clear::NAME {
            faults.push(FieldFault::new(path, "cannot be cleared"));
        } else {
            self.check_absent(path, faults);
        }
    }
}

impl Shape {
    /// The value made regular; faults are added, and then the value is of no use.
    fn check(&self, value: Value, path: &str, faults: &mut Vec<FieldFault>) -> Value {
        let value = self.unwrap_json_text(value);
        let fault = |faults: &mut Vec<FieldFault>, reason: String| faults.push(FieldFault::new(path, reason));
        match (self, value) {
            (Self::Confirm, Value::Bool(true)) => Value::Bool(true),
            (Self::Confirm, _) => {
                fault(faults, "Invalid literal value, expected true".into());
                Value::Null
            }
            (Self::Flag, Value::Bool(flag)) => Value::Bool(flag),
            (Self::Text { bounds, kind }, Value::String(text)) => {
                // PostgreSQL cannot store it, so no text has it on either engine.
                let text = text.replace('\0', "");
                if let Err(reason) = check_text(&text, bounds, kind) {
                    fault(faults, reason);
                }
                Value::String(text)
            }
            (Self::Integer(bounds), Value::Number(given)) => match whole(&given) {
                Some(whole) => {
                    if let Err(reason) = bounds.check_number(whole as f64) {
                        fault(faults, reason);
                    }
                    Value::from(whole)
                }
                None => {
                    fault(faults, "Expected integer, received float".into());
                    Value::Null
                }
            },
            (Self::Number(bounds), Value::Number(given)) => {
                if let Err(reason) = bounds.check_number(given.as_f64().unwrap_or(f64::NAN)) {
                    fault(faults, reason);
                }
                Value::Number(given)
            }
            (Self::List { item, bounds, .. }, Value::Array(items)) => {
                if let Err(reason) = bounds.check_length(items.len(), "items") {
                    fault(faults, reason);
                }
                let checked = items
                    .into_iter()
                    .enumerate()
                    .map(|(index, value)| item.check(value, &format!("{path}[{index}]"), faults))
                    .collect();
                Value::Array(checked)
            }
            (Self::List { item, single: true, .. }, value @ Value::Object(_)) => {
                Value::Array(vec![item.check(value, path, faults)])
            }
            (Self::Object(fields), Value::Object(members)) => {
                Value::Object(fields.check_members(members, path, faults))
            }
            (Self::Map, value @ Value::Object(_)) => value,
            (_, other) => {
                let received = received(&other);
                fault(faults, format!("Expected {}, received {received}", self.type_name()));
                Value::Null
            }
        }
    }

    /// Some clients send objects and arrays as JSON text; texts themselves are never parsed.
    fn unwrap_json_text(&self, value: Value) -> Value {
        let Value::String(text) = &value else { return value };
        match (self, serde_json::from_str(text)) {
            (Self::List { .. }, Ok(parsed @ Value::Array(_))) => parsed,
            (Self::List { single: true, .. } | Self::Object(_) | Self::Map, Ok(parsed @ Value::Object(_))) => parsed,
            _ => value,
        }
    }
}

fn check_text(text: &str, bounds: &Bounds, kind: &Kind) -> Result<(), String> {
    let said = |error: CalendarError| error.to_string();
    match kind {
        Kind::Plain => bounds.check_length(text.chars().count(), "characters"),
        Kind::Date => Date::parse(text).map(drop).map_err(said),
        Kind::EventTime => EventTime::parse(text).map(drop).map_err(said),
        Kind::Zone => Zone::parse(text).map(drop).map_err(said),
        Kind::OneOf(names) if names.iter().any(|name| name == text) => Ok(()),
        Kind::OneOf(names) => Err(format!("must be one of {}", names.join(", "))),
    }
}

impl Bounds {
    fn check_number(&self, value: f64) -> Result<(), String> {
        if let Some(min) = self.min.filter(|min| value < *min) {
            return Err(format!("must be ≥ {}", number(min)));
        }
        if let Some(above) = self.above.filter(|above| value <= *above) {
            return Err(format!("must be > {}", number(above)));
        }
        if let Some(max) = self.max.filter(|max| value > *max) {
            return Err(format!("must be ≤ {}", number(max)));
        }
        match self.multiple {
            Some(step) if !is_multiple(value, step) => Err(format!("must be a multiple of {}", number(step))),
            _ => Ok(()),
        }
    }

    fn check_length(&self, length: usize, what: &str) -> Result<(), String> {
        let length = length as f64;
        let (min, max) = (self.min.unwrap_or(0.0), self.max.unwrap_or(f64::INFINITY));
        if length >= min && length <= max {
            return Ok(());
        }
        Err(match self.max {
            Some(max) => format!("must be {} to {} {what}", number(min), number(max)),
            None => format!("must be {} or more {what}", number(min)),
        })
    }
}

/// Within the rounding of decimal fractions in binary.
fn is_multiple(value: f64, step: f64) -> bool {
    let steps = value / step;
    (steps - steps.round()).abs() < 1e-6
}

fn whole(given: &serde_json::Number) -> Option<i64> {
    given.as_i64().or_else(|| {
        let float = given.as_f64()?;
        (float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0).then_some(float as i64)
    })
}

fn received(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
