//! Applies the rules to single instructions, when they are appended to a function that is being built, or numbered.
//!
//! Steps 2 to 6 of the pass for one instruction, whose operands come before it. Differences: earlier instructions are
//! kept, since the builder may still read them; a rule pays by the readers so far; rules that expand, and values that
//! are composed of bytes, are left to later passes. While a function is built nothing is known about phis, whose
//! entries may still be missing.

use super::register_facts::RegisterFacts;
use super::rewrite::Rewriter;
use super::rewrite_state::{Appended, RewriteState};
use super::rules::rule::value_operands;
use crate::analysis::known_bits::Limits;
use crate::pass::fuel::Fuel;
use crate::pass::remarks::Remarks;
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{Block, Decls, EntitySet, Function, Inst, Opcode, Operand, Reg};

/// The rules, and the facts about the registers of a function that is being built or numbered.
#[derive(Default)]
pub(crate) struct RulesOneByOne {
    pub(super) facts: RegisterFacts,
    pub(super) state: RewriteState,
}

/// The surroundings of an instruction that was appended.
pub(crate) struct Around<'a> {
    pub decls: &'a Decls,
    pub remarks: &'a mut Remarks,
    /// Registers that have one value each: parameters, and results of instructions.
    pub values: &'a mut EntitySet<Reg>,
}

/// The kinds of registers that an instruction reads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reads {
    /// Values alone.
    Values,
    /// A variable, among others.
    Variables,
    /// Its own result: no rule may use it. Only unreachable code reads it.
    Itself,
}

impl RulesOneByOne {
    /// Forgets the function before.
    pub fn clear(&mut self) {
        self.facts.clear();
        self.state.clear();
    }
    /// Records an instruction that was appended, before any other query about it. Returns its reads.
    #[inline]
    pub fn enter(&mut self, f: &Function, i: Inst, values: &EntitySet<Reg>) -> Reads {
        let (mut reads_variable, mut reads_itself) = (false, false);
        let result = f.def(i);
        f.for_each_use(i, |r| {
            self.facts.add_use(Operand::reg(r));
            reads_variable |= !values.contains(r);
            reads_itself |= Some(r) == result;
        });
        if let Some(r) = result
            && f.inst(i).op != Opcode::Phi
            && !reads_itself
        {
            self.facts.set_def(f, r, i);
        }
        match (reads_itself, reads_variable) {
            (true, _) => Reads::Itself,
            (false, true) => Reads::Variables,
            (false, false) => Reads::Values,
        }
    }
    /// Applies rules to the appended instruction. Afterwards it may be another one, have new ones before it, or be
    /// removed; a branch may be a jump, see [`RulesOneByOne::take_decision`]. Returns whether anything was changed.
    #[inline]
    pub fn simplify(&mut self, f: &mut Function, i: Inst, around: &mut Around<'_>) -> bool {
        match f.inst(i).op {
            op if value_operands(op.format()) == 0 => false,
            Opcode::Copy => self.replace_by_source(f, i, around),
            _ => self.apply_rules(f, i, around),
        }
    }
    fn replace_by_source(&mut self, f: &mut Function, i: Inst, around: &mut Around<'_>) -> bool {
        let source = copied_value(f, i, around.values);
        if let Some(source) = source {
            around.remarks.done(f, i, Event::ReplacedBySource(source));
            self.replace(f, i, source);
        }
        source.is_some()
    }
    fn apply_rules(&mut self, f: &mut Function, i: Inst, around: &mut Around<'_>) -> bool {
        // The caller that appended it is a reader, so that its replacement is kept.
        let result = f.def(i);
        result.into_iter().for_each(|r| self.facts.hold(r));
        let building = Some(Appended::new(f, i));
        let mut rewriter = Rewriter {
            f,
            facts: &mut self.facts,
            decls: around.decls,
            remarks: around.remarks,
            state: &mut self.state,
            expands: false,
            building,
            changed: false,
            fuel: Fuel::default(),
            computed: 0,
        };
        rewriter.visit(i);
        let changed = rewriter.changed;
        result.into_iter().for_each(|r| self.facts.release(r));
        self.state.late.clear();
        self.state.refused.clear();
        self.facts.applied.clear();
        if !changed {
            return false;
        }
        if let Some(source) = copied_value(f, i, around.values) {
            self.replace(f, i, source);
        }
        true
    }
    /// Returns the block that the branch jumps to which was simplified last.
    pub(crate) fn take_decision(&mut self) -> Option<Block> {
        self.state.decided.pop().map(|(_, target)| target)
    }
    /// Removes an instruction; `by` replaces its result.
    pub fn replace(&mut self, f: &mut Function, i: Inst, by: Reg) {
        self.drop_reads(f, i);
        if let Some(r) = f.def(i) {
            self.facts.replace(r, by);
        }
        f.remove_inst(i);
    }
    /// The instruction is about to be another one: it reads nothing any more.
    pub(crate) fn drop_reads(&mut self, f: &Function, i: Inst) {
        f.for_each_use(i, |r| self.facts.drop_use(Operand::reg(r)));
        while self.facts.take_unused().is_some() {}
    }
    /// The instruction is another one now.
    pub(crate) fn redefine(&mut self, f: &Function, i: Inst) {
        if let Some(r) = f.def(i) {
            self.facts.set_def(f, r, i);
        }
    }
    /// Makes an instruction read the replacements of registers whose instructions were removed.
    pub(crate) fn read_replacements(&self, f: &mut Function, i: Inst) {
        self.facts.replace_operands(f, i);
    }
    /// Returns the current replacement of the result of an instruction.
    pub fn value_of(&self, r: Reg) -> Reg {
        self.facts.resolved(Operand::reg(r)).as_reg().expect("a register stands for a register")
    }
    /// The instruction reads a variable: rules do not see through it, since the variable may change.
    pub fn forget(&mut self, f: &Function, i: Inst) {
        f.def(i).into_iter().for_each(|r| self.facts.forget_def(r));
    }
    /// Returns the limits of a register, if it holds an integer.
    pub fn limits(&mut self, f: &Function, o: Operand) -> Option<Limits> {
        let ty = f.type_of(o.as_reg()?);
        ty.is_int().then(|| self.facts.limits(f, o, ty))
    }
    /// Returns the instruction that makes a value, if its operands are values.
    pub fn def(&self, r: Reg) -> Option<Inst> {
        self.facts.def(r)
    }
}

/// Returns the value that an instruction copies.
fn copied_value(f: &Function, i: Inst, values: &EntitySet<Reg>) -> Option<Reg> {
    let d = f.inst(i);
    if d.op == Opcode::Copy { d.first().as_reg().filter(|r| values.contains(*r)) } else { None }
}
