//! Memory operands: `[base + index*scale + disp]` with as much folded as the hardware adds for free.

use super::{Isel, IselScratch, ObjLocation, RelocModel, THREAD_DATA};
use crate::isa::x64::op;
use crate::isa::x64::registers::{CALLER_SAVED, RAX, RDI};
use crate::mir::{CallTarget, FixedList, Form, FrameOffset, MBase, MBlock, MInst, MReg, RegClass, Size, VReg};
use lir_syntax::ir::{Base, EntityRef, Inst, InstData, Mem, Obj, Opcode, Operand, Reg, Sym, SymKind, Visibility};

/// A memory operand of a machine instruction.
#[derive(Copy, Clone, Debug)]
pub(super) struct Amode {
    pub(super) base: MBase,
    pub(super) index: MReg,
    pub(super) scale: u8,
    pub(super) disp: i32,
}

/// Returns an offset among stack arguments that are not refused.
pub(super) fn among_arguments(offset: u64) -> FrameOffset {
    FrameOffset::new(offset).expect("selection refuses more stack arguments")
}

/// Limit on the definitions that a memory operand folds one after another.
const MAX_STEPS: usize = 8;

/// Distance from the start of an object within which one instruction makes an address that lies outside of the object.
/// Code reaches 2 GiB in both directions, and the code and data in between need most of that. LLVM's small code model
/// has the same figure.
pub const REACH: u32 = 1 << 24;

impl Amode {
    /// `[base + disp]`.
    pub(super) fn base_disp(base: MBase, disp: i32) -> Amode {
        Amode { base, index: MReg::NONE, scale: 1, disp }
    }
    /// `[v + disp]`.
    pub(super) fn reg(v: VReg, disp: i32) -> Amode {
        Amode::base_disp(MBase::Reg(v.into()), disp)
    }
    /// Puts it into an instruction.
    #[inline]
    pub(super) fn apply(self, m: MInst) -> MInst {
        m.mem(self.base, self.index, self.scale, self.disp)
    }
    /// The same `by` bytes further on; none if the displacement overflows.
    pub(super) fn offset(self, by: i32) -> Option<Amode> {
        Some(Amode { disp: self.disp.checked_add(by)?, ..self })
    }
}

/// An address, or a sum of that shape, while definitions are being folded.
pub(super) struct AddressTerms {
    pub(super) base: Base,
    pub(super) index: Option<Reg>,
    pub(super) scale: u8,
    /// The further factor of the index: 1, or 3, 5, 9, which `lea` has.
    pub(super) times: u8,
    pub(super) disp: i32,
    /// The definitions that may be folded.
    pub(super) reach: Reach,
}

/// The scope from which definitions are folded into an address.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Reach {
    /// From anywhere, for an access adds them up for free.
    Everywhere,
    /// Only from inside of the loop; sums of two registers only from nearby. These must keep no more registers live for
    /// long.
    Nearby,
}

