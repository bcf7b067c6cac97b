//! One operation of the interpreter, as instructions of a trace.

use super::builtins;
use super::callers::key;
use super::exits::Position;
use super::recorder::{Abandoned, Activation, PROGRAM, Recorder};
use super::state::{self, CALLER_KEY, CALLER_MEMORY, CALLER_RESULT, CALLER_TOP};
use crate::interp::code::{
    ArgCode, CallCode, Callee, Code, FuncCode, MemBase, NO_SLOT, Op, ParamCode, ResultCode, ReturnCode, Slot,
};
use crate::interp::program::{Builtin, Program};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{
    Attrs, Base, CallArg, Effects, Ext, FuncId, Inst, InstView, IntCC, Mem, Opcode, OperandKind, Predicate, Reg,
    Signature, Type,
};
use lir_syntax::libc::{self, Meaning};

/// Bytes of slots that a trace may reach.
const MAX_REACH: isize = 1 << 30;

/// True if an operation, other than a call, can be part of a trace.
pub(super) fn is_traceable(recorder: &Recorder<'_>, op: Op) -> bool {
    let code = recorder.code();
    match op.code {
        Code::Value | Code::ValueImm => {
            let traps = op.op.info().effects.has(Effects::TRAPS);
            !traps || (is_division(op.op) && !(op.code == Code::ValueImm && op.imm == 0))
        }
        Code::Add | Code::AddImm | Code::Move | Code::Const | Code::Jump | Code::VaEnd => true,
        Code::Branch | Code::BranchImm | Code::Switch => true,
        Code::LoadReg | Code::LoadFrame | Code::StoreReg | Code::StoreFrame => true,
        Code::LoadMem | Code::Lea | Code::RetAgg => is_known(code, op.imm as u32),
        Code::StoreMem => is_writable(code, op.imm as u32),
        Code::Memcpy | Code::Memmove => is_writable(code, op.a) && is_known(code, op.b),
        Code::Memset => is_writable(code, op.a),
        Code::Ret => true,
        Code::Alloca | Code::StackSave | Code::StackRestore | Code::VaStart | Code::VaCopy => false,
        Code::VaArg | Code::VaArgAgg | Code::Call | Code::Unreachable => false,
    }
}

/// True if a call of a function of the program can be part of a trace.
pub(super) fn is_traceable_call(code: &FuncCode, call: &CallCode) -> bool {
    let is_traceable = |a: &ArgCode| match *a {
        ArgCode::Scalar { .. } => true,
        ArgCode::Agg { mem, .. } => is_known(code, mem),
    };
    let result = match call.result {
        ResultCode::Agg { mem, .. } => is_writable(code, mem),
        ResultCode::None | ResultCode::Scalar(..) => true,
    };
    !call.returns_twice && !call.noreturn && result && call.args.iter().all(is_traceable)
}

/// True if the address of a memory operand is known where a trace is recorded.
fn is_known(code: &FuncCode, mem: u32) -> bool {
    !matches!(code.mems[mem as usize].base, MemBase::ThreadOutside(_))
}
/// True if so, and it does not name constant data, which the interpreter does not write.
fn is_writable(code: &FuncCode, mem: u32) -> bool {
    let base = code.mems[mem as usize].base;
    let is_constant = matches!(base, MemBase::Data { constant: true, .. } | MemBase::Thread { constant: true, .. });
    is_known(code, mem) && !is_constant
}

fn is_division(op: Opcode) -> bool {
    matches!(op, Opcode::Sdiv | Opcode::Srem | Opcode::Udiv | Opcode::Urem)
}

/// An argument of a call.
enum Argument {
    Scalar(Reg),
    /// This many bytes.
    Agg(Mem, u64),
}

/// A function outside of the program that calls nobody back.
pub(super) enum Outside {
    /// It is an operation of the language.
    Operation(Opcode),
    /// A function of the C library, at this address.
    Call(u64, Signature),
    /// One that the interpreter does itself.
    Builtin(Builtin),
}

