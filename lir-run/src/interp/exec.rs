//! The loop that executes operations.
//!
//! Frames are explicit: a LIR call pushes one and the loop continues there, so nesting is bounded by the limits of
//! [`super::Options`], not by the native stack.

mod promises;

use super::code::{Code, NO_SLOT, Op, Slot};
use super::frame::Context;
use super::program::Program;
use super::stop::{Failure, Stop};
use super::thread::Thread;
use super::va;
use lir_syntax::ir::{Predicate, VA_LIST_SIZE};
use lir_syntax::semantics::{self, Trap, compare};
use std::sync::Arc;

/// The reason the loop leaves a frame.
enum Leave {
    Call(usize),
    Return(u64),
    ReturnAgg(usize),
    ReturnWide([u64; 2]),
    EndOfSlice,
    /// A jump backward, which was executed.
    Edge,
}

/// The reason [`Thread::run_to_edge`] returned.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Paused {
    /// A jump backward was executed.
    Edge,
    /// Anything else.
    Elsewhere,
}

impl Thread {
    /// Executes until only `floor` frames are left. On failure the frames above are dropped.
    pub(super) fn run(&mut self, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&self.world);
        let program = &world.program;
        while self.frames.len() > floor {
            if let Err(stop) = self.run_frame(program, false) {
                return Err(self.fail(program, stop, floor));
            }
        }
        Ok(())
    }
    /// Adds its location to the reason for a failure, and drops the frames above `floor`.
    pub(super) fn fail(&mut self, program: &Program, stop: Stop, floor: usize) -> Failure {
        let stop = self.with_name(program, stop);
        let at = self.failed_inside.take().unwrap_or_else(|| {
            self.backtrace(program).keep();
            self.location(program)
        });
        self.unwind(floor);
        Failure { stop, at }
    }
    /// Executes in the top frame until it jumps backward, calls, returns or fails. Accesses are not watched.
    pub(super) fn run_to_edge(&mut self, program: &Program) -> Result<Paused, Stop> {
        self.run_frame(program, true)
    }
    /// Executes one operation.
    pub(super) fn step(&mut self, program: &Program) -> Result<(), Stop> {
        if self.slice == 0 {
            self.next_slice()?;
        }
        let rest = std::mem::replace(&mut self.slice, 1) - 1;
        let paused = self.run_in_frame(program, true);
        self.slice += rest;
        match paused? {
            Some(leave) => self.leave_frame(program, leave).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Executes in the top frame until it calls, returns or fails; with `to_edge`, also until it jumps backward.
    fn run_frame(&mut self, program: &Program, to_edge: bool) -> Result<Paused, Stop> {
        match self.run_in_frame(program, to_edge)? {
            Some(leave) => self.leave_frame(program, leave),
            None => {
                self.let_signals_in()?;
                self.next_slice().map(|()| Paused::Elsewhere)
            }
        }
    }
    /// Does the same, but returns the reason for leaving the frame without acting on it; none at the end of a slice.
    fn run_in_frame(&mut self, program: &Program, to_edge: bool) -> Result<Option<Leave>, Stop> {
        let top = self.frames.len() - 1;
        let frame = self.frames[top];
        let code = program.code(frame.func);
        let mut pc = frame.pc as usize;
        let slots = &mut self.slots[frame.base..frame.end];
        let mut context = Context { code, slots, memory: &mut self.memory, frame };
        let area = if frame.variadic { self.variable.last() } else { None };
        let (slice, decls) = (&mut self.slice, &program.module.decls);
        let leave = if context.memory.watches() {
            steps_apart::<true, false>(&mut context, &mut pc, slice, area, decls)
        } else if to_edge {
            steps_apart::<false, true>(&mut context, &mut pc, slice, area, decls)
        } else {
            steps::<false, false>(&mut context, &mut pc, slice, area, decls)
        };
        self.frames[top].pc = pc as u32;
        leave.map(|leave| Some(leave).filter(|l| !matches!(l, Leave::EndOfSlice)))
    }
    /// Executes the call or return for which a frame was left.
    fn leave_frame(&mut self, program: &Program, leave: Leave) -> Result<Paused, Stop> {
        let code = program.code(self.frames.last().expect("a run has a frame").func);
        match leave {
            Leave::Call(k) => self.call_site(program, &code.calls[k])?,
            Leave::Return(bits) => self.return_scalar(program, bits)?,
            Leave::ReturnWide(halves) => self.return_wide(program, halves)?,
            Leave::ReturnAgg(mem) => self.return_aggregate(program, mem)?,
            Leave::Edge => return Ok(Paused::Edge),
            Leave::EndOfSlice => unreachable!("it leaves no frame"),
        }
        Ok(Paused::Elsewhere)
    }
}

/// Runs the loop for `--uninit` and strict runs, or up to a jump backward. It is a function by itself, so that the
/// other loop has all registers to itself.
#[inline(never)]
fn steps_apart<const WATCHED: bool, const EDGES: bool>(
    c: &mut Context<'_>,
    pc: &mut usize,
    slice: &mut u64,
    area: Option<&va::Area>,
    decls: &lir_syntax::ir::Decls,
) -> Result<Leave, Stop> {
    steps::<WATCHED, EDGES>(c, pc, slice, area, decls)
}

/// Computes an operation of up to three slots.
#[inline(always)]
fn value(c: &Context<'_>, op: Op) -> Result<u64, Trap> {
    let args = [c.get(op.a), c.get(op.b), c.get(op.imm as Slot)];
    semantics::eval(op.op, op.ty.as_word(), op.aux, args)
}

/// Executes operations from `pc` until one leaves the frame. On failure `pc` is after the one that failed. With
/// `WATCHED`, loads of bytes that were never written fail, and so does ordering stack objects. With `EDGES`, a jump
/// backward leaves the frame after it is executed.
#[inline(always)]
fn steps<const WATCHED: bool, const EDGES: bool>(
    c: &mut Context<'_>,
    pc: &mut usize,
    slice: &mut u64,
    area: Option<&va::Area>,
    decls: &lir_syntax::ir::Decls,
) -> Result<Leave, Stop> {
    loop {
        if *slice == 0 {
            return Ok(Leave::EndOfSlice);
        }
        *slice -= 1;
        let op = c.code.ops[*pc];
        *pc += 1;
        let (dst, imm, at) = (op.dst as usize, op.imm as usize, *pc - 1);
        match op.code {
            Code::Value | Code::ValueImm | Code::Branch if WATCHED && c.depends_on_places(op) => {
                return Err(Stop::error("a result that depends on where stack objects are"));
            }
            Code::Value => c.slots[dst] = value(c, op)?,
            Code::ValueImm => c.slots[dst] = semantics::eval(op.op, op.ty.as_word(), op.aux, [c.get(op.a), op.imm, 0])?,
            Code::Add => c.slots[dst] = op.ty.as_word().truncate(c.get(op.a).wrapping_add(c.get(op.b))),
            Code::AddImm => c.slots[dst] = op.ty.as_word().truncate(c.get(op.a).wrapping_add(op.imm)),
            Code::Move => c.slots[dst] = c.get(op.a),
            Code::Const => c.slots[dst] = op.imm,
            Code::Promise | Code::ValuePromise | Code::Assume | Code::Note | Code::Claim | Code::Sets => c.check(op)?,
            Code::Jump => *pc = dst,
            Code::Branch => {
                let holds = compare::holds(Predicate::from_u8(op.aux), op.ty.as_word(), c.get(op.a), c.get(op.b));
                *pc = if holds { dst } else { imm };
            }
            Code::BranchImm => {
                let holds = compare::holds(Predicate::from_u8(op.aux), op.ty.as_word(), c.get(op.a), op.imm);
                *pc = if holds { dst } else { op.b as usize };
            }
            Code::Switch => *pc = c.switch(imm, c.get(op.a)),
            Code::LoadReg | Code::LoadFrame | Code::LoadMem if WATCHED => c.load_written(op)?,
            Code::LoadReg => c.slots[dst] = c.memory.read(c.get(op.a).wrapping_add(op.imm), op.aux as u32)?,
            Code::LoadFrame => c.slots[dst] = c.memory.read_own(c.frame.memory + op.imm, op.aux as u32),
            Code::LoadMem => c.slots[dst] = c.load(imm, op.aux as u32)?,
            Code::StoreReg | Code::StoreFrame | Code::StoreMem if WATCHED => c.store_noted(op)?,
            Code::StoreReg => c.memory.write(c.get(op.a).wrapping_add(op.imm), op.aux as u32, c.get(op.b))?,
            Code::StoreFrame => c.memory.write_own(c.frame.memory + op.imm, op.aux as u32, c.get(op.b)),
            Code::StoreMem => c.store(imm, op.aux as u32, c.get(op.b))?,
            Code::Lea => c.slots[dst] = c.lea(&c.code.mems[imm]),
            Code::Alloca => c.slots[dst] = c.alloca(c.get(op.a), 1 << op.aux)?,
            Code::StackSave => c.slots[dst] = c.memory.mark().top,
            Code::StackRestore => c.stack_restore(c.get(op.a))?,
            Code::Memcpy | Code::Memmove => c.copy_block(op)?,
            Code::Memset => c.memset(op.a as usize, c.get(op.b) as u8, c.get(op.dst))?,
            Code::Atomic | Code::Fence => c.atomic(op)?,
            Code::VaStart => va::start(c, imm, area)?,
            Code::VaEnd => {}
            Code::VaCopy => c.memcpy(op.a as usize, op.b as usize, VA_LIST_SIZE)?,
            Code::VaArg => c.slots[dst] = va::scalar(c, imm, op.ty)?,
            Code::VaArgAgg => va::aggregate(c, decls, imm, op.a as usize, op.b as usize)?,
            Code::Call => return Ok(Leave::Call(imm)),
            Code::Ret => return Ok(Leave::Return(if op.a == NO_SLOT { 0 } else { c.get(op.a) })),
            Code::RetAgg => return Ok(Leave::ReturnAgg(imm)),
            Code::Wide => c.wide(imm)?,
            Code::RetWide => return Ok(Leave::ReturnWide([c.get(op.a), c.get(op.b)])),
            Code::Unreachable => return Err(Stop::Trap(Trap::Unreachable)),
        }
        if EDGES && *pc <= at {
            return Ok(Leave::Edge);
        }
    }
}
