use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Call, Failure, FieldFault, Needs, PageEnds};

/// What an operation does to the person's data. Alone decides HTTP verb and status, MCP hints, the kind of form and
/// the kind of transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Creates,
    Changes,
    Removes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
    Patch,
    Put,
    Delete,
}

impl Verb {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

impl Effect {
    pub const fn verb(self) -> Verb {
        match self {
            Self::Reads => Verb::Get,
            Self::Creates => Verb::Post,
            Self::Changes => Verb::Patch,
            Self::Removes => Verb::Delete,
        }
    }

    /// HTTP status of success.
    pub const fn status(self) -> u16 {
        if matches!(self, Self::Creates) { 201 } else { 200 }
    }

    pub const fn writes(self) -> bool {
        !matches!(self, Self::Reads)
    }
}

/// Where `get_capabilities` shows an operation under its entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Create,
    Read,
    Update,
    Delete,
    Other,
}

/// One thing a person can do. The implementing struct is its input; the struct's doc comment is its description at
/// every surface, its fields' doc comments describe the parameters.
///
/// Every constant without a default must be thought about. The logic is in [`crate::Local`], [`crate::Repeatable`] or
/// [`crate::Reaching`].
pub trait Operation: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Snake case; also the file's name.
    const NAME: &'static str;
    /// Below `/api/v1`; `{meal_id}` is filled from the input.
    const PATH: &'static str;
    const EFFECT: Effect;
    const NEEDS: Needs;
    /// Entity of the domain this belongs to in `get_capabilities`.
    const ENTITY: &'static str;
    const ROLE: Role;
    /// May be repeated with the same input without a second effect. Reads and Removes always may.
    const IDEMPOTENT: bool = matches!(Self::EFFECT, Effect::Reads | Effect::Removes);
    /// Reaches somebody else's service.
    const OPEN_WORLD: bool = false;
    /// A `Changes` that destroys what it overwrites.
    const DESTRUCTIVE: bool = matches!(Self::EFFECT, Effect::Removes);
    /// In the `everyday` toolset.
    const EVERYDAY: bool = false;
    /// Kept off MCP, and why.
    const OFF_MCP: Option<&'static str> = None;
    /// For admins only: not listed to others, `Forbidden` when called.
    const ADMIN: bool = false;
    /// Title, where the name in words will not do.
    const TITLE: Option<&'static str> = None;
    /// A second verb at the same path.
    const ALSO: Option<Verb> = None;
    /// Paths in the answer whose text was typed or imported by somebody: `items[].name`.
    const UNTRUSTED: &'static [&'static str] = &[];
    /// Operations whose `run` this one calls; their scopes must be covered by this one's.
    const CALLS: &'static [&'static str] = &[];
    /// Largest answer in bytes before whole items are dropped.
    const MAX_BYTES: usize = 24_000;
    /// Named in the hint of a shortened list: parameters that narrow it, or the operation that shows the rest.
    const NARROW_BY: &'static str = "limit";

    type Output: Serialize + JsonSchema + Send + 'static;

    /// A working input on the test story (`testkit`), as JSON.
    fn example() -> Value;

    /// Business rules on the input alone, after types and bounds hold: one-of-two, ranges against each other, the
    /// future. Names every wrong field.
    fn check(&self, _call: &Call) -> Vec<FieldFault> {
        Vec::new()
    }

    /// For an answer with a list: the key of each item and whether more follow. Without it nothing is cut to
    /// [`Self::MAX_BYTES`].
    fn page(_output: &Self::Output) -> Option<PageEnds> {
        None
    }

    /// What the change log says of a write: by default the answer's `summary` without "today" and "yesterday", which do
    /// not stay true.
    fn summary(answer: &Value) -> String {
        let summary = answer["summary"].as_str().unwrap_or_default();
        summary.replace(", today)", ")").replace(", yesterday)", ")")
    }

    #[doc(hidden)]
    fn parse(input: Value) -> Result<Self, Failure> {
        serde_json::from_value(input).map_err(|error| {
            // The checker ran before on the same shape: a difference between the two is a fault of ours.
            Failure::internal(format!("{}: {error}", Self::NAME))
        })
    }
}
