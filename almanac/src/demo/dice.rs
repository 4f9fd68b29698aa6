/// Numbers that look random and are the same every time (SplitMix64; Steele, Lea and Flood 2014).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, not including, `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end.max(1))).unwrap_or_default()
    }

    /// From -1 to 1; values near 0 are likelier.
    pub fn swing(&mut self) -> f64 {
        let one = |dice: &mut Self| f64::from(dice.below(2001)) / 1000.0 - 1.0;
        (one(self) + one(self)) / 2.0
    }

    /// True this often out of 100.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let count = u32::try_from(from.len()).unwrap_or(u32::MAX);
        &from[self.below(count) as usize]
    }
}
