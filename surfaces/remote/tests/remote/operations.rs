//! Operations to ask for; they never run here.

use operation::{Area, Call, Effect, Entry, Failure, Local, Needs, Operation, Role, local};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::Tx;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Nothing {}

/// Reads a thing.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetThing {
    /// Id.
    pub thing_id: String,
    /// Words.
    #[serde(default)]
    pub words: Option<String>,
    /// Names.
    #[serde(default)]
    pub names: Option<Vec<String>>,
}

/// Makes a thing.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct MakeThing {
    /// Words.
    pub words: String,
}

/// Marks a day.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct MarkDay {
    /// Day.
    #[serde(default)]
    pub date: Option<String>,
}

macro_rules! operation {
    ($type:ident, $name:literal, $path:literal, $effect:ident) => {
        impl Operation for $type {
            const NAME: &'static str = $name;
            const PATH: &'static str = $path;
            const EFFECT: Effect = Effect::$effect;
            const NEEDS: Needs = Needs::reading(Area::Journal);
            const ENTITY: &'static str = "thing";
            const ROLE: Role = Role::Other;
            type Output = Nothing;

            fn example() -> Value {
                json!({})
            }
        }

        impl Local for $type {
            async fn run(&self, _: &mut Tx, _: &Call) -> Result<Nothing, Failure> {
                Err(Failure::internal("asked of another server only"))
            }
        }
    };
}

operation!(GetThing, "get_thing", "/things/{thing_id}", Reads);
operation!(MakeThing, "make_thing", "/things", Creates);
operation!(MarkDay, "mark_day", "/days/{date}/mark", Changes);

pub fn get_thing() -> Entry {
    local::<GetThing>().expect("an operation that can be listed")
}

pub fn make_thing() -> Entry {
    local::<MakeThing>().expect("an operation that can be listed")
}

pub fn mark_day() -> Entry {
    local::<MarkDay>().expect("an operation that can be listed")
}
