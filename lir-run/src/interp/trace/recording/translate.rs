//! Translates one operation of the interpreter to instructions of a trace.

use super::recorder::{Abandoned, PROGRAM, Recorder};
use crate::interp::code::{Code, FuncCode, MemBase, NO_SLOT, Op, Slot};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Base, Effects, Inst, InstView, IntCC, Mem, Opcode, Predicate, Reg, Type};

/// Guards that a switch may have, one for each range of values.
const MAX_GUARDS_OF_SWITCH: usize = 8;

/// Ascending numbers as ranges, first and last.
fn ranges(keys: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for key in keys {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == key => *last = key,
            _ => ranges.push((key, key)),
        }
    }
    ranges
}

/// True if an operation, other than a call, can be part of a trace.
pub(super) fn is_traceable(recorder: &Recorder<'_>, op: Op) -> bool {
    let code = recorder.code();
    match op.code {
        Code::Value | Code::ValueImm => {
            let traps = op.op.info().effects.has(Effects::TRAPS);
            !traps || (is_division(op.op) && !(op.code == Code::ValueImm && op.imm == 0))
        }
        Code::Add | Code::AddImm | Code::Move | Code::Const | Code::Jump | Code::VaEnd => true,
        Code::Promise | Code::ValuePromise | Code::Assume => true,
        Code::Branch | Code::BranchImm | Code::Switch => true,
        Code::LoadReg | Code::LoadFrame | Code::StoreReg | Code::StoreFrame => true,
        Code::LoadMem | Code::Lea | Code::RetAgg => is_known(code, op.imm as u32),
        Code::StoreMem => is_writable(code, op.imm as u32),
        Code::Memcpy | Code::Memmove => is_writable(code, op.a) && is_known(code, op.b),
        Code::Memset => is_writable(code, op.a),
        Code::Ret => true,
        Code::Alloca | Code::StackSave | Code::StackRestore | Code::VaStart | Code::VaCopy => false,
        Code::VaArg | Code::VaArgAgg | Code::Call | Code::Unreachable => false,
        Code::Atomic | Code::Fence | Code::Wide | Code::RetWide | Code::Note | Code::Claim | Code::Sets => false,
    }
}

/// True if the address of a memory operand is known when a trace is recorded.
pub(super) fn is_known(code: &FuncCode, mem: u32) -> bool {
    !matches!(code.mems[mem as usize].base, MemBase::ThreadOutside(_))
}
/// True if it is known, and does not name constant data, which the interpreter does not write.
pub(super) fn is_writable(code: &FuncCode, mem: u32) -> bool {
    let base = code.mems[mem as usize].base;
    let is_constant = matches!(base, MemBase::Data { constant: true, .. } | MemBase::Thread { constant: true, .. });
    is_known(code, mem) && !is_constant
}

fn is_division(op: Opcode) -> bool {
    matches!(op, Opcode::Sdiv | Opcode::Srem | Opcode::Udiv | Opcode::Urem)
}

impl Recorder<'_> {
    /// Records an operation that is neither a call nor a return. The interpreter continued at `next`.
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
                if op.code != Code::LoadFrame {
                    // If the load was merged, this is another instruction, or none.
                    self.loads.extend(self.b.last());
                }
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
    /// Returns the type of a moved value: the type of its source or destination that is a register of the function.
    fn moved_type(&self, op: Op) -> Type {
        let registers = self.program.module.funcs[self.top_frame().func].num_regs();
        let of_value = || self.top_frame().value(op.a);
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
                self.b.compare(Predicate::from_u8(op.aux), a, b)
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
    /// Leaves before a division that traps; the interpreter executes it.
    fn guard_division(&mut self, pc: u32, op: Op, a: Reg, b: Value) -> Result<(), Abandoned> {
        let w = op.ty.as_word();
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
            Value::Bits(bits) if signed && w.truncate(bits) == w.mask() => {
                let least = w.sign_bit();
                self.guard(IntCC::Ne, a, Value::Bits(least), here)
            }
            _ => Ok(()),
        }
    }

    // ---- Control ----

    fn record_branch(&mut self, pc: u32, op: Op, next: u32) -> Result<(), Abandoned> {
        let predicate = Predicate::from_u8(op.aux);
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
    /// If the default was taken, each range of values that leads elsewhere has a guard of its own, or, if there are
    /// many, all have one, since a guard is an exit. If a case was taken, one guard tests that the value is in one of
    /// the ranges that lead there.
    fn record_switch(&mut self, pc: u32, op: Op, next: u32) -> Result<(), Abandoned> {
        let a = self.get(op.a, op.ty);
        let table = &self.code().switches[op.imm as usize];
        let here = (pc, self.executed);
        let is_default = next == table.default;
        let keys = table.keys.iter().zip(&table.targets).filter(|(_, to)| (**to == next) != is_default);
        let ranges = ranges(keys.map(|(key, _)| *key));
        if is_default && ranges.len() <= MAX_GUARDS_OF_SWITCH || ranges.len() == 1 {
            return ranges.into_iter().try_for_each(|range| {
                let (is_in, x, bound) = self.range_test(a, op.ty, range);
                self.guard(if is_default { is_in.inverted() } else { is_in }, x, bound, here)
            });
        }
        let mut is_one = None;
        for range in ranges {
            let (is_in, x, bound) = self.range_test(a, op.ty, range);
            let other = self.b.compare(is_in, x, bound);
            is_one = Some(is_one.map_or(other, |is_one| self.b.or(is_one, other)));
        }
        let is_one = is_one.expect("a value leads there, or many lead elsewhere");
        self.guard(if is_default { IntCC::Eq } else { IntCC::Ne }, is_one, 0, here)
    }
    /// Returns the comparison that tests whether a number is in a range.
    fn range_test(&mut self, a: Reg, ty: Type, (first, last): (u64, u64)) -> (IntCC, Reg, Value) {
        if first == last {
            return (IntCC::Eq, a, Value::Bits(first));
        }
        let from = if first == 0 { a } else { self.b.sub(a, Value::Bits(first)) };
        (IntCC::Ule, from, Value::Bits(ty.as_word().truncate(last - first)))
    }

    // ---- Memory ----

    fn begin_access(&mut self, inst: Inst) {
        self.b.region = PROGRAM;
        if self.program.module.funcs[self.top_frame().func].inst(inst).is_volatile() {
            self.b.volatile();
        }
    }
    /// Returns the memory operand of a load or store of any kind.
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
    pub(super) fn displaced(&mut self, base: Option<Reg>, offset: u64) -> Mem {
        match (base, i32::try_from(offset as i64)) {
            (Some(base), Ok(disp)) => Mem::base_disp(Base::Reg(base), disp),
            (Some(base), Err(_)) => Mem::reg(self.b.add(base, offset as i64)),
            (None, _) => Mem::reg(self.b.constant(Type::I64, Value::Bits(offset))),
        }
    }
    pub(super) fn address(&mut self, mem: u32) -> Mem {
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
}
