//! The computation of an instruction, as a key for value numbering by hash: equal keys, equal values.
//!
//! A key is built over the *numbers* of the operands, which the pass that numbers supplies: registers with the same
//! number hold the same value. A number is the bits of an [`Operand`]: a register, whose index is the number, or a
//! constant, which is its own number.

use crate::analysis::effects::is_trapping_arithmetic;
use lir_syntax::ir::{Block, Effects, Format, Function, Inst, InstData, Mem, Opcode, Operand, Reg, Type};

/// The computation of an instruction. Compared in full; the hash only finds it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ValueKey {
    /// Opcode, type, predicate or target type, scale, a byte each from the lowest: see [`head`]. For calls the third
    /// byte marks the key of an argument list, for loads it may be [`SEVERAL_PARTS`].
    pub head: u32,
    /// Numbers of the operands; of `lea` the base, the index and the displacement.
    pub operands: [u32; 3],
}

/// An operand that is not there.
pub(crate) const NO_OPERAND: u32 = Operand::NONE.to_bits();

/// The third byte in the head of a load whose third operand is a list: of the versions of several parts of memory.
pub(crate) const SEVERAL_PARTS: u8 = 2;

/// Returns the first word of a key.
#[inline]
pub(crate) fn head(op: Opcode, ty: Type, aux: u8, scale: u8) -> u32 {
    u32::from_le_bytes([op as u8, ty as u8, aux, scale])
}

impl ValueKey {
    /// Returns the key of an instruction that takes part: its result depends on its operands alone, or it traps instead
    /// (an equal one that was executed before did not trap). The numbers of a commutative operation are in ascending
    /// order; the numbers of a comparison too, with the predicate swapped (`slt` to `sgt`, never inverted to `sge`).
    /// Constants are above all registers and so are on the right; one that is subtracted is added with the other sign.
    /// None for loads, calls, phis, terminators and everything else with effects.
    #[inline]
    pub fn of(f: &Function, i: Inst, mut number: impl FnMut(Reg) -> u32) -> Option<ValueKey> {
        let d = f.inst(i);
        let effects = d.op.effects();
        if !effects.is_pure() && !is_trapping_arithmetic(effects) {
            return None;
        }
        let mut operand = |o: Operand| o.as_reg().map_or(o.to_bits(), &mut number);
        let (mut aux, mut scale) = (d.aux(), 0);
        let operands = match d.op.format() {
            Format::Const => [d.first().to_bits(), NO_OPERAND, NO_OPERAND],
            Format::Unary | Format::Convert => [operand(d.first()), NO_OPERAND, NO_OPERAND],
            Format::Binary => {
                let (x, y) = (operand(d.first()), operand(d.second()));
                if let Some(added) = added(f, d, y) {
                    let operands = [x.min(added), x.max(added), NO_OPERAND];
                    return Some(ValueKey { head: head(Opcode::Add, d.ty, 0, 0), operands });
                }
                if effects.has(Effects::COMMUTATIVE) { [x.min(y), x.max(y), NO_OPERAND] } else { [x, y, NO_OPERAND] }
            }
            Format::Compare => {
                let (x, y) = (operand(d.first()), operand(d.second()));
                if x > y {
                    aux = swapped_predicate(d);
                }
                [x.min(y), x.max(y), NO_OPERAND]
            }
            Format::Ternary | Format::Select => {
                let (second, third) = f.operands_bc(i);
                [operand(d.first()), operand(second), operand(third)]
            }
            Format::Address => {
                let Mem { base, index, scale: s, disp } = f.mem(i);
                scale = s;
                let base = operand(base.to_operand());
                [base, index.map_or(NO_OPERAND, |r| operand(Operand::reg(r))), disp as u32]
            }
            _ => return None,
        };
        Some(ValueKey { head: head(d.op, d.ty, aux, scale), operands })
    }
    /// The same, except that a constant replaces another of its own block alone.
    #[inline]
    pub(super) fn in_block(f: &Function, i: Inst, b: Block, number: impl FnMut(Reg) -> u32) -> Option<ValueKey> {
        let mut key = ValueKey::of(f, i, number)?;
        if f.inst(i).op.format() == Format::Const {
            key.operands[1] = b.as_u32();
        }
        Some(key)
    }
    /// Returns the key of a `const` of this type.
    pub(crate) fn of_const(ty: Type, constant: Operand) -> ValueKey {
        ValueKey { head: head(Opcode::Const, ty, 0, 0), operands: [constant.to_bits(), NO_OPERAND, NO_OPERAND] }
    }
    /// Returns a hash whose upper and lower bits both depend on all of the key.
    #[inline]
    pub fn hash(&self) -> u64 {
        // Multiply and fold, twice: all sixteen bytes reach the upper bits, which hashbrown uses, and the lower ones.
        let [a, b, c] = self.operands.map(u64::from);
        fold(fold(u64::from(self.head) << 32 | a) ^ (b << 32 | c))
    }
    /// Another key with the same hash, for tests: the second fold has the same input.
    #[cfg(test)]
    pub(crate) fn of_same_hash(&self, head: u32, first: u32) -> ValueKey {
        let half = |k: &ValueKey| fold(u64::from(k.head) << 32 | u64::from(k.operands[0]));
        let [_, b, c] = self.operands.map(u64::from);
        let other = ValueKey { head, operands: [first, 0, 0] };
        let rest = half(self) ^ half(&other) ^ (b << 32 | c);
        ValueKey { operands: [first, (rest >> 32) as u32, rest as u32], ..other }
    }
}

/// Returns the number of the constant that a difference adds: -5 for `sub a, 5`. The least integer of a type is its own
/// negative. None for a large number that the function does not contain: no `add` can have it.
#[inline]
fn added(f: &Function, d: &InstData, second: u32) -> Option<u32> {
    if d.op != Opcode::Sub {
        return None;
    }
    let k = f.constant(Operand::from_bits(second))?;
    let negated = d.ty.constant_payload((k as u64).wrapping_neg());
    if negated == k { Some(second) } else { f.find_const(negated).map(Operand::to_bits) }
}

/// Both halves of a product with an odd number, folded onto each other.
#[inline]
fn fold(x: u64) -> u64 {
    const M: u64 = 0x9E37_79B9_7F4A_7C15;
    let p = u128::from(x) * u128::from(M);
    p as u64 ^ (p >> 64) as u64
}

/// Returns the equivalent predicate for a comparison with exchanged operands.
pub(crate) fn swapped_predicate(d: &InstData) -> u8 {
    d.predicate().swapped().to_u8()
}
