use calendar::Zone;
use identity::access_token::{self, AccessToken};
use operation::{Area, Call, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

/// Lists the personal access tokens that work now, newest first: name, scopes, last use. The secrets are kept nowhere
/// and never shown.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListAccessTokens {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Tokens {
    items: Vec<Token>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Token {
    id: i64,
    name: String,
    scopes: Vec<String>,
    created_at: String,
    last_used_at: Option<String>,
    /// Network it was last used from.
    network: Option<String>,
    expires_at: Option<String>,
    /// This connection uses it.
    in_use: bool,
}

impl Operation for ListAccessTokens {
    const NAME: &'static str = "list_access_tokens";
    const PATH: &'static str = "/account/tokens";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Profile);
    const ENTITY: &'static str = "access_token";
    const ROLE: Role = Role::Read;
    const UNTRUSTED: &'static [&'static str] = &["items[].name"];
    /// 50 long names.
    const MAX_BYTES: usize = 64_000;
    type Output = Tokens;

    fn example() -> Value {
        json!({})
    }
}

impl Local for ListAccessTokens {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Tokens, Failure> {
        let live = access_token::live(tx, call.owner()?, call.now).await?;
        let (zone, actor) = (&call.caller.day.zone, &call.caller.actor);
        let used = |token: &AccessToken| actor.kind == operation::ActorKind::AccessToken && actor.id == token.id;
        Ok(Tokens {
            items: live.into_iter().map(|token| Token { in_use: used(&token), ..Token::of(token, zone) }).collect(),
        })
    }
}

impl Token {
    fn of(token: AccessToken, zone: &Zone) -> Self {
        Self {
            id: token.id,
            name: token.name,
            scopes: token.scopes.iter().map(|scope| scope.to_string()).collect(),
            created_at: token.created_at.in_zone(zone),
            last_used_at: token.last_used_at.map(|at| at.in_zone(zone)),
            network: token.last_network,
            expires_at: token.expires_at.map(|at| at.in_zone(zone)),
            in_use: false,
        }
    }
}
