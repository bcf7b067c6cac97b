//! Remarks: the changes that passes made to a value, and the reasons for changes that they did not make.
//!
//! A pass calls [`Remarks::done`], [`Remarks::missed`] or [`Remarks::note`] with an instruction and the event with its
//! culprits as data; [`events!`] declares the name and the sentence of each. Remarks are recorded for `--explain=%v`
//! (one value) and `--remarks=FILE` (all); otherwise a call costs the test of one bool. Passes search for costly
//! culprits only if [`Remarks::on`] is true. Registers have the names that the run prints: old ones the name before the
//! pass, new ones the name after it. Positions are offsets of the source until the remarks are printed. Changes that a
//! pass does not report are reported by [`crate::pipeline::watchers::implied_changes`].
//!
//! ```text
//! cx.remarks.done(f, i, Common::HasValue((ty, earlier)));
//! ```
//!
//! Source: the optimization remarks of LLVM ("-pass-remarks", `llvm::OptimizationRemarkEmitter`).

mod entity_names;
mod event;
mod message;
mod of_several_passes;

pub use crate::events;
pub(crate) use entity_names::Names;
pub use event::RemarkEvent;
pub(crate) use message::AtLoc;
pub use message::{At, By, Bytes, Message, Said, Typed, Who, Words};
pub(crate) use of_several_passes::Common;

use crate::pass::StepRun;
use lir_syntax::ir::function::SourceLoc;
use lir_syntax::ir::{Block, Decls, Function, Inst, Obj, Reg, Sym};
use lir_syntax::text::source::LineTable;
use rustc_hash::{FxHashMap, FxHashSet};

/// The remarks that are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Listen {
    /// Nothing.
    #[default]
    Off,
    /// The remarks about the registers of a name.
    Value(ListenTo),
    /// Everything.
    All,
}

/// A name to listen to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListenTo {
    /// The name as it is printed, without `%`.
    pub name: String,
    /// The functions in which it is a variable with several assignments. These become registers that are named after
    /// it, which are listened to as well.
    pub variable_in: Vec<Sym>,
}

impl ListenTo {
    fn hears(&self, f: &Function, r: Reg, printed: &str) -> bool {
        let follows = || f.names.get(f.regs[r].name) == self.name.as_bytes() && self.variable_in.contains(&f.sym);
        printed.strip_prefix('%') == Some(&self.name) || follows()
    }
}

/// The kind of a remark.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// The pass changed something.
    Done,
    /// The pass did not make a change, and reports the reason.
    Missed,
    /// A fact that the pass found.
    Note,
}

impl RemarkKind {
    /// Returns the name in the file of remarks.
    pub fn name(self) -> &'static str {
        match self {
            RemarkKind::Done => "done",
            RemarkKind::Missed => "missed",
            RemarkKind::Note => "note",
        }
    }
}

/// One remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The pass.
    pub run: StepRun,
    /// The kind.
    pub kind: RemarkKind,
    /// The event, in kebab case: `merged`.
    pub event: &'static str,
    /// The function, with `@`.
    pub function: String,
    /// The block of the instruction.
    pub block: String,
    /// The register that the instruction assigns, with `%`.
    pub value: Option<String>,
    /// The position of the instruction in the source. [`NO_LOC`](lir_syntax::ir::function::NO_LOC) if it has none.
    pub loc: SourceLoc,
    message: Vec<Piece>,
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    /// The line of this offset.
    Line(SourceLoc),
    /// These have their names when the pass has ended.
    Reg(Reg),
    Block(Block),
    Obj(Obj),
    Sym(Sym),
}

/// A remark of the pass that is running, whose names are not given yet.
struct Unnamed {
    sym: Sym,
    /// The first of them that is listened to is the value of the remark.
    values: [Option<Reg>; 2],
    block: Option<Block>,
    /// The instruction, unless the remark is about a register other than the instruction's.
    inst: Option<Inst>,
    is_terminator: bool,
    remark: Remark,
}

