//! Tests the corner cases of operations, by their numbers in the list, and checks 8-bit operations exhaustively.

use super::*;
use crate::{FloatCC, IntCC, TypeRule};
use Opcode::*;
use Type::*;
use std::hint::black_box;

fn eval(op: Opcode, ty: Type, aux: u8, args: [u64; 3]) -> Result<u64, Trap> {
    super::eval(op, ty.as_word(), aux, args)
}
fn try2(op: Opcode, ty: Type, a: i64, b: i64) -> Result<i64, Trap> {
    let w = ty.as_word();
    eval(op, ty, 0, [w.truncate(a as u64), w.truncate(b as u64), 0]).map(|r| {
        assert_eq!(r, w.truncate(r), "{op:?} {ty} {a} {b}: not canonical");
        w.sign_extend(r)
    })
}
fn int(op: Opcode, ty: Type, a: i64, b: i64) -> i64 {
    try2(op, ty, a, b).unwrap()
}
fn f64s(op: Opcode, a: f64, b: f64) -> f64 {
    f64::from_bits(eval(op, F64, 0, [a.to_bits(), b.to_bits(), 0]).unwrap())
}
fn f32s(op: Opcode, a: f32, b: f32) -> f32 {
    f32::from_bits(eval(op, F32, 0, [a.to_bits() as u64, b.to_bits() as u64, 0]).unwrap() as u32)
}
fn convert(op: Opcode, from: Type, to: Type, a: u64) -> u64 {
    let r = eval(op, from, to as u8, [a, 0, 0]).unwrap();
    assert_eq!(r, to.as_word().truncate(r), "{op:?} {from} {to} {a:#x}: not canonical");
    r
}
fn of_f64(op: Opcode, to: Type, x: f64) -> i64 {
    to.as_word().sign_extend(convert(op, F64, to, x.to_bits()))
}

const INTS: [Type; 4] = [I8, I16, I32, I64];

#[test]
fn cases_1_to_11_wrapping_and_division() {
    assert_eq!(int(Add, I8, 127, 1), -128);
    assert_eq!(int(Sub, I64, i64::MIN, 1), i64::MAX);
    for ty in INTS {
        let min = ty.as_word().signed_min();
        assert_eq!(int(Neg, ty, min, 0), min);
        for op in [Sdiv, Udiv, Srem, Urem] {
            assert_eq!(try2(op, ty, 5, 0), Err(Trap::DivByZero));
            assert_eq!(try2(op, ty, 0, 0), Err(Trap::DivByZero));
        }
        assert_eq!(try2(Sdiv, ty, min, -1), Err(Trap::IntOverflow));
        assert_eq!(int(Srem, ty, min, -1), 0);
        assert_eq!(int(Sdiv, ty, min + 1, -1), -(min + 1));
        assert_eq!(int(Sdiv, ty, -1, 2), 0);
        assert_eq!(int(Sdiv, ty, min, min), 1);
        assert_eq!(int(Sdiv, ty, 7, min), 0);
        assert_eq!(int(Sdiv, ty, -7, 2), -3);
        assert_eq!(int(Srem, ty, -7, 2), -1);
        assert_eq!(int(Srem, ty, 7, -2), 1);
        assert_eq!(int(Udiv, ty, -1, 1), -1);
        assert_eq!(int(Urem, ty, -1, 1), 0);
        assert_eq!(int(Udiv, ty, -1, min), 1);
    }
}

