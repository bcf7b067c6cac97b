//! Executing instruction by instruction, while somebody looks on.
//!
//! The interpreter executes operations, which instructions were decoded to ([`super::decode`]). A step is an
//! instruction: what it reads is looked up before its operations are executed, what it assigns behind them. The moves
//! of an edge are the phis of the block that it leads to, which are seen when control has arrived there. A `jmp` to the
//! next block has no operation, and is seen when control has arrived, too.
//!
//! A debugger is asked before each instruction but phis, which are executed on the way to their block.
//!
//! Functions that C calls back, and other threads, are executed as without an observer.

use super::code::{Code, FuncCode};
use super::program::Program;
use super::stop::{Failure, Stop};
use super::suspended::{Debugger, Suspended, parameters};
use super::thread::Thread;
use lir_syntax::ir::{Block, Effects, EntitySet, FuncId, Function, Inst, Module, Opcode, Reg};
use std::sync::Arc;

/// An instruction that was executed.
#[derive(Copy, Clone, Debug)]
pub struct Executed<'a> {
    /// The module.
    pub module: &'a Module,
    /// The function.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// The number of functions of the program that wait for this one.
    pub depth: usize,
    /// True for the first one since control came to the block.
    pub arrives: bool,
    /// The registers that it reads, in operand order, with their bits; none for a phi.
    pub reads: &'a [(Reg, u64)],
    /// The bits of its result. None where it has none, stopped the run, or called a function of the program, whose
    /// `ret` reads it.
    pub result: Option<u64>,
}

/// Called for each instruction that was executed, in order.
pub type Observer = Box<dyn FnMut(&Executed<'_>) + Send>;

/// Executes, shows each instruction to an observer, and asks a debugger before it.
#[derive(Default)]
pub(super) struct Stepper {
    pub(super) observer: Option<Observer>,
    pub(super) debugger: Option<Debugger>,
    /// By frame: the instruction that was shown last.
    last: Vec<Option<Inst>>,
    reads: Vec<(Reg, u64)>,
    /// For the debugger, by frame: the registers that have a value.
    assigned: Vec<EntitySet<Reg>>,
    /// True if the debugger was not asked yet since the program was called.
    begins: bool,
}

impl Stepper {
    /// Executes until only `floor` frames are left, like [`Thread::run`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn run(&mut self, thread: &mut Thread, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&thread.world);
        self.last.clear();
        self.assigned.clear();
        self.begins = true;
        while thread.frames.len() > floor {
            self.step(thread, &world.program).map_err(|stop| thread.fail(&world.program, stop, floor))?;
        }
        Ok(())
    }

    /// Executes the operations of one instruction, or one of an edge.
    fn step(&mut self, thread: &mut Thread, program: &Program) -> Result<(), Stop> {
        let depth = thread.frames.len();
        self.last.resize(depth, None);
        self.know_frames(thread, program);
        let frame = *thread.frames.last().expect("a run has a frame");
        let code = program.code(frame.func);
        let f = &program.module.funcs[frame.func];
        let inst = code.origin[frame.pc as usize];
        let is_terminator = f.inst(inst).op.effects().has(Effects::TERMINATOR);
        if is_terminator && matches!(code.ops[frame.pc as usize].code, Code::Move | Code::Jump) {
            // The edge is the whole of a `jmp`, which may lead back to itself.
            let begins = frame.pc == 0 || code.origin[frame.pc as usize - 1] != inst;
            if self.last[depth - 1] != Some(inst) || begins && f.inst(inst).op == Opcode::Jmp {
                let (arrives, previous) = self.arrive(thread, program, inst);
                self.pass(thread, program, inst, arrives, previous);
            }
            return thread.step(program);
        }
        let (arrives, previous) = self.arrive(thread, program, inst);
        self.ask(thread, program, inst, previous);
        self.reads.clear();
        let slots = &thread.slots[frame.base..];
        f.for_each_use(inst, |r| self.reads.push((r, slots[r.as_u32() as usize])));
        let outcome = execute(thread, program, code, inst);
        let returned = thread.frames.len() != depth;
        let result = f.def(inst).filter(|_| outcome.is_ok() && !returned);
        let result = result.map(|r| thread.slots[frame.base + r.as_u32() as usize]);
        self.show(program, frame.func, inst, arrives, result);
        outcome
    }
    /// Control is at an instruction. If it has come to its block just now, shows what led there without an operation,
    /// and the phis. Returns whether the instruction is the first one then, and what was executed before it and them.
    fn arrive(&mut self, thread: &mut Thread, program: &Program, inst: Inst) -> (bool, Option<Inst>) {
        let frame = *thread.frames.last().expect("a run has a frame");
        let f = &program.module.funcs[frame.func];
        let b = block_of(f, inst);
        let depth = thread.frames.len() - 1;
        let last = self.last[depth];
        let is_terminator = |i: Inst| f.inst(i).op.effects().has(Effects::TERMINATOR);
        if last.is_some_and(|i| block_of(f, i) == b && !is_terminator(i)) {
            return (false, last);
        }
        let from = last.map_or(f.entry(), |i| block_of(f, i));
        if last.map_or(from != b, |i| !is_terminator(i)) {
            self.pass(thread, program, f.terminator(from), last.is_none(), last);
        }
        if last.is_some() || from != b {
            for b in passed(f, from, b) {
                self.pass(thread, program, f.terminator(b), true, self.last[depth]);
            }
        }
        let previous = self.last[depth];
        self.reads.clear();
        let mut arrives = true;
        for phi in f.phis(b) {
            let result = f.def(phi).map(|r| thread.slots[frame.base + r.as_u32() as usize]);
            self.show(program, frame.func, phi, std::mem::take(&mut arrives), result);
        }
        (arrives, previous)
    }
    /// Shows a `jmp`, behind which control is already if it has no operation.
    fn pass(&mut self, thread: &mut Thread, program: &Program, jmp: Inst, arrives: bool, previous: Option<Inst>) {
        self.ask(thread, program, jmp, previous);
        self.reads.clear();
        let func = thread.frames.last().expect("a run has a frame").func;
        self.show(program, func, jmp, arrives, None);
    }
    fn show(&mut self, program: &Program, func: FuncId, inst: Inst, arrives: bool, result: Option<u64>) {
        let depth = self.last.len() - 1;
        self.last[depth] = Some(inst);
        let module = &program.module;
        if module.funcs[func].inst(inst).op != Opcode::Call {
            self.assign(module, func, inst);
        }
        if let Some(observer) = &mut self.observer {
            observer(&Executed { module, func, inst, depth, arrives, reads: &self.reads, result });
        }
    }

    // ---- The debugger ----

    /// Forgets the registers of frames that are gone, and begins with those of a new one.
    fn know_frames(&mut self, thread: &Thread, program: &Program) {
        if self.debugger.is_none() {
            return;
        }
        self.assigned.truncate(thread.frames.len());
        let new = &thread.frames[self.assigned.len()..];
        self.assigned.extend(new.iter().map(|frame| parameters(program, frame.func)));
        // A call assigns when it has returned.
        if let (Some(Some(last)), Some(frame)) = (self.last.last(), thread.frames.last()) {
            self.assign(&program.module, frame.func, *last);
        }
    }
    /// Notes that the innermost frame has a value in the register that an instruction assigns.
    fn assign(&mut self, module: &Module, func: FuncId, inst: Inst) {
        if let (Some(set), Some(r)) = (self.assigned.last_mut(), module.funcs[func].def(inst)) {
            set.insert(r);
        }
    }
    fn ask(&mut self, thread: &mut Thread, program: &Program, inst: Inst, previous: Option<Inst>) {
        if let Some(debugger) = &mut self.debugger {
            let begins = std::mem::take(&mut self.begins);
            debugger(&mut Suspended { thread, program, inst, previous, begins, assigned: &self.assigned });
        }
    }
}

