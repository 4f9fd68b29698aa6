//! The meal: one row, and every statement that touches its table.

use calendar::{Date, DayClock, Instant, Moment, TimePrecision, Zone};
use storage::{Error, FromValue, Id, Row, Sql, Tx, Value, params};

use super::{Found, MealSlot, Nutrients};
use crate::{
    days::DaySum,
    period::Period,
    removed::{self, Removed},
    text,
};

/// Something somebody ate, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Meal {
    pub id: Id<Meal>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
    pub source: String,
    pub eaten_at: Instant,
    pub zone: Zone,
    /// Pinned when the meal was written or moved.
    pub user_date: Date,
    pub precision: TimePrecision,
    pub name: Option<String>,
    pub slot: Option<MealSlot>,
    /// The slot follows from the time; nobody gave it.
    pub slot_derived: bool,
    pub nutrients: Nutrients,
    pub notes: Option<String>,
}

/// Which meals of a person a list holds.
#[derive(Debug, Clone)]
pub struct Filter {
    pub period: Period,
    /// A `LIKE` pattern over the folded name.
    pub name: Option<String>,
}

/// Place of a meal in a list, newest first.
pub type Place = (Date, Instant, i64);

macro_rules! columns {
    () => {
        "id, version, created_at, updated_at, source, eaten_at, zone, user_date, time_precision, name, slot, \
         slot_derived, kcal, protein, carb, fat, fiber, sugar, saturated_fat, alcohol, sodium_mg, notes"
    };
}

macro_rules! within {
    () => {
        " FROM meal WHERE owner = $1 AND user_date >= $2 AND user_date <= $3 AND eaten_at >= $4 AND eaten_at < $5"
    };
}

macro_rules! after_place {
    () => {
        " AND (user_date, eaten_at, id) < ($6, $7, $8)"
    };
}

macro_rules! newest_first {
    () => {
        " ORDER BY user_date DESC, eaten_at DESC, id DESC"
    };
}

macro_rules! sums {
    () => {
        "count(*), CAST(coalesce(sum(kcal), 0) AS BIGINT), CAST(coalesce(sum(protein), 0) AS BIGINT), \
         CAST(coalesce(sum(carb), 0) AS BIGINT), CAST(coalesce(sum(fat), 0) AS BIGINT)"
    };
}

storage::statements! {
    INSERT = "INSERT INTO meal (owner, id, version, created_at, updated_at, source, eaten_at, zone, user_date, \
        time_precision, name, name_folded, words, slot, slot_derived, kcal, protein, carb, fat, fiber, sugar, \
        saturated_fat, alcohol, sodium_mg, notes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, \
        $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)";
    UPDATE = "UPDATE meal SET version = $1, updated_at = $2, eaten_at = $3, zone = $4, user_date = $5, \
        time_precision = $6, name = $7, name_folded = $8, words = $9, slot = $10, slot_derived = $11, kcal = $12, \
        protein = $13, carb = $14, fat = $15, fiber = $16, sugar = $17, saturated_fat = $18, alcohol = $19, \
        sodium_mg = $20, notes = $21 WHERE owner = $22 AND id = $23";
    REMOVE = "DELETE FROM meal WHERE owner = $1 AND id = $2";
    GET = concat!("SELECT ", columns!(), " FROM meal WHERE owner = $1 AND id = $2");
    LIST = concat!("SELECT ", columns!(), within!(), after_place!(), newest_first!(), " LIMIT $9");
    LIST_NAMED = concat!("SELECT ", columns!(), within!(), after_place!(), " AND name_folded LIKE $9 ESCAPE '\\'",
        newest_first!(), " LIMIT $10");
    COUNT = concat!("SELECT count(*)", within!());
    COUNT_NAMED = concat!("SELECT count(*)", within!(), " AND name_folded LIKE $6 ESCAPE '\\'");
    OF_DAY = concat!("SELECT ", columns!(), " FROM meal WHERE owner = $1 AND user_date = $2 \
        ORDER BY eaten_at, id LIMIT $3");
    FIND = "SELECT id, name, words, user_date, kcal, protein, carb, fat FROM meal WHERE owner = $1 \
        AND user_date >= $2 AND user_date <= $3 AND words LIKE $4 ESCAPE '\\' \
        ORDER BY user_date DESC, eaten_at DESC, id DESC";
    SUM = concat!("SELECT ", sums!(), " FROM meal WHERE owner = $1 AND user_date = $2");
    SUMS = concat!("SELECT ", sums!(), ", user_date FROM meal WHERE owner = $1 AND user_date >= $2 \
        AND user_date <= $3 GROUP BY user_date ORDER BY user_date");
    SUMS_BEFORE = "SELECT CAST(sum(kcal) AS BIGINT), user_date FROM meal WHERE owner = $1 AND user_date < $2 \
        GROUP BY user_date ORDER BY user_date DESC LIMIT $3";
    NEAR = "SELECT id, eaten_at, kcal FROM meal WHERE owner = $1 AND user_date = $2 AND eaten_at >= $3 \
        AND eaten_at <= $4 AND id <> $5 AND time_precision = 'minute' ORDER BY eaten_at, id LIMIT 20";
    AS_LARGE_IN_SLOT = "SELECT id FROM meal WHERE owner = $1 AND slot = $2 AND user_date >= $3 AND user_date <= $4 \
                        AND id <> $5 AND kcal >= $6 ORDER BY user_date DESC, kcal DESC, id DESC LIMIT 1";
    KCAL_OF_SLOT = "SELECT kcal FROM meal WHERE owner = $1 AND slot = $2 AND user_date >= $3 AND user_date <= $4 \
        AND id <> $5 ORDER BY id";
    PINNED = "SELECT count(*) FROM meal WHERE owner = $1";
}

