//! A house's engine inside the test: what `almanac …` on the host does, without a process for every call.

use std::sync::Arc;

use engine::{Engine, EngineOptions, NewPerson, Request, SystemClock};
use operation::Toolset;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::{
    domains,
    house::{ANA, House, ZONE},
};

pub struct Host {
    runtime: Runtime,
    engine: Engine,
}

impl Host {
    pub fn open(house: &House) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let url = house.url().parse().expect("a database URL");
        let options = EngineOptions { base_url: "http://localhost:8787".into(), clock: Arc::new(SystemClock) };
        let engine = runtime.block_on(Engine::open(&url, domains::DOMAINS, options)).expect("an engine");
        Self { runtime, engine }
    }

    pub fn person(&self, email: &str, name: &str) {
        let person =
            NewPerson { email: email.into(), name: Some(name.into()), timezone: Some(ZONE.into()), admin: false };
        self.runtime.block_on(self.engine.create_person(person)).expect("a person");
    }

    /// A call of Ana's that must work.
    pub fn call(&self, operation: &str, input: &Value) -> Value {
        let work = async {
            let caller = self.engine.caller_on_host(Some(ANA)).await?;
            let (caller, operation, input) = (Arc::new(caller), operation.to_owned(), input.clone());
            let request = Request { caller, operation, input, key: None, toolset: Toolset::default() };
            self.engine.call(request).await.map_err(|failed| failed.failure)
        };
        match self.runtime.block_on(work) {
            Ok(answer) => answer.into_value(),
            Err(failure) => panic!("{operation} {input}: {failure:?}"),
        }
    }

    pub fn token(&self, scope: &str) -> String {
        let made = self.call("create_access_token", &json!({"name": format!("{scope} token"), "scopes": scope}));
        made["token"].as_str().expect("a token").to_owned()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.engine.clone().close());
    }
}
