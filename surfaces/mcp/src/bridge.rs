//! The same tools over another Almanac's REST API: no database, no state of a domain, no rule of its own.

use std::sync::Arc;

use engine::{Failed, Request};
use operation::{Actor, ActorKind, BoxFuture, Caller, Catalog, Entry, Failure, FieldFault, Needs, Person, Scopes};
use remote::{Accept, Fault, Me, Remote, Reply};
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use crate::{
    backend::{Backend, Said, Unsaid},
    stdio::Who,
};

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

    /// Whom the token stands for, as `stdio::serve` asks it.
    pub fn who(self: &Arc<Self>) -> Who {
        let bridge = self.clone();
        Arc::new(move |source| {
            let bridge = bridge.clone();
            Box::pin(async move { bridge.me().await.map(|me| caller_of(me, &source)) })
        })
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
            let input = entry.input.check(request.input).map_err(Failure::Invalid)?;
            let reply = self.remote.call(entry, input, request.key.as_deref(), Accept::Answer).await;
            let reply = reply.map_err(|fault| unavailable(&fault))?;
            if reply.is_success() {
                return Ok(Said { text: reply.text, object: reply.body });
            }
            Err(refusal(entry, reply))
        })
    }
}

fn unavailable(fault: &Fault) -> Failure {
    Failure::Unavailable { message: fault.to_string() }
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
            let call_id = reply.body.get("call_id").and_then(Value::as_i64).unwrap_or_default();
            let failure = Failure::internal(format!("{}: the server failed in call {call_id}", entry.name));
            Failed { failure, call_id }.into()
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
