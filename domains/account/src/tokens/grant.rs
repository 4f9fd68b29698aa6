//! What a new token may be given.

use calendar::Instant;
use identity::{access_token::makes_only_weaker, may_use};
use operation::{Area, Caller, Catalog, Failure, FieldFault, Needs, Scope, Scopes};
use serde_json::json;

/// Names that OAuth clients are used to send; they grant nothing.
const NO_OPS: [&str; 5] = ["openid", "email", "address", "phone", "offline_access"];
const DAY_S: i64 = 24 * 3600;

/// The scopes that a text names; the fault of the field where one is unknown or none is left.
pub fn named(text: &str) -> Result<Scopes, FieldFault> {
    let names: Vec<&str> = text.split(' ').filter(|name| !name.is_empty() && !NO_OPS.contains(name)).collect();
    match Scopes::parse(&names.join(" ")) {
        Ok(scopes) if scopes.is_empty() => Err(FieldFault::new("scopes", "Required")),
        Ok(scopes) => Ok(scopes),
        Err(_) => Err(FieldFault::new("scopes", format!("must be names out of {}", known()))),
    }
}

fn known() -> String {
    let names = Area::ALL.map(|area| format!("{0}, {0}:read", area.as_str()));
    names.join(", ")
}

/// What of `asked` the token gets. Through another token it must all be held by that one; else what needs a role that
/// the person lacks is left off, and it is a refusal when nothing remains.
pub fn granted(asked: Scopes, caller: &Caller) -> Result<Scopes, Failure> {
    if makes_only_weaker(&caller.actor) {
        let beyond: Scopes = asked.iter().filter(|scope| !caller.scopes.contains(*scope)).collect();
        return if beyond.is_empty() { Ok(asked) } else { Err(only_weaker(format!("it does not hold {beyond}"))) };
    }
    // Also areas that this server has not: the token opens them when they come.
    let every_area: Scopes = Area::ALL.into_iter().map(Scope::write).collect();
    let granted = asked.intersection(may_use(every_area));
    if granted.is_empty() {
        let message = format!("{asked} needs a role that this person does not have.");
        return Err(Failure::denied("role_needed", message, json!({"scopes": asked.to_string()})));
    }
    Ok(granted)
}

/// A word about scopes that open nothing on this server as it is.
pub fn of_no_use_yet(scopes: Scopes, catalog: &Catalog) -> Option<String> {
    let served = |scope: &Scope| {
        catalog.iter().any(|entry| matches!(entry.needs, Needs::Scope(needed) if needed.area == scope.area))
    };
    let idle: Scopes = scopes.iter().filter(|scope| !served(scope)).collect();
    let which = "opens nothing here: this server has no such area yet. It will once the server has it.";
    (!idle.is_empty()).then(|| format!("{idle} {which}"))
}

/// When the token ends: after the days asked for, and never after the credential it is made through.
pub fn expiry(days: Option<i64>, caller: &Caller, now: Instant) -> Result<Option<Instant>, Failure> {
    let asked = days.map(|days| now.plus_seconds(days * DAY_S));
    let limit = caller.expires_at.filter(|_| makes_only_weaker(&caller.actor));
    match (asked, limit) {
        (Some(asked), Some(limit)) if asked > limit => {
            Err(only_weaker(format!("it expires itself on {}", limit.in_zone(&caller.day.zone))))
        }
        (asked, limit) => Ok(asked.or(limit)),
    }
}

fn only_weaker(because: String) -> Failure {
    let message = format!("A token makes only weaker ones, and {because}. Make this one on the web or on the host.");
    Failure::denied("only_weaker", message, json!({}))
}
