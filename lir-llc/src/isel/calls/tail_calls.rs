//! Tail calls: a call that only a return follows becomes a jump, after everything that the function put on the stack is
//! taken off.
//!
//! # Example
//!
//! ```text
//! t: %x = call i64 @ext(%a)              t: jmp ext
//!    jmp m
//! e: jmp m                        =>     e: mov rax, rsi
//! m: %z = phi i64 [%x, t], [%b, e]          ret
//!    ret %z
//! ```
//!
//! # Algorithm
//!
//! 1. Where a block that calls jumps to one that does nothing but return what was called for, it returns itself
//!    ([`return_early`]).
//! 2. Selection makes a call and the return after it one jump ([`Isel::tail_call`]); through rax, where the callee is
//!    in a register: no argument is there, and it is not taken off the stack.
//!
//! # Why it is sound
//!
//! The callee finds its arguments in registers or where the caller's came on the stack, if there is room, and the rest
//! of the stack as the caller's caller left it. All of them are read before the first is written, as an argument may go
//! where one of the caller's came: no value is read from there later, each is in a register or a slot of its own by
//! then. Nothing of the caller may be needed any more: no stack object has its address in a register (so nobody can
//! know it), there is no dynamic stack memory, nothing is returned twice. The caller's result must be what the callee's
//! is. An aggregate comes back in the registers that it is to be returned in, or where the caller's caller wants it:
//! the callee is given that address, and may write there at once, for a result's bytes are unspecified during the call.
//! The object that would have held it until the return is gone by then, as nobody else knows it.
//!
//! How deep the stack is was nobody's promise; but a recursion that overflows it must overflow it at every level, and
//! in the interpreter. So a call stays a call where jumps alone could lead back to the caller: where both functions are
//! in one component of the graph of calls that might become jumps; of a callee in a register, where such jumps could
//! lead to the caller from any function whose address is taken.
//!
//! In-process, a call of a function that is or may be outside stays a call: where a fault in C is reported, the return
//! address into the caller says which instruction called.
//!
//! # Source
//!
//! G. L. Steele, "Debunking the 'Expensive Procedure Call' Myth", ACM 1977; the conditions are LLVM's for sibling calls
//! (`isEligibleForTailCallOptimization`), and so is step 1 (`dupRetToEnableTailCallOpts`, CodeGenPrepare.cpp).

use crate::isel::calls::{call_locations, store_argument};
use crate::isel::{Isel, RelocModel};
use crate::mir::{CallTarget, FixedList, MBase, MInst, MReg};
use crate::target::x64::abi::hardware;
use crate::target::x64::registers::{RAX, RDI};
use crate::target::x64::{Form, Op, Size};
use lir_opt::analysis::call_graph::components::Components;
use lir_syntax::abi::{ArgAssigner, ArgLocation, assign_params, result_in_memory};
use lir_syntax::ir::{
    AbiParam, Agg, Attrs, Base, Block, CallArg, CallResult, DataItem, Decls, EntityRef, Ext, Format, FuncId, Function,
    Inst, Mem, Module, Opcode, Operand, OperandKind, Param, Reg, Sym, SymKind, Type,
};
use smallvec::SmallVec;

/// Alignment of a stack argument that the caller's have too.
const WORD: u64 = 8;

/// The functions that could call each other by jumps alone.
#[derive(Debug)]
pub struct TailGroups {
    /// By calls of functions that are named.
    components: Components<FuncId>,
    /// True for functions that such jumps may reach from one whose address is taken.
    found_by_address: Vec<bool>,
}

impl TailGroups {
    /// Those of a module. Linear in blocks; in instructions and data, where calls through registers may become jumps.
    pub fn new(module: &Module) -> TailGroups {
        let mut callees: Vec<FuncId> = Vec::new();
        let mut ends = vec![0];
        let mut indirect = false;
        for f in module.funcs.values() {
            for b in f.layout().blocks() {
                match call_at_end(f, b).map(|call| direct_callee(f, call)) {
                    Some(Some(s)) => callees.extend(body(&module.decls, s)),
                    Some(None) => indirect = true,
                    None => {}
                }
            }
            ends.push(callees.len());
        }
        let succs = |f: FuncId| &callees[ends[f.index()]..ends[f.index() + 1]];
        let mut found_by_address = vec![false; module.funcs.len()];
        if indirect {
            let mut open = known_addresses(module);
            while let Some(f) = open.pop() {
                if !std::mem::replace(&mut found_by_address[f.index()], true) {
                    open.extend(succs(f));
                }
            }
        }
        TailGroups { components: Components::new(module.funcs.len(), succs), found_by_address }
    }
    /// True if jumps alone might lead from the callee back to the caller. None is a callee in a register.
    fn may_come_back(&self, decls: &Decls, caller: Sym, callee: Option<Sym>) -> bool {
        let Some(a) = body(decls, caller) else { return false };
        match callee {
            Some(callee) => body(decls, callee).is_some_and(|b| self.components.of(a) == self.components.of(b)),
            None => self.found_by_address[a.index()],
        }
    }
}

