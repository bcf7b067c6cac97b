//! The loop that executes operations.
//!
//! Frames are explicit: a LIR call pushes one and the loop goes on there, so nesting is bounded by the limits of
//! [`super::Options`], not by the native stack.

use super::code::{Code, FuncCode, MemBase, MemRef, NO_SLOT, Op, POOL, Slot};
use super::memory::{Access, Memory, StackMark};
use super::program::Program;
use super::ranges::Range;
use super::stop::{Failure, Stop};
use super::thread::Thread;
use super::va;
use crate::outcome::Location;
use lir_syntax::ir::{FuncId, IntCC, Obj, Opcode, Type, VA_LIST_SIZE};
use lir_syntax::printer::{FunctionPrinter, print_sym};
use lir_syntax::semantics::{self, Trap, compare};
use std::sync::Arc;

/// What becomes of the result when a frame returns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ReturnTo {
    /// A scalar goes to this slot of the caller, or nowhere for [`NO_SLOT`].
    Slot(Slot),
    /// An aggregate goes to this address.
    Memory(u64),
    /// The result goes, as the ABI returns it, to the caller's call record.
    AbiCall,
    /// The result goes, as the ABI returns it, to `Thread::result`: the frame was entered from outside.
    Host,
    /// The function was declared never to return.
    Never,
}

/// An activation of a function.
#[derive(Copy, Clone, Debug)]
pub(super) struct Frame {
    pub(super) func: FuncId,
    /// The next operation.
    pub(super) pc: u32,
    /// Slots are `Thread::slots[base..end]`.
    pub(super) base: usize,
    pub(super) end: usize,
    /// The state of stack memory before the call.
    pub(super) mark: StackMark,
    /// The address of the frame's stack objects.
    pub(super) memory: u64,
    /// The top of stack memory below all allocas.
    pub(super) floor: u64,
    pub(super) ret: ReturnTo,
    /// Where the caller wants a result that the ABI returns in memory.
    pub(super) hidden: u64,
    /// Whether the last of `Thread::variable` belongs to this frame.
    pub(super) variadic: bool,
}

/// Why the loop leaves a frame.
enum Leave {
    Call(usize),
    Return(u64),
    ReturnAgg(usize),
    EndOfSlice,
}

/// What operations work on: the parts of the interpreter, apart.
pub(super) struct Context<'a> {
    pub(super) code: &'a FuncCode,
    pub(super) slots: &'a mut [u64],
    pub(super) memory: &'a mut Memory,
    pub(super) frame: Frame,
}

