use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};

/// A value that is read over, and whether each member in it is there once: readers keep one of two, and not each the
/// same one.
#[derive(Debug, Default)]
pub(crate) struct Once {
    /// A member that is given twice, at any depth.
    pub twice: Option<String>,
}

struct OnceVisitor;

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceVisitor)
    }
}

/// The name of a member, borrowed where it has no escapes.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Once;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Once, A::Error> {
        let mut names: Vec<Name<'de>> = Vec::new();
        let mut found = Once::default();
        while let Some(name) = map.next_key()? {
            names.push(name);
            let inner: Once = map.next_value()?;
            found.twice = found.twice.or(inner.twice);
        }
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        found.twice = found.twice.or_else(|| twice.map(|pair| pair[0].0.to_string()));
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Once, A::Error> {
        let mut found = Once::default();
        while let Some(inner) = seq.next_element::<Once>()? {
            found.twice = found.twice.or(inner.twice);
        }
        Ok(found)
    }

    fn visit_unit<E: Error>(self) -> Result<Once, E> {
        Ok(Once::default())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Once, E> {
        Ok(Once::default())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Once, E> {
        Ok(Once::default())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Once, E> {
        Ok(Once::default())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Once, E> {
        Ok(Once::default())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Once, E> {
        Ok(Once::default())
    }
}
