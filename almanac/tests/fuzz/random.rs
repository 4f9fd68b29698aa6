//! Numbers that look random and come again from the same seed (splitmix64).

pub struct Random(u64);

impl Random {
    /// From `ALMANAC_FUZZ_SEED`, else the same every time.
    pub fn from_environment() -> Self {
        let seed = std::env::var("ALMANAC_FUZZ_SEED").map_or(1, |seed| seed.parse().expect("a whole number"));
        println!("ALMANAC_FUZZ_SEED={seed}");
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 up to and without `end`; 0 where there is nothing to choose from.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).expect("fits")).expect("fits")
    }

    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
