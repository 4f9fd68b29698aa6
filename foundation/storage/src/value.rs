use crate::Error;

/// A column value on either engine. Flags are 0/1 integers, instants microseconds, dates ISO text, JSON text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

/// One result row; columns are read by position, in the order of the SELECT list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Column `index` as `T`; an [`Error`] names the column when it holds another type.
    pub fn get<T: FromValue>(&self, index: usize) -> Result<T, Error> {
        todo!()
    }
}

/// A Rust type that a column can be read as. `Option<T>` reads NULL as `None`.
/// Implemented for i64, f64, bool (0/1), String, Vec<u8>, calendar::{Date, Instant}, Id<T>, Option<T>.
pub trait FromValue: Sized {
    fn from_value(value: &Value) -> Option<Self>;
}
// impl From<…> for Value for the same types, for &str and for Option<…>; macro `params![a, b]` → [Value; n].
