//! The mark of a day: one row a date, and every statement that touches its table.

use calendar::{Date, Instant};
use storage::{Error, Row, Tx, params};

/// What the person said about how much of a day is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Complete,
    Partial,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DayMark {
    pub id: i64,
    pub version: i64,
    pub updated_at: Instant,
    pub source: String,
    pub date: Date,
    pub mark: Mark,
}

storage::statements! {
    INSERT = "INSERT INTO day_mark (owner, id, version, created_at, updated_at, source, date, mark) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    UPDATE = "UPDATE day_mark SET version = $1, updated_at = $2, source = $3, mark = $4 WHERE owner = $5 AND id = $6";
    LIST = "SELECT id, version, updated_at, source, date, mark FROM day_mark WHERE owner = $1 AND date >= $2 \
        AND date <= $3 ORDER BY date";
}

impl Mark {
    /// As stored and said.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Complete, Self::Partial].into_iter().find(|mark| mark.as_str() == text)
    }
}

pub async fn insert(tx: &mut Tx, owner: i64, row: &DayMark) -> Result<(), Error> {
    let DayMark { id, version, updated_at, source, date, mark } = row;
    let values = params![owner, *id, *version, *updated_at, *updated_at, source, *date, mark.as_str()];
    tx.execute(&INSERT, &values).await.map(drop)
}

pub async fn new_id(tx: &mut Tx) -> Result<i64, Error> {
    tx.new_id("day_mark").await
}

pub async fn update(tx: &mut Tx, owner: i64, row: &DayMark) -> Result<(), Error> {
    let DayMark { id, version, updated_at, source, mark, .. } = row;
    let values = params![*version, *updated_at, source, mark.as_str(), owner, *id];
    tx.execute(&UPDATE, &values).await.map(drop)
}

pub async fn get(tx: &mut Tx, owner: i64, date: Date) -> Result<Option<DayMark>, Error> {
    Ok(list_between(tx, owner, date, date).await?.pop())
}

/// Marks of a range, oldest first.
pub async fn list_between(tx: &mut Tx, owner: i64, from: Date, to: Date) -> Result<Vec<DayMark>, Error> {
    tx.rows(&LIST, &params![owner, from, to]).await?.iter().map(of_row).collect()
}

fn of_row(row: &Row) -> Result<DayMark, Error> {
    let mark: String = row.get(5)?;
    Ok(DayMark {
        id: row.get(0)?,
        version: row.get(1)?,
        updated_at: row.get(2)?,
        source: row.get(3)?,
        date: row.get(4)?,
        mark: Mark::parse(&mark).ok_or_else(|| Error::Internal("a day mark holds an unknown word".into()))?,
    })
}
