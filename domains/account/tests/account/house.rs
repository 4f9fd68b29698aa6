//! An engine on a fresh database, a clock that the test turns, and people who call.

use std::sync::Arc;

use engine::{Engine, EngineOptions, Failed, Request};
use identity::NewPerson;
use operation::{Caller, Failure, Toolset};
use serde_json::{Value, json};
use storage::{
    Row, Sql,
    testing::{TestDatabase, TestEngine},
};
use testkit::TurnedClock;

use crate::notes;

pub struct House {
    pub engine: Engine,
    clock: Arc<TurnedClock>,
    _database: TestDatabase,
}

/// The body of an error.
pub fn refusal(answer: Result<Value, Failed>) -> Value {
    match answer {
        Ok(answer) => panic!("not refused: {answer}"),
        Err(failed) => failed.body(),
    }
}

impl House {
    /// With Ana, the owner, and Ben.
    pub async fn on(engine: TestEngine) -> Self {
        let database = TestDatabase::create(engine).await;
        let clock = Arc::new(TurnedClock::at("2026-05-25T12:00:00Z"));
        let options = EngineOptions { base_url: "http://localhost:8787".into(), clock: clock.clone() };
        let engine = Engine::open(&database.url, &[account::DOMAIN, notes::DOMAIN], options).await.unwrap();
        for name in ["Ana", "Ben"] {
            let email = format!("{}@example.org", name.to_lowercase());
            let person = NewPerson { email, name: Some(name.into()), timezone: None, admin: false };
            engine.create_person(person).await.unwrap();
        }
        Self { engine, clock, _database: database }
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.pass(seconds);
    }

    /// A person at the command line of the host.
    pub async fn person(&self, name: &str) -> Arc<Caller> {
        let email = format!("{name}@example.org");
        Arc::new(self.engine.caller_on_host(Some(&email)).await.unwrap())
    }

    pub async fn try_as(&self, caller: &Arc<Caller>, operation: &str, input: Value) -> Result<Value, Failed> {
        let (caller, operation) = (caller.clone(), operation.to_owned());
        let request = Request { caller, operation, input, key: None, toolset: Toolset::default() };
        self.engine.call(request).await.map(|answer| answer.into_value())
    }

    pub async fn call_as(&self, caller: &Arc<Caller>, operation: &str, input: Value) -> Value {
        let answer = self.try_as(caller, operation, input).await;
        answer.unwrap_or_else(|failed| panic!("{operation}: {:?}", failed.failure))
    }

    /// A call of Ana at the command line.
    pub async fn call(&self, operation: &str, input: Value) -> Value {
        self.call_as(&self.person("ana").await, operation, input).await
    }

    pub async fn refused(&self, operation: &str, input: Value) -> Value {
        refusal(self.try_as(&self.person("ana").await, operation, input).await)
    }

    /// A new token of Ana made through `maker`, and its id.
    pub async fn token(&self, maker: &Arc<Caller>, input: Value) -> (String, i64) {
        let made = self.call_as(maker, "create_access_token", input).await;
        (made["token"].as_str().unwrap().to_owned(), made["id"].as_i64().unwrap())
    }

    /// Whoever holds the token.
    pub async fn holder(&self, token: &str) -> Arc<Caller> {
        Arc::new(self.engine.caller_of_credential(token, "api").await.unwrap())
    }

    /// Ana through a new token with these scopes.
    pub async fn through_token(&self, scopes: &str) -> Arc<Caller> {
        let (token, _) = self.token(&self.person("ana").await, json!({"name": "test", "scopes": scopes})).await;
        self.holder(&token).await
    }

    /// Writes a note as Ana and answers its id and the id of the change.
    pub async fn note(&self, text: &str) -> (i64, i64) {
        let written = self.call("write_note", json!({"text": text})).await;
        (written["id"].as_i64().unwrap(), written["change_id"].as_i64().unwrap())
    }

    /// What note `id` of Ana says; `None` when it is gone.
    pub async fn text_of(&self, id: i64) -> Option<String> {
        let answer = self.try_as(&self.person("ana").await, "get_note", json!({"note_id": id})).await;
        answer.ok().map(|note| note["summary"].as_str().unwrap().to_owned())
    }

    /// Rows of a statement of the test's own.
    pub async fn rows(&self, text: &'static str) -> Vec<Row> {
        let rows: Result<Vec<Row>, Failure> = self
            .engine
            .storage()
            .read(move |tx| Box::pin(async move { Ok(tx.rows(&Sql { name: "test", text }, &[]).await?) }))
            .await;
        rows.unwrap()
    }
}
