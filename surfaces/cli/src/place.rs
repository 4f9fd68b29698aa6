use std::sync::Arc;

use engine::{Engine, Request};
use operation::{Caller, Entry, Failure, Toolset};
use remote::{Accept, Remote};
use serde_json::{Map, Value};

use crate::Complaint;

/// Where a command acts.
pub enum Place {
    /// On the database of this machine, as one of its people.
    Here { engine: Engine, caller: Arc<Caller> },
    /// On a server, with a token.
    There(Box<Remote>),
}

impl Place {
    /// The database of this machine as the person with this address; `None`: as its owner.
    pub async fn here(engine: Engine, email: Option<&str>) -> Result<Self, Complaint> {
        let caller = Arc::new(engine.caller_on_host(email).await?);
        Ok(Self::Here { engine, caller })
    }

    /// Calls the operation; the answer is the object that every surface shows.
    pub async fn call(&self, entry: &Entry, input: Map<String, Value>) -> Result<Value, Complaint> {
        match self {
            Self::Here { engine, caller } => {
                let request = Request {
                    caller: caller.clone(),
                    operation: entry.name.to_owned(),
                    input: Value::Object(input),
                    key: None,
                    toolset: Toolset::default(),
                };
                Ok(engine.call(request).await?.into_value())
            }
            Self::There(remote) => {
                // Checked here as well, so that faults are told in the same words without a round trip.
                let input = entry.input.check(Value::Object(input)).map_err(Failure::Invalid)?;
                let reply = remote.call(entry, input, None, Accept::Json).await?;
                if reply.is_success() { Ok(Value::Object(reply.body)) } else { Err(reply.into()) }
            }
        }
    }
}