/// Executes the operations that an instruction was decoded to.
fn execute(thread: &mut Thread, program: &Program, code: &FuncCode, inst: Inst) -> Result<(), Stop> {
    let depth = thread.frames.len();
    loop {
        let before = thread.frames[depth - 1].pc;
        thread.step(program)?;
        let more = thread.frames.len() == depth
            && thread.frames[depth - 1].pc == before + 1
            && code.origin.get(before as usize + 1) == Some(&inst);
        let is_edge = || matches!(code.ops[before as usize + 1].code, Code::Move | Code::Jump);
        if !more || is_edge() {
            return Ok(());
        }
    }
}

/// The blocks between two that have nothing but a `jmp`, to the next block: control passed them without an operation.
fn passed(f: &Function, from: Block, to: Block) -> Vec<Block> {
    if f.succs(from).contains(&to) {
        return Vec::new();
    }
    let is_empty =
        |b: Block| f.inst(f.terminator(b)).op == Opcode::Jmp && f.layout().first_inst(b) == f.layout().last_inst(b);
    let paths = f.succs(from).iter().map(|s| {
        let mut path = Vec::new();
        let mut at = *s;
        while at != to && is_empty(at) && path.len() < f.num_blocks() {
            path.push(at);
            at = f.succs(at)[0];
        }
        (at, path)
    });
    paths.into_iter().find(|(at, _)| *at == to).map_or_else(Vec::new, |(_, path)| path)
}

fn block_of(f: &Function, i: Inst) -> Block {
    f.layout().block_of(i).expect("what is executed stands in a block")
}
