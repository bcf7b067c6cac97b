//! Activations of functions, and the effects of operations on the memory and the registers of an activation.

use super::code::{Code, FuncCode, Halves, MemBase, MemRef, NO_SLOT, Op, POOL, Slot};
use super::memory::atomics::Atomic;
use super::memory::ranges::Range;
use super::memory::{Access, Memory, StackMark};
use super::stop::Stop;
use lir_syntax::abi::Register;
use lir_syntax::ir::{EntitySet, FuncId, Inst, IntCC, Opcode, Reg, RmwOp, Type};
use lir_syntax::semantics::{Trap, wide};
use std::sync::atomic::{Ordering, fence};

/// The destination of the result when a frame returns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ReturnTo {
    /// A scalar, for this slot of the caller, or for no slot with [`NO_SLOT`].
    Slot(Slot),
    /// An i128, for these slots of the caller, or for none.
    Halves(Halves),
    /// An aggregate, for this address.
    Memory(u64),
    /// The result as the ABI returns it, for the caller's call record.
    AbiCall,
    /// The result as the ABI returns it, for `Thread::result`: the frame was entered from outside.
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
    /// Address of the caller's memory for a result that the ABI returns in memory.
    pub(super) hidden: u64,
    /// True if the last of `Thread::variable` belongs to this frame.
    pub(super) variadic: bool,
}

/// The state of an activation, for observers and debuggers.
#[derive(Default, Debug)]
pub(super) struct Seen {
    /// The instruction that was executed last.
    pub(super) last: Option<Inst>,
    /// For a debugger: the registers that have a value.
    pub(super) assigned: EntitySet<Reg>,
}

/// The result by the ABI.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct AbiResult {
    /// rax and rdx.
    pub(super) gpr: [u64; 2],
    /// xmm0 and xmm1.
    pub(super) xmm: [u128; 2],
}

impl AbiResult {
    /// Sets a register; a general one has the low half of the bits.
    pub(super) fn set(&mut self, r: Register, bits: u128) {
        match r {
            Register::Result(k) => self.gpr[k as usize] = bits as u64,
            Register::Float(k) => self.xmm[k as usize] = bits,
            Register::Argument(_) | Register::Environment => panic!("a result is in a result register"),
        }
    }
}

