//! Every transfer function is compared with the operation: for all 4-bit patterns of known bits in the halves of 8-bit
//! operands, and all values that agree with them.

use super::*;
use lir_syntax::ir::{Module, ResultRule};
use lir_syntax::semantics::eval;

const I8: Word = Type::I8.as_word();
const I16: Word = Type::I16.as_word();
const I32: Word = Type::I32.as_word();

/// The knowledge to try: each bit of a few is 0, 1 or unknown, and signs that repeat.
fn some_bits(w: Word) -> Vec<Bits> {
    let mut all = Vec::new();
    for pattern in 0..81u64 {
        let (mut zeros, mut ones, mut rest) = (0, 0, pattern);
        for bit in [0, 1, w.bits() - 2, w.bits() - 1] {
            match rest % 3 {
                0 => zeros |= 1 << bit,
                1 => ones |= 1 << bit,
                _ => {}
            }
            rest /= 3;
        }
        all.push(Bits::new(w, zeros, ones, 1));
    }
    all.extend((1..=w.bits()).map(|n| Bits::new(w, 0, 0, n)));
    all.extend([0, 1, 3, 7, 0x0f, 0x10, 0x7f].map(|mask| Bits::new(w, !mask, 0, 1)));
    all
}

fn agrees(w: Word, bits: Bits, x: u64) -> bool {
    let signed = w.sign_extend(x);
    x & bits.zeros == 0 && x & bits.ones == bits.ones && w.num_sign_bits(signed) >= bits.sign_bits
}

/// All values of an 8-bit type that agree with the known bits.
fn members(bits: Bits) -> Vec<u64> {
    (0..256).filter(|x| agrees(I8, bits, *x)).collect()
}

#[test]
fn bounds_hold() {
    for bits in some_bits(I8) {
        for x in members(bits) {
            let signed = I8.sign_extend(x);
            assert!(bits.least() <= x && x <= bits.most(I8), "{bits:?} {x}");
            assert!(bits.signed_least(I8) <= signed && signed <= bits.signed_most(I8), "{bits:?} {x}");
        }
    }
}

#[test]
fn unary_operations_and_conversions() {
    for &op in Opcode::ALL {
        for bits in some_bits(I8) {
            for x in members(bits) {
                if op.format() == Format::Unary && op.info().types.allows(Type::I8) {
                    let y = eval(op, I8, 0, [x, 0, 0]).unwrap();
                    assert!(agrees(I8, unary(op, I8, bits), y), "{op:?} {bits:?} {x}");
                }
                if op.format() == Format::Convert && op.info().types.allows_conversion(Type::I8, Type::I32) {
                    let y = eval(op, I8, Type::I32 as u8, [x, 0, 0]).unwrap();
                    assert!(agrees(I32, conversion(op, I8, I32, bits), y), "{op:?} {bits:?} {x}");
                }
            }
        }
    }
    for bits in some_bits(I16) {
        for x in (0..65536).filter(|x| agrees(I16, bits, *x)) {
            assert!(agrees(I8, conversion(Opcode::Trunc, I16, I8, bits), x & 255), "{bits:?} {x}");
        }
    }
}

#[test]
fn binary_operations() {
    let all: Vec<(Bits, Vec<u64>)> = some_bits(I8).into_iter().map(|b| (b, members(b))).collect();
    let ops = Opcode::ALL.iter().filter(|op| op.format() == Format::Binary && op.info().result == ResultRule::Same);
    for &op in ops.filter(|op| op.info().types.allows(Type::I8)) {
        for (k, (a, xs)) in all.iter().enumerate() {
            // A sample of the pairs of facts, and of the values.
            for (b, ys) in all.iter().skip(k % 3).step_by(3) {
                let amount = (b.zeros | b.ones == 255).then_some(b.ones as u32 & 7);
                let found = binary(op, I8, *a, *b, amount);
                for x in xs.iter().skip(k % 5).step_by(5) {
                    for y in ys.iter().step_by(3) {
                        let Ok(z) = eval(op, I8, 0, [*x, *y, 0]) else { continue };
                        assert!(agrees(I8, found, z), "{op:?} {a:?} {b:?}: {x} {y} gives {z}, not {found:?}");
                    }
                }
            }
            for n in 0..8 {
                let (b, found) = (Bits::constant(I8, n), binary(op, I8, *a, Bits::constant(I8, n), Some(n as u32)));
                for x in xs {
                    let Ok(z) = eval(op, I8, 0, [*x, n, 0]) else { continue };
                    assert!(agrees(I8, found, z), "{op:?} {a:?} {b:?}: {x} gives {z}, not {found:?}");
                }
            }
        }
    }
}

