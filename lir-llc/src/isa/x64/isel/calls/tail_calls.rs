//! Tail calls: a call that is marked `tail`, and followed only by a return, becomes a jump, after the frame is taken
//! down.
//!
//! # Example
//!
//! ```text
//! t: %x = call tail i64 @ext(%a)     =>     t: jmp ext
//!    ret %x
//! ```
//!
//! A callee in a register is jumped to through rax: no argument is there, and it is not taken off the stack.
//!
//! # Why it is sound
//!
//! [`tail_calls`] of lir-opt has the conditions; the pass of that name marks calls that meet them. They are checked
//! again, as any text may have a mark, and passes leave marks alone.
//!
//! All arguments are read before the first is written, since the place of one may be the place of an argument of the
//! caller. No value is read from there later: each is in a register or a slot of its own by then.
//!
//! In-process, a call of a function that is or may be outside stays a call: when a fault in C is reported, the return
//! address into the caller shows which instruction called.
//!
//! A call that is marked `musttail` is a jump wherever it calls and whatever the caller's frame holds: its objects end
//! with the call. The verifier has checked the convention, and that the return follows.

use crate::isa::x64::abi::hardware;
use crate::isa::x64::isel::calls::store_argument;
use crate::isa::x64::isel::{Isel, RelocModel};
use crate::isa::x64::op;
use crate::isa::x64::registers::{RAX, RDI};
use crate::mir::{CallTarget, FixedList, Form, MBase, MInst, MReg, Size};
use lir_opt::analysis::call_graph::tail_calls::{self, Returned};
use lir_syntax::abi::{ArgLocation, misfit, result_in_memory};
use lir_syntax::ir::{
    CallArg, EntityRef, Ext, Function, Inst, Opcode, Operand, OperandKind, Param, Reg, Sym, TailMark, Type,
};
use smallvec::SmallVec;

/// Returns the function that a call names, if it does.
fn direct_callee(f: &Function, call: Inst) -> Option<Sym> {
    match f.inst(call).first().kind() {
        OperandKind::Sym(s) => Some(s),
        _ => None,
    }
}

impl Isel<'_> {
    /// Selects the return `ret` with the call before it as a jump, if possible.
    pub(in crate::isa::x64::isel) fn tail_call(&mut self, ret: Inst) -> bool {
        let Some(call) = self.call_that_jumps(ret) else { return false };
        let (places, assigner) = self.places(call);
        self.jumps_with_stack |= assigner.stack_bytes() > 0;
        let args: Vec<CallArg> = self.f.call_args(call).collect();
        // The operands of the call are read at its position.
        self.stretch = self.s.stretches[call.index()];
        let mut record = FixedList::default();
        let mut stores: SmallVec<[MInst; 4]> = SmallVec::new();
        let mut incoming = 0;
        for (a, place) in args.iter().zip(&places) {
            match (a, place) {
                (CallArg::Reg(r, e), ArgLocation::Reg(reg)) => {
                    let v = self.argument(Operand::reg(*r), *e);
                    record.uses.push((v.into(), hardware(*reg)));
                }
                (CallArg::Reg(r, e), ArgLocation::Stack(offset)) if !self.came_to((*r, *e), *offset, &mut incoming) => {
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
        self.with_record(record, MInst::new(op::TailCall, Form::None, Size::S64));
        self.tail = call.into();
        true
    }
    /// Returns the call before the return `ret`, if it becomes a jump.
    fn call_that_jumps(&mut self, ret: Inst) -> Option<Inst> {
        let before = self.f.layout().prev_inst(ret)?;
        let d = self.f.inst(before);
        if d.op == Opcode::Call && d.tail_mark() == TailMark::MustTail {
            return Some(before);
        }
        if !self.tail_calls {
            return None;
        }
        let call = Returned::by(self.f, ret).and_then(|r| tail_calls::call_before(self.f, ret, r))?;
        (self.may_jump(call) && self.leaves_nothing()).then_some(call)
    }
    /// True if a call before a return is to be a jump, as far as the call alone decides.
    fn may_jump(&self, call: Inst) -> bool {
        let is_inside = || direct_callee(self.f, call).is_some_and(|s| self.decls.is_defined(s));
        self.f.inst(call).tail_mark() == TailMark::Tail
            && (self.model != RelocModel::Jit || is_inside())
            && misfit(self.decls, self.f, call).is_none()
    }
    /// True for a parameter that was passed at this stack offset and is still there. Arguments and parameters both have
    /// ascending offsets, so the search resumes at parameter number `next`.
    fn came_to(&self, (r, ext): (Reg, Ext), offset: u64, next: &mut usize) -> bool {
        let is_before = |place: &ArgLocation| !matches!(place, ArgLocation::Stack(o) if *o >= offset);
        while self.params.get(*next).is_some_and(is_before) {
            *next += 1;
        }
        let is_here = matches!(self.params.get(*next), Some(ArgLocation::Stack(o)) if *o == offset);
        let whole = ext == Ext::None || self.f.type_of(r).bits() >= 32;
        is_here && whole && self.is_single(r) && self.f.params[*next] == Param::Reg(r)
    }
    /// True if no address in the function's frame escapes, and no call returns to it twice.
    fn leaves_nothing(&mut self) -> bool {
        if let Some(known) = self.leaves_nothing {
            return known;
        }
        // Variable arguments in registers are saved in the frame.
        let has_frame = self.sig.variadic || self.f.stack_objects().next().is_some();
        let nothing =
            !self.moves_rsp && !self.mf.returns_twice && (!has_frame || !tail_calls::keeps_frame(self.decls, self.f));
        self.leaves_nothing = Some(nothing);
        nothing
    }
}
