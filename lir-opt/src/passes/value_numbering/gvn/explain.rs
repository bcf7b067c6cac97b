//! The remarks of `gvn`: the changes to a value, and the reasons there were no more.
//!
//! Reasons are looked for only if remarks are on. The write between two equal accesses is found by memory SSA, with
//! `mem=kill` too.

use super::GlobalNumberer;
use super::memory::{Around, MemoryMode};
use crate::analysis::MemoryFacts;
use crate::analysis::alias::{Location, Overlap, Relation};
use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::memory_ssa::{Access, AccessKind};
use crate::pass::remarks::Who;
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Number, opcode, type_of};
use lir_syntax::ir::{Block, EntityRef, Format, Function, Inst, Operand};
use rustc_hash::FxHashSet;

/// Returns the version of memory SSA in the key of a load or call.
fn version_of(key: &ValueKey) -> Access {
    Access::new(key.operands[2] as usize)
}

impl GlobalNumberer<'_> {
    /// Calls `report` if remarks are on.
    #[inline]
    pub(super) fn report(&mut self, report: impl FnOnce(&mut Self)) {
        if self.explainer.remarks.on() {
            report(self);
        }
    }
    /// An instruction, still in its block, is replaced by the value with its key.
    #[cold]
    pub(super) fn report_found(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey, by: Operand) {
        let dom = self.around.dom;
        let first = self.explainer.nearest(key, |s| s.key == *key && dom.dominates(s.block, b)).map(|s| s.inst);
        let found = self.explainer.in_words(Number(self.scratch.number_of(by)), Some(key), first);
        let ty = f.def(i).map_or(f.inst(i).ty, |r| f.type_of(r));
        self.explainer.remarks.done(f, i, found.replaced_by(f, (ty, by)));
    }
    /// An instruction has a new number: why nothing equal was found. Notes that it was entered under its key.
    #[cold]
    pub(super) fn report_new(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey) {
        let Some(r) = f.def(i) else { return };
        let (around, explainer) = (self.around, &mut self.explainer);
        let keyed = &explainer.in_words(Number(self.scratch.numbers[r]), Some(key), None);
        let above = explainer.nearest(key, |s| around.dom.dominates(s.block, b));
        let (beside, remarks) = (explainer.latest(key), &mut *explainer.remarks);
        let why;
        if let Some(s) = above.filter(|s| type_of(&s.key) != type_of(key)) {
            remarks.missed(f, i, Event::AnotherWidth(keyed, Who(s.inst), type_of(&s.key)));
        } else if let Some(s) = above.filter(|_| opcode(key).format() == Format::Const) {
            remarks.note(f, i, Event::ConstantElsewhere(keyed, Who(s.inst), s.block));
        } else if let Some(s) = above {
            let versions = around.memory_ssa().map(|_| (version_of(&s.key), version_of(key)));
            why = around.why_written(f, (s.inst, i), versions);
            let is_call = opcode(key).format() == Format::Call;
            let event = if is_call { Event::ClobberedCall } else { Event::Clobbered };
            remarks.missed(f, i, event(keyed, Who(s.inst), &why));
        } else if let Some(s) = beside {
            let may_trap = is_trapping_arithmetic(opcode(key).effects());
            let event = if may_trap { Event::NotDominatingTrap } else { Event::NotDominating };
            remarks.missed(f, i, event(keyed, Who(s.inst), s.block, b));
        } else if let Some((store, covers)) = around.store_across(f, i) {
            let event = if covers { Event::StoreCovers } else { Event::StoreCoversPart };
            remarks.missed(f, i, event(keyed, Who(store), f.inst(store).ty));
        } else {
            remarks.note(f, i, Event::Numbered(keyed));
        }
        explainer.keep(f, i, key);
    }
    /// Reports why an instruction takes no part.
    #[inline]
    pub(super) fn report_excluded(&mut self, f: &Function, i: Inst, why: NoKey) {
        if let Some(r) = f.def(i) {
            self.explainer.remarks.missed(f, i, why.event(Number(self.scratch.numbers[r])));
        }
    }
    /// A copy has the number of its operand, which replaces it unless crumbs are left.
    #[inline]
    pub(super) fn report_copy(&mut self, f: &Function, i: Inst, of: Operand) {
        let (of, remarks) = ((f.inst(i).ty, of), &mut *self.explainer.remarks);
        match self.crumbs {
            true => remarks.note(f, i, Event::CopyStays(of)),
            false => remarks.done(f, i, Event::CopyGoes(of)),
        }
    }
}

