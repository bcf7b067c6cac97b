//! Values to test rules with.

use lir_syntax::ir::Type;
use lir_syntax::semantics::float;

/// A generator of numbers that look random: xorshift64*.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() >> 33) as usize % from.len()]
    }
}

/// Values at which something is different: small numbers, powers of two and their neighbours, of both signs; for floats
/// zeros, powers of two, subnormals, infinities, NaNs.
pub fn special(ty: Type) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::new();
    if ty.is_float() {
        let one = if ty == Type::F32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
        let step = float::quiet_bit(ty) << 1;
        let inf = float::infinity(ty);
        let quiet = float::quiet_bit(ty);
        all.extend([0, 1, quiet - 1, step, one, one + 1, one - 1, one + quiet, inf, inf - 1, inf + 1, inf | quiet]);
        all.extend([
            inf | quiet | 5,
            one + step,
            one - step,
            one + 9 * step,
            one - 9 * step,
            inf - step,
            inf - 2 * step,
        ]);
        all.extend([one + 23 * step + 7, one + 31 * step, one + 32 * step, one + 62 * step, one + 63 * step]);
        let negative: Vec<u64> = all.iter().map(|x| x | float::sign_bit(ty)).collect();
        all.extend(negative);
    } else {
        all.extend(0..=20);
        all.extend([24, 25, 31, 32, 33, 48, 56, 63, 64, 65, 100, 127, 128, 255, 641, 1000]);
        all.extend((0..64).flat_map(|k| [1u64 << k, (1 << k) - 1]));
        all.extend([0xff00, 0xff_0000, 0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCD]);
        let negative: Vec<u64> = all.iter().map(|x| x.wrapping_neg()).collect();
        all.extend(negative);
        all.extend((0..ty.bits()).flat_map(|k| [ty.mask() << k, (ty.mask() >> 1) - k as u64]));
    }
    all.iter_mut().for_each(|x| *x = ty.truncate(*x));
    all.sort_unstable();
    all.dedup();
    all
}

/// All values of a type of at most 16 bits.
pub fn all(ty: Type) -> impl Iterator<Item = u64> + Clone {
    0..=ty.mask()
}
