use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use calendar::Instant;

use crate::LAST_USED_STEP_S;

/// Which tokens this process has stamped as used lately, so that a call seldom costs a write. It decides nothing: what
/// is forgotten is stamped once more, and storage keeps the ten minutes anyway.
#[derive(Debug, Default)]
pub struct UseStamps(Mutex<HashMap<i64, Instant>>);

/// Tokens remembered before those that are due anyway are forgotten.
const MANY: usize = 10_000;

impl UseStamps {
    /// Whether [`crate::stamp_last_used`] should run for this token now; the next ten minutes it should not.
    pub fn is_due(&self, token: i64, now: Instant) -> bool {
        let mut stamped = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = |last: &Instant| last.plus_seconds(LAST_USED_STEP_S) <= now;
        if stamped.get(&token).is_some_and(|last| !due(last)) {
            return false;
        }
        if stamped.len() >= MANY {
            stamped.retain(|_, last| !due(last));
        }
        stamped.insert(token, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_due_every_ten_minutes() {
        let stamps = UseStamps::default();
        let at = |seconds| Instant::from_micros(0).plus_seconds(seconds);
        assert!(stamps.is_due(1, at(0)));
        assert!(!stamps.is_due(1, at(599)));
        assert!(stamps.is_due(2, at(599)));
        assert!(stamps.is_due(1, at(600)));
    }

    #[test]
    fn the_memory_does_not_grow_without_end() {
        let stamps = UseStamps::default();
        for token in 0..MANY as i64 {
            stamps.is_due(token, Instant::from_micros(0));
        }
        stamps.is_due(-1, Instant::from_micros(0).plus_seconds(LAST_USED_STEP_S));
        assert_eq!(stamps.0.lock().unwrap().len(), 1);
    }
}
