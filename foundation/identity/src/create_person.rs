use calendar::{Instant, Zone};
use operation::{Area, Failure, FieldFault};
use serde_json::json;
use storage::{Change, Tx};

use crate::{
    BodyProfile, Email, Profile,
    audit::{self, Event, EventKind},
    body_profile,
    caller::command_line,
    claim,
    person::{self, State},
    profile, words,
};

/// Name that the change log has for making a person.
pub const CREATE_PERSON: &str = "create_person";

/// A person to be made on the host.
#[derive(Debug, Clone, Default)]
pub struct NewPerson {
    pub email: String,
    /// Without one: what stands before the `@`.
    pub name: Option<String>,
    /// IANA name; without one UTC, and `timezone_set` stays false.
    pub timezone: Option<String>,
    pub admin: bool,
}

struct Checked {
    email: Email,
    name: String,
    zone: Option<Zone>,
}

/// Makes an active person with their profile and answers the id. The first one of an unclaimed instance becomes its
/// owner and admin and claims it. `Invalid` names every wrong field; `Refused email_taken` (409).
///
/// Writes the captured profile, so it needs a transaction with a change.
pub async fn create_person(tx: &mut Tx, new: &NewPerson, now: Instant) -> Result<i64, Failure> {
    let Checked { email, name, zone } = new.check()?;
    let first = !claim::is_claimed(tx).await?;
    let Some(id) = person::insert(tx, &email, first || new.admin, State::Active, now).await? else {
        return Err(Failure::conflict("email_taken", "Somebody here has this e-mail address already.", json!({})));
    };
    profile::insert(tx, id, &Profile::new(name, zone, "cli", now)).await?;
    body_profile::insert(tx, id, &BodyProfile::new("cli", now)).await?;
    if first && claim::claim(tx, id, now).await? {
        let actor = command_line();
        let kind = EventKind::SetupClaimed;
        let event = Event { kind, person: id, actor: &actor, way_in: "cli", subject: None, call_id: None };
        audit::record(tx, &event, now).await?;
    }
    record_change(tx, id, now).await?;
    Ok(id)
}

/// The change that wrote the profile, which belongs to the new person.
async fn record_change(tx: &mut Tx, person: i64, now: Instant) -> Result<(), Failure> {
    let Some(id) = tx.change() else { return Ok(()) };
    let actor = command_line();
    let change = Change {
        owner: person,
        id,
        at: now,
        operation: CREATE_PERSON.into(),
        area: Area::Profile.as_str().into(),
        actor_kind: actor.kind.as_str().into(),
        actor_id: actor.id,
        actor_name: actor.name,
        source: "cli".into(),
        summary: "Made the person and their profile.".into(),
    };
    tx.record_change(&change).await?;
    Ok(())
}

impl NewPerson {
    fn check(&self) -> Result<Checked, Failure> {
        let mut faults = Vec::new();
        let email = Email::parse(&self.email).map_err(|reason| faults.push(FieldFault::new("email", reason)));
        let name = self.name.as_deref().map(words::one_line);
        if name.as_ref().is_some_and(|name| !(1..=100).contains(&name.chars().count())) {
            faults.push(FieldFault::new("name", "must be 1 to 100 characters"));
        }
        let zone = self.timezone.as_deref().map(Zone::parse).transpose();
        let zone = zone.map_err(|error| faults.push(FieldFault::new("timezone", error.to_string())));
        match (email, zone) {
            (Ok(email), Ok(zone)) if faults.is_empty() => {
                let name = name.unwrap_or_else(|| email.local_part().to_owned());
                Ok(Checked { email, name, zone })
            }
            _ => Err(Failure::Invalid(faults)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let new = NewPerson {
            email: "ana".into(),
            name: Some(" \u{7} ".into()),
            timezone: Some("Toronto".into()),
            admin: false,
        };
        let Err(Failure::Invalid(faults)) = new.check() else { panic!("accepted") };
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["email", "name", "timezone"]);
    }

    #[test]
    fn a_person_without_a_name_is_called_as_the_address_begins() {
        let new = NewPerson { email: "Ana@example.org".into(), ..NewPerson::default() };
        assert_eq!(new.check().map(|checked| checked.name).unwrap_or_default(), "Ana");
    }
}
