//! Tail calls: a call that only a return follows becomes a jump, after everything that the function put on the stack is
//! taken off.
//!
//! # Why it is sound
//!
//! The callee finds its arguments in registers, and the stack as the caller's caller left it. Nothing of the caller may
//! be needed any more: no stack object has its address in a register (so nobody can know it), there is no dynamic stack
//! memory, nothing is returned twice. The caller's result must be what the callee's is.
//!
//! How deep the stack is was nobody's promise; but a recursion that overflows it must overflow it at every level, and in
//! the interpreter. So a call stays a call where jumps alone could lead back to the caller: where both functions are in one
//! component of the graph of calls that might become jumps. Calls through registers stay as well.
//!
//! In-process, a call of a function outside stays a call: where a fault in C is reported, the return address into the
//! caller says which instruction called.
//!
//! # Source
//!
//! G. L. Steele, "Debunking the 'Expensive Procedure Call' Myth", ACM 1977; the conditions are LLVM's for sibling calls
//! (`isEligibleForTailCallOptimization`).

use super::{Isel, RelocModel};
use crate::machine::{CallTarget, FixedList, MInst};
use crate::x64::abi::ArgPlace;
use crate::x64::{Form, Op, Size};
use lir_opt::analysis::components::Components;
use lir_syntax::ir::{
    AbiParam, Attrs, Base, CallArg, CallResult, Decls, EntityRef, Ext, Format, FuncId, Function, Inst, InstData,
    Module, Opcode, Operand, OperandKind, Sym, SymKind,
};

/// Which functions could call each other by jumps alone.
#[derive(Debug)]
pub struct TailGroups {
    components: Components<FuncId>,
}

impl TailGroups {
    /// Those of a module. Linear in blocks.
    pub fn new(module: &Module) -> TailGroups {
        let mut callees: Vec<FuncId> = Vec::new();
        let mut ends = vec![0];
        for f in module.funcs.values() {
            for b in f.layout().blocks() {
                let last = f.layout().last_inst(b);
                let call = last.filter(|i| f.inst(*i).op == Opcode::Ret).and_then(|i| call_before(f, i));
                callees.extend(call.and_then(|(_, s)| body(&module.decls, s)));
            }
            ends.push(callees.len());
        }
        let succs = |f: FuncId| &callees[ends[f.index()]..ends[f.index() + 1]];
        TailGroups { components: Components::new(module.funcs.len(), succs) }
    }
    /// Whether jumps alone might lead from the callee back to the caller.
    fn may_come_back(&self, decls: &Decls, caller: Sym, callee: Sym) -> bool {
        match (body(decls, caller), body(decls, callee)) {
            (Some(a), Some(b)) => self.components.of(a) == self.components.of(b),
            _ => false,
        }
    }
}

/// The function with this symbol that is defined here.
fn body(decls: &Decls, s: Sym) -> Option<FuncId> {
    match &decls.syms[s].kind {
        SymKind::Func { body, .. } => *body,
        SymKind::Data(_) => None,
    }
}

/// The direct call right before a return, of the returned value or of none.
fn call_before(f: &Function, ret: Inst) -> Option<(Inst, Sym)> {
    let mut before = f.layout().prev_inst(ret);
    // `prepare` removes these.
    while let Some(i) = before.filter(|i| f.inst(*i).op == Opcode::VaEnd) {
        before = f.layout().prev_inst(i);
    }
    let call = before.filter(|i| f.inst(*i).op == Opcode::Call)?;
    let (d, value) = (f.inst(call), f.inst(ret).a);
    if !value.is_none() && value != d.dst {
        return None;
    }
    match d.a.kind() {
        OperandKind::Sym(s) => Some((call, s)),
        _ => None,
    }
}

impl Isel<'_> {
    /// Selects the return `ret` with the call before it as a jump, where that may be.
    pub(super) fn tail_call(&mut self, ret: Inst) -> bool {
        let Some((call, callee)) = self.tails.and_then(|_| call_before(self.f, ret)) else { return false };
        let d = *self.f.inst(call);
        if !self.may_jump(&d, call, callee) {
            return false;
        }
        let (places, _) = self.places(call);
        let args: Vec<CallArg> = self.f.call_args(call).collect();
        // What the call reads is read where it stands.
        self.epoch = self.s.epochs[call.index()];
        let mut record = FixedList { target: Some(CallTarget::Sym(callee)), ..FixedList::default() };
        for (a, place) in args.iter().zip(&places) {
            if let (CallArg::Reg(r, e), ArgPlace::Reg(reg)) = (a, place) {
                let v = self.argument(Operand::reg(*r), *e);
                record.uses.push((v.into(), *reg));
            }
        }
        self.with_record(record, MInst::new(Op::TailCall, Form::None, Size::S64));
        self.tail = call.into();
        true
    }

    fn may_jump(&mut self, d: &InstData, call: Inst, callee: Sym) -> bool {
        let Some(groups) = self.tails else { return false };
        let outside = !self.decls.is_defined(callee);
        if outside && self.model == RelocModel::Jit || groups.may_come_back(self.decls, self.f.sym, callee) {
            return false;
        }
        if self.callee_has(d.a, Attrs::RETURNS_TWICE) || self.mf.returns_twice || !self.leaves_nothing() {
            return false;
        }
        let (places, assigner) = self.places(call);
        let in_registers = places.iter().all(|p| matches!(p, ArgPlace::Reg(_)));
        in_registers && assigner.stack_bytes() == 0 && !self.f.call_fixed(call).1 && self.same_result(d, call)
    }
    /// Whether the function's result is what the call gives, or there is none.
    fn same_result(&self, d: &InstData, call: Inst) -> bool {
        let narrow = |ty: lir_syntax::ir::Type| ty.is_int() && ty.bits() < 32;
        match (self.sig.result, self.f.call_result(call)) {
            (None, CallResult::None | CallResult::Scalar(..)) => true,
            (Some(AbiParam::Scalar(ty, ext)), CallResult::Scalar(t, e)) => {
                !d.dst.is_none() && ty == t && (!narrow(ty) || ext == Ext::None || ext == e)
            }
            _ => false,
        }
    }
    /// Whether nobody knows an address in the function's frame.
    fn leaves_nothing(&mut self) -> bool {
        if let Some(known) = self.leaves_nothing {
            return known;
        }
        let f = self.f;
        let insts = f.layout().blocks().flat_map(|b| f.layout().insts(b));
        let nothing = !self.moves_rsp && (f.stack.is_empty() || insts.into_iter().all(|i| !takes_address(f, i)));
        self.leaves_nothing = Some(nothing);
        nothing
    }
}

/// Whether an instruction makes the address of a stack object known, be it in a register or to a callee.
fn takes_address(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    match d.op.format() {
        Format::Load | Format::Store | Format::MemCopy | Format::MemFill => false,
        _ => {
            let mut of_object = false;
            f.for_each_mem(i, |m| of_object |= matches!(m.base, Base::Obj(_)));
            of_object
        }
    }
}
