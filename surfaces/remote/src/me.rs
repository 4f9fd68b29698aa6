use operation::Scopes;
use serde_json::{Map, Value};

/// Whom the token stands for and what it opens: the answer at `/users/me`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Me {
    pub id: i64,
    pub name: String,
    pub email: String,
    /// `pending`, `active`, `suspended` or `deleting`.
    pub state: String,
    /// Scopes that this build knows; a newer server may have more.
    pub scopes: Scopes,
    pub could_add: Scopes,
    /// Version of the server.
    pub server_version: Option<String>,
}

impl Me {
    /// `None` when it is no answer of `/users/me`.
    pub(crate) fn read(body: &Map<String, Value>, server_version: Option<String>) -> Option<Self> {
        let person = body.get("person")?;
        let text = |name: &str| person[name].as_str().unwrap_or_default().to_owned();
        Some(Self {
            id: person["id"].as_i64()?,
            name: text("name"),
            email: text("email"),
            state: text("state"),
            scopes: scopes(body.get("scopes")?),
            could_add: body.get("could_add").map(scopes).unwrap_or_default(),
            server_version,
        })
    }
}

fn scopes(names: &Value) -> Scopes {
    let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
    names.filter_map(operation::Scope::parse).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scopes_of_a_newer_server_are_left_out() {
        let body = json!({"person": {"id": 7, "name": "Ana", "email": "ana@example.org", "state": "active"},
            "scopes": ["journal", "dreams"], "could_add": ["profile"]});
        let me = Me::read(body.as_object().unwrap(), None).unwrap();
        assert_eq!((me.id, me.scopes.to_string(), me.could_add.to_string()), (7, "journal".into(), "profile".into()));
    }
}
