use crate::CalendarError;

/// An IANA time zone by name, from the bundled time-zone data. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(jiff::tz::TimeZone);

impl Zone {
    pub fn utc() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }

    /// `NotAZone` unless `name` is an IANA name (case-insensitive, kept in its canonical spelling).
    pub fn parse(name: &str) -> Result<Self, CalendarError> {
        todo!()
    }

    /// `America/Toronto`; `UTC`.
    pub fn name(&self) -> &str {
        todo!()
    }

    pub(crate) fn inner(&self) -> &jiff::tz::TimeZone {
        &self.0
    }
}
