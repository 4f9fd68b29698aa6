//! The same tools over another Almanac's REST API: no database, no state of a domain, no rule of its own.

use std::{sync::Arc, time::Duration};

use engine::Request;
use operation::{
    Actor, ActorKind, BoxFuture, Caller, Catalog, Entry, Failure, FieldFault, Needs, Person, Scope, Scopes, Toolset,
    derived_key,
};
use remote::{Accept, Fault, Me, Remote, Reply};
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use crate::{
    backend::{Backend, Said, Unsaid},
    stdio::Who,
};

/// How long a message waits to learn whom the token stands for. After that, and until the server was reached once,
/// everything is listed; calls wait for the server by themselves.
const PATIENCE: Duration = Duration::from_secs(3);

/// A remote server as what stands behind the protocol.
pub struct Bridge {
    remote: Remote,
    catalog: Arc<Catalog>,
    /// Read once and kept.
    me: OnceCell<Me>,
}

impl Bridge {
    /// `catalog` is that of the operations compiled in; the scopes of the token say which of them are shown.
    pub fn new(remote: Remote, catalog: Arc<Catalog>) -> Arc<Self> {
        Arc::new(Self { remote, catalog, me: OnceCell::new() })
    }

    /// Whom the token stands for, as `stdio::serve` asks it. While the server is away, somebody who may see everything:
    /// what is compiled in can be shown without it.
    pub fn who(self: &Arc<Self>) -> Who {
        let bridge = self.clone();
        Arc::new(move |source| {
            let bridge = bridge.clone();
            Box::pin(async move {
                match tokio::time::timeout(PATIENCE, bridge.me()).await {
                    Ok(Ok(me)) => Ok(caller_of(me, &source)),
                    Ok(Err(Failure::Unavailable { .. })) | Err(_) => Ok(caller_of(&bridge.somebody(), &source)),
                    Ok(Err(failure)) => Err(failure),
                }
            })
        })
    }

    /// Stands in until the server has said who it is. No call runs for it.
    fn somebody(&self) -> Me {
        Me {
            id: 0,
            name: String::new(),
            email: String::new(),
            state: String::new(),
            scopes: self.catalog.areas().into_iter().map(Scope::write).collect(),
            could_add: Scopes::NONE,
            server_version: None,
        }
    }

    /// The server does not know the toolset of this connection, so its map gets ours.
    fn show_toolset(&self, said: &mut Said, toolset: &Toolset, caller: &Caller) {
        let shown = said.object.get_mut("toolset").and_then(Value::as_object_mut);
        let Some(shown) = shown.filter(|_| !toolset.names.is_empty()) else { return };
        let granted = self.catalog.iter().filter(|entry| entry.off_mcp.is_none() && entry.is_listed_for(caller));
        let (listed, left_out): (Vec<&Entry>, Vec<&Entry>) = granted.partition(|entry| toolset.holds(entry));
        shown.insert("active".into(), json!(toolset.names));
        shown.insert("listed".into(), listed.len().into());
        shown.insert("left_out".into(), left_out.len().into());
        if !left_out.is_empty() {
            let known = Toolset::known(&self.catalog).join(", ");
            let words = format!("The person can start the bridge without --tools, or with other names: {known}.");
            shown.insert("widen".into(), words.into());
        }
        said.text = None;
    }

    async fn me(&self) -> Result<&Me, Failure> {
        self.me.get_or_try_init(|| self.ask()).await
    }

    async fn ask(&self) -> Result<Me, Failure> {
        let me = self.remote.me().await.map_err(|fault| unavailable(&fault))?;
        let me = me.map_err(|reply| match reply.status {
            401 => refused_token(),
            _ => Failure::Unavailable { message: "The Almanac server cannot say who you are; try again.".into() },
        })?;
        let ours = env!("CARGO_PKG_VERSION");
        if let Some(version) = me.server_version.as_deref().filter(|version| *version != ours) {
            tracing::warn!("the server is Almanac {version}, this is {ours}: some tools may differ");
        }
        Ok(me)
    }
}

