use std::sync::Arc;

use calendar::{Date, DayClock, Instant, Zone};
use clap::ArgMatches;
use cli::{Complaint, Place};
use engine::{Clock as _, Engine, NewPerson, SystemClock};
use operation::Failure;
use serde_json::{Map, Value, json};

use super::{
    dice::Dice,
    stepping_clock::SteppingClock,
    story::{self, DAYS},
};
use crate::{config::Settings, house};

const EMAIL: &str = "demo@example.org";
const ZONE: &str = "Europe/Lisbon";
/// The last day's story is over by then.
const OVER_BY_S: i64 = 9 * 3600;
const SEED: u64 = 0x0a1a_4ac0;

/// Fills a demo person and makes them a token. Refuses a database that has people, unless told otherwise.
pub async fn run(settings: &Settings, matches: &ArgMatches) -> Result<Value, Complaint> {
    let zone = Zone::parse(ZONE).map_err(|error| Complaint::of("internal", &format!("{ZONE} {error}"), 1))?;
    let day = DayClock { zone, day_start_hour: 4 };
    let until = until(matches.get_one::<String>("until").map(String::as_str), &day)?;
    let first = until.plus_days(1 - DAYS);
    let clock = Arc::new(SteppingClock::at(at(&day, first, 400)));
    let base = house::base_url(settings);
    let engine = house::open_with(settings, &base, clock.clone()).await?;
    let filled = fill(&engine, &clock, &day, first, matches.get_flag("into-existing")).await;
    house::close(engine).await;
    let mut report = filled?;
    // Tokens belong to the real clock.
    let engine = house::open(settings, &base).await?;
    let token = token(&engine).await;
    house::close(engine).await;
    report["from"] = first.to_string().into();
    report["until"] = until.to_string().into();
    report["token"] = token?;
    Ok(report)
}

/// The last day: as given, else today, or yesterday when today is too young for its story.
fn until(given: Option<&str>, day: &DayClock) -> Result<Date, Complaint> {
    let now = SystemClock.now();
    let latest = |date: &Date| day.start(*date).plus_seconds(OVER_BY_S) <= now;
    let fault = |reason: String| Complaint::from(Failure::invalid("--until", reason));
    let Some(text) = given else {
        let today = day.user_date(now);
        return Ok(if latest(&today) { today } else { today.plus_days(-1) });
    };
    let date = Date::parse(text).map_err(|error| fault(error.to_string()))?;
    if latest(&date) { Ok(date) } else { Err(fault("is in the future".into())) }
}

async fn fill(
    engine: &Engine,
    clock: &SteppingClock,
    day: &DayClock,
    first: Date,
    into_existing: bool,
) -> Result<Value, Complaint> {
    if engine.is_claimed().await? && !into_existing {
        let message = "This database has people. Use an empty one (--data DIR), or add --into-existing.";
        return Err(Complaint::of("not_empty", message, 6));
    }
    let person =
        NewPerson { email: EMAIL.into(), name: Some("Demo".into()), timezone: Some(ZONE.into()), admin: false };
    engine.create_person(person).await?;
    let place = Place::here(engine.clone(), Some(EMAIL)).await?;
    let mut dice = Dice::new(SEED);
    let mut done: Map<String, Value> = Map::new();
    for number in 0..DAYS {
        for step in story::day(number, &mut dice) {
            clock.set(at(day, first.plus_days(number), step.minute));
            call(engine, &place, step.operation, step.input).await?;
            let count = done.get(step.operation).and_then(Value::as_i64).unwrap_or_default();
            done.insert(step.operation.into(), (count + 1).into());
        }
    }
    Ok(json!({"person": EMAIL, "days": DAYS, "calls": done}))
}

async fn token(engine: &Engine) -> Result<Value, Complaint> {
    let place = Place::here(engine.clone(), Some(EMAIL)).await?;
    let input = json!({"name": "demo", "scopes": "profile journal"});
    Ok(call(engine, &place, "create_access_token", input).await?["token"].clone())
}

async fn call(engine: &Engine, place: &Place, operation: &str, input: Value) -> Result<Value, Complaint> {
    let entry = engine.catalog().get(operation);
    let entry = entry.ok_or_else(|| Complaint::of("unknown_operation", &format!("{operation} is switched off."), 5))?;
    place.call(entry, if let Value::Object(input) = input { input } else { Map::new() }).await
}

/// A minute of a day, by the clock on the wall (an hour off on the two days when it jumps).
fn at(day: &DayClock, date: Date, minute: i64) -> Instant {
    day.start(date).plus_seconds((minute - 240) * 60)
}