/// Returns the functions of a module whose address its code or data has. Some come more than once.
fn known_addresses(module: &Module) -> Vec<FuncId> {
    let mut known = Vec::new();
    for f in module.funcs.values() {
        for i in f.layout().all_insts() {
            f.for_each_mem(i, |m| {
                if let Base::Sym(s) = m.base {
                    known.extend(body(&module.decls, s));
                }
            });
        }
    }
    let items = module.decls.data.values().flat_map(|d| &d.items);
    known.extend(items.filter_map(|item| match item {
        DataItem::Addr(s, _) => body(&module.decls, *s),
        DataItem::Scalar(..) | DataItem::Str(_) | DataItem::Zero(_) => None,
    }));
    known
}

/// The function with this symbol that is defined here.
fn body(decls: &Decls, s: Sym) -> Option<FuncId> {
    match &decls.syms[s].kind {
        SymKind::Func { body, .. } => *body,
        SymKind::Data(_) => None,
    }
}

/// Returns the function that a call names, if it does.
fn direct_callee(f: &Function, call: Inst) -> Option<Sym> {
    match f.inst(call).first().kind() {
        OperandKind::Sym(s) => Some(s),
        _ => None,
    }
}

/// Returns the instruction after `i`, or `i`, save for what `prepare` removes.
fn behind_va_end(f: &Function, mut i: Inst) -> Inst {
    while f.inst(i).op == Opcode::VaEnd {
        i = f.layout().next_inst(i).expect("a block ends in a terminator");
    }
    i
}

/// The value of a return.
#[derive(Copy, Clone, PartialEq)]
enum Returned {
    Nothing,
    Scalar(Operand),
    /// The aggregate at an address.
    Agg(Agg, Mem),
}

impl Returned {
    /// By the return `i`, where it is one.
    fn by(f: &Function, i: Inst) -> Option<Returned> {
        let d = f.inst(i);
        match d.op {
            Opcode::Ret if d.first().is_none() => Some(Returned::Nothing),
            Opcode::Ret => Some(Returned::Scalar(d.first())),
            Opcode::RetAgg => Some(Returned::Agg(d.agg(), f.mem(i))),
            _ => None,
        }
    }
}

/// Returns the return that a jump from `b` leads to directly. With it comes what is returned then.
fn return_behind(f: &Function, b: Block) -> Option<(Inst, Returned)> {
    let [m] = f.succs(b) else { return None };
    let mut i = f.layout().first_inst(*m)?;
    while f.inst(i).op == Opcode::Phi {
        i = f.layout().next_inst(i)?;
    }
    let ret = behind_va_end(f, i);
    let returned = match Returned::by(f, ret)? {
        Returned::Scalar(value) => {
            let phi = f.phis(*m).find(|i| value.is_reg() && f.def(*i) == value.as_reg());
            let entry = phi.and_then(|i| f.phi_entries(i).find(|(p, _)| *p == b));
            Returned::Scalar(entry.map_or(value, |(_, o)| o))
        }
        // An address that a phi makes is another one here.
        Returned::Agg(_, m) if !matches!(m, Mem { base: Base::Obj(_), index: None, .. }) => return None,
        other => other,
    };
    Some((ret, returned))
}

/// Returns the call whose result, if any, a block returns right after it. The block does so itself or by a jump to a
/// return.
fn call_at_end(f: &Function, b: Block) -> Option<Inst> {
    let last = f.layout().last_inst(b)?;
    match f.inst(last).op {
        // Blocks that call nothing are told first.
        Opcode::Jmp if call_before(f, last, Returned::Nothing).is_some() => {
            call_before(f, last, return_behind(f, b)?.1)
        }
        _ => call_before(f, last, Returned::by(f, last)?),
    }
}