#[test]
fn exhaustive_at_8_bits() {
    for a in -128i64..128 {
        for b in -128i64..128 {
            let (ua, ub) = (a & 255, b & 255);
            let wrap = |n: i64| n as i8 as i64;
            let k = ub & 7;
            let check = |op, want| assert_eq!(int(op, I8, a, b), want, "{op:?} {a} {b}");
            check(Add, wrap(a + b));
            check(Sub, wrap(a - b));
            check(Mul, wrap(a * b));
            check(And, wrap(a & b));
            check(Or, wrap(a | b));
            check(Xor, wrap(a ^ b));
            check(Shl, wrap(a << k));
            check(Lshr, wrap(ua >> k));
            check(Ashr, a >> k);
            check(Rotl, wrap((ua << k) | (ua >> (8 - k))));
            check(Rotr, wrap((ua >> k) | (ua << (8 - k))));
            check(Smulh, (a * b) >> 8);
            check(Umulh, wrap((ua * ub) >> 8));
            check(Smin, a.min(b));
            check(Smax, a.max(b));
            check(Umin, wrap(ua.min(ub)));
            check(Umax, wrap(ua.max(ub)));
            let signed = |n: i64| !(-128..128).contains(&n) as i64;
            let unsigned = |n: i64| !(0..256).contains(&n) as i64;
            check(SaddO, signed(a + b));
            check(SsubO, signed(a - b));
            check(SmulO, signed(a * b));
            check(UaddO, unsigned(ua + ub));
            check(UsubO, unsigned(ua - ub));
            check(UmulO, unsigned(ua * ub));
            if b != 0 {
                check(Udiv, wrap(ua / ub));
                check(Urem, wrap(ua % ub));
                check(Srem, a % b);
                if (a, b) != (-128, -1) {
                    check(Sdiv, a / b);
                }
            }
            for &cc in IntCC::ALL {
                let want = match cc {
                    IntCC::Eq => a == b,
                    IntCC::Ne => a != b,
                    IntCC::Slt => a < b,
                    IntCC::Sle => a <= b,
                    IntCC::Sgt => a > b,
                    IntCC::Sge => a >= b,
                    IntCC::Ult => ua < ub,
                    IntCC::Ule => ua <= ub,
                    IntCC::Ugt => ua > ub,
                    IntCC::Uge => ua >= ub,
                };
                let got = eval(Icmp, I8, cc as u8, [ua as u64, ub as u64, 0]).unwrap();
                assert_eq!(got, want as u64, "icmp {cc} {a} {b}");
            }
        }
        let unary = |op, want: u32| assert_eq!(int(op, I8, a, 0), want as i64, "{op:?} {a}");
        unary(Clz, (a as u8).leading_zeros());
        unary(Ctz, (a as u8).trailing_zeros());
        unary(Popcnt, (a as u8).count_ones());
        assert_eq!(int(Bswap, I8, a, 0), a);
        assert_eq!(int(Not, I8, a, 0), !a);
        assert_eq!(int(Neg, I8, a, 0), (-a) as i8 as i64);
    }
}

#[test]
fn wide_products_and_overflow() {
    for ty in INTS {
        let (min, max) = (ty.as_word().signed_min(), ty.as_word().signed_max());
        assert_eq!(int(Smulh, ty, min, min), 1 << (ty.bits() - 2));
        assert_eq!(int(Smulh, ty, min, -1), 0);
        assert_eq!(int(Umulh, ty, -1, -1), -2);
        assert_eq!(int(SaddO, ty, max, 1), 1);
        assert_eq!(int(SsubO, ty, min, 1), 1);
        assert_eq!(int(SmulO, ty, min, -1), 1);
        assert_eq!(int(SmulO, ty, max, 1), 0);
        assert_eq!(int(UaddO, ty, -1, 1), 1);
        assert_eq!(int(UmulO, ty, -1, 2), 1);
        assert_eq!(int(Clz, ty, 0, 0), ty.bits() as i64);
        assert_eq!(int(Ctz, ty, 0, 0), ty.bits() as i64);
        assert_eq!(int(Clz, ty, 1, 0), ty.bits() as i64 - 1);
        assert_eq!(int(Ctz, ty, min, 0), ty.bits() as i64 - 1);
    }
    assert_eq!(int(Bswap, I16, 0x1234, 0), 0x3412);
    assert_eq!(int(Bswap, I32, 0x12345678, 0), 0x78563412);
    assert_eq!(int(Bswap, I64, 0x0102030405060708, 0), 0x0807060504030201);
}

