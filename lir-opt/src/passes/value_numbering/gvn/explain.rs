//! What `--explain` and `--remarks` are told: what happened to a value, and why not more.
//!
//! Reasons are looked for only where somebody listens. Of everything that was numbered a note is kept by its key
//! without what tells equal texts apart (the version of memory, the type of a load, the block of a constant), so that
//! for a value that is new the nearest equal one can be named with what is between. What writes in between is asked of
//! memory SSA, with `mem=kill` too.

use super::State;
use super::memory::{Memory, MemoryMode};
use crate::analysis::alias::{AliasOracle, Location, Overlap, Relation};
use crate::analysis::effects::{callee_attrs, is_trapping_arithmetic};
use crate::analysis::memory_ssa::{Access, AccessKind, MemorySsa};
use crate::pass::remarks::{Message, Remarks};
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{
    opcode, type_of, write_key, write_number, write_number_or_reg, write_who,
};
use lir_syntax::ir::{Attrs, Block, EntityRef, Format, Function, Inst, Opcode, Operand, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// What was numbered so far, for reasons.
pub(super) struct Explainer<'a> {
    remarks: &'a mut Remarks,
    alias: &'a AliasOracle,
    memory: &'a MemorySsa,
    /// The numbers that versions of memory have in print, where keys have those of memory SSA.
    printed: Option<SecondaryMap<Access, u32>>,
    /// By key without what tells equal texts apart; latest last.
    seen: FxHashMap<(u32, [u32; 3]), Vec<Seen>>,
}

