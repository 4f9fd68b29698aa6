use std::{future::Future, pin::Pin};

use crate::{Error, Row, Sql, Value};

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An open transaction on either engine. Pass it as `&mut Tx`. A statement error poisons it: every later statement
/// answers the same error, and nothing commits.
pub struct Tx {
    _private: (),
}

impl Tx {
    /// Runs a statement and answers how many rows it touched.
    pub async fn execute(&mut self, sql: &Sql, params: &[Value]) -> Result<u64, Error> {
        todo!()
    }

    pub async fn rows(&mut self, sql: &Sql, params: &[Value]) -> Result<Vec<Row>, Error> {
        todo!()
    }

    /// The first row, or `None`.
    pub async fn row(&mut self, sql: &Sql, params: &[Value]) -> Result<Option<Row>, Error> {
        todo!()
    }

    /// A new id for `table` (a name of the schema): never given twice, also not after delete, undo or restore.
    pub async fn new_id(&mut self, table: &'static str) -> Result<i64, Error> {
        todo!()
    }

    /// The change that writes of captured tables in this transaction belong to; `None` in a read or an uncaptured write.
    pub fn change(&self) -> Option<i64> {
        todo!()
    }
}
