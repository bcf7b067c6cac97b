//! Simplifies chains of operations that equal one of their values, in another order.
//!
//! # Example
//!
//! ```text
//!   %n = not i32 %x
//!   %a = and i32 %n, %y
//!   %b = and i32 %a, %x                 =>      %b = const i32 0        ; (%n & %x) & %y
//! ```
//!
//! # Algorithm
//!
//! For `(p OP q) OP r`, with OP associative and commutative, `p OP r` and `q OP r` are tried
//! ([`crate::passes::simplify::hypothetical`]). If the result is `p` itself, the whole is `p OP q`; if it is another
//! value, that value OP the other operand is tried. For `(p IN q) OP r`, with OP distributive over IN, both are tried,
//! and the whole is the IN of their values. Only results that are existing values, or constants, are used:
//! `reassociate` finds the best order of the others.
//!
//! # Source
//!
//! LLVM's InstSimplify: `simplifyAssociativeBinOp`, `expandCommutativeBinOp`.

use super::rewrite::Rewriter;
use super::rules::index::{Class, class_of};
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{Effects, Inst, InstData, Opcode, Operand};

/// Depth of tries in another order within a try in another order.
const DEPTH: u32 = 1;

/// Returns the operations over which an operation is distributive.
pub(super) fn distributes_over(op: Opcode) -> &'static [Opcode] {
    match op {
        Opcode::And => &[Opcode::Or, Opcode::Xor],
        Opcode::Or => &[Opcode::And],
        Opcode::Mul => &[Opcode::Add, Opcode::Sub],
        _ => &[],
    }
}

impl Rewriter<'_> {
    /// Replaces an operation to which no rule applies by its value in another order. Returns whether there is one.
    pub(crate) fn use_chain(&mut self, i: Inst, d: &InstData, classes: [Class; 3]) -> bool {
        let Some(value) = self.value_of_chain(d, classes) else { return false };
        self.remarks.done(self.f, i, Event::OtherOrder((d.ty, value)));
        self.become_value(i, value);
        true
    }
    /// The value of an operation to which no rule applies, in another order.
    #[inline]
    pub(crate) fn value_of_chain(&mut self, d: &InstData, classes: [Class; 3]) -> Option<Operand> {
        if !d.op.effects().has(Effects::ASSOCIATIVE) {
            return None;
        }
        let is_inner = |op: Opcode| classes[..2].contains(&class_of(op));
        if !is_inner(d.op) && !distributes_over(d.op).iter().any(|op| is_inner(*op)) {
            return None;
        }
        self.in_other_order(d, DEPTH)
    }
    /// Returns the value that an operation has in another order of a chain. Recursion is bounded by `depth`.
    pub(crate) fn in_other_order(&mut self, d: &InstData, depth: u32) -> Option<Operand> {
        if !d.op.effects().has(Effects::ASSOCIATIVE) {
            return None;
        }
        for (inner, r) in [(d.first(), d.second()), (d.second(), d.first())] {
            let inner = self.facts.resolved(inner);
            let Some(i) = inner.as_reg().and_then(|r| self.facts.def(r)) else { continue };
            let within = *self.f.inst(i);
            let value = if within.op == d.op {
                self.in_chain(d, inner, &within, r, depth)
            } else if distributes_over(d.op).contains(&within.op) {
                self.distributed(d, inner, &within, r, depth)
            } else {
                None
            };
            if value.is_some() {
                return value;
            }
        }
        None
    }
    /// Simplifies `(p OP q) OP r`, `inner` being `p OP q`.
    fn in_chain(&mut self, d: &InstData, inner: Operand, within: &InstData, r: Operand, depth: u32) -> Option<Operand> {
        let [p, q] = [within.first(), within.second()].map(|o| self.with_constant(self.facts.resolved(o), d.ty));
        for (near, far) in [(p, q), (q, p)] {
            let Some(value) = self.value_of(&d.with_first(near).with_second(r), depth) else { continue };
            if value == near {
                return Some(inner);
            }
            let whole = self.value_of(&d.with_first(value).with_second(far), depth);
            if whole.is_some() {
                return whole;
            }
        }
        None
    }
    /// Simplifies `(p IN q) OP r`, `inner` being `p IN q`.
    fn distributed(
        &mut self,
        d: &InstData,
        inner: Operand,
        within: &InstData,
        r: Operand,
        depth: u32,
    ) -> Option<Operand> {
        let [p, q] = [within.first(), within.second()].map(|o| self.with_constant(self.facts.resolved(o), d.ty));
        let a = self.value_of(&d.with_first(p).with_second(r), depth)?;
        let b = self.value_of(&d.with_first(q).with_second(r), depth)?;
        if (a, b) == (p, q) { Some(inner) } else { self.value_of(&within.with_first(a).with_second(b), depth) }
    }
}
