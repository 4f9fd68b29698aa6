use std::{fmt, marker::PhantomData};

/// The id of a row of entity `T`, 1 … 2^53 − 1; an integer in JSON.
pub struct Id<T>(i64, PhantomData<fn() -> T>);

impl<T> Id<T> {
    pub const fn new(raw: i64) -> Self {
        Self(raw, PhantomData)
    }

    pub const fn raw(self) -> i64 {
        self.0
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
// Serialize/Deserialize as the integer; JsonSchema: {"type":"integer","minimum":1,"maximum":9007199254740991}.
