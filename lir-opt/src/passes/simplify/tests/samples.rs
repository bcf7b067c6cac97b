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
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Values at which something is different: small numbers, powers of two and their neighbours, of both signs; for floats
/// zeros, powers of two, subnormals, infinities, NaNs.
pub fn special(ty: Type) -> Vec<u64> {
    let (w, mut all) = (ty.as_word(), Vec::<u64>::new());
    if ty.is_float() {
        let one = if ty == Type::F32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
        let step = float::quiet_bit(w) << 1;
        let inf = float::infinity(w);
        let quiet = float::quiet_bit(w);
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
        let negative: Vec<u64> = all.iter().map(|x| x | w.sign_bit()).collect();
        all.extend(negative);
    } else {
        all.extend(0..=20);
        all.extend([24, 25, 31, 32, 33, 48, 56, 63, 64, 65, 100, 127, 128, 255, 641, 1000]);
        all.extend((0..64).flat_map(|k| [1u64 << k, (1 << k) - 1]));
        all.extend([0xff00, 0xff_0000, 0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCD]);
        let negative: Vec<u64> = all.iter().map(|x| x.wrapping_neg()).collect();
        all.extend(negative);
        all.extend((0..ty.bits()).flat_map(|k| [w.mask() << k, (w.mask() >> 1) - k as u64]));
    }
    all.iter_mut().for_each(|x| *x = w.truncate(*x));
    all.sort_unstable();
    all.dedup();
    all
}

/// All values of a type of at most 16 bits.
pub fn all(ty: Type) -> impl Iterator<Item = u64> + Clone {
    0..=ty.as_word().mask()
}

/// Calls `f` with tuples of values of these types: all of them if there are few enough.
pub fn for_each_tuple(types: &[Type], rng: &mut Rng, mut f: impl FnMut(&[u64])) {
    let bits: u32 = types.iter().map(|t| t.bits()).sum();
    let mut tuple = vec![0; types.len()];
    if bits <= 16 {
        for packed in 0..1u64 << bits {
            let mut rest = packed;
            for (t, ty) in tuple.iter_mut().zip(types) {
                *t = ty.as_word().truncate(rest);
                rest >>= ty.bits();
            }
            f(&tuple);
        }
        return;
    }
    let sets: Vec<Vec<u64>> = types.iter().map(|t| special(*t)).collect();
    if let [a, b] = &sets[..] {
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y))) {
            f(&[x, y]);
        }
    }
    let small = types.iter().position(|t| *t == Type::I8).filter(|_| types.len() >= 3);
    for iteration in 0..6000u64 {
        for (t, set) in tuple.iter_mut().zip(&sets) {
            *t = if rng.next() >> 60 < 10 { rng.pick(set) } else { rng.next() };
        }
        tuple.iter_mut().zip(types).for_each(|(t, ty)| *t = ty.as_word().truncate(*t));
        // Constants that belong together are seldom met by chance.
        if types.len() >= 2 && iteration % 3 == 0 {
            let last = types.len() - 1;
            let by = rng.pick(&[0, 1, u64::MAX]);
            tuple[last] = types[last].as_word().truncate(tuple[last - 1].wrapping_add(by));
            if iteration % 2 == 0 {
                let width = u64::from(types[last].bits());
                tuple[last - 1] %= width;
                tuple[last] = types[last].as_word().truncate(rng.pick(&[tuple[last - 1], width - tuple[last - 1]]));
            }
        }
        // Quotients change at the multiples of the divisor, and the error of a multiplier is greatest at the last ones.
        if let [dividend, divisor] = &mut tuple[..]
            && iteration % 3 == 1
            && *divisor != 0
            && types[0] == types[1]
        {
            let w = types[0].as_word();
            let most = rng.pick(&[w.mask(), w.mask() >> 1]) / *divisor;
            let quotient = if iteration % 2 == 0 { most } else { rng.next() % most.max(1) };
            let near = (quotient * *divisor).wrapping_add(rng.pick(&[0, 1, u64::MAX]));
            *dividend = w.truncate(rng.pick(&[near, near.wrapping_neg()]));
        }
        match small {
            // One value runs through all.
            Some(k) if iteration < 300 => {
                for x in all(Type::I8) {
                    tuple[k] = x;
                    f(&tuple);
                }
            }
            _ => f(&tuple),
        }
    }
}
