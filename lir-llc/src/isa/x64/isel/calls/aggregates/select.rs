//! Step 4 of [`aggregates`](super): loads, stores, calls and returns of objects that live in registers.

use super::{Candidate, RegisterPart};
use crate::isa::x64::abi::hardware;
use crate::isa::x64::isel::constants::immediate;
use crate::isa::x64::isel::{Isel, ObjLocation, size_of};
use crate::isa::x64::op;
use crate::mir::{FixedList, Form, MInst, RegClass, Size, VReg};
use lir_syntax::abi::{Piece, Register};
use lir_syntax::ir::{Base, EntityRef, Inst, InstData, Mem, Type};
use smallvec::SmallVec;

impl Isel<'_> {
    /// Returns the candidate that a memory operand accesses, if it is in registers.
    fn candidate(&self, m: Mem) -> Option<&Candidate> {
        let Base::Obj(o) = m.base else { return None };
        match self.s.obj_locations[o.index()] {
            Some(ObjLocation::Registers(k)) => Some(&self.s.register_objects.candidates[k as usize]),
            _ => None,
        }
    }
    /// Returns the part that a load or store is in. With it comes the number of bits from its start.
    fn part_of(&self, m: Mem) -> Option<(RegisterPart, u32)> {
        let parts = &self.s.register_objects.parts;
        let part = parts[self.candidate(m)?.part_at(parts, m.disp as u32)];
        Some((part, 8 * (m.disp as u32 - part.offset)))
    }
    /// Returns a bit number from which on a load of a part leaves zeros.
    pub(in crate::isa::x64::isel) fn clear_in_part(&self, i: Inst) -> u32 {
        match self.part_of(self.f.mem(i)) {
            Some((p, shift)) if shift != 0 => 8 * p.size().bytes() - shift,
            _ => 64,
        }
    }
    /// Registers that might be read before they are assigned hold 0.
    pub(in crate::isa::x64::isel) fn assign_initial_parts(&mut self) {
        for k in 0..self.s.register_objects.parts.len() {
            let p = self.s.register_objects.parts[k];
            if p.initial {
                self.assign_zero(p.class, p.vreg);
            }
        }
    }
    fn assign_zero(&mut self, class: RegClass, v: VReg) {
        let how = self.constant_inst(if class == RegClass::Float { Type::F64 } else { Type::I64 }, 0);
        self.seq(how.d(v));
    }

    /// Selects `load T [mem]` of a part; false if it is not one.
    pub(in crate::isa::x64::isel) fn load_part(&mut self, i: Inst, d: &InstData) -> bool {
        let Some((p, shift)) = self.part_of(self.f.mem(i)) else { return false };
        let v = self.dst(d);
        let m = match (p.class, d.ty.is_float()) {
            (RegClass::Float, true) => MInst::new(op::MovF, Form::DA, size_of(d.ty)).a(p.vreg),
            (RegClass::Float, false) => MInst::new(op::MovFI, Form::DA, size_of(d.ty)).a(p.vreg),
            (RegClass::Int, true) => {
                let x = self.shifted_part(&p, shift);
                MInst::new(op::MovIF, Form::DA, size_of(d.ty)).a(x)
            }
            (RegClass::Int, false) if shift != 0 => {
                MInst::new(op::Shr, Form::DTI, p.size()).a(p.vreg).imm(shift as i32)
            }
            (RegClass::Int, false) => MInst::new(op::Mov, Form::DA, size_of(d.ty).max(Size::S32)).a(p.vreg),
        };
        self.seq(m.d(v));
        true
    }
    fn shifted_part(&mut self, p: &RegisterPart, shift: u32) -> VReg {
        if shift == 0 {
            return p.vreg;
        }
        let t = self.temp(Type::I64);
        self.seq(MInst::new(op::Shr, Form::DTI, p.size()).d(t).a(p.vreg).imm(shift as i32));
        t
    }

    /// Selects `store T [mem], %v` of a part; false if it is not one.
    pub(in crate::isa::x64::isel) fn store_part(&mut self, i: Inst, d: &InstData) -> bool {
        let Some((p, shift)) = self.part_of(self.f.mem(i)) else { return false };
        if !p.read {
            self.forget_uses(i);
        } else if d.ty.bytes() == p.bytes {
            self.assign_part(&p, d);
        } else {
            self.insert_into_part(&p, shift, d);
        }
        true
    }
    /// Assigns all of a part.
    fn assign_part(&mut self, p: &RegisterPart, d: &InstData) {
        if let Some(k) = self.const_of(d.stored()) {
            let ty = match p.class {
                RegClass::Int => d.ty.bits_type(),
                RegClass::Float if d.ty.bytes() == 4 => Type::F32,
                RegClass::Float => Type::F64,
            };
            let how = self.constant_inst(ty, k);
            return self.seq(how.d(p.vreg));
        }
        let (ty, o) = self.look_through_truncation(d.ty, d.stored());
        let x = self.value(ty, o);
        let (op, size) = match (p.class, ty.is_float()) {
            (RegClass::Float, true) => (op::MovF, size_of(ty)),
            (RegClass::Float, false) => (op::MovIF, size_of(d.ty)),
            (RegClass::Int, true) => (op::MovFI, size_of(ty)),
            (RegClass::Int, false) => (op::Mov, p.size()),
        };
        self.seq(MInst::new(op, Form::DA, size).d(p.vreg).a(x));
    }
    /// Some bits of a part in an integer register.
    fn insert_into_part(&mut self, p: &RegisterPart, shift: u32, d: &InstData) {
        let bits = d.ty.bits_type();
        let w = bits.as_word();
        let kept = self.without_bits(p, w.mask() << shift);
        let new = if let Some(k) = self.const_of(d.stored()) {
            self.make_constant(Type::I64, (w.truncate(k as u64) << shift) as i64)
        } else {
            let clear = self.is_clear(d.ty, d.stored());
            let x = self.value(d.ty, d.stored());
            let low = if d.ty.is_float() {
                // The upper half is cleared.
                let low = self.temp(Type::I64);
                self.seq(MInst::new(op::MovFI, Form::DA, size_of(d.ty)).d(low).a(x));
                low
            } else if clear {
                x
            } else {
                self.zero_extended(x, d.ty.bytes())
            };
            self.shift_left(low, shift)
        };
        self.seq(MInst::new(op::Or, Form::DTB, Size::S64).d(p.vreg).a(kept).b(new));
    }
    /// Returns the other bits of a part in an integer register, zeros instead of these.
    fn without_bits(&mut self, p: &RegisterPart, bits: u64) -> VReg {
        if bits == Type::I32.as_word().mask() << 32 {
            return self.zero_extended(p.vreg, 4);
        }
        if bits == Type::I32.as_word().mask() {
            // Shorter than the constant.
            let high = self.shifted_part(p, 32);
            return self.shift_left(high, 32);
        }
        let kept = self.temp(Type::I64);
        let and = |form| MInst::new(op::And, form, p.size()).d(kept).a(p.vreg);
        match immediate(p.size(), !bits as i64) {
            Some(imm) => self.seq(and(Form::DTI).imm(imm)),
            None => {
                let mask = self.make_constant(Type::I64, !bits as i64);
                self.seq(and(Form::DTB).b(mask));
            }
        }
        kept
    }
    fn zero_extended(&mut self, v: VReg, bytes: u32) -> VReg {
        let (op, size) = match bytes {
            1 => (op::MovZx8, Size::S32),
            2 => (op::MovZx16, Size::S32),
            _ => (op::MovZx32, Size::S64),
        };
        let t = self.temp(Type::I64);
        self.seq(MInst::new(op, Form::DA, size).d(t).a(v));
        t
    }
    fn shift_left(&mut self, v: VReg, by: u32) -> VReg {
        if by == 0 {
            return v;
        }
        let t = self.temp(Type::I64);
        self.seq(MInst::new(op::Shl, Form::DTI, Size::S64).d(t).a(v).imm(by as i32));
        t
    }

    /// The pieces of an aggregate for a call or return. False if it is in memory.
    pub(in crate::isa::x64::isel) fn pass_parts(
        &mut self,
        m: Mem,
        pieces: &[(Piece, Register)],
        record: &mut FixedList,
    ) -> bool {
        let Some(c) = self.candidate(m) else { return false };
        let parts: SmallVec<[std::ops::Range<u32>; 2]> = c.eightbytes.iter().map(|e| e.parts.clone()).collect();
        for ((piece, reg), parts) in pieces.iter().zip(parts) {
            let v = self.put_together(piece, parts);
            record.uses.push((v.into(), hardware(*reg)));
        }
        true
    }
    /// Returns an eightbyte in one register. Bits above its bytes mean nothing.
    fn put_together(&mut self, piece: &Piece, parts: std::ops::Range<u32>) -> VReg {
        let mut whole = None;
        for k in parts.clone() {
            let p = self.s.register_objects.parts[k as usize];
            let last = k + 1 == parts.end;
            let v = if last || p.clear { p.vreg } else { self.zero_extended(p.vreg, p.bytes) };
            let v = self.shift_left(v, 8 * (p.offset - piece.offset));
            whole = Some(match whole {
                None => v,
                Some(low) => {
                    let t = self.temp(Type::I64);
                    self.seq(MInst::new(op::Or, Form::DTB, Size::S64).d(t).a(low).b(v));
                    t
                }
            });
        }
        whole.unwrap_or_else(|| {
            let v = self.mf.new_vreg(piece.class);
            self.assign_zero(piece.class, v);
            v
        })
    }
    /// Receives the registers of an aggregate from outside, as far as they are read. False if it is in memory.
    pub(in crate::isa::x64::isel) fn receive_parts(
        &mut self,
        m: Mem,
        pieces: &[(Piece, Register)],
        record: &mut FixedList,
    ) -> bool {
        let Some(c) = self.candidate(m) else { return false };
        for (e, (_, reg)) in c.eightbytes.iter().zip(pieces) {
            let p = self.s.register_objects.parts[e.parts.start as usize];
            if p.read {
                record.defs.push((p.vreg.into(), hardware(*reg)));
            }
        }
        true
    }
}
