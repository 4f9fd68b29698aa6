use operation::{Call, Effect, Failure, Local, Needs, Operation, Role, Scopes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

/// Shows who this connection acts for and what it may do: person, scopes, scopes that could be added, expiry. Use it
/// when permission was lacking. The person's settings are get_user_profile.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMyAccess {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Access {
    person: Owner,
    actor: Through,
    /// What this credential opens here now.
    scopes: Vec<String>,
    /// What the person could allow beyond `scopes`.
    could_add: Vec<String>,
    expires_at: Option<String>,
    base_url: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Owner {
    id: i64,
    name: String,
    email: String,
    state: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Through {
    kind: &'static str,
    id: i64,
    name: String,
}

impl Operation for GetMyAccess {
    const NAME: &'static str = "get_my_access";
    const PATH: &'static str = "/users/me";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::AnyCredential;
    const ENTITY: &'static str = "user";
    const ROLE: Role = Role::Read;
    const UNTRUSTED: &'static [&'static str] = &["person.name", "actor.name"];
    type Output = Access;

    fn example() -> Value {
        json!({})
    }
}

impl Local for GetMyAccess {
    async fn run(&self, _tx: &mut Tx, call: &Call) -> Result<Access, Failure> {
        let (caller, person) = (&call.caller, call.person()?);
        Ok(Access {
            person: Owner {
                id: person.id,
                name: person.name.clone(),
                email: person.email.clone(),
                state: person.state.clone(),
            },
            actor: Through { kind: caller.actor.kind.as_str(), id: caller.actor.id, name: caller.actor.name.clone() },
            scopes: names(caller.scopes),
            could_add: names(caller.could_add),
            expires_at: caller.expires_at.map(|at| at.in_zone(&caller.day.zone)),
            base_url: call.base_url.to_string(),
        })
    }
}

fn names(scopes: Scopes) -> Vec<String> {
    scopes.iter().map(|scope| scope.to_string()).collect()
}
