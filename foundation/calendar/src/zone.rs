use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::CalendarError;

/// An IANA time zone by name, from the bundled time-zone data. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(jiff::tz::TimeZone);

impl Zone {
    pub fn utc() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }

    /// `NotAZone` unless `name` is an IANA name (case-insensitive, kept in its canonical spelling). `Factory`, which
    /// stands for a machine without a zone, is none.
    pub fn parse(name: &str) -> Result<Self, CalendarError> {
        let zone = jiff::tz::TimeZone::get(name).map_err(|_| CalendarError::NotAZone)?;
        match zone.iana_name() {
            Some(iana) if iana != "Factory" && !zone.is_unknown() => Ok(Self(zone)),
            _ => Err(CalendarError::NotAZone),
        }
    }

    /// `America/Toronto`; `UTC`.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    pub(crate) fn inner(&self) -> &jiff::tz::TimeZone {
        &self.0
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Zone {
    type Err = CalendarError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::parse(name)
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&name).map_err(de::Error::custom)
    }
}

impl JsonSchema for Zone {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Zone".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "x-kind": "zone" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_keeps_its_canonical_spelling() {
        assert_eq!(Zone::parse("america/toronto").unwrap().name(), "America/Toronto");
        assert_eq!(Zone::parse("utc").unwrap().name(), "UTC");
        assert_eq!(Zone::parse("US/Eastern").unwrap().name(), "US/Eastern");
        assert_eq!(Zone::utc().name(), "UTC");
        assert_eq!(Zone::parse("UTC").unwrap(), Zone::utc());
    }

    #[test]
    fn a_text_that_is_no_iana_name_is_refused() {
        for name in [
            "",
            " ",
            "Toronto",
            "America/Springfield",
            "EST5EDT4,M3.2.0,M11.1.0",
            "+02:00",
            "Etc/Unknown",
            "America/Toronto ",
            "../America/Toronto",
            "Factory",
            "localtime",
            "\u{0}",
        ] {
            assert_eq!(Zone::parse(name), Err(CalendarError::NotAZone), "{name}");
        }
    }

    #[test]
    fn json_holds_the_name() {
        let zone: Zone = serde_json::from_str(r#""europe/berlin""#).unwrap();
        assert_eq!(serde_json::to_string(&zone).unwrap(), r#""Europe/Berlin""#);
        let error = serde_json::from_str::<Zone>(r#""Mars/Base""#).unwrap_err();
        assert!(error.to_string().starts_with("is not an IANA time zone"));
    }
}
