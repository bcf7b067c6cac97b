//! Remarks on the changes that a pass did not report.
//!
//! A pass reports the changes that it intends. Others follow from them: a value is no longer read, an operand becomes a
//! constant, a branch has another target. This watcher compares the function with a copy from before the pass, and
//! reports every other change: the old instruction in the old names, the new one in the new names. So no change of a
//! value is silent, though passes report reasons only. Without remarks nothing is copied or compared.
//!
//! The events:
//!
//! - `unused`: the value is no longer computed. Nothing reads it, or its readers were removed, too.
//! - `gone`: an instruction without a result, or one in a removed block, was removed.
//! - `changed`: another operation, constant or target. A register that replaces another is not reported: the other one
//!   has a remark of its own.
//! - `made`: the value is new, and the pass gave no reason. Only `--explain` of the value reports it.
//!
//! Linear in the size of the function.

use crate::edit::instruction_key::push_words;
use crate::pass::remarks::events;
use crate::pass::remarks::{Names, Remarks, Spoken};
use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch};
use lir_syntax::ir::{
    Block, Decls, EntityRef, EntitySet, Format, Function, Inst, Obj, PackedOption, Reg, SecondaryMap,
};
use lir_syntax::printer::print_function;

/// The events of this watcher. Passes have none of them.
pub const EVENTS: [&str; 4] = ["unused", "gone", "changed", "made"];

/// Copies the functions before a pass, and reports the changes that the pass did not.
#[derive(Default)]
pub(crate) struct ImpliedChanges {
    before: Vec<Function>,
}

impl Watch for ImpliedChanges {
    fn before(&mut self, step: &Step<'_>, _: &mut Vec<u8>) -> bool {
        self.before.clear();
        match step.subject {
            Subject::Function(_, f) if step.is_pass => self.before.push(f.clone()),
            Subject::Module(m) => self.before.extend(m.funcs.values().cloned()),
            Subject::Function(..) | Subject::Machine(..) => {}
        }
        true
    }
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        match step.subject {
            Subject::Function(decls, f) if step.is_pass => {
                end(&[Names::new(decls, &self.before[0], f)], decls, done.remarks);
            }
            // All functions that still exist; removed ones are reported by the pass.
            Subject::Module(m) => {
                let now = |old: &Function| m.decls.body(old.sym).map(|id| &m.funcs[id]);
                let names = |old| Names::new(&m.decls, old, now(old).unwrap_or(old));
                let names: Vec<Names<'_>> = self.before.iter().map(names).collect();
                end(&names, &m.decls, done.remarks);
            }
            Subject::Function(..) | Subject::Machine(..) => {}
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(ImpliedChanges::default())
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
}

#[cold]
fn end<'a>(functions: &'a [Names<'a>], decls: &Decls, remarks: &mut Remarks) {
    let mut spoken = remarks.spoken();
    for names in functions {
        let spoken = spoken.remove(&names.before.sym);
        tell(names, spoken, decls, remarks);
    }
    remarks.end(functions);
}

fn tell<'a>(names: &'a Names<'a>, spoken: Option<Spoken>, decls: &Decls, remarks: &mut Remarks) {
    let (old, new) = (names.before, names.after);
    let stamps = |f: &Function| (f.inst_stamp(), f.cfg_stamp());
    if stamps(old) == stamps(new) {
        return;
    }
    let mut defs = SecondaryMap::with_len(PackedOption::NONE, new.num_regs());
    for i in new.layout().all_insts() {
        new.def(i).into_iter().for_each(|r| defs[r] = i.into());
    }
    let (said, is_silent) = (remarks.len(), spoken.is_none());
    let spoken = spoken.unwrap_or_default();
    let comparison = Comparison { names, old, new, defs, blocks: new.layout().blocks().collect(), spoken };
    for b in old.layout().blocks() {
        old.layout().insts(b).for_each(|i| comparison.look_at(b, i, remarks));
    }
    if remarks.is_about_a_value() {
        comparison.report_made(remarks);
    }
    if is_silent && remarks.len() == said && texts_differ(decls, old, new) {
        comparison.report_other_changes(remarks);
    }
}

/// A stamp may change, and nothing else.
fn texts_differ(decls: &Decls, old: &Function, new: &Function) -> bool {
    let [before, after] = [old, new].map(|f| {
        let mut out = Vec::new();
        print_function(decls, f, &mut out);
        out
    });
    before != after
}

/// A function before a pass and after.
struct Comparison<'a> {
    names: &'a Names<'a>,
    old: &'a Function,
    new: &'a Function,
    /// The assignment of each register now, the last if there are several.
    defs: SecondaryMap<Reg, PackedOption<Inst>>,
    /// The blocks that exist now.
    blocks: EntitySet<Block>,
    spoken: Spoken,
}

