use std::{
    collections::{BTreeMap, HashSet},
    time::{Duration, Instant},
};

use crate::random::Random;

/// Texts to break next. A text that was answered in a way not seen before joins them, so that a run works itself
/// deeper than its first texts.
pub struct Pool {
    texts: Vec<Vec<u8>>,
    seen: HashSet<String>,
    tried: u64,
    ends: Instant,
}

const MOST: usize = 4000;

impl Pool {
    #[expect(clippy::disallowed_methods, reason = "a run lasts as long as it was told")]
    pub fn new(texts: Vec<Vec<u8>>) -> Self {
        let seconds = std::env::var("ALMANAC_FUZZ_SECONDS").map_or(2, |seconds| seconds.parse().expect("seconds"));
        Self { texts, seen: HashSet::new(), tried: 0, ends: Instant::now() + Duration::from_secs(seconds) }
    }

    #[expect(clippy::disallowed_methods, reason = "a run lasts as long as it was told")]
    pub fn is_open(&self) -> bool {
        Instant::now() < self.ends
    }

    pub fn texts(&self) -> &[Vec<u8>] {
        &self.texts
    }

    pub fn draw(&self, random: &mut Random) -> &[u8] {
        random.one::<Vec<u8>>(&self.texts)
    }

    /// Counts a text and how it was answered.
    pub fn saw(&mut self, text: &[u8], answer: String) {
        self.tried += 1;
        if !self.seen.insert(answer) {
            return;
        }
        if self.texts.len() < MOST {
            self.texts.push(text.to_vec());
        } else {
            let oldest = self.seen.len() % MOST;
            self.texts[oldest] = text.to_vec();
        }
    }

    /// What was done; a run that never saw two different answers has tested nothing.
    pub fn report(&self) {
        println!("{} texts, {} different answers", self.tried, self.seen.len());
        assert!(self.seen.len() > 2, "the run broke nothing");
    }

    /// How often each first word of the answers was seen, for a look at what the run reaches.
    pub fn kinds(&self) -> BTreeMap<&str, usize> {
        let mut kinds = BTreeMap::new();
        for answer in &self.seen {
            *kinds.entry(answer.split(' ').next().unwrap_or_default()).or_default() += 1;
        }
        kinds
    }
}
