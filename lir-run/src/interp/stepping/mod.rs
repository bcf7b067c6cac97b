//! Executes instruction by instruction, for an observer and a debugger.
//!
//! The interpreter executes operations, which instructions were decoded to ([`super::decode`]). A step is an
//! instruction: its operands are looked up before its operations are executed, its result after them. The moves of an
//! edge are the phis of its target, which are seen when control has arrived there. A `jmp` to the next block has no
//! operation, and is seen when control has arrived, too.
//!
//! The debugger is asked before each instruction but phis, which are executed on the way to their block
//! ([`suspended`]).
//!
//! Each thread steps for itself, and again for each function that C calls back on it. All threads share the observer
//! and the debugger. They are in a mutex that only the thread with the interpreter's lock takes, and no thread holds
//! while it executes, so that no thread ever waits for it.
//!
//! While a thread is in C, callbacks or other threads may be shown. Then a call that has not returned yet is shown
//! before them, without its result, and again with its result, if it has one, when it has returned.

mod suspended;

use crate::interp::code::{Code, FuncCode};
use crate::interp::frame::Seen;
use crate::interp::program::Program;
use crate::interp::stop::{Failure, Stop};
use crate::interp::thread::Thread;
use lir_syntax::ir::{Block, Effects, FuncId, Function, Inst, Module, Opcode, Reg};
use std::sync::{Arc, Mutex, MutexGuard};
use suspended::parameters;
pub use suspended::{Debugger, Suspended};

/// An instruction that was executed, or a call that has begun.
#[derive(Copy, Clone, Debug)]
pub struct Executed<'a> {
    /// The module.
    pub module: &'a Module,
    /// The number of the thread: 1 is the thread on which the program was called, others follow as C first calls a
    /// function of the program on them.
    pub thread: u32,
    /// The function.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// The number of functions of the program that wait, on this thread, for this one.
    pub depth: usize,
    /// True for the first instruction since control reached the block.
    pub arrives: bool,
    /// True if a call of C has returned with a result that was shown before without it: C called back, or another
    /// thread continued, meanwhile.
    pub returns: bool,
    /// The registers that it reads, in operand order, with their bits; none for a phi, and if it `returns`.
    pub reads: &'a [(Reg, u128)],
    /// The bits of its result. None if it has none, stopped the run, has not returned yet, or called a function of the
    /// program, whose `ret` reads it.
    pub result: Option<u128>,
}

/// Called for each instruction that was executed, in order.
pub type Observer = Box<dyn FnMut(&Executed<'_>) + Send>;

/// Executes, shows each instruction to an observer, and asks a debugger before it.
#[derive(Default)]
pub(super) struct Stepper {
    onlookers: Mutex<Onlookers>,
}

/// The observer and the debugger.
#[derive(Default)]
struct Onlookers {
    observer: Option<Observer>,
    debugger: Option<Debugger>,
    /// True if the debugger was not asked yet since the program was called.
    begins: bool,
    /// Calls of all threads that have begun and were not shown, in order.
    calls: Vec<Step>,
    /// Memory for the reads of the next instruction.
    reads: Vec<(Reg, u128)>,
}

/// An instruction with the facts that are known before it is executed.
struct Step {
    thread: u32,
    func: FuncId,
    inst: Inst,
    depth: usize,
    arrives: bool,
    returns: bool,
    reads: Vec<(Reg, u128)>,
}

impl Stepper {
    pub(super) fn observe(&self, observer: Observer) {
        self.onlookers().observer = Some(observer);
    }
    pub(super) fn debug(&self, debugger: Debugger) {
        self.onlookers().debugger = Some(debugger);
    }
    fn onlookers(&self) -> MutexGuard<'_, Onlookers> {
        self.onlookers.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Executes until only `floor` frames are left, like [`Thread::run`].
    ///
    /// # Errors
    /// As for [`Thread::run`].
    pub(super) fn run(&self, thread: &mut Thread, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&thread.world);
        // A function that C called before from the frame below had the same depth.
        thread.seen.truncate(floor);
        if thread.is_first && floor == 0 {
            self.onlookers().begins = true;
        }
        while thread.frames.len() > floor {
            self.step(thread, &world.program).map_err(|stop| thread.fail(&world.program, stop, floor))?;
        }
        Ok(())
    }

    /// Executes the operations of one instruction, or one of an edge.
    fn step(&self, thread: &mut Thread, program: &Program) -> Result<(), Stop> {
        thread.let_signals_in()?;
        let depth = thread.frames.len() - 1;
        let mut onlookers = self.onlookers();
        onlookers.know_frame(thread, program);
        let frame = thread.frames[depth];
        let code = program.code(frame.func);
        let f = &program.module.funcs[frame.func];
        let inst = code.origin[frame.pc as usize];
        let is_terminator = f.inst(inst).op.effects().has(Effects::TERMINATOR);
        if is_terminator && matches!(code.ops[frame.pc as usize].code, Code::Move | Code::Jump) {
            // The edge is the whole of a `jmp`, which may jump to its own block.
            let begins = frame.pc == 0 || code.origin[frame.pc as usize - 1] != inst;
            if thread.seen[depth].last != Some(inst) || begins && f.inst(inst).op == Opcode::Jmp {
                let (arrives, previous) = onlookers.arrive(thread, program, inst);
                onlookers.pass(thread, program, inst, arrives, previous);
            }
            drop(onlookers);
            return thread.step(program);
        }
        if code.ops[frame.pc as usize].code == Code::ValuePromise && f.inst(inst).op == Opcode::Call {
            // The check of the result belongs to the call, which is over.
            drop(onlookers);
            return thread.step(program);
        }
        let (arrives, previous) = onlookers.arrive(thread, program, inst);
        onlookers.ask(thread, program, inst, previous);
        let step = onlookers.next_step(thread, program, inst, arrives);
        if f.inst(inst).op == Opcode::Call {
            onlookers.begin(thread, program, step);
            drop(onlookers);
            let outcome = execute(thread, program, code, inst);
            self.onlookers().end(thread, program, (frame.func, inst), depth, outcome.is_ok());
            return outcome;
        }
        drop(onlookers);
        let outcome = execute(thread, program, code, inst);
        let result = f.def(inst).filter(|_| outcome.is_ok()).map(|r| code.bits(&thread.slots[frame.base..], r));
        self.onlookers().show(thread, program, step, result);
        outcome
    }
}

