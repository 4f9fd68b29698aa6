//! `almanac doctor`: one line per check, with what to do.

use cli::Complaint;
use engine::Engine;
use serde_json::{Value, json};
use storage::DatabaseUrl;

use crate::{
    config::Settings,
    house::{self, misconfigured},
};

/// A clock before this build was made is wrong: 2026-01-01.
const LATEST_PAST_MICROS: i64 = 1_767_225_600_000_000;

/// What was looked at, how it is, and what to do when it is not well.
struct Check {
    name: &'static str,
    found: Result<String, String>,
}

/// The checks as data, and whether all is well.
pub async fn doctor(settings: &Settings) -> Result<(Value, bool), Complaint> {
    let url = settings.database_url().map_err(|sentence| misconfigured(&sentence))?;
    let mut checks = Vec::new();
    let missing = matches!(&url, DatabaseUrl::Sqlite(path) if !path.exists());
    if missing {
        let advice = format!("there is none at {url}; `almanac serve` or `almanac create-person` makes it");
        checks.push(Check { name: "database", found: Err(advice) });
    } else {
        match house::open(settings, &house::base_url(settings)).await {
            Ok(engine) => {
                checks.push(Check { name: "database", found: Ok(format!("{url} opens")) });
                of_engine(&engine, &mut checks).await;
                house::close(engine).await;
            }
            Err(complaint) => checks.push(Check { name: "database", found: Err(complaint.to_string()) }),
        }
    }
    Ok(report(&checks))
}

async fn of_engine(engine: &Engine, checks: &mut Vec<Check>) {
    let applied = engine.storage().migrations_applied().await;
    let applied = applied.map(|steps| format!("{} applied", steps.len())).map_err(|error| error.to_string());
    checks.push(Check { name: "migrations", found: applied });
    let found = match engine.storage().quick_check().await {
        Ok(problems) if problems.is_empty() => Ok("no damage found".to_owned()),
        Ok(problems) => Err(format!("{}; restore a backup", problems.join("; "))),
        Err(error) => Err(error.to_string()),
    };
    checks.push(Check { name: "integrity", found });
    let now = engine.now();
    let found =
        if now.micros() > LATEST_PAST_MICROS { Ok(now.utc()) } else { Err(format!("{} is past; set it", now.utc())) };
    checks.push(Check { name: "clock", found });
    let found = match engine.is_claimed().await {
        Ok(true) => Ok("there is one".to_owned()),
        Ok(false) => Err("there is none; run `almanac create-person EMAIL`".to_owned()),
        Err(failure) => Err(Complaint::from(failure).to_string()),
    };
    checks.push(Check { name: "owner", found });
}

fn report(checks: &[Check]) -> (Value, bool) {
    let rows: Vec<Value> = checks
        .iter()
        .map(|check| {
            let (ok, says) = match &check.found {
                Ok(says) => (true, says),
                Err(says) => (false, says),
            };
            json!({"check": check.name, "ok": ok, "says": says})
        })
        .collect();
    let well = checks.iter().all(|check| check.found.is_ok());
    (json!({"ok": well, "checks": rows}), well)
}
