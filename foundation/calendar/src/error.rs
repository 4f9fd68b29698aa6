/// Why a text is no time, date or zone. `Display` is the sentence for the person (closed list of `specs/mcp.md` §11.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarError {
    /// `is not a date (YYYY-MM-DD)`
    NotADate,
    /// `is not a real date`
    NotARealDate,
    /// `is not a time (YYYY-MM-DDTHH:MM, with Z or an offset only if the person gave one)`
    NotATime,
    /// `is not an IANA time zone`
    NotAZone,
    /// `is in the future`
    InTheFuture,
}

impl std::fmt::Display for CalendarError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotADate => "is not a date (YYYY-MM-DD)",
            Self::NotARealDate => "is not a real date",
            Self::NotATime => "is not a time (YYYY-MM-DDTHH:MM, with Z or an offset only if the person gave one)",
            Self::NotAZone => "is not an IANA time zone",
            Self::InTheFuture => "is in the future",
        })
    }
}

impl std::error::Error for CalendarError {}
