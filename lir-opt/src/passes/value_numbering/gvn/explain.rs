//! The remarks of `gvn`: what happened to a value, and why not more.
//!
//! Reasons are looked for only where somebody listens. Of everything that was numbered a note is kept by its key
//! without what tells equal texts apart (the version of memory, the type of a load, the block of a constant), so that
//! for a value that is new the nearest equal one can be named with what is between. What writes in between is asked of
//! memory SSA, with `mem=kill` too.

use super::GlobalNumberer;
use super::memory::{Memory, MemoryMode};
use crate::analysis::alias::{AliasOracle, Location, Overlap, Relation};
use crate::analysis::effects::{callee_attrs, is_trapping_arithmetic};
use crate::analysis::memory_ssa::{Access, AccessKind, MemorySsa};
use crate::pass::remarks::{Message, Remarks, Said, Who};
use crate::passes::value_numbering::gvn::events::Event;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Key, Number, opcode, type_of};
use lir_syntax::ir::{Attrs, Block, EntityRef, Format, Function, Inst, Opcode, Operand, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// The instructions numbered so far, for reasons.
pub(super) struct Explainer<'a> {
    remarks: &'a mut Remarks,
    alias: &'a AliasOracle,
    memory: &'a MemorySsa,
    /// The printed numbers of versions of memory, where keys have those of memory SSA.
    printed: Option<SecondaryMap<Access, u32>>,
    /// By key without what tells equal texts apart; latest last.
    seen: FxHashMap<(u32, [u32; 3]), Vec<Seen>>,
}

impl<'a> Explainer<'a> {
    /// Returns an explainer if remarks are on. `memory` is then in memory SSA, whatever versions keys have, which are
    /// those of `mode`.
    pub(super) fn new(
        remarks: &'a mut Remarks,
        f: &Function,
        memory: Memory<'a>,
        mode: MemoryMode,
    ) -> Option<Explainer<'a>> {
        let Memory::Ssa(alias, memory) = memory else { return None };
        remarks.on().then(|| {
            let printed = (mode == MemoryMode::Ssa).then(|| memory.printed_numbers(f));
            Explainer { remarks, alias, memory, printed, seen: FxHashMap::default() }
        })
    }
    /// A number and its key, with the printed version of memory of a load.
    fn keyed(&self, number: u32, key: &ValueKey) -> Keyed {
        let mut key = *key;
        if let Some(printed) = self.printed.as_ref().filter(|_| opcode(&key).format() == Format::Load) {
            key.operands[2] = printed[version_of(&key)];
        }
        Keyed(Number(number), Key { key, is_of_parts: false })
    }
}

/// A number and its key in words.
struct Keyed(Number, Key);

impl Said for Keyed {
    fn write(&self, m: &mut Message<'_>) {
        self.0.write(m.text("number "));
        self.1.write(m.text(", key "));
    }
}

/// Something that was entered into the table.
#[derive(Copy, Clone)]
pub(super) struct Seen {
    key: ValueKey,
    inst: Inst,
    block: Block,
}

/// Notes that are kept of one text.
const MAX_SEEN: usize = 64;

/// The version of memory SSA in the key of a load or call.
fn version_of(key: &ValueKey) -> Access {
    Access::new(key.operands[2] as usize)
}

