use operation::{Call, Effect, Failure, Local, Needs, Operation, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

storage::statements! {
    APPLIED = "SELECT count(*) FROM migration";
}

/// Tells whether Almanac answers. Only after a network failure, to know whether to try again; never before a call.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ping {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Pong {
    ok: bool,
    version: &'static str,
    /// How many steps the database's schema has taken.
    migrations_applied: i64,
}

impl Operation for Ping {
    const NAME: &'static str = "ping";
    const PATH: &'static str = "/health";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::Anonymous;
    const ENTITY: &'static str = "server";
    const ROLE: Role = Role::Other;
    type Output = Pong;

    fn example() -> Value {
        json!({})
    }
}

impl Local for Ping {
    async fn run(&self, tx: &mut Tx, _call: &Call) -> Result<Pong, Failure> {
        let row = tx.row(&APPLIED, &[]).await?;
        let migrations_applied = row.map_or(Ok(0), |row| row.get(0))?;
        Ok(Pong { ok: true, version: super::VERSION, migrations_applied })
    }
}
