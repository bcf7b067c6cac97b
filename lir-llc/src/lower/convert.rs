//! Conversions between integers and floats, by the ones that x86-64 has: i32 and i64, signed, both ways.

use super::expander::Expander;
use super::integer::first;
use lir_syntax::ir::{FloatCC, InstData, Opcode, Reg, Type};

/// Below i32: sign-extended first.
pub fn sitofp(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.ty.bits() >= 32 {
        return false;
    }
    let wide = e.convert(Opcode::Sext, d.ty, first(&d), Type::I32);
    let r = e.convert(Opcode::Sitofp, Type::I32, wide, d.to_type());
    e.finish(r)
}

/// Below i64: zero-extended to a type in which the value is not negative. From i64 emission has a sequence.
pub fn uitofp(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.ty == Type::I64 {
        return false;
    }
    let wide = if d.ty == Type::I32 { Type::I64 } else { Type::I32 };
    let x = e.convert(Opcode::Zext, d.ty, first(&d), wide);
    let r = e.convert(Opcode::Sitofp, wide, x, d.to_type());
    e.finish(r)
}

/// To i8 and i16: the low bits of the i32 result.
pub fn fptosi(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.to_type().bits() >= 32 {
        return false;
    }
    let wide = e.convert(Opcode::Fptosi, d.ty, first(&d), Type::I32);
    let r = e.convert(Opcode::Trunc, Type::I32, wide, d.to_type());
    e.finish(r)
}

/// As the language defines it: below i64 the low bits of `fptosi` to i64. To i64 `s` where that is not negative, else
/// `s | fptosi(x - 2^63)`.
pub fn fptoui(e: &mut Expander<'_>, d: InstData) -> bool {
    let (x, to) = (first(&d), d.to_type());
    let s = e.convert(Opcode::Fptosi, d.ty, x, Type::I64);
    let r = if to == Type::I64 {
        let offset = e.float(d.ty, 9_223_372_036_854_775_808.0);
        let less = e.binary(Opcode::Fsub, d.ty, x, offset);
        let high = e.convert(Opcode::Fptosi, d.ty, less, Type::I64);
        let sign = e.binary(Opcode::Ashr, Type::I64, s, 63);
        let high = e.binary(Opcode::And, Type::I64, high, sign);
        e.binary(Opcode::Or, Type::I64, s, high)
    } else {
        e.convert(Opcode::Trunc, Type::I64, s, to)
    };
    e.finish(r)
}

/// 2^n as a float constant; exact in both types for the n used here.
fn power(e: &mut Expander<'_>, ty: Type, n: u32, sign: f64) -> Reg {
    e.float(ty, sign * (n as f64).exp2())
}

/// Selects `value` instead of `r` where `x cc bound`.
fn clamp(e: &mut Expander<'_>, d: &InstData, cc: FloatCC, bound: Reg, value: u64, r: Reg) -> Reg {
    let c = e.fcmp(cc, d.ty, first(d), bound);
    let value = e.constant(d.to_type(), value);
    e.select(d.to_type(), c, value, r)
}

/// The plain conversion with the results beyond both ends, and of NaN, replaced.
pub fn fptosi_sat(e: &mut Expander<'_>, d: InstData) -> bool {
    let (x, to) = (first(&d), d.to_type());
    let r = e.convert(Opcode::Fptosi, d.ty, x, to);
    let max = to.mask() >> 1;
    let high = power(e, d.ty, to.bits() - 1, 1.0);
    let low = power(e, d.ty, to.bits() - 1, -1.0);
    let r = clamp(e, &d, FloatCC::Oge, high, max, r);
    let r = clamp(e, &d, FloatCC::Ole, low, max + 1, r);
    let r = clamp(e, &d, FloatCC::Uno, x, 0, r);
    e.finish(r)
}

/// The plain conversion with the results from 2^width on, below 0, and of NaN replaced.
pub fn fptoui_sat(e: &mut Expander<'_>, d: InstData) -> bool {
    let (x, to) = (first(&d), d.to_type());
    let r = e.convert(Opcode::Fptoui, d.ty, x, to);
    let high = power(e, d.ty, to.bits(), 1.0);
    let zero = e.float(d.ty, 0.0);
    let r = clamp(e, &d, FloatCC::Oge, high, to.mask(), r);
    let r = clamp(e, &d, FloatCC::Ult, zero, 0, r);
    e.finish(r)
}
