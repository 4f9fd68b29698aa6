use operation::{Catalog, Effect, Entry, Needs};
use serde_json::{Value, json};

use crate::command_name;

/// The catalog as data: what `almanac operations` shows.
pub fn listing(catalog: &Catalog) -> Value {
    json!({"operations": catalog.iter().map(listed).collect::<Vec<_>>()})
}

fn listed(entry: &Entry) -> Value {
    let needs = match entry.needs {
        Needs::Anonymous => Value::Null,
        Needs::AnyCredential => "any".into(),
        Needs::Scope(scope) => scope.to_string().into(),
    };
    let effect = match entry.effect {
        Effect::Reads => "reads",
        Effect::Creates => "creates",
        Effect::Changes => "changes",
        Effect::Removes => "removes",
    };
    json!({
        "name": entry.name,
        "command": command_name(entry.name),
        "domain": entry.domain,
        "method": entry.effect.verb().as_str(),
        "path": format!("/api/v1{}", entry.path),
        "effect": effect,
        "needs": needs,
        "idempotent": entry.idempotent,
        "over_mcp": entry.off_mcp.is_none(),
        "summary": entry.first_sentence(),
        "input": entry.input.schema(),
        "example": entry.example,
    })
}
