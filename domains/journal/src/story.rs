//! The testkit's Almanac with the journal alone.

use std::ops::Deref;

use calendar::Zone;
use engine::Clock;
use storage::{Undone, Write};
pub use testkit::codes;
use testkit::{SAM, TestAlmanac, TestEngine};

pub struct Story(TestAlmanac);

impl Deref for Story {
    type Target = TestAlmanac;

    fn deref(&self) -> &TestAlmanac {
        &self.0
    }
}

impl Story {
    pub async fn new(engine: TestEngine) -> Self {
        Self(TestAlmanac::new(engine, &[crate::DOMAIN]).await)
    }

    pub fn as_sam(&mut self) {
        self.0.becomes(SAM);
    }

    /// The person moves; what they logged stays.
    pub async fn zone(&mut self, zone: &str) {
        let mut caller = self.0.caller().await;
        caller.day.zone = Zone::parse(zone).unwrap();
        self.0.pin(caller);
    }

    pub async fn imperial(&mut self) {
        let mut caller = self.0.caller().await;
        caller.person.as_mut().unwrap().prefers_imperial = true;
        self.0.pin(caller);
    }

    /// Takes a change back.
    pub async fn undo(&self, change: i64) {
        let (owner, now) = (self.0.caller().await.person.unwrap().id, self.0.clock.now());
        let how = Write { owner, change: true, call_id: None, deadline: std::time::Duration::from_secs(5) };
        let undone = self
            .0
            .engine
            .storage()
            .write(how, move |tx| Box::pin(async move { tx.undo(owner, change, now).await }))
            .await
            .unwrap();
        assert!(matches!(undone, Undone::Restored(_)), "{undone:?}");
    }
}
