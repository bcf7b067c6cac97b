//! Float operations that baseline x86-64 lacks, by others. Each function states the identity it uses.

use super::expander::Expander;
use super::integer::first;
use lir_syntax::ir::{FloatCC, InstData, Opcode, Reg, Type};

/// A float `select` picks between the bits: x86 has conditional moves for integers only.
pub fn select(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.ty.is_int() {
        return false;
    }
    let ity = d.ty.bits_type();
    let (a, b) = e.f.operands_bc(e.at);
    let (a, b) = (e.as_reg(d.ty, a), e.as_reg(d.ty, b));
    let a = e.convert(Opcode::Bitcast, d.ty, a, ity);
    let b = e.convert(Opcode::Bitcast, d.ty, b, ity);
    let r = e.select(ity, first(&d), a, b);
    let r = e.convert(Opcode::Bitcast, ity, r, d.ty);
    e.finish(r)
}

/// The ordered comparison picks one; equal operands (zeros of both signs among them) are combined bit by bit, so that
/// the minimum keeps a sign bit of either and the maximum only one of both; a NaN wins through an addition, which
/// quiets it.
pub fn min_max(e: &mut Expander<'_>, d: InstData) -> bool {
    let (ty, ity) = (d.ty, d.ty.bits_type());
    let min = d.op == Opcode::Fmin;
    let (a, b) = (first(&d), e.as_reg(d.ty, d.b));
    let c = e.fcmp(if min { FloatCC::Olt } else { FloatCC::Ogt }, ty, a, b);
    let pick = e.select(ty, c, a, b);
    let abits = e.convert(Opcode::Bitcast, ty, a, ity);
    let bbits = e.convert(Opcode::Bitcast, ty, b, ity);
    let both = e.binary(if min { Opcode::Or } else { Opcode::And }, ity, abits, bbits);
    let both = e.convert(Opcode::Bitcast, ity, both, ty);
    let equal = e.fcmp(FloatCC::Oeq, ty, a, b);
    let pick = e.select(ty, equal, both, pick);
    let nan = e.binary(Opcode::Fadd, ty, a, b);
    let unordered = e.fcmp(FloatCC::Uno, ty, a, b);
    let r = e.select(ty, unordered, nan, pick);
    e.finish(r)
}

/// Rounding to an integer by the addition of 2^52 (2^23), which leaves no bit for a fraction; then corrected by one
/// where that went to the wrong side, and given the sign of the operand, so that -0 comes out right. Operands that
/// large, infinities and NaNs are integers already: they are only quieted. Source: the addition is how C libraries write
/// `rint` for machines without the instruction (e.g. `toint` in musl's `rint.c`).
pub fn round(e: &mut Expander<'_>, d: InstData) -> bool {
    let (ty, x) = (d.ty, first(&d));
    let integral = e.float(ty, if ty == Type::F32 { 8_388_608.0 } else { 4_503_599_627_370_496.0 });
    let magnitude = e.unary(Opcode::Fabs, ty, x);
    let sum = e.binary(Opcode::Fadd, ty, magnitude, integral);
    let near = e.binary(Opcode::Fsub, ty, sum, integral);
    let rounded = match d.op {
        Opcode::Ftrunc => step_back(e, ty, FloatCC::Ogt, near, magnitude, 1.0),
        Opcode::Fnearest => near,
        op => {
            let near = e.binary(Opcode::Fcopysign, ty, near, x);
            let (wrong, step) = if op == Opcode::Ffloor { (FloatCC::Ogt, 1.0) } else { (FloatCC::Olt, -1.0) };
            step_back(e, ty, wrong, near, x, step)
        }
    };
    let rounded = e.binary(Opcode::Fcopysign, ty, rounded, x);
    let one = e.float(ty, 1.0);
    let quiet = e.binary(Opcode::Fmul, ty, x, one);
    let small = e.fcmp(FloatCC::Olt, ty, magnitude, integral);
    let r = e.select(ty, small, rounded, quiet);
    e.finish(r)
}

/// `near wrong x ? near - step : near`.
fn step_back(e: &mut Expander<'_>, ty: Type, wrong: FloatCC, near: Reg, x: Reg, step: f64) -> Reg {
    let step = e.float(ty, step);
    let less = e.binary(Opcode::Fsub, ty, near, step);
    let c = e.fcmp(wrong, ty, near, x);
    e.select(ty, c, less, near)
}
