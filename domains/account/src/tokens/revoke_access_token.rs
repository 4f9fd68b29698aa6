use identity::{
    access_token::{self, AccessToken},
    audit::{self, Event, EventKind},
};
use operation::{Area, Call, Confirm, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Id, Tx};

/// Revokes a personal access token: it and all tokens made through it stop working now, for good. It may be this
/// connection's own. Ids are in list_access_tokens.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeAccessToken {
    /// Id of the token.
    pub access_token_id: Id<AccessToken>,
    /// True, after a yes.
    #[expect(dead_code, reason = "the checker insists on it")]
    pub confirm: Confirm,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Revoked {
    access_token_id: i64,
    name: String,
    revoked_at: String,
    /// Tokens made through it that died with it.
    also_revoked: Vec<i64>,
    summary: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    already_revoked: bool,
}

impl Operation for RevokeAccessToken {
    const NAME: &'static str = "revoke_access_token";
    const PATH: &'static str = "/account/tokens/{access_token_id}";
    const EFFECT: Effect = Effect::Removes;
    const NEEDS: Needs = Needs::writing(Area::Profile);
    const ENTITY: &'static str = "access_token";
    const ROLE: Role = Role::Delete;
    const UNTRUSTED: &'static [&'static str] = &["name"];
    type Output = Revoked;

    fn example() -> Value {
        json!({"access_token_id": 1, "confirm": true})
    }
}

impl Local for RevokeAccessToken {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Revoked, Failure> {
        let (owner, id) = (call.owner()?, self.access_token_id.raw());
        let token = access_token::get(tx, owner, id).await?;
        let token = token.ok_or_else(|| Failure::not_found("access token", id))?;
        let died = access_token::revoke(tx, owner, id, call.now).await?;
        for id in &died {
            audit::record(tx, &Event::of_call(call, EventKind::AccessTokenRevoked, Some(*id))?, call.now).await?;
        }
        let already_revoked = token.revoked_at.is_some();
        Ok(Revoked {
            access_token_id: id,
            name: token.name,
            revoked_at: token.revoked_at.unwrap_or(call.now).in_zone(&call.caller.day.zone),
            also_revoked: died.into_iter().filter(|died| *died != id).collect(),
            summary: if already_revoked {
                format!("Access token {id} was revoked before.")
            } else {
                format!("Revoked access token {id}; it works no more.")
            },
            already_revoked,
        })
    }
}
