//! A machine instruction: 24 bytes.

use super::form::{Form, Size};
use super::op::{Condition, MOp};
use super::operand::{MBase, MReg, VReg};

/// A machine instruction. Its [`Form`] determines the meaning of the fields.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct MInst {
    /// The operation.
    pub op: MOp,
    /// The form, which determines the operand fields.
    pub form: Form,
    /// Operand size; of conversions between classes the size of the float.
    pub size: Size,
    /// Condition (low 5 bits), scale of the index (bits 5, 6), a flag (bit 7). The scale is given by its log2; the flag
    /// is set for an operation whose flags are used in addition to its result.
    cond_scale: u8,
    /// Destination. For ops with a record in the pool (calls, returns, divisions with two results and the like): the
    /// index of the record.
    pub d: MReg,
    /// First source, or an immediate next to a memory operand.
    pub a: MReg,
    /// Second source, or base of the memory operand ([`MBase`]).
    pub b: u32,
    /// Third source, index of the memory operand, or the high half of a 64-bit immediate.
    pub x: MReg,
    /// Immediate, or displacement of the memory operand.
    pub imm: i32,
}

impl MInst {
    /// Returns an instruction whose other fields are empty.
    #[inline]
    pub fn new(op: impl Into<MOp>, form: Form, size: Size) -> MInst {
        MInst {
            op: op.into(),
            form,
            size,
            cond_scale: 0,
            d: MReg::NONE,
            a: MReg::NONE,
            b: MReg::NONE.to_bits(),
            x: MReg::NONE,
            imm: 0,
        }
    }
    /// The same with destination `d`.
    #[inline]
    pub fn d(mut self, d: impl Into<MReg>) -> MInst {
        self.d = d.into();
        self
    }
    /// The same with first source `a`.
    #[inline]
    pub fn a(mut self, a: impl Into<MReg>) -> MInst {
        self.a = a.into();
        self
    }
    /// The same with second source `b`.
    #[inline]
    pub fn b(mut self, b: impl Into<MReg>) -> MInst {
        self.b = b.into().to_bits();
        self
    }
    /// The same with an immediate in `imm`.
    #[inline]
    pub fn imm(mut self, imm: i32) -> MInst {
        self.imm = imm;
        self
    }
    /// The same with an immediate in `a`, for forms MI and DMI.
    #[inline]
    pub fn mem_imm(mut self, imm: i32) -> MInst {
        self.a = MReg::from_bits(imm as u32);
        self
    }
    /// The same with a condition.
    #[inline]
    pub fn cond(mut self, c: impl Into<Condition>) -> MInst {
        self.cond_scale = self.cond_scale & !31 | c.into().0;
        self
    }
    /// The same with a memory operand; `scale` is 1, 2, 4 or 8.
    #[inline]
    pub fn mem(mut self, base: MBase, index: MReg, scale: u8, disp: i32) -> MInst {
        self.b = base.to_bits();
        self.x = index;
        self.cond_scale = self.cond_scale & !(3 << 5) | (scale.trailing_zeros() as u8) << 5;
        self.imm = disp;
        self
    }
    /// The same with the index of its record in the pool.
    #[inline]
    pub fn record(mut self, index: u32) -> MInst {
        self.d = MReg::from_bits(index);
        self
    }

    /// The same, with flags that another instruction reads in addition to the result.
    #[inline]
    pub(crate) fn keep_flags(mut self) -> MInst {
        self.cond_scale |= 1 << 7;
        self
    }

    /// True if another instruction reads the flags of this operation, which also has a result. It must set the zero and
    /// the sign flag by the result.
    #[inline]
    pub(crate) fn keeps_flags(&self) -> bool {
        self.cond_scale >> 7 != 0
    }
    /// Returns the condition.
    #[inline]
    pub fn condition(&self) -> Condition {
        Condition(self.cond_scale & 31)
    }
    /// Returns the scale of the index: 1, 2, 4 or 8.
    #[inline]
    pub fn scale(&self) -> u8 {
        1 << (self.cond_scale >> 5 & 3)
    }
    /// Returns the base of the memory operand.
    #[inline]
    pub fn base(&self) -> MBase {
        MBase::from_bits(self.b)
    }
    /// Returns the immediate in `a`.
    #[inline]
    pub(crate) fn get_mem_imm(&self) -> i32 {
        self.a.to_bits() as i32
    }
    /// Returns the 64-bit immediate of form DI64.
    #[inline]
    pub fn imm64(&self) -> i64 {
        (self.x.to_bits() as i64) << 32 | self.imm as u32 as i64
    }
    /// Returns the index of the record in the pool, for an op that has one.
    #[inline]
    pub(crate) fn record_index(&self) -> usize {
        self.d.to_bits() as usize
    }
    /// Returns the virtual register in the destination field.
    #[inline]
    pub fn def(&self) -> Option<VReg> {
        if self.form.defs_d() { self.d.as_virt() } else { None }
    }
    /// Visits the virtual registers that the fields read: `a`, `b`, index, in this order. Fixed operands in a record
    /// are not among them.
    #[inline]
    pub fn for_each_use(&self, mut f: impl FnMut(VReg)) {
        if self.form.uses_a()
            && let Some(v) = self.a.as_virt()
        {
            f(v);
        }
        if (self.form.uses_b() || self.form.has_mem())
            && let Some(v) = MReg::from_bits(self.b).as_virt()
        {
            f(v);
        }
        if (self.form.uses_x() || self.form.has_mem())
            && let Some(v) = self.x.as_virt()
        {
            f(v);
        }
    }
    /// Puts other registers in place of those that [`for_each_use`](MInst::for_each_use) visits and `new` knows.
    #[inline]
    pub(crate) fn rename_uses(&mut self, new: impl Fn(VReg) -> Option<MReg>) {
        let renamed = |r: MReg| r.as_virt().and_then(&new).unwrap_or(r);
        if self.form.uses_a() {
            self.a = renamed(self.a);
        }
        if self.form.uses_b() || self.form.has_mem() {
            self.b = renamed(MReg::from_bits(self.b)).to_bits();
        }
        if self.form.uses_x() || self.form.has_mem() {
            self.x = renamed(self.x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_instruction_is_24_bytes() {
        assert_eq!(size_of::<MInst>(), 24);
    }
}
