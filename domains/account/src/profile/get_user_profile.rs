use operation::{Area, Call, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

use super::{stored::Stored, user::User};

/// Shows the person's profile: name, time zone, day start, units, body data, and what is missing. Read it before asking
/// for what they may have given. What this connection may do is get_my_access.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetUserProfile {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Shown {
    user: User,
}

impl Operation for GetUserProfile {
    const NAME: &'static str = "get_user_profile";
    const PATH: &'static str = "/profile";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Profile);
    const ENTITY: &'static str = "user";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["user.name", "user.about_me"];
    type Output = Shown;

    fn example() -> Value {
        json!({})
    }
}

impl Local for GetUserProfile {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Shown, Failure> {
        let stored = Stored::get(tx, call.owner()?).await?;
        Ok(Shown { user: User::of(&stored, call)? })
    }
}
