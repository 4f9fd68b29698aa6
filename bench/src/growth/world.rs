use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use calendar::Instant;
use engine::{Clock, Engine, EngineOptions, NewPerson, Request};
use operation::{Caller, Toolset};
use serde_json::{Value, json};
use storage::DatabaseUrl;

use crate::error::Error;

/// Meals a day; with the weigh-in 4,015 rows a year.
const MEALS: i64 = 10;
const DAY_US: i64 = 24 * 3600 * 1_000_000;
/// 2016-01-01T12:00:00Z, in microseconds.
const BEGINNING: i64 = 1_451_649_600_000_000;
/// Meals of each person beside.
const MEALS_BESIDE: i64 = 10;

/// A database with a history, and the person whose calls are measured.
pub struct World {
    pub name: String,
    engine: Engine,
    clock: Arc<Stepping>,
    caller: Arc<Caller>,
}

struct Stepping(AtomicI64);

impl Clock for Stepping {
    fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::Relaxed))
    }
}

impl World {
    pub async fn new(folder: &Path, name: &str, years: i64, beside: usize) -> Result<Self, Error> {
        let clock = Arc::new(Stepping(AtomicI64::new(BEGINNING)));
        let url = DatabaseUrl::Sqlite(folder.join(format!("{name}.db")));
        let options = EngineOptions { base_url: "http://localhost".into(), clock: clock.clone() };
        let engine = Engine::open(&url, &[account::DOMAIN, journal::DOMAIN], options).await.map_err(said)?;
        let caller = person(&engine, "measured@example.org").await?;
        let world = Self { name: name.to_owned(), engine, clock, caller };
        for _ in 0..years * 365 {
            world.live_a_day().await?;
        }
        for number in 0..beside {
            let other = person(&world.engine, &format!("person{number}@example.org")).await?;
            world.eat(&other, MEALS_BESIDE).await?;
        }
        world.eat(&world.caller, MEALS / 2).await?;
        Ok(world)
    }

    /// Ten meals and a weigh-in, all at once so that they share commits, and on to the next day.
    async fn live_a_day(&self) -> Result<(), Error> {
        self.eat(&self.caller, MEALS).await?;
        self.call("log_weight", json!({"weight": 80.0, "unit": "kg"})).await?;
        self.clock.0.fetch_add(DAY_US, Ordering::Relaxed);
        Ok(())
    }

    async fn eat(&self, caller: &Arc<Caller>, meals: i64) -> Result<(), Error> {
        let logged: Vec<_> = (0..meals)
            .map(|number| {
                let (engine, caller) = (self.engine.clone(), caller.clone());
                tokio::spawn(async move { asked(&engine, caller, "log_meal", meal(300 + number)).await })
            })
            .collect();
        for meal in logged {
            meal.await??;
        }
        Ok(())
    }

    pub async fn call(&self, operation: &str, input: Value) -> Result<Value, Error> {
        asked(&self.engine, self.caller.clone(), operation, input).await
    }

    /// A meal like no other, a tenth of a day after the last, so that days stay as full as in the history.
    pub fn next_meal(&self) -> Value {
        let now = self.clock.0.fetch_add(DAY_US / MEALS, Ordering::Relaxed);
        meal(400 + now / DAY_US % 300)
    }
}

fn meal(kcal: i64) -> Value {
    json!({"kcal": kcal, "protein_g": 20, "carb_g": 30, "fat_g": (kcal - 200) / 9, "name": "Rice and beans",
        "slot": "lunch", "allow_duplicate": true})
}

async fn person(engine: &Engine, email: &str) -> Result<Arc<Caller>, Error> {
    let timezone = Some("America/Toronto".to_owned());
    let person = NewPerson { email: email.to_owned(), name: None, timezone, admin: false };
    engine.create_person(person).await.map_err(said)?;
    Ok(Arc::new(engine.caller_on_host(Some(email)).await.map_err(said)?))
}

async fn asked(engine: &Engine, caller: Arc<Caller>, operation: &str, input: Value) -> Result<Value, Error> {
    let request = Request { caller, operation: operation.into(), input, key: None, toolset: Toolset::default() };
    let answer = engine.call(request).await.map_err(|failed| said(failed.failure))?;
    Ok(answer.into_value())
}

fn said(failure: operation::Failure) -> Error {
    format!("{failure:?}").into()
}
