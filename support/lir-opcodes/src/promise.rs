//! Promises about the operands of an instruction: the words `nsw`, `nuw`, `exact`, `nneg`, `disjoint`.
//!
//! The names are LLVM's. In LLVM a broken promise makes the result poison. LIR has no poison: if a promise is broken
//! when the instruction is executed, the program is in error. The interpreter reports it, and compiled code may do
//! anything. So a promise has no effect on an instruction that is not executed, and an instruction loses its promises
//! when it is moved to a path that did not execute it.

use crate::{Opcode, Type};

/// A set of promises.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Promises(u8);

impl Promises {
    /// No promise.
    pub const NONE: Promises = Promises(0);
    /// The exact result for signed operands fits the type. For `shl`: shifting the result back, with copies of the sign
    /// bit, gives the first operand.
    pub const NSW: Promises = Promises(1);
    /// The exact result for unsigned operands fits the type. For `shl`: shifting the result back gives the first
    /// operand.
    pub const NUW: Promises = Promises(2);
    /// Nothing is lost: the remainder of a division and the bits that are shifted out are 0.
    pub const EXACT: Promises = Promises(4);
    /// The operand is not negative.
    pub const NNEG: Promises = Promises(8);
    /// No bit is 1 in both operands.
    pub const DISJOINT: Promises = Promises(16);

    /// All promises with their words, in the order of printing.
    pub const ALL: [(Promises, &'static str); 5] = [
        (Promises::NUW, "nuw"),
        (Promises::NSW, "nsw"),
        (Promises::EXACT, "exact"),
        (Promises::NNEG, "nneg"),
        (Promises::DISJOINT, "disjoint"),
    ];

    /// Returns the promises that an operation may have.
    pub const fn of_opcode(op: Opcode) -> Promises {
        match op {
            Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => Promises::NSW.or(Promises::NUW),
            Opcode::Sdiv | Opcode::Udiv | Opcode::Lshr | Opcode::Ashr => Promises::EXACT,
            Opcode::Zext | Opcode::Uitofp => Promises::NNEG,
            Opcode::Or => Promises::DISJOINT,
            _ => Promises::NONE,
        }
    }
    /// Returns the promise of a word in LIR text.
    pub fn from_name(word: &[u8]) -> Option<Promises> {
        Self::ALL.iter().find(|(_, name)| name.as_bytes() == word).map(|(promise, _)| *promise)
    }
    /// Returns the words of this set, in the order of [`Promises::ALL`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().filter(move |(promise, _)| self.has(*promise)).map(|(_, name)| name)
    }
    /// Returns the set as bits, for [`Promises::from_bits`].
    #[inline]
    pub const fn to_bits(self) -> u8 {
        self.0
    }
    /// Returns the set of bits that [`Promises::to_bits`] returned. Other bits are ignored.
    #[inline]
    pub const fn from_bits(bits: u8) -> Promises {
        Promises(bits & 31)
    }
    /// True if there is no promise.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// True if all promises of `other` are here.
    #[inline]
    pub const fn has(self, other: Promises) -> bool {
        self.0 & other.0 == other.0
    }
    /// Returns the union of both sets.
    #[inline]
    pub const fn or(self, other: Promises) -> Promises {
        Promises(self.0 | other.0)
    }
    /// Returns the intersection of both sets: the promises of an instruction that replaces two.
    #[inline]
    pub const fn and(self, other: Promises) -> Promises {
        Promises(self.0 & other.0)
    }
    /// Returns this set without the promises of the other.
    #[inline]
    pub const fn without(self, other: Promises) -> Promises {
        Promises(self.0 & !other.0)
    }

    /// Returns the promises of this set that an operation on these operands breaks. `ty` is the type of the operands,
    /// which are canonical bits; an operation with one operand ignores `b`.
    pub fn broken(self, op: Opcode, ty: Type, a: u64, b: u64) -> Promises {
        Self::ALL.into_iter().filter(|(p, _)| self.has(*p)).fold(Promises::NONE, |broken, (promise, _)| {
            if is_kept(promise, op, ty, a, b) { broken } else { broken.or(promise) }
        })
    }
}

