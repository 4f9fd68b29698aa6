//! Record file of table `profile`: name, language and time of a person. Captured, so written only under a change.

use calendar::{DayClock, Instant, Zone};
use operation::Failure;
use storage::{Row, Tx, params};

use crate::closed_set::closed_set;

storage::statements! {
    INSERT = "INSERT INTO profile (owner, id, name, language, timezone, timezone_set, day_start_hour, \
              preferred_unit_system, about_me, source, version, created_at, updated_at) \
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12)";
    GET = "SELECT name, language, timezone, timezone_set, day_start_hour, preferred_unit_system, about_me, source, \
           version, created_at, updated_at FROM profile WHERE owner = $1 AND id = $2";
    DAY = "SELECT timezone, day_start_hour FROM profile WHERE owner = $1 AND id = $2";
    UPDATE = "UPDATE profile SET name = $1, language = $2, timezone = $3, timezone_set = $4, day_start_hour = $5, \
              preferred_unit_system = $6, about_me = $7, source = $8, version = version + 1, updated_at = $9 \
              WHERE owner = $10 AND id = $11";
}

closed_set! {
    Language { En = "en", PtBr = "pt-BR" }
}

closed_set! {
    Units { Metric = "metric", Imperial = "imperial" }
}

/// What every domain knows about a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub name: String,
    pub language: Language,
    /// UTC until somebody sets it.
    pub zone: Zone,
    pub timezone_set: bool,
    /// 0–6.
    pub day_start_hour: u8,
    pub preferred_unit_system: Units,
    pub about_me: Option<String>,
    /// Surface that wrote it last.
    pub source: String,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl Profile {
    /// The profile of a new person, whose zone is set when they named one.
    pub fn new(name: String, zone: Option<Zone>, source: &str, now: Instant) -> Self {
        Self {
            name,
            language: Language::En,
            timezone_set: zone.is_some(),
            zone: zone.unwrap_or_else(Zone::utc),
            day_start_hour: 4,
            preferred_unit_system: Units::Metric,
            about_me: None,
            source: source.to_owned(),
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// The person's day.
    pub fn day(&self) -> DayClock {
        DayClock { zone: self.zone.clone(), day_start_hour: self.day_start_hour }
    }

    fn of(row: &Row) -> Result<Self, Failure> {
        Ok(Self {
            name: row.get(0)?,
            language: row.get(1)?,
            zone: stored_zone(&row.get::<String>(2)?)?,
            timezone_set: row.get(3)?,
            day_start_hour: stored_hour(row.get(4)?)?,
            preferred_unit_system: row.get(5)?,
            about_me: row.get(6)?,
            source: row.get(7)?,
            version: row.get(8)?,
            created_at: row.get(9)?,
            updated_at: row.get(10)?,
        })
    }
}

pub(crate) fn stored_zone(name: &str) -> Result<Zone, Failure> {
    Zone::parse(name).map_err(|_| Failure::internal(format!("profile holds the unknown zone {name:?}")))
}

pub(crate) fn stored_hour(hour: i64) -> Result<u8, Failure> {
    u8::try_from(hour).map_err(|_| Failure::internal(format!("profile holds the day start {hour}")))
}

/// The person's day as it is now, read for the clock and zone of an answer.
pub async fn day_clock(tx: &mut Tx, owner: i64) -> Result<DayClock, Failure> {
    let row = tx.row(&DAY, &params![owner, owner]).await?;
    let row = row.ok_or_else(|| Failure::internal(format!("person {owner} has no profile")))?;
    Ok(DayClock { zone: stored_zone(&row.get::<String>(0)?)?, day_start_hour: stored_hour(row.get(1)?)? })
}

/// Adds the profile of a new person.
pub async fn insert(tx: &mut Tx, owner: i64, profile: &Profile) -> Result<(), Failure> {
    let values = params![
        owner,
        owner,
        &profile.name,
        profile.language,
        profile.zone.name(),
        profile.timezone_set,
        i64::from(profile.day_start_hour),
        profile.preferred_unit_system,
        profile.about_me.clone(),
        &profile.source,
        profile.created_at,
        profile.updated_at
    ];
    tx.execute(&INSERT, &values).await?;
    Ok(())
}

/// The person's profile; `Internal` when there is none, which no person is without.
pub async fn get(tx: &mut Tx, owner: i64) -> Result<Profile, Failure> {
    match tx.row(&GET, &params![owner, owner]).await? {
        Some(row) => Profile::of(&row),
        None => Err(Failure::internal(format!("person {owner} has no profile"))),
    }
}

/// Writes every field but `version`, which goes up by one, and `created_at`.
pub async fn update(tx: &mut Tx, owner: i64, profile: &Profile, now: Instant) -> Result<(), Failure> {
    let values = params![
        &profile.name,
        profile.language,
        profile.zone.name(),
        profile.timezone_set,
        i64::from(profile.day_start_hour),
        profile.preferred_unit_system,
        profile.about_me.clone(),
        &profile.source,
        now,
        owner,
        owner
    ];
    tx.execute(&UPDATE, &values).await?;
    Ok(())
}
