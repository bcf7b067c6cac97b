//! Uses a comparison with a constant to simplify the other operands of its reader.
//!
//! # Example
//!
//! ```text
//!   %a = icmp eq i32 %x, 7
//!   %m = and i32 %x, 3                  ; 3 where %x is 7
//!   %b = icmp ult i32 %m, 2             ; 0 where %x is 7
//!   %c = and i8 %a, %b                  =>      %c = const i8 0
//! ```
//!
//! # Algorithm
//!
//! If `x == C` decides which value matters, the other is computed with `C` for `x`. In an `and` or `or` of `x == C` or
//! `x != C` and another truth value, that value matters in one case only: if the comparison is `eq` under an `and` or
//! `ne` under an `or`, only for `x == C`, where it may be known. Otherwise it decides the other case, and may equal the
//! whole. The arms of a `select` are compared for `x == C`: if they are the same constant, the arm for the other values
//! of `x` is right for all. [`Rewriter::value_where`] looks through [`MAX_DEPTH`] operations; `and` and `mul` need one
//! operand that is 0, `or` one of all ones, and a comparison is decided if its operands are in disjoint ranges. A NaN
//! from arithmetic is not known: its bits are unspecified.
//!
//! These are not rules, since any tree of operations may be between `x` and the truth value.
//!
//! # Source
//!
//! LLVM's InstSimplify: `simplifyAndOrWithICmpEq`, `simplifySelectWithICmpEq` and `simplifyWithOpReplaced`, which
//! replace a value by any equal one; for values that are not constants, `rules/select.rules` has rules.

use super::matcher::value_operand;
use super::rewrite::Rewriter;
use super::rules::rule::{makes_quiet, value_operands};
use crate::analysis::known_bits::{Bits, Limits};
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{Function, Inst, InstData, IntCC, Opcode, Operand, Type};
use lir_syntax::semantics::{self, float};

/// The longest chain of operations that is computed. So a tree has 3^3 leaves at most. The walk would not return
/// because of a change further away.
const MAX_DEPTH: u32 = super::register_facts::DEPTH as u32;

/// `x == C` where a truth is 1, or where it is 0.
#[derive(Copy, Clone)]
struct Equality {
    x: Operand,
    bits: u64,
    /// The truth where `x == C`.
    truth: bool,
}

