//! What is wrong with the `params` of a method that we know.

use serde_json::Value;

use crate::protocol::Era;

/// The sentence for unusable params; `None` where the method itself is not served in this era.
pub(crate) fn fault(method: &str, params: Option<&Value>, era: Era, with_extras: bool) -> Option<String> {
    let legacy = era == Era::Legacy;
    let members: &[(&str, Wanted)] = match method {
        "tools/call" => &[("name", Wanted::Text), ("arguments", Wanted::ObjectOrNothing)],
        "resources/read" => &[("uri", Wanted::Text)],
        "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => &[],
        "server/discover" => &[],
        "ping" if legacy => &[],
        "initialize" if legacy => {
            &[("protocolVersion", Wanted::Text), ("capabilities", Wanted::Object), ("clientInfo", Wanted::Object)]
        }
        "logging/setLevel" if legacy => &[("level", Wanted::Text)],
        "prompts/get" if with_extras => &[("name", Wanted::Text)],
        "completion/complete" if with_extras => &[("ref", Wanted::Object), ("argument", Wanted::Object)],
        _ => return None,
    };
    Some(format!("{method}: {}", what_is_wrong(params, members)))
}

enum Wanted {
    Text,
    Object,
    ObjectOrNothing,
}

fn what_is_wrong(params: Option<&Value>, members: &[(&str, Wanted)]) -> String {
    let empty = Value::Object(serde_json::Map::new());
    let params = params.filter(|params| !params.is_null()).unwrap_or(&empty);
    if !params.is_object() {
        return "params must be an object".into();
    }
    let fault = members.iter().find_map(|(name, wanted)| {
        let given = params.get(name).filter(|given| !given.is_null());
        match (wanted, given) {
            (Wanted::Text | Wanted::Object, None) => Some(format!("{name} is missing")),
            (Wanted::Text, Some(given)) if !given.is_string() => Some(format!("{name} must be a string")),
            (Wanted::Object | Wanted::ObjectOrNothing, Some(given)) if !given.is_object() => {
                Some(format!("{name} must be an object"))
            }
            _ => None,
        }
    });
    fault.unwrap_or_else(|| "params do not have the form that this method takes".into())
}
