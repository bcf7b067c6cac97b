//! The remarks of `gvn`: what happened to a value, and why not more.
//!
//! Reasons are looked for only where somebody listens. What writes between two equal accesses is asked of memory SSA,
//! with `mem=kill` too.

use super::GlobalNumberer;
use super::memory::{Around, MemoryMode};
use crate::analysis::MemoryFacts;
use crate::analysis::alias::{Location, Overlap, Relation};
use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::memory_ssa::{Access, AccessKind};
use crate::pass::remarks::{Remarks, Who};
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::explain::{Numbered, SeenKeys};
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Number, opcode, type_of};
use lir_syntax::ir::{Block, EntityRef, Format, Function, Inst, Operand, SecondaryMap};
use rustc_hash::FxHashSet;

/// The instructions numbered so far, for reasons.
pub(super) struct Explainer<'a> {
    remarks: &'a mut Remarks,
    /// The printed numbers of versions of memory, where keys have those of memory SSA.
    printed: Option<SecondaryMap<Access, u32>>,
    seen: SeenKeys,
}

impl<'a> Explainer<'a> {
    /// Returns an explainer if remarks are on.
    pub(super) fn new(remarks: &'a mut Remarks, f: &Function, around: Around<'_>) -> Option<Explainer<'a>> {
        remarks.on().then(|| {
            let printed = around.memory_ssa().map(|facts| facts.memory.printed_numbers(f));
            Explainer { remarks, printed, seen: SeenKeys::default() }
        })
    }
    /// A number and its key, with the printed version of memory of a load.
    fn numbered(&self, number: u32, key: &ValueKey, first: Option<Inst>) -> Numbered {
        let mut key = *key;
        if let Some(printed) = self.printed.as_ref().filter(|_| opcode(&key).format() == Format::Load) {
            key.operands[2] = printed[version_of(&key)];
        }
        Numbered { number: Number(number), key: Some(key), first }
    }
}

/// The version of memory SSA in the key of a load or call.
fn version_of(key: &ValueKey) -> Access {
    Access::new(key.operands[2] as usize)
}

impl GlobalNumberer<'_> {
    /// Calls `say` if remarks are on.
    #[inline]
    pub(super) fn explain(&mut self, say: impl FnOnce(&mut Self)) {
        if self.explainer.is_some() {
            say(self);
        }
    }
    /// Notes that an instruction was entered under a key.
    pub(super) fn keep_seen(&mut self, b: Block, i: Inst, key: &ValueKey) {
        if let Some(explainer) = &mut self.explainer {
            explainer.seen.keep(*key, i, b);
        }
    }
    /// An instruction, still in its block, is replaced by what has its key.
    #[cold]
    pub(super) fn say_found(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey, by: Operand) {
        let (dom, number) = (self.around.dom, self.scratch.number_of(by));
        let Some(explainer) = &mut self.explainer else { return };
        let first = explainer.seen.of_text(key).find(|s| s.key == *key && dom.dominates(s.block, b));
        let found = explainer.numbered(number, key, first.map(|s| s.inst));
        let ty = f.def(i).map_or(f.inst(i).ty, |r| f.type_of(r));
        explainer.remarks.done(f, i, found.replaced_by(f, (ty, by)));
    }
    /// An instruction has a new number: why nothing equal was found. Notes that it was entered under its key.
    #[cold]
    pub(super) fn say_new(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey) {
        let Some(r) = f.def(i) else { return };
        let (around, number) = (self.around, self.scratch.numbers[r]);
        let Some(explainer) = &mut self.explainer else { return };
        let keyed = &explainer.numbered(number, key, None);
        let Explainer { remarks, seen, .. } = explainer;
        let above = seen.nearest(key, |s| around.dom.dominates(s.block, b));
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
        } else if let Some(s) = seen.of_type(key).next() {
            let may_trap = is_trapping_arithmetic(opcode(key).effects());
            let event = if may_trap { Event::NotDominatingTrap } else { Event::NotDominating };
            remarks.missed(f, i, event(keyed, Who(s.inst), s.block, b));
        } else if let Some((store, covers)) = around.store_across(f, i) {
            let event = if covers { Event::StoreCovers } else { Event::StoreCoversPart };
            remarks.missed(f, i, event(keyed, Who(store), f.inst(store).ty));
        } else {
            remarks.note(f, i, Event::Numbered(keyed));
        }
        self.keep_seen(b, i, key);
    }
    /// Says why an instruction takes no part.
    #[inline]
    pub(super) fn say_excluded(&mut self, f: &Function, i: Inst, why: NoKey) {
        if let Some(r) = f.def(i) {
            let number = Number(self.scratch.numbers[r]);
            self.say(|remarks| remarks.missed(f, i, why.event(number)));
        }
    }
    /// A copy has the number of its operand, which replaces it unless crumbs are left.
    #[inline]
    pub(super) fn say_copy(&mut self, f: &Function, i: Inst, of: Operand) {
        let of = (f.inst(i).ty, of);
        match self.crumbs {
            true => self.say(|remarks| remarks.note(f, i, Event::CopyStays(of))),
            false => self.say_done(f, i, Event::CopyGoes(of)),
        }
    }
    /// Reports an instruction, still in its block, that was replaced for another reason.
    #[inline]
    pub(super) fn say_done(&mut self, f: &Function, i: Inst, event: Event<'_>) {
        self.say(|remarks| remarks.done(f, i, event));
    }
    #[inline]
    fn say(&mut self, say: impl FnOnce(&mut Remarks)) {
        if let Some(explainer) = &mut self.explainer {
            say(explainer.remarks);
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
    /// the location in between, on the path back. `versions` are those that the two read, where keys have those of
    /// memory SSA.
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
