//! Parameters, calls and returns.

pub(super) mod aggregates;
pub(super) mod tail_calls;

use super::address::{Amode, among_arguments};
use super::constants::immediate;
use super::memory::{at, load_inst};
use super::{Isel, ObjLocation, size_of};
use crate::isa::x64::abi::hardware;
use crate::isa::x64::op;
use crate::isa::x64::registers::{CALLER_SAVED, RAX, RDI, RSP, xmm};
use crate::mir::offset::MAX_FRAME;
use crate::mir::{CallTarget, FixedList, Form, FrameOffset, MBase, MInst, MReg, PReg, PRegSet, RegClass, Size, VReg};
use lir_syntax::abi::{
    AggClass, ArgAssigner, ArgLocation, Piece, Register, assign_call, classify, result_in_memory, result_regs,
};
use lir_syntax::ir::{
    AbiParam, Agg, Attrs, Base, CallArg, CallResult, EntityRef, Ext, Inst, InstData, Mem, Opcode, Operand, OperandKind,
    Param, Sym, Type,
};
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::text::source::Span;
use smallvec::SmallVec;

impl Isel<'_> {
    /// Selects a call of a function of the run-time or C library by name.
    pub(super) fn runtime_call(&mut self, name: &'static str, uses: &[(VReg, PReg)], def: Option<(VReg, PReg)>) {
        let record = FixedList {
            uses: uses.iter().map(|&(v, p)| (v.into(), p)).collect(),
            defs: def.into_iter().map(|(v, p)| (v.into(), p)).collect(),
            clobbers: CALLER_SAVED,
            target: Some(CallTarget::Runtime(name)),
            ..FixedList::default()
        };
        self.with_record(record, MInst::new(op::Call, Form::None, Size::S64));
    }

    /// Aggregate parameters on the stack stay where they are. All other objects get their location when an instruction
    /// needs them. Completes the facts about outgoing arguments, whose room `alloca` must know.
    pub(super) fn find_object_locations(&mut self) {
        let f = self.f;
        self.s.obj_locations.clear();
        self.s.obj_locations.resize(f.stack.len(), None);
        for (p, place) in f.params.iter().zip(&self.params) {
            if let (Param::Agg(o), ArgLocation::AggStack(offset)) = (p, place) {
                self.s.obj_locations[o.index()] = Some(ObjLocation::Incoming(among_arguments(*offset)));
            }
        }
        self.passes_aggregates |= self.params.iter().any(|p| matches!(p, ArgLocation::AggRegs(_)));
        self.passes_vectors |= self.params.iter().any(is_vector) || self.is_vector_type(self.sig.result);
        let align = self.mf.outgoing_align;
        self.mf.outgoing = whole_units(self.mf.outgoing, align);
        self.mf.frame_pointer = self.moves_rsp || align > 16;
        self.mf.base_pointer = self.moves_rsp && align > 16;
    }
    /// True if a parameter or a result is passed in a whole SSE register.
    fn is_vector_type(&self, param: Option<AbiParam>) -> bool {
        let Some(AbiParam::Agg(agg)) = param else { return false };
        matches!(classify(self.decls, agg), AggClass::Regs(pieces) if pieces.iter().any(Piece::is_vector))
    }
    /// Adds the needs of a call to the frame.
    pub(super) fn note_call(&mut self, i: Inst) {
        let (places, all) = self.places(i);
        match FrameOffset::new(all.stack_bytes()) {
            // The arguments of a jump are where the function's own were.
            Some(_) if self.f.is_jump(i) => {}
            Some(bytes) => self.mf.outgoing = self.mf.outgoing.max(bytes),
            None => self.refuse_arguments("call", self.f.loc_of(i), all.stack_bytes()),
        }
        self.mf.outgoing_align = self.mf.outgoing_align.max(all.stack_align());
        self.passes_aggregates |= matches!(self.f.call_result(i), CallResult::Agg(..))
            || places.iter().any(|p| matches!(p, ArgLocation::AggRegs(_)));
        if self.passes_aggregates && !self.passes_vectors {
            let result = if let CallResult::Agg(a, _) = self.f.call_result(i) { Some(AbiParam::Agg(a)) } else { None };
            self.passes_vectors = places.iter().any(is_vector) || self.is_vector_type(result);
        }
        self.mf.returns_twice |= self.callee_has(self.f.inst(i).first(), Attrs::RETURNS_TWICE);
    }
    /// Releases the room for stack arguments of calls that became jumps. (No call becomes a jump where `alloca` counts
    /// on it.)
    pub(super) fn forget_outgoing(&mut self) {
        if self.jumps_with_stack {
            self.mf.outgoing = whole_units(self.outgoing, self.mf.outgoing_align);
        }
    }
    /// Refuses a function that has, or whose calls have, more stack arguments than code could address.
    pub(super) fn check_arguments(&mut self) -> Result<(), Diagnostic> {
        let bytes = self.after_params.stack_bytes();
        if FrameOffset::new(bytes).is_none() {
            self.refuse_arguments("function", self.f.loc, bytes);
        }
        self.refused.take().map_or(Ok(()), Err)
    }
    fn refuse_arguments(&mut self, whose: &str, loc: u32, bytes: u64) {
        let message = format!(
            "the stack arguments of this {whose} take {bytes} bytes, more than the supported {MAX_FRAME}: pass a pointer"
        );
        self.refused.get_or_insert_with(|| Diagnostic::new(Span::at(loc), message).fault(Fault::Limit));
    }
    /// Returns the locations of a call's arguments.
    pub(super) fn places(&self, i: Inst) -> (SmallVec<[ArgLocation; 6]>, ArgAssigner) {
        assign_call(self.decls, self.f, i)
    }

    /// Selects the entry: parameters come from the places where the caller put them.
    pub(super) fn params(&mut self) {
        let mut record = FixedList::default();
        let mut after: Vec<MInst> = Vec::new();
        if result_in_memory(self.decls, self.sig.result) {
            // Without a return the pointer is not needed.
            if let Some(v) = self.sret {
                record.defs.push((v.into(), RDI));
            }
        }
        let params = std::mem::take(&mut self.params);
        for (p, place) in self.f.params.iter().zip(&params) {
            match (p, place) {
                (Param::Reg(r), place) => {
                    let known = self.s.facts[r.index()].vreg;
                    if known == MReg::NONE {
                        continue;
                    }
                    let v = self.vreg(*r);
                    match *place {
                        ArgLocation::Reg(reg) => record.defs.push((known, hardware(reg))),
                        ArgLocation::Stack(offset) => {
                            let ty = self.f.type_of(*r);
                            // The caller fills 8 bytes; 4 are enough for the type.
                            let m = if ty.is_float() { load_inst(ty) } else { load_inst(wide(ty)) };
                            let m = m.mem(MBase::Incoming, MReg::NONE, 1, among_arguments(offset).disp());
                            if self.is_single(*r) && !self.writes_incoming {
                                self.mf.set_remat(v, m);
                            }
                            after.push(m.d(v));
                        }
                        ArgLocation::AggRegs(_) | ArgLocation::AggStack(_) | ArgLocation::Nowhere => {
                            unreachable!("a scalar parameter has the place of a scalar")
                        }
                    }
                }
                (Param::Agg(o), ArgLocation::AggRegs(pieces))
                    if self.has_register_objects && self.receive_parts(Mem::obj(*o, 0), pieces, &mut record) => {}
                (Param::Agg(o), ArgLocation::AggRegs(pieces)) if self.s.obj_locations[o.index()].is_some() => {
                    let (base, disp) = self.object_base(*o);
                    for (piece, reg) in pieces.iter() {
                        let v = self.mf.new_vreg(piece.class);
                        record.defs.push((v.into(), hardware(*reg)));
                        self.store_piece(Amode::base_disp(base, disp), v, piece);
                    }
                }
                (Param::Agg(_), _) => {}
            }
        }
        if self.has_register_objects {
            self.assign_initial_parts();
        }
        let stores = std::mem::take(&mut self.s.seq);
        if !record.defs.is_empty() {
            record.clobbers = record.defs.iter().fold(PRegSet::EMPTY, |set, d| set.with(d.1));
            self.with_record(record, MInst::new(op::Params, Form::None, Size::S64));
        }
        self.s.seq.extend(after);
        self.s.seq.extend(stores);
        self.params = params;
    }

    /// True if the callee of a direct call has all of these attributes.
    pub(super) fn callee_has(&self, callee: Operand, attrs: Attrs) -> bool {
        match callee.kind() {
            OperandKind::Sym(s) => self.decls.signature(s).is_some_and(|sig| sig.attrs.has(attrs)),
            _ => false,
        }
    }

    /// Selects `call`.
    pub(super) fn call(&mut self, i: Inst, d: &InstData) {
        let (places, assigner) = self.places(i);
        self.outgoing = self.outgoing.max(among_arguments(assigner.stack_bytes()));
        let args: SmallVec<[CallArg; 6]> = self.f.call_args(i).collect();
        let result = self.f.call_result(i);
        let mut record = FixedList { clobbers: CALLER_SAVED, ..FixedList::default() };
        if self.callee_has(d.first(), Attrs::RETURNS_TWICE) {
            record.clobbers = PRegSet::all().minus(PRegSet::of(&[RSP]));
        }
        // Stack arguments first: copying a block may need the argument registers.
        for (a, place) in args.iter().zip(&places) {
            match (a, place) {
                (CallArg::Reg(r, e), ArgLocation::Stack(offset)) => self.stack_argument(Operand::reg(*r), *e, *offset),
                (CallArg::Agg(agg, m), ArgLocation::AggStack(offset)) => {
                    let size = self.decls.types[*agg].size;
                    let from = self.block_address(*m, among_arguments(size).disp());
                    let to = Amode::base_disp(MBase::Outgoing, among_arguments(*offset).disp());
                    self.copy_block(to, from, size);
                }
                _ => {}
            }
        }
        for (a, place) in args.iter().zip(&places) {
            match (a, place) {
                (CallArg::Reg(r, e), ArgLocation::Reg(reg)) => {
                    let v = self.argument(Operand::reg(*r), *e);
                    record.uses.push((v.into(), hardware(*reg)));
                }
                (CallArg::Agg(_, m), ArgLocation::AggRegs(pieces)) => self.aggregate_argument(*m, pieces, &mut record),
                _ => {}
            }
        }
        let hidden = self.result_pointer(result);
        record.uses.extend(hidden.map(|v| (MReg::from(v), RDI)));
        if self.f.call_fixed(i).1 {
            record.al = Some(assigner.floats());
        }
        let pieces = self.result_operands(d, result, &mut record);
        let inst = self.callee(d.first(), &mut record);
        self.with_record(record, inst);
        if let CallResult::Agg(_, m) = result
            && !pieces.is_empty()
        {
            let to = self.block_address(m, 16);
            for (v, piece) in pieces {
                self.store_piece(to, v, &piece);
            }
        }
    }
    /// The pieces of an aggregate, as a call or return needs them.
    pub(super) fn aggregate_argument(&mut self, m: Mem, pieces: &[(Piece, Register)], record: &mut FixedList) {
        if self.has_register_objects && self.pass_parts(m, pieces, record) {
            return;
        }
        let from = self.block_address(m, 16);
        for (piece, reg) in pieces {
            let v = self.load_piece(from, m.base, piece);
            record.uses.push((v.into(), hardware(*reg)));
        }
    }
    /// Returns the hidden pointer to the memory of the function's own result.
    pub(super) fn result_address(&mut self) -> VReg {
        *self.sret.get_or_insert_with(|| self.mf.new_vreg(RegClass::Int))
    }
    /// Appends an instruction with its record.
    pub(super) fn with_record(&mut self, record: FixedList, inst: MInst) {
        self.mf.records.push(record);
        let k = self.mf.records.len() as u32 - 1;
        self.seq(inst.record(k));
    }
    /// Returns the address for a result in memory.
    fn result_pointer(&mut self, result: CallResult) -> Option<VReg> {
        match result {
            CallResult::Agg(a, m) if result_in_memory(self.decls, Some(AbiParam::Agg(a))) => {
                let to = self.address(m);
                Some(self.address_in_register(to))
            }
            _ => None,
        }
    }
    /// Returns the registers of results, and the pieces of an aggregate in them.
    fn result_operands(
        &mut self,
        d: &InstData,
        result: CallResult,
        record: &mut FixedList,
    ) -> SmallVec<[(VReg, Piece); 2]> {
        match result {
            CallResult::Scalar(t, _) => {
                if let Some(r) = d.result()
                    && self.s.facts[r.index()].uses > 0
                {
                    let v = self.vreg(r);
                    record.defs.push((v.into(), if t.is_float() { xmm(0) } else { RAX }));
                }
                SmallVec::new()
            }
            CallResult::Agg(a, m) => match classify(self.decls, a) {
                AggClass::Regs(pieces)
                    if self.has_register_objects && self.receive_parts(m, &result_regs(&pieces), record) =>
                {
                    SmallVec::new()
                }
                AggClass::Regs(pieces) => {
                    let place = |&(piece, reg): &(Piece, Register)| {
                        let v = self.mf.new_vreg(piece.class);
                        record.defs.push((v.into(), hardware(reg)));
                        (v, piece)
                    };
                    result_regs(&pieces).iter().map(place).collect()
                }
                AggClass::Empty | AggClass::Memory => SmallVec::new(),
            },
            CallResult::None => SmallVec::new(),
        }
    }
    /// Returns the call instruction for a callee: a symbol, also through a register that holds its address; a register;
    /// or memory.
    fn callee(&mut self, callee: Operand, record: &mut FixedList) -> MInst {
        if let Some(s) = self.direct_callee(callee) {
            record.target = Some(CallTarget::Sym(s));
            return MInst::new(op::Call, Form::None, Size::S64);
        }
        if let Some(load) = self.take_load(Type::I64, callee) {
            let m = self.mem_operand(load);
            return m.apply(MInst::new(op::Call, Form::M, Size::S64));
        }
        let v = self.value(Type::I64, callee);
        MInst::new(op::Call, Form::B, Size::S64).b(v)
    }
    fn direct_callee(&mut self, callee: Operand) -> Option<Sym> {
        let r = match callee.kind() {
            OperandKind::Sym(s) => return Some(s),
            _ => callee.as_reg()?,
        };
        let i = self.def_of(r).filter(|i| self.f.inst(*i).op == Opcode::Lea)?;
        match self.f.mem(i) {
            Mem { base: Base::Sym(s), index: None, disp: 0, .. } if self.is_function(s) => {
                self.fold(r);
                Some(s)
            }
            _ => None,
        }
    }

    /// Returns an argument, extended to 32 bits where the signature says so.
    pub(super) fn argument(&mut self, o: Operand, ext: Ext) -> VReg {
        let ty = self.f.type_of(o.as_reg().expect("an argument is a register"));
        match ext {
            Ext::Sext if ty.bits() < 32 && ty.is_int() => self.extended(ty, o, true, Size::S32),
            Ext::Zext if ty.bits() < 32 && ty.is_int() => self.extended(ty, o, false, Size::S32),
            Ext::None | Ext::Sext | Ext::Zext | Ext::Env => self.value(ty, o),
        }
    }
    fn stack_argument(&mut self, o: Operand, ext: Ext, offset: u64) {
        let ty = self.f.type_of(o.as_reg().expect("an argument is a register"));
        if let Some(k) = self.const_of(o).filter(|_| ty.is_int()) {
            let k = if ext == Ext::Zext && ty.bits() < 32 { ty.as_word().truncate(k as u64) as i64 } else { k };
            if let Some(imm) = immediate(Size::S64, k) {
                let m = MInst::new(op::Mov, Form::MI, Size::S64);
                return self.seq(m.mem(MBase::Outgoing, MReg::NONE, 1, among_arguments(offset).disp()).mem_imm(imm));
            }
        }
        let v = self.argument(o, ext);
        self.seq(store_argument(ty, v, MBase::Outgoing, offset));
    }

    /// Returns a part of an aggregate in a register. Not a byte beyond it is read, except in the frame, where every
    /// object has room up to a multiple of 8.
    fn load_piece(&mut self, from: Amode, base: Base, p: &Piece) -> VReg {
        let from = at(from, p.offset);
        let v = self.mf.new_vreg(p.class);
        if p.class == RegClass::Float {
            self.seq(from.apply(MInst::new(op::MovF, Form::DM, float_size(p))).d(v));
        } else if let Some(ty) = int_of_bytes(p.bytes) {
            self.seq(from.apply(load_inst(ty)).d(v));
        } else if matches!(base, Base::Obj(_)) {
            self.seq(from.apply(load_inst(Type::I64)).d(v));
        } else {
            self.load_odd(from, p.bytes, v);
        }
        v
    }
    /// 3, 5, 6 or 7 bytes: put together from powers of two.
    fn load_odd(&mut self, from: Amode, bytes: u32, v: VReg) {
        let mut whole: Option<VReg> = None;
        let mut done = 0;
        while done < bytes {
            let size = 1 << (bytes - done).ilog2();
            let part = self.temp(Type::I64);
            let ty = int_of_bytes(size).expect("a power of two");
            self.seq(at(from, done).apply(load_inst(ty)).d(part));
            let last = done + size == bytes;
            whole = Some(match whole {
                None => part,
                Some(low) => {
                    let high = self.temp(Type::I64);
                    self.seq(MInst::new(op::Shl, Form::DTI, Size::S64).d(high).a(part).imm(8 * done as i32));
                    let sum = if last { v } else { self.temp(Type::I64) };
                    self.seq(MInst::new(op::Or, Form::DTB, Size::S64).d(sum).a(low).b(high));
                    sum
                }
            });
            done += size;
        }
    }
    /// Writes a part of an aggregate, and not a byte beyond it.
    fn store_piece(&mut self, to: Amode, v: VReg, p: &Piece) {
        let to = at(to, p.offset);
        if p.class == RegClass::Float {
            return self.seq(to.apply(MInst::new(op::MovF, Form::MA, float_size(p))).a(v));
        }
        let (mut done, mut rest) = (0, v);
        while done < p.bytes {
            let size = 1 << (p.bytes - done).ilog2();
            let ty = int_of_bytes(size).expect("a power of two");
            self.seq(at(to, done).apply(MInst::new(op::Mov, Form::MA, size_of(ty))).a(rest));
            done += size;
            if done < p.bytes {
                let t = self.temp(Type::I64);
                self.seq(MInst::new(op::Shr, Form::DTI, Size::S64).d(t).a(rest).imm(8 * size as i32));
                rest = t;
            }
        }
    }

    /// Selects `ret`, `ret %x`.
    pub(super) fn ret(&mut self, i: Inst, d: &InstData) {
        if self.tail_call(i) {
            return;
        }
        let mut record = FixedList::default();
        if !d.first().is_none() {
            let Some(AbiParam::Scalar(ty, ext)) = self.sig.result else {
                unreachable!("a function that returns a scalar has a scalar result")
            };
            let constant = self.const_of(d.first());
            let narrow = ty.is_int() && ty.bits() < 32;
            let v = match constant {
                // The payload of a constant is sign-extended already.
                Some(k) if ext == Ext::Zext && narrow => {
                    self.make_constant(Type::I32, ty.as_word().truncate(k as u64) as i64)
                }
                Some(_) => self.value(ty, d.first()),
                None => self.argument(d.first(), ext),
            };
            record.uses.push((v.into(), if ty.is_float() { xmm(0) } else { RAX }));
        }
        self.with_record(record, MInst::new(op::Ret, Form::None, Size::S64));
    }
    /// Selects `ret :agg [m]`.
    pub(super) fn ret_agg(&mut self, i: Inst, d: &InstData) {
        if self.tail_call(i) {
            return;
        }
        let agg: Agg = d.agg();
        let m = self.f.mem(i);
        let mut record = FixedList::default();
        match classify(self.decls, agg) {
            AggClass::Empty => {}
            AggClass::Memory => {
                let pointer = self.result_address();
                let size = self.decls.types[agg].size;
                let from = self.block_address(m, size as i32);
                self.copy_block(Amode::reg(pointer, 0), from, size);
                record.uses.push((pointer.into(), RAX));
            }
            AggClass::Regs(pieces) => self.aggregate_argument(m, &result_regs(&pieces), &mut record),
        }
        self.with_record(record, MInst::new(op::Ret, Form::None, Size::S64));
    }
}

