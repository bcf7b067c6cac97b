//! Keeps a trace as it was recorded: a function with each instruction as it was appended, before the writers change it.
//!
//! The writers fold and merge appended instructions, and drop guards that are decided, so the function that they make
//! is not the recording. [`Noting`] precedes them and keeps a copy of each instruction. At the end a function is made
//! from the copies ([`Notes::function`]), which parses, is in trace form, and does the same as the trace. It has the
//! registers that the recorder used: a merged instruction leaves a register that nothing reads, and if a writer
//! returned a register that it made itself, there is a copy. A guard that was dropped leaves to a block `decided`.

use lir_opt::passes::writers::Writers;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::builder::writer::{Appended, Entered, Writer};
use lir_syntax::ir::{Block, EntitySet, Format, Function, Inst, InstData, Param, Reg, Type};

/// An instruction as it was appended.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Note {
    inst: Inst,
    block: Block,
    data: InstData,
    /// The targets of a terminator.
    targets: Vec<Block>,
}

/// All instructions as they were appended. Empty unless `is_wanted`.
#[derive(Default)]
pub(super) struct Notes {
    is_wanted: bool,
    all: Vec<Note>,
    /// The parameters, and the registers that they assign.
    assigned: EntitySet<Reg>,
    /// The variable that the next instruction assigns.
    variable: Option<Reg>,
}

impl Notes {
    pub(super) fn new(is_wanted: bool) -> Notes {
        Notes { is_wanted, ..Notes::default() }
    }
    fn add(&mut self, f: &mut Function, inst: Inst, to_variable: bool) {
        if self.all.is_empty() {
            let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = p { Some(*r) } else { None });
            params.for_each(|r| {
                self.assigned.insert(r);
            });
        }
        let block = f.layout().block_of(inst).expect("it was appended");
        let data = f.copy_inst_data(inst);
        let data = if to_variable { data.with_result(self.variable.take()) } else { data };
        if let Some(r) = data.result() {
            self.assigned.insert(r);
        }
        let targets = if data.op.is_terminator() { f.succs(block).to_vec() } else { Vec::new() };
        self.all.push(Note { inst, block, data, targets });
    }
    /// Notes that a writer returned `value` in place of the last instruction's result.
    fn note_replacement(&mut self, f: &Function, value: Reg) {
        let Some(Note { inst, block, data, .. }) = self.all.last() else { return };
        let Some(r) = data.result() else { return };
        if self.assigned.insert(value) {
            let data = InstData::move_of(f.type_of(value), r.into()).with_result(value);
            self.all.push(Note { inst: *inst, block: *block, data, targets: Vec::new() });
        }
    }
    /// Returns the recorded function, given the writers' result `f`; none unless it is wanted.
    pub(super) fn function(self, f: &Function) -> Option<Function> {
        if !self.is_wanted {
            return None;
        }
        let mut made = f.clone();
        for b in f.layout().blocks() {
            f.layout().insts(b).for_each(|i| made.remove_inst(i));
            made.remove_block(b);
        }
        let name = made.names.add(b"decided");
        let decided = made.make_block(name);
        let mut is_decided = false;
        // The instructions of `from` are appended to `to`, since a guard was dropped there.
        let (mut from, mut to) = (None, f.entry());
        let mut notes = self.all.into_iter().peekable();
        while let Some(Note { inst, block, data, mut targets }) = notes.next() {
            if from != Some(block) {
                (from, to) = (Some(block), block);
                made.append_block(block);
            }
            // The phis of a loop that was not closed were changed.
            let data = if data.op.format() == Format::Phi { *f.inst(inst) } else { data };
            made.append_inst(to, data, f.debug_loc(inst));
            if !data.op.is_terminator() {
                continue;
            }
            if notes.peek().is_some_and(|next| next.block == block) {
                (targets[1], is_decided) = (decided, true);
                made.set_succs(to, &targets);
                to = targets[0];
                made.append_block(to);
            } else {
                made.set_succs(to, &targets);
            }
        }
        if is_decided {
            made.append_block(decided);
            let mut b = FunctionBuilder::new(&mut made);
            b.switch_to(decided);
            b.ret_value(Type::I64, -1);
        }
        Some(made)
    }
}

/// The writers, with notes of the appended instructions.
pub(super) struct Noting<'t, 'm> {
    pub(super) writers: &'t mut Writers<'m>,
    pub(super) notes: &'t mut Notes,
}

impl Writer for Noting<'_, '_> {
    fn enter(&mut self, f: &Function, b: Block, entered: Entered) {
        self.writers.enter(f, b, entered);
    }
    fn variable(&mut self, r: Reg) {
        self.notes.variable = Some(r);
        self.writers.variable(r);
    }
    fn write(&mut self, f: &mut Function, i: Inst, what: Appended) -> Option<Reg> {
        if !self.notes.is_wanted {
            return self.writers.write(f, i, what);
        }
        self.notes.add(f, i, what.to_variable);
        let value = self.writers.write(f, i, what);
        if let Some(value) = value.filter(|_| !what.to_variable) {
            self.notes.note_replacement(f, value);
        }
        value
    }
    fn terminate(&mut self, f: &mut Function, b: Block, i: Inst) {
        if self.notes.is_wanted {
            self.notes.add(f, i, false);
        }
        self.writers.terminate(f, b, i);
    }
    fn suspend(&mut self) {
        self.writers.suspend();
    }
    fn resume(&mut self) {
        self.writers.resume();
    }
}
