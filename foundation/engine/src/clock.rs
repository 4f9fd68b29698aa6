use std::time::{SystemTime, UNIX_EPOCH};

use calendar::Instant;

/// The only source of "now". Tests and `almanac demo` give the engine one of their own.
pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Instant;
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}