impl Onlookers {
    /// Control is at an instruction. If it has just reached the block, shows the phis, and the instructions without an
    /// operation on the way there. Returns whether the instruction is then the first of its block, and the one that was
    /// executed before it and the phis.
    fn arrive(&mut self, thread: &mut Thread, program: &Program, inst: Inst) -> (bool, Option<Inst>) {
        let depth = thread.frames.len() - 1;
        let frame = thread.frames[depth];
        let f = &program.module.funcs[frame.func];
        let b = block_of(f, inst);
        let last = thread.seen[depth].last;
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
                let previous = thread.seen[depth].last;
                self.pass(thread, program, f.terminator(b), true, previous);
            }
        }
        let previous = thread.seen[depth].last;
        let mut arrives = true;
        for phi in f.phis(b) {
            let code = program.code(frame.func);
            let result = f.def(phi).map(|r| code.bits(&thread.slots[frame.base..], r));
            let step = self.begin_step(thread, depth, phi, std::mem::take(&mut arrives));
            self.show(thread, program, step, result);
        }
        (arrives, previous)
    }
    /// Shows a `jmp`. If it has no operation, control is already after it.
    fn pass(&mut self, thread: &mut Thread, program: &Program, jmp: Inst, arrives: bool, previous: Option<Inst>) {
        self.ask(thread, program, jmp, previous);
        let step = self.begin_step(thread, thread.frames.len() - 1, jmp, arrives);
        self.show(thread, program, step, None);
    }
    fn begin_step(&mut self, thread: &Thread, depth: usize, inst: Inst, arrives: bool) -> Step {
        let mut reads = std::mem::take(&mut self.reads);
        reads.clear();
        let (number, func) = (thread.number, thread.frames[depth].func);
        Step { thread: number, func, inst, depth, arrives, returns: false, reads }
    }
    /// Returns the step of the next instruction of the innermost frame.
    fn next_step(&mut self, thread: &Thread, program: &Program, inst: Inst, arrives: bool) -> Step {
        let mut step = self.begin_step(thread, thread.frames.len() - 1, inst, arrives);
        if self.observer.is_some() {
            let (slots, code) = (&thread.slots[thread.frames[step.depth].base..], program.code(step.func));
            program.module.funcs[step.func].for_each_use(inst, |r| step.reads.push((r, code.bits(slots, r))));
        }
        step
    }
    /// Shows an instruction that was executed.
    fn show(&mut self, thread: &mut Thread, program: &Program, step: Step, result: Option<u128>) {
        self.show_calls(&program.module);
        let seen = &mut thread.seen[step.depth];
        seen.last = Some(step.inst);
        let f = &program.module.funcs[step.func];
        // The result of a call is assigned when it has returned.
        if let Some(r) = f.def(step.inst).filter(|_| self.debugger.is_some() && f.inst(step.inst).op != Opcode::Call) {
            seen.assigned.insert(r);
        }
        self.tell(&program.module, &step, result);
        self.reads = step.reads;
    }
    fn tell(&mut self, module: &Module, step: &Step, result: Option<u128>) {
        if let Some(observer) = &mut self.observer {
            let Step { thread, func, inst, depth, arrives, returns, ref reads } = *step;
            observer(&Executed { module, thread, func, inst, depth, arrives, returns, reads, result });
        }
    }

    // ---- Calls ----

    /// Notes that a call begins.
    fn begin(&mut self, thread: &Thread, program: &Program, step: Step) {
        let never_returns = thread.calls_a_function_that_never_returns(program);
        self.calls.push(step);
        if never_returns {
            self.show_calls(&program.module);
        }
    }
    /// Notes that a call has returned, or its callee in the program has begun, or it has stopped the run. After a jump
    /// (`musttail`) to a function of the program, the frame belongs to that function; functions of C are called.
    fn end(
        &mut self,
        thread: &mut Thread,
        program: &Program,
        (func, inst): (FuncId, Inst),
        depth: usize,
        goes_on: bool,
    ) {
        // Functions that C called back have ended.
        thread.seen.truncate(depth + 1);
        let f = &program.module.funcs[func];
        let is_replaced = goes_on && f.is_jump(inst) && thread.frames[depth].pc == 0;
        let has_returned = goes_on && !is_replaced && thread.frames.len() == depth + 1;
        let result = f.def(inst).filter(|_| has_returned);
        let result = result.map(|r| program.code(func).bits(&thread.slots[thread.frames[depth].base..], r));
        let is_it = |call: &Step| call.thread == thread.number && call.depth == depth;
        match self.calls.iter().rposition(is_it) {
            Some(k) => {
                let step = self.calls.remove(k);
                self.show(thread, program, step, result);
            }
            None if result.is_none() => thread.seen[depth].last = Some(inst),
            None => {
                let step = self.begin_step(thread, depth, inst, false);
                self.show(thread, program, Step { returns: true, ..step }, result);
            }
        }
        if is_replaced {
            thread.seen.truncate(depth);
        }
    }
    /// Shows the calls that have not returned.
    fn show_calls(&mut self, module: &Module) {
        for call in std::mem::take(&mut self.calls) {
            self.tell(module, &call, None);
        }
    }

    // ---- The debugger ----

    /// Drops the data of frames that were popped, and makes the data of a new one.
    fn know_frame(&mut self, thread: &mut Thread, program: &Program) {
        let depth = thread.frames.len() - 1;
        let func = thread.frames[depth].func;
        thread.seen.truncate(depth + 1);
        let is_new = thread.seen.len() <= depth;
        thread.seen.resize_with(depth + 1, Seen::default);
        if self.debugger.is_none() {
            return;
        }
        let seen = &mut thread.seen[depth];
        if is_new {
            seen.assigned = parameters(program, func);
        }
        // The last instruction was a call that has returned, or has assigned already.
        if let Some(r) = seen.last.and_then(|last| program.module.funcs[func].def(last)) {
            seen.assigned.insert(r);
        }
    }
    fn ask(&mut self, thread: &mut Thread, program: &Program, inst: Inst, previous: Option<Inst>) {
        if let Some(debugger) = &mut self.debugger {
            let begins = std::mem::take(&mut self.begins);
            debugger(&mut Suspended { thread, program, inst, previous, begins });
        }
    }
}

/// Executes the operations that an instruction was decoded to.
fn execute(thread: &mut Thread, program: &Program, code: &FuncCode, inst: Inst) -> Result<(), Stop> {
    let depth = thread.frames.len();
    let func = &program.module.funcs[thread.frames[depth - 1].func];
    let is_terminator = func.inst(inst).op.effects().has(Effects::TERMINATOR);
    loop {
        let before = thread.frames[depth - 1].pc;
        thread.step(program)?;
        let more = thread.frames.len() == depth
            && thread.frames[depth - 1].pc == before + 1
            && code.origin.get(before as usize + 1) == Some(&inst);
        let is_edge = || is_terminator && matches!(code.ops[before as usize + 1].code, Code::Move | Code::Jump);
        if !more || is_edge() {
            return Ok(());
        }
    }
}

/// Returns the blocks between two that have only a `jmp` to the next block: control passed them without an operation.
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
    f.layout().block_of(i).expect("what is executed is in a block")
}
