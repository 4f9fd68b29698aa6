use std::time::Duration;

use identity::NewPerson;
use operation::Failure;
use storage::Write;

use crate::Engine;

impl Engine {
    /// Makes an active person; the first one of an unclaimed instance becomes its owner and claims it. Answers the id.
    /// `Invalid` names wrong fields; `Refused email_taken` (409).
    pub async fn create_person(&self, person: NewPerson) -> Result<i64, Failure> {
        let now = self.now();
        let how = Write { owner: 0, change: true, deadline: Duration::from_secs(10), call_id: None };
        self.storage()
            .write(how, move |tx| {
                let person = person.clone();
                Box::pin(async move { identity::create_person(tx, &person, now).await })
            })
            .await
    }
}
