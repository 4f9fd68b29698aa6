//! Record file of table `body_profile`: what the journal computes with. Captured, so written only under a change.

use calendar::{Date, Instant};
use operation::Failure;
use storage::{Row, Tx, params};

use crate::closed_set::closed_set;

storage::statements! {
    INSERT = "INSERT INTO body_profile (owner, id, dob, height_mm, sex, activity_level, drink_standard, uses_training, \
              kcal_nudges_enabled, source, version, created_at, updated_at) \
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12)";
    GET = "SELECT dob, height_mm, sex, activity_level, drink_standard, uses_training, kcal_nudges_enabled, source, \
           version, created_at, updated_at FROM body_profile WHERE owner = $1 AND id = $2";
    UPDATE = "UPDATE body_profile SET dob = $1, height_mm = $2, sex = $3, activity_level = $4, drink_standard = $5, \
              uses_training = $6, kcal_nudges_enabled = $7, source = $8, version = version + 1, updated_at = $9 \
              WHERE owner = $10 AND id = $11";
}

closed_set! {
    Sex { Male = "male", Female = "female" }
}

closed_set! {
    ActivityLevel {
        Sedentary = "sedentary",
        Light = "light",
        Moderate = "moderate",
        Active = "active",
        VeryActive = "very_active",
    }
}

closed_set! {
    /// Whose "one drink" a count of drinks means.
    DrinkStandard { Us = "us", Uk = "uk", Au = "au", Ca = "ca" }
}

/// Body and habits of a person; missing is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyProfile {
    pub dob: Option<Date>,
    pub height_mm: Option<i64>,
    pub sex: Option<Sex>,
    pub activity_level: Option<ActivityLevel>,
    pub drink_standard: DrinkStandard,
    pub uses_training: bool,
    pub kcal_nudges_enabled: bool,
    /// Surface that wrote it last.
    pub source: String,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl BodyProfile {
    /// Of a new person: nothing known.
    pub fn new(source: &str, now: Instant) -> Self {
        Self {
            dob: None,
            height_mm: None,
            sex: None,
            activity_level: None,
            drink_standard: DrinkStandard::Us,
            uses_training: true,
            kcal_nudges_enabled: true,
            source: source.to_owned(),
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Completed years on `today`.
    pub fn age(&self, today: Date) -> Option<i64> {
        self.dob.map(|dob| dob.years_until(today))
    }

    fn of(row: &Row) -> Result<Self, Failure> {
        Ok(Self {
            dob: row.get(0)?,
            height_mm: row.get(1)?,
            sex: row.get(2)?,
            activity_level: row.get(3)?,
            drink_standard: row.get(4)?,
            uses_training: row.get(5)?,
            kcal_nudges_enabled: row.get(6)?,
            source: row.get(7)?,
            version: row.get(8)?,
            created_at: row.get(9)?,
            updated_at: row.get(10)?,
        })
    }
}

/// Adds the body profile of a new person.
pub async fn insert(tx: &mut Tx, owner: i64, body: &BodyProfile) -> Result<(), Failure> {
    let values = params![
        owner,
        owner,
        body.dob,
        body.height_mm,
        body.sex,
        body.activity_level,
        body.drink_standard,
        body.uses_training,
        body.kcal_nudges_enabled,
        &body.source,
        body.created_at,
        body.updated_at
    ];
    tx.execute(&INSERT, &values).await?;
    Ok(())
}

/// The person's body profile; `Internal` when there is none, which no person is without.
pub async fn get(tx: &mut Tx, owner: i64) -> Result<BodyProfile, Failure> {
    match tx.row(&GET, &params![owner, owner]).await? {
        Some(row) => BodyProfile::of(&row),
        None => Err(Failure::internal(format!("person {owner} has no body profile"))),
    }
}

/// Writes every field but `version`, which goes up by one, and `created_at`.
pub async fn update(tx: &mut Tx, owner: i64, body: &BodyProfile, now: Instant) -> Result<(), Failure> {
    let values = params![
        body.dob,
        body.height_mm,
        body.sex,
        body.activity_level,
        body.drink_standard,
        body.uses_training,
        body.kcal_nudges_enabled,
        &body.source,
        now,
        owner,
        owner
    ];
    tx.execute(&UPDATE, &values).await?;
    Ok(())
}
