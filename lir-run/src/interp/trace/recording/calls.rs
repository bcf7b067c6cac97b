//! Calls and returns, as parts of a trace.
//!
//! A call of a function of the program is inlined: its frame is one of the recording's. A return pops it. A return from
//! the frame on which the trace is entered continues in the caller, after a guard that it is the same one.

use super::builtins;
use super::recorder::{Abandoned, Activation, PROGRAM, Recorder};
use super::translate::{is_known, is_writable};
use crate::interp::code::{
    ArgCode, CallCode, Callee, Code, FuncCode, NO_SLOT, Op, ParamCode, ResultCode, ReturnCode, Slot,
};
use crate::interp::program::{Builtin, Program};
use crate::interp::trace::callers::key;
use crate::interp::trace::exits::Position;
use crate::interp::trace::state::{self, CALLER_KEY, CALLER_MEMORY, CALLER_RESULT, CALLER_TOP};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Attrs, CallArg, Ext, FuncId, InstView, IntCC, Mem, Opcode, OperandKind, Reg, Signature, Type};
use lir_syntax::libc::{self, Meaning};

/// Bytes of slots that a trace may reach.
const MAX_REACH: isize = 1 << 30;

/// True if a call of a function of the program can be part of a trace. A jump, which removes a frame, cannot.
pub(super) fn is_traceable_call(code: &FuncCode, call: &CallCode) -> bool {
    let is_traceable = |a: &ArgCode| match *a {
        ArgCode::Scalar { .. } => true,
        ArgCode::Agg { mem, .. } => is_known(code, mem),
        ArgCode::Wide { .. } => false,
    };
    let result = match call.result {
        ResultCode::Agg { mem, .. } => is_writable(code, mem),
        ResultCode::None | ResultCode::Scalar(..) => true,
        ResultCode::Wide(_) => false,
    };
    !call.returns_twice && !call.noreturn && !call.jumps && result && call.args.iter().all(is_traceable)
}

/// An argument of a call.
enum Argument {
    Scalar(Reg),
    /// An aggregate of this many bytes.
    Agg(Mem, u64),
}

/// A function outside of the program that calls nothing back.
pub(super) enum Outside {
    /// It is an operation of the language.
    Operation(Opcode),
    /// A function of the C library, at this address.
    Call(u64, Signature),
    /// A function that the interpreter implements.
    Builtin(Builtin),
}

impl Outside {
    /// Returns the callee of a call, if it is such a function: by its address, or by its declaration.
    pub(super) fn of(program: &Program, at: Position) -> Option<Outside> {
        let code = program.code(at.func);
        let call = &code.calls[code.ops[at.pc as usize].imm as usize];
        let Callee::Address(address) = call.callee else { return None };
        if let Some(builtin) = program.builtin(address) {
            let is_word = |a: &ArgCode| matches!(a, ArgCode::Scalar { ty: Type::I64, .. });
            let is_result = matches!(call.result, ResultCode::None | ResultCode::Scalar(Type::I64 | Type::I32, _));
            let is_usual = call.args.len() <= 3 && call.args.iter().all(is_word) && is_result;
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
    /// Records a call of a function of the program, whose frame the interpreter has pushed. A call through a register
    /// guards the function's address.
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
                ArgCode::Wide { .. } => return Err(Abandoned),
            });
        }
        let result = match call.result {
            ResultCode::Agg { mem, .. } => {
                let at = self.address(mem);
                Some(self.b.lea(at))
            }
            ResultCode::None | ResultCode::Scalar(..) | ResultCode::Wide(_) => None,
        };
        let caller = self.frames.last_mut().expect("a frame is there");
        caller.resume = pc + 1;
        let (base, at) = (caller.base + code.slots as isize, caller.func);
        self.sites.call(self.program.location(at, pc), func);
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
            Outside::Operation(op) => Some(self.call_operation(*op, &arguments)),
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
    fn call_operation(&mut self, op: Opcode, arguments: &[(Reg, Ext)]) -> Reg {
        let ty = self.b.func.type_of(arguments[0].0);
        match *arguments {
            [(x, _)] => self.b.unary(op, ty, x),
            [(x, _), (y, _)] => self.b.binary(op, ty, x, y),
            [(x, _), (y, _), (z, _)] => self.b.ternary(op, ty, x, y, z),
            _ => unreachable!("operations have up to three operands"),
        }
    }
    /// Calls a function that the interpreter implements. If it fails, the interpreter calls it again.
    fn call_builtin(&mut self, pc: u32, builtin: Builtin, arguments: &[(Reg, Ext)]) -> Result<Reg, Abandoned> {
        let none = self.b.constant(Type::I64, 0);
        let mut words = [self.state(), none, none, none];
        words[1..].iter_mut().zip(arguments).for_each(|(word, (r, _))| *word = *r);
        let signature = Signature::of_scalars(&[Type::I64; 4], Some(Type::I64));
        let code = self.b.constant(Type::I64, Value::Bits(builtins::code_of(builtin) as usize as u64));
        let words = words.map(|r| CallArg::Reg(r, Ext::None));
        let result = self.b.call_indirect(&signature, code, &words, None).expect("it returns a word");
        let failed = self.load_of_state(state::FAILED);
        // Without stress, since the call would be executed twice.
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
        self.come_to(func);
        self.extent.slots = self.extent.slots.max(end.max(0) as usize);
        self.extent.frames = self.extent.frames.max(self.frames.len() - 1);
        Ok(())
    }
    /// Records a return. If its call is not part of the trace, the interpreter continued in `caller`.
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
        self.sites.end_call();
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
    /// Copies the returned aggregate to the destination of the call.
    fn return_aggregate(&mut self, op: Op) {
        let ReturnCode::Agg { size, .. } = self.code().result else { unreachable!("it returns an aggregate") };
        let from = self.address(op.imm as u32);
        let to = self.top_frame().result;
        let to = to.unwrap_or_else(|| self.load_of_caller(CALLER_RESULT));
        self.b.region = PROGRAM;
        self.b.memmove(Mem::reg(to), from, Value::Bits(size));
    }
    /// Leaves before a return to another position than this.
    fn guard_caller(&mut self, pc: u32, caller: Position) -> Result<(), Abandoned> {
        let found = self.load_of_caller(CALLER_KEY);
        self.guard(IntCC::Eq, found, Value::Bits(key(caller)), (pc, self.executed))
    }
    /// Continues in the caller of the frame on which the trace was entered.
    fn return_below(&mut self, caller: Position) {
        let [memory, top] = [CALLER_MEMORY, CALLER_TOP].map(|field| self.load_of_caller(field));
        let code = self.program.code(caller.func);
        let returned = self.frames.pop().expect("a frame returns");
        let base = returned.base - code.slots as isize;
        self.frames.push(Activation::new(caller, code.slots, base, memory, top));
        (self.top, self.returns) = (top, self.returns + 1);
        self.lowest = base;
        self.come_to(caller.func);
    }
    /// Returns the interpreter's position, if it is on the frame on which the trace was entered.
    pub(super) fn outermost(&self, pc: u32) -> Option<Position> {
        (self.frames.len() == 1 && self.returns == 0).then(|| Position { func: self.frames[0].func, pc })
    }
}