/// The instructions that a pass reported as changed.
#[derive(Default)]
pub(crate) struct Spoken {
    insts: FxHashSet<Inst>,
    regs: FxHashSet<Reg>,
    /// The blocks whose terminators it reported.
    pub(crate) blocks: FxHashSet<Block>,
}

impl Spoken {
    /// True if it reported an instruction, or the register that the instruction assigns.
    pub(crate) fn is_of(&self, i: Inst, def: Option<Reg>) -> bool {
        self.insts.contains(&i) || def.is_some_and(|r| self.regs.contains(&r))
    }
}

/// The remarks so far, and the wanted ones.
#[derive(Default)]
pub struct Remarks {
    on: bool,
    listen: Listen,
    run: StepRun,
    unnamed: Vec<Unnamed>,
    said: Vec<Remark>,
}

impl Remarks {
    /// Makes an empty list, for this listener.
    pub fn new(listen: Listen) -> Remarks {
        Remarks { on: listen != Listen::Off, listen, ..Remarks::default() }
    }
    /// True if anybody listens.
    #[inline]
    pub fn on(&self) -> bool {
        self.on
    }
    /// True if only the remarks about one value are wanted.
    pub(crate) fn is_about_a_value(&self) -> bool {
        matches!(self.listen, Listen::Value(_))
    }
    /// Reports that the pass changed an instruction.
    #[inline]
    pub fn done(&mut self, f: &Function, i: Inst, event: impl RemarkEvent) {
        if self.on {
            self.say(RemarkKind::Done, (f, i, [f.def(i), None]), &event);
        }
    }
    /// Reports why the pass did not change an instruction.
    #[inline]
    pub fn missed(&mut self, f: &Function, i: Inst, event: impl RemarkEvent) {
        if self.on {
            self.say(RemarkKind::Missed, (f, i, [f.def(i), None]), &event);
        }
    }
    /// Reports a fact that the pass found about an instruction.
    #[inline]
    pub fn note(&mut self, f: &Function, i: Inst, event: impl RemarkEvent) {
        if self.on {
            self.say(RemarkKind::Note, (f, i, [f.def(i), None]), &event);
        }
    }
    /// Reports a fact about the position of an instruction, and not about its value.
    pub fn note_here(&mut self, f: &Function, i: Inst, event: impl RemarkEvent) {
        if self.on {
            self.say(RemarkKind::Note, (f, i, [None, None]), &event);
        }
    }
    /// Reports a change of a register that the instruction reads, or read. The remark is also shown if the other
    /// register is wanted.
    pub fn done_of(&mut self, f: &Function, i: Inst, (value, other): (Reg, Option<Reg>), event: impl RemarkEvent) {
        if self.on {
            self.say(RemarkKind::Done, (f, i, [Some(value), other]), &event);
        }
    }
    /// Adds a remark about an instruction that is (still) in a block, and a value.
    #[cold]
    fn say(&mut self, kind: RemarkKind, (f, i, values): (&Function, Inst, [Option<Reg>; 2]), event: &dyn RemarkEvent) {
        let remark = Remark {
            run: self.run,
            kind,
            event: event.name(),
            function: String::new(),
            block: String::new(),
            value: None,
            loc: f.loc_of(i),
            message: sentence(f, event),
        };
        let inst = Some(i).filter(|i| values == [f.def(*i), None]);
        let (block, is_terminator) = (f.layout().block_of(i), f.inst(i).op.is_terminator());
        self.unnamed.push(Unnamed { sym: f.sym, values, block, inst, is_terminator, remark });
    }
    /// Reports why a register that the instruction reads or assigns was not changed.
    pub fn missed_of(&mut self, f: &Function, i: Inst, value: Reg, event: impl RemarkEvent) {
        if self.on {
            self.say(RemarkKind::Missed, (f, i, [Some(value), None]), &event);
        }
    }
    /// Names the culprits of a stage that does not change the function, at its end.
    pub fn end_stage(&mut self, decls: &Decls, f: &Function) {
        if !self.unnamed.is_empty() {
            self.end(&[Names::new(decls, f, f)]);
        }
    }
    /// A step begins.
    pub fn begin(&mut self, run: StepRun) {
        self.run = run;
    }
    /// Ends the pass: adds the names to the remarks on these functions, and drops unwanted remarks.
    pub(crate) fn end(&mut self, functions: &[Names<'_>]) {
        let names: FxHashMap<Sym, &Names<'_>> = functions.iter().map(|n| (n.before.sym, n)).collect();
        for Unnamed { sym, values, block, mut remark, .. } in self.unnamed.drain(..) {
            let names = names[&sym];
            let is_heard = |r: &Reg| match &self.listen {
                Listen::Value(to) => to.hears(names.function_with(*r), *r, &names.reg(*r)),
                Listen::All | Listen::Off => true,
            };
            let value = values.into_iter().flatten().find(is_heard);
            if value.is_none() && self.listen != Listen::All {
                continue;
            }
            remark.function = names.sym(sym);
            remark.block = block.map_or(String::new(), |b| names.block(b));
            remark.value = value.map(|r| names.reg(r));
            remark.message.iter_mut().for_each(|p| names.give(p));
            self.said.push(remark);
        }
    }
    /// Returns the changes that the pass reported, by function.
    pub(crate) fn spoken(&self) -> FxHashMap<Sym, Spoken> {
        let mut spoken: FxHashMap<Sym, Spoken> = FxHashMap::default();
        for u in self.unnamed.iter().filter(|u| u.remark.kind == RemarkKind::Done) {
            let of = spoken.entry(u.sym).or_default();
            of.insts.extend(u.inst);
            of.regs.extend(u.values[0]);
            of.blocks.extend(u.block.filter(|_| u.is_terminator));
        }
        spoken
    }
    /// Returns the number of remarks of the pass so far.
    pub(crate) fn len(&self) -> usize {
        self.unnamed.len()
    }
    /// Drops the remarks from number `len` on, except reports of changes: the pass visits the function again.
    pub(crate) fn keep_done_since(&mut self, len: usize) {
        let since = self.unnamed.split_off(len);
        self.unnamed.extend(since.into_iter().filter(|u| u.remark.kind == RemarkKind::Done));
    }
    /// Returns the number of remarks of the passes that have ended, since the last call of [`Remarks::take`].
    pub(crate) fn num_said(&self) -> usize {
        self.said.len()
    }
    /// Returns these remarks from number `from` on.
    pub(crate) fn said_since(&self, from: usize) -> &[Remark] {
        &self.said[from..]
    }
    /// Returns an empty list for the same listener.
    pub(crate) fn empty_like(&self) -> Remarks {
        Remarks::new(self.listen.clone())
    }
    /// Adds a remark of a pass that has ended.
    pub(crate) fn add(&mut self, remark: Remark) {
        self.said.push(remark);
    }
    /// Takes the remarks since the last call.
    pub fn take(&mut self) -> Vec<Remark> {
        std::mem::take(&mut self.said)
    }
}

impl Remark {
    /// Returns a note about the same value.
    pub(crate) fn note(&self, event: &'static str, text: String) -> Remark {
        Remark { kind: RemarkKind::Note, event, message: vec![Piece::Text(text)], ..self.clone() }
    }
    /// Returns the sentence.
    pub fn message(&self, lines: &LineTable) -> String {
        let words = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Line(loc) => lines.line(*loc).to_string(),
            Piece::Reg(_) | Piece::Block(_) | Piece::Obj(_) | Piece::Sym(_) => unreachable!("the pass has ended"),
        };
        self.message.iter().map(words).collect()
    }
}

/// Returns the sentence of an event.
fn sentence(f: &Function, event: &dyn RemarkEvent) -> Vec<Piece> {
    let mut message = Message::new(f);
    event.write(&mut message);
    message.into_pieces()
}