/// Returns the part of a key that equal texts have in common.
fn text_of(key: &ValueKey) -> (u32, [u32; 3]) {
    let [a, b, c] = key.operands;
    match opcode(key).format() {
        Format::Load => (Opcode::Load as u32, [a, b, 0]),
        Format::Const => (key.head, [a, 0, 0]),
        Format::Call => (key.head, [a, b, 0]),
        _ => (key.head, [a, b, c]),
    }
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
        let Some(explainer) = &mut self.explainer else { return };
        let seen = explainer.seen.entry(text_of(key)).or_default();
        if seen.len() < MAX_SEEN {
            seen.push(Seen { key: *key, inst: i, block: b });
        }
    }
    /// An instruction, still in its block, is replaced by what has its key.
    #[cold]
    pub(super) fn say_found(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey, by: Operand) {
        let (dom, number) = (self.around.dom, self.scratch.number_of(by));
        let Some(explainer) = &mut self.explainer else { return };
        let keyed = &explainer.keyed(number, key);
        let seen = explainer.seen.get(&text_of(key)).into_iter().flatten();
        let who = seen.rev().find(|s| s.key == *key && dom.dominates(s.block, b));
        let by = (f.def(i).map_or(f.inst(i).ty, |r| f.type_of(r)), by);
        let event = match who.map(|s| s.inst) {
            Some(s) if f.inst(s).op.format() == Format::Store => Event::StoreLeft(keyed, Who(s), by),
            Some(s) => Event::HasTheKey(keyed, Who(s), by),
            None => Event::KeyIsKnown(keyed, by),
        };
        explainer.remarks.done(f, i, event);
    }
    /// An instruction has a new number: why nothing equal was found. Notes that it was entered under its key.
    #[cold]
    pub(super) fn say_new(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey) {
        let Some(r) = f.def(i) else { return };
        let (around, number) = (self.around, self.scratch.numbers[r]);
        let Some(explainer) = &mut self.explainer else { return };
        let keyed = &explainer.keyed(number, key);
        let Explainer { remarks, alias, memory, seen, .. } = explainer;
        let all = || seen.get(&text_of(key)).into_iter().flatten().rev();
        let is_call = opcode(key).format() == Format::Call;
        // The same text with the same type says more than one with another.
        let of_type = || all().filter(|s| s.key.head == key.head);
        let dominates = |s: &&Seen| around.dom.dominates(s.block, b);
        let above = of_type().find(dominates).or_else(|| all().find(dominates));
        let why;
        if let Some(s) = above.filter(|s| s.key.head != key.head) {
            remarks.missed(f, i, Event::AnotherWidth(keyed, Who(s.inst), type_of(&s.key)));
        } else if let Some(s) = above.filter(|_| opcode(key).format() == Format::Const) {
            remarks.note(f, i, Event::ConstantElsewhere(keyed, Who(s.inst), s.block));
        } else if let Some(s) = above {
            let versions = matches!(around.memory, Memory::Ssa(..)).then(|| (version_of(&s.key), version_of(key)));
            why = around.why_written(f, (alias, memory), (s.inst, i), versions);
            let event = if is_call { Event::ClobberedCall } else { Event::Clobbered };
            remarks.missed(f, i, event(keyed, Who(s.inst), &why));
        } else if let Some(s) = of_type().next() {
            let may_trap = is_trapping_arithmetic(opcode(key).effects());
            let event = if may_trap { Event::NotDominatingTrap } else { Event::NotDominating };
            remarks.missed(f, i, event(keyed, Who(s.inst), s.block, b));
        } else if let Some((store, covers)) = around.store_across(f, alias, memory, i) {
            let event = if covers { Event::StoreCovers } else { Event::StoreCoversPart };
            remarks.missed(f, i, event(keyed, Who(store), f.inst(store).ty));
        } else {
            remarks.note(f, i, Event::Numbered(keyed));
        }
        self.keep_seen(b, i, key);
    }
    /// An instruction takes no part.
    #[cold]
    pub(super) fn say_excluded(&mut self, f: &Function, i: Inst) {
        let Some(r) = f.def(i) else { return };
        let (decls, number) = (self.around.decls, &Number(self.scratch.numbers[r]));
        let memory_is_off = matches!(self.around.memory, Memory::Off);
        let d = f.inst(i);
        let event = match d.op.format() {
            Format::Phi => Event::PhiNumber(number),
            Format::Call => {
                let attrs = callee_attrs(decls, f, i);
                match (attrs.has(Attrs::READNONE), attrs.has(Attrs::READONLY)) {
                    (false, false) => Event::ImpureCall(number),
                    (false, true) if memory_is_off => Event::CallReadsMemory(number),
                    (true, _) | (false, true) => Event::CallOfAggregates(number),
                }
            }
            Format::Load if d.is_volatile() => Event::VolatileLoad(number),
            Format::Load if memory_is_off => Event::LoadWithoutMemory(number),
            _ => Event::HasEffects(number, d.op),
        };
        self.say(|remarks| remarks.missed(f, i, event));
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

impl super::memory::Around<'_> {
    /// Returns the last store that overlaps `load`, but wrote other bytes too, or not all. True if it wrote all.
    fn store_across(&self, f: &Function, alias: &AliasOracle, memory: &MemorySsa, load: Inst) -> Option<(Inst, bool)> {
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
        (alias, memory): (&AliasOracle, &MemorySsa),
        (before, here): (Inst, Inst),
        versions: Option<(Access, Access)>,
    ) -> Event<'static> {
        let location_of = |i: Inst| alias.location(f, i).unwrap_or(Location::ANYWHERE);
        let Some(start) = memory.defining_access(here) else { return Event::TooMuchBetween };
        let location = location_of(here);
        let version = |i: Inst| match memory.access_of(i) {
            Some(a) if matches!(memory.kind(a), AccessKind::Def(_)) => Some(a),
            _ => Some(self.version_read(alias, memory, f, &location_of(i), memory.defining_access(i)?)),
        };
        let (own, first) = match versions {
            Some((own, first)) => (Some(own), first),
            None => (version(before), self.version_read(alias, memory, f, &location, start)),
        };
        let same_block = f.layout().block_of(before) == f.layout().block_of(here);
        let not_seen = match self.memory {
            Memory::Block if !same_block => Event::ForgottenByBlock,
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
