//! Tool descriptors: what an operation looks like to a client, written once at start.

mod portable;

use operation::{Effect, Entry, Needs};
use serde_json::{Map, Value, json};

/// One tool as `tools/list` shows it.
#[derive(Debug, Clone)]
pub(crate) struct Tool {
    /// Name of its operation.
    pub name: &'static str,
    /// The descriptor as JSON text.
    pub text: String,
}

impl Tool {
    /// `Err` says what in the operation cannot be shown to clients.
    pub fn of(entry: &Entry) -> Result<Self, Vec<String>> {
        let descriptor = descriptor(entry);
        let mut faults = portable::faults(&descriptor["inputSchema"]);
        if entry.docs.chars().count() > 2_000 {
            faults.push("the description is longer than 2,000 characters".into());
        }
        if faults.is_empty() {
            Ok(Self { name: entry.name, text: descriptor.to_string() })
        } else {
            Err(faults.into_iter().map(|fault| format!("{}: {fault}", entry.name)).collect())
        }
    }
}

/// The descriptor of an operation, as clients see it.
pub fn descriptor(entry: &Entry) -> Value {
    let schemes = security_schemes(entry.needs);
    json!({
        "name": entry.name,
        "title": entry.title,
        "description": entry.docs,
        "inputSchema": entry.input.schema(),
        "outputSchema": output_schema(entry),
        "annotations": annotations(entry),
        "securitySchemes": schemes,
        "_meta": {"securitySchemes": schemes},
    })
}

/// The plumbing tool that visitors see: calling it answers 401, which starts the client's log-in.
pub(crate) fn sign_in() -> Tool {
    let schemes = json!([{"type": "oauth2", "scopes": []}]);
    let descriptor = json!({
        "name": SIGN_IN,
        "title": "Sign in",
        "description": "Signs in to Almanac. Call it when the person wants something that needs their own data.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
        "outputSchema": {"type": "object", "properties": {}},
        "annotations": {
            "title": "Sign in",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
        "securitySchemes": schemes,
        "_meta": {"securitySchemes": schemes},
    });
    Tool { name: SIGN_IN, text: descriptor.to_string() }
}

pub(crate) const SIGN_IN: &str = "sign_in";

fn security_schemes(needs: Needs) -> Value {
    match needs {
        Needs::Anonymous => json!([{"type": "noauth"}]),
        Needs::AnyCredential => json!([{"type": "oauth2", "scopes": []}]),
        Needs::Scope(scope) => json!([{"type": "oauth2", "scopes": [scope.to_string()]}]),
    }
}

/// Computed from the effect, all five always there.
fn annotations(entry: &Entry) -> Value {
    let (destructive, idempotent) = match entry.effect {
        Effect::Reads => (false, true),
        Effect::Creates => (false, entry.idempotent),
        Effect::Changes => (entry.destructive, entry.idempotent),
        Effect::Removes => (true, true),
    };
    json!({
        "title": entry.title,
        "readOnlyHint": entry.effect == Effect::Reads,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": entry.open_world,
    })
}

/// Deliberately loose: the members that are always there with one type, and `_meta`.
fn output_schema(entry: &Entry) -> Value {
    let empty = Map::new();
    let required: Vec<&str> =
        entry.output["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let members = entry.output["properties"].as_object().unwrap_or(&empty);
    let mut properties: Map<String, Value> = members
        .iter()
        .filter(|(name, _)| required.contains(&name.as_str()))
        .filter_map(|(name, schema)| Some((name.clone(), json!({"type": schema.get("type")?.as_str()?}))))
        .collect();
    properties.insert("_meta".into(), json!({"type": "object"}));
    json!({"type": "object", "properties": properties})
}
