//! What updates share: the version they were made for, and which fields they changed.

use operation::Failure;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Refuses an update made for another version than the current one; `current` is the row as answers show it.
pub fn check_version(expected: Option<i64>, version: i64, current: &impl Serialize) -> Result<(), Failure> {
    match expected {
        Some(expected) if expected != version => Err(Failure::conflict(
            "version_conflict",
            format!("The row is at version {version} now, not {expected}; look at `current` and decide again."),
            json!({"current": members(current)?}),
        )),
        _ => Ok(()),
    }
}

/// Old values of the members that differ between two states of a row as answers show it; the version does not count.
pub fn before(old: &impl Serialize, new: &impl Serialize) -> Result<Map<String, Value>, Failure> {
    let (old, new) = (members(old)?, members(new)?);
    let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    Ok(names
        .filter(|name| *name != "version" && old.get(*name) != new.get(*name))
        .map(|name| (name.clone(), old.get(name).cloned().unwrap_or_default()))
        .collect())
}

fn members(row: &impl Serialize) -> Result<Map<String, Value>, Failure> {
    match serde_json::to_value(row) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Failure::internal("a row is shown as an object")),
        Err(error) => Err(Failure::internal(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_members_are_named_with_their_old_value() {
        let old = json!({"version": 1, "kcal": 500, "name": "soup", "fat_g": 1});
        let new = json!({"version": 2, "kcal": 250, "fat_g": 1, "slot": "lunch"});
        let before = before(&old, &new).unwrap();
        assert_eq!(Value::Object(before), json!({"kcal": 500, "name": "soup", "slot": null}));
    }

    #[test]
    fn an_update_for_another_version_is_refused_with_the_current_row() {
        let row = json!({"version": 3});
        assert!(check_version(None, 3, &row).is_ok());
        assert!(check_version(Some(3), 3, &row).is_ok());
        let body = check_version(Some(2), 3, &row).unwrap_err().body(0);
        assert_eq!((&body["error"], &body["current"]), (&json!("version_conflict"), &row));
    }
}
