//! Simplifies operations that have one value for all values of a selected operand.
//!
//! # Example
//!
//! ```text
//!   %m = and i64 %x, 7
//!   %s = select i64 %c, %m, %x
//!   %t = icmp ule i64 %s, %x            =>      %t = const i8 1
//! ```
//!
//! # Algorithm
//!
//! An operation that reads a `select` is tried on each arm in its place ([`crate::passes::simplify::hypothetical`]).
//! One value of both arms is the result. So is the value of one arm that is assigned by the operation on the other arm;
//! the `select` itself, where each arm is its own value; and the condition, where a comparison is 1 of the first arm
//! and 0 of the second. If one is a phi and the other a constant, all entries are tried: the result must be a constant
//! there, since other values may be from an earlier iteration of a loop, or not dominate the phi.
//!
//! These are not rules, since the arms may be anything that a rule matches.
//!
//! # Source
//!
//! LLVM's InstSimplify: `threadBinOpOverSelect`, `threadCmpOverSelect`, `threadBinOpOverPHI`, `threadCmpOverPHI`. We
//! look through one `select` or phi, and not at two of them with the same condition.

use super::matcher::result_type;
use super::rewrite::{Rewriter, matched_as};
use super::rules::index::{Class, class_of, is_constant};
use super::rules::rule::value_operands;
use crate::analysis::known_bits::MAX_ENTRIES;
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{Inst, InstData, Opcode, Operand, Type};

const SELECT: Class = class_of(Opcode::Select);
const PHI: Class = class_of(Opcode::Phi);

/// Limit on the nesting of chains that are put into other orders for an arm.
const DEPTH: u32 = 1;

impl Rewriter<'_> {
    /// Replaces an operation by the value it has for all that an operand may be. Returns whether there is one. The
    /// operation must be one that no rule applies to.
    pub(crate) fn use_arms(&mut self, i: Inst, d: &InstData, classes: [Class; 3]) -> bool {
        let Some((source, value)) = self.value_by_arms(d, classes) else { return false };
        if d.op == Opcode::Br && self.is_branch_on(d, value) {
            return false;
        }
        if self.remarks.on() {
            let ty = result_type(&d.with_op(matched_as(d)));
            let event =
                if value == source { Event::IsItself((ty, value)) } else { Event::Whatever((ty, value), (ty, source)) };
            self.remarks.done(self.f, i, event);
        }
        self.become_value(i, value);
        self.state.work.push(i);
        true
    }

    /// Returns the operand that may be several values, and the value that the operation has for all of them.
    #[inline(always)]
    pub(crate) fn value_by_arms(&mut self, d: &InstData, classes: [Class; 3]) -> Option<(Operand, Operand)> {
        let may_be_several = |c: Class| matches!(c, SELECT | PHI);
        if may_be_several(classes[0]) || may_be_several(classes[1]) { self.for_all_arms(d, classes) } else { None }
    }
    fn for_all_arms(&mut self, d: &InstData, classes: [Class; 3]) -> Option<(Operand, Operand)> {
        let count = value_operands(d.op.format());
        if count > 2 {
            return None;
        }
        let operation = d.with_op(matched_as(d)).with_result(None);
        (0..count).find_map(|slot| {
            let source = self.facts.resolved([d.first(), d.second()][slot]);
            let value = match classes[slot] {
                SELECT => self.of_both_arms(&operation, slot, source),
                PHI if count == 2 && is_constant(classes[1 - slot]) => self.of_all_entries(&operation, slot, source),
                _ => None,
            };
            value.map(|value| (source, value))
        })
    }

    /// Returns the value that both arms of a `select` in this slot give an operation.
    fn of_both_arms(&mut self, operation: &InstData, slot: usize, select: Operand) -> Option<Operand> {
        let s = self.facts.def(select.as_reg()?)?;
        let (arms_ty, ty) = (self.f.inst(s).ty, result_type(operation));
        let (a, b) = self.f.operands_bc(s);
        let [a, b] = [a, b].map(|arm| self.with_constant(self.facts.resolved(arm), arms_ty));
        let [of_a, of_b] = [a, b].map(|arm| reading(operation, slot, arm));
        match (self.value_of(&of_a, DEPTH), self.value_of(&of_b, DEPTH)) {
            (Some(x), Some(y)) if x == y => Some(x),
            (Some(x), Some(y)) if ty == arms_ty && (x, y) == (a, b) => Some(select),
            (Some(x), Some(y)) => {
                let condition = self.facts.resolved(self.f.inst(s).first());
                let is_truth = self.f.type_of(condition.as_reg()?) == Type::I8
                    && self.facts.known_bits(self.f, condition, Type::I8).most(Type::I8.as_word()) <= 1;
                let is = |o, bits| self.facts.constant(self.f, o, ty) == Some(bits);
                (is_truth && ty == Type::I8 && is(x, 1) && is(y, 0)).then_some(condition)
            }
            (Some(x), None) if self.is_assigned_by(x, &of_b) => Some(x),
            (None, Some(y)) if self.is_assigned_by(y, &of_a) => Some(y),
            _ => None,
        }
    }
    /// Returns the constant that all entries of a phi in this slot give an operation. Its other operand is a constant.
    fn of_all_entries(&mut self, operation: &InstData, slot: usize, phi: Operand) -> Option<Operand> {
        // One to one: of two different entries they are not the same.
        if matches!(operation.op, Opcode::Add | Opcode::Sub | Opcode::Xor | Opcode::Rotl | Opcode::Rotr) {
            return None;
        }
        let p = self.facts.def(phi.as_reg()?)?;
        let mut entries = [Operand::NONE; MAX_ENTRIES];
        let count = self.f.phi_entries(p).len();
        for (entry, (_, o)) in entries.get_mut(..count)?.iter_mut().zip(self.f.phi_entries(p)) {
            *entry = self.facts.resolved(o);
        }
        let mut all = None;
        for &entry in entries[..count].iter().filter(|e| **e != phi) {
            let value = self.value_of(&reading(operation, slot, entry), DEPTH).filter(|o| o.is_const())?;
            if *all.get_or_insert(value) != value {
                return None;
            }
        }
        all
    }
}

/// Returns an operation with another operand in one slot, 0 or 1.
fn reading(operation: &InstData, slot: usize, o: Operand) -> InstData {
    match slot {
        0 => operation.with_first(o),
        _ => operation.with_second(o),
    }
}
