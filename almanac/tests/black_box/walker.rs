//! Walks published schemas and says what a strict host would refuse.

use serde_json::{Map, Value};

/// Keywords of the portable dialect, each with the types it may stand on.
const KEYWORDS: [(&str, &[&str]); 17] = [
    ("type", &[]),
    ("description", &[]),
    ("properties", &["object"]),
    ("required", &["object"]),
    ("additionalProperties", &["object"]),
    ("items", &["array"]),
    ("minItems", &["array"]),
    ("maxItems", &["array"]),
    ("enum", &["string"]),
    ("format", &["string"]),
    ("minLength", &["string"]),
    ("maxLength", &["string"]),
    ("minimum", &["number", "integer"]),
    ("maximum", &["number", "integer"]),
    ("default", &["string", "number", "integer", "boolean"]),
    ("title", &["-"]),
    ("$ref", &["-"]),
];
const TYPES: [&str; 6] = ["object", "array", "string", "number", "integer", "boolean"];
const DEEPEST: usize = 4;

/// Everything wrong with an input schema; empty when it is portable.
pub fn input_faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(top) = schema.as_object() else { return vec!["is no object".into()] };
    if top.get("type") != Some(&"object".into()) || !top.get("properties").is_some_and(Value::is_object) {
        faults.push("top level is not an object with properties".into());
    }
    if top.get("additionalProperties") != Some(&false.into()) {
        faults.push("top level allows other parameters".into());
    }
    if let Some(other) =
        top.keys().find(|key| !["type", "properties", "required", "additionalProperties"].contains(&key.as_str()))
    {
        faults.push(format!("{other} on the top level"));
    }
    node(top, "", 1, &mut faults);
    faults
}

fn node(schema: &Map<String, Value>, path: &str, depth: usize, faults: &mut Vec<String>) {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    if !TYPES.contains(&kind) {
        faults.push(format!("{path}: type {:?}", schema.get("type")));
    }
    for (keyword, value) in schema {
        match KEYWORDS.iter().find(|(known, _)| known == keyword) {
            None => faults.push(format!("{path}: keyword {keyword}")),
            Some((_, stands_on)) if !stands_on.is_empty() && !stands_on.contains(&kind) => {
                faults.push(format!("{path}: {keyword} on {kind}"));
            }
            Some(_) => faults.extend(value_fault(keyword, value, kind, path)),
        }
    }
    if depth > DEEPEST && kind == "object" {
        faults.push(format!("{path}: nested deeper than {DEEPEST} objects"));
    }
    if path.is_empty() || schema.contains_key("properties") {
        properties(schema, path, depth, faults);
    }
    if kind == "array" {
        match schema.get("items").and_then(Value::as_object) {
            Some(items) => node(items, &format!("{path}[]"), depth + usize::from(is_object(items)), faults),
            None => faults.push(format!("{path}: an array of anything")),
        }
    }
    if !path.is_empty() && schema.contains_key("additionalProperties") {
        faults.push(format!("{path}: additionalProperties below the top level"));
    }
}

fn properties(schema: &Map<String, Value>, path: &str, depth: usize, faults: &mut Vec<String>) {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    for (name, property) in properties {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if !is_name(name) {
            faults.push(format!("{path}: not a name"));
        }
        let Some(property) = property.as_object() else {
            faults.push(format!("{path}: a boolean schema"));
            continue;
        };
        match property.get("description").and_then(Value::as_str) {
            None | Some("") => faults.push(format!("{path}: no description")),
            Some(text) if text.chars().count() > 120 => faults.push(format!("{path}: description over 120 characters")),
            Some(_) => {}
        }
        node(property, &path, depth + usize::from(is_object(property)), faults);
    }
    match schema.get("required").map(Value::as_array) {
        None => {}
        Some(Some(required)) if required.is_empty() => faults.push(format!("{path}: an empty required")),
        Some(Some(required)) => {
            let known = |name: &Value| name.as_str().is_some_and(|name| properties.contains_key(name));
            faults.extend(required.iter().filter(|name| !known(name)).map(|name| format!("{path}: requires {name}")));
        }
        Some(None) => faults.push(format!("{path}: required is no list")),
    }
}