impl<'a> Explainer<'a> {
    /// One, where somebody listens; `memory` is then in memory SSA, whatever versions keys have: those of `mode`.
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
    /// A key with the version of memory that a load has in print.
    fn in_print(&self, key: &ValueKey) -> ValueKey {
        let [a, b, version] = key.operands;
        match &self.printed {
            Some(printed) if opcode(key).format() == Format::Load => {
                ValueKey { head: key.head, operands: [a, b, printed[Access::new(version as usize)]] }
            }
            _ => *key,
        }
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

/// The version of memory SSA that the key of a load or of a call has.
fn version_of(key: &ValueKey) -> Access {
    Access::new(key.operands[2] as usize)
}

/// What of a key equal texts have in common.
fn text_of(key: &ValueKey) -> (u32, [u32; 3]) {
    let [a, b, c] = key.operands;
    match opcode(key).format() {
        Format::Load => (Opcode::Load as u32, [a, b, 0]),
        Format::Const => (key.head, [a, 0, 0]),
        Format::Call => (key.head, [a, b, 0]),
        _ => (key.head, [a, b, c]),
    }
}

impl State<'_> {
    /// Whether somebody listens.
    #[inline]
    pub(super) fn explains(&self) -> bool {
        self.explainer.is_some()
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
        let (decls, dom) = (self.around.decls, self.around.dom);
        let number = self.t.number_of(by);
        let Some(explainer) = &mut self.explainer else { return };
        let shown = explainer.in_print(key);
        let Explainer { remarks, seen, .. } = explainer;
        let seen = seen.get(&text_of(key)).into_iter().flatten();
        let who = seen.rev().find(|s| s.key == *key && dom.dominates(s.block, b));
        let is_store = who.is_some_and(|s| f.inst(s.inst).op.format() == Format::Store);
        remarks.done(f, i, if is_store { "forwarded" } else { "merged" }, |m| {
            m.text("number ");
            write_number(m, f, decls, number);
            m.text(", key ");
            write_key(m, f, decls, &shown);
            match who {
                Some(s) if is_store => {
                    m.text(": ");
                    write_who(m, f, s.inst);
                    m.text(" left ");
                    write_number_or_reg(m, f, by);
                    m.text(" there, which replaces it");
                }
                Some(s) => {
                    m.text(", which ");
                    write_who(m, f, s.inst);
                    m.text(" has, too: replaced by ");
                    write_number_or_reg(m, f, by);
                }
                None => {
                    m.text(": replaced by ");
                    write_number_or_reg(m, f, by);
                }
            }
        });
    }
    /// An instruction has a new number: why nothing equal was found.
    #[cold]
    pub(super) fn say_new(&mut self, f: &Function, b: Block, i: Inst, key: &ValueKey) {
        let Some(r) = f.def(i) else { return };
        let (around, number) = (self.around, self.t.numbers[r]);
        let (decls, dom) = (around.decls, around.dom);
        let Some(explainer) = &mut self.explainer else { return };
        let shown = explainer.in_print(key);
        let Explainer { remarks, alias, memory, seen, .. } = explainer;
        let all = || seen.get(&text_of(key)).into_iter().flatten().rev();
        let head = |m: &mut Message<'_>| {
            m.text("number ");
            write_number(m, f, decls, number);
            m.text(", key ");
            write_key(m, f, decls, &shown);
            m.text("; ");
        };
        let format = opcode(key).format();
        // The same text with the same type says more than one with another.
        let of_type = || all().filter(|s| s.key.head == key.head);
        let above = of_type().find(|s| dom.dominates(s.block, b));
        let above = above.or_else(|| all().find(|s| dom.dominates(s.block, b)));
        if let Some(s) = above.filter(|s| s.key.head != key.head) {
            remarks.missed(f, i, "another-width", |m| {
                head(m);
                write_who(m, f, s.inst);
                m.text(format_args!(
                    " accesses the place as {}, of which no {} follows",
                    type_of(&s.key),
                    type_of(key)
                ));
            });
        } else if let Some(s) = above.filter(|_| format == Format::Const) {
            remarks.note(f, i, "constant", |m| {
                head(m);
                write_who(m, f, s.inst);
                m.text(" in block ").block(s.block);
                m.text(" is the same, but a constant is numbered in its own block only");
            });
        } else if let Some(s) = above {
            let versions = matches!(around.memory, Memory::Ssa(..)).then(|| (version_of(&s.key), version_of(key)));
            let reason = around.why_written(f, (alias, memory), (s.inst, i), versions);
            remarks.missed(f, i, "clobbered", |m| {
                head(m);
                write_who(m, f, s.inst);
                m.text(if format == Format::Call {
                    " calls it with the same arguments, but "
                } else {
                    " has the same place, but "
                });
                reason.write(m, f);
            });
        } else if let Some(s) = of_type().next() {
            remarks.missed(f, i, "not-dominating", |m| {
                head(m);
                write_who(m, f, s.inst);
                m.text(" in block ").block(s.block).text(" is equal, but ").block(s.block);
                m.text(" does not dominate ").block(b);
                if is_trapping_arithmetic(opcode(key).effects()) {
                    m.text(", and what may trap is not moved to a block that does");
                }
            });
        } else if let Some((store, how)) = around.store_across(f, alias, memory, i) {
            remarks.missed(f, i, "another-width", |m| {
                head(m);
                write_who(m, f, store);
                let (wide, ty) = (f.inst(store).ty, type_of(key));
                m.text(format_args!(" covers {how} with an {wide}, another width, of which no {ty} follows"));
            });
        } else {
            remarks.note(f, i, "numbered", |m| {
                head(m);
                m.text("nothing before it is equal");
            });
        }
    }
    /// An instruction takes no part.
    #[cold]
    pub(super) fn say_excluded(&mut self, f: &Function, i: Inst) {
        let Some(r) = f.def(i) else { return };
        let (decls, number) = (self.around.decls, self.t.numbers[r]);
        let memory_is_off = matches!(self.around.memory, Memory::Off);
        let Some(Explainer { remarks, .. }) = &mut self.explainer else { return };
        let d = f.inst(i);
        let is_phi = d.op.format() == Format::Phi;
        remarks.missed(f, i, if is_phi { "phi" } else { "impure" }, |m| {
            m.text("number ");
            write_number(m, f, decls, number);
            m.text(" of its own: ");
            if is_phi {
                m.text("the operands of a phi may come along back edges; equal phis of one block are for phi-simplify");
            } else if d.op.format() == Format::Call {
                let attrs = callee_attrs(decls, f, i);
                m.text(match (attrs.has(Attrs::READNONE), attrs.has(Attrs::READONLY)) {
                    (true, _) => "the callee returns twice, or aggregates are passed",
                    (false, true) if memory_is_off => "the callee reads memory, which is not numbered with mem=off",
                    (false, true) => "the callee returns twice, or aggregates are passed",
                    (false, false) => "a call whose callee is not known to leave memory alone",
                });
            } else if d.op.format() == Format::Load && d.is_volatile() {
                m.text("it is volatile");
            } else if d.op.format() == Format::Load && memory_is_off {
                m.text("loads are not numbered with mem=off");
            } else {
                m.text(format_args!("{} has effects", d.op.info().mnemonic));
            }
        });
    }
    /// A copy has the number of its operand, which replaces it unless crumbs are left.
    #[cold]
    pub(super) fn say_copy(&mut self, f: &Function, i: Inst, of: Operand) {
        let crumbs = self.crumbs;
        let Some(Explainer { remarks, .. }) = &mut self.explainer else { return };
        let words = "a copy has the number of its operand";
        if crumbs {
            remarks.note(f, i, "copy", |m| write_number_or_reg(m.text(words).text(", "), f, of));
        } else {
            remarks.done(f, i, "copy", |m| write_number_or_reg(m.text(words).text(": replaced by "), f, of));
        }
    }
    /// An instruction, still in its block, was found out in another way: what was done, in words.
    #[cold]
    pub(super) fn say_done(&mut self, f: &Function, i: Inst, event: &'static str, words: &str, to: Option<Operand>) {
        let Some(Explainer { remarks, .. }) = &mut self.explainer else { return };
        remarks.done(f, i, event, |m| {
            m.text(words);
            if let Some(o) = to {
                write_number_or_reg(m, f, o);
            }
        });
    }
}

