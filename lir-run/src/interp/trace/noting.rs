//! A trace as it was recorded: a function with each instruction as it was appended, before the writers see it.
//!
//! The writers fold and merge what is appended, and drop guards that are decided, so that nobody finds the recording in
//! the function that they leave behind. [`Noting`] stands in front of them and keeps a copy of each instruction; in the
//! end a function is made of the copies ([`Notes::function`]), which parses, is in trace form, and does what the trace
//! does. Registers are those that the recorder went on with: what is merged leaves a register that nothing reads, and
//! where a writer gives one that it made itself, there is a copy. A guard that was dropped leaves to a block `decided`.

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

/// All instructions as they were appended. Empty where nobody wants them.
#[derive(Default)]
pub(super) struct Notes {
    is_wanted: bool,
    all: Vec<Note>,
    /// The parameters, and the registers that they assign.
    assigned: EntitySet<Reg>,
    /// The variable that the next one assigns.
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
    /// A writer gives `value` for what the last instruction assigned.
    fn stands_for(&mut self, f: &Function, value: Reg) {
        let Some(Note { inst, block, data, .. }) = self.all.last() else { return };
        let Some(r) = data.result() else { return };
        if self.assigned.insert(value) {
            let data = InstData::move_of(f.type_of(value), r.into()).with_result(value);
            self.all.push(Note { inst: *inst, block: *block, data, targets: Vec::new() });
        }
    }
    /// The function that was recorded: `f` is what the writers made of it. None where nobody wants it.
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
        // The instructions of `from` go to `to`, since a guard was dropped there.
        let (mut from, mut to) = (None, f.entry());
        let mut notes = self.all.into_iter().peekable();
        while let Some(Note { inst, block, data, mut targets }) = notes.next() {
            if from != Some(block) {
                (from, to) = (Some(block), block);
                made.append_block(block);
            }
            // Where a loop is not closed, its phis were changed.
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

/// The writers, with notes of what is appended.
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
            self.notes.stands_for(f, value);
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
