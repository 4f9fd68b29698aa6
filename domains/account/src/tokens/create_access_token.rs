use identity::{
    Credential,
    access_token::{self, NewAccessToken},
    audit::{self, Event, EventKind},
    one_line,
};
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

use super::grant;

/// Makes a personal access token and shows it once. A token made through another one holds no more than that, ends no
/// later and dies with it. At most 50 can be live.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateAccessToken {
    /// What it is for, such as the program that will use it.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// Scopes separated by spaces, such as "journal profile:read".
    #[schemars(length(min = 1, max = 500))]
    pub scopes: String,
    /// Days until it ends; without it, until revoked.
    #[serde(default)]
    #[schemars(range(min = 1, max = 365))]
    pub expires_in_days: Option<i64>,
}

/// The one answer that holds a secret, hence without `Debug`.
#[derive(Serialize, JsonSchema)]
pub struct Created {
    id: i64,
    /// The secret. It is not shown again.
    token: String,
    name: String,
    scopes: Vec<String>,
    expires_at: Option<String>,
    summary: String,
    /// What the person should hear about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

const MOST_LIVE: usize = 50;

impl Operation for CreateAccessToken {
    const NAME: &'static str = "create_access_token";
    const PATH: &'static str = "/account/tokens";
    const EFFECT: Effect = Effect::Creates;
    const NEEDS: Needs = Needs::writing(Area::Profile);
    const ENTITY: &'static str = "access_token";
    const ROLE: Role = Role::Create;
    const OFF_MCP: Option<&'static str> = Some("a credential must not enter a conversation");
    const UNTRUSTED: &'static [&'static str] = &["name"];
    type Output = Created;

    fn example() -> Value {
        json!({"name": "kitchen display", "scopes": "profile:read", "expires_in_days": 30})
    }

    fn check(&self, _call: &Call) -> Vec<FieldFault> {
        let nameless = one_line(&self.name).is_empty();
        let name = nameless.then(|| FieldFault::new("name", "must be 1 to 100 characters"));
        name.into_iter().chain(grant::named(&self.scopes).err()).collect()
    }
}

impl Local for CreateAccessToken {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Created, Failure> {
        let asked = grant::named(&self.scopes).map_err(|fault| Failure::Invalid(vec![fault]))?;
        let scopes = grant::granted(asked, &call.caller)?;
        let expires_at = grant::expiry(self.expires_in_days, &call.caller, call.now)?;
        let owner = call.owner()?;
        if access_token::live(tx, owner, call.now).await?.len() >= MOST_LIVE {
            let message = format!("{MOST_LIVE} tokens are live, which is the most there can be; revoke one first.");
            return Err(Failure::conflict("too_many_tokens", message, json!({})));
        }
        let name = one_line(&self.name);
        let new = NewAccessToken { name: &name, scopes, expires_at, maker: &call.caller.actor };
        let credential = Credential::new_access_token()?;
        let id = access_token::insert(tx, owner, &new, &credential, call.now).await?;
        audit::record(tx, &Event::of_call(call, EventKind::AccessTokenCreated, Some(id))?, call.now).await?;
        Ok(Created {
            id,
            token: credential.reveal().to_owned(),
            summary: format!("Made access token {id} for {scopes}."),
            warning: grant::of_no_use_yet(scopes, &call.catalog),
            name,
            scopes: scopes.iter().map(|scope| scope.to_string()).collect(),
            expires_at: expires_at.map(|at| at.in_zone(&call.caller.day.zone)),
        })
    }
}