impl Isel<'_> {
    /// Returns the memory operand of the instruction `i`.
    pub(super) fn mem_operand(&mut self, i: Inst) -> Amode {
        let m = self.f.mem(i);
        self.address(m)
    }
    /// Returns a memory operand.
    pub(super) fn address(&mut self, m: Mem) -> Amode {
        let reach = Reach::Everywhere;
        let mut p = AddressTerms { base: m.base, index: m.index, scale: m.scale, times: 1, disp: m.disp, reach };
        self.take_definitions(&mut p);
        self.finish_address(p)
    }
    /// Folds definitions for as long as there are any. Returns whether there was one.
    pub(super) fn take_definitions(&mut self, p: &mut AddressTerms) -> bool {
        for step in 0..MAX_STEPS {
            if !self.fold_base(p) && !self.fold_index(p) {
                return step > 0;
            }
        }
        true
    }
    /// Returns the address of a block of at most `bytes` bytes for several instructions. Each adds an offset below
    /// that: the displacement leaves room.
    pub(super) fn block_address(&mut self, m: Mem, bytes: i32) -> Amode {
        let a = self.address(m);
        if a.disp.checked_add(bytes).is_some() {
            return a;
        }
        let v = self.address_in_register(a);
        Amode::reg(v, 0)
    }
    /// Returns an address in a register.
    pub(super) fn address_in_register(&mut self, a: Amode) -> VReg {
        match a {
            Amode { base: MBase::Reg(r), index: MReg::NONE, disp: 0, .. } if r.as_virt().is_some() => {
                r.as_virt().expect("just tested")
            }
            _ => {
                let v = self.mf.new_vreg(RegClass::Int);
                self.seq(a.apply(MInst::new(op::Lea, Form::DM, Size::S64)).d(v));
                v
            }
        }
    }

    /// Folds the definition of the base: a sum, a difference with a constant, another address.
    fn fold_base(&mut self, p: &mut AddressTerms) -> bool {
        let Base::Reg(r) = p.base else { return false };
        if let Some(k) = self.const_of_reg(r) {
            let Some(disp) = i32::try_from(k).ok().and_then(|k| p.disp.checked_add(k)) else { return false };
            (p.base, p.disp) = (Base::None, disp);
            return true;
        }
        let Some(i) = self.def_of(r) else { return false };
        let d = *self.f.inst(i);
        // An address that reads no register can be made again even below its definition.
        let sole = self.s.facts[r.index()].uses == 1 && self.def_ahead(r).is_some() && self.is_within(p, i);
        match d.op {
            Opcode::Add | Opcode::Sub if sole && self.reads_only_single(i) => {
                let a = d.first().as_reg().expect("a register");
                if let Some(k) = self.const_of(d.second()) {
                    let k = if d.op == Opcode::Add { Some(k) } else { k.checked_neg() };
                    let Some(disp) = k.and_then(|k| i32::try_from(k).ok()).and_then(|k| p.disp.checked_add(k)) else {
                        return false;
                    };
                    self.fold(r);
                    (p.base, p.disp) = (Base::Reg(a), disp);
                    true
                } else if d.op == Opcode::Add && p.index.is_none() && (p.reach == Reach::Everywhere || self.is_sum(i)) {
                    self.fold(r);
                    (p.base, p.index, p.scale) = (Base::Reg(a), d.second().as_reg(), 1);
                    true
                } else {
                    false
                }
            }
            Opcode::Mul if sole && p.index.is_none() && self.reads_only_single(i) => {
                let (Some(a), Some(times @ (3 | 5 | 9))) = (d.first().as_reg(), self.const_of(d.second())) else {
                    return false;
                };
                self.fold(r);
                (p.base, p.index, p.scale, p.times) = (Base::None, Some(a), 1, times as u8);
                true
            }
            Opcode::Lea if self.reads_only_single(i) => self.take_lea(p, r, i, sole),
            _ => false,
        }
    }
    /// True if definition `i` may be folded from its place.
    fn is_within(&self, p: &AddressTerms, i: Inst) -> bool {
        p.reach == Reach::Everywhere || self.is_as_deep(i)
    }
    /// Folds an address. The address of a stack object or symbol is folded if the access has room for it, since it is
    /// made again at every use; an address made of registers is folded only if this is its only use. A symbol with an
    /// index takes an instruction of its own, so it stays if it is made outside of the loop or has other uses.
    fn take_lea(&mut self, p: &mut AddressTerms, r: Reg, i: Inst, sole: bool) -> bool {
        let m = self.f.mem(i);
        let Some(disp) = p.disp.checked_add(m.disp) else { return false };
        let free = m.index.is_none() && matches!(m.base, Base::Obj(_) | Base::Sym(_)) && self.is_near(m.base);
        let index_fits = m.index.is_none() || p.index.is_none();
        if p.index.is_some() && matches!(m.base, Base::Sym(_)) && !(sole && self.is_as_deep(i)) {
            return false;
        }
        if !index_fits || !(free || sole) {
            return false;
        }
        self.fold(r);
        if m.index.is_some() {
            (p.index, p.scale) = (m.index, m.scale);
        }
        (p.base, p.disp) = (m.base, disp);
        true
    }
    /// True if an instruction is in as many loops as the current one.
    pub(super) fn is_as_deep(&self, i: Inst) -> bool {
        let block = self.f.layout().block_of(i).expect("a definition is in a block");
        let depth = |b: MBlock| self.mf.blocks[b.index()].loop_depth;
        depth(self.s.main_block[block.index()]) >= depth(self.block)
    }
    /// True if the address of a base needs no load: stack objects, symbols reached directly.
    fn is_near(&self, base: Base) -> bool {
        match base {
            Base::Sym(s) => !self.is_thread(s) && !self.needs_got(s),
            Base::Obj(_) => true,
            Base::Reg(_) | Base::None => false,
        }
    }
    /// Folds the definition of the index: a multiplication by a scale, a sum with a constant; swaps a scale of 1 into
    /// an empty base.
    fn fold_index(&mut self, p: &mut AddressTerms) -> bool {
        let Some(r) = p.index.filter(|_| p.times == 1) else { return false };
        if p.scale == 1 && p.base == Base::None {
            (p.base, p.index) = (Base::Reg(r), None);
            return true;
        }
        // With two plain registers, the one that is a product is the better index.
        let Some(i) = self.sole_def(r).filter(|i| self.is_within(p, *i)) else { return self.swap_for_scale(p) };
        let d = *self.f.inst(i);
        if !matches!(d.op, Opcode::Shl | Opcode::Mul | Opcode::Add) {
            return self.swap_for_scale(p);
        }
        let (Some(a), Some(k)) = (d.first().as_reg(), self.const_of(d.second())) else { return self.swap_for_scale(p) };
        match d.op {
            Opcode::Shl | Opcode::Mul => match scale_of(&d, k).and_then(|s| s.checked_mul(p.scale)) {
                Some(scale @ (1 | 2 | 4 | 8)) => {
                    self.fold(r);
                    (p.index, p.scale) = (Some(a), scale);
                    true
                }
                _ if self.take_product(p, r, &d, a, k) => true,
                _ => self.swap_for_scale(p),
            },
            _ => {
                let by = k.checked_mul(p.scale as i64).and_then(|k| i32::try_from(k).ok());
                let Some(disp) = by.and_then(|k| p.disp.checked_add(k)) else { return false };
                self.fold(r);
                (p.index, p.disp) = (Some(a), disp);
                true
            }
        }
    }
    /// A product with 3, 5 or 9 times a scale: `lea` for the one, the scale for the other.
    fn take_product(&mut self, p: &mut AddressTerms, r: Reg, d: &InstData, a: Reg, k: i64) -> bool {
        let times = [9, 5, 3].into_iter().find(|t| k % t == 0);
        let Some(times) = times.filter(|_| d.op == Opcode::Mul) else { return false };
        match (k / times).checked_mul(p.scale as i64) {
            Some(scale @ (2 | 4 | 8)) => {
                self.fold(r);
                (p.index, p.scale, p.times) = (Some(a), scale as u8, times as u8);
                true
            }
            _ => false,
        }
    }
    /// `[%scaled + %plain]` becomes `[%plain + %scaled]`, so that the product can be folded.
    fn swap_for_scale(&mut self, p: &mut AddressTerms) -> bool {
        let (Base::Reg(b), Some(x), 1) = (p.base, p.index, p.scale) else { return false };
        let is_scaled = |r: Reg| {
            self.sole_def(r).filter(|i| self.is_within(p, *i)).is_some_and(|i| {
                let d = self.f.inst(i);
                matches!(d.op, Opcode::Shl | Opcode::Mul)
                    && self.const_of(d.second()).and_then(|k| scale_of(d, k)).is_some_and(|s| s <= 8)
            })
        };
        if !is_scaled(b) || is_scaled(x) {
            return false;
        }
        (p.base, p.index) = (Base::Reg(x), Some(b));
        true
    }

    pub(super) fn finish_address(&mut self, p: AddressTerms) -> Amode {
        let mut index = p.index.map_or(MReg::NONE, |r| self.reg_operand(r));
        if p.times > 1 && p.scale == 1 && p.base == Base::None {
            return Amode { base: MBase::Reg(index), index, scale: p.times - 1, disp: p.disp };
        }
        if p.times > 1 {
            let v = self.mf.new_vreg(RegClass::Int);
            let lea = MInst::new(op::Lea, Form::DM, Size::S64).d(v);
            self.seq(lea.mem(MBase::Reg(index), index, p.times - 1, 0));
            index = v.into();
        }
        let scale = p.scale;
        match p.base {
            Base::None => Amode { base: MBase::Reg(MReg::NONE), index, scale, disp: p.disp },
            Base::Reg(r) => Amode { base: MBase::Reg(self.reg_operand(r)), index, scale, disp: p.disp },
            Base::Obj(o) => {
                let (base, at) = self.object_base(o);
                match p.disp.checked_add(at) {
                    Some(disp) if reaches(self.f.stack[o].size, p.disp) => Amode { base, index, scale, disp },
                    _ => {
                        let v = self.address_in_register(Amode::base_disp(base, at));
                        Amode { base: MBase::Reg(v.into()), index, scale, disp: p.disp }
                    }
                }
            }
            Base::Sym(s) => {
                let size = self.decls.data_of(s).map_or(0, |d| if d.is_extern { 0 } else { d.size() });
                if index.is_none() && self.is_near(p.base) && reaches(size, p.disp) {
                    return Amode::base_disp(MBase::Sym(s), p.disp);
                }
                let v = self.symbol_address(s);
                Amode { base: MBase::Reg(v.into()), index, scale, disp: p.disp }
            }
        }
    }
    /// Returns a register of an address; one that is a constant is made here.
    fn reg_operand(&mut self, r: Reg) -> MReg {
        self.value(lir_syntax::ir::Type::I64, Operand::reg(r)).into()
    }
    /// Base and offset of a stack object.
    pub(super) fn object_base(&mut self, o: Obj) -> (MBase, i32) {
        let location = self.s.obj_locations[o.index()].unwrap_or_else(|| {
            let data = &self.f.stack[o];
            self.mf.frame.push(crate::mir::FrameObj { size: data.size, align: data.align });
            if data.align > 16 {
                self.mf.frame_pointer = true;
                self.mf.base_pointer |= self.moves_rsp;
            }
            ObjLocation::Frame(self.mf.frame.len() as u32 - 1)
        });
        self.s.obj_locations[o.index()] = Some(location);
        match location {
            ObjLocation::Frame(n) => (MBase::Frame(n), 0),
            ObjLocation::Incoming(offset) => (MBase::Incoming, offset.disp()),
            ObjLocation::Registers(_) => unreachable!("an object in registers has no address"),
        }
    }

    fn is_thread(&self, s: Sym) -> bool {
        self.decls.data_of(s).is_some_and(|d| d.thread)
    }
    /// True if a symbol's address must be loaded from the global offset table.
    fn needs_got(&self, s: Sym) -> bool {
        let data = &self.decls.syms[s];
        // No distance from the code can express 0, the address of an undefined symbol.
        let is_outside = !self.decls.is_defined(s) && (data.visibility == Visibility::Default || data.is_replaceable());
        match self.model {
            RelocModel::Static => self.decls.may_be_null(s),
            RelocModel::Pie => is_outside,
            RelocModel::Jit => !self.decls.is_defined(s),
            RelocModel::Pic => is_outside || !data.is_local() && data.visibility == Visibility::Default,
        }
    }
    /// Returns the address of a symbol in a register.
    pub(super) fn symbol_address(&mut self, s: Sym) -> VReg {
        let v = self.mf.new_vreg(RegClass::Int);
        if self.is_thread(s) {
            self.thread_address(s, v);
        } else {
            let m = if self.needs_got(s) {
                MInst::new(op::LoadGot, Form::DM, Size::S64).mem(MBase::Got(s), MReg::NONE, 1, 0)
            } else {
                MInst::new(op::Lea, Form::DM, Size::S64).mem(MBase::Sym(s), MReg::NONE, 1, 0)
            };
            self.mf.set_remat(v, m);
            self.seq(m.d(v));
        }
        v
    }
    /// Computes the address of this thread's copy of a thread data object: the thread pointer plus a constant where
    /// that is known (initial or local exec), else by a call.
    fn thread_address(&mut self, s: Sym, v: VReg) {
        match self.model {
            RelocModel::Static | RelocModel::Pie => {
                let tp = self.mf.new_vreg(RegClass::Int);
                self.seq(MInst::new(op::ThreadPointer, Form::D, Size::S64).d(tp));
                if self.decls.is_defined(s) {
                    self.seq(MInst::new(op::Lea, Form::DM, Size::S64).d(v).mem(MBase::Tpoff(s), tp.into(), 1, 0));
                } else {
                    let offset = self.mf.new_vreg(RegClass::Int);
                    let load = MInst::new(op::LoadGot, Form::DM, Size::S64).d(offset);
                    self.seq(load.mem(MBase::GotTpoff(s), MReg::NONE, 1, 0));
                    self.seq(MInst::new(op::Add, Form::DTB, Size::S64).d(v).a(tp).b(offset));
                }
            }
            RelocModel::Pic => {
                let mut record = FixedList { clobbers: CALLER_SAVED, ..FixedList::default() };
                record.defs.push((v.into(), RAX));
                record.target = Some(CallTarget::Sym(s));
                self.with_record(record, MInst::new(op::TlsAddr, Form::None, Size::S64));
            }
            RelocModel::Jit => {
                let image = self.mf.new_vreg(RegClass::Int);
                let lea = MInst::new(op::Lea, Form::DM, Size::S64).d(image);
                self.seq(lea.mem(MBase::Sym(s), MReg::NONE, 1, 0));
                self.runtime_call(THREAD_DATA, &[(image, RDI)], Some((v, RAX)));
            }
        }
    }

    /// Selects `%d = lea [mem]`.
    pub(super) fn lea(&mut self, i: Inst, d: &InstData) {
        let v = self.dst(d);
        let m = self.f.mem(i);
        let plain_symbol = matches!((m.base, m.index, m.disp), (Base::Sym(_), None, 0));
        if let Base::Sym(s) = m.base
            && plain_symbol
            && !self.is_near(m.base)
        {
            let t = self.symbol_address(s);
            if self.is_single(d.result().expect("lea has a destination"))
                && let Some(how) = self.mf.remat(t).copied()
            {
                self.mf.set_remat(v, how);
            }
            self.seq(MInst::new(op::Mov, Form::DA, Size::S64).d(v).a(t));
            return;
        }
        let a = self.address(m);
        let inst = a.apply(MInst::new(op::Lea, Form::DM, Size::S64));
        let repeatable = a.index.is_none() && !matches!(a.base, MBase::Reg(_));
        let r = d.result().expect("lea has a destination");
        if repeatable && self.is_single(r) {
            self.mf.set_remat(v, inst);
        }
        match a {
            Amode { base: MBase::Reg(r), index: MReg::NONE, disp: 0, .. } if !r.is_none() => {
                self.seq(MInst::new(op::Mov, Form::DA, Size::S64).d(v).a(r));
            }
            Amode { base: MBase::Reg(MReg::NONE), index: MReg::NONE, disp, .. } => {
                self.seq(MInst::new(op::Mov, Form::DI, Size::S64).d(v).imm(disp));
            }
            _ => self.seq(inst.d(v)),
        }
    }
    /// True if a symbol's address may be the target of a direct call.
    pub(super) fn is_function(&self, s: Sym) -> bool {
        matches!(self.decls.syms[s].kind, SymKind::Func { .. })
    }
}

