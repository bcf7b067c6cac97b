//! Simplifies operations that are not in the function.
//!
//! The steps of the pass for an instruction (moving constants to the second operand, folding, rules) may end at an
//! existing value. Here the same steps are tried on a hypothetical operation, to find such a value: no instruction is
//! made. Only rules that leave at most one operation are followed, [`MAX_STEPS`] one after another, and chains of
//! associative operations in a suitable order ([`super::chains`]).

use super::matcher::{Match, result_type};
use super::rewrite::{Rewriter, right_operation};
use super::rules::index::OPAQUE;
use super::rules::rule::{NodeKind, Rule, value_operands};
use super::rules::{key_of, rules_of};
use lir_syntax::ir::{DebugLoc, Effects, Inst, InstData, Operand, Type};
use lir_syntax::semantics;

/// Limit on the rules that are followed, one after another.
const MAX_STEPS: usize = 4;

/// The result of a hypothetical operation.
enum Tried {
    Value(Operand),
    Operation(InstData),
}

impl Rewriter<'_> {
    /// Returns the value of a hypothetical operation. It is a register that its operands are computed from, or a
    /// constant, never a register that holds one. Other orders of a chain are tried `depth` times, one in the other.
    pub fn value_of(&mut self, operation: &InstData, depth: u32) -> Option<Operand> {
        let mut d = *operation;
        for _ in 0..MAX_STEPS {
            match self.computed(&mut d).or_else(|| self.ruled(&d)) {
                Some(Tried::Value(o)) => return Some(o),
                Some(Tried::Operation(next)) => {
                    if let Some(o) = [d.first(), d.second()].into_iter().find(|o| self.is_assigned_by(*o, &next)) {
                        return Some(o);
                    }
                    d = next;
                }
                None => return self.in_other_order(&d, depth.checked_sub(1)?),
            }
        }
        None
    }
    /// Returns the value of an operation of constants. Puts constants into the operation, and second.
    fn computed(&mut self, d: &mut InstData) -> Option<Tried> {
        let (count, ty) = (value_operands(d.op.format()), d.ty);
        let [a, b] = [d.first(), d.second()].map(|o| self.with_constant(self.facts.resolved(o), ty));
        *d = d.with_first(a).with_second(b);
        let w = ty.as_word();
        let [a, b] = [d.first(), d.second()].map(|o| self.f.constant_bits(o, w));
        let a = a?;
        if count == 1 || b.is_some() {
            let bits = semantics::eval(d.op, w, d.aux(), [a, b.unwrap_or(0), 0]).ok()?;
            return Some(Tried::Value(self.f.make_typed_const(result_type(d), bits)));
        }
        if let Some(exchanged) = d.exchanged() {
            *d = exchanged;
        }
        None
    }
    /// Applies the first rule that matches an operation and leaves one operation at most.
    fn ruled(&mut self, d: &InstData) -> Option<Tried> {
        let class = |o| self.facts.class_of_operand(self.f, o, d.ty);
        let binary = value_operands(d.op.format()) == 2;
        let classes = [class(d.first()), if binary { class(d.second()) } else { OPAQUE }, OPAQUE];
        let key = key_of(d);
        let root = self.operation_nowhere(*d);
        let (index, mut m) = (rules_of(d.op), self.state.m.take()?);
        let mut tried = None;
        index.find(key, classes, d.first() == d.second(), |v| {
            let rule = &index.rules[v.rule as usize];
            if leaves_one(rule) && m.matches(self.f, self.facts, rule, v, root) {
                tried = Some(self.tried(&m, rule));
            }
            tried.is_some()
        });
        self.state.m = Some(m);
        tried
    }
    /// Returns the right side of a matching rule, if it has one operation at most.
    fn tried(&mut self, m: &Match, rule: &'static Rule) -> Tried {
        let right = &rule.nodes[rule.right as usize];
        match &right.kind {
            NodeKind::Op { .. } => {
                let [a, b, _] = self.right_operands(m, rule, rule.right, &[]);
                Tried::Operation(right_operation(m, rule, rule.right).with_first(a).with_second(b))
            }
            NodeKind::Var(_) | NodeKind::Const(_) => {
                let o = self.leaf(m, rule, rule.right);
                Tried::Value(self.with_constant(o, m.types[right.ty as usize]))
            }
        }
    }
    /// Returns the constant that a register holds, in its place.
    pub fn with_constant(&mut self, o: Operand, ty: Type) -> Operand {
        match self.facts.constant(self.f, o, ty) {
            Some(bits) if o.is_reg() => self.f.make_typed_const(ty, bits),
            _ => o,
        }
    }
    /// Returns an instruction in no block, the same one each time.
    fn operation_nowhere(&mut self, d: InstData) -> Inst {
        match self.state.nowhere {
            Some(i) => self.f.replace_detached_inst(i, d),
            None => self.state.nowhere = Some(self.f.make_inst(d, DebugLoc::NONE)),
        }
        self.state.nowhere.expect("it was made")
    }
    /// True if a register is assigned by such an operation.
    pub(crate) fn is_assigned_by(&self, o: Operand, operation: &InstData) -> bool {
        let Some(i) = o.as_reg().and_then(|r| self.facts.def(r)) else { return false };
        let d = self.f.inst(i);
        if (d.op, d.ty, d.aux()) != (operation.op, operation.ty, operation.aux()) {
            return false;
        }
        let wanted = [operation.first(), operation.second()].map(|o| self.facts.resolved(o));
        let [a, b] = [d.first(), d.second()].map(|o| self.facts.resolved(o));
        wanted == [a, b] || operation.op.effects().has(Effects::COMMUTATIVE) && wanted == [b, a]
    }
}

/// True if a right side has one operation at most, of at most two operands.
fn leaves_one(rule: &Rule) -> bool {
    let is_small = match &rule.nodes[rule.right as usize].kind {
        NodeKind::Op { op, .. } => value_operands(op.format()) <= 2,
        NodeKind::Var(_) | NodeKind::Const(_) => true,
    };
    is_small && rule.made.is_empty() && !rule.expands
}
