//! Operations on equal values (step 3, with the option `fold`): `sub` and `xor` give 0, `and` and `or` the operand
//! itself, a comparison of integers the result of its predicate for equal ones, and a choice between equal values
//! either of them.
//!
//! `simplify` knows all this of a register twice in one instruction. Here it is used of two registers that the pass
//! finds out to be equal, which no pass would look at again after the last `simplify`. It is an option, since value
//! numbering by itself only replaces a computation by an earlier one.

use super::GlobalNumberer;
use crate::integers::outcomes::{EQUAL, outcomes};
use crate::passes::value_numbering::events::Event;
use crate::passes::value_numbering::key::ValueKey;
use lir_syntax::ir::{Block, Format, Function, Inst, Opcode, Operand, Reg, Type};

impl GlobalNumberer<'_> {
    /// Returns the value of an instruction with this key, if it follows from equal operands.
    #[inline]
    pub(super) fn of_equal_operands(&self, f: &mut Function, i: Inst, key: &ValueKey) -> Option<Operand> {
        let [x, y, z] = key.operands;
        if !self.fold || x != y && y != z {
            return None;
        }
        let d = *f.inst(i);
        if d.op.format() == Format::Select && y == z {
            return Some(f.operands_bc(i).0);
        }
        if x != y {
            return None;
        }
        if d.op.format() == Format::Compare && d.ty.is_int() {
            let truth = outcomes(d.predicate()) & EQUAL != 0;
            return Some(f.make_typed_const(Type::I8, u64::from(truth)));
        }
        // `x - 1` has the key of the sum `x + -1`, whose operands are equal if x is -1.
        let is_sum = d.op == Opcode::Sub && key.head.to_le_bytes()[0] != Opcode::Sub as u8;
        if matches!(d.op, Opcode::Sub | Opcode::Xor) && !is_sum {
            return Some(f.make_typed_const(d.ty, 0));
        }
        matches!(d.op, Opcode::And | Opcode::Or).then(|| d.first())
    }
    /// Replaces an instruction by a constant or by one of its operands.
    pub(super) fn become_operand(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg, by: Operand) {
        self.explainer.remarks.done(f, i, Event::EqualOperands((f.type_of(r), by)));
        self.replace(f, b, i, r, by);
    }
}
