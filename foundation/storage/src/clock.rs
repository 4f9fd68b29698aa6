use std::time::{Duration, Instant};

/// The monotonic clock, for deadlines and pauses only; what rows say about time comes from the caller.
#[expect(clippy::disallowed_methods, reason = "deadlines are kept by the monotonic clock")]
pub(crate) fn monotonic() -> Instant {
    Instant::now()
}

/// What is left until `deadline`; zero when it has passed.
pub(crate) fn left_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(monotonic())
}
