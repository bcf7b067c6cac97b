//! Integer operations that x86-64 lacks, by others. Each function states the identity it uses.

use super::expander::Expander;
use lir_syntax::ir::{InstData, IntCC, Opcode, Reg, Type};

/// The first operand, which is always a register.
pub fn first(d: &InstData) -> Reg {
    d.first().as_reg().expect("the first operand is a register")
}

/// `min(a, b) = a < b ? a : b`, and so on.
pub fn min_max(e: &mut Expander<'_>, d: InstData) -> bool {
    let cc = match d.op {
        Opcode::Smin => IntCC::Slt,
        Opcode::Smax => IntCC::Sgt,
        Opcode::Umin => IntCC::Ult,
        _ => IntCC::Ugt,
    };
    let a = first(&d);
    let c = e.icmp(cc, d.ty, a, d.second());
    let b = e.as_reg(d.ty, d.second());
    let r = e.select(d.ty, c, a, b);
    e.finish(r)
}

/// The type that holds every product of two values of `ty`, for types below i64.
fn double_width(ty: Type) -> Type {
    if ty == Type::I32 { Type::I64 } else { Type::I32 }
}

fn extend(e: &mut Expander<'_>, d: &InstData, signed: bool, wide: Type) -> (Reg, Reg) {
    let op = if signed { Opcode::Sext } else { Opcode::Zext };
    let b = e.as_reg(d.ty, d.second());
    (e.convert(op, d.ty, first(d), wide), e.convert(op, d.ty, b, wide))
}

/// Below i32: the product in twice the width, shifted down. From i32 on there is an instruction.
pub fn high_product(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.ty.bits() >= 32 {
        return false;
    }
    let wide = double_width(d.ty);
    let (a, b) = extend(e, &d, d.op == Opcode::Smulh, wide);
    let product = e.binary(Opcode::Mul, wide, a, b);
    let high = e.binary(Opcode::Lshr, wide, product, d.ty.bits() as i64);
    let r = e.convert(Opcode::Trunc, wide, high, d.ty);
    e.finish(r)
}

/// Below i64: the operation in a wider type, and whether the result changes when it is cut and extended again. At i64:
/// sums and differences by signs and carries, products by their high half.
pub fn overflow(e: &mut Expander<'_>, d: InstData) -> bool {
    let (op, signed) = match d.op {
        Opcode::SaddO => (Opcode::Add, true),
        Opcode::UaddO => (Opcode::Add, false),
        Opcode::SsubO => (Opcode::Sub, true),
        Opcode::UsubO => (Opcode::Sub, false),
        Opcode::SmulO => (Opcode::Mul, true),
        _ => (Opcode::Mul, false),
    };
    let r = if d.ty == Type::I64 {
        overflow_64(e, &d, op, signed)
    } else {
        let wide = double_width(d.ty);
        let (a, b) = extend(e, &d, signed, wide);
        let exact = e.binary(op, wide, a, b);
        let cut = e.convert(Opcode::Trunc, wide, exact, d.ty);
        let again = e.convert(if signed { Opcode::Sext } else { Opcode::Zext }, d.ty, cut, wide);
        e.icmp(IntCC::Ne, wide, again, exact)
    };
    e.finish(r)
}

