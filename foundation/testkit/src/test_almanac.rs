use std::sync::Arc;

use engine::{Answer, Engine, EngineOptions, Request};
use operation::{Caller, Domain, Failure, Scopes, Toolset};
use serde_json::Value;
use storage::testing::{TestDatabase, TestEngine};

use crate::{ROBIN, SAM, TurnedClock, people};

/// A fresh Almanac on Monday 2026-05-25 at 14:30:45 in Toronto, with Robin and Sam. Calls are Robin's until
/// [`TestAlmanac::becomes`].
pub struct TestAlmanac {
    pub engine: Engine,
    pub clock: Arc<TurnedClock>,
    person: &'static str,
    scopes: Option<Scopes>,
    /// What a test has made of the caller, instead of what the database says.
    pinned: Option<Caller>,
    _database: TestDatabase,
}

impl TestAlmanac {
    pub async fn new(engine: TestEngine, domains: &[Domain]) -> Self {
        let database = TestDatabase::create(engine).await;
        let clock = Arc::new(TurnedClock::at("2026-05-25T14:30:45-04:00"));
        let options = EngineOptions { base_url: "http://localhost:8787".into(), clock: clock.clone() };
        let engine = Engine::open(&database.url, domains, options).await.unwrap();
        for name in [ROBIN, SAM] {
            people::person(&engine, name).await;
        }
        Self { engine, clock, person: ROBIN, scopes: None, pinned: None, _database: database }
    }

    /// From now on calls are this person's.
    pub fn becomes(&mut self, person: &'static str) {
        self.person = person;
        self.pinned = None;
    }

    /// From now on calls carry these scopes only: `journal:read profile`.
    pub fn with_scopes(&mut self, scopes: &str) {
        self.scopes = Some(Scopes::parse(scopes).unwrap());
    }

    /// The caller as the database has them now.
    pub async fn caller(&self) -> Caller {
        let mut caller = match &self.pinned {
            Some(caller) => caller.clone(),
            None => people::caller(&self.engine, self.person).await,
        };
        if let Some(scopes) = self.scopes {
            caller.scopes = scopes;
        }
        caller
    }

    /// From now on calls are made by this very caller.
    pub fn pin(&mut self, caller: Caller) {
        self.pinned = Some(caller);
    }

    pub fn at(&self, time: &str) {
        self.clock.set(time);
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.pass(seconds);
    }

    /// The answer of a call that works.
    pub async fn call(&self, operation: &str, input: Value) -> Value {
        let answer = self.try_call(operation, input).await;
        answer.unwrap_or_else(|failure| panic!("{operation}: {failure:?}"))
    }

    /// The error body of a call that does not.
    pub async fn refused(&self, operation: &str, input: Value) -> Value {
        match self.try_call(operation, input).await {
            Ok(answer) => panic!("{operation}: {answer}"),
            Err(failure) => failure.body(0),
        }
    }

    pub async fn try_call(&self, operation: &str, input: Value) -> Result<Value, Failure> {
        self.answer(operation, input, None).await.map(Answer::into_value)
    }

    /// The answer with its status; `key` is what came in the idempotency header.
    pub async fn answer(&self, operation: &str, input: Value, key: Option<&str>) -> Result<Answer, Failure> {
        let request = Request {
            caller: Arc::new(self.caller().await),
            operation: operation.into(),
            input,
            key: key.map(str::to_owned),
            toolset: Toolset::default(),
        };
        self.engine.call(request).await.map_err(|failed| failed.failure)
    }
}

/// Codes of an answer's warnings.
pub fn codes(answer: &Value) -> Vec<&str> {
    answer["warnings"].as_array().unwrap().iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}
