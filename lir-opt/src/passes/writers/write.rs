//! Passes one instruction through the writers.

use super::merge::Merged;
use super::{Around, Tables, Writers};
use crate::analysis::branches::edge_facts::{Question, edge_fact, index_of_case};
use crate::edit::reads::reads_any;
use crate::pass::remarks::Common;
use crate::passes::simplify::one_by_one::Reads;
use crate::passes::writers::events::Event;
use lir_syntax::ir::builder::writer::{Appended, Entered, Writer};
use lir_syntax::ir::{Block, Comparison, Effects, Format, Function, Inst, InstData, Opcode, Reg, ResultRule, Type};

impl Writer for Writers<'_> {
    fn enter(&mut self, f: &Function, b: Block, entered: Entered) {
        let t = &mut self.tables;
        t.current = Some(b);
        if t.suspended != 0 {
            return;
        }
        let from = match entered {
            // The branch of the predecessor may have become a jump elsewhere.
            Entered::From(p) if t.ended == Some(p) && f.succs(p).contains(&b) => p,
            Entered::From(_) | Entered::FromAnywhere => {
                t.merge.start();
                t.guards.start();
                return;
            }
        };
        if self.options.guards
            && let Some(fact) = edge_fact(f, from, b)
        {
            t.guards.learn(f, fact, &mut t.appended, &t.values);
        }
    }

    fn variable(&mut self, r: Reg) {
        assert!(!self.tables.values.contains(r), "a value is assigned: variables are made by `reg` and `named_reg`");
    }

    fn write(&mut self, f: &mut Function, i: Inst, what: Appended) -> Option<Reg> {
        self.counts.appended += 1;
        let result = f.def(i);
        if self.options.validate && !self.is_valid(f, i) {
            return result;
        }
        let before = f.layout().prev_inst(i);
        let reads = self.tables.appended.enter(f, i, &self.tables.values);
        if reads == Reads::Itself && f.inst(i).op != Opcode::Phi {
            return result;
        }
        let mut changed = self.options.fold && self.simplify(f, i);
        self.tables.values.extend(result);
        if self.tables.suspended == 0 && (!changed || f.layout().block_of(i).is_some()) {
            changed |= self.use_guards(f, i);
        }
        if changed {
            self.merge_all(f, before, i, what);
            result.map(|r| self.tables.appended.value_of(r))
        } else if self.merge(f, i, what, reads != Reads::Values) {
            result.map(|r| self.tables.appended.value_of(r))
        } else {
            result
        }
    }

    fn terminate(&mut self, f: &mut Function, b: Block, i: Inst) {
        self.counts.appended += 1;
        self.tables.ended = Some(b);
        if self.options.validate && !self.is_valid(f, i) {
            return;
        }
        let before = f.layout().prev_inst(i);
        self.tables.appended.enter(f, i, &self.tables.values);
        let mut target = None;
        if self.options.fold && self.simplify(f, i) {
            target = self.tables.appended.take_decision();
            self.enter_made(f, before, i);
        }
        if target.is_none() && self.options.guards && self.tables.suspended == 0 {
            target = self.target_by_guards(f, b);
            if let Some(target) = target {
                self.remarks.done(f, i, Common::Decided(target));
                self.counts.decided += 1;
                f.replace_inst(i, InstData::new(Opcode::Jmp, Type::I64));
            }
        }
        if let Some(target) = target {
            self.counts.branches += 1;
            self.tables.cut.extend(f.succs(b).iter().filter(|s| **s != target));
            f.set_succs(b, &[target]);
        }
    }

    fn suspend(&mut self) {
        self.tables.suspended += 1;
    }
    fn resume(&mut self) {
        self.tables.suspended = self.tables.suspended.checked_sub(1).expect("the writers were suspended");
    }
}