#[test]
fn cases_26_to_35_shifts_take_the_amount_modulo_the_width() {
    for ty in INTS {
        let w = ty.bits() as i64;
        for amount in 0..w {
            for more in [0, w, -w, 3 * w] {
                if ty.as_word().sign_extend((amount + more) as u64) != amount + more {
                    continue;
                }
                for op in [Shl, Lshr, Ashr, Rotl, Rotr] {
                    assert_eq!(int(op, ty, 0x5a, amount + more), int(op, ty, 0x5a, amount));
                }
            }
        }
        assert_eq!(int(Rotl, ty, -2, w), -2);
        assert_eq!(int(Rotr, ty, -2, 0), -2);
    }
    assert_eq!(int(Shl, I32, 1, 33), 2);
    assert_eq!(int(Shl, I32, 1, -1), i32::MIN as i64);
    assert_eq!(int(Shl, I8, 1, 9), 2);
    assert_eq!(int(Ashr, I8, -128, 7), -1);
    assert_eq!(int(Lshr, I8, -128, 7), 1);
    assert_eq!(int(Rotl, I16, 0x8001u16 as i16 as i64, 4), 0x18);
}

#[test]
fn cases_36_to_48_sub_word_values() {
    assert_eq!(convert(Sext, I8, I64, 0x80), (-128i64) as u64);
    assert_eq!(convert(Sext, I8, I16, 0xff), 0xffff);
    assert_eq!(convert(Zext, I8, I64, 0x80), 0x80);
    assert_eq!(convert(Trunc, I64, I8, 0x1234), 0x34);
    assert_eq!(eval(Select, F64, 0, [0x100, 1, 2]), Ok(1));
    assert_eq!(eval(Select, I8, 0, [0, 1, 2]), Ok(2));
    assert_eq!(eval(Icmp, I8, IntCC::Eq as u8, [200, I8.as_word().truncate(-56i64 as u64), 0]), Ok(1));
}

#[test]
fn cases_49_to_58_float_compare() {
    let nan = f64::NAN;
    for &cc in FloatCC::ALL {
        let ordered = cc.name().starts_with('o');
        let holds = |a: f64, b: f64| compare::fcmp(cc, F64.as_word(), a.to_bits(), b.to_bits());
        for (a, b) in [(nan, nan), (nan, 1.0), (1.0, nan)] {
            assert_eq!(holds(a, b), !ordered, "{cc} with NaN");
        }
        for (a, b) in [(1.0f64, 2.0f64), (2.0, 1.0), (1.0, 1.0), (-0.0, 0.0), (nan, 0.0)] {
            let swapped = compare::fcmp(cc.swapped(), F64.as_word(), b.to_bits(), a.to_bits());
            let inverted = compare::fcmp(cc.inverted(), F64.as_word(), a.to_bits(), b.to_bits());
            assert_eq!(holds(a, b), swapped, "{cc} swapped");
            assert_eq!(holds(a, b), !inverted, "{cc} inverted");
        }
    }
    assert!(compare::fcmp(FloatCC::Oeq, F32.as_word(), 0x8000_0000, 0));
    assert!(!compare::fcmp(FloatCC::One, F32.as_word(), 0x8000_0000, 0));
}

