//! One operation of the interpreter, as instructions of a trace.

use super::exits::Position;
use super::recorder::{Abandoned, Activation, PROGRAM, Recorder};
use crate::interp::code::{ArgCode, CallCode, Code, MemBase, NO_SLOT, Op, ParamCode, ResultCode, Slot};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Base, Effects, FuncId, Inst, InstView, IntCC, Mem, Opcode, Predicate, Reg, Type};

/// Bytes of slots that a trace may reach.
const MAX_REACH: usize = 1 << 30;

/// True if an operation, other than a call, can be part of a trace.
pub(super) fn is_traceable(recorder: &Recorder<'_>, op: Op) -> bool {
    let code = recorder.code();
    let is_in_thread = |mem: u32| matches!(code.mems[mem as usize].base, MemBase::ThreadOutside(_));
    let may_write = |mem: u32| {
        let base = code.mems[mem as usize].base;
        !is_in_thread(mem)
            && !matches!(base, MemBase::Data { constant: true, .. } | MemBase::Thread { constant: true, .. })
    };
    match op.code {
        Code::Value | Code::ValueImm => {
            let traps = op.op.info().effects.has(Effects::TRAPS);
            !traps || (is_division(op.op) && !(op.code == Code::ValueImm && op.imm == 0))
        }
        Code::Add | Code::AddImm | Code::Move | Code::Const | Code::Jump | Code::VaEnd => true,
        Code::Branch | Code::BranchImm | Code::Switch => true,
        Code::LoadReg | Code::LoadFrame | Code::StoreReg | Code::StoreFrame => true,
        Code::LoadMem | Code::Lea => !is_in_thread(op.imm as u32),
        Code::StoreMem => may_write(op.imm as u32),
        Code::Memcpy | Code::Memmove => may_write(op.a) && !is_in_thread(op.b),
        Code::Memset => may_write(op.a),
        Code::Ret => true,
        Code::Alloca | Code::StackSave | Code::StackRestore | Code::VaStart | Code::VaCopy => false,
        Code::VaArg | Code::VaArgAgg | Code::Call | Code::RetAgg | Code::Unreachable => false,
    }
}

/// True if a call passes scalars alone, and returns one or nothing.
pub(super) fn passes_scalars(call: &CallCode) -> bool {
    let is_scalar = |a: &ArgCode| matches!(a, ArgCode::Scalar { .. });
    !call.returns_twice
        && !call.noreturn
        && !matches!(call.result, ResultCode::Agg { .. })
        && call.args.iter().all(is_scalar)
}

fn is_division(op: Opcode) -> bool {
    matches!(op, Opcode::Sdiv | Opcode::Srem | Opcode::Udiv | Opcode::Urem)
}

