use operation::Failure;

use crate::Engine;

/// A person as `almanac create-person` makes them.
#[derive(Debug, Clone)]
pub struct NewPerson {
    pub email: String,
    pub name: Option<String>,
    /// IANA name; without it UTC, and `timezone_set` stays false.
    pub timezone: Option<String>,
    pub admin: bool,
}

impl Engine {
    /// Makes an active person; the first one of an unclaimed instance becomes its owner and claims it. Answers the id.
    /// `Invalid` names wrong fields; `Refused email_taken` (409).
    pub async fn create_person(&self, person: NewPerson) -> Result<i64, Failure> {
        todo!()
    }
}