impl Comparison<'_> {
    fn look_at(&self, b: Block, i: Inst, remarks: &mut Remarks) {
        let Comparison { names, old, new, .. } = self;
        let def = old.def(i);
        if self.spoken.is_of(i, def) {
            return;
        }
        let Some(now) = self.now(b, i) else {
            return self.report_removed(b, i, remarks);
        };
        if self.differs(b, i, now) {
            remarks.done(old, i, Event::BecameOther(&names.text_before(i), &names.text_after(now)));
        } else if new.def(now) != def {
            remarks.done(old, i, Event::IsNow(&names.text_after(now)));
        }
    }
    /// Returns the instruction in the place of another one. It is the same, another that assigns its register, or that
    /// ends its block.
    fn now(&self, b: Block, i: Inst) -> Option<Inst> {
        let Comparison { old, new, defs, blocks, .. } = self;
        // The instructions of a removed block still refer to it.
        let is_present = new.layout().block_of(i).is_some_and(|b| blocks.contains(b));
        match old.def(i) {
            Some(r) if !is_present || new.def(i) != Some(r) => {
                // If a register has several assignments, each represents itself.
                let is_new = |n: &Inst| n.index() >= old.num_insts() || old.def(*n) != Some(r);
                defs[r].expand().filter(is_new).or(is_present.then_some(i))
            }
            None if !is_present && old.inst(i).op.is_terminator() && blocks.contains(b) => Some(new.terminator(b)),
            Some(_) | None => is_present.then_some(i),
        }
    }
    fn report_removed(&self, b: Block, i: Inst, remarks: &mut Remarks) {
        let was = &self.names.text_before(i);
        let event = match (self.old.def(i), self.blocks.contains(b)) {
            (Some(_), true) => Event::Unused(was),
            (None, true) => Event::NotNeeded(was),
            (_, false) => Event::RemovedWithItsBlock(was),
        };
        remarks.done(self.old, i, event);
    }
    /// Reports the registers that the pass made without a remark.
    fn report_made(&self, remarks: &mut Remarks) {
        let Comparison { names, old, new, .. } = self;
        for i in new.layout().all_insts() {
            if new.def(i).is_some_and(|r| r.index() >= old.num_regs()) && !self.spoken.is_of(i, new.def(i)) {
                remarks.done(new, i, Event::Made(&names.text_after(i)));
            }
        }
    }
    /// True if an instruction does something else now, registers in place of others aside.
    fn differs(&self, b: Block, i: Inst, now: Inst) -> bool {
        let Comparison { old, new, .. } = self;
        let (x, y) = (old.inst(i), new.inst(now));
        if (x.op, x.ty) != (y.op, y.ty) {
            return true;
        }
        // The entries of phis follow the edges, and new ones come at the end or take the place of all.
        if x.op.format() == Format::Phi {
            let mut entries = old.phi_entries(i).zip(new.phi_entries(now));
            return entries.any(|((p, o), (q, n))| p == q && o.is_reg() && n.is_const());
        }
        if x.op.is_terminator() {
            let at = new.layout().block_of(now).expect("it is somewhere");
            let (before, after) = (old.succs(b), new.succs(at));
            let moved = |(s, t): (&Block, &Block)| s != t && !self.spoken.blocks.contains(s);
            if before.len() != after.len() || before.iter().zip(after).any(moved) {
                return true;
            }
        }
        words(old, i) != words(new, now)
    }
    /// Reports a change that no instruction shows.
    fn report_other_changes(&self, remarks: &mut Remarks) {
        let Comparison { old, new, .. } = self;
        let stays = |o: Obj| new.stack_objects().any(|(p, _)| p == o);
        let last = old.terminator(old.entry());
        let removed = old.stack_objects().map(|(o, _)| o).find(|o| !stays(*o));
        remarks.done(old, last, removed.map_or(Event::OrderChanged, Event::ObjectRemoved));
    }
}

/// Returns the text of an instruction without registers.
fn words(f: &Function, i: Inst) -> Vec<u32> {
    let mut words = Vec::new();
    push_words(f, i, |_| 0, &mut words);
    words
}

events! {
    enum Event<'a> {
        BecameOther(was: &'a str, is: &'a str): "changed", "was `{was}`, is `{is}`";
        IsNow(is: &'a str): "changed", "is `{is}` now";
        Unused(was: &'a str): "unused", "was `{was}`, and is no longer used";
        NotNeeded(was: &'a str): "gone", "was `{was}`, and is no longer needed";
        RemovedWithItsBlock(was: &'a str): "gone", "was `{was}`, in a removed block";
        Made(is: &'a str): "made", "is `{is}`";
        ObjectRemoved(object: Obj): "changed", "{object} is removed, as nothing uses it";
        OrderChanged: "changed", "registers, blocks or instructions are in another order";
    }
}
