//! Who may call what: the same check for every surface, from the operation's own constants.

use operation::{Caller, Entry, Failure, Needs};
use serde_json::json;

/// Scope, account state and role. `Ok` leaves only the row's owner to the record functions.
pub fn admit(entry: &Entry, caller: &Caller) -> Result<(), Failure> {
    if entry.needs == Needs::Anonymous {
        return Ok(());
    }
    let person = caller.person.as_ref().ok_or(Failure::Unauthenticated)?;
    if let Needs::Scope(scope) = entry.needs
        && !caller.scopes.contains(scope)
    {
        return Err(Failure::missing(entry.name, scope));
    }
    if person.state != "active" {
        return Err(Failure::denied(
            "account_not_ready",
            "This account is waiting for an administrator's approval.",
            json!({"state": person.state}),
        ));
    }
    if entry.admin && !person.is_admin {
        return Err(Failure::Forbidden { message: format!("{} is for administrators.", entry.name) });
    }
    Ok(())
}
