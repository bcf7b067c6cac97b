//! Expands conversions between integers and floats into those that x86-64 has: i32 and i64, signed, in both directions.

use super::first;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{FloatCC, InstData, Reg, Type};

/// Below i32: sign-extended first.
pub(super) fn sitofp(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let wide = e.sext(first(d), Type::I32);
    e.sitofp(wide, d.to_type())
}

/// Below i64: zero-extended to a type in which the value is not negative. From i64 emission has a sequence.
pub(super) fn uitofp(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let wide = if d.ty == Type::I32 { Type::I64 } else { Type::I32 };
    let x = e.zext(first(d), wide);
    e.sitofp(x, d.to_type())
}

/// To i8 and i16: the low bits of the i32 result.
pub(super) fn fptosi(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let wide = e.fptosi(first(d), Type::I32);
    e.trunc(wide, d.to_type())
}

/// Expands `fptoui` as the language defines it: below i64 the low bits of `fptosi` to i64. To i64 it is `s = fptosi(x)`
/// if that is not negative, else `s | fptosi(x - 2^63)`.
pub(super) fn fptoui(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let (x, to) = (first(d), d.to_type());
    let s = e.fptosi(x, Type::I64);
    if to == Type::I64 {
        let offset = e.constant(d.ty, 9_223_372_036_854_775_808.0);
        let less = e.fsub(x, offset);
        let high = e.fptosi(less, Type::I64);
        let sign = e.ashr(s, 63);
        let high = e.and(high, sign);
        e.or(s, high)
    } else {
        e.trunc(s, to)
    }
}

/// 2^n as a float constant; exact in both types for the n used here.
fn power(e: &mut FunctionBuilder<'_>, ty: Type, n: u32, sign: f64) -> Reg {
    e.constant(ty, sign * (n as f64).exp2())
}

/// Selects `value` instead of `r` where `x cc bound`.
fn clamp(e: &mut FunctionBuilder<'_>, d: &InstData, cc: FloatCC, bound: Reg, value: u64, r: Reg) -> Reg {
    let c = e.compare(cc, first(d), bound);
    let value = e.constant(d.to_type(), Value::Bits(value));
    e.select(c, value, r)
}

/// Returns the plain conversion, with the results beyond both ends and for NaN replaced.
pub(super) fn fptosi_sat(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let (x, to) = (first(d), d.to_type());
    let r = e.fptosi(x, to);
    let w = to.as_word();
    let max = w.signed_max() as u64;
    let high = power(e, d.ty, to.bits() - 1, 1.0);
    let low = power(e, d.ty, to.bits() - 1, -1.0);
    let r = clamp(e, d, FloatCC::Oge, high, max, r);
    let r = clamp(e, d, FloatCC::Ole, low, max + 1, r);
    clamp(e, d, FloatCC::Uno, x, 0, r)
}

/// Returns the plain conversion, with the results from 2^width on, below 0, and for NaN replaced.
pub(super) fn fptoui_sat(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let (x, to) = (first(d), d.to_type());
    let r = e.fptoui(x, to);
    let high = power(e, d.ty, to.bits(), 1.0);
    let zero = e.constant(d.ty, 0.0);
    let r = clamp(e, d, FloatCC::Oge, high, to.as_word().mask(), r);
    clamp(e, d, FloatCC::Ult, zero, 0, r)
}
