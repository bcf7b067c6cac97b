//! Tries a rule on an instruction.

use super::register_facts::RegisterFacts;
use super::rules::constants::{Bound, TypeId, Values};
use super::rules::index::{Variant, is_constant, operand_slot};
use super::rules::rule::{
    MAX_LEFT, NodeId, NodeKind, Pred, Rule, TypeClass, TypeSource, half, makes_quiet, value_operands,
};
use lir_syntax::ir::{Function, Inst, InstData, IntCC, Operand, Predicate, Promises, Reg, ResultRule, Type};
use lir_syntax::semantics::float;

/// Type classes, constants and predicates that a rule may have.
pub(super) const MAX_NAMES: usize = 16;

/// The operands that the nodes of a left side match.
pub(super) struct Match {
    /// The operand at each node.
    pub operands: [Operand; MAX_LEFT],
    /// The instruction at each operation.
    insts: [Option<Inst>; MAX_LEFT],
    pub types: [Type; MAX_NAMES],
    consts: [u64; MAX_NAMES],
    pub preds: [Predicate; MAX_NAMES],
}

impl Default for Match {
    fn default() -> Match {
        Match {
            operands: [Operand::NONE; MAX_LEFT],
            insts: [None; MAX_LEFT],
            types: [Type::I64; MAX_NAMES],
            consts: [0; MAX_NAMES],
            preds: [Predicate::Int(IntCC::Eq); MAX_NAMES],
        }
    }
}

/// Operand `slot` of an instruction whose operands are all values.
#[inline]
pub(super) fn value_operand(f: &Function, i: Inst, slot: u8) -> Operand {
    let d = f.inst(i);
    match (slot, value_operands(d.op.format())) {
        (0, _) => d.first(),
        (1, 3) => f.operands_bc(i).0,
        (1, _) => d.second(),
        _ => f.operands_bc(i).1,
    }
}

impl Match {
    /// True if `variant` of `rule` matches `root`, and its conditions are known to hold.
    pub fn matches(
        &mut self,
        f: &Function,
        facts: &mut RegisterFacts,
        rule: &Rule,
        variant: Variant,
        root: Inst,
    ) -> bool {
        self.insts[0] = Some(root);
        self.operands[0] = f.inst(root).result().map_or(Operand::NONE, Operand::reg);
        self.has_shape(f, facts, rule, variant)
            && self.has_types(f, facts, rule)
            && self.has_constants(f, facts, rule)
            && rule.all_conditions().all(|c| c.holds(&mut MatchValues { rule, m: self, f, facts }))
    }

    fn has_shape(&mut self, f: &Function, facts: &RegisterFacts, rule: &Rule, variant: Variant) -> bool {
        let root = self.insts[0].expect("the root was set");
        self.bind_pred(f, rule, 0, root, variant.exchanged);
        for n in 1..rule.left {
            let node = &rule.nodes[n];
            let (parent, slot) = node.parent;
            let at = self.insts[parent as usize].expect("a parent stands before its operands");
            let o = facts.resolved(value_operand(f, at, operand_slot(parent, slot, variant.exchanged)));
            self.operands[n] = o;
            match &node.kind {
                NodeKind::Op { op, .. } => {
                    let Some(i) = o.as_reg().and_then(|r| facts.def(r)).filter(|i| f.inst(*i).op == *op) else {
                        return false;
                    };
                    self.insts[n] = Some(i);
                    if !self.bind_pred(f, rule, n as NodeId, i, variant.exchanged) {
                        return false;
                    }
                }
                NodeKind::Var(k) => {
                    let first = rule.vars[*k as usize] as usize;
                    if first != n && self.operands[first] != o {
                        return false;
                    }
                }
                NodeKind::Const(_) => {
                    if !o.as_reg().is_none_or(|r| is_constant(facts.class(r))) {
                        return false;
                    }
                }
            }
        }
        true
    }
    /// True if the predicate of an instruction is one that node `n` allows.
    fn bind_pred(&mut self, f: &Function, rule: &Rule, n: NodeId, i: Inst, exchanged: u32) -> bool {
        let NodeKind::Op { pred, .. } = rule.nodes[n as usize].kind else { return false };
        if pred == Pred::None {
            return true;
        }
        let found = f.inst(i).predicate();
        let found = if exchanged >> n & 1 != 0 { found.swapped() } else { found };
        match pred {
            Pred::None => true,
            Pred::Is(p) => p == found,
            Pred::Bind(k, set) => {
                self.preds[k as usize] = found;
                set >> found.index() & 1 != 0
            }
            Pred::Of(change, k) => change.apply(self.preds[k as usize]) == found,
            Pred::Two(..) => false,
        }
    }
    fn has_types(&mut self, f: &Function, facts: &RegisterFacts, rule: &Rule) -> bool {
        for (k, class) in rule.types.iter().enumerate() {
            self.types[k] = match class {
                TypeClass::Fixed(ty) => *ty,
                TypeClass::At(source) => self.type_at(f, facts, *source),
                TypeClass::Half(of) => match half(self.types[*of as usize]) {
                    Some(ty) => ty,
                    None => return false,
                },
            };
        }
        rule.ints.iter().all(|k| self.types[*k as usize].is_int())
            && rule
                .type_checks
                .iter()
                .all(|(source, class)| self.type_at(f, facts, *source) == self.types[*class as usize])
    }
    fn type_at(&self, f: &Function, _: &RegisterFacts, source: TypeSource) -> Type {
        match source {
            TypeSource::Annotation(n) => f.inst(self.inst(n)).ty,
            TypeSource::Result(n) => result_type(f.inst(self.inst(n))),
            TypeSource::Register(n) => self.operands[n as usize].as_reg().map_or(Type::I64, |r| f.type_of(r)),
        }
    }
    fn inst(&self, n: NodeId) -> Inst {
        self.insts[n as usize].expect("an operation was matched")
    }
    fn has_constants(&mut self, f: &Function, facts: &mut RegisterFacts, rule: &Rule) -> bool {
        for n in 1..rule.left {
            let NodeKind::Const(expr) = &rule.nodes[n].kind else { continue };
            let ty = self.types[rule.nodes[n].ty as usize];
            let Some(bits) = facts.constant(f, self.operands[n], ty) else { return false };
            if let Some(k) = rule.consts.iter().position(|c| *c as usize == n) {
                self.consts[k] = bits;
            } else if expr.bits(ty, &mut MatchValues { rule, m: self, f, facts }) != bits {
                return false;
            }
        }
        true
    }
    /// Counts the operations of the left side below its root that become unused with it. Their only reader is another
    /// such operation. Operations that the right side names are kept.
    pub(crate) fn becomes_unused(&self, facts: &RegisterFacts, rule: &Rule) -> usize {
        let mut unused = [false; MAX_LEFT];
        unused[0] = true;
        let mut count = 0;
        for n in 1..rule.left {
            let is_op = matches!(rule.nodes[n].kind, NodeKind::Op { .. });
            if is_op && unused[rule.nodes[n].parent.0 as usize] && !rule.kept.contains(&(n as NodeId)) {
                unused[n] = self.operands[n].as_reg().is_some_and(|r| facts.uses(r) == 1);
                count += usize::from(unused[n]);
            }
        }
        count
    }
    /// Returns a register that the left side computes and that something else reads, too.
    pub(crate) fn read_elsewhere(&self, facts: &RegisterFacts, rule: &Rule) -> Option<Reg> {
        let ops = (1..rule.left).filter(|n| matches!(rule.nodes[*n].kind, NodeKind::Op { .. }));
        ops.filter_map(|n| self.operands[n].as_reg()).find(|r| facts.uses(*r) > 1)
    }
}