/// True if an instruction reaches `disp` bytes from the start of an object. The object has `size` bytes.
fn reaches(size: u64, disp: i32) -> bool {
    disp.unsigned_abs() <= REACH || u64::try_from(disp).is_ok_and(|disp| disp <= size)
}

/// Returns the scale that a shift left or a multiplication by `k` is.
fn scale_of(d: &InstData, k: i64) -> Option<u8> {
    match (d.op, k) {
        (Opcode::Shl, 0..=3) => Some(1 << k),
        (Opcode::Mul, 1 | 2 | 4 | 8) => Some(k as u8),
        _ => None,
    }
}

impl IselScratch {
    /// Returns the stack objects of the function that was selected last that are in memory: the number of each in the
    /// frame, or its offset among the incoming stack arguments.
    pub(crate) fn objects_in_memory(&self) -> impl Iterator<Item = (Obj, ObjMemory)> + '_ {
        self.obj_locations.iter().enumerate().filter_map(|(o, location)| match *location {
            Some(ObjLocation::Frame(n)) => Some((Obj::new(o), ObjMemory::Frame(n))),
            Some(ObjLocation::Incoming(offset)) => Some((Obj::new(o), ObjMemory::Incoming(offset))),
            Some(ObjLocation::Registers(_)) | None => None,
        })
    }
}

/// The memory of a stack object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ObjMemory {
    /// An object in the frame, by number.
    Frame(u32),
    /// Among the incoming stack arguments, at this offset.
    Incoming(FrameOffset),
}
