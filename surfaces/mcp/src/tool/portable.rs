//! The walker over input schemas: clients feed them to model APIs that reject a whole request over one keyword.

use serde_json::{Map, Value};

const KEYWORDS: [&str; 14] = [
    "type",
    "description",
    "properties",
    "required",
    "items",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "default",
    "format",
];
const TYPES: [&str; 6] = ["object", "array", "string", "number", "integer", "boolean"];
/// Nested objects, the top level counted as 1.
const DEEPEST: usize = 4;

/// Everything in an input schema that `specs/mcp.md` §8.3 does not allow.
pub(crate) fn faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(root) = schema.as_object() else {
        return vec!["the schema is no object".into()];
    };
    if root.get("type") != Some(&Value::from("object")) || !root.contains_key("properties") {
        faults.push("the top level is no object with properties".into());
    }
    if root.get("additionalProperties") != Some(&Value::Bool(false)) {
        faults.push("the top level allows further properties".into());
    }
    let mut inner = root.clone();
    inner.remove("additionalProperties");
    walk(&inner, "input", 1, &mut faults);
    faults
}

fn walk(schema: &Map<String, Value>, path: &str, depth: usize, faults: &mut Vec<String>) {
    for (keyword, value) in schema {
        let allowed = match keyword.as_str() {
            "enum" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
            "format" => value == "date",
            "type" => value.as_str().is_some_and(|name| TYPES.contains(&name)),
            known => KEYWORDS.contains(&known),
        };
        if !allowed {
            faults.push(format!("{path}: {keyword} is not portable here"));
        }
    }
    if !schema.contains_key("type") {
        faults.push(format!("{path}: has no type"));
    }
    walk_properties(schema, path, depth, faults);
    if let Some(item) = schema.get("items") {
        walk_value(item, &format!("{path}[]"), depth, faults);
    }
}

fn walk_properties(schema: &Map<String, Value>, path: &str, depth: usize, faults: &mut Vec<String>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    if depth > DEEPEST {
        faults.push(format!("{path}: objects are nested deeper than {DEEPEST}"));
    }
    for (name, property) in properties {
        let described = property.get("description").and_then(Value::as_str).map_or(0, |words| words.chars().count());
        if described == 0 {
            faults.push(format!("{path}.{name}: has no description"));
        }
        walk_value(property, &format!("{path}.{name}"), depth + 1, faults);
    }
}

fn walk_value(schema: &Value, path: &str, depth: usize, faults: &mut Vec<String>) {
    match schema.as_object() {
        Some(schema) => walk(schema, path, depth, faults),
        None => faults.push(format!("{path}: is no object schema")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(property: Value) -> Value {
        json!({"type": "object", "properties": {"x": property}, "additionalProperties": false})
    }

    #[test]
    fn the_portable_subset_has_no_faults() {
        let schema = with(json!({"type": "array", "description": "d", "minItems": 1, "items": {
            "type": "object",
            "properties": {"day": {"type": "string", "format": "date", "description": "d"}},
            "required": ["day"],
        }}));
        assert_eq!(faults(&schema), Vec::<String>::new());
    }

    #[test]
    fn what_model_apis_reject_is_named_with_its_path() {
        for (property, keyword) in [
            (json!({"type": ["string", "null"], "description": "d"}), "type"),
            (json!({"type": "string", "pattern": "a", "description": "d"}), "pattern"),
            (json!({"type": "integer", "enum": [1], "description": "d"}), "enum"),
            (json!({"type": "string", "format": "date-time", "description": "d"}), "format"),
            (json!({"type": "object", "additionalProperties": false, "description": "d"}), "additionalProperties"),
        ] {
            assert_eq!(faults(&with(property)), vec![format!("input.x: {keyword} is not portable here")]);
        }
        assert_eq!(faults(&with(json!({"type": "string"}))), vec!["input.x: has no description"]);
        assert_eq!(faults(&with(json!({"description": "d"}))), vec!["input.x: has no type"]);
        assert_eq!(faults(&with(json!(true))).len(), 2);
    }

    #[test]
    fn five_objects_in_one_another_are_too_deep() {
        let mut inner = json!({"type": "string", "description": "d"});
        for _ in 0..4 {
            inner = json!({"type": "object", "properties": {"x": inner}, "description": "d"});
        }
        assert_eq!(faults(&with(inner)), vec!["input.x.x.x.x: objects are nested deeper than 4"]);
    }
}
