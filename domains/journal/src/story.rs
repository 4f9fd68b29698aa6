//! A person and their Almanac, for tests: Robin in Toronto, whose day starts at 4, on Monday 2026-05-25 at 14:30:45.

use std::{sync::Arc, time::Duration};

use calendar::{DayClock, Instant, Zone};
use operation::{Actor, ActorKind, Call, Caller, Catalog, Effect, Failure, Person, Scopes, Toolset, entry::Runner};
use serde_json::Value;
use storage::{
    Schema, Storage, Write,
    testing::{TestDatabase, TestEngine},
};

pub struct Story {
    storage: Storage,
    catalog: Arc<Catalog>,
    caller: Caller,
    now: Instant,
    calls: std::cell::Cell<i64>,
    _database: TestDatabase,
}

impl Story {
    pub async fn new(engine: TestEngine) -> Self {
        let database = TestDatabase::create(engine).await;
        let schema = Schema { tables: crate::TABLES.to_vec(), migrations: crate::MIGRATIONS.to_vec() };
        let storage = database.open(schema).await.unwrap();
        let person = Person {
            id: 1,
            name: "Robin".into(),
            email: "robin@example.org".into(),
            is_admin: false,
            state: "active".into(),
            timezone_set: true,
            prefers_imperial: false,
        };
        let caller = Caller {
            person: Some(person),
            actor: Actor { kind: ActorKind::Cli, id: 0, name: "test".into() },
            scopes: Scopes::parse("journal").unwrap(),
            could_add: Scopes::NONE,
            expires_at: None,
            day: DayClock { zone: Zone::parse("America/Toronto").unwrap(), day_start_hour: 4 },
            source: "api".into(),
        };
        let catalog = Arc::new(Catalog::new(&[crate::DOMAIN]).unwrap());
        let mut story =
            Self { storage, catalog, caller, now: Instant::MIN, calls: std::cell::Cell::new(0), _database: database };
        story.at("2026-05-25T14:30:45-04:00");
        story
    }

    pub fn at(&mut self, time: &str) {
        self.now = Instant::parse_rfc3339(time).unwrap();
    }

    pub fn zone(&mut self, zone: &str) {
        self.caller.day.zone = Zone::parse(zone).unwrap();
    }

    pub fn imperial(&mut self) {
        self.caller.person.as_mut().unwrap().prefers_imperial = true;
    }

    pub fn as_person(&mut self, id: i64) {
        self.caller.person.as_mut().unwrap().id = id;
    }

    /// The answer of a call that works.
    pub async fn call(&self, name: &'static str, input: Value) -> Value {
        match self.try_call(name, input).await {
            Ok(answer) => answer,
            Err(failure) => panic!("{name}: {}", failure.body(0)),
        }
    }

    /// The error body of a call that does not.
    pub async fn refused(&self, name: &'static str, input: Value) -> Value {
        match self.try_call(name, input).await {
            Ok(answer) => panic!("{name}: {answer}"),
            Err(failure) => failure.body(0),
        }
    }

    async fn try_call(&self, name: &'static str, input: Value) -> Result<Value, Failure> {
        self.calls.set(self.calls.get() + 1);
        let call = Arc::new(Call {
            caller: Arc::new(self.caller.clone()),
            now: self.now,
            call_id: self.calls.get(),
            operation: name,
            catalog: self.catalog.clone(),
            toolset: Toolset::default(),
            base_url: "http://localhost".into(),
        });
        let entry = self.catalog.get(name).unwrap();
        let input = entry.input.check(input).map_err(Failure::Invalid)?;
        let input = Arc::new(entry.runner.parse(input.into())?);
        let faults = entry.runner.check(&input, &call)?;
        if !faults.is_empty() {
            return Err(Failure::Invalid(faults));
        }
        let catalog = self.catalog.clone();
        let owner = call.owner()?;
        let run = job(move |tx| {
            let (catalog, input, call) = (catalog.clone(), input.clone(), call.clone());
            Box::pin(async move {
                match &catalog.get(name).unwrap().runner {
                    Runner::Local(runner) => runner.run(&input, tx, &call).await,
                    Runner::Reaching(_) => unreachable!(),
                }
            })
        });
        let produced = if entry.effect == Effect::Reads {
            self.storage.read(run).await?
        } else {
            let how = Write { owner, change: true, call_id: Some(self.calls.get()), deadline: Duration::from_secs(5) };
            self.storage.write(how, run).await?
        };
        Ok(Value::Object(produced.answer))
    }
}

/// Codes of an answer's warnings.
pub fn codes(answer: &Value) -> Vec<&str> {
    answer["warnings"].as_array().unwrap().iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}

/// Tells the compiler what a job is.
fn job<J>(job: J) -> J
where
    J: for<'a> Fn(&'a mut storage::Tx) -> storage::BoxFuture<'a, Result<operation::Produced, Failure>>,
{
    job
}
