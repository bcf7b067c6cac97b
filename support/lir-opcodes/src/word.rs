//! Machine words: the bits of a value, as a number of 64 bits.
//!
//! Constants, the interpreter's slots, known bits and ranges hold a value in a `u64`. A [`Word`] says how many of its
//! bits count, and its width is at most 64, so that no mask or shift by it overflows. [`Type::as_word`] gives it.
//!
//! [`Type::as_word`]: crate::Type::as_word

/// The bits of a value of 1 to 64 bits: an integer of that width, or the bits of a float.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Word(u8);

impl Word {
    /// Returns a word of this many bits, from 1 to 64. Debug builds panic for other numbers.
    #[inline]
    pub const fn new(bits: u32) -> Word {
        debug_assert!(1 <= bits && bits <= 64);
        Word(bits as u8)
    }
    /// Returns a word of this many bytes, from 1 to 8.
    #[inline]
    pub const fn of_bytes(bytes: u32) -> Word {
        Word::new(8 * bytes)
    }
    /// Width in bits, from 1 to 64.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }
    /// Returns the number of bits of a `u64` above the word, from 0 to 63.
    #[inline]
    const fn unused(self) -> u32 {
        64 - self.bits()
    }
    /// Returns all bits of the word: the greatest unsigned number.
    #[inline]
    pub const fn mask(self) -> u64 {
        u64::MAX >> self.unused()
    }
    /// Returns the highest bit.
    #[inline]
    pub const fn sign_bit(self) -> u64 {
        1 << (self.bits() - 1)
    }
    /// Returns the `n` lowest bits; `n` is from 0 to the width.
    #[inline]
    pub const fn low_mask(self, n: u32) -> u64 {
        debug_assert!(n <= self.bits());
        if n == 0 { 0 } else { Word::new(n).mask() }
    }
    /// Returns the `n` highest bits; `n` is from 1 to the width.
    #[inline]
    pub const fn high_mask(self, n: u32) -> u64 {
        debug_assert!(1 <= n && n <= self.bits());
        (i64::MIN >> (n - 1)) as u64 >> self.unused()
    }
    /// Returns the least signed number.
    #[inline]
    pub const fn signed_min(self) -> i64 {
        i64::MIN >> self.unused()
    }
    /// Returns the greatest signed number.
    #[inline]
    pub const fn signed_max(self) -> i64 {
        i64::MAX >> self.unused()
    }
    /// `bits` cut to this width, zero-extended: the canonical form of a value in the interpreter and folder.
    #[inline]
    pub const fn truncate(self, bits: u64) -> u64 {
        bits & self.mask()
    }
    /// `bits` read as a signed number of this width.
    #[inline]
    pub const fn sign_extend(self, bits: u64) -> i64 {
        ((bits << self.unused()) as i64) >> self.unused()
    }
    /// Returns a shift amount modulo the width, which is a power of two.
    #[inline]
    pub const fn shift_amount(self, bits: u64) -> u32 {
        bits as u32 & (self.bits() - 1)
    }
    /// Returns the number of zeros above the highest one of `bits`, whose bits above the word are 0.
    #[inline]
    pub const fn leading_zeros(self, bits: u64) -> u32 {
        bits.leading_zeros() - self.unused()
    }
    /// Returns the number of ones above the highest zero of the word.
    #[inline]
    pub const fn leading_ones(self, bits: u64) -> u32 {
        (bits << self.unused()).leading_ones()
    }
    /// Returns the number of upper bits that equal the sign of a signed number, itself included. 0 where the word does
    /// not hold the number.
    #[inline]
    pub const fn num_sign_bits(self, number: i64) -> u32 {
        (number ^ number >> 63).leading_zeros().saturating_sub(self.unused())
    }
    /// Returns the bytes of the word, which has whole ones, in opposite order.
    #[inline]
    pub const fn swap_bytes(self, bits: u64) -> u64 {
        bits.swap_bytes() >> self.unused()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width() {
        for n in 1..=64 {
            let (w, count) = (Word::new(n), 1i128 << n);
            assert_eq!((w.bits(), i128::from(w.mask())), (n, count - 1));
            assert_eq!([w.signed_min(), w.signed_max()].map(i128::from), [-count / 2, count / 2 - 1]);
            assert_eq!(i128::from(w.sign_bit()), count / 2);
            for k in 0..=n {
                assert_eq!(i128::from(w.low_mask(k)), (1 << k) - 1, "{n} {k}");
                assert_eq!(i128::from(w.high_mask(k.max(1))), count - (1 << (n - k.max(1))), "{n} {k}");
                assert_eq!(w.leading_ones(w.mask() & !w.low_mask(n - k)), k, "{n} {k}");
                assert_eq!(w.leading_zeros(w.low_mask(k)), n - k, "{n} {k}");
            }
            for number in [0, 1, -1, w.signed_min(), w.signed_max(), w.signed_min() / 3] {
                let bits = w.truncate(number as u64);
                let is_held = i128::from(number) >= -count / 2 && i128::from(number) < count / 2;
                assert_eq!(
                    (w.sign_extend(bits) == number, w.num_sign_bits(number) > 0),
                    (is_held, is_held),
                    "{n} {number}"
                );
                assert_eq!(w.truncate(w.sign_extend(bits) as u64), bits);
            }
        }
        assert_eq!((Word::of_bytes(2).swap_bytes(0x1234), Word::of_bytes(4).shift_amount(33)), (0x3412, 1));
    }
}
