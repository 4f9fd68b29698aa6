//! From a credential, an address or an id to a [`Caller`], in one joined query.

use calendar::{DayClock, Instant};
use operation::{Actor, ActorKind, Caller, Failure, Person, Scopes};
use storage::{Row, Tx, params};

use crate::{
    Credential, Email, Units, access_token::stored_scopes, claim, may_use, may_use::missing, person, person::State,
    profile,
};

storage::statements! {
    BY_TOKEN = "SELECT p.id, p.email, p.is_admin, p.state, f.name, f.timezone, f.timezone_set, f.day_start_hour, \
                f.preferred_unit_system, t.id, t.name, t.scopes, t.expires_at, t.revoked_at \
                FROM access_token AS t JOIN person AS p ON p.id = t.owner \
                JOIN profile AS f ON f.owner = p.id AND f.id = p.id WHERE t.token_hash = $1";
    BY_PERSON = "SELECT p.id, p.email, p.is_admin, p.state, f.name, f.timezone, f.timezone_set, f.day_start_hour, \
                 f.preferred_unit_system \
                 FROM person AS p JOIN profile AS f ON f.owner = p.id AND f.id = p.id WHERE p.id = $1";
}

/// One text for every reason, so that a refusal tells nothing about the token.
const INVALID: Failure = Failure::InvalidCredential("This token is not valid here: it is unknown, expired or revoked.");

/// Whoever runs commands on the host.
pub fn command_line() -> Actor {
    Actor { kind: ActorKind::Cli, id: 0, name: "command line".into() }
}

/// The caller behind a credential. `InvalidCredential` when it is unknown, expired or revoked, or its person is
/// suspended or leaving; a pending person comes back as such, and the engine refuses them. `areas` are the scopes of
/// the areas that this server has.
pub async fn caller_of_credential(
    tx: &mut Tx,
    credential: &str,
    now: Instant,
    source: &str,
    areas: Scopes,
) -> Result<Caller, Failure> {
    let credential = Credential::received(credential);
    if !credential.is_access_token() {
        return Err(INVALID);
    }
    let row = tx.row(&BY_TOKEN, &params![credential.hash()]).await?.ok_or(INVALID)?;
    let expires_at: Option<Instant> = row.get(12)?;
    let revoked = row.get::<Option<Instant>>(13)?.is_some();
    let state: State = row.get(3)?;
    if revoked || expires_at.is_some_and(|end| end <= now) || matches!(state, State::Suspended | State::Deleting) {
        return Err(INVALID);
    }
    let actor = Actor { kind: ActorKind::AccessToken, id: row.get(9)?, name: row.get(10)? };
    let granted = stored_scopes(&row.get::<String>(11)?)?;
    let mut caller = caller(&row, actor, granted, source, areas)?;
    caller.expires_at = expires_at;
    Ok(caller)
}

/// The caller on the host: the person with this address, or the owner. `NotFound` for an unknown address,
/// `Unavailable` while there is no owner.
pub async fn caller_of_email(tx: &mut Tx, email: Option<&str>, source: &str, areas: Scopes) -> Result<Caller, Failure> {
    let person = match email {
        Some(email) => by_address(tx, email).await?,
        None => owner(tx).await?,
    };
    caller_of_person(tx, person, command_line(), source, areas).await
}

/// A person by id, with all that they may do; the actor says through what they act.
pub async fn caller_of_person(
    tx: &mut Tx,
    person: i64,
    actor: Actor,
    source: &str,
    areas: Scopes,
) -> Result<Caller, Failure> {
    let row = tx.row(&BY_PERSON, &params![person]).await?;
    let row = row.ok_or_else(|| Failure::not_found("person", person))?;
    caller(&row, actor, may_use(areas), source, areas)
}

async fn by_address(tx: &mut Tx, text: &str) -> Result<i64, Failure> {
    let unknown = || Failure::not_found("person", text);
    let email = Email::parse(text).map_err(|_| unknown())?;
    person::by_email(tx, &email).await?.ok_or_else(unknown)
}

/// Who claimed the instance, or, when they are gone, the admin who came first.
async fn owner(tx: &mut Tx) -> Result<i64, Failure> {
    let nobody = || Failure::Unavailable {
        message: "This Almanac has no owner yet. Make one with: almanac create-person EMAIL".into(),
    };
    let claimed = claim::owner(tx).await?.ok_or_else(nobody)?;
    if tx.row(&BY_PERSON, &params![claimed]).await?.is_some() {
        return Ok(claimed);
    }
    person::first_admin(tx).await?.ok_or_else(nobody)
}

/// A row of person and profile as a caller.
fn caller(row: &Row, actor: Actor, granted: Scopes, source: &str, areas: Scopes) -> Result<Caller, Failure> {
    let all = may_use(areas);
    let scopes = granted.intersection(all);
    Ok(Caller {
        person: Some(Person {
            id: row.get(0)?,
            email: row.get::<Option<String>>(1)?.unwrap_or_default(),
            is_admin: row.get(2)?,
            state: row.get(3)?,
            name: row.get(4)?,
            timezone_set: row.get(6)?,
            prefers_imperial: row.get::<Units>(8)? == Units::Imperial,
        }),
        actor,
        scopes,
        could_add: missing(scopes, all),
        expires_at: None,
        day: DayClock {
            zone: profile::stored_zone(&row.get::<String>(5)?)?,
            day_start_hour: profile::stored_hour(row.get(7)?)?,
        },
        source: source.to_owned(),
    })
}