/// The parts of the interpreter that operations work on.
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
    /// Returns the address of a memory operand. An access of `len` bytes must stay inside the object that it names.
    #[inline]
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
    #[inline]
    pub(super) fn lea(&self, m: &MemRef) -> u64 {
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
    #[inline]
    fn is_own(&self, mem: usize) -> bool {
        matches!(self.code.mems[mem].base, MemBase::Frame { .. })
    }
    #[inline]
    pub(super) fn load(&mut self, mem: usize, len: u32) -> Result<u64, Stop> {
        let at = self.address(mem, len as u64, Access::Read)?;
        if self.is_own(mem) { Ok(self.memory.read_own(at, len)) } else { self.memory.read(at, len) }
    }
    #[inline]
    pub(super) fn store(&mut self, mem: usize, len: u32, bits: u64) -> Result<(), Stop> {
        let at = self.address(mem, len as u64, Access::Write)?;
        if self.is_own(mem) {
            self.memory.write_own(at, len, bits);
            Ok(())
        } else {
            self.memory.write(at, len, bits)
        }
    }
    /// Returns the address of a load or store of any kind.
    fn accessed(&self, op: Op) -> u64 {
        match op.code {
            Code::LoadReg | Code::StoreReg => self.get(op.a).wrapping_add(op.imm),
            Code::LoadFrame | Code::StoreFrame => self.frame.memory + op.imm,
            _ => self.lea(&self.code.mems[op.imm as usize]),
        }
    }
    /// Executes a load, where writes are watched. An access outside of an object is the error that is reported first.
    pub(super) fn load_written(&mut self, op: Op) -> Result<(), Stop> {
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
    /// True if the result of an operation depends, under strict checks, on the layout of stack objects. The operation
    /// then compares the address of one with another address, or divides it.
    pub(super) fn depends_on_places(&self, op: Op) -> bool {
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
        is_order && self.memory.have_no_order(self.get(op.a), self.get(op.b))
    }
    /// Executes a store, where writes are watched.
    pub(super) fn store_noted(&mut self, op: Op) -> Result<(), Stop> {
        let (at, len, bits) = (self.accessed(op), op.aux as u32, self.get(op.b));
        match op.code {
            Code::StoreReg => self.memory.write(at, len, bits)?,
            Code::StoreFrame => self.memory.write_own(at, len, bits),
            _ => self.store(op.imm as usize, len, bits)?,
        }
        self.memory.note_write(at, len.into());
        Ok(())
    }
    pub(super) fn memcpy(&mut self, to: usize, from: usize, len: u64) -> Result<(), Stop> {
        self.copy((to, from), len, false)
    }
    /// Executes `memcpy` or `memmove`.
    pub(super) fn copy_block(&mut self, op: Op) -> Result<(), Stop> {
        self.copy((op.a as usize, op.b as usize), self.get(op.dst), op.code == Code::Memmove)
    }
    /// Copies bytes. Unless they `may_overlap`, the ranges must be the same or disjoint.
    fn copy(&mut self, (to, from): (usize, usize), len: u64, may_overlap: bool) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let src = self.address(from, len, Access::Read)?;
        let dst = self.address(to, len, Access::Write)?;
        let overlap = src != dst && src < dst.saturating_add(len) && dst < src.saturating_add(len);
        if overlap && !may_overlap {
            return Err(Stop::error(format!("memcpy of {len} bytes whose ranges overlap")));
        }
        self.memory.copy(dst, src, len)
    }
    pub(super) fn memset(&mut self, to: usize, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let dst = self.address(to, len, Access::Write)?;
        self.memory.fill(dst, byte, len)
    }
    /// Executes an operation on i128.
    #[inline(never)]
    pub(super) fn wide(&mut self, number: usize) -> Result<(), Trap> {
        let w = self.code.wides[number];
        let value = |[low, high]: Halves| u128::from(self.get(low)) | u128::from(self.get(high)) << 64;
        let result = wide::eval(w.op, w.predicate, value(w.a), value(w.b))?;
        self.slots[w.dst[0] as usize] = result as u64;
        if w.dst[1] != NO_SLOT {
            self.slots[w.dst[1] as usize] = (result >> 64) as u64;
        }
        Ok(())
    }
    /// Executes an atomic access or a fence.
    pub(super) fn atomic(&mut self, op: Op) -> Result<(), Stop> {
        if op.code == Code::Fence {
            fence(Ordering::SeqCst);
            return Ok(());
        }
        let what = match op.op {
            Opcode::AtomicLoad => Atomic::Load,
            Opcode::AtomicStore => Atomic::Store(self.get(op.a)),
            Opcode::AtomicRmw => {
                let update = RmwOp::of_aux(op.aux).expect("the verifier has seen the operation");
                Atomic::Update(update, self.get(op.a))
            }
            _ => Atomic::Exchange { expected: self.get(op.a), new: self.get(op.b) },
        };
        let len = op.ty.bytes();
        let at = self.address(op.imm as usize, len.into(), what.access())?;
        let before = self.memory.atomic(at, len, what)?;
        if op.dst != NO_SLOT {
            self.slots[op.dst as usize] = before;
        }
        Ok(())
    }
    pub(super) fn alloca(&mut self, size: u64, align: u64) -> Result<u64, Stop> {
        let start = self.memory.reserve(size, align)?;
        self.memory.add_object(start, size);
        self.memory.forget_writes(start, size);
        Ok(start)
    }
    pub(super) fn stack_restore(&mut self, top: u64) -> Result<(), Stop> {
        if top < self.frame.floor || top > self.memory.mark().top {
            return Err(Stop::error("stack_restore of a value that stack_save did not give in this activation"));
        }
        self.memory.release_above(top);
        if !self.memory.sets.is_empty() {
            self.memory.sets.forget();
        }
        Ok(())
    }
    #[inline]
    pub(super) fn switch(&self, table: usize, value: u64) -> usize {
        let table = &self.code.switches[table];
        match table.keys.binary_search(&value) {
            Ok(k) => table.targets[k] as usize,
            Err(_) => table.default as usize,
        }
    }
}
