use serde::{Deserialize, Serialize};

use crate::Zone;

/// A moment, in microseconds since 1970-01-01T00:00:00Z. Serialises as that integer only in storage; answers use
/// [`Instant::in_zone`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(i64);

impl Instant {
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This moment moved by whole seconds, for expiries and windows (never for date arithmetic).
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0 + seconds * 1_000_000)
    }

    /// `2026-05-25T16:30:00Z`, to the second.
    pub fn utc(self) -> String {
        todo!()
    }

    /// `2026-05-25T12:30:00-04:00`: wall clock of `zone` with its offset, to the second.
    pub fn in_zone(self, zone: &Zone) -> String {
        todo!()
    }
}