impl Outside {
    /// The function that a call calls, if it is such a one: by its address, or by its declaration.
    pub(super) fn of(program: &Program, at: Position) -> Option<Outside> {
        let code = program.code(at.func);
        let call = &code.calls[code.ops[at.pc as usize].imm as usize];
        let Callee::Address(address) = call.callee else { return None };
        if let Some(builtin) = program.builtin(address) {
            let is_word = |a: &ArgCode| matches!(a, ArgCode::Scalar { ty: Type::I64, .. });
            let is_usual = call.args.len() <= 3 && call.args.iter().all(is_word);
            return is_usual.then_some(Outside::Builtin(builtin));
        }
        let f = &program.module.funcs[at.func];
        let InstView::Call { callee } = f.view(code.origin[at.pc as usize]) else { return None };
        let OperandKind::Sym(sym) = callee.kind() else { return None };
        let function = libc::declared(&program.module.decls, sym)?;
        match function.meaning {
            Meaning::Operation(op) => Some(Outside::Operation(op)),
            Meaning::Text(_) | Meaning::Abs => Some(Outside::Call(address, function.signature())),
            _ if function.attrs.has(Attrs::READNONE) => Some(Outside::Call(address, function.signature())),
            _ => None,
        }
    }
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
        let keys = |leads: bool| table.keys.iter().zip(&table.targets).filter(move |(_, to)| (**to == next) == leads);
        if next == table.default {
            // All that is not named leads there: what leads elsewhere leaves.
            return keys(false).try_for_each(|(key, _)| self.guard(IntCC::Ne, a, Value::Bits(*key), here));
        }
        let mut leading = keys(true).map(|(key, _)| *key);
        let first = leading.next().expect("a value leads there");
        let Some(second) = leading.next() else { return self.guard(IntCC::Eq, a, Value::Bits(first), here) };
        let mut is_one = self.b.compare(IntCC::Eq, a, Value::Bits(first));
        for key in [second].into_iter().chain(leading) {
            let other = self.b.compare(IntCC::Eq, a, Value::Bits(key));
            is_one = self.b.or(is_one, other);
        }
        self.guard(IntCC::Ne, is_one, 0, here)
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
            arguments.push(match *arg {
                ArgCode::Scalar { slot, ty, .. } => Argument::Scalar(self.get(slot, ty)),
                ArgCode::Agg { mem, size, .. } => Argument::Agg(self.address(mem), size),
            });
        }
        let result = match call.result {
            ResultCode::Agg { mem, .. } => {
                let at = self.address(mem);
                Some(self.b.lea(at))
            }
            ResultCode::None | ResultCode::Scalar(..) => None,
        };
        let caller = self.frames.last_mut().expect("a frame is there");
        caller.resume = pc + 1;
        let base = caller.base + code.slots as isize;
        self.push(func, base, result)?;
        for (value, param) in arguments.into_iter().zip(&self.code().params) {
            match (value, *param) {
                (Argument::Scalar(value), ParamCode::Scalar { slot, .. }) => self.set(slot, value),
                (Argument::Agg(from, size), ParamCode::Agg { offset, .. }) => {
                    let to = self.displaced(Some(self.top_frame().memory), offset);
                    self.b.region = PROGRAM;
                    self.b.memcpy(to, from, Value::Bits(size));
                }
                _ => return Err(Abandoned),
            }
        }
        self.executed += 1;
        Ok(())
    }
    /// Records a call of a function outside of the program.
    pub(super) fn record_outside_call(&mut self, pc: u32, callee: &Outside) -> Result<(), Abandoned> {
        self.at(pc);
        let code = self.code();
        let call = &code.calls[code.ops[pc as usize].imm as usize];
        let mut arguments = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            let ArgCode::Scalar { slot, ty, ext, .. } = *arg else { return Err(Abandoned) };
            arguments.push((self.get(slot, ty), ext));
        }
        self.b.region = PROGRAM;
        let value = match callee {
            Outside::Operation(op) => {
                let x = arguments[0].0;
                Some(self.b.unary(*op, self.b.func.type_of(x), x))
            }
            Outside::Call(address, signature) => {
                let address = self.b.constant(Type::I64, Value::Bits(*address));
                let arguments: Vec<CallArg> = arguments.iter().map(|(r, ext)| CallArg::Reg(*r, *ext)).collect();
                self.b.call_indirect(signature, address, &arguments, None)
            }
            Outside::Builtin(builtin) => Some(self.call_builtin(pc, *builtin, &arguments)?),
        };
        if let (ResultCode::Scalar(ty, slot), Some(value)) = (call.result, value)
            && slot != NO_SLOT
        {
            let is_word = ty == Type::I64 || self.b.func.type_of(value) == ty;
            let value = if is_word { value } else { self.b.trunc(value, ty) };
            self.set(slot, value);
        }
        self.executed += 1;
        Ok(())
    }
    /// Calls a function that the interpreter does itself, which does it again where it fails.
    fn call_builtin(&mut self, pc: u32, builtin: Builtin, arguments: &[(Reg, Ext)]) -> Result<Reg, Abandoned> {
        let none = self.b.constant(Type::I64, 0);
        let mut words = [self.state(), none, none, none];
        words[1..].iter_mut().zip(arguments).for_each(|(word, (r, _))| *word = *r);
        let signature = Signature::of_scalars(&[Type::I64; 4], Some(Type::I64));
        let code = self.b.constant(Type::I64, Value::Bits(builtins::code_of(builtin) as usize as u64));
        let words = words.map(|r| CallArg::Reg(r, Ext::None));
        let result = self.b.call_indirect(&signature, code, &words, None).expect("it returns a word");
        let failed = self.load_of_state(state::FAILED);
        // Stress is not for this guard: what was done would be done twice.
        self.leave_unless(IntCC::Eq, failed, 0, (pc, self.executed))?;
        Ok(result)
    }
    fn push(&mut self, func: FuncId, base: isize, result: Option<Reg>) -> Result<(), Abandoned> {
        let code = self.program.code(func);
        let end = base + code.slots as isize;
        if end * 8 > MAX_REACH {
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
        let mut callee = Activation::new(Position { func, pc: 0 }, code.slots, base, memory, top_before);
        callee.result = result;
        self.frames.push(callee);
        self.extent.slots = self.extent.slots.max(end.max(0) as usize);
        self.extent.frames = self.extent.frames.max(self.frames.len() - 1);
        Ok(())
    }
    /// Records a return. If its call is no part of the trace, the interpreter went on in `caller`.
    pub(super) fn record_return(&mut self, pc: u32, caller: Position) -> Result<(), Abandoned> {
        self.at(pc);
        let op = self.code().ops[pc as usize];
        let value = self.returned_value(pc, op);
        if self.frames.len() == 1 {
            self.guard_caller(pc, caller)?;
        }
        if op.code == Code::RetAgg {
            self.return_aggregate(op);
        }
        if self.frames.len() == 1 {
            self.return_below(caller);
        } else {
            let returned = self.frames.pop().expect("a frame returns");
            self.top = returned.top_before;
        }
        let code = self.code();
        let call = &code.calls[code.ops[self.top_frame().resume as usize - 1].imm as usize];
        if let (ResultCode::Scalar(_, slot), Some(value)) = (call.result, value)
            && slot != NO_SLOT
        {
            self.set(slot, value);
        }
        self.executed += 1;
        Ok(())
    }
    fn returned_value(&mut self, pc: u32, op: Op) -> Option<Reg> {
        let inst = self.code().origin[pc as usize];
        let ty = self.program.module.funcs[self.top_frame().func].inst(inst).ty;
        (op.code == Code::Ret && op.a != NO_SLOT).then(|| self.get(op.a, ty))
    }
    /// Copies the returned aggregate where the call wants it.
    fn return_aggregate(&mut self, op: Op) {
        let ReturnCode::Agg { size, .. } = self.code().result else { unreachable!("it returns an aggregate") };
        let from = self.address(op.imm as u32);
        let to = self.top_frame().result;
        let to = to.unwrap_or_else(|| self.load_of_caller(CALLER_RESULT));
        self.b.region = PROGRAM;
        self.b.memmove(Mem::reg(to), from, Value::Bits(size));
    }
    /// Leaves before a return that is not to this position.
    fn guard_caller(&mut self, pc: u32, caller: Position) -> Result<(), Abandoned> {
        let found = self.load_of_caller(CALLER_KEY);
        self.guard(IntCC::Eq, found, Value::Bits(key(caller)), (pc, self.executed))
    }
    /// Goes on in the caller of the frame on which the trace was entered.
    fn return_below(&mut self, caller: Position) {
        let [memory, top] = [CALLER_MEMORY, CALLER_TOP].map(|field| self.load_of_caller(field));
        let code = self.program.code(caller.func);
        let returned = self.frames.pop().expect("a frame returns");
        let base = returned.base - code.slots as isize;
        self.frames.push(Activation::new(caller, code.slots, base, memory, top));
        (self.top, self.returns) = (top, self.returns + 1);
        self.lowest = base;
    }
    /// The position of the interpreter, if it is that of the frame on which the trace was entered.
    pub(super) fn outermost(&self, pc: u32) -> Option<Position> {
        (self.frames.len() == 1 && self.returns == 0).then(|| Position { func: self.frames[0].func, pc })
    }
}
