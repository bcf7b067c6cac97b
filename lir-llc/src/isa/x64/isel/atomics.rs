//! Atomic accesses and fences.
//!
//! x86-64 orders all accesses, with one exception: a later load of another location may come before a store (Intel SDM
//! volume 3, section 9.2.2; P. Sewell et al., "x86-TSO", CACM 53(7), 2010). So a load of any order is a `mov`, and so
//! is a store that is not `seq_cst`. Every locked instruction is a fence.
//!
//! | operation | code |
//! |---|---|
//! | `atomic_load` | `mov` |
//! | `atomic_store` | `mov`; with `seq_cst` `xchg` |
//! | `atomicrmw xchg` | `xchg` |
//! | `atomicrmw add`, `sub` | `lock xadd`; if the result is not used, `lock add`, `lock sub` |
//! | `atomicrmw and`, `or`, `xor` without a use of the result | `lock and`, `lock or`, `lock xor` |
//! | other `atomicrmw` | expanded by [`lower`](crate::lower) into a loop around `cmpxchg` |
//! | `cmpxchg` | `lock cmpxchg` |
//! | `fence` | `mfence` for `seq_cst`, otherwise no code |
//!
//! The effects in the opcode table keep passes from moving accesses across them.

use super::constants::immediate;
use super::memory::load_inst;
use super::{Isel, size_of};
use crate::isa::x64::op;
use crate::isa::x64::registers::RAX;
use crate::mir::{FixedList, Form, MInst, MOp, MReg, PRegSet, Size};
use lir_syntax::ir::{EntityRef, Inst, InstData, Operand, Order, RmwOp, Type};

impl Isel<'_> {
    /// Selects `%d = atomic_load ORDER T [m]`.
    pub(super) fn atomic_load(&mut self, i: Inst, d: &InstData) {
        let v = self.dst(d);
        let a = self.mem_operand(i);
        self.seq(a.apply(load_inst(d.ty)).d(v));
    }

    /// Selects `atomic_store ORDER T [m], V`.
    pub(super) fn atomic_store(&mut self, i: Inst, d: &InstData) {
        let size = size_of(d.ty);
        if d.order() == Some(Order::SeqCst) {
            let (before, x) = (self.temp(d.ty), self.value(d.ty, d.stored()));
            let a = self.mem_operand(i);
            return self.seq(a.apply(MInst::new(op::Xchg, Form::DTM, size)).d(before).a(x));
        }
        let m = self.with_memory(i, d.ty, d.stored(), op::Mov);
        self.seq(m);
    }

    /// Selects `%d = atomicrmw OP ORDER T [m], V`, if it is one instruction.
    pub(super) fn atomic_rmw(&mut self, i: Inst, d: &InstData) {
        let r = d.result().expect("`atomicrmw` has a destination");
        let used = self.s.facts[r.index()].uses > 0;
        let alone = match d.rmw_op() {
            RmwOp::Add => op::LockAdd,
            RmwOp::Sub => op::LockSub,
            RmwOp::And => op::LockAnd,
            RmwOp::Or => op::LockOr,
            RmwOp::Xor => op::LockXor,
            RmwOp::Xchg | RmwOp::Nand | RmwOp::Smin | RmwOp::Smax | RmwOp::Umin | RmwOp::Umax => op::Xchg,
        };
        if !used && alone != op::Xchg {
            let m = self.with_memory(i, d.ty, d.second(), alone);
            return self.seq(m);
        }
        let size = size_of(d.ty);
        let v = self.dst(d);
        let (op, x) = match (d.rmw_op(), self.const_of(d.second())) {
            (RmwOp::Xchg, _) => (op::Xchg, self.value(d.ty, d.second())),
            (RmwOp::Add, _) => (op::Xadd, self.value(d.ty, d.second())),
            (RmwOp::Sub, Some(k)) => {
                (op::Xadd, self.make_constant(d.ty, d.ty.constant_payload(k.wrapping_neg() as u64)))
            }
            (RmwOp::Sub, None) => {
                let (x, negated) = (self.value(d.ty, d.second()), self.temp(d.ty));
                self.seq(MInst::new(op::Neg, Form::DT, size.max(Size::S32)).d(negated).a(x));
                (op::Xadd, negated)
            }
            (other, _) => unreachable!("`prepare` has expanded `atomicrmw {}`", other.name()),
        };
        let a = self.address(self.f.mem_dst(i));
        self.seq(a.apply(MInst::new(op, Form::DTM, size)).d(v).a(x));
    }
    /// Returns `op [m], x` for the memory operand of an instruction.
    fn with_memory(&mut self, i: Inst, ty: Type, x: Operand, op: MOp) -> MInst {
        let (size, mut m) = (size_of(ty), None);
        self.f.for_each_mem(i, |mem| m = Some(mem));
        let m = m.expect("an atomic access has a memory operand");
        match self.const_of(x).and_then(|k| immediate(size, k)) {
            Some(imm) => self.address(m).apply(MInst::new(op, Form::MI, size)).mem_imm(imm),
            None => {
                let x = self.value(ty, x);
                self.address(m).apply(MInst::new(op, Form::MA, size)).a(x)
            }
        }
    }

    /// Selects `%d = cmpxchg ORDER ORDER T [m], %expected, %new`. The expected value and the old value are in rax.
    pub(super) fn cmpxchg(&mut self, i: Inst, d: &InstData) {
        let (expected, new) = self.f.operands_bc(i);
        let x = self.value(d.ty, expected);
        let new = self.value(d.ty, new);
        let mut record = FixedList { clobbers: PRegSet::of(&[RAX]), ..FixedList::default() };
        record.uses.push((MReg::from(x), RAX));
        let r = d.result().expect("`cmpxchg` has a destination");
        if self.s.facts[r.index()].uses > 0 {
            record.defs.push((self.vreg(r).into(), RAX));
        }
        let a = self.address(self.f.mem_dst(i));
        self.with_record(record, a.apply(MInst::new(op::CmpXchg, Form::MA, size_of(d.ty))).a(new));
    }

    /// Selects `fence ORDER`.
    pub(super) fn fence(&mut self, d: &InstData) {
        if d.order() == Some(Order::SeqCst) {
            self.seq(MInst::new(op::Mfence, Form::None, Size::S64));
        }
    }
}