/// Limits of 8-bit values of all kinds.
fn some_limits() -> Vec<Limits> {
    let ends = [-128i64, -127, -65, -8, -2, -1, 0, 1, 2, 7, 8, 63, 64, 126, 127];
    let pairs = |ends: &[i64]| -> Vec<(i64, i64)> {
        let all = ends.iter().flat_map(|lo| ends.iter().map(|hi| (*lo, *hi)));
        all.filter(|(lo, hi)| lo <= hi).collect()
    };
    let any = Limits::of_bits(I8, Bits::UNKNOWN);
    let signed = pairs(&ends).into_iter().map(|(lo, hi)| any.of_signed(I8, lo, hi));
    let unsigned = pairs(&ends.map(|k| k & 255)).into_iter().map(|(lo, hi)| any.of_unsigned(I8, lo, hi));
    signed.chain(unsigned).collect()
}

fn lies_in(l: Limits, x: u64) -> bool {
    l.least <= x && x <= l.most && l.signed.has(I8.sign_extend(x))
}

/// Some values of an 8-bit type in limits: the ends and some between them.
fn some_within(l: Limits) -> Vec<u64> {
    let all: Vec<u64> = (0..256).filter(|x| lies_in(l, *x)).collect();
    let n = all.len();
    let some = all.into_iter().enumerate().filter(|(k, _)| *k < 3 || n - k <= 3 || k % 9 == 0);
    some.map(|(_, x)| x).collect()
}

#[test]
fn limits_hold() {
    let all: Vec<(Limits, Vec<u64>)> = some_limits().into_iter().map(|l| (l, some_within(l))).collect();
    let is_right = |op: Opcode, found: Limits, z: u64| {
        let bits = found.bits(I8, Bits::UNKNOWN);
        assert!(lies_in(found, z) && agrees(I8, bits, z), "{op:?}: {z} is not in {found:?}, or not {bits:?}");
    };
    for &op in Opcode::ALL.iter().filter(|op| op.info().types.allows(Type::I8)) {
        for (k, (a, xs)) in all.iter().enumerate() {
            if op.format() == Format::Unary {
                let found = limits::unary(op, I8, I8, *a, Bits::UNKNOWN);
                xs.iter().for_each(|x| is_right(op, found, eval(op, I8, 0, [*x, 0, 0]).unwrap()));
            }
            if op.format() != Format::Binary || op.info().result != ResultRule::Same {
                continue;
            }
            for (b, ys) in all.iter().skip(k % 3).step_by(3) {
                let found = limits::binary(op, I8, *a, *b, Bits::UNKNOWN);
                for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                    let Ok(z) = eval(op, I8, 0, [x, y, 0]) else { continue };
                    is_right(op, found, z);
                }
            }
        }
    }
}

#[test]
fn limits_say_more_than_bits() {
    let any = Limits::of_bits(I8, Bits::UNKNOWN);
    let point = |k: u64| Limits::of_bits(I8, Bits::constant(I8, k));
    let of = |op, a, k: i64| limits::binary(op, I8, a, point(k as u64), Bits::UNKNOWN);
    let unsigned = |l: Limits| (l.least, l.most);
    let signed = |l: Limits| (l.signed.lo, l.signed.hi);
    assert_eq!(unsigned(of(Opcode::Urem, any, 10)), (0, 9));
    assert_eq!(unsigned(of(Opcode::Udiv, any, 10)), (0, 25));
    assert_eq!(signed(of(Opcode::Srem, any, 10)), (-9, 9));
    assert_eq!(signed(of(Opcode::Sdiv, any, 10)), (-12, 12));
    assert_eq!(signed(of(Opcode::Sdiv, any, -1)), (-127, 127));
    let clamped = of(Opcode::Smin, of(Opcode::Smax, any, 3), 15);
    assert_eq!((unsigned(clamped), signed(clamped)), ((3, 15), (3, 15)));
    assert_eq!(clamped.bits(I8, Bits::UNKNOWN).zeros, 0xf0);
}

#[test]
fn numbers_that_are_an_odd_number_apart() {
    let text = "func @f(%x: i64) {\nentry:\n  %s = add i64 %x, -7\n  %t = add i64 %x, 6\n  %a = and i64 %x, %s\n  \
                %o = or i64 %s, %x\n  %e = xor i64 %x, %s\n  %n = and i64 %x, %t\n  ret\n}\n";
    let module: Module = text.parse().unwrap();
    let f = module.funcs.values().next().unwrap();
    let mut defs: SecondaryMap<Reg, Option<Inst>> = SecondaryMap::default();
    f.layout().all_insts().for_each(|i| {
        if let Some(r) = f.def(i) {
            defs[r] = Some(i);
        }
    });
    let mut known = KnownBits::default();
    let low_bits = f.layout().all_insts().filter_map(|i| f.def(i)).map(|r| {
        let bits = known.of(f, |r| *defs.get(r), Operand::reg(r), Type::I64);
        (bits.zeros & 1, bits.ones & 1)
    });
    assert_eq!(low_bits.collect::<Vec<_>>(), [(0, 0), (0, 0), (1, 0), (0, 1), (0, 1), (0, 0)]);
}
