use std::{
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

/// When the server is killed: after so many answers, and a little later.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub answers: usize,
    pub later: Duration,
}

impl Moment {
    /// Any moment of a round of `writes`, also before the first answer.
    pub fn random(writes: usize) -> Self {
        let random = RandomState::new().hash_one("moment");
        let below = |bits: u64, end: usize| usize::try_from(bits).unwrap_or(0) % end;
        Self {
            answers: below(random & 0xffff_ffff, writes - writes / 10),
            later: Duration::from_micros(random >> 32 & 0x7ff),
        }
    }
}
