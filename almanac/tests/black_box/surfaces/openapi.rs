//! The OpenAPI document: served, complete, and sound in its structure.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::asking::at;
use crate::house::Served;

const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];
const VERBS: [&str; 5] = ["get", "post", "patch", "put", "delete"];

/// Walks a document and collects what a reader of the specification would refuse.
struct Walk<'a> {
    document: &'a Value,
    faults: Vec<String>,
    ids: BTreeSet<String>,
}

impl Walk<'_> {
    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }

    fn resolved<'v>(&mut self, place: &str, value: &'v Value) -> &'v Value
    where
        Self: 'v,
    {
        let Some(pointer) = value["$ref"].as_str() else { return value };
        if pointer.strip_prefix('#').and_then(|pointer| self.document.pointer(pointer)).is_none() {
            self.fault(place, &format!("{pointer} leads nowhere"));
        }
        value
    }

    fn path(&mut self, path: &str, item: &Value) {
        for (verb, operation) in item.as_object().into_iter().flatten() {
            let place = format!("{verb} {path}");
            if !VERBS.contains(&verb.as_str()) {
                self.fault(&place, "no verb");
            }
            self.operation(&place, path, operation);
        }
    }

    fn operation(&mut self, place: &str, path: &str, operation: &Value) {
        let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
        if id.is_empty() || !self.ids.insert(id) {
            self.fault(place, "operationId is missing or used twice");
        }
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let mut in_path = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for parameter in &parameters {
            let (name, kind) =
                (parameter["name"].as_str().unwrap_or_default(), parameter["in"].as_str().unwrap_or_default());
            if !seen.insert((name, kind)) || !["path", "query", "header"].contains(&kind) {
                self.fault(place, &format!("parameter {name} in {kind}"));
            }
            if kind == "path" {
                in_path.insert(name);
                if parameter["required"] != true {
                    self.fault(place, &format!("{name} is in the path and not required"));
                }
            }
            match (parameter.get("schema"), parameter.get("content")) {
                (Some(schema), None) => self.schema(&format!("{place} {name}"), schema),
                (None, Some(content)) => self.content(&format!("{place} {name}"), content),
                _ => self.fault(place, &format!("{name} has not exactly one of schema and content")),
            }
        }
        let template: BTreeSet<&str> =
            path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).collect();
        if template != in_path {
            self.fault(place, &format!("path parameters {in_path:?}, template {template:?}"));
        }
        if let Some(body) = operation.get("requestBody") {
            self.content(place, &body["content"]);
        }
        let responses = operation["responses"].as_object().cloned().unwrap_or_default();
        if !responses.keys().any(|status| status.starts_with('2')) {
            self.fault(place, "no success");
        }
        for (status, response) in &responses {
            let place = format!("{place} {status}");
            if response.get("$ref").is_some() {
                self.resolved(&place, response);
            } else {
                self.response(&place, response);
            }
        }
    }

    fn response(&mut self, place: &str, response: &Value) {
        if !response["description"].is_string() {
            self.fault(place, "no description");
        }
        self.content(place, &response["content"]);
    }

    fn content(&mut self, place: &str, content: &Value) {
        let Some(media) = content["application/json"].as_object() else { return self.fault(place, "no JSON content") };
        self.schema(place, &media["schema"]);
    }

    fn schema(&mut self, place: &str, schema: &Value) {
        if schema.is_boolean() {
            return;
        }
        let Some(members) = schema.as_object() else { return self.fault(place, "a schema that is no object") };
        if members.contains_key("$ref") {
            self.resolved(place, schema);
        }
        if members.contains_key("nullable") || members.contains_key("$schema") {
            self.fault(place, "not the dialect of 3.1");
        }
        match members.get("type") {
            None => {}
            Some(Value::String(kind)) if TYPES.contains(&kind.as_str()) => {}
            Some(Value::Array(kinds)) if kinds.iter().all(|kind| TYPES.iter().any(|known| kind == known)) => {}
            Some(other) => self.fault(place, &format!("type {other}")),
        }
        self.required(place, members);
        for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.schema(&format!("{place}.{name}"), property);
        }
        for key in ["items", "additionalProperties"] {
            if let Some(inner) = members.get(key) {
                self.schema(&format!("{place}[]"), inner);
            }
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for inner in members.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.schema(place, inner);
            }
        }
    }

    fn required(&mut self, place: &str, members: &Map<String, Value>) {
        let Some(required) = members.get("required") else { return };
        let names: Option<Vec<&str>> =
            required.as_array().map(|names| names.iter().filter_map(Value::as_str).collect());
        let Some(names) = names else { return self.fault(place, "required is no list") };
        if names.iter().collect::<BTreeSet<_>>().len() != names.len() {
            self.fault(place, "required twice");
        }
        for name in names {
            if members.get("properties").is_none_or(|properties| properties.get(name).is_none()) {
                self.fault(place, &format!("requires {name}, which it does not have"));
            }
        }
    }
}

fn faults(document: &Value) -> Vec<String> {
    let mut walk = Walk { document, faults: Vec::new(), ids: BTreeSet::new() };
    if !document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")) {
        walk.fault("openapi", "is not 3.1");
    }
    for name in ["title", "version"] {
        if !document["info"][name].is_string() {
            walk.fault("info", name);
        }
    }
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        walk.path(path, item);
    }
    for (name, response) in document["components"]["responses"].as_object().into_iter().flatten() {
        walk.response(name, response);
    }
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        walk.schema(name, schema);
    }
    walk.faults
}

#[test]
fn the_document_is_sound() {
    let house = Served::open();
    let document = house.send(at("GET", "/openapi.json")).json();
    assert_eq!(faults(&document), Vec::<String>::new());
}

#[test]
fn the_walker_finds_what_is_wrong() {
    let document = json!({"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {"/a/{id}": {"get": {
        "operationId": "a",
        "parameters": [{"name": "ID", "in": "path", "schema": {"type": "text"}}],
        "responses": {"400": {"$ref": "#/components/responses/None"}}}}}});
    let found = faults(&document).join("\n");
    for part in ["not required", "type \"text\"", "path parameters", "no success", "leads nowhere"] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn every_operation_is_in_the_document_and_answers_there() {
    let house = Served::open();
    let document = house.send(at("GET", "/openapi.json")).json();
    let listed: Value = serde_json::from_str(&house.house.run(&["operations", "--output", "json"])).expect("JSON");
    for operation in listed["operations"].as_array().expect("operations") {
        let text = |name: &str| operation[name].as_str().expect("text").to_owned();
        let path = text("path").replacen("/api/v1", "", 1);
        let described = &document["paths"][&path][text("method").to_ascii_lowercase()];
        assert_eq!(described["operationId"], operation["name"], "{path}");
        let concrete =
            path.split('/').map(|part| if part.starts_with('{') { "1" } else { part }).collect::<Vec<_>>().join("/");
        let method = Box::leak(text("method").into_boxed_str());
        let reply = house.ask(at(method, &concrete));
        assert!(!matches!(reply.status, 405 | 500) && reply.is_json(), "{method} {concrete}: {}", reply.text());
        assert!(
            described["responses"].get(reply.status.to_string()).is_some(),
            "{method} {concrete}: {} is not described",
            reply.status
        );
    }
}
