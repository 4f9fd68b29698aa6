use cli::Complaint;
use serde_json::{Value, json};

use crate::{config::Settings, house};

/// `almanac migrate`: brings the database to this version's schema, and says which steps it has taken.
pub async fn migrate(settings: &Settings) -> Result<Value, Complaint> {
    let engine = house::open(settings, &house::base_url(settings)).await?;
    let applied = engine.storage().migrations_applied().await;
    let database = engine.storage().engine_name();
    house::close(engine).await;
    let applied = applied.map_err(|error| Complaint::of("unavailable", &error.to_string(), 1))?;
    let steps: Vec<Value> =
        applied.iter().map(|step| json!({"domain": step.domain, "number": step.number, "name": step.name})).collect();
    Ok(json!({"database": database, "migrations": steps}))
}
