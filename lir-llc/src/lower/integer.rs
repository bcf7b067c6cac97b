//! Expands integer operations that x86-64 lacks into others. Each function states the identity it uses.

use super::{first, second};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{InstData, IntCC, Opcode, Reg, Type};

/// `min(a, b) = a < b ? a : b`, and so on.
pub(super) fn min_max(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let cc = match d.op {
        Opcode::Smin => IntCC::Slt,
        Opcode::Smax => IntCC::Sgt,
        Opcode::Umin => IntCC::Ult,
        _ => IntCC::Ugt,
    };
    let a = first(d);
    let c = e.compare(cc, a, d.second());
    let b = second(e, d);
    e.select(c, a, b)
}

/// Returns the type that holds every product of two values of `ty`, for types below i64.
fn double_width(ty: Type) -> Type {
    if ty == Type::I32 { Type::I64 } else { Type::I32 }
}

fn extend(e: &mut FunctionBuilder<'_>, d: &InstData, signed: bool, wide: Type) -> (Reg, Reg) {
    let op = if signed { Opcode::Sext } else { Opcode::Zext };
    let b = second(e, d);
    (e.convert(op, d.ty, first(d), wide), e.convert(op, d.ty, b, wide))
}

/// Below i32: the product in twice the width, shifted down. From i32 on there is an instruction.
pub(super) fn high_product(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let wide = double_width(d.ty);
    let (a, b) = extend(e, d, d.op == Opcode::Smulh, wide);
    let product = e.mul(a, b);
    let high = e.lshr(product, d.ty.bits() as i64);
    e.trunc(high, d.ty)
}

/// Expands an operation with overflow by the operation in a wider type. It overflows if the result changes when it is
/// cut and extended again. Unsigned products at i64 use their high half. The other cases have an instruction.
pub(super) fn overflow(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    if d.ty == Type::I64 {
        let b = second(e, d);
        let high = e.umulh(first(d), b);
        return e.compare(IntCC::Ne, high, 0);
    }
    let (op, signed) = match d.op {
        Opcode::SaddO => (Opcode::Add, true),
        Opcode::UaddO => (Opcode::Add, false),
        Opcode::SsubO => (Opcode::Sub, true),
        Opcode::UsubO => (Opcode::Sub, false),
        Opcode::SmulO => (Opcode::Mul, true),
        _ => (Opcode::Mul, false),
    };
    let wide = double_width(d.ty);
    let (a, b) = extend(e, d, signed, wide);
    let exact = e.binary(op, wide, a, b);
    let cut = e.trunc(exact, d.ty);
    let again = e.convert(if signed { Opcode::Sext } else { Opcode::Zext }, d.ty, cut, wide);
    e.compare(IntCC::Ne, again, exact)
}

/// Below i32: in 32 bits. Leading zeros: zero-extended, less the bits above. Trailing zeros: with a one just above, so
/// that zero gives the width. From i32 on there are instructions.
pub(super) fn count_zeros(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let bits = d.ty.bits() as i64;
    let x = e.zext(first(d), Type::I32);
    let wide = if d.op == Opcode::Clz {
        let n = e.clz(x);
        e.sub(n, 32 - bits)
    } else {
        let x = e.or(x, 1 << bits);
        e.ctz(x)
    };
    e.trunc(wide, d.ty)
}

/// Counts ones by the instruction for that, which exists from i32 on. Narrower values are zero-extended to 32 bits.
pub(super) fn count_ones(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let x = e.zext(first(d), Type::I32);
    let n = e.popcnt(x);
    e.trunc(n, d.ty)
}

/// Sums up neighbouring fields of 1, 2 and 4 bits. All bytes are then summed up at once by a multiplication. Source: H.
/// S. Warren, "Hacker's Delight", 2nd edition, 2012, section 5-1.
pub(super) fn popcnt(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    let ty = if d.ty.bits() < 32 { Type::I32 } else { d.ty };
    let repeat = |byte: u64| (u64::MAX / 255).wrapping_mul(byte) as i64;
    let x = if ty == d.ty { first(d) } else { e.zext(first(d), ty) };
    let half = e.lshr(x, 1);
    let half = e.and(half, repeat(0x55));
    let x = e.sub(x, half);
    let low = e.and(x, repeat(0x33));
    let high = e.lshr(x, 2);
    let high = e.and(high, repeat(0x33));
    let x = e.add(low, high);
    let high = e.lshr(x, 4);
    let x = e.add(x, high);
    let x = e.and(x, repeat(0x0f));
    let x = e.mul(x, repeat(0x01));
    let n = e.lshr(x, ty.bits() as i64 - 8);
    if ty == d.ty { n } else { e.trunc(n, d.ty) }
}
