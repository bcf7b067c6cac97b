//! Multipliers that divide: x / d as the high half of a product, shifted.
//!
//! Unsigned (Granlund and Montgomery 1994, theorem 4.2): for l = ceil(log2 d), every m with 2^(N+l) <= m*d <= 2^(N+l) +
//! 2^l gives x / d = (m*x) >> (N+l) for all x below 2^N. The least shift at which such an m exists is found by halving
//! m and the distance while they differ, as their figure 6.2 does. Signed (their theorem 5.1, with N-1 bits of
//! magnitude): m = floor(2^(N-1+l) / |d|) + 1 divides by |d|, rounding toward minus infinity; adding 1 for negative x
//! gives the truncated quotient.
//!
//! T. Granlund, P. L. Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994; H. S. Warren,
//! "Hacker's Delight", 2nd ed. 2013, chapter 10.

use lir_opcodes::Word;

/// The multiplication for a division by a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Magic {
    /// For unsigned division below 2^(width + 1), for signed below 2^width.
    pub multiplier: u128,
    /// The quotient is the product shifted right by the width and this.
    pub shift: u32,
}

/// For unsigned division by `d`; none for 0, 1 and powers of two.
pub(crate) fn unsigned(w: Word, d: u64) -> Option<Magic> {
    if d == 0 || d.is_power_of_two() {
        return None;
    }
    let n = w.bits();
    let l = 64 - (d - 1).leading_zeros();
    Some(shortened(ceiling_quotients(n, l, d), l))
}

/// Returns the bounds of a multiplier: floor(2^(n+l) / d) and floor((2^(n+l) + 2^l) / d), where 2^l is at least d and
/// n + l may be 128.
fn ceiling_quotients(n: u32, l: u32, d: u64) -> (u128, u128) {
    // 2^(n+l) = 2^n * (2^l - d) + 2^n * d, so the quotient is 2^n plus one of a number below 2^128.
    let rest = ((1u128 << l) - u128::from(d)) << n;
    let low = (1u128 << n) + rest / u128::from(d);
    let high = (1u128 << n) + (rest + (1u128 << l)) / u128::from(d);
    (low, high)
}

fn shortened((mut low, mut high): (u128, u128), mut shift: u32) -> Magic {
    while low / 2 < high / 2 && shift > 0 {
        (low, high, shift) = (low / 2, high / 2, shift - 1);
    }
    Magic { multiplier: high, shift }
}

/// For signed division by `d`. None if the magnitude is 0, 1 or a power of two. The quotient by the magnitude is the
/// product shifted, plus 1 for negative dividends.
pub(crate) fn signed(w: Word, d: u64) -> Option<Magic> {
    let magnitude = w.sign_extend(d).unsigned_abs();
    if magnitude == 0 || magnitude.is_power_of_two() {
        return None;
    }
    let n = w.bits();
    let l = 64 - (magnitude - 1).leading_zeros();
    // 2^(n+l-1) <= m * |d| <= 2^(n+l-1) + 2^l, and the quotient is (m*x) >> (n + l - 1).
    let low = (1u128 << (n + l - 1)) / u128::from(magnitude);
    let high = ((1u128 << (n + l - 1)) + (1u128 << l)) / u128::from(magnitude);
    Some(shortened((low, high), l - 1))
}

/// Returns the number whose product with an odd `d` is 1 modulo 2^width. For even `d` some number.
pub(crate) fn inverse(w: Word, d: u64) -> u64 {
    // Newton's iteration doubles the bits that are right; d is its own inverse modulo 8.
    let x = (0..5).fold(d, |x, _| x.wrapping_mul(2u64.wrapping_sub(d.wrapping_mul(x))));
    w.truncate(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dividends that decide: around multiples of d, and at the ends.
    fn dividends(w: Word, d: u64) -> Vec<u64> {
        let top = w.mask() / d;
        let around = [0, 1, 2, top / 2, top.saturating_sub(1), top].map(|q| q.wrapping_mul(d));
        let mut all: Vec<u64> =
            around.iter().flat_map(|x| [x.wrapping_sub(1), *x, x.wrapping_add(1)]).map(|x| w.truncate(x)).collect();
        all.extend([0, 1, w.mask(), w.mask() >> 1, w.sign_bit()]);
        all
    }

    fn divisors(w: Word) -> Vec<u64> {
        let mut all: Vec<u64> = (3..300).collect();
        all.extend((0..40).map(|k| w.mask() - k));
        all.extend((2..w.bits()).flat_map(|k| [(1u64 << k) - 1, (1 << k) + 1, (1 << k) + 3]));
        all.iter().map(|d| w.truncate(*d)).filter(|d| *d != 0 && !d.is_power_of_two()).collect()
    }

    #[test]
    fn unsigned_quotients() {
        for w in [8, 16, 32, 64].map(Word::new) {
            for d in divisors(w) {
                let m = unsigned(w, d).unwrap();
                assert!(m.multiplier < 1 << (w.bits() + 1), "{w:?} {d}");
                for x in dividends(w, d) {
                    // m*x may have 129 bits: the upper bit of m apart.
                    let top = m.multiplier >> w.bits();
                    let low = m.multiplier & u128::from(w.mask());
                    let high = ((low * u128::from(x)) >> w.bits()) + top * u128::from(x);
                    assert_eq!((high >> m.shift) as u64, x / d, "{w:?} {x} / {d}");
                }
            }
        }
    }

    #[test]
    fn signed_quotients() {
        for w in [8, 16, 32, 64].map(Word::new) {
            for d in divisors(w) {
                let Some(m) = signed(w, d) else { continue };
                let magnitude = w.sign_extend(d).unsigned_abs();
                assert!(m.multiplier <= u128::from(w.mask()), "{w:?} {d}");
                for x in dividends(w, magnitude) {
                    let x = i128::from(w.sign_extend(x));
                    let q = ((m.multiplier as i128 * x) >> (w.bits() + m.shift)) + i128::from(x < 0);
                    assert_eq!(q, x / i128::from(magnitude), "{w:?} {x} / {magnitude}");
                }
            }
        }
    }

    #[test]
    fn inverses() {
        for w in [8, 16, 32, 64].map(Word::new) {
            for d in (1..1000).step_by(2) {
                let d = w.truncate(d);
                assert_eq!(w.truncate(inverse(w, d).wrapping_mul(d)), 1, "{w:?} {d}");
            }
        }
    }
}
