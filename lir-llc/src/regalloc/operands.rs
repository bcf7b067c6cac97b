//! The operands of one machine instruction as an allocator sees them.
//!
//! Joins the columns of the instruction table (form, fixed registers, properties) with the record of a call: which
//! virtual registers are read and written in the fields, what each needs, how long it is read, and what is clobbered.
//! Every allocator reads instructions through this module, so that the rules of [`regalloc`](super) stand once.

use crate::machine::{FixedList, MFunction, MInst, MReg, VReg};
use crate::x64::registers::RAX;
use crate::x64::{Form, PReg, PRegSet, Props};

/// What an operand in a field asks for.
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
    /// What is read.
    pub vreg: VReg,
    /// What it asks for.
    pub need: Need,
    /// Whether it is read until `2i + 1`: the definition must not share its register.
    pub late: bool,
}

/// The operands in the fields of an instruction.
#[derive(Copy, Clone, Debug)]
pub struct Operands {
    uses: [Use; 3],
    len: u8,
    /// What is written, and the register that the row fixes for it.
    pub def: Option<(VReg, Option<PReg>)>,
    /// No ordinary use of this instruction may be in these registers.
    pub early_clobbers: PRegSet,
    /// Nothing that is live after the instruction, and no ordinary definition, may be in these registers.
    pub clobbers: PRegSet,
}

impl Operands {
    /// The operands of `inst`.
    #[inline]
    pub fn of(f: &MFunction, inst: &MInst) -> Operands {
        let (form, info) = (inst.form, inst.op.info());
        let (fixed, props) = (info.fixed, info.props);
        let mut out = Operands {
            uses: [Use { field: 0, vreg: VReg(0), need: Need::Reg, late: false }; 3],
            len: 0,
            def: inst.def().map(|v| (v, fixed.d)),
            early_clobbers: fixed.clobbers,
            clobbers: fixed.clobbers,
        };
        if inst.has_record() {
            let record = &f.records[inst.record_index()];
            out.early_clobbers = early_clobbers(record);
            out.clobbers = record.clobbers;
        }
        let slot_source = props.has(Props::SLOT_SOURCE);
        // Where `d` is `a` already, nothing is copied over the other operands.
        let late = form.is_tied() && inst.d != inst.a;
        if form.uses_a() {
            let slot = match form {
                Form::DA => slot_source,
                Form::AI => props.has(Props::SLOT_FIRST),
                Form::AB => props.has(Props::SLOT_FIRST) && !slot_source,
                _ => false,
            };
            out.push(1, inst.a, fixed.a, slot, false);
        }
        if form.uses_b() {
            let slot = slot_source && matches!(form, Form::AB | Form::DTB | Form::DAB);
            let late = late && fixed.b.is_none() && !props.has(Props::COMMUTATIVE);
            out.push(2, MReg::from_bits(inst.b), fixed.b, slot, late);
        }
        if form.uses_x() {
            out.push(3, inst.x, None, false, false);
        }
        if form.has_mem() {
            out.push(2, MReg::from_bits(inst.b), None, false, late);
            out.push(3, inst.x, None, false, late);
        }
        out
    }
    /// The fields that are read, in the order `a`, `b`, `x`.
    #[inline]
    pub fn uses(&self) -> &[Use] {
        &self.uses[..self.len as usize]
    }
    #[inline]
    fn push(&mut self, field: u8, reg: MReg, fixed: Option<PReg>, slot: bool, late: bool) {
        if let Some(vreg) = reg.as_virt() {
            let need = match fixed {
                Some(p) => Need::Fixed(p),
                None if slot => Need::RegOrSlot,
                None => Need::Reg,
            };
            self.uses[self.len as usize] = Use { field, vreg, need, late };
            self.len += 1;
        }
    }
}

/// The registers that are taken when an instruction with a record reads its ordinary operands.
fn early_clobbers(record: &FixedList) -> PRegSet {
    let uses = record.uses.iter().fold(PRegSet::EMPTY, |set, (_, p)| set.with(*p));
    if record.al.is_some() { uses.with(RAX) } else { uses }
}
