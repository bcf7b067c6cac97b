//! Operations on i128: by the integers of Rust, and so apart from their expansion into pairs of i64.

use super::Trap;
use super::compare::in_order;
use crate::{IntCC, Opcode};

/// Returns the result of an operation of format Unary, Binary or Compare on i128. `predicate` is for a comparison, and
/// `b` for two operands.
///
/// # Errors
/// The trap of one of the four divisions.
///
/// # Panics
/// For opcodes that have no form for i128.
pub fn eval(op: Opcode, predicate: IntCC, a: u128, b: u128) -> Result<u128, Trap> {
    let amount = b as u32;
    Ok(match op {
        Opcode::Copy => a,
        Opcode::Add => a.wrapping_add(b),
        Opcode::Sub => a.wrapping_sub(b),
        Opcode::Mul => a.wrapping_mul(b),
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::Shl => a.wrapping_shl(amount),
        Opcode::Lshr => a.wrapping_shr(amount),
        Opcode::Ashr => (a as i128).wrapping_shr(amount) as u128,
        Opcode::Neg => a.wrapping_neg(),
        Opcode::Not => !a,
        Opcode::Icmp => in_order(predicate, (a, b), (a as i128, b as i128)).into(),
        Opcode::Udiv | Opcode::Urem | Opcode::Sdiv | Opcode::Srem if b == 0 => return Err(Trap::DivByZero),
        Opcode::Udiv => a / b,
        Opcode::Urem => a % b,
        Opcode::Sdiv => (a as i128).checked_div(b as i128).ok_or(Trap::IntOverflow)? as u128,
        // The remainder by -1 is 0, of the least number too.
        Opcode::Srem => (a as i128).wrapping_rem(b as i128) as u128,
        _ => panic!("`{}` has no form for i128", op.mnemonic()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_trap_and_amounts_are_modulo_the_width() {
        let of = |op, a: i128, b: i128| eval(op, IntCC::Eq, a as u128, b as u128).map(|r| r as i128);
        assert_eq!(of(Opcode::Sdiv, i128::MIN, -1), Err(Trap::IntOverflow));
        assert_eq!(of(Opcode::Srem, i128::MIN, -1), Ok(0));
        for op in [Opcode::Sdiv, Opcode::Srem, Opcode::Udiv, Opcode::Urem] {
            assert_eq!(of(op, 1, 0), Err(Trap::DivByZero));
        }
        assert_eq!(of(Opcode::Sdiv, -7, 2), Ok(-3));
        assert_eq!(of(Opcode::Shl, 1, 128 + 127), Ok(i128::MIN));
        assert_eq!(of(Opcode::Ashr, i128::MIN, 127), Ok(-1));
        assert_eq!(of(Opcode::Lshr, -1, 1 << 32), Ok(-1));
    }
}