/// Returns the type of the result of an operation; a branch matches as a comparison.
pub(super) fn result_type(d: &InstData) -> Type {
    match d.op.info().result {
        ResultRule::Truth | ResultRule::None => Type::I8,
        ResultRule::Converted => d.to_type(),
        ResultRule::Same | ResultRule::Address | ResultRule::Call => d.ty,
    }
}

/// The values of a match, for expressions and conditions.
pub(super) struct MatchValues<'a> {
    pub rule: &'a Rule,
    pub m: &'a Match,
    pub f: &'a Function,
    pub facts: &'a mut RegisterFacts,
}

impl Values for MatchValues<'_> {
    fn constant(&mut self, k: u8) -> u64 {
        self.m.consts[k as usize]
    }
    fn ty(&self, t: TypeId) -> Type {
        self.m.types[t as usize]
    }
    fn bound(&mut self, bound: Bound, var: u8) -> i128 {
        let (o, ty) = (self.operand(var), self.type_of_var(var));
        let limits = self.facts.limits(self.f, o, ty);
        match bound {
            Bound::SignBits => i128::from(self.facts.known_bits(self.f, o, ty).sign_bits),
            Bound::Most => i128::from(limits.most),
            Bound::Least => i128::from(limits.least),
            Bound::SignedMost => i128::from(limits.signed.hi),
            Bound::SignedLeast => i128::from(limits.signed.lo),
        }
    }
    fn known(&mut self, var: u8) -> (u64, u64) {
        let ty = self.type_of_var(var);
        let bits = self.facts.known_bits(self.f, self.operand(var), ty);
        (bits.zeros, bits.ones)
    }
    fn are_distinct(&mut self, x: u8, y: u8) -> bool {
        let ty = self.type_of_var(x);
        let (x, y) = (self.operand(x), self.operand(y));
        let (a, b) = (self.facts.known_bits(self.f, x, ty), self.facts.known_bits(self.f, y, ty));
        if a.zeros & b.ones | a.ones & b.zeros != 0 {
            return true;
        }
        let (a, b) = (self.facts.limits(self.f, x, ty), self.facts.limits(self.f, y, ty));
        a.compare(IntCC::Eq, b) == Some(false)
    }
    fn is_quiet(&mut self, var: u8) -> bool {
        let (o, ty) = (self.operand(var), self.type_of_var(var));
        let w = ty.as_word();
        match self.facts.constant(self.f, o, ty) {
            Some(bits) => !float::is_nan(w, bits) || bits & float::quiet_bit(w) != 0,
            None => o.as_reg().and_then(|r| self.facts.def(r)).is_some_and(|i| makes_quiet(self.f.inst(i).op)),
        }
    }
    fn is_read_once(&self, var: u8) -> bool {
        self.operand(var).as_reg().is_some_and(|r| self.facts.uses(r) == 1)
    }
    fn is_promised(&mut self, promises: Promises, var: u8) -> bool {
        self.f.inst(self.m.inst(self.rule.vars[var as usize])).promises().has(promises)
    }
    fn predicate(&self, k: u8) -> Predicate {
        self.m.preds[k as usize]
    }
    fn type_of_var(&self, var: u8) -> Type {
        self.m.types[self.rule.nodes[self.rule.vars[var as usize] as usize].ty as usize]
    }
}

impl MatchValues<'_> {
    fn operand(&self, var: u8) -> Operand {
        self.m.operands[self.rule.vars[var as usize] as usize]
    }
}
