//! The weigh-in: one row a date, and every statement that touches its table.

use calendar::{Date, Instant};
use storage::{Error, Id, Row, Tx, params};
use trend::Reading;
use units::WeightUnit;

use crate::{
    number::Tenths,
    removed::{self, Removed},
};

/// What somebody weighed on a date.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyWeight {
    pub id: Id<BodyWeight>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
    pub source: String,
    pub measured_on: Date,
    pub weight_g: i64,
    /// As the person gave it.
    pub entered: (f64, WeightUnit),
    pub body_fat_pct: Option<Tenths>,
    pub fasted: Option<bool>,
    pub notes: Option<String>,
}

macro_rules! columns {
    () => {
        "id, version, created_at, updated_at, source, measured_on, weight_g, entered_value, entered_unit, body_fat, \
         fasted, notes"
    };
}

storage::statements! {
    INSERT = "INSERT INTO body_weight (owner, id, version, created_at, updated_at, source, measured_on, weight_g, \
        entered_value, entered_unit, body_fat, fasted, notes) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    UPDATE = "UPDATE body_weight SET version = $1, updated_at = $2, measured_on = $3, weight_g = $4, \
        entered_value = $5, entered_unit = $6, body_fat = $7, fasted = $8, notes = $9 WHERE owner = $10 AND id = $11";
    REMOVE = "DELETE FROM body_weight WHERE owner = $1 AND id = $2";
    GET = concat!("SELECT ", columns!(), " FROM body_weight WHERE owner = $1 AND id = $2");
    ON = concat!("SELECT ", columns!(), " FROM body_weight WHERE owner = $1 AND measured_on = $2");
    BETWEEN = concat!("SELECT ", columns!(), " FROM body_weight WHERE owner = $1 AND measured_on >= $2 \
        AND measured_on <= $3 ORDER BY measured_on");
}

impl BodyWeight {
    pub fn reading(&self) -> Reading {
        Reading { date: self.measured_on, weight_g: self.weight_g }
    }

    fn of_row(row: &Row) -> Result<Self, Error> {
        let unknown = |what: &str| Error::Internal(format!("body_weight holds an unknown {what}"));
        let value: String = row.get(7)?;
        let unit: String = row.get(8)?;
        Ok(Self {
            id: row.get(0)?,
            version: row.get(1)?,
            created_at: row.get(2)?,
            updated_at: row.get(3)?,
            source: row.get(4)?,
            measured_on: row.get(5)?,
            weight_g: row.get(6)?,
            entered: (
                value.parse().map_err(|_| unknown("entered value"))?,
                WeightUnit::parse(&unit).ok_or_else(|| unknown("unit"))?,
            ),
            body_fat_pct: row.get(9)?,
            fasted: row.get(10)?,
            notes: row.get(11)?,
        })
    }
}

/// An id for a weigh-in that is about to be inserted.
pub async fn new_id(tx: &mut Tx) -> Result<Id<BodyWeight>, Error> {
    tx.new_id("body_weight").await.map(Id::new)
}

pub async fn insert(tx: &mut Tx, owner: i64, weight: &BodyWeight) -> Result<(), Error> {
    let (value, unit) = weight.entered;
    let row = params![
        owner,
        weight.id,
        weight.version,
        weight.created_at,
        weight.updated_at,
        &weight.source,
        weight.measured_on,
        weight.weight_g,
        value.to_string(),
        unit.as_str(),
        weight.body_fat_pct,
        weight.fasted,
        weight.notes.as_deref(),
    ];
    tx.execute(&INSERT, &row).await.map(drop)
}

/// Writes every column but id, creation and source. The date must be free.
pub async fn update(tx: &mut Tx, owner: i64, weight: &BodyWeight) -> Result<(), Error> {
    let (value, unit) = weight.entered;
    let row = params![
        weight.version,
        weight.updated_at,
        weight.measured_on,
        weight.weight_g,
        value.to_string(),
        unit.as_str(),
        weight.body_fat_pct,
        weight.fasted,
        weight.notes.as_deref(),
        owner,
        weight.id,
    ];
    tx.execute(&UPDATE, &row).await.map(drop)
}

pub async fn remove(tx: &mut Tx, owner: i64, id: Id<BodyWeight>) -> Result<(), Error> {
    tx.execute(&REMOVE, &params![owner, id]).await.map(drop)
}

pub async fn get(tx: &mut Tx, owner: i64, id: Id<BodyWeight>) -> Result<Option<BodyWeight>, Error> {
    tx.row(&GET, &params![owner, id]).await?.as_ref().map(BodyWeight::of_row).transpose()
}

pub async fn on(tx: &mut Tx, owner: i64, date: Date) -> Result<Option<BodyWeight>, Error> {
    tx.row(&ON, &params![owner, date]).await?.as_ref().map(BodyWeight::of_row).transpose()
}

/// Weigh-ins of a range, oldest first.
pub async fn list_between(tx: &mut Tx, owner: i64, from: Date, to: Date) -> Result<Vec<BodyWeight>, Error> {
    tx.rows(&BETWEEN, &params![owner, from, to]).await?.iter().map(BodyWeight::of_row).collect()
}

/// A weigh-in that this person had and that is gone, with the change that took it away.
pub async fn removed(tx: &mut Tx, owner: i64, id: Id<BodyWeight>) -> Result<Option<(i64, BodyWeight)>, Error> {
    let gone = removed::last_image(tx, owner, "body_weight", id.raw(), columns!()).await?;
    gone.map(|Removed { change_id, row }| Ok((change_id, BodyWeight::of_row(&row)?))).transpose()
}