impl Context<'_> {
    #[inline]
    pub(super) fn get(&self, slot: Slot) -> u64 {
        if slot & POOL == 0 { self.slots[slot as usize] } else { self.code.consts[(slot & !POOL) as usize] }
    }
    /// The address of a memory operand, where an access of `len` bytes stays inside the object that it names.
    pub(super) fn address(&self, mem: usize, len: u64, access: Access) -> Result<u64, Stop> {
        let m = &self.code.mems[mem];
        let at = self.lea(m);
        let object = match m.base {
            MemBase::Any | MemBase::ThreadOutside(_) => return Ok(at),
            MemBase::Frame { offset, size } => {
                let start = self.frame.memory + offset;
                Range { start, end: start + size }
            }
            MemBase::Data { start, size, constant } => {
                if constant && access == Access::Write {
                    return Err(Stop::Trap(Trap::MemoryFault));
                }
                Range { start, end: start + size }
            }
            MemBase::Thread { offset, size, constant } => {
                if constant && access == Access::Write {
                    return Err(Stop::Trap(Trap::MemoryFault));
                }
                let start = self.memory.thread_data + offset;
                Range { start, end: start + size }
            }
        };
        self.memory.check_object(at, len, access, object)?;
        Ok(at)
    }
    fn lea(&self, m: &MemRef) -> u64 {
        let base = match m.base {
            MemBase::Any if m.slot == NO_SLOT => 0,
            MemBase::Any => self.slots[m.slot as usize],
            MemBase::Frame { offset, .. } => self.frame.memory + offset,
            MemBase::Data { start, .. } => start,
            MemBase::Thread { offset, .. } => self.memory.thread_data + offset,
            MemBase::ThreadOutside(k) => self.memory.thread_externs[k as usize],
        };
        let index = if m.index == NO_SLOT { 0 } else { self.slots[m.index as usize] << m.shift };
        base.wrapping_add(index).wrapping_add(m.offset)
    }
    fn is_own(&self, mem: usize) -> bool {
        matches!(self.code.mems[mem].base, MemBase::Frame { .. })
    }
    fn load(&mut self, mem: usize, len: u32) -> Result<u64, Stop> {
        let at = self.address(mem, len as u64, Access::Read)?;
        if self.is_own(mem) { Ok(self.memory.read_own(at, len)) } else { self.memory.read(at, len) }
    }
    fn store(&mut self, mem: usize, len: u32, bits: u64) -> Result<(), Stop> {
        let at = self.address(mem, len as u64, Access::Write)?;
        if self.is_own(mem) {
            self.memory.write_own(at, len, bits);
            Ok(())
        } else {
            self.memory.write(at, len, bits)
        }
    }
    /// The address of a load or store of whatever kind.
    fn accessed(&self, op: Op) -> u64 {
        match op.code {
            Code::LoadReg | Code::StoreReg => self.get(op.a).wrapping_add(op.imm),
            Code::LoadFrame | Code::StoreFrame => self.frame.memory + op.imm,
            _ => self.lea(&self.code.mems[op.imm as usize]),
        }
    }
    /// A load, where writes are watched. What lies outside of an object is told first.
    fn load_written(&mut self, op: Op) -> Result<(), Stop> {
        let (at, len) = (self.accessed(op), op.aux as u32);
        self.slots[op.dst as usize] = match op.code {
            Code::LoadReg => self.memory.read(at, len)?,
            Code::LoadFrame => self.memory.read_own(at, len),
            _ => self.load(op.imm as usize, len)?,
        };
        match self.memory.first_unwritten(at, len) {
            Some(first) => Err(Stop::Unwritten { len, first }),
            None => Ok(()),
        }
    }
    /// Whether the result of an operation depends, strictly, on which of two stack objects has the lower address, or on
    /// what divides an address.
    fn depends_on_places(&self, op: Op) -> bool {
        if op.ty != Type::I64 {
            return false;
        }
        let is_order = match (op.code, op.op) {
            (Code::Branch, _) | (_, Opcode::Icmp) => !matches!(IntCC::from_u8(op.aux), IntCC::Eq | IntCC::Ne),
            (_, Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem) => {
                return self.memory.is_place(self.get(op.a)) || self.memory.is_place(self.get(op.b));
            }
            (_, Opcode::Sub) => true,
            (_, other) => matches!(other, Opcode::Smin | Opcode::Smax | Opcode::Umin | Opcode::Umax),
        };
        is_order && self.memory.are_in_two_objects(self.get(op.a), self.get(op.b))
    }
    /// A store, where writes are watched.
    fn store_noted(&mut self, op: Op) -> Result<(), Stop> {
        let (at, len, bits) = (self.accessed(op), op.aux as u32, self.get(op.b));
        match op.code {
            Code::StoreReg => self.memory.write(at, len, bits)?,
            Code::StoreFrame => self.memory.write_own(at, len, bits),
            _ => self.store(op.imm as usize, len, bits)?,
        }
        self.memory.note_write(at, len.into());
        Ok(())
    }
    fn memcpy(&mut self, to: usize, from: usize, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let src = self.address(from, len, Access::Read)?;
        let dst = self.address(to, len, Access::Write)?;
        if src != dst && src < dst.saturating_add(len) && dst < src.saturating_add(len) {
            return Err(Stop::error(format!("memcpy of {len} bytes whose ranges overlap")));
        }
        self.memory.copy(dst, src, len)
    }
    fn memset(&mut self, to: usize, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let dst = self.address(to, len, Access::Write)?;
        self.memory.fill(dst, byte, len)
    }
    fn alloca(&mut self, size: u64, align: u64) -> Result<u64, Stop> {
        let start = self.memory.reserve(size, align)?;
        self.memory.add_object(start, size);
        self.memory.forget_writes(start, size);
        Ok(start)
    }
    fn stack_restore(&mut self, top: u64) -> Result<(), Stop> {
        if top < self.frame.floor || top > self.memory.mark().top {
            return Err(Stop::error("stack_restore of a value that stack_save did not give in this activation"));
        }
        self.memory.release_above(top);
        Ok(())
    }
    fn switch(&self, table: usize, value: u64) -> usize {
        let table = &self.code.switches[table];
        match table.keys.binary_search(&value) {
            Ok(k) => table.targets[k] as usize,
            Err(_) => table.default as usize,
        }
    }
}

