//! What an operation answers when it does not succeed.

use operation::{Effect, Entry, Needs};
use serde_json::{Map, Value, json};

const RESPONSES: [(&str, &str, &str); 11] = [
    ("400", "BadRequest", "The request is no JSON object or gives a parameter twice."),
    ("401", "Unauthenticated", "There is no valid token."),
    ("403", "Forbidden", "The token lacks a scope (`insufficient_scope`), or the person a role."),
    ("404", "NotFound", "No such row, or another person's."),
    ("409", "Conflict", "What is stored stands against it; `error` says what."),
    ("413", "TooLarge", "The body is over 1 MiB."),
    ("415", "UnsupportedMedia", "The body is not application/json."),
    ("422", "Invalid", "Fields are wrong, all named at once, or a rule of the domain says no."),
    ("429", "TooMany", "Too many requests; wait as long as `Retry-After` says."),
    ("500", "Internal", "A fault of Almanac; its log knows the `call_id`."),
    ("503", "Unavailable", "Almanac cannot serve just now."),
];

/// The responses an operation can have, as references.
pub(super) fn of(entry: &Entry) -> Map<String, Value> {
    let has_path = entry.path_parameters().next().is_some();
    let takes_body = matches!(entry.effect, Effect::Creates | Effect::Changes);
    let possible = |status: &str| match status {
        "401" | "403" => entry.needs != Needs::Anonymous,
        "404" => has_path || entry.effect != Effect::Creates,
        "409" => entry.effect.writes(),
        "413" | "415" => takes_body,
        _ => true,
    };
    RESPONSES
        .iter()
        .filter(|(status, ..)| possible(status))
        .map(|(status, name, _)| (status.to_string(), json!({"$ref": format!("#/components/responses/{name}")})))
        .collect()
}

pub(super) fn responses() -> Map<String, Value> {
    RESPONSES
        .iter()
        .map(|(status, name, description)| {
            let schema = if *status == "422" { "Invalid" } else { "Error" };
            let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
            let mut response = json!({"description": description, "content": {"application/json": {"schema": schema}}});
            let header = match *status {
                "401" | "403" => Some(("WWW-Authenticate", "string")),
                "429" | "503" => Some(("Retry-After", "integer")),
                _ => None,
            };
            if let Some((name, kind)) = header {
                response["headers"] = json!({name: {"schema": {"type": kind}}});
            }
            (name.to_string(), response)
        })
        .collect()
}

pub(super) fn schemas() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "Error": {
            "type": "object",
            "required": ["error", "message"],
            "properties": {
                "error": text("What it is, for programs."),
                "message": text("A sentence for people."),
            },
        },
        "Invalid": {
            "type": "object",
            "required": ["error", "message"],
            "properties": {
                "error": text("`invalid_input`, or the code of a rule."),
                "message": text("A sentence for people."),
                "fields": {
                    "type": "array",
                    "description": "Every wrong field, with `invalid_input`.",
                    "items": {
                        "type": "object",
                        "required": ["field", "reason"],
                        "properties": {"field": text("Its path."), "reason": text("What is wrong.")},
                    },
                },
            },
        },
        "Meta": {
            "type": "object",
            "required": ["server_now", "user_tz"],
            "properties": {
                "server_now": text("Clock of the server to the second, with the offset of the person's zone."),
                "user_tz": text("IANA name of the person's zone."),
                "untrusted_fields": {
                    "type": "array",
                    "description": "Where the answer holds text that somebody typed or imported.",
                    "items": {"type": "string"},
                },
            },
        },
    })
}
