//! Which changes a caller may see and take back: those of the areas that their scopes open.

use operation::{Area, Call, Caller, Failure, Scope, Scopes};
use serde_json::json;
use storage::{ChangeEntry, Tx};

/// Names of the areas that the caller may read.
pub fn readable_areas(caller: &Caller) -> Vec<String> {
    caller.scopes.iter().map(|scope| scope.area.as_str().to_owned()).collect()
}

/// A change in an area that this version does not know is read by nobody.
pub fn may_read(entry: &ChangeEntry, caller: &Caller) -> bool {
    let may = |area: Area| caller.scopes.contains(Scope::read(area));
    entry.areas.iter().all(|name| Area::parse(name).is_some_and(may))
}

/// The scopes that taking this change back needs and the caller lacks.
pub fn missing_to_write(entry: &ChangeEntry, caller: &Caller) -> Scopes {
    let areas = entry.areas.iter().filter_map(|name| Area::parse(name));
    areas.map(Scope::write).filter(|scope| !caller.scopes.contains(*scope)).collect()
}

/// The change, where the caller may read it; `NotFound` otherwise, as if it were not there.
pub async fn readable(tx: &mut Tx, call: &Call, id: i64) -> Result<ChangeEntry, Failure> {
    let entry = tx.change_entry(call.owner()?, id).await?;
    entry.filter(|entry| may_read(entry, &call.caller)).ok_or_else(|| Failure::not_found("change", id))
}

/// Refuses a caller who may read these changes and not write them.
pub fn need_writing(missing: Scopes) -> Result<(), Failure> {
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("Taking this back needs the {missing} permission. Reconnect Almanac and allow {missing}.");
    Err(Failure::denied("needs_scope", message, json!({"scope": missing.to_string()})))
}