fn overflow_64(e: &mut Expander<'_>, d: &InstData, op: Opcode, signed: bool) -> Reg {
    let (ty, a) = (Type::I64, first(d));
    match (op, signed) {
        // The carry out: the sum is below an addend. The borrow: a below b.
        (Opcode::Add, false) => {
            let sum = e.binary(Opcode::Add, ty, a, d.second());
            e.icmp(IntCC::Ult, ty, sum, a)
        }
        (Opcode::Sub, false) => e.icmp(IntCC::Ult, ty, a, d.second()),
        // The sum differs in sign from both addends; the difference from a, and b too.
        (Opcode::Add | Opcode::Sub, true) => {
            let b = e.as_reg(ty, d.second());
            let r = e.binary(op, ty, a, b);
            let x = e.binary(Opcode::Xor, ty, a, r);
            let y = if op == Opcode::Add { r } else { a };
            let y = e.binary(Opcode::Xor, ty, b, y);
            let both = e.binary(Opcode::And, ty, x, y);
            e.icmp(IntCC::Slt, ty, both, 0)
        }
        // The high half is not what the low half extends to.
        (_, true) => {
            let b = e.as_reg(ty, d.second());
            let high = e.binary(Opcode::Smulh, ty, a, b);
            let low = e.binary(Opcode::Mul, ty, a, b);
            let sign = e.binary(Opcode::Ashr, ty, low, 63);
            e.icmp(IntCC::Ne, ty, high, sign)
        }
        (_, false) => {
            let b = e.as_reg(ty, d.second());
            let high = e.binary(Opcode::Umulh, ty, a, b);
            e.icmp(IntCC::Ne, ty, high, 0)
        }
    }
}

/// Below i32: in 32 bits. Leading zeros: zero-extended, less the bits above. Trailing zeros: with a one just above, so
/// that zero gives the width. From i32 on there are instructions.
pub fn count_zeros(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.ty.bits() >= 32 {
        return false;
    }
    let bits = d.ty.bits() as i64;
    let x = e.convert(Opcode::Zext, d.ty, first(&d), Type::I32);
    let wide = if d.op == Opcode::Clz {
        let n = e.unary(Opcode::Clz, Type::I32, x);
        e.binary(Opcode::Sub, Type::I32, n, 32 - bits)
    } else {
        let x = e.binary(Opcode::Or, Type::I32, x, 1 << bits);
        e.unary(Opcode::Ctz, Type::I32, x)
    };
    let r = e.convert(Opcode::Trunc, Type::I32, wide, d.ty);
    e.finish(r)
}

/// Counts ones by the instruction for that, which exists from i32 on. Narrower ones are zero-extended to 32 bits.
pub fn count_ones(e: &mut Expander<'_>, d: InstData) -> bool {
    if d.ty.bits() >= 32 {
        return false;
    }
    let x = e.convert(Opcode::Zext, d.ty, first(&d), Type::I32);
    let n = e.unary(Opcode::Popcnt, Type::I32, x);
    let r = e.convert(Opcode::Trunc, Type::I32, n, d.ty);
    e.finish(r)
}

/// Sums of neighbouring fields of 1, 2 and 4 bits, then all bytes at once by a multiplication. Source: H. S. Warren,
/// "Hacker's Delight", 2nd edition, 2012, section 5-1.
pub fn popcnt(e: &mut Expander<'_>, d: InstData) -> bool {
    let ty = if d.ty.bits() < 32 { Type::I32 } else { d.ty };
    let repeat = |byte: u64| (u64::MAX / 255).wrapping_mul(byte) as i64;
    let x = e.convert(Opcode::Zext, d.ty, first(&d), ty);
    let half = e.binary(Opcode::Lshr, ty, x, 1);
    let half = e.binary(Opcode::And, ty, half, repeat(0x55));
    let x = e.binary(Opcode::Sub, ty, x, half);
    let low = e.binary(Opcode::And, ty, x, repeat(0x33));
    let high = e.binary(Opcode::Lshr, ty, x, 2);
    let high = e.binary(Opcode::And, ty, high, repeat(0x33));
    let x = e.binary(Opcode::Add, ty, low, high);
    let high = e.binary(Opcode::Lshr, ty, x, 4);
    let x = e.binary(Opcode::Add, ty, x, high);
    let x = e.binary(Opcode::And, ty, x, repeat(0x0f));
    let x = e.binary(Opcode::Mul, ty, x, repeat(0x01));
    let n = e.binary(Opcode::Lshr, ty, x, ty.bits() as i64 - 8);
    let r = e.convert(Opcode::Trunc, ty, n, d.ty);
    e.finish(r)
}
