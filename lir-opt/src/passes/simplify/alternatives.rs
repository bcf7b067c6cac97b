//! Finds all alternatives that the rules give for an instruction.
//!
//! The pass applies the first rule that pays, and replaces the instruction. Here every rule that matches gives an
//! alternative, and the instruction is not changed: the caller, which knows more about them, chooses the best one
//! ([`crate::passes::value_numbering::aegraph`]).

use super::matcher::Match;
use super::one_by_one::RulesOneByOne;
use super::rewrite::Rewriter;
use super::rewrite_state::Appended;
use super::rules::index::Variant;
use super::rules::rule::{MAX_LEFT, NodeKind, Rule, value_operands};
use super::rules::{key_of, rules_of};
use crate::pass::fuel::Fuel;
use crate::pass::remarks::Remarks;
use lir_syntax::ir::{Block, Decls, Function, Inst, InstData, Operand, Reg};

/// Another form of the value of an instruction.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Alternative {
    /// A value that exists already, or a constant.
    Value(Operand),
    /// This operation. Its new operands are before the instruction.
    Operation(InstData),
}

/// Alternatives of one instruction at most.
const MAX_ALTERNATIVES: usize = 6;

impl RulesOneByOne {
    /// Examines all instructions of a function, whose blocks are given in reverse postorder. Values that are composed
    /// of bytes, by trees too large for rules, are simplified at once.
    pub fn reset(&mut self, f: &mut Function, rpo: &[Block], (decls, remarks): (&Decls, &mut Remarks)) {
        self.facts.reset(f);
        self.state.clear();
        let (facts, state) = (&mut self.facts, &mut self.state);
        let (expands, building, changed, computed, fuel) = (false, None, false, 0, Fuel::default());
        let mut rewriter = Rewriter { f, facts, decls, remarks, state, expands, building, changed, computed, fuel };
        for &b in rpo {
            let mut next = rewriter.f.layout().first_inst(b);
            while let Some(i) = next {
                next = rewriter.f.layout().next_inst(i);
                let d = *rewriter.f.inst(i);
                if value_operands(d.op.format()) > 0 {
                    let classes = rewriter.classes_of(i, &d).1;
                    rewriter.note_bytes(i, &d, classes);
                }
            }
        }
        rewriter.put_bytes_in_order();
        self.state.work.clear();
    }
    fn rewriter<'a>(
        &'a mut self,
        f: &'a mut Function,
        i: Inst,
        expands: bool,
        (decls, remarks): (&'a Decls, &'a mut Remarks),
    ) -> Rewriter<'a> {
        let (facts, state, building) = (&mut self.facts, &mut self.state, Some(Appended::new(f, i)));
        let fuel = Fuel::default();
        Rewriter { f, facts, decls, remarks, state, expands, building, changed: false, computed: 0, fuel }
    }
    /// Puts constants second and into an instruction, and computes it where it is one.
    pub fn put_constants(&mut self, f: &mut Function, i: Inst, around: (&Decls, &mut Remarks)) {
        let mut rewriter = self.rewriter(f, i, false, around);
        loop {
            let d = *rewriter.f.inst(i);
            if value_operands(d.op.format()) == 0 {
                break;
            }
            let (operands, classes) = rewriter.classes_of(i, &d);
            if !rewriter.put_constants(i, &d, operands, classes) {
                break;
            }
        }
        self.state.work.clear();
        while self.facts.take_unused().is_some() {}
    }
    /// Appends the alternatives for an instruction that is in a block. A value is the last of them.
    pub fn alternatives(
        &mut self,
        f: &mut Function,
        i: Inst,
        expands: bool,
        around: (&Decls, &mut Remarks),
        found: &mut Vec<Alternative>,
    ) {
        let d = *f.inst(i);
        if value_operands(d.op.format()) == 0 {
            return;
        }
        let mut rewriter = self.rewriter(f, i, expands, around);
        let (operands, classes) = rewriter.classes_of(i, &d);
        let key = key_of(&d);
        let index = rules_of(d.op);
        let is_value = index.find(key, classes, d.first() == operands[1], |v| {
            rewriter.add_alternative(i, &index.rules[v.rule as usize], v, found);
            matches!(found.last(), Some(Alternative::Value(_))) || found.len() >= MAX_ALTERNATIVES
        });
        if !is_value {
            let value = rewriter
                .value_of_chain(&d, classes)
                .or_else(|| rewriter.value_by_arms(&d, classes).map(|(_, value)| value))
                .or_else(|| rewriter.value_by_equality(i, &d));
            found.extend(value.map(Alternative::Value));
        }
        self.state.work.clear();
        while self.facts.take_unused().is_some() {}
    }
    /// Removes the edges that are never taken. Returns the blocks that lost one, if any terminator was decided.
    pub(crate) fn apply_decisions(&mut self, f: &mut Function) -> Option<&mut Vec<Block>> {
        self.state.apply_decisions(f).then_some(&mut self.state.cut)
    }
    /// Counts an instruction as a reader, until [`RulesOneByOne::drop_reads`].
    pub(crate) fn add_reads(&mut self, f: &Function, i: Inst) {
        f.for_each_use(i, |r| self.facts.add_use(Operand::reg(r)));
    }
    /// Sets the form of `r` that rules match from now on.
    pub(crate) fn look_at(&mut self, f: &Function, r: Reg, form: Inst) {
        self.facts.set_def(f, r, form);
    }
    /// True if more than one instruction reads a register.
    pub(crate) fn is_shared(&self, r: Reg) -> bool {
        self.facts.uses(r) > 1
    }
    /// Returns the current replacement of an operand.
    pub fn resolved(&self, o: Operand) -> Operand {
        self.facts.resolved(o)
    }
}

impl Rewriter<'_> {
    /// Appends the result of a rule for an instruction, if it matches.
    fn add_alternative(&mut self, i: Inst, rule: &'static Rule, v: Variant, found: &mut Vec<Alternative>) {
        if rule.expands && !self.expands {
            return;
        }
        let Rewriter { state, f, facts, .. } = self;
        if !state.m.as_mut().is_some_and(|m| m.matches(f, facts, rule, v, i)) {
            return;
        }
        let Some(m) = self.state.m.take() else { return };
        found.push(self.alternative(&m, rule, i));
        self.state.m = Some(m);
    }
    fn alternative(&mut self, m: &Match, rule: &'static Rule, i: Inst) -> Alternative {
        let mut built = [Operand::NONE; 2 * MAX_LEFT];
        for &n in rule.made.iter() {
            built[n as usize] = self.make(m, rule, i, n, &built);
        }
        match &rule.nodes[rule.right as usize].kind {
            NodeKind::Op { .. } => Alternative::Operation(self.operation(m, rule, i, rule.right, &built)),
            NodeKind::Var(_) | NodeKind::Const(_) => Alternative::Value(self.leaf(m, rule, rule.right)),
        }
    }
}