/// Limit on the versions of memory that are searched for a reason.
const MAX_VERSIONS: usize = 200;

impl Around<'_> {
    /// Returns the last store that overlaps `load`, but wrote other bytes too, or not all. True if it wrote all.
    fn store_across(&self, f: &Function, load: Inst) -> Option<(Inst, bool)> {
        let MemoryFacts { alias, memory, .. } = self.facts?;
        let location = alias.location(f, load)?;
        let AccessKind::Def(store) = memory.kind(memory.clobber_of(alias, (self.decls, f), load)?.access) else {
            return None;
        };
        let written = alias.location(f, store).filter(|_| f.inst(store).op.format() == Format::Store)?;
        match alias.relation(self.decls, &written, &location) {
            Relation::Must(Overlap::Covers) => Some((store, true)),
            Relation::Must(Overlap::Within | Overlap::Partial) => Some((store, false)),
            Relation::Must(Overlap::Same) | Relation::May | Relation::No => None,
        }
    }
    /// Returns the reason an access or a call differs from an equal one before it. It is the first possible write to
    /// the location in between, on the path back. `versions` are the ones that the two read, if keys have the versions
    /// of memory SSA.
    fn why_written(
        &self,
        f: &Function,
        (before, here): (Inst, Inst),
        versions: Option<(Access, Access)>,
    ) -> Event<'static> {
        let Some(facts) = self.facts else { return Event::TooMuchBetween };
        let MemoryFacts { alias, memory, .. } = facts;
        let location_of = |i: Inst| alias.location(f, i).unwrap_or(Location::ANYWHERE);
        let Some(start) = memory.defining_access(here) else { return Event::TooMuchBetween };
        let location = location_of(here);
        let version = |i: Inst| match memory.access_of(i) {
            Some(a) if matches!(memory.kind(a), AccessKind::Def(_)) => Some(a),
            _ => Some(self.version_read(facts, f, &location_of(i), memory.defining_access(i)?)),
        };
        let (own, first) = match versions {
            Some((own, first)) => (Some(own), first),
            None => (version(before), self.version_read(facts, f, &location, start)),
        };
        let same_block = f.layout().block_of(before) == f.layout().block_of(here);
        let not_seen = match self.memory {
            MemoryMode::Block if !same_block => Event::ForgottenByBlock,
            _ if own == Some(first) => Event::MayAliasWithoutSsa,
            _ => Event::MayAlias,
        };
        if own == Some(first) {
            return not_seen;
        }
        // The registers of the location are assigned above the first access, and not anew between the two.
        let (mut work, mut passed): (Vec<Access>, FxHashSet<Access>) = (vec![first], FxHashSet::default());
        while let Some(access) = work.pop() {
            match memory.kind(access) {
                AccessKind::Def(i) if alias.clobbers(self.decls, f, i, &location) => return Event::WrittenBetween(i),
                // The walk ended here for being too long.
                AccessKind::Def(_) => return Event::TooMuchBetween,
                AccessKind::Phi(_) if passed.len() == MAX_VERSIONS => return Event::TooMuchBetween,
                AccessKind::Phi(_) if passed.insert(access) => {
                    let operands = memory.phi_operands(access, self.cfg);
                    let found = operands.map(|(_, o)| memory.clobber(alias, (self.decls, f), &location, o).access);
                    work.extend(found.filter(|a| Some(*a) != own));
                }
                AccessKind::Phi(_) | AccessKind::OnEntry | AccessKind::Use(_) => {}
            }
        }
        match (versions, memory.kind(first)) {
            (None, _) => not_seen,
            (Some(_), AccessKind::Phi(b)) => Event::PathsMeet(b),
            (Some(_), AccessKind::Def(_) | AccessKind::Use(_) | AccessKind::OnEntry) => Event::TooMuchBetween,
        }
    }
}
