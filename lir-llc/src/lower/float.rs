//! Expands float operations that baseline x86-64 lacks into others. Each function states the identity it uses.

use super::first;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{FloatCC, InstData, Opcode, Reg, Type};

/// Rounds to an integer by the addition of 2^52 (2^23) and its subtraction. The summand has the sign of the operand,
/// and the sum no bit for a fraction. The result is corrected by one if it is on the wrong side, and given the sign of
/// the operand, so that -0 is correct. Operands that large, infinities and NaNs are integers already: 0 is added
/// instead, which only quiets. Source: the addition is how C libraries write `rint` for machines without the
/// instruction (e.g. `toint` in musl's `rint.c`).
pub(super) fn round(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let (ty, x) = (d.ty, first(d));
    let integral = e.constant(ty, if ty == Type::F32 { 8_388_608.0 } else { 4_503_599_627_370_496.0 });
    let zero = e.constant(ty, 0.0);
    let magnitude = e.fabs(x);
    let small = e.compare(FloatCC::Olt, magnitude, integral);
    // `ftrunc` rounds the magnitude.
    let (from, large) = if d.op == Opcode::Ftrunc { (magnitude, integral) } else { (x, e.fcopysign(integral, x)) };
    let large = e.select(small, large, zero);
    let sum = e.fadd(from, large);
    let near = e.fsub(sum, large);
    let rounded = match d.op {
        Opcode::Fnearest => near,
        Opcode::Fceil => step_back(e, ty, FloatCC::Olt, near, from, -1.0),
        _ => step_back(e, ty, FloatCC::Ogt, near, from, 1.0),
    };
    e.fcopysign(rounded, x)
}

/// `near wrong x ? near - step : near`.
fn step_back(e: &mut FunctionBuilder<'_>, ty: Type, wrong: FloatCC, near: Reg, x: Reg, step: f64) -> Reg {
    let (step, zero) = (e.constant(ty, step), e.constant(ty, 0.0));
    let c = e.compare(wrong, near, x);
    let step = e.select(c, step, zero);
    e.fsub(near, step)
}
