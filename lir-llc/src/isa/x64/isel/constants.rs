//! Selects constants: as immediates, in registers, and in the pool.

use super::{Isel, alu_size, size_of};
use crate::isa::x64::op;
use crate::mir::{Form, MBase, MInst, MReg, Size, VReg};
use lir_syntax::ir::{InstData, Type};

impl Isel<'_> {
    /// Returns an instruction that makes a constant, without its destination. The instruction leaves the flags alone.
    pub(super) fn constant_inst(&mut self, ty: Type, payload: i64) -> MInst {
        if ty.is_float() {
            return if payload == 0 {
                MInst::new(op::ZeroF, Form::D, size_of(ty))
            } else {
                let base = self.pool_constant(ty, payload as u64);
                MInst::new(op::MovF, Form::DM, size_of(ty)).mem(base, MReg::NONE, 1, 0)
            };
        }
        let size = alu_size(ty);
        if size == Size::S32 || u32::try_from(payload).is_ok() {
            // A 32-bit move clears the upper half.
            MInst::new(op::Mov, Form::DI, Size::S32).imm(payload as i32)
        } else if let Ok(imm) = i32::try_from(payload) {
            MInst::new(op::Mov, Form::DI, Size::S64).imm(imm)
        } else {
            let mut m = MInst::new(op::Mov, Form::DI64, Size::S64).imm(payload as i32);
            m.x = MReg::from_bits((payload >> 32) as u32);
            m
        }
    }
    /// Makes a constant in a new register.
    pub(super) fn make_constant(&mut self, ty: Type, payload: i64) -> VReg {
        let v = self.temp(ty);
        let how = self.constant_inst(ty, payload);
        self.mf.set_remat(v, how);
        self.seq(how.d(v));
        v
    }
    /// Selects `%d = const T K` for a register with several assignments.
    pub(super) fn constant(&mut self, d: &InstData) {
        let v = self.dst(d);
        let payload = self.f.constant(d.first()).expect("the operand of const is a constant");
        let how = self.constant_inst(d.ty, payload);
        self.seq(how.d(v));
    }
    /// Returns the base address of a float constant in the pool.
    pub(super) fn pool_constant(&mut self, ty: Type, bits: u64) -> MBase {
        let bytes = bits.to_le_bytes();
        self.pool_bytes(&bytes[..ty.bytes() as usize])
    }
    /// Returns the base address of a constant in the pool that repeats the bits over 16 bytes, for operations on whole
    /// registers.
    pub(super) fn pool_mask(&mut self, ty: Type, bits: u64) -> MBase {
        let bytes = bits.to_le_bytes();
        let one = &bytes[..ty.bytes() as usize];
        let all: Vec<u8> = one.iter().copied().cycle().take(16).collect();
        self.pool_bytes(&all)
    }
    /// Returns the base address of these bytes in the pool, and adds them if they are not among its last constants.
    /// Functions have few constants, so a short search from the back finds most.
    fn pool_bytes(&mut self, bytes: &[u8]) -> MBase {
        const RECENT: usize = 16;
        let recent = self.mf.consts.iter().enumerate().rev().take(RECENT);
        let known = recent.into_iter().find(|(_, c)| c.as_slice() == bytes).map(|(k, _)| k);
        let k = known.unwrap_or_else(|| {
            self.mf.consts.push(bytes.into());
            self.mf.consts.len() - 1
        });
        MBase::Const(k as u32)
    }
}

/// Returns a constant as the immediate of an operation of this size, if it fits: an operation of 64 bits sign-extends
/// an immediate of 32 bits.
#[inline]
pub(super) fn immediate(size: Size, payload: i64) -> Option<i32> {
    if size == Size::S64 { i32::try_from(payload).ok() } else { Some(payload as i32) }
}
