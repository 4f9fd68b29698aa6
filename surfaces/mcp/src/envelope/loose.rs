use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

/// A value of any type, kept only as far as somebody asks for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Loose<'a> {
    Null,
    Text(Cow<'a, str>),
    Integer(i64),
    Object,
    Other,
}

impl Loose<'_> {
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A text or an integer as JSON, `null` for anything else: what an id can be.
    pub fn json(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_ref()),
            Self::Integer(number) => Value::from(*number),
            _ => Value::Null,
        }
    }
}

/// An object with members that are read, `null`, or something else.
#[derive(Debug)]
pub(crate) enum Found<T> {
    Object(T),
    Null,
    Other,
}

impl<T> Found<T> {
    pub fn object(&self) -> Option<&T> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// A member that is there or not.
#[derive(Debug)]
pub(crate) struct Slot<T>(Option<T>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Slot<T> {
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Reads the value; answers whether there was one before.
    pub(super) fn fill<'de, A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<bool, A::Error>
    where
        T: Deserialize<'de>,
    {
        Ok(self.0.replace(map.next_value()?).is_some())
    }
}

/// An object of which some members are read and the rest is skipped.
pub(super) trait Members<'de>: Default {
    /// Reads the member and says `true`, or leaves it to be skipped.
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error>;
}

pub(super) struct ObjectVisitor<T>(PhantomData<T>);

pub(super) fn object<T>() -> ObjectVisitor<T> {
    ObjectVisitor(PhantomData)
}

impl<'de, T: Members<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut found = T::default();
        while let Some(Loose::Text(name)) = map.next_key::<Loose<'de>>()? {
            if !found.member(&name, &mut map)? {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

struct FoundVisitor<T>(PhantomData<T>);

impl<'de, T: Members<'de>> Visitor<'de> for FoundVisitor<T> {
    type Value = Found<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        object::<T>().visit_map(map).map(Found::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        skip(seq).map(|()| Found::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Found::Null)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Found::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Found::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Found::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Found::Other)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Found::Other)
    }
}

impl<'de, T: Members<'de>> Deserialize<'de> for Found<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FoundVisitor(PhantomData))
    }
}

struct LooseVisitor;

impl<'de> Visitor<'de> for LooseVisitor {
    type Value = Loose<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Loose<'de>, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Loose<'de>, E> {
        Ok(Loose::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E: Error>(self) -> Result<Loose<'de>, E> {
        Ok(Loose::Null)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Loose<'de>, E> {
        Ok(Loose::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Loose<'de>, E> {
        Ok(i64::try_from(number).map_or(Loose::Other, Loose::Integer))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Loose<'de>, E> {
        Ok(Loose::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Loose<'de>, E> {
        Ok(Loose::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Loose::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Loose<'de>, A::Error> {
        skip(seq).map(|()| Loose::Other)
    }
}

fn skip<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<(), A::Error> {
    while seq.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

impl<'de> Deserialize<'de> for Loose<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LooseVisitor)
    }
}
