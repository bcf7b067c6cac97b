//! Arithmetic on two halves, the low one first.

use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{IntCC, Opcode, Operand, Reg, Type};

/// The type of a half.
pub(super) const HALF: Type = Type::I64;
/// The bits of a half, and the mask of a shift by less.
const BITS: u32 = 64;
const LAST: i64 = 63;

/// Computes an operation with one operand.
pub(super) fn unary(b: &mut FunctionBuilder<'_>, op: Opcode, [low, high]: [Reg; 2]) -> [Operand; 2] {
    match op {
        Opcode::Copy => [low, high],
        Opcode::Not => [b.not(low), b.not(high)],
        Opcode::Neg => {
            // The low half of -x carries into the high half of !x + 1 where it is 0.
            let carries = b.compare(IntCC::Eq, low, 0);
            let (carry, inverted) = (b.zext(carries, HALF), b.not(high));
            [b.neg(low), b.add(inverted, carry)]
        }
        _ => unreachable!("`{}` has no form for i128", op.mnemonic()),
    }
    .map(Operand::reg)
}

/// Computes an operation with two operands, no shift and no division.
pub(super) fn binary(b: &mut FunctionBuilder<'_>, op: Opcode, x: [Reg; 2], y: [Operand; 2]) -> [Operand; 2] {
    match op {
        Opcode::And | Opcode::Or | Opcode::Xor => [0, 1].map(|k| b.binary(op, HALF, x[k], y[k])),
        Opcode::Add => {
            let low = b.add(x[0], y[0]);
            let carries = b.compare(IntCC::Ult, low, x[0]);
            let (carry, high) = (b.zext(carries, HALF), b.add(x[1], y[1]));
            [low, b.add(high, carry)]
        }
        Opcode::Sub => {
            let low = b.sub(x[0], y[0]);
            let borrows = b.compare(IntCC::Ult, x[0], y[0]);
            let (borrow, high) = (b.zext(borrows, HALF), b.sub(x[1], y[1]));
            [low, b.sub(high, borrow)]
        }
        Opcode::Mul => {
            // The product of the high halves is above the result.
            let (low, carried) = (b.mul(x[0], y[0]), b.umulh(x[0], y[0]));
            let (first, second) = (b.mul(x[0], y[1]), b.mul(x[1], y[0]));
            let crossed = b.add(first, second);
            [low, b.add(carried, crossed)]
        }
        _ => unreachable!("`{}` has no form for i128", op.mnemonic()),
    }
    .map(Operand::reg)
}

/// Shifts by the low half of an amount, modulo 128; or by the amount itself if it is a constant.
pub(super) fn shift(
    b: &mut FunctionBuilder<'_>,
    op: Opcode,
    x: [Reg; 2],
    amount: Operand,
    constant: Option<i128>,
) -> [Operand; 2] {
    // A shift to the right is one to the left with exchanged halves, but for the direction of bits.
    let is_left = op == Opcode::Shl;
    let [near, far] = if is_left { x } else { [x[1], x[0]] };
    let [near, far] = match (constant, amount.as_reg()) {
        (Some(n), _) => by_constant(b, op, [near, far], (n & 127) as u32),
        (None, Some(amount)) => by_register(b, op, [near, far], amount),
        (None, None) => unreachable!("an amount is a register or a constant"),
    };
    if is_left { [near, far] } else { [far, near] }
}

/// Returns the direction of the bits that cross from half to half, and the opposite one.
fn directions(op: Opcode) -> (Opcode, Opcode) {
    if op == Opcode::Shl { (Opcode::Shl, Opcode::Lshr) } else { (Opcode::Lshr, Opcode::Shl) }
}

/// Returns the half that is shifted in: zeros, or copies of the sign.
fn shifted_in(b: &mut FunctionBuilder<'_>, op: Opcode, near: Reg) -> Operand {
    if op == Opcode::Ashr { Operand::reg(b.ashr(near, LAST)) } else { b.operand(HALF, 0) }
}

/// Shifts from `near` to `far` by a constant from 0 to 127.
fn by_constant(b: &mut FunctionBuilder<'_>, op: Opcode, [near, far]: [Reg; 2], n: u32) -> [Operand; 2] {
    let (toward, back) = directions(op);
    match n {
        0 => [near, far].map(Operand::reg),
        BITS.. => {
            let moved = if n == BITS { near } else { b.binary(op, HALF, near, i64::from(n - BITS)) };
            [shifted_in(b, op, near), Operand::reg(moved)]
        }
        _ => {
            let crossing = b.binary(back, HALF, near, i64::from(BITS - n));
            let kept = b.binary(toward, HALF, far, i64::from(n));
            [b.binary(op, HALF, near, i64::from(n)), b.or(kept, crossing)].map(Operand::reg)
        }
    }
}

/// Shifts by a variable amount. A shift of a half is modulo 64, so that `>> 1 >> (63 - n)` has the bits that cross;
/// from 64 on, the far half is the near one, moved.
fn by_register(b: &mut FunctionBuilder<'_>, op: Opcode, [near, far]: [Reg; 2], n: Reg) -> [Operand; 2] {
    let (toward, back) = directions(op);
    let moved = b.binary(op, HALF, near, n);
    let rest = b.xor(n, LAST);
    let once = b.binary(back, HALF, near, 1);
    let crossing = b.binary(back, HALF, once, rest);
    let kept = b.binary(toward, HALF, far, n);
    let joined = b.or(kept, crossing);
    let outside = shifted_in(b, op, near);
    let outside = outside.as_reg().unwrap_or_else(|| b.constant(HALF, outside));
    let is_far = b.and(n, i64::from(BITS));
    [b.select(is_far, outside, moved), b.select(is_far, moved, joined)].map(Operand::reg)
}

/// Compares: 1 where the predicate holds, else 0. The high halves decide unless they are equal.
pub(super) fn comparison(b: &mut FunctionBuilder<'_>, predicate: IntCC, x: [Reg; 2], y: [Operand; 2]) -> Reg {
    if matches!(predicate, IntCC::Eq | IntCC::Ne) {
        let [low, high] = [0, 1].map(|k| b.xor(x[k], y[k]));
        let differences = b.or(low, high);
        return b.compare(predicate, differences, 0);
    }
    // No low half is below 0: the sign of a number is the sign of its high half.
    let is_zero = b.func.constant(y[0]) == Some(0);
    if is_zero && matches!(predicate, IntCC::Slt | IntCC::Sge | IntCC::Ult | IntCC::Uge) {
        return b.compare(predicate, x[1], y[1]);
    }
    let of_low = b.compare(predicate.unsigned(), x[0], y[0]);
    let of_high = b.compare(predicate, x[1], y[1]);
    let are_equal = b.compare(IntCC::Eq, x[1], y[1]);
    debug_assert!(b.func.type_of(of_low) == Type::I8);
    b.select(are_equal, of_low, of_high)
}