/// Counts the meals of owner `$1`: each is pinned to a user-day.
pub const COUNT_PINNED: Sql = PINNED;

impl Meal {
    /// Ties the meal to a moment in the person's zone as it is now, and to a slot where none was given.
    pub fn pin(&mut self, moment: &Moment, day: &DayClock) {
        self.eaten_at = moment.at;
        self.zone = day.zone.clone();
        self.user_date = moment.user_date;
        self.precision = moment.precision;
        if self.slot.is_none() || self.slot_derived {
            self.slot = match moment.precision {
                TimePrecision::Minute => Some(MealSlot::at(day.local_hour_minute(moment.at).0)),
                TimePrecision::Day => None,
            };
            self.slot_derived = self.slot.is_some();
        }
    }

    /// When it was eaten, as answers show it: with the offset of its own zone, or the date alone.
    pub fn eaten_at_shown(&self) -> String {
        match self.precision {
            TimePrecision::Minute => self.eaten_at.in_zone(&self.zone),
            TimePrecision::Day => self.user_date.to_string(),
        }
    }

    fn of_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            version: row.get(1)?,
            created_at: row.get(2)?,
            updated_at: row.get(3)?,
            source: row.get(4)?,
            eaten_at: row.get(5)?,
            zone: parsed(row, 6, |text| Zone::parse(text).ok())?,
            user_date: row.get(7)?,
            precision: parsed(row, 8, TimePrecision::parse)?,
            name: row.get(9)?,
            slot: row.get::<Option<String>>(10)?.as_deref().and_then(MealSlot::parse),
            slot_derived: row.get(11)?,
            nutrients: Nutrients {
                kcal: row.get(12)?,
                protein_g: row.get(13)?,
                carb_g: row.get(14)?,
                fat_g: row.get(15)?,
                fiber_g: row.get(16)?,
                sugar_g: row.get(17)?,
                saturated_fat_g: row.get(18)?,
                alcohol_g: row.get(19)?,
                sodium_mg: row.get(20)?,
            },
            notes: row.get(21)?,
        })
    }

    fn name_folded(&self) -> String {
        self.name.as_deref().map(storage::fold_search).unwrap_or_default()
    }

    fn words(&self) -> String {
        text::searched_words(&[self.name.as_deref(), self.notes.as_deref()])
    }
}

fn parsed<T>(row: &Row, column: usize, parse: impl Fn(&str) -> Option<T>) -> Result<T, Error> {
    let text: String = row.get(column)?;
    parse(&text).ok_or_else(|| Error::Internal(format!("column {column} of a meal holds an unknown word")))
}

