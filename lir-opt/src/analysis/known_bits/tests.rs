//! Every transfer function is compared with the operation: for all 4-bit patterns of what is known about 8-bit
//! operands' halves, and all values that agree with them.

use super::*;
use lir_syntax::ir::ResultRule;
use lir_syntax::semantics::eval;

/// What may be known: each bit of a few is 0, 1 or unknown; and signs that repeat.
fn some_bits(ty: Type) -> Vec<Bits> {
    let mut all = Vec::new();
    for pattern in 0..81u64 {
        let (mut zeros, mut ones, mut rest) = (0, 0, pattern);
        for bit in [0, 1, ty.bits() - 2, ty.bits() - 1] {
            match rest % 3 {
                0 => zeros |= 1 << bit,
                1 => ones |= 1 << bit,
                _ => {}
            }
            rest /= 3;
        }
        all.push(Bits::new(ty, zeros, ones, 1));
    }
    all.extend((1..=ty.bits()).map(|n| Bits::new(ty, 0, 0, n)));
    all.extend([0, 1, 3, 7, 0x0f, 0x10, 0x7f].map(|mask| Bits::new(ty, !mask, 0, 1)));
    all
}

fn agrees(ty: Type, bits: Bits, x: u64) -> bool {
    let signed = ty.sign_extend(x);
    let equal = if signed < 0 { signed.leading_ones() } else { signed.leading_zeros() } - (64 - ty.bits());
    x & bits.zeros == 0 && x & bits.ones == bits.ones && equal >= bits.sign_bits
}

/// All values of an 8-bit type that agree with what is known.
fn members(bits: Bits) -> Vec<u64> {
    (0..256).filter(|x| agrees(Type::I8, bits, *x)).collect()
}

#[test]
fn bounds_hold() {
    for bits in some_bits(Type::I8) {
        for x in members(bits) {
            let signed = Type::I8.sign_extend(x);
            assert!(bits.least() <= x && x <= bits.most(Type::I8), "{bits:?} {x}");
            assert!(bits.signed_least(Type::I8) <= signed && signed <= bits.signed_most(Type::I8), "{bits:?} {x}");
        }
    }
}

#[test]
fn unary_operations_and_conversions() {
    for &op in Opcode::ALL {
        for bits in some_bits(Type::I8) {
            for x in members(bits) {
                if op.format() == Format::Unary && op.info().types.allows(Type::I8) {
                    let y = eval(op, Type::I8, 0, [x, 0, 0]).unwrap();
                    assert!(agrees(Type::I8, unary(op, Type::I8, bits), y), "{op:?} {bits:?} {x}");
                }
                if op.format() == Format::Convert && op.info().types.allows_conversion(Type::I8, Type::I32) {
                    let y = eval(op, Type::I8, Type::I32 as u8, [x, 0, 0]).unwrap();
                    assert!(agrees(Type::I32, conversion(op, Type::I8, Type::I32, bits), y), "{op:?} {bits:?} {x}");
                }
            }
        }
    }
    for bits in some_bits(Type::I16) {
        for x in (0..65536).filter(|x| agrees(Type::I16, bits, *x)) {
            assert!(agrees(Type::I8, conversion(Opcode::Trunc, Type::I16, Type::I8, bits), x & 255), "{bits:?} {x}");
        }
    }
}

#[test]
fn binary_operations() {
    let all: Vec<(Bits, Vec<u64>)> = some_bits(Type::I8).into_iter().map(|b| (b, members(b))).collect();
    let ops = Opcode::ALL.iter().filter(|op| op.format() == Format::Binary && op.info().result == ResultRule::Same);
    for &op in ops.filter(|op| op.info().types.allows(Type::I8)) {
        for (k, (a, xs)) in all.iter().enumerate() {
            // A sample of the pairs of facts, and of the values.
            for (b, ys) in all.iter().skip(k % 3).step_by(3) {
                let amount = (b.zeros | b.ones == 255).then_some(b.ones as u32 & 7);
                let found = binary(op, Type::I8, *a, *b, amount);
                for x in xs.iter().skip(k % 5).step_by(5) {
                    for y in ys.iter().step_by(3) {
                        let Ok(z) = eval(op, Type::I8, 0, [*x, *y, 0]) else { continue };
                        assert!(agrees(Type::I8, found, z), "{op:?} {a:?} {b:?}: {x} {y} gives {z}, not {found:?}");
                    }
                }
            }
            for n in 0..8 {
                let (b, found) = (
                    Bits::constant(Type::I8, n),
                    binary(op, Type::I8, *a, Bits::constant(Type::I8, n), Some(n as u32)),
                );
                for x in xs {
                    let Ok(z) = eval(op, Type::I8, 0, [*x, n, 0]) else { continue };
                    assert!(agrees(Type::I8, found, z), "{op:?} {a:?} {b:?}: {x} gives {z}, not {found:?}");
                }
            }
        }
    }
}