impl Writers<'_> {
    fn is_valid(&mut self, f: &Function, i: Inst) -> bool {
        let Tables { checker, errors, .. } = &mut self.tables;
        checker.check(self.decls, f, i, errors)
    }
    fn simplify(&mut self, f: &mut Function, i: Inst) -> bool {
        let Tables { appended, values, .. } = &mut self.tables;
        appended.simplify(f, i, &mut Around { decls: self.decls, remarks: &mut self.remarks, values })
    }
    /// Steps 3 and 4: an instruction with a known result becomes a constant. Returns whether it did.
    fn use_guards(&mut self, f: &mut Function, i: Inst) -> bool {
        let d = *f.inst(i);
        let Tables { guards, appended, .. } = &mut self.tables;
        let decided = match d.op.format() {
            Format::Compare if self.options.guards => guards.decide(f, Comparison::of(&d), appended),
            Format::Binary if self.options.overflow && d.op.info().result == ResultRule::Truth => {
                guards.overflows(f, &d, appended)
            }
            _ => return false,
        };
        let Some(holds) = decided else { return false };
        if d.op.format() == Format::Compare {
            self.counts.decided += 1;
        } else {
            self.counts.overflow_tests += 1;
        }
        self.become_constant(f, i, u64::from(holds));
        true
    }
    fn become_constant(&mut self, f: &mut Function, i: Inst, bits: u64) {
        let r = f.def(i).expect("a value is assigned");
        let ty = f.type_of(r);
        let constant = f.make_typed_const(ty, bits);
        self.remarks.done(f, i, Common::Computed((ty, constant)));
        self.tables.appended.drop_reads(f, i);
        f.replace_inst(i, InstData::move_of(ty, constant).with_result(r));
        self.tables.appended.redefine(f, i);
    }
    /// Returns the target of the terminator of `b`, if dominating branches decide it.
    fn target_by_guards(&mut self, f: &Function, b: Block) -> Option<Block> {
        let Tables { guards, appended, .. } = &mut self.tables;
        let n = match Question::of(f, b)? {
            Question::Branch(asked) => usize::from(!guards.decide(f, asked, appended)?),
            Question::Switch(ty, x) => {
                let value = guards.point(f, x, ty, appended)?;
                index_of_case(f, b, ty.as_word().truncate(value as u64))
            }
        };
        Some(f.succs(b)[n])
    }
    /// Step 5 for the instructions after `before` up to `last`, unless that was removed.
    fn merge_all(&mut self, f: &mut Function, before: Option<Inst>, last: Inst, what: Appended) {
        let mut next = self.first_new(f, before, last);
        while let Some(i) = next {
            next = f.layout().next_inst(i);
            self.tables.values.extend(f.def(i));
            self.tables.appended.read_replacements(f, i);
            let reads_variable = reads_any(f, i, |r| !self.tables.values.contains(r));
            self.merge(f, i, Appended { to_variable: what.to_variable && i == last, ..what }, reads_variable);
        }
    }
    fn first_new(&self, f: &Function, before: Option<Inst>, last: Inst) -> Option<Inst> {
        match before {
            Some(p) => f.layout().next_inst(p),
            None => f.layout().block_of(last).or(self.tables.current).and_then(|b| f.layout().first_inst(b)),
        }
    }
    /// Step 5 for one instruction. Returns whether it was replaced.
    fn merge(&mut self, f: &mut Function, i: Inst, what: Appended, reads_variable: bool) -> bool {
        if reads_variable {
            self.tables.appended.forget(f, i);
            self.report_variable_read(f, i);
        }
        if !self.options.merge || f.inst(i).op.effects().has(Effects::PLACED) {
            return false;
        }
        let is_suspended = self.tables.suspended != 0;
        let Tables { merge, values, .. } = &mut self.tables;
        let around = Around { decls: self.decls, remarks: &mut self.remarks, values };
        let keeps = !what.to_variable && !is_suspended && !reads_variable;
        merge.pass_write(f, i, what.region, keeps, &around);
        if is_suspended || reads_variable {
            return false;
        }
        match merge.find(f, i, what.region, keeps, &around) {
            Some(Merged::With(by)) => {
                self.remarks.done(f, i, Event::MergedWith(by));
                self.tables.appended.replace(f, i, by);
            }
            Some(Merged::Constant(bits)) => self.become_constant(f, i, bits),
            None => return false,
        }
        self.counts.merged += 1;
        true
    }
    /// Reports why a remaining instruction was not considered.
    fn report_variable_read(&mut self, f: &Function, i: Inst) {
        if !self.remarks.on() || f.def(i).is_none() {
            return;
        }
        let mut variable = None;
        f.for_each_use(i, |r| variable = variable.or(Some(r).filter(|r| !self.tables.values.contains(*r))));
        if let Some(variable) = variable
            && f.inst(i).op != Opcode::Phi
        {
            self.remarks.missed(f, i, Event::ReadsVariable(variable));
        }
    }
    /// Records the values that were inserted before a terminator.
    fn enter_made(&mut self, f: &mut Function, before: Option<Inst>, last: Inst) {
        let mut next = self.first_new(f, before, last);
        while let Some(i) = next.filter(|i| *i != last) {
            next = f.layout().next_inst(i);
            self.tables.values.extend(f.def(i));
            if reads_any(f, i, |r| !self.tables.values.contains(r)) {
                self.tables.appended.forget(f, i);
            }
        }
    }
}