/// Returns the store of an argument of type `ty` on the stack.
pub(super) fn store_argument(ty: Type, v: VReg, area: MBase, offset: u64) -> MInst {
    let m = match ty {
        t if t.is_float() => MInst::new(op::MovF, Form::MA, size_of(t)),
        _ => MInst::new(op::Mov, Form::MA, Size::S64),
    };
    m.a(v).mem(area, MReg::NONE, 1, among_arguments(offset).disp())
}

/// Returns the bytes of stack arguments, rounded up to their alignment and the alignment of calls.
fn whole_units(bytes: FrameOffset, align: u64) -> FrameOffset {
    // The largest alignment divides the largest offset.
    FrameOffset::new(bytes.bytes().next_multiple_of(align.max(16))).expect("stack arguments are bounded")
}

/// True for a vector in a register.
fn is_vector(place: &ArgLocation) -> bool {
    matches!(place, ArgLocation::AggRegs(pieces) if pieces.iter().any(|(piece, _)| piece.is_vector()))
}

/// Returns the size of a piece in an SSE register.
fn float_size(p: &Piece) -> Size {
    match p.bytes {
        4 => Size::S32,
        _ if p.is_vector() => Size::S128,
        _ => Size::S64,
    }
}

/// Returns the integer type of a number of bytes.
fn int_of_bytes(n: u32) -> Option<Type> {
    match n {
        1 => Some(Type::I8),
        2 => Some(Type::I16),
        4 => Some(Type::I32),
        8 => Some(Type::I64),
        _ => None,
    }
}

/// Returns the type in which an integer parameter is read from the stack.
fn wide(ty: Type) -> Type {
    if ty == Type::I64 { Type::I64 } else { Type::I32 }
}
