use std::sync::atomic::{AtomicI64, Ordering};

use calendar::Instant;
use engine::Clock;

/// A clock that stands until a test turns it.
pub struct TurnedClock(AtomicI64);

impl TurnedClock {
    /// `time` is RFC 3339: `2026-05-25T14:30:45-04:00`.
    pub fn at(time: &str) -> Self {
        Self(AtomicI64::new(micros(time)))
    }

    pub fn set(&self, time: &str) {
        self.0.store(micros(time), Ordering::Relaxed);
    }

    pub fn pass(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::Relaxed);
    }
}

impl Clock for TurnedClock {
    fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::Relaxed))
    }
}

fn micros(time: &str) -> i64 {
    Instant::parse_rfc3339(time).unwrap().micros()
}
