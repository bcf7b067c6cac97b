//! The operands of one machine instruction for allocators.
//!
//! Joins the columns of the instruction table (form, fixed registers, properties) with the record of a call: the
//! virtual registers that are read and written in the fields, their requirements, how long they are read, and the
//! clobbers. Every allocator reads instructions through this module, so that the rules of [`regalloc`](super) are in
//! one place.

use crate::mir::{FixedList, Form, MFunction, MInst, MReg, PReg, PRegSet, Props, Size, VReg};

/// The requirement of an operand in a field.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// A register.
    Reg,
    /// A register or a spill slot.
    RegOrSlot,
    /// This register, by a move before or after the instruction: the value itself may be anywhere.
    Fixed(PReg),
}

/// A field that is read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// Its index in [`OperandLocs`](super::OperandLocs): 1 is `a`, 2 is `b`, 3 is `x`.
    pub field: u8,
    /// The register that is read.
    pub vreg: VReg,
    /// Its requirement.
    pub need: Need,
    /// True if it is read until `2i + 1`: the definition must not share its register.
    pub late: bool,
}

/// The operands in the fields of an instruction.
#[derive(Copy, Clone, Debug)]
pub struct Operands {
    uses: [Use; 3],
    len: u8,
    /// The register that is written, and the hardware register that the row fixes for it.
    pub def: Option<(VReg, Option<PReg>)>,
    /// No ordinary use of this instruction may be in these registers.
    pub early_clobbers: PRegSet,
    /// Registers in which nothing may be live after the instruction. No ordinary definition may be in them either.
    pub clobbers: PRegSet,
}

impl Operands {
    /// Returns the operands of `inst`.
    #[inline]
    pub fn of(f: &MFunction, inst: &MInst) -> Operands {
        let shape = f.shape(inst);
        let def = if shape.defines() { inst.d.as_virt() } else { None };
        let mut out = Operands {
            uses: [Use { field: 0, vreg: VReg(0), need: Need::Reg, late: false }; 3],
            len: 0,
            def: def.map(|v| (v, None)),
            early_clobbers: PRegSet::EMPTY,
            clobbers: PRegSet::EMPTY,
        };
        let fixed = if shape.is_special() { out.special(f, inst) } else { [None; 3] };
        // If `d` is `a` already, nothing is copied over the other operands.
        let late = inst.d != inst.a;
        let fields = [inst.a, MReg::from_bits(inst.b), inst.x];
        for k in 0..3 {
            if shape.reads() >> k & 1 != 0
                && let Some(vreg) = fields[k as usize].as_virt()
            {
                let need = match fixed[k as usize] {
                    Some(p) => Need::Fixed(p),
                    None if shape.may_be_slot(k) => Need::RegOrSlot,
                    None => Need::Reg,
                };
                out.uses[out.len as usize] = Use { field: k as u8 + 1, vreg, need, late: late && shape.is_late(k) };
                out.len += 1;
            }
        }
        out
    }
    /// Returns the clobbers and the register of the result of an instruction that has such. Returns the fixed registers
    /// of its sources.
    fn special(&mut self, f: &MFunction, inst: &MInst) -> [Option<PReg>; 3] {
        let fixed = f.fixed(inst);
        (self.early_clobbers, self.clobbers) = (fixed.clobbers, fixed.clobbers);
        if let Some(record) = f.record(inst) {
            self.early_clobbers = early_clobbers(f, record).or(fixed.clobbers);
            self.clobbers = record.clobbers;
        }
        self.def = self.def.map(|(v, _)| (v, fixed.d));
        [fixed.a, if inst.form.uses_b() { fixed.b } else { None }, None]
    }
    /// Returns the fields that are read, in the order `a`, `b`, `x`.
    #[inline]
    pub fn uses(&self) -> &[Use] {
        &self.uses[..self.len as usize]
    }
}

/// True if an instruction may compute in a spill slot: `d` and `a` are then both that slot. The operand has 8 bytes,
/// since a smaller one would leave the bytes above it unchanged.
pub(crate) fn computes_in_slot(f: &MFunction, inst: &MInst) -> bool {
    inst.form == Form::DTI && inst.size == Size::S64 && f.props(inst).has(Props::IN_SLOT)
}

/// Returns the registers that are taken when an instruction with a record reads its ordinary operands.
fn early_clobbers(f: &MFunction, record: &FixedList) -> PRegSet {
    let uses = record.uses.iter().fold(PRegSet::EMPTY, |set, (_, p)| set.with(*p));
    if record.al.is_some() { uses.with(f.env.variadic_count) } else { uses }
}
