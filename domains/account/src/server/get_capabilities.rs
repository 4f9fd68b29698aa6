use operation::{Call, Effect, Failure, FieldFault, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use storage::Tx;

use super::capabilities::Capabilities;

/// Shows what Almanac can do for this connection: every tool by subject, conventions, ways through common tasks. Call
/// it once, at the start or when unsure which tool fits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetCapabilities {
    /// Only this domain, such as journal.
    #[serde(default)]
    pub domain: Option<String>,
}

impl Operation for GetCapabilities {
    const NAME: &'static str = "get_capabilities";
    const PATH: &'static str = "/capabilities";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::AnyCredential;
    const ENTITY: &'static str = "server";
    const ROLE: Role = Role::Other;
    const EVERYDAY: bool = true;
    type Output = Capabilities;

    fn example() -> Value {
        json!({})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let unknown = self.domain.as_deref().is_some_and(|name| call.catalog.domain(name).is_none());
        let names: Vec<&str> = call.catalog.domains.iter().map(|domain| domain.name).collect();
        unknown.then(|| FieldFault::new("domain", format!("must be one of {}", names.join(", ")))).into_iter().collect()
    }
}

impl Local for GetCapabilities {
    async fn run(&self, _tx: &mut Tx, call: &Call) -> Result<Capabilities, Failure> {
        Ok(Capabilities::of(call, self.domain.as_deref()))
    }
}