/// An id for a meal that is about to be inserted.
pub async fn new_id(tx: &mut Tx) -> Result<Id<Meal>, Error> {
    tx.new_id("meal").await.map(Id::new)
}

pub async fn insert(tx: &mut Tx, owner: i64, meal: &Meal) -> Result<(), Error> {
    let held = &meal.nutrients;
    let row = params![
        owner,
        meal.id,
        meal.version,
        meal.created_at,
        meal.updated_at,
        &meal.source,
        meal.eaten_at,
        meal.zone.name(),
        meal.user_date,
        meal.precision.as_str(),
        meal.name.as_deref(),
        meal.name_folded(),
        meal.words(),
        meal.slot.map(MealSlot::as_str),
        meal.slot_derived,
        held.kcal,
        held.protein_g,
        held.carb_g,
        held.fat_g,
        held.fiber_g,
        held.sugar_g,
        held.saturated_fat_g,
        held.alcohol_g,
        held.sodium_mg,
        meal.notes.as_deref(),
    ];
    tx.execute(&INSERT, &row).await.map(drop)
}

/// Writes every column but id, creation and source.
pub async fn update(tx: &mut Tx, owner: i64, meal: &Meal) -> Result<(), Error> {
    let held = &meal.nutrients;
    let row = params![
        meal.version,
        meal.updated_at,
        meal.eaten_at,
        meal.zone.name(),
        meal.user_date,
        meal.precision.as_str(),
        meal.name.as_deref(),
        meal.name_folded(),
        meal.words(),
        meal.slot.map(MealSlot::as_str),
        meal.slot_derived,
        held.kcal,
        held.protein_g,
        held.carb_g,
        held.fat_g,
        held.fiber_g,
        held.sugar_g,
        held.saturated_fat_g,
        held.alcohol_g,
        held.sodium_mg,
        meal.notes.as_deref(),
        owner,
        meal.id,
    ];
    tx.execute(&UPDATE, &row).await.map(drop)
}

pub async fn remove(tx: &mut Tx, owner: i64, id: Id<Meal>) -> Result<(), Error> {
    tx.execute(&REMOVE, &params![owner, id]).await.map(drop)
}

pub async fn get(tx: &mut Tx, owner: i64, id: Id<Meal>) -> Result<Option<Meal>, Error> {
    tx.row(&GET, &params![owner, id]).await?.as_ref().map(Meal::of_row).transpose()
}

/// A meal that this person had and that is gone, with the change that took it away.
pub async fn removed(tx: &mut Tx, owner: i64, id: Id<Meal>) -> Result<Option<(i64, Meal)>, Error> {
    let gone = removed::last_image(tx, owner, "meal", id.raw(), columns!()).await?;
    gone.map(|Removed { change_id, row }| Ok((change_id, Meal::of_row(&row)?))).transpose()
}

/// Meals of a filter, newest first, from after `place` on.
pub async fn list(
    tx: &mut Tx,
    owner: i64,
    Filter { period, name }: &Filter,
    (date, at, id): Place,
    limit: i64,
) -> Result<Vec<Meal>, Error> {
    let Period { from_date, to_date, from, to } = *period;
    // SQLite does not see the bound in the place by itself.
    let to_date = to_date.min(date);
    let mut values = params![owner, from_date, to_date, from, to, date, at, id].to_vec();
    values.extend(name.iter().map(Value::from));
    values.push(limit.into());
    let sql = if name.is_some() { &LIST_NAMED } else { &LIST };
    tx.rows(sql, &values).await?.iter().map(Meal::of_row).collect()
}

pub async fn count(tx: &mut Tx, owner: i64, Filter { period, name }: &Filter) -> Result<i64, Error> {
    let Period { from_date, to_date, from, to } = *period;
    let mut values = params![owner, from_date, to_date, from, to].to_vec();
    values.extend(name.iter().map(Value::from));
    let sql = if name.is_some() { &COUNT_NAMED } else { &COUNT };
    match tx.row(sql, &values).await? {
        Some(row) => row.get(0),
        None => Err(Error::Internal("a count has no row".into())),
    }
}