/// True if operands keep one promise. Operations that cannot have the promise keep it.
fn is_kept(promise: Promises, op: Opcode, ty: Type, a: u64, b: u64) -> bool {
    let w = ty.as_word();
    let signed = promise == Promises::NSW;
    let number = |bits: u64| if signed { i128::from(w.sign_extend(bits)) } else { i128::from(w.truncate(bits)) };
    let fits = |n: i128| number(w.truncate(n as u64)) == n;
    let amount = w.shift_amount(b);
    match (op, promise) {
        (Opcode::Add, Promises::NSW | Promises::NUW) => fits(number(a) + number(b)),
        (Opcode::Sub, Promises::NSW | Promises::NUW) => fits(number(a) - number(b)),
        (Opcode::Mul, Promises::NSW) => fits(number(a) * number(b)),
        // The product of two unsigned numbers of 64 bits may not fit an i128.
        (Opcode::Mul, Promises::NUW) => (w.truncate(a) as u128 * w.truncate(b) as u128) >> w.bits() == 0,
        (Opcode::Shl, Promises::NSW | Promises::NUW) => fits(number(a) << amount),
        (Opcode::Lshr | Opcode::Ashr, Promises::EXACT) => w.truncate(a) & w.low_mask(amount) == 0,
        // A division that traps computes nothing.
        (Opcode::Udiv, Promises::EXACT) => w.truncate(a).checked_rem(w.truncate(b)).is_none_or(|rest| rest == 0),
        (Opcode::Sdiv, Promises::EXACT) => w.sign_extend(a).checked_rem(w.sign_extend(b)).is_none_or(|rest| rest == 0),
        (Opcode::Zext | Opcode::Uitofp, Promises::NNEG) => w.sign_extend(a) >= 0,
        (Opcode::Or, Promises::DISJOINT) => w.truncate(a & b) == 0,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether operands of 8 bits keep a promise, by the definition.
    fn by_definition(op: Opcode, promise: Promises, a: u8, b: u8) -> bool {
        let (s, t) = (a as i8, b as i8);
        match (op, promise) {
            (Opcode::Add, Promises::NSW) => s.checked_add(t).is_some(),
            (Opcode::Add, _) => a.checked_add(b).is_some(),
            (Opcode::Sub, Promises::NSW) => s.checked_sub(t).is_some(),
            (Opcode::Sub, _) => a.checked_sub(b).is_some(),
            (Opcode::Mul, Promises::NSW) => s.checked_mul(t).is_some(),
            (Opcode::Mul, _) => a.checked_mul(b).is_some(),
            (Opcode::Shl, Promises::NSW) => (s << (b & 7)) >> (b & 7) == s,
            (Opcode::Shl, _) => (a << (b & 7)) >> (b & 7) == a,
            (Opcode::Lshr, _) => (a >> (b & 7)) << (b & 7) == a,
            (Opcode::Ashr, _) => (s >> (b & 7)) << (b & 7) == s,
            (Opcode::Udiv, _) => b == 0 || (a / b).wrapping_mul(b) == a,
            (Opcode::Sdiv, _) => b == 0 || (s == i8::MIN && t == -1) || (s / t).wrapping_mul(t) == s,
            (Opcode::Zext | Opcode::Uitofp, _) => s >= 0,
            (Opcode::Or, _) => a ^ b == a | b,
            _ => unreachable!("{op:?} has no promises"),
        }
    }

    #[test]
    fn promises_are_broken_as_defined() {
        for &op in Opcode::ALL {
            for name in Promises::of_opcode(op).names() {
                let promise = Promises::from_name(name.as_bytes()).expect("a name");
                for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
                    let kept = promise.broken(op, Type::I8, a.into(), b.into()).is_empty();
                    assert_eq!(kept, by_definition(op, promise, a, b), "{op:?} {name} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn the_widest_numbers_do_not_overflow() {
        let all = Promises::NSW.or(Promises::NUW);
        assert_eq!(all.broken(Opcode::Mul, Type::I64, u64::MAX, u64::MAX), Promises::NUW);
        assert_eq!(all.broken(Opcode::Shl, Type::I64, u64::MAX, 63), Promises::NUW);
        assert_eq!(Promises::EXACT.broken(Opcode::Sdiv, Type::I64, 1 << 63, u64::MAX), Promises::NONE);
    }
}