#[test]
fn cases_59_to_70_arithmetic() {
    assert_eq!(f64s(Fadd, -0.0, 0.0).to_bits(), 0);
    assert_eq!(f64s(Fsub, -0.0, 0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(f64s(Fneg, 0.0, 0.0).to_bits(), (-0.0f64).to_bits());
    for (a, b, min, max) in [(-0.0, 0.0, -0.0, 0.0), (0.0, -0.0, -0.0, 0.0), (-1.0, -2.0, -2.0, -1.0)] {
        assert_eq!(f64s(Fmin, a, b).to_bits(), f64::to_bits(min));
        assert_eq!(f64s(Fmax, a, b).to_bits(), f64::to_bits(max));
        assert_eq!(f32s(Fmin, a as f32, b as f32).to_bits(), (min as f32).to_bits());
        assert_eq!(f32s(Fmax, a as f32, b as f32).to_bits(), (max as f32).to_bits());
    }
    assert_eq!(f64s(Fmin, f64::NEG_INFINITY, 1.0), f64::NEG_INFINITY);
    assert!(f64s(Fmin, f64::NAN, 1.0).is_nan() && f64s(Fmax, 1.0, f64::NAN).is_nan());
    assert_eq!(f64s(Fdiv, 4.9e-324, 2.0), 0.0);
    assert_eq!(f64s(Fmul, 4.9e-324, 1.0), 4.9e-324);
    assert_eq!(f64s(Fsqrt, -0.0, 0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(f64s(Fsqrt, -1.0, 0.0).to_bits(), 0xfff8_0000_0000_0000);
    assert_eq!(f32s(Fdiv, 0.0, 0.0).to_bits(), 0xffc0_0000);
    assert_eq!(f64s(Fnearest, 2.5, 0.0), 2.0);
    assert_eq!(f64s(Fnearest, 3.5, 0.0), 4.0);
    assert_eq!(f64s(Fnearest, -0.3, 0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(f32s(Fnearest, 0.5, 0.0).to_bits(), 0);
    assert_eq!(f64s(Fceil, -0.3, 0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(f64s(Ffloor, -0.3, 0.0), -1.0);
    assert_eq!(f64s(Ftrunc, -1.7, 0.0), -1.0);
    assert_eq!(f32s(Fadd, 16777216.0, 1.0), 16777216.0);
}

#[test]
fn case_66_signalling_nans() {
    let snan = 0x7ff0_0000_0000_0001u64;
    for op in [Fsqrt, Fceil, Ffloor, Ftrunc, Fnearest] {
        assert_eq!(eval(op, F64, 0, [snan, 0, 0]), Ok(snan | 1 << 51), "{op:?}");
    }
    for op in [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax] {
        assert_eq!(eval(op, F64, 0, [snan, 0, 0]), Ok(snan | 1 << 51), "{op:?}");
        assert_eq!(eval(op, F64, 0, [0, snan, 0]), Ok(snan | 1 << 51), "{op:?}");
    }
    assert_eq!(eval(Copy, F64, 0, [snan, 0, 0]), Ok(snan));
    assert_eq!(eval(Select, F64, 0, [1, snan, 0]), Ok(snan));
    assert_eq!(eval(Fneg, F64, 0, [snan, 0, 0]), Ok(snan | 1 << 63));
    assert_eq!(eval(Fabs, F64, 0, [snan | 1 << 63, 0, 0]), Ok(snan));
    assert_eq!(eval(Fcopysign, F64, 0, [snan, 1 << 63, 0]), Ok(snan | 1 << 63));
    assert_eq!(eval(Fcopysign, F32, 0, [0x7f80_0001, 1 << 31, 0]), Ok(0xff80_0001));
    assert_eq!(convert(Bitcast, F64, I64, snan), snan);
    assert_eq!(convert(Fpext, F32, F64, 0xff80_0001), 0xfff8_0000_2000_0000);
    assert_eq!(convert(Fptrunc, F64, F32, snan), 0x7fc0_0000);
}

#[test]
fn case_69_fma_rounds_once() {
    // The black boxes keep the compiler from folding: the result of the host's C library is tested.
    let fma = |a: f64, b: f64, c: f64| {
        f64::from_bits(eval(Fma, F64, 0, black_box([a.to_bits(), b.to_bits(), c.to_bits()])).unwrap())
    };
    // (1 + e)(1 - e) - 1 = -e^2, lost by a rounded product.
    let e = f64::EPSILON;
    assert_eq!(fma(1.0 + e, 1.0 - e, -1.0), -e * e);
    assert_eq!((1.0 + e) * (1.0 - e) - 1.0, 0.0);
    // Just above, on and below a tie.
    let half = 2f64.powi(-53);
    assert_eq!(fma(half, 1.0 + 2f64.powi(-52), 1.0), 1.0 + e);
    assert_eq!(fma(half, 1.0, 1.0), 1.0);
    assert_eq!(fma(half, 1.0 - 2f64.powi(-53), 1.0), 1.0);
    // Subnormal result, rounded once.
    assert_eq!(fma(2f64.powi(-537), 2f64.powi(-537), 0.0), 2f64.powi(-1074));
    assert_eq!(fma(2f64.powi(-538), 2f64.powi(-537), 2f64.powi(-1074)).to_bits(), 2);
    let fma32 = |a: f32, b: f32, c: f32| {
        let bits = [a.to_bits() as u64, b.to_bits() as u64, c.to_bits() as u64];
        f32::from_bits(eval(Fma, F32, 0, black_box(bits)).unwrap() as u32)
    };
    // The sum in f64 rounds to a tie of f32: 1 + 2^-24 + 2^-80.
    assert_eq!(fma32(2f32.powi(-40), 2f32.powi(-40), 1.0 + 2f32.powi(-23)), 1.0 + 2f32.powi(-23));
    let x = 1.0 + 2f32.powi(-12);
    assert_eq!(fma32(x, x, 2f32.powi(-80)), 1.0 + 2f32.powi(-11) + 2f32.powi(-23));
}

#[test]
fn cases_72_to_75_float_to_integer() {
    let inf = f64::INFINITY;
    for x in [f64::NAN, inf, -inf, 2147483648.0, -2147483649.0, 1e300] {
        assert_eq!(of_f64(Fptosi, I32, x), i32::MIN as i64, "{x}");
        assert_eq!(of_f64(Fptosi, I8, x), 0, "{x}");
        assert_eq!(of_f64(Fptosi, I16, x), 0, "{x}");
    }
    assert_eq!(of_f64(Fptosi, I32, 2147483647.9), i32::MAX as i64);
    assert_eq!(of_f64(Fptosi, I32, -2147483648.9), i32::MIN as i64);
    assert_eq!(of_f64(Fptosi, I8, 300.7), 44);
    assert_eq!(of_f64(Fptosi, I8, -1.9), -1);
    assert_eq!(of_f64(Fptosi, I16, 65537.0), 1);
    for x in [f64::NAN, inf, -inf, 9223372036854775808.0, -9223372036854777856.0] {
        assert_eq!(of_f64(Fptosi, I64, x), i64::MIN, "{x}");
    }
    assert_eq!(of_f64(Fptosi, I64, -9223372036854775808.0), i64::MIN);
    assert_eq!(of_f64(Fptosi, I64, 9223372036854774784.0), 9223372036854774784);
    // 74: [2^31, 2^32) through 64 bits.
    assert_eq!(of_f64(Fptoui, I32, 4294967295.0), -1);
    assert_eq!(of_f64(Fptoui, I32, 4294967296.0), 0);
    assert_eq!(of_f64(Fptoui, I32, -1.0), -1);
    assert_eq!(of_f64(Fptoui, I8, 255.9), -1);
    // 75
    assert_eq!(of_f64(Fptoui, I64, -0.9), 0);
    assert_eq!(of_f64(Fptoui, I64, 9223372036854775808.0) as u64, 1 << 63);
    assert_eq!(of_f64(Fptoui, I64, 18446744073709549568.0) as u64, 18446744073709549568);
    assert_eq!(of_f64(Fptoui, I64, 18446744073709551616.0) as u64, 1 << 63);
    assert_eq!(of_f64(Fptoui, I64, -1.0), -1);
    assert_eq!(of_f64(Fptoui, I64, f64::NAN) as u64, 1 << 63);
    assert_eq!(convert(Fptoui, F32, I64, 9223373136366403584f32.to_bits() as u64), 9223373136366403584);
}

#[test]
fn saturating_conversions() {
    for ty in INTS {
        let (min, max) = (ty.as_word().signed_min(), ty.as_word().signed_max());
        assert_eq!(of_f64(FptosiSat, ty, 1e30), max);
        assert_eq!(of_f64(FptosiSat, ty, -1e30), min);
        assert_eq!(of_f64(FptosiSat, ty, f64::NAN), 0);
        assert_eq!(of_f64(FptosiSat, ty, -1.9), -1);
        assert_eq!(of_f64(FptouiSat, ty, 1e30), -1);
        assert_eq!(of_f64(FptouiSat, ty, -1e30), 0);
        assert_eq!(of_f64(FptouiSat, ty, f64::NAN), 0);
        assert_eq!(of_f64(FptouiSat, ty, 99.9), 99);
    }
    assert_eq!(of_f64(FptosiSat, I8, 127.9), 127);
    assert_eq!(of_f64(FptosiSat, I8, 128.0), 127);
    assert_eq!(of_f64(FptouiSat, I8, 255.9) & 255, 255);
}

#[test]
fn cases_76_to_80_integer_to_float_rounds_once() {
    assert_eq!(convert(Uitofp, I64, F64, 0xffff_ffff_ffff_f401), 18446744073709549568f64.to_bits());
    assert_eq!(convert(Uitofp, I64, F64, 0x8000_0000_0000_0401), 9223372036854777856f64.to_bits());
    assert_eq!(convert(Uitofp, I64, F32, 0x8000_0080_0000_0001), 0x5f00_0001);
    assert_eq!(convert(Sitofp, I64, F32, 0x7fff_ffbf_ffff_ffff), 0x5eff_ffff);
    assert_eq!(convert(Uitofp, I32, F32, 0xffff_ffff), 4294967296f32.to_bits() as u64);
    assert_eq!(convert(Sitofp, I8, F64, 0x80), (-128f64).to_bits());
    assert_eq!(convert(Uitofp, I8, F64, 0x80), 128f64.to_bits());
    assert_eq!(convert(Sitofp, I16, F32, 0xffff), (-1f32).to_bits() as u64);
}

#[test]
fn cases_82_to_84_formats() {
    assert_eq!(convert(Bitcast, I32, F32, 0x7f80_0001), 0x7f80_0001);
    // 0x1.ffffffp127 is the least number that is rounded to infinity, 0x1.fffffefffffffp127 the one below it.
    assert_eq!(convert(Fptrunc, F64, F32, 0x47ef_ffff_efff_ffff), f32::MAX.to_bits() as u64);
    assert_eq!(convert(Fptrunc, F64, F32, 0x47ef_ffff_f000_0000), f32::INFINITY.to_bits() as u64);
    assert_eq!(convert(Fptrunc, F64, F32, 0x8000_0000_0000_0001), (-0f32).to_bits() as u64);
    assert_eq!(convert(Fpext, F32, F64, 1), 2f64.powi(-149).to_bits());
    let there_and_back = |n: i64| of_f64(Fptosi, I64, f64::from_bits(convert(Sitofp, I64, F64, n as u64)));
    assert_ne!(there_and_back(i64::MAX - 1), i64::MAX - 1);
}

#[test]
fn every_value_op_is_defined_for_all_its_types_and_canonical() {
    let samples = [0u64, 1, 2, 0x7f, 0x80, 0xff, 0x7fc0_0000, 0x7f80_0001, u64::MAX, 1 << 63, 0x7ff0_0000_0000_0001];
    for &op in Opcode::ALL.iter().filter(|op| is_value_op(**op)) {
        for ty in Type::OF_WORDS.into_iter().filter(|t| op.info().types.allows(*t)) {
            let auxes: Vec<(u8, Type)> = match op.format() {
                Format::Compare if ty.is_int() => IntCC::ALL.iter().map(|c| (*c as u8, I8)).collect(),
                Format::Compare => FloatCC::ALL.iter().map(|c| (*c as u8, I8)).collect(),
                Format::Convert => {
                    let rule: TypeRule = op.info().types;
                    let targets = Type::OF_WORDS.into_iter().filter(|to| rule.allows_conversion(ty, *to));
                    targets.map(|to| (to as u8, to)).collect()
                }
                _ => vec![(0, ty)],
            };
            for (aux, result) in auxes {
                for a in samples {
                    for b in samples {
                        let args = [a, b, !a].map(|bits| ty.as_word().truncate(bits));
                        match eval(op, ty, aux, args) {
                            Ok(r) => assert_eq!(r, result.as_word().truncate(r), "{op:?} {ty} {aux} {args:x?}"),
                            Err(_) => assert!(!op.effects().is_pure(), "{op:?} traps"),
                        }
                    }
                }
            }
        }
    }
}
