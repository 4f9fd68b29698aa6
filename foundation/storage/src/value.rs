use calendar::{Date, Instant};

use crate::{Error, Id};

/// A column value on either engine. Flags are 0/1 integers, instants microseconds, dates ISO text, JSON text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl Value {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real",
            Self::Text(_) => "a text",
            Self::Blob(_) => "a blob",
        }
    }
}

/// One result row; columns are read by position, in the order of the SELECT list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Column `index` as `T`; an [`Error`] names the column when it holds another type.
    pub fn get<T: FromValue>(&self, index: usize) -> Result<T, Error> {
        let Some(value) = self.0.get(index) else {
            let columns = self.0.len();
            return Err(Error::Internal(format!("column {index} was read of a row of {columns}")));
        };
        T::from_value(value).ok_or_else(|| {
            let (wanted, found) = (std::any::type_name::<T>(), value.kind());
            Error::Internal(format!("column {index} holds {found}, not {wanted}"))
        })
    }
}

/// A Rust type that a column can be read as. `Option<T>` reads NULL as `None`.
pub trait FromValue: Sized {
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for Value {
    fn from_value(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl FromValue for i64 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(integer) => Some(*integer),
            _ => None,
        }
    }
}

/// An integral column of either kind reads as a real.
impl FromValue for f64 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Real(real) => Some(*real),
            Value::Integer(integer) => Some(*integer as f64),
            _ => None,
        }
    }
}

/// 0 and 1 only.
impl FromValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(0) => Some(false),
            Value::Integer(1) => Some(true),
            _ => None,
        }
    }
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Blob(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }
}

impl FromValue for Date {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Date::parse(text).ok(),
            _ => None,
        }
    }
}

impl FromValue for Instant {
    fn from_value(value: &Value) -> Option<Self> {
        i64::from_value(value).map(Instant::from_micros)
    }
}

impl<T> FromValue for Id<T> {
    fn from_value(value: &Value) -> Option<Self> {
        i64::from_value(value).map(Id::new)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::Integer(integer)
    }
}

impl From<f64> for Value {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(i64::from(flag))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Blob(bytes)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Blob(bytes.to_vec())
    }
}

impl From<Date> for Value {
    fn from(date: Date) -> Self {
        Self::Text(date.to_string())
    }
}

impl From<Instant> for Value {
    fn from(instant: Instant) -> Self {
        Self::Integer(instant.micros())
    }
}

impl<T> From<Id<T>> for Value {
    fn from(id: Id<T>) -> Self {
        Self::Integer(id.raw())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The parameters of a statement, in the order of `$1, $2, …`.
///
/// ```
/// let id = storage::Id::<()>::new(7);
/// let params = storage::params![id, "soup", None::<i64>];
/// assert_eq!(params[0], storage::Value::Integer(7));
/// ```
#[macro_export]
macro_rules! params {
    () => { [] as [$crate::Value; 0] };
    ($($value:expr),+ $(,)?) => { [$($crate::Value::from($value)),+] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_missing_and_never_zero() {
        let row = Row(vec![Value::Null, Value::Integer(0)]);
        assert_eq!(row.get::<Option<i64>>(0).unwrap(), None);
        assert_eq!(row.get::<Option<i64>>(1).unwrap(), Some(0));
        assert!(row.get::<i64>(0).is_err());
    }

    #[test]
    fn a_wrong_type_is_named_with_its_column() {
        let error = Row(vec![Value::Integer(3)]).get::<String>(0).unwrap_err();
        assert_eq!(error, Error::Internal("column 0 holds an integer, not alloc::string::String".into()));
        assert!(Row(vec![]).get::<i64>(0).is_err());
        assert!(Row(vec![Value::Integer(2)]).get::<bool>(0).is_err());
    }

    #[test]
    fn dates_and_instants_come_back_as_they_went_in() {
        let date = Date::parse("2026-05-25").unwrap();
        let instant = Instant::from_micros(1_779_726_600_000_000);
        let row = Row(params![date, instant, Id::<()>::new(9), true].to_vec());
        assert_eq!(row.0[0], Value::Text("2026-05-25".into()));
        assert_eq!(row.get::<Date>(0).unwrap(), date);
        assert_eq!(row.get::<Instant>(1).unwrap(), instant);
        assert_eq!(row.get::<Id<()>>(2).unwrap().raw(), 9);
        assert!(row.get::<bool>(3).unwrap());
    }
}