/// Returns the call before a block's last instruction, if nothing or its result is returned.
fn call_before(f: &Function, last: Inst, returned: Returned) -> Option<Inst> {
    let mut before = f.layout().prev_inst(last);
    // `prepare` removes these.
    while let Some(i) = before.filter(|i| f.inst(*i).op == Opcode::VaEnd) {
        before = f.layout().prev_inst(i);
    }
    let call = before.filter(|i| f.inst(*i).op == Opcode::Call)?;
    let gives = match returned {
        Returned::Nothing => true,
        Returned::Scalar(value) => value.is_reg() && f.def(call) == value.as_reg(),
        Returned::Agg(agg, m) => matches!(f.call_result(call), CallResult::Agg(a, to) if a == agg && to == m),
    };
    gives.then_some(call)
}

/// Step 1, in a function that was prepared.
pub(crate) fn return_early(decls: &Decls, f: &mut Function, groups: &TailGroups, model: RelocModel) {
    let mut leaves_nothing = None;
    let mut at = f.layout().entry();
    while let Some(b) = at {
        at = f.layout().next_block(b);
        let last = f.layout().last_inst(b).filter(|i| f.inst(*i).op == Opcode::Jmp);
        let Some((last, call)) = last.and_then(|last| Some((last, call_at_end(f, b)?))) else { continue };
        let allowed = Caller { decls, f, groups, model }.may_jump(call);
        if !allowed || !*leaves_nothing.get_or_insert_with(|| nothing_of_the_frame_is_left(decls, f)) {
            continue;
        }
        let Some((ret, returned)) = return_behind(f, b) else { continue };
        let m = f.succs(b)[0];
        let mut data = *f.inst(ret);
        if let Returned::Scalar(value) = returned {
            data = data.with_first(value);
        }
        f.replace_inst(last, data);
        f.remove_phi_pred(m, b);
        f.set_succs(b, &[]);
    }
}

/// A function that calls, where calls may become jumps.
struct Caller<'a> {
    decls: &'a Decls,
    f: &'a Function,
    groups: &'a TailGroups,
    model: RelocModel,
}

impl Caller<'_> {
    /// True if a call before a return may become a jump, by the call alone.
    fn may_jump(&self, call: Inst) -> bool {
        let Caller { decls, f, groups, model } = *self;
        let callee = direct_callee(f, call);
        let outside = callee.is_none_or(|s| !decls.is_defined(s));
        if outside && model == RelocModel::Jit || groups.may_come_back(decls, f.sym, callee) {
            return false;
        }
        let (places, assigner) = call_locations(decls, f, call);
        let no_blocks = !places.iter().any(|p| matches!(p, ArgLocation::AggStack(_)));
        // What is called through a register is in rax, where its environment would be.
        let has_env = f.call_args(call).any(|a| matches!(a, CallArg::Reg(_, Ext::Env)));
        no_blocks
            && (callee.is_some() || !has_env)
            && self.has_room(&assigner)
            && !f.call_fixed(call).1
            && self.same_result(call)
    }
    /// True if the stack arguments of a call fit where the caller's are.
    fn has_room(&self, arguments: &ArgAssigner) -> bool {
        arguments.stack_bytes() == 0
            || self.decls.signature(self.f.sym).is_some_and(|sig| {
                let (_, own) = assign_params(self.decls, sig);
                !sig.variadic && arguments.stack_bytes() <= own.stack_bytes() && arguments.stack_align() <= WORD
            })
    }
    /// True if the function's result is what the call gives, or there is none.
    fn same_result(&self, call: Inst) -> bool {
        let narrow = |ty: Type| ty.is_int() && ty.bits() < 32;
        let result = self.decls.signature(self.f.sym).and_then(|sig| sig.result);
        match (result, self.f.call_result(call)) {
            (None, CallResult::None | CallResult::Scalar(..)) => true,
            // What goes to an object of this function nobody sees.
            (None, CallResult::Agg(a, Mem { base: Base::Obj(_), .. })) => {
                !result_in_memory(self.decls, Some(AbiParam::Agg(a)))
            }
            // The address is that of the return, too; one in the frame is known to nobody.
            (Some(AbiParam::Agg(agg)), CallResult::Agg(a, Mem { base: Base::Obj(_), .. })) => a == agg,
            (Some(AbiParam::Scalar(ty, ext)), CallResult::Scalar(t, e)) => {
                self.f.def(call).is_some() && ty == t && (!narrow(ty) || ext == Ext::None || ext == e)
            }
            _ => false,
        }
    }
}