fn caller_of(me: &Me, source: &str) -> Caller {
    let person = Person {
        id: me.id,
        name: me.name.clone(),
        email: me.email.clone(),
        is_admin: false,
        state: me.state.clone(),
        timezone_set: true,
        prefers_imperial: false,
    };
    Caller {
        person: Some(person),
        actor: Actor { kind: ActorKind::AccessToken, id: 0, name: "bridge".into() },
        scopes: me.scopes,
        could_add: me.could_add,
        ..Caller::visitor(source)
    }
}

impl Backend for Bridge {
    fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Only the token that the process was started with counts.
    fn caller<'a>(&'a self, _: &'a str, _: &'a str) -> BoxFuture<'a, Result<Caller, Failure>> {
        Box::pin(async { Err(refused_token()) })
    }

    fn call(&self, request: Request) -> BoxFuture<'_, Result<Said, Unsaid>> {
        Box::pin(async move {
            let Some(entry) = self.catalog.get(&request.operation) else {
                return Err(Failure::UnknownOperation { name: request.operation }.into());
            };
            let received = entry.keyed.map(|_| request.input.clone());
            let input = entry.input.check(request.input).map_err(Failure::Invalid)?;
            let me = self.me().await?;
            let key = request.key.or_else(|| key(entry, me, received.as_ref()?));
            let reply = self.remote.call(entry, input, key.as_deref(), Accept::Answer).await;
            let reply = reply.map_err(|fault| unavailable(&fault))?;
            if !reply.is_success() {
                return Err(refusal(entry, reply));
            }
            let mut said = Said { text: reply.text, object: reply.body };
            self.show_toolset(&mut said, &request.toolset, &request.caller);
            Ok(said)
        })
    }
}

/// The key of the journal's rule: over the input as it came, where it says at what time of the day.
fn key(entry: &Entry, me: &Me, received: &Value) -> Option<String> {
    let (kind, input) = (entry.keyed?, received.as_object()?);
    let given = |name: &str| input.get(name).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    if given("idempotency_key") || given("allow_duplicate") || !entry.input.has_clock_time(input) {
        return None;
    }
    Some(derived_key(kind, me.id, input))
}

/// One sentence without the transport's words, which go to the log.
fn unavailable(fault: &Fault) -> Failure {
    tracing::warn!(%fault, "no answer from the server");
    let message = match fault {
        Fault::Unreachable { origin, .. } => format!("The Almanac server at {origin} cannot be reached; try again."),
        other => other.to_string(),
    };
    Failure::Unavailable { message }
}

fn refused_token() -> Failure {
    Failure::InvalidCredential("The server does not accept this access token: it is unknown, expired or revoked.")
}

/// What another server's refusal means here.
fn refusal(entry: &Entry, reply: Reply) -> Unsaid {
    match (reply.status, reply.code()) {
        (401, _) => refused_token().into(),
        (403, Some("insufficient_scope")) => missing_scope(entry).into(),
        (422, Some("invalid_input")) => Failure::Invalid(fields(&reply.body)).into(),
        (500, _) => {
            let call_id = reply.body.get("call_id").cloned().unwrap_or_default();
            tracing::warn!(%call_id, operation = entry.name, "the server failed");
            Unsaid::Broken { call_id }
        }
        (502..=504, None) => {
            let message = "The Almanac server is not available just now; try again.";
            Failure::Unavailable { message: message.into() }.into()
        }
        (_, Some(_)) => Unsaid::Told(reply.body),
        (status, None) => unavailable(&Fault::Foreign { status }).into(),
    }
}

fn missing_scope(entry: &Entry) -> Failure {
    let needs = match entry.needs {
        Needs::Scope(scope) => Scopes::NONE.with(scope),
        Needs::Anonymous | Needs::AnyCredential => Scopes::NONE,
    };
    Failure::MissingScope { operation: entry.name, needs }
}

fn fields(body: &Map<String, Value>) -> Vec<FieldFault> {
    let listed = body.get("fields").and_then(Value::as_array).into_iter().flatten();
    let text = |field: &Value, name: &str| field[name].as_str().unwrap_or_default().to_owned();
    listed.map(|field| FieldFault::new(text(field, "field"), text(field, "reason"))).collect()
}
