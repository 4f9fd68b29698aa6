use std::sync::atomic::{AtomicI64, Ordering};

use calendar::Instant;
use engine::Clock;

/// A clock that stands still until it is set.
pub struct SteppingClock(AtomicI64);

impl SteppingClock {
    pub fn at(now: Instant) -> Self {
        Self(AtomicI64::new(now.micros()))
    }

    pub fn set(&self, now: Instant) {
        self.0.store(now.micros(), Ordering::Relaxed);
    }
}

impl Clock for SteppingClock {
    fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::Relaxed))
    }
}
