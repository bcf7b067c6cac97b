//! Types, as often as functions use them, and constants, most of them near a limit.

use crate::Rng;
use lir_syntax::ir::Type;

pub(crate) const INTEGERS: &[Type] = &[Type::I8, Type::I16, Type::I32, Type::I64, Type::I32, Type::I64];

const SCALARS: &[Type] =
    &[Type::I8, Type::I16, Type::I32, Type::I64, Type::I32, Type::I64, Type::F32, Type::F64, Type::F64];

/// Returns the types in use, the frequent ones more than once.
pub(crate) fn types(floats: bool) -> &'static [Type] {
    if floats { SCALARS } else { INTEGERS }
}

/// Returns the bits of a constant of this type: mostly one at an edge of something.
pub(crate) fn constant_bits(rng: &mut Rng, ty: Type) -> u64 {
    match ty {
        Type::F32 => (float_constant(rng) as f32).to_bits() as u64,
        Type::F64 if rng.chance(10) => rng.bits(),
        Type::F64 => float_constant(rng).to_bits(),
        // They are sign-extended.
        Type::I128 => integer_constant(rng, 64),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => {
            ty.as_word().truncate(integer_constant(rng, ty.bits() as usize))
        }
    }
}

fn integer_constant(rng: &mut Rng, bits: usize) -> u64 {
    match rng.below(8) {
        0 => rng.pick(&[0, 1, u64::MAX, 2]),
        // The smallest and largest of a width, and their neighbours.
        1 | 2 => (1u64 << (rng.pick(&[7, 8, 15, 16, 31, 32, 63]).min(bits - 1)))
            .wrapping_add(rng.below(3) as u64)
            .wrapping_sub(1),
        // Powers of two and masks, of either sign, for which multiplications, divisions, shifts and tests have short
        // forms.
        3 => {
            let power = 1u64 << rng.below(bits);
            rng.pick(&[power, power - 1, power.wrapping_neg(), !power])
        }
        4 => rng.bits(),
        _ => (rng.below(256) as u64).wrapping_sub(100),
    }
}

/// Returns the bits of a constant to divide by: powers of two and small numbers of either sign, which have code of
/// their own, or any.
pub(crate) fn divisor_bits(rng: &mut Rng, ty: Type) -> u64 {
    let n = match rng.below(3) {
        0 if rng.chance(50) => rng.pick(&[2, 4, 8, 16]),
        0 => 1u64 << rng.below(ty.as_word().bits() as usize),
        1 => rng.pick(&[3, 5, 6, 7, 9, 10, 11, 12, 14, 25, 60, 100, 125, 641, 1000, 10_000]),
        _ => constant_bits(rng, ty),
    };
    ty.as_word().truncate(if rng.chance(30) { n.wrapping_neg() } else { n })
}

fn float_constant(rng: &mut Rng) -> f64 {
    const EDGES: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -1.5,
        2.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f32::MAX as f64,
        1e-45,
        127.5,
        -128.0,
        32768.0,
        65535.0,
        2147483648.0,
        -2147483649.0,
        4294967296.0,
        9007199254740993.0,
        9223372036854775807.0,
        -9223372036854775808.0,
        18446744073709551615.0,
    ];
    if rng.chance(50) { rng.pick(EDGES) } else { (rng.below(20_000) as f64 - 10_000.0) / rng.pick(&[1.0, 3.0, 64.0]) }
}