impl Thread {
    /// Executes until only `floor` frames are left. On failure the frames above are gone.
    pub(super) fn run(&mut self, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&self.world);
        let program = &world.program;
        while self.frames.len() > floor {
            if let Err(stop) = self.run_frame(program) {
                let stop = self.with_name(program, stop);
                let at = self.failed_inside.take().unwrap_or_else(|| self.location(program));
                self.unwind(floor);
                return Err(Failure { stop, at });
            }
        }
        Ok(())
    }

    /// Executes in the top frame until it calls, returns or fails.
    fn run_frame(&mut self, program: &Program) -> Result<(), Stop> {
        let top = self.frames.len() - 1;
        let frame = self.frames[top];
        let code = program.code(frame.func);
        let mut pc = frame.pc as usize;
        let slots = &mut self.slots[frame.base..frame.end];
        let mut context = Context { code, slots, memory: &mut self.memory, frame };
        let area = if frame.variadic { self.variable.last() } else { None };
        let (slice, decls) = (&mut self.slice, &program.module.decls);
        let leave = if context.memory.watches() {
            steps_watched(&mut context, &mut pc, slice, area, decls)
        } else {
            steps::<false>(&mut context, &mut pc, slice, area, decls)
        };
        self.frames[top].pc = pc as u32;
        match leave? {
            Leave::Call(k) => self.call_site(program, &code.calls[k]),
            Leave::Return(bits) => self.return_scalar(program, bits),
            Leave::ReturnAgg(mem) => self.return_aggregate(program, mem),
            Leave::EndOfSlice => self.next_slice(),
        }
    }

    /// Where the top frame stands: at the operation before its `pc`.
    pub(super) fn location(&self, program: &Program) -> Location {
        let frame = self.frames.last().expect("a run has a frame");
        let f = &program.module.funcs[frame.func];
        let inst = program.code(frame.func).origin[(frame.pc as usize).saturating_sub(1)];
        let block = f.layout().block_of(inst).unwrap_or(f.entry());
        Location { func: frame.func, block, loc: f.loc_of(inst), in_c: false, left: false }
    }

    /// Names the object of a load of what was never written, while its frame is there.
    fn with_name(&self, program: &Program, stop: Stop) -> Stop {
        let Stop::Unwritten { len, first } = stop else { return stop };
        let top = self.frames.len() - 1;
        let frame = self.frames.iter().rposition(|f| f.memory <= first);
        let named = frame.and_then(|k| {
            let frame = &self.frames[k];
            let f = &program.module.funcs[frame.func];
            let at = first - frame.memory;
            let offsets = &program.code(frame.func).offsets;
            let inside =
                |(o, start): (Obj, &u64)| (at.wrapping_sub(*start) < f.stack[o].size).then_some((o, at - start));
            let (object, byte) = f.stack.keys().zip(offsets).find_map(inside)?;
            let mut name = Vec::new();
            FunctionPrinter::new(&program.module.decls, f).obj(object, &mut name);
            let mut name = format!("byte {byte} of `{}`", String::from_utf8_lossy(&name));
            if k != top {
                let mut function = Vec::new();
                print_sym(&program.module.decls, f.sym, &mut function);
                name += &format!(" of {}", String::from_utf8_lossy(&function));
            }
            Some(name)
        });
        let named = named.unwrap_or_else(|| "a byte of an alloca".into());
        Stop::error(format!("a read of {len} bytes of which one was never written ({named})"))
    }

    /// Drops frames.
    pub(super) fn unwind(&mut self, floor: usize) {
        while self.frames.len() > floor {
            self.pop_frame();
        }
    }
    pub(super) fn pop_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("there is a frame to pop");
        self.memory.release(frame.mark);
        if frame.variadic {
            self.variable.pop();
        }
        frame
    }
}