impl Recorder<'_> {
    /// Records an operation that is no call and no return. The interpreter went on at `next`.
    pub(super) fn record(&mut self, pc: u32, next: u32) -> Result<(), Abandoned> {
        self.at(pc);
        let op = self.code().ops[pc as usize];
        let inst = self.code().origin[pc as usize];
        match op.code {
            Code::Value | Code::ValueImm | Code::Add | Code::AddImm => self.record_value(pc, op, inst)?,
            Code::Move => {
                let ty = self.moved_type(op);
                let value = self.get(op.a, ty);
                self.set(op.dst, value);
            }
            Code::Const => {
                let ty = self.result_type(op.dst);
                let value = self.b.constant(ty, Value::Bits(op.imm));
                self.set(op.dst, value);
            }
            Code::Branch | Code::BranchImm => self.record_branch(pc, op, next)?,
            Code::Switch => self.record_switch(pc, op, next)?,
            Code::LoadReg | Code::LoadFrame | Code::LoadMem => {
                let mem = self.accessed(op);
                self.begin_access(inst);
                let value = self.b.load(op.ty, mem);
                self.set(op.dst, value);
            }
            Code::StoreReg | Code::StoreFrame | Code::StoreMem => {
                let mem = self.accessed(op);
                let value = self.value(op.b, op.ty);
                self.begin_access(inst);
                self.b.store(op.ty, mem, value);
            }
            Code::Lea => {
                let mem = self.address(op.imm as u32);
                let value = self.b.lea(mem);
                self.set(op.dst, value);
            }
            Code::Memcpy | Code::Memmove | Code::Memset => self.record_block(op),
            _ => {}
        }
        self.executed += 1;
        Ok(())
    }

    // ---- Computations ----

    fn result_type(&self, slot: Slot) -> Type {
        let func = &self.program.module.funcs[self.top_frame().func];
        func.type_of(Reg::from_u32(slot))
    }
    /// The type of what is moved: that of the side that is a register of the function.
    fn moved_type(&self, op: Op) -> Type {
        let registers = self.program.module.funcs[self.top_frame().func].num_regs();
        let of_value = || self.top_frame().values.get(op.a as usize).copied().flatten();
        if (op.dst as usize) < registers {
            self.result_type(op.dst)
        } else {
            of_value().map_or_else(|| self.result_type(op.a), |r| self.b.func.type_of(r))
        }
    }
    fn record_value(&mut self, pc: u32, op: Op, inst: Inst) -> Result<(), Abandoned> {
        let f = &self.program.module.funcs[self.top_frame().func];
        let d = *f.inst(inst);
        let view = f.view(inst);
        let to = self.result_type(op.dst);
        let second = |this: &mut Self| match op.code {
            Code::ValueImm | Code::AddImm => Value::Bits(op.imm),
            _ => this.value(op.b, op.ty),
        };
        let value = match view {
            InstView::Binary(..) => {
                let a = self.get(op.a, op.ty);
                let b = second(self);
                if is_division(op.op) {
                    self.guard_division(pc, op, a, b)?;
                }
                self.b.binary(op.op, op.ty, a, b)
            }
            InstView::Compare(_) => {
                let a = self.get(op.a, op.ty);
                let b = second(self);
                self.b.compare(Predicate::from_u8(op.ty, op.aux), a, b)
            }
            InstView::Convert { .. } => {
                let a = self.get(op.a, op.ty);
                self.b.convert(op.op, op.ty, a, to)
            }
            InstView::Select { .. } => {
                let condition = f.inst(inst).first().as_reg().map_or(Type::I8, |r| f.type_of(r));
                let c = self.get(op.a, condition);
                let [a, b] = [op.b, op.imm as Slot].map(|s| self.get(s, op.ty));
                self.b.select(c, a, b)
            }
            InstView::Ternary(..) => {
                let [a, b, c] = [op.a, op.b, op.imm as Slot].map(|s| self.get(s, op.ty));
                self.b.ternary(op.op, op.ty, a, b, c)
            }
            _ => {
                let a = self.get(op.a, op.ty);
                self.b.unary(d.op, op.ty, a)
            }
        };
        self.set(op.dst, value);
        Ok(())
    }
    /// Leaves before a division that traps; the interpreter does it.
    fn guard_division(&mut self, pc: u32, op: Op, a: Reg, b: Value) -> Result<(), Abandoned> {
        let here = (pc, self.executed);
        let signed = matches!(op.op, Opcode::Sdiv | Opcode::Srem);
        match b {
            Value::Reg(divisor) => {
                self.guard(IntCC::Ne, divisor, 0, here)?;
                if signed {
                    self.guard(IntCC::Ne, divisor, -1, here)?;
                }
                Ok(())
            }
            Value::Bits(bits) if signed && op.ty.truncate(bits) == op.ty.mask() => {
                let least = (op.ty.mask() >> 1) + 1;
                self.guard(IntCC::Ne, a, Value::Bits(least), here)
            }
            _ => Ok(()),
        }
    }

    // ---- Control ----

    fn record_branch(&mut self, pc: u32, op: Op, next: u32) -> Result<(), Abandoned> {
        let predicate = Predicate::from_u8(op.ty, op.aux);
        let (otherwise, second) = match op.code {
            Code::BranchImm => (op.b, Value::Bits(op.imm)),
            _ => (op.imm as u32, self.value(op.b, op.ty)),
        };
        if op.dst == otherwise {
            return Ok(());
        }
        let first = self.get(op.a, op.ty);
        let (predicate, exit) = if next == op.dst { (predicate, otherwise) } else { (predicate.inverted(), op.dst) };
        debug_assert!(next == op.dst || next == otherwise, "operation {pc} goes to one of its targets");
        self.guard(predicate, first, second, (exit, self.executed + 1))
    }
    fn record_switch(&mut self, pc: u32, op: Op, next: u32) -> Result<(), Abandoned> {
        let a = self.get(op.a, op.ty);
        let table = &self.code().switches[op.imm as usize];
        let here = (pc, self.executed);
        let mut leading = table.keys.iter().zip(&table.targets).filter(|(_, to)| **to == next).map(|(k, _)| *k);
        match (leading.next(), leading.next()) {
            (Some(key), None) if next != table.default => self.guard(IntCC::Eq, a, Value::Bits(key), here),
            _ => {
                // Several values lead there, or all that are not named: those that lead elsewhere leave.
                let elsewhere: Vec<u64> =
                    table.keys.iter().zip(&table.targets).filter(|(_, to)| **to != next).map(|(k, _)| *k).collect();
                if next != table.default {
                    return Err(Abandoned);
                }
                elsewhere.into_iter().try_for_each(|key| self.guard(IntCC::Ne, a, Value::Bits(key), here))
            }
        }
    }

    // ---- Memory ----

    fn begin_access(&mut self, inst: Inst) {
        self.b.region = PROGRAM;
        if self.program.module.funcs[self.top_frame().func].inst(inst).is_volatile() {
            self.b.volatile();
        }
    }
    /// The memory operand of a load or store of whatever kind.
    fn accessed(&mut self, op: Op) -> Mem {
        match op.code {
            Code::LoadReg | Code::StoreReg => {
                let base = self.get(op.a, Type::I64);
                self.displaced(Some(base), op.imm)
            }
            Code::LoadFrame | Code::StoreFrame => self.displaced(Some(self.top_frame().memory), op.imm),
            _ => self.address(op.imm as u32),
        }
    }
    /// `[base + offset]`.
    fn displaced(&mut self, base: Option<Reg>, offset: u64) -> Mem {
        match (base, i32::try_from(offset as i64)) {
            (Some(base), Ok(disp)) => Mem::base_disp(Base::Reg(base), disp),
            (Some(base), Err(_)) => Mem::reg(self.b.add(base, offset as i64)),
            (None, _) => Mem::reg(self.b.constant(Type::I64, Value::Bits(offset))),
        }
    }
    fn address(&mut self, mem: u32) -> Mem {
        let m = self.code().mems[mem as usize];
        let (base, offset) = match m.base {
            MemBase::Any if m.slot == NO_SLOT => (None, 0),
            MemBase::Any => (Some(self.get(m.slot, Type::I64)), 0),
            MemBase::Frame { offset, .. } => (Some(self.top_frame().memory), offset),
            MemBase::Data { start, .. } => (None, start),
            MemBase::Thread { offset, .. } => (None, self.thread_data.wrapping_add(offset)),
            MemBase::ThreadOutside(_) => unreachable!("such an operation is no part of a trace"),
        };
        let address = self.displaced(base, offset.wrapping_add(m.offset));
        match m.index {
            NO_SLOT => address,
            index => Mem { index: Some(self.get(index, Type::I64)), scale: 1 << m.shift, ..address },
        }
    }
    fn record_block(&mut self, op: Op) {
        let to = self.address(op.a);
        let size = self.value(op.dst, Type::I64);
        if op.code == Code::Memset {
            let byte = self.value(op.b, Type::I8);
            self.b.region = PROGRAM;
            return self.b.memset(to, byte, size);
        }
        let from = self.address(op.b);
        self.b.region = PROGRAM;
        match op.code {
            Code::Memmove => self.b.memmove(to, from, size),
            _ => self.b.memcpy(to, from, size),
        }
    }

    // ---- Calls ----

    /// Records a call of a function of the program, whose frame the interpreter has pushed. Through a register, the
    /// address is that of the function.
    pub(super) fn record_call(&mut self, pc: u32, func: FuncId, through: Option<(Slot, u64)>) -> Result<(), Abandoned> {
        self.at(pc);
        if let Some((slot, address)) = through {
            let callee = self.get(slot, Type::I64);
            self.guard(IntCC::Eq, callee, Value::Bits(address), (pc, self.executed))?;
        }
        let code = self.code();
        let call = &code.calls[code.ops[pc as usize].imm as usize];
        let mut arguments = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            let ArgCode::Scalar { slot, ty, .. } = *arg else { return Err(Abandoned) };
            arguments.push(self.get(slot, ty));
        }
        let caller = self.frames.last_mut().expect("a frame is there");
        caller.resume = pc + 1;
        let base = caller.base + code.slots;
        self.push(func, base)?;
        for (value, param) in arguments.into_iter().zip(&self.code().params) {
            let ParamCode::Scalar { slot, .. } = *param else { return Err(Abandoned) };
            self.set(slot, value);
        }
        self.executed += 1;
        Ok(())
    }
    fn push(&mut self, func: FuncId, base: usize) -> Result<(), Abandoned> {
        let code = self.program.code(func);
        if (base + code.slots) * 8 > MAX_REACH {
            return Err(Abandoned);
        }
        let top_before = self.top;
        let mut memory = self.top;
        if code.frame_size != 0 {
            let align = code.frame_align.max(1);
            let last = self.b.add(self.top, align as i64 - 1);
            memory = self.b.and(last, (align as i64).wrapping_neg());
            self.top = self.b.add(memory, (code.frame_size + self.program.gap()) as i64);
            self.extent.bytes += code.frame_size + align + self.program.gap();
        }
        let values = vec![None; code.slots];
        self.frames.push(Activation { func, base, values, memory, top_before, resume: 0 });
        self.extent.slots = self.extent.slots.max(base + code.slots);
        self.extent.frames = self.extent.frames.max(self.frames.len() - 1);
        Ok(())
    }
    /// Records a return from a function whose call is part of the trace.
    pub(super) fn record_return(&mut self, pc: u32) {
        self.at(pc);
        let op = self.code().ops[pc as usize];
        let inst = self.code().origin[pc as usize];
        let ty = self.program.module.funcs[self.top_frame().func].inst(inst).ty;
        let value = (op.a != NO_SLOT).then(|| self.get(op.a, ty));
        let returned = self.frames.pop().expect("a frame returns");
        self.top = returned.top_before;
        let code = self.code();
        let call = &code.calls[code.ops[self.top_frame().resume as usize - 1].imm as usize];
        if let (ResultCode::Scalar(_, slot), Some(value)) = (call.result, value)
            && slot != NO_SLOT
        {
            self.set(slot, value);
        }
        self.executed += 1;
    }
    /// The position of the interpreter, if it is that of the frame on which the trace was entered.
    pub(super) fn outermost(&self, pc: u32) -> Option<Position> {
        (self.frames.len() == 1).then(|| Position { func: self.frames[0].func, pc })
    }
}