/// The first `limit` meals of a user-day, oldest first.
pub async fn of_day(tx: &mut Tx, owner: i64, date: Date, limit: i64) -> Result<Vec<Meal>, Error> {
    tx.rows(&OF_DAY, &params![owner, date, limit]).await?.iter().map(Meal::of_row).collect()
}

/// Meals whose name or notes match a `LIKE` pattern over folded words, newest first.
pub async fn find(tx: &mut Tx, owner: i64, from: Date, to: Date, pattern: &str) -> Result<Vec<Found>, Error> {
    let rows = tx.rows(&FIND, &params![owner, from, to, pattern]).await?;
    rows.iter()
        .map(|row| {
            Ok(Found {
                id: row.get(0)?,
                name: row.get(1)?,
                words: row.get(2)?,
                user_date: row.get(3)?,
                kcal: row.get(4)?,
                protein_g: row.get(5)?,
                carb_g: row.get(6)?,
                fat_g: row.get(7)?,
            })
        })
        .collect()
}

/// What was eaten on a user-day; zeros when nothing is logged.
pub async fn day_sum(tx: &mut Tx, owner: i64, date: Date) -> Result<DaySum, Error> {
    match tx.row(&SUM, &params![owner, date]).await? {
        Some(row) => sum_of(&row, date),
        None => Err(Error::Internal("a sum has no row".into())),
    }
}

/// What was eaten on each user-day of a range that has meals, oldest first.
pub async fn day_sums(tx: &mut Tx, owner: i64, from: Date, to: Date) -> Result<Vec<DaySum>, Error> {
    tx.rows(&SUMS, &params![owner, from, to]).await?.iter().map(|row| sum_of(row, row.get(5)?)).collect()
}

/// Energy (tenths of a kcal) of the last user-days with meals before `date`, at most `days` of them, newest first.
pub async fn kcal_before(tx: &mut Tx, owner: i64, date: Date, days: i64) -> Result<Vec<i64>, Error> {
    column(tx.rows(&SUMS_BEFORE, &params![owner, date, days]).await?)
}

/// Other meals of the same user-day at a known time around the meal's: id, moment (microseconds), tenths of a kcal.
pub async fn near(tx: &mut Tx, owner: i64, meal: &Meal, within_s: i64) -> Result<Vec<(i64, i64, i64)>, Error> {
    let (from, to) = (meal.eaten_at.plus_seconds(-within_s), meal.eaten_at.plus_seconds(within_s));
    let rows = tx.rows(&NEAR, &params![owner, meal.user_date, from, to, meal.id]).await?;
    rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).collect()
}

/// Whether another meal of a slot in a range has at least `kcal` (tenths); among usual meals one of the latest has.
pub async fn is_as_large_in_slot(
    tx: &mut Tx,
    owner: i64,
    slot: MealSlot,
    (from, to): (Date, Date),
    but: Id<Meal>,
    kcal: i64,
) -> Result<bool, Error> {
    Ok(tx.row(&AS_LARGE_IN_SLOT, &params![owner, slot.as_str(), from, to, but, kcal]).await?.is_some())
}

/// Energy of each other meal of a slot in a range (tenths of a kcal).
pub async fn kcal_of_slot(
    tx: &mut Tx,
    owner: i64,
    slot: MealSlot,
    (from, to): (Date, Date),
    but: Id<Meal>,
) -> Result<Vec<i64>, Error> {
    column(tx.rows(&KCAL_OF_SLOT, &params![owner, slot.as_str(), from, to, but]).await?)
}

fn sum_of(row: &Row, date: Date) -> Result<DaySum, Error> {
    Ok(DaySum {
        date,
        meals: row.get(0)?,
        kcal: row.get(1)?,
        protein_g: row.get(2)?,
        carb_g: row.get(3)?,
        fat_g: row.get(4)?,
    })
}

fn column<T: FromValue>(rows: Vec<Row>) -> Result<Vec<T>, Error> {
    rows.iter().map(|row| row.get(0)).collect()
}