/// The loop for `--uninit` and for strict runs, apart from the other, so that that one has all registers to itself.
#[cold]
#[inline(never)]
fn steps_watched(
    c: &mut Context<'_>,
    pc: &mut usize,
    slice: &mut u64,
    area: Option<&va::Area>,
    decls: &lir_syntax::ir::Decls,
) -> Result<Leave, Stop> {
    steps::<true>(c, pc, slice, area, decls)
}

/// Executes operations from `pc` until one leaves the frame. On failure `pc` stands after the one that failed. With
/// `WATCHED` a load of what was never written may be one, and an order of objects.
#[inline(always)]
fn steps<const WATCHED: bool>(
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
        let (dst, imm) = (op.dst as usize, op.imm as usize);
        match op.code {
            Code::Value | Code::ValueImm | Code::Branch if WATCHED && c.depends_on_places(op) => {
                return Err(Stop::error("a result that depends on where stack objects are"));
            }
            Code::Value => {
                let args = [c.get(op.a), c.get(op.b), c.get(op.imm as Slot)];
                c.slots[dst] = semantics::eval(op.op, op.ty, op.aux, args)?;
            }
            Code::ValueImm => c.slots[dst] = semantics::eval(op.op, op.ty, op.aux, [c.get(op.a), op.imm, 0])?,
            Code::Add => c.slots[dst] = op.ty.truncate(c.get(op.a).wrapping_add(c.get(op.b))),
            Code::AddImm => c.slots[dst] = op.ty.truncate(c.get(op.a).wrapping_add(op.imm)),
            Code::Move => c.slots[dst] = c.get(op.a),
            Code::Const => c.slots[dst] = op.imm,
            Code::Jump => *pc = dst,
            Code::Branch => {
                let holds = compare::holds(op.ty, op.aux, c.get(op.a), c.get(op.b));
                *pc = if holds { dst } else { imm };
            }
            Code::BranchImm => {
                let holds = compare::holds(op.ty, op.aux, c.get(op.a), op.imm);
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
            Code::Memcpy => c.memcpy(op.a as usize, op.b as usize, c.get(op.dst))?,
            Code::Memset => c.memset(op.a as usize, c.get(op.b) as u8, c.get(op.dst))?,
            Code::VaStart => va::start(c, imm, area)?,
            Code::VaEnd => {}
            Code::VaCopy => c.memcpy(op.a as usize, op.b as usize, VA_LIST_SIZE)?,
            Code::VaArg => c.slots[dst] = va::scalar(c, imm, op.ty)?,
            Code::VaArgAgg => va::aggregate(c, decls, imm, op.a as usize, op.b as usize)?,
            Code::Call => return Ok(Leave::Call(imm)),
            Code::Ret => return Ok(Leave::Return(if op.a == NO_SLOT { 0 } else { c.get(op.a) })),
            Code::RetAgg => return Ok(Leave::ReturnAgg(imm)),
            Code::Unreachable => return Err(Stop::Trap(Trap::Unreachable)),
        }
    }
}
