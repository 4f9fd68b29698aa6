//! People and their Almanac, for tests: Robin in Toronto, whose day starts at 4, on Monday 2026-05-25 at 14:30:45; and
//! Sam, who lives there too and shares nothing.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use calendar::{Instant, Zone};
use engine::{Answer, Clock, Engine, EngineOptions, Request};
use identity::NewPerson;
use operation::{Caller, Failure, Toolset};
use serde_json::Value;
use storage::{
    Undone, Write,
    testing::{TestDatabase, TestEngine},
};

pub struct Story {
    pub engine: Engine,
    clock: Arc<TurnedClock>,
    people: [Caller; 2],
    /// Who calls.
    person: usize,
    _database: TestDatabase,
}

struct TurnedClock(AtomicI64);

impl Clock for TurnedClock {
    fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::Relaxed))
    }
}

impl Story {
    pub async fn new(engine: TestEngine) -> Self {
        let database = TestDatabase::create(engine).await;
        let clock = Arc::new(TurnedClock(AtomicI64::new(micros("2026-05-25T14:30:45-04:00"))));
        let options = EngineOptions { base_url: "http://localhost:8787".into(), clock: clock.clone() };
        let engine = Engine::open(&database.url, &[crate::DOMAIN], options).await.unwrap();
        let people = [person(&engine, "robin").await, person(&engine, "sam").await];
        Self { engine, clock, people, person: 0, _database: database }
    }

    pub fn at(&self, time: &str) {
        self.clock.0.store(micros(time), Ordering::Relaxed);
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.0.fetch_add(seconds * 1_000_000, Ordering::Relaxed);
    }

    pub fn as_sam(&mut self) {
        self.person = 1;
    }

    /// The person moves; what they logged stays.
    pub fn zone(&mut self, zone: &str) {
        self.people[self.person].day.zone = Zone::parse(zone).unwrap();
    }

    pub fn imperial(&mut self) {
        self.people[self.person].person.as_mut().unwrap().prefers_imperial = true;
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

    /// The answer with its status; `key` is what came in the header.
    pub async fn answer(&self, operation: &str, input: Value, key: Option<&str>) -> Result<Answer, Failure> {
        let request = Request {
            caller: Arc::new(self.people[self.person].clone()),
            operation: operation.into(),
            input,
            key: key.map(str::to_owned),
            toolset: Toolset::default(),
        };
        self.engine.call(request).await.map_err(|failed| failed.failure)
    }

    /// Takes a change back.
    pub async fn undo(&self, change: i64) {
        let (owner, now) = (self.people[self.person].person.as_ref().unwrap().id, self.clock.now());
        let how = Write { owner, change: true, call_id: None, deadline: std::time::Duration::from_secs(5) };
        let undone = self
            .engine
            .storage()
            .write(how, move |tx| Box::pin(async move { tx.undo(owner, change, now).await }))
            .await
            .unwrap();
        assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    }
}

async fn person(engine: &Engine, name: &str) -> Caller {
    let email = format!("{name}@example.org");
    let timezone = Some("America/Toronto".into());
    let person = NewPerson { email: email.clone(), name: Some(name.into()), timezone, admin: false };
    engine.create_person(person).await.unwrap();
    let mut caller = engine.caller_on_host(Some(&email)).await.unwrap();
    caller.source = "api".into();
    caller
}

fn micros(time: &str) -> i64 {
    Instant::parse_rfc3339(time).unwrap().micros()
}

/// Codes of an answer's warnings.
pub fn codes(answer: &Value) -> Vec<&str> {
    answer["warnings"].as_array().unwrap().iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}
