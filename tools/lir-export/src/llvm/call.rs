//! Calls and returns.
//!
//! An aggregate on the stack is first copied to separate memory, and a result in memory is received in separate memory:
//! LLVM assumes that the pointers of `byval` and `sret` are aligned, but LIR's operands need not be.

use super::function::{FunctionWriter, Trap};
use super::signature::{
    Lowered, Passed, Returned, by_value, hidden, parameter_types, piece_type, result_type, result_with_attribute,
    scalar, without_attributes,
};
use super::types::type_name;
use lir_syntax::ir::{
    AbiParam, Agg, Attrs, CallArg, CallResult, Ext, Inst, Mem, Opcode, Operand, OperandKind, TailMark, Type,
};

impl FunctionWriter<'_, '_> {
    pub(super) fn call(&mut self, i: Inst, callee: Operand) {
        let result = self.f.call_result(i);
        let args: Vec<CallArg> = self.f.call_args(i).collect();
        let lowered = self.lowered_call(result, &args);
        let (fixed, variadic) = self.f.call_fixed(i);
        let mut list = Vec::new();
        let memory = match lowered.result {
            Returned::Memory(a) => {
                let ty = &self.shared.decls.types[a];
                let memory = self.memory(ty.size, ty.align);
                list.push(format!("{} {memory}", hidden(self.shared.decls, a)));
                Some(memory)
            }
            _ => None,
        };
        for (passed, arg) in lowered.params.iter().zip(&args) {
            self.argument(*passed, *arg, &mut list);
        }
        let attrs = self.attributes_of(callee);
        let callee = self.callee(callee);
        let tail = self.tail_word(i);
        let result_types = result_with_attribute(&lowered.result);
        let kind = if variadic { format!(" ({})", self.fixed_types(&lowered, fixed)) } else { String::new() };
        let twice = if attrs.has(Attrs::RETURNS_TWICE) { " returns_twice" } else { "" };
        let text = format!("{tail}call {result_types}{kind} {callee}({}){twice}", list.join(", "));
        self.take_result(i, &lowered, result, memory.as_deref(), &text);
        if attrs.has(Attrs::NORETURN) {
            let trap = self.trap_call(Trap::Unreachable);
            self.line(format_args!("{trap}"));
        }
    }
    fn lowered_call(&self, result: CallResult, args: &[CallArg]) -> Lowered {
        let result = match result {
            CallResult::None => None,
            CallResult::Scalar(ty, ext) => Some(AbiParam::Scalar(ty, ext)),
            CallResult::Agg(a, _) => Some(AbiParam::Agg(a)),
        };
        let param = |arg: &CallArg| match *arg {
            CallArg::Reg(r, ext) => AbiParam::Scalar(self.f.type_of(r), ext),
            CallArg::Agg(a, _) => AbiParam::Agg(a),
        };
        Lowered::new(self.shared.decls, result, args.iter().map(param))
    }
    /// Returns the word before `call`. LLVM's `tail` promises that the callee accesses no memory of the caller.
    ///
    /// LLVM does not know that `va_start` exposes the caller's frame: `notail` keeps it from turning a call into a
    /// jump.
    fn tail_word(&self, i: Inst) -> &'static str {
        let is_marked = self.f.inst(i).tail_mark() != TailMark::None;
        match (self.sig.variadic, is_marked && !self.has_memory()) {
            (true, _) => "notail ",
            (false, true) => "tail ",
            (false, false) => "",
        }
    }
    /// Returns the greatest alignment of the aggregates that calls of the function pass on the stack. Dynamic stack
    /// memory gets this alignment as well: otherwise LLVM would leave the stack pointer unaligned for such arguments.
    pub(super) fn alignment_of_arguments(&self) -> u64 {
        let aligned = |arg: CallArg| match arg {
            CallArg::Agg(a, _) => self.layout_of(a).1,
            CallArg::Reg(..) => 1,
        };
        let calls = self.f.layout().all_insts().filter(|i| self.f.inst(*i).op == Opcode::Call);
        calls.flat_map(|i| self.f.call_args(i)).map(aligned).max().unwrap_or(1)
    }
    /// Returns the types of the parameters of a variadic callee, without attributes, and `...`.
    fn fixed_types(&self, lowered: &Lowered, fixed: usize) -> String {
        let fixed = Lowered { result: lowered.result, params: lowered.params[..fixed].to_vec() };
        let types = parameter_types(self.shared.decls, &fixed, true);
        types.iter().map(|t| without_attributes(t)).collect::<Vec<_>>().join(", ")
    }
    fn attributes_of(&self, callee: Operand) -> Attrs {
        match callee.kind() {
            OperandKind::Sym(s) => self.shared.decls.signature(s).map_or(Attrs::NONE, |sig| sig.attrs),
            _ => Attrs::NONE,
        }
    }
    fn callee(&mut self, callee: Operand) -> String {
        match callee.kind() {
            OperandKind::Sym(s) => self.shared.symbols.name(s).to_string(),
            _ => {
                let address = self.value(callee, Type::I64);
                self.step(format_args!("inttoptr i64 {address} to ptr"))
            }
        }
    }

    /// Adds the arguments in LLVM for an argument in LIR.
    fn argument(&mut self, passed: Passed, arg: CallArg, list: &mut Vec<String>) {
        match (passed, arg) {
            (Passed::Scalar(ty, Ext::Env), CallArg::Reg(r, _)) => {
                let value = self.reg(r).to_string();
                let pointer = self.step(format_args!("inttoptr i64 {value} to ptr"));
                list.push(format!("{} {pointer}", scalar(ty, Ext::Env)));
            }
            (Passed::Scalar(ty, ext), CallArg::Reg(r, _)) => list.push(format!("{} {}", scalar(ty, ext), self.reg(r))),
            (Passed::Pieces(pieces), CallArg::Agg(_, m)) => {
                let from = self.pointer(m);
                for p in pieces.iter() {
                    let value = self.load_piece(p, &from);
                    list.push(format!("{} {value}", piece_type(p)));
                }
            }
            (Passed::Memory(a), CallArg::Agg(_, m)) => {
                let (size, align) = self.layout_of(a);
                let copy = self.memory(size, align.max(8));
                let from = self.pointer(m);
                self.copy_memory(false, &copy, &from, &size.to_string());
                list.push(format!("{} {copy}", by_value(self.shared.decls, a)));
            }
            (Passed::Nothing, CallArg::Agg(..)) => {}
            _ => unreachable!("the argument agrees with its parameter"),
        }
    }
    fn layout_of(&self, a: Agg) -> (u64, u64) {
        let ty = &self.shared.decls.types[a];
        (ty.size, ty.align)
    }

    /// Writes the call, and moves its result to its destination.
    fn take_result(&mut self, i: Inst, lowered: &Lowered, result: CallResult, memory: Option<&str>, call: &str) {
        match (lowered.result, result) {
            (Returned::Scalar(..), _) => self.assign(i, format_args!("{call}")),
            (Returned::Pieces(pieces), CallResult::Agg(_, m)) => {
                let to = self.pointer(m);
                let all = self.step(format_args!("{call}"));
                let ty = result_type(&lowered.result);
                for (k, p) in pieces.iter().enumerate() {
                    let value = match pieces.len() {
                        1 => all.clone(),
                        _ => self.step(format_args!("extractvalue {ty} {all}, {k}")),
                    };
                    self.store_piece(p, &to, &value);
                }
            }
            (Returned::Memory(a), CallResult::Agg(_, m)) => {
                let to = self.pointer(m);
                self.line(format_args!("{call}"));
                let size = self.layout_of(a).0.to_string();
                self.copy_memory(false, &to, memory.unwrap_or_default(), &size);
            }
            _ => self.line(format_args!("{call}")),
        }
    }

    /// Translates a return of a scalar, or without a value.
    pub(super) fn return_scalar(&mut self, value: Option<Operand>) {
        match (value, self.sig.result) {
            (Some(v), Some(AbiParam::Scalar(ty, _))) => {
                let v = self.value(v, ty);
                self.line(format_args!("ret {} {v}", type_name(ty)));
            }
            _ => self.line(format_args!("ret void")),
        }
    }
    /// Translates a return of an aggregate.
    pub(super) fn return_aggregate(&mut self, a: Agg, m: Mem) {
        let from = self.pointer(m);
        match self.lowered.result {
            Returned::Pieces(pieces) => {
                let ty = result_type(&self.lowered.result);
                let mut all = "poison".to_string();
                for (k, p) in pieces.iter().enumerate() {
                    let value = self.load_piece(p, &from);
                    all = match pieces.len() {
                        1 => value,
                        _ => self.step(format_args!("insertvalue {ty} {all}, {} {value}, {k}", piece_type(p))),
                    };
                }
                self.line(format_args!("ret {ty} {all}"));
            }
            Returned::Memory(_) => {
                let to = self.result_pointer.clone().unwrap_or_default();
                let size = self.layout_of(a).0.to_string();
                // A caller in another language may pass result memory that the function also reads.
                self.copy_memory(true, &to, &from, &size);
                self.line(format_args!("ret void"));
            }
            _ => self.line(format_args!("ret void")),
        }
    }
}
