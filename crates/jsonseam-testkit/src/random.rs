//! A small seeded generator of numbers: `SplitMix64`, the same on every platform and in every release.
//!
//! A general crate of random numbers may change its streams between versions; a seed in a bug report must not lose its meaning.

/// A deterministic stream of numbers (`SplitMix64`, Steele, Lea and Flood 2014). Good for tests, useless for secrets.
///
/// ```
/// use jsonseam_testkit::random::Random;
///
/// let mut one = Random::new(7);
/// let mut other = Random::new(7);
/// assert_eq!(one.next_u64(), other.next_u64());
/// assert!(one.below(10) < 10);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 to `bound`, without `bound` itself; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let scaled = (u128::from(self.next_u64()) * (bound as u128)) >> 64;
        usize::try_from(scaled).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included; `low` if the range is empty.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// True `numerator` times out of `denominator` on average; never if `denominator` is 0.
    pub fn chance(&mut self, numerator: usize, denominator: usize) -> bool {
        self.below(denominator) < numerator && denominator > 0
    }

    /// One of `choices`, or `None` if there are none.
    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }

    /// One of `choices`, or the empty text if there are none.
    pub fn pick_text<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        self.pick(choices).copied().unwrap_or_default()
    }

    /// A generator of its own for one part of the work, so that a change in that part does not shift all later numbers.
    #[must_use]
    pub const fn fork(&mut self) -> Self {
        Self::new(self.next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_stream_is_the_published_one() {
        // The first outputs of SplitMix64 for the seed 1234567, as printed by its reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn bounds_are_kept_and_every_number_below_a_bound_is_reached() {
        let mut random = Random::new(1);
        let mut seen = [0_usize; 7];
        for _ in 0..7_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 800), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.between(3, 3), 3);
        assert_eq!(random.pick::<u8>(&[]), None);
        assert!(!random.chance(1, 0));
    }
}
