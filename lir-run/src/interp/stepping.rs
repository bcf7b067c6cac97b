//! Executing instruction by instruction, while somebody looks on.
//!
//! The interpreter executes operations, which instructions were decoded to ([`super::decode`]). A step is an
//! instruction: what it reads is looked up before its operations are executed, what it assigns behind them. The moves
//! of an edge are the phis of the block that it leads to, which are seen when control has arrived there. A `jmp` to the
//! next block has no operation, and is seen when control has arrived, too.
//!
//! Functions that C calls back, and other threads, are executed as without an observer.

use super::code::{Code, FuncCode};
use super::program::Program;
use super::stop::{Failure, Stop};
use super::thread::Thread;
use lir_syntax::ir::{Block, Effects, FuncId, Function, Inst, Module, Opcode, Reg};
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

/// Executes, and shows each instruction.
pub(super) struct Stepper {
    observer: Observer,
    /// By frame: the instruction that was shown last.
    last: Vec<Option<Inst>>,
    reads: Vec<(Reg, u64)>,
}

impl Stepper {
    /// Shows instructions to an observer.
    pub(super) fn new(observer: Observer) -> Stepper {
        Stepper { observer, last: Vec::new(), reads: Vec::new() }
    }
    /// Executes until only `floor` frames are left, like [`Thread::run`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn run(&mut self, thread: &mut Thread, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&thread.world);
        self.last.clear();
        while thread.frames.len() > floor {
            self.step(thread, &world.program).map_err(|stop| thread.fail(&world.program, stop, floor))?;
        }
        Ok(())
    }

    /// Executes the operations of one instruction, or one of an edge.
    fn step(&mut self, thread: &mut Thread, program: &Program) -> Result<(), Stop> {
        let depth = thread.frames.len();
        self.last.resize(depth, None);
        let frame = *thread.frames.last().expect("a run has a frame");
        let code = program.code(frame.func);
        let f = &program.module.funcs[frame.func];
        let inst = code.origin[frame.pc as usize];
        let is_terminator = f.inst(inst).op.effects().has(Effects::TERMINATOR);
        if is_terminator && matches!(code.ops[frame.pc as usize].code, Code::Move | Code::Jump) {
            // The edge is the whole of a `jmp`.
            if self.last[depth - 1] != Some(inst) {
                let arrives = self.arrive(thread, program, inst);
                self.reads.clear();
                self.show(program, frame.func, inst, arrives, None);
            }
            return thread.step(program);
        }
        let arrives = self.arrive(thread, program, inst);
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
    /// and the phis. Returns whether the instruction is the first one then.
    fn arrive(&mut self, thread: &Thread, program: &Program, inst: Inst) -> bool {
        let frame = thread.frames.last().expect("a run has a frame");
        let f = &program.module.funcs[frame.func];
        let b = block_of(f, inst);
        let last = self.last[thread.frames.len() - 1];
        let is_terminator = |i: Inst| f.inst(i).op.effects().has(Effects::TERMINATOR);
        if last.is_some_and(|i| block_of(f, i) == b && !is_terminator(i)) {
            return false;
        }
        self.reads.clear();
        if let Some(last) = last {
            let from = block_of(f, last);
            if !is_terminator(last) {
                self.show(program, frame.func, f.terminator(from), false, None);
            }
            for b in passed(f, from, b) {
                self.show(program, frame.func, f.terminator(b), true, None);
            }
        }
        let mut arrives = true;
        for phi in f.phis(b) {
            let result = f.def(phi).map(|r| thread.slots[frame.base + r.as_u32() as usize]);
            self.show(program, frame.func, phi, std::mem::take(&mut arrives), result);
        }
        arrives
    }
    fn show(&mut self, program: &Program, func: FuncId, inst: Inst, arrives: bool, result: Option<u64>) {
        let depth = self.last.len() - 1;
        self.last[depth] = Some(inst);
        let module = &program.module;
        (self.observer)(&Executed { module, func, inst, depth, arrives, reads: &self.reads, result });
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