impl Rewriter<'_> {
    /// Uses an equality at an instruction to which no rule applies. Returns whether it was of use.
    pub(crate) fn use_equality(&mut self, i: Inst, d: &InstData) -> bool {
        let better = self.value_by_equality(i, d);
        if let Some(o) = better {
            self.remarks.done(self.f, i, Event::DecidedBeside((d.ty, o)));
            self.become_value(i, o);
        }
        better.is_some()
    }

    /// Returns the value of an operation to which no rule applies, by an equality that decides it.
    #[inline(always)]
    pub(crate) fn value_by_equality(&mut self, i: Inst, d: &InstData) -> Option<Operand> {
        match d.op {
            Opcode::And | Opcode::Or if d.ty == Type::I8 => {
                self.truth_beside(d, d.first(), d.second()).or_else(|| self.truth_beside(d, d.second(), d.first()))
            }
            Opcode::Select => self.arm_for_all(i, d),
            _ => None,
        }
    }
    /// Simplifies `guard OP other`, if `guard` is an equality that decides it.
    fn truth_beside(&mut self, d: &InstData, guard: Operand, other: Operand) -> Option<Operand> {
        let equality = self.equality(guard)?;
        let value = self.value_where(other, equality, 0)?;
        let is_truth = self.facts.known_bits(self.f, other, Type::I8).most(Type::I8.as_word()) <= 1;
        let constant = |f: &mut Function, k| f.make_typed_const(Type::I8, k);
        match (d.op, equality.truth, value != 0) {
            // Elsewhere the guard decides.
            (Opcode::And, true, false) => Some(constant(self.f, 0)),
            (Opcode::And, true, true) if is_truth => Some(guard),
            (Opcode::Or, false, true) if is_truth => Some(constant(self.f, 1)),
            (Opcode::Or, false, false) if is_truth => Some(guard),
            // Elsewhere the other one decides, and here it has the required value.
            (Opcode::And, false, false) if is_truth => Some(other),
            (Opcode::Or, true, true) if is_truth => Some(other),
            _ => None,
        }
    }
    /// Returns the arm that a selection has for all values. None unless the arms agree where the condition's equality
    /// holds.
    fn arm_for_all(&mut self, i: Inst, d: &InstData) -> Option<Operand> {
        // A condition that is not such a comparison is itself 0 if it does not hold.
        let itself = Equality { x: self.facts.resolved(d.first()), bits: 0, truth: false };
        let equality = self.equality(d.first()).unwrap_or(itself);
        let (a, b) = self.f.operands_bc(i);
        let (here, elsewhere) = if equality.truth { (a, b) } else { (b, a) };
        let same = self.value_where(here, equality, 0)? == self.value_where(elsewhere, equality, 0)?;
        same.then_some(self.facts.resolved(elsewhere))
    }
    /// Returns the equality with a constant that a truth value tests.
    fn equality(&self, truth: Operand) -> Option<Equality> {
        let d = self.f.inst(self.facts.def(truth.as_reg()?)?);
        let is_equal = d.op == Opcode::Icmp && d.aux() == IntCC::Eq as u8;
        let is_different = d.op == Opcode::Icmp && d.aux() == IntCC::Ne as u8;
        if !is_equal && !is_different {
            return None;
        }
        let bits = self.facts.constant(self.f, d.second(), d.ty)?;
        Some(Equality { x: self.facts.resolved(d.first()), bits, truth: is_equal })
    }
    /// Returns the bits of an operand where an equality holds, if these are constant. Recursion is bounded by
    /// [`MAX_DEPTH`].
    fn value_where(&mut self, o: Operand, equality: Equality, depth: u32) -> Option<u64> {
        let o = self.facts.resolved(o);
        if o == equality.x {
            return Some(equality.bits);
        }
        let r = o.as_reg()?;
        let ty = self.f.type_of(r);
        if let Some(bits) = self.facts.constant(self.f, o, ty) {
            return Some(bits);
        }
        let i = self.facts.def(r)?;
        let d = *self.f.inst(i);
        let w = d.ty.as_word();
        let count = value_operands(d.op.format());
        if depth == MAX_DEPTH || count == 0 {
            return None;
        }
        let mut values = [None; 3];
        for (slot, value) in values.iter_mut().enumerate().take(count) {
            let operand = value_operand(self.f, i, slot as u8);
            *value = match self.f.constant(operand) {
                Some(k) => Some(w.truncate(k as u64)),
                None => self.value_where(operand, equality, depth + 1),
            };
        }
        let has = |bits| values.contains(&Some(w.truncate(bits)));
        match d.op {
            Opcode::And | Opcode::Mul if has(0) => return Some(0),
            Opcode::Or if has(u64::MAX) => return Some(w.mask()),
            Opcode::Icmp => return self.comparison_where(&d, [values[0], values[1]]),
            _ => {}
        }
        let mut known = [0; 3];
        for (bits, value) in known.iter_mut().zip(values).take(count) {
            *bits = value?;
        }
        let bits = semantics::eval(d.op, w, d.aux(), known).ok()?;
        let is_open = makes_quiet(d.op) && ty.is_float() && float::is_nan(ty.as_word(), bits);
        (!is_open).then_some(bits)
    }
    /// Decides a comparison of operands with these values, or else in their usual ranges.
    fn comparison_where(&mut self, d: &InstData, values: [Option<u64>; 2]) -> Option<u64> {
        let w = d.ty.as_word();
        let [a, b] = [(d.first(), values[0]), (d.second(), values[1])].map(|(o, value)| match value {
            Some(bits) => Limits::of_bits(w, Bits::constant(w, bits)),
            None => self.facts.limits(self.f, self.facts.resolved(o), d.ty),
        });
        a.compare(IntCC::from_u8(d.aux()), b).map(u64::from)
    }
}