impl Isel<'_> {
    /// Selects the return `ret` with the call before it as a jump, if possible.
    pub(in crate::isel) fn tail_call(&mut self, ret: Inst) -> bool {
        let Some(groups) = self.tails else { return false };
        let Some(call) = Returned::by(self.f, ret).and_then(|r| call_before(self.f, ret, r)) else { return false };
        let caller = Caller { decls: self.decls, f: self.f, groups, model: self.model };
        if !caller.may_jump(call) || !self.leaves_nothing() {
            return false;
        }
        let (places, assigner) = self.places(call);
        self.jumps_with_stack |= assigner.stack_bytes() > 0;
        let args: Vec<CallArg> = self.f.call_args(call).collect();
        // What the call reads is read where it stands.
        self.stretch = self.s.stretches[call.index()];
        let mut record = FixedList::default();
        let mut stores: SmallVec<[MInst; 4]> = SmallVec::new();
        for (a, place) in args.iter().zip(&places) {
            match (a, place) {
                (CallArg::Reg(r, e), ArgLocation::Reg(reg)) => {
                    let v = self.argument(Operand::reg(*r), *e);
                    record.uses.push((v.into(), hardware(*reg)));
                }
                (CallArg::Reg(r, e), ArgLocation::Stack(offset)) if !self.came_to(*r, *e, *offset) => {
                    let v = self.argument(Operand::reg(*r), *e);
                    stores.push(store_argument(self.f.type_of(*r), v, MBase::Incoming, *offset));
                }
                (CallArg::Agg(_, m), ArgLocation::AggRegs(pieces)) => self.aggregate_argument(*m, pieces, &mut record),
                _ => {}
            }
        }
        if result_in_memory(self.decls, self.sig.result) {
            record.uses.push((self.result_address().into(), RDI));
        }
        match direct_callee(self.f, call) {
            Some(s) => record.target = Some(CallTarget::Sym(s)),
            None => {
                let v = self.value(Type::I64, self.f.inst(call).first());
                record.uses.push((MReg::from(v), RAX));
            }
        }
        self.writes_incoming |= !stores.is_empty();
        self.s.seq.extend(stores);
        self.with_record(record, MInst::new(Op::TailCall, Form::None, Size::S64));
        self.tail = call.into();
        true
    }
    /// True for a parameter that came at this stack offset and is still there.
    fn came_to(&self, r: Reg, ext: Ext, offset: u64) -> bool {
        let here = |(p, place): (&Param, &ArgLocation)| {
            *p == Param::Reg(r) && matches!(place, ArgLocation::Stack(o) if *o == offset)
        };
        let whole = ext == Ext::None || self.f.type_of(r).bits() >= 32;
        whole && self.is_single(r) && self.f.params.iter().zip(&self.params).any(here)
    }
    /// True if no address in the function's frame escapes, and nobody comes back to it.
    fn leaves_nothing(&mut self) -> bool {
        if let Some(known) = self.leaves_nothing {
            return known;
        }
        let nothing = !self.moves_rsp
            && !self.mf.returns_twice
            && (self.f.stack_objects().next().is_none() || nothing_of_the_frame_is_left(self.decls, self.f));
        self.leaves_nothing = Some(nothing);
        nothing
    }
}

/// The same, by all instructions.
fn nothing_of_the_frame_is_left(decls: &Decls, f: &Function) -> bool {
    f.layout().all_insts().all(|i| !needs_frame_later(decls, f, i))
}

/// True if what comes later may need the frame: if the instruction makes the address of a stack object known, be it in
/// a register or to a callee, moves rsp, or calls what returns twice.
fn needs_frame_later(decls: &Decls, f: &Function, i: Inst) -> bool {
    match f.inst(i).op.format() {
        Format::Load | Format::Store | Format::MemCopy | Format::MemFill | Format::AggReturn => return false,
        Format::Alloca | Format::Nullary | Format::Consume => return true,
        Format::Call => {
            let sig = direct_callee(f, i).and_then(|s| decls.signature(s));
            // The callee has its arguments by value, and writes its result until it returns.
            return sig.is_some_and(|sig| sig.attrs.has(Attrs::RETURNS_TWICE));
        }
        _ => {}
    }
    let mut of_object = false;
    f.for_each_mem(i, |m| of_object |= matches!(m.base, Base::Obj(_)));
    of_object
}