fn value_fault(keyword: &str, value: &Value, kind: &str, path: &str) -> Option<String> {
    let fits = match keyword {
        "enum" => value.as_array().is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_string)),
        "format" => value == "date",
        "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
        "minimum" | "maximum" => value.is_number(),
        "additionalProperties" => value == false,
        "description" => value.is_string(),
        "default" => match kind {
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            _ => value.is_number(),
        },
        _ => true,
    };
    (!fits).then(|| format!("{path}: {keyword} is {value}"))
}

/// Everything wrong with an output schema, which is loose on purpose.
pub fn output_faults(schema: &Value) -> Vec<String> {
    let Some(top) = schema.as_object() else { return vec!["is no object".into()] };
    let mut faults = Vec::new();
    if top.get("type") != Some(&"object".into()) {
        faults.push("is not the schema of an object".into());
    }
    faults.extend(
        top.keys().filter(|key| !["type", "properties"].contains(&key.as_str())).map(|key| format!("keyword {key}")),
    );
    for (name, property) in top.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let members = property.as_object().cloned().unwrap_or_default();
        if !members.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind)) {
            faults.push(format!("{name}: not one type"));
        }
        let loose = |key: &String| ["type", "description"].contains(&key.as_str());
        faults.extend(members.keys().filter(|key| !loose(key)).map(|key| format!("{name}: keyword {key}")));
    }
    faults
}

/// What of an answer contradicts its output schema.
pub fn mismatches(schema: &Value, answer: &Value) -> Vec<String> {
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    properties
        .iter()
        .filter(|(name, property)| !answer.get(name.as_str()).is_some_and(|value| is_of(value, &property["type"])))
        .map(|(name, property)| format!("{name} is not {}: {:?}", property["type"], answer.get(name.as_str())))
        .collect()
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        _ => false,
    }
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type") == Some(&"object".into())
}

pub fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(property: Value) -> Value {
        json!({"type": "object", "properties": {"it": property}, "additionalProperties": false})
    }

    #[test]
    fn a_portable_schema_has_no_fault() {
        let nested = json!({"type": "array", "description": "Sets.", "minItems": 1, "items": {"type": "object",
            "properties": {"reps": {"type": "integer", "description": "Count.", "minimum": 0}}, "required": ["reps"]}});
        assert_eq!(input_faults(&with(nested)), Vec::<String>::new());
        assert_eq!(
            input_faults(&json!({"type": "object", "properties": {}, "additionalProperties": false})),
            Vec::<String>::new()
        );
    }

    #[test]
    fn what_hosts_refuse_is_found() {
        for (property, found) in [
            (json!({"type": ["string", "null"], "description": "x"}), "type"),
            (json!({"type": "string", "description": "x", "pattern": "a"}), "pattern"),
            (json!({"type": "string", "description": "x", "format": "date-time"}), "format"),
            (json!({"type": "integer", "description": "x", "enum": [1]}), "enum"),
            (json!({"anyOf": [{"type": "string"}], "description": "x"}), "anyOf"),
            (json!({"$ref": "#/$defs/It", "description": "x"}), "$ref"),
            (json!({"type": "array", "description": "x"}), "array of anything"),
            (json!({"type": "string"}), "no description"),
            (json!({"type": "string", "description": "x".repeat(121)}), "120"),
            (json!(true), "boolean schema"),
            (json!({"type": "object", "description": "x", "additionalProperties": false}), "below the top"),
        ] {
            let faults = input_faults(&with(property.clone()));
            assert!(faults.iter().any(|fault| fault.contains(found)), "{property}: {faults:?}");
        }
        let mut deep = json!({"type": "object", "description": "x"});
        for _ in 0..4 {
            deep = json!({"type": "object", "description": "x", "properties": {"it": deep}});
        }
        assert!(input_faults(&with(deep)).iter().any(|fault| fault.contains("deeper")));
    }

    #[test]
    fn an_output_schema_shows_only_types() {
        assert_eq!(
            output_faults(&json!({"type": "object", "properties": {"id": {"type": "integer"}}})),
            Vec::<String>::new()
        );
        assert_eq!(output_faults(&json!({"type": "object", "required": ["id"]})), ["keyword required"]);
        assert_eq!(mismatches(&json!({"properties": {"id": {"type": "integer"}}}), &json!({"id": "1"})).len(), 1);
    }
}