/// Why memory is not known to be as it was.
#[derive(Copy, Clone)]
enum Reason {
    /// This instruction may write to the place.
    Written(Inst),
    /// The walk of memory SSA did not get over the phi of this block: for its limits, or for a register of the place
    /// that is assigned below the version that it came to.
    Meet(Block),
    /// What may have written was not looked for any further.
    GivenUp,
    /// Nothing that writes to it was found, but the versions do not tell places apart well enough; nor does memory SSA
    /// where `for_ssa`.
    TooCoarse { for_ssa: bool },
    /// Nothing that writes to it was found, but memory is forgotten at the top of each block.
    Forgotten,
}

impl Reason {
    fn write(self, m: &mut Message<'_>, f: &Function) {
        match self {
            Reason::Written(i) => {
                m.text(format_args!("the {}", f.inst(i).op.info().mnemonic)).line_of(i);
                m.text(" may write to it in between");
            }
            Reason::Meet(b) => {
                m.text("memory SSA does not see past the ways that meet at block ").block(b);
            }
            Reason::GivenUp => {
                m.text("there is too much in between that might write to it to look at all");
            }
            Reason::TooCoarse { for_ssa } => {
                m.text("what is written in between is not told apart from it");
                m.text(if for_ssa { "" } else { " (with mem=ssa it is)" });
            }
            Reason::Forgotten => {
                m.text("with mem=block memory is forgotten at the top of each block");
            }
        }
    }
}

/// Versions of memory that are gone through for a reason.
const MAX_VERSIONS: usize = 200;

impl super::memory::Around<'_> {
    /// The store that wrote the place of `load` last, if it wrote other bytes, too, or not all of them; and which it
    /// did.
    fn store_across(
        &self,
        f: &Function,
        alias: &AliasOracle,
        memory: &MemorySsa,
        load: Inst,
    ) -> Option<(Inst, &'static str)> {
        let place = alias.location(f, load)?;
        let AccessKind::Def(store) = memory.kind(memory.clobber_of(alias, (self.decls, f), load)?.access) else {
            return None;
        };
        let written = alias.location(f, store).filter(|_| f.inst(store).op.format() == Format::Store)?;
        match alias.relation(self.decls, &written, &place) {
            Relation::Must(Overlap::Covers) => Some((store, "the place")),
            Relation::Must(Overlap::Within | Overlap::Partial) => Some((store, "part of the place")),
            Relation::Must(Overlap::Same) | Relation::May | Relation::No => None,
        }
    }
    /// Why an access of a place, or a call, does not give what an equal one before it gave: what may have written there
    /// in between, the first that is found on the way back. `versions` are those that the two read, where keys have
    /// those of memory SSA.
    fn why_written(
        &self,
        f: &Function,
        (alias, memory): (&AliasOracle, &MemorySsa),
        (before, here): (Inst, Inst),
        versions: Option<(Access, Access)>,
    ) -> Reason {
        let place_of = |i: Inst| alias.location(f, i).unwrap_or(Location::ANYWHERE);
        let Some(start) = memory.defining_access(here) else { return Reason::GivenUp };
        let place = place_of(here);
        let version = |i: Inst| match memory.access_of(i) {
            Some(a) if matches!(memory.kind(a), AccessKind::Def(_)) => Some(a),
            _ => Some(self.version_read(alias, memory, f, &place_of(i), memory.defining_access(i)?)),
        };
        let (own, first) = match versions {
            Some((own, first)) => (Some(own), first),
            None => (version(before), self.version_read(alias, memory, f, &place, start)),
        };
        let same_block = f.layout().block_of(before) == f.layout().block_of(here);
        let not_seen = match self.memory {
            Memory::Block if !same_block => Reason::Forgotten,
            _ => Reason::TooCoarse { for_ssa: own != Some(first) },
        };
        if own == Some(first) {
            return not_seen;
        }
        // The registers of the place are assigned above the first access, and not anew between the two.
        let (mut work, mut passed): (Vec<Access>, FxHashSet<Access>) = (vec![first], FxHashSet::default());
        while let Some(access) = work.pop() {
            match memory.kind(access) {
                AccessKind::Def(i) if alias.clobbers(self.decls, f, i, &place) => return Reason::Written(i),
                // The walk ended here for being too long.
                AccessKind::Def(_) => return Reason::GivenUp,
                AccessKind::Phi(_) if passed.len() == MAX_VERSIONS => return Reason::GivenUp,
                AccessKind::Phi(_) if passed.insert(access) => {
                    let operands = memory.phi_operands(access, self.cfg);
                    let found = operands.map(|(_, o)| memory.clobber(alias, (self.decls, f), &place, o).access);
                    work.extend(found.filter(|a| Some(*a) != own));
                }
                AccessKind::Phi(_) | AccessKind::OnEntry | AccessKind::Use(_) => {}
            }
        }
        match (versions, memory.kind(first)) {
            (None, _) => not_seen,
            (Some(_), AccessKind::Phi(b)) => Reason::Meet(b),
            (Some(_), AccessKind::Def(_) | AccessKind::Use(_) | AccessKind::OnEntry) => Reason::GivenUp,
        }
    }
}
