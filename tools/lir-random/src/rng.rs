//! The random numbers of the generator and of seeded tests: small, and the same on every machine.

/// A generator of pseudo-random numbers.
///
/// SplitMix64: a counter that is hashed. Every 64-bit state gives a full period of 2^64 numbers, so any seed will do.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 17, with
/// the constants of S. Vigna's public-domain `splitmix64.c`.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Returns the sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }
    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Returns a number below `n`, by multiplication: the bias is below 2^-32 for the small `n` in use. Panics at 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is no number below 0");
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }
    /// Returns a number from `low` to `high`, both included.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    /// True `percent` times out of 100.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// Returns one of these. Panics if there are none.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_sequence_is_that_of_the_published_program() {
        let mut rng = Rng::new(1234567);
        let first: Vec<u64> = (0..3).map(|_| rng.bits()).collect();
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn numbers_stay_in_range() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 5];
        (0..1000).for_each(|_| seen[rng.range(0, 4)] += 1);
        assert!(seen.iter().all(|n| *n > 150), "{seen:?}");
    }
}
