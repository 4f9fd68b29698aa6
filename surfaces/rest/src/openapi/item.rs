//! One operation at one verb.

use operation::{Entry, Needs, Shape, Verb};
use serde_json::{Map, Value, json};

use super::errors;

/// `second`: at its `ALSO` verb, where the id must differ.
pub(super) fn operation(entry: &Entry, verb: Verb, second: bool) -> Value {
    let mut id = entry.name.to_owned();
    if second {
        id.push('_');
        id.push_str(&verb.as_str().to_ascii_lowercase());
    }
    let in_query = matches!(verb, Verb::Get | Verb::Delete);
    let mut item = json!({
        "operationId": id,
        "summary": entry.title,
        "description": description(entry),
        "tags": [entry.domain],
        "responses": responses(entry),
    });
    let parameters = parameters(entry, in_query);
    if !parameters.is_empty() {
        item["parameters"] = json!(parameters);
    }
    if !in_query {
        item["requestBody"] = body(entry);
    }
    if entry.needs == Needs::Anonymous {
        item["security"] = json!([{}, {"token": []}]);
    }
    item
}

fn description(entry: &Entry) -> String {
    match entry.needs {
        Needs::Scope(scope) => format!("{}\n\nNeeds the scope {scope}.", entry.docs),
        Needs::Anonymous | Needs::AnyCredential => entry.docs.clone(),
    }
}

fn parameters(entry: &Entry, in_query: bool) -> Vec<Value> {
    let schema = entry.input.whole_schema();
    let in_path: Vec<&str> = entry.path_parameters().collect();
    let fields = entry.input.list.iter().filter(|field| in_query || in_path.contains(&field.name.as_str()));
    let mut parameters: Vec<Value> = fields
        .map(|field| {
            let in_path = in_path.contains(&field.name.as_str());
            let mut schema = schema["properties"][&field.name].clone();
            let described = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
            let mut described = described.and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default();
            if in_path && !field.required {
                described.push_str(" The word today stands for leaving it out.");
                schema = json!({"anyOf": [schema, {"const": "today"}]});
            }
            parameter(&field.name, &field.shape, in_path, in_path || field.required, &described, schema)
        })
        .collect();
    if entry.keyed.is_some() {
        let words = "Repeat the same value when you retry the same call.";
        let schema = json!({"type": "string", "minLength": 1, "maxLength": 200});
        parameters.push(json!({"name": "Idempotency-Key", "in": "header", "description": words, "schema": schema}));
    }
    parameters
}

fn parameter(name: &str, shape: &Shape, in_path: bool, required: bool, described: &str, schema: Value) -> Value {
    let place = if in_path { "path" } else { "query" };
    let mut parameter = json!({"name": name, "in": place, "description": described.trim()});
    if required {
        parameter["required"] = json!(true);
    }
    let nested = match shape {
        Shape::Object(_) | Shape::Map => true,
        Shape::List { item, .. } => matches!(**item, Shape::Object(_) | Shape::Map | Shape::List { .. }),
        _ => false,
    };
    if nested {
        parameter["content"] = json!({"application/json": {"schema": schema}});
    } else {
        parameter["schema"] = schema;
    }
    parameter
}

/// The input without what stands in the path.
fn body(entry: &Entry) -> Value {
    let mut schema = entry.input.whole_schema();
    for name in entry.path_parameters() {
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.shift_remove(name);
        }
        if let Some(required) = schema["required"].as_array_mut() {
            required.retain(|required| required != name);
        }
    }
    let needed = schema["required"].as_array().is_some_and(|names| !names.is_empty());
    if let Some(members) = schema.as_object_mut().filter(|_| !needed) {
        members.shift_remove("required");
    }
    let mut example = entry.example.clone();
    if let Some(members) = example.as_object_mut() {
        entry.path_parameters().for_each(|name| drop(members.shift_remove(name)));
    }
    json!({"required": needed, "content": {"application/json": {"schema": schema, "example": example}}})
}

fn responses(entry: &Entry) -> Value {
    let mut responses = Map::new();
    responses.insert(
        entry.effect.status().to_string(),
        json!({
            "description": "Done.",
            "content": {"application/json": {"schema": answer(entry)}},
        }),
    );
    responses.extend(errors::of(entry));
    Value::Object(responses)
}

/// The answer with what the engine adds to it.
fn answer(entry: &Entry) -> Value {
    let mut schema = entry.output.clone();
    if !schema["properties"].is_object() {
        schema["properties"] = json!({});
    }
    let mut added = vec!["_meta"];
    let properties = &mut schema["properties"];
    if properties.get("truncated").is_some() {
        properties["left_out"] = json!({"type": "integer", "description": "How many were left out to keep the size."});
        properties["hint"] =
            json!({"type": "string", "description": "What narrows the list, where some were left out."});
    }
    if entry.effect.writes() {
        properties["change_id"] = json!({"type": ["integer", "null"], "description": "The change in the change log."});
        properties["undo"] = json!({
            "type": ["object", "null"],
            "description": "The call that takes the change back.",
            "properties": {"tool": {"type": "string"}, "change_id": {"type": "integer"}},
        });
        added.extend(["change_id", "undo"]);
    }
    properties["_meta"] = json!({"$ref": "#/components/schemas/Meta"});
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    required.extend(added.into_iter().map(Value::from));
    required.dedup();
    schema["required"] = json!(required);
    schema
}
