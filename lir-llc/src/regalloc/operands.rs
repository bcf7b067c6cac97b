//! The operands of one machine instruction as an allocator sees them.
//!
//! Joins the columns of the instruction table (form, fixed registers, properties) with the record of a call: which
//! virtual registers are read and written in the fields, what each needs, how long it is read, and what is clobbered.
//! Every allocator reads instructions through this module, so that the rules of [`regalloc`](super) stand once.

use crate::isa::x64::instructions::{OpInfo, TABLE};
use crate::isa::x64::registers::RAX;
use crate::isa::x64::{Form, Op, PReg, PRegSet, Props, Size};
use crate::mir::{FixedList, MFunction, MInst, MReg, VReg, has_record};

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

/// The requirements of the fields of all instructions of one op in one form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shape(u16);

impl Shape {
    /// Bits 0 to 2: `a`, `b` and `x` are read.
    const READS: u16 = 0b111;
    /// Bits 3 and 4: `a`, `b` may be in a slot.
    const SLOT: u32 = 3;
    /// Bits 5 and 6: `b`, `x` are read late, unless `d` is `a`.
    const LATE: u32 = 5;
    /// `d` is written.
    const DEFINES: u16 = 1 << 7;
    /// The row fixes or clobbers registers, or there is a record.
    const SPECIAL: u16 = 1 << 8;
    /// `d` is to be where `a` is.
    const TIED: u16 = 1 << 9;

    /// The shape of the instructions of an op in a form.
    #[inline]
    pub fn of(op: Op, form: Form) -> Shape {
        SHAPES[(op as usize) << 5 | (form as usize & 31)]
    }
    /// Bits 0 to 2: which of `a`, `b` and `x` are read.
    #[inline]
    pub fn reads(self) -> u16 {
        self.0 & Shape::READS
    }
    /// True if field `k`, from 0 for `a`, may be in a spill slot.
    #[inline]
    pub(crate) fn may_be_slot(self, k: u32) -> bool {
        k < 2 && self.0 >> (Shape::SLOT + k) & 1 != 0
    }
    /// True if field `k` (0 is `a`) is read late, unless `d` is `a`.
    #[inline]
    pub(crate) fn is_late(self, k: u32) -> bool {
        k > 0 && self.0 >> (Shape::LATE + k - 1) & 1 != 0
    }
    /// True if any field is.
    #[inline]
    pub(crate) fn has_late(self) -> bool {
        self.0 >> Shape::LATE & 3 != 0
    }
    /// True if `d` is written.
    #[inline]
    pub fn defines(self) -> bool {
        self.0 & Shape::DEFINES != 0
    }
    /// True if registers are fixed or clobbered, by the row or by a record.
    #[inline]
    pub(crate) fn is_special(self) -> bool {
        self.0 & Shape::SPECIAL != 0
    }
    /// True if `d` is to be where `a` is.
    #[inline]
    pub fn is_tied(self) -> bool {
        self.0 & Shape::TIED != 0
    }

    /// Computes the shape of a row in a form.
    const fn new(op: Op, info: &OpInfo, form: Form) -> Shape {
        let props = info.props;
        let fixed = info.fixed;
        let slot_source = props.has(Props::SLOT_SOURCE);
        let slot_a = match form {
            Form::DA => slot_source,
            Form::AI => props.has(Props::SLOT_FIRST),
            Form::AB => props.has(Props::SLOT_FIRST) && !slot_source,
            _ => false,
        };
        let slot_b = slot_source && matches!(form, Form::AB | Form::DTB | Form::DAB);
        let memory = form.has_mem();
        let late_b = form.is_tied() && (memory || fixed.b.is_none() && !props.has(Props::COMMUTATIVE));
        let special = has_record(op) || !fixed.clobbers.is_empty();
        let mut bits = form.uses_a() as u16;
        bits |= ((form.uses_b() || memory) as u16) << 1;
        bits |= ((form.uses_x() || memory) as u16) << 2;
        bits |= (slot_a as u16) << Shape::SLOT | (slot_b as u16) << (Shape::SLOT + 1);
        bits |= (late_b as u16) << Shape::LATE | ((form.is_tied() && memory) as u16) << (Shape::LATE + 1);
        bits |= form.defs_d() as u16 * Shape::DEFINES;
        bits |= special as u16 * Shape::SPECIAL;
        bits |= form.is_tied() as u16 * Shape::TIED;
        Shape(bits)
    }
}

/// By op and form. As long as the numbers of both may be, so that no index is compared.
static SHAPES: [Shape; 256 << 5] = {
    let (mut shapes, mut op) = ([Shape(0); 256 << 5], 0);
    while op < TABLE.len() {
        let mut form = 0;
        while form < Form::ALL.len() {
            shapes[op << 5 | form] = Shape::new(Op::ALL[op], &TABLE[op], Form::ALL[form].0);
            form += 1;
        }
        op += 1;
    }
    shapes
};

/// The operands in the fields of an instruction.
#[derive(Copy, Clone, Debug)]
pub struct Operands {
    uses: [Use; 3],
    len: u8,
    /// The register that is written, and the one that the row fixes for it.
    pub def: Option<(VReg, Option<PReg>)>,
    /// No ordinary use of this instruction may be in these registers.
    pub early_clobbers: PRegSet,
    /// Registers in which nothing may be live after the instruction. No ordinary definition may be in them either.
    pub clobbers: PRegSet,
}

impl Operands {
    /// The operands of `inst`.
    #[inline]
    pub fn of(f: &MFunction, inst: &MInst) -> Operands {
        let shape = Shape::of(inst.op, inst.form);
        let def = if shape.defines() { inst.d.as_virt() } else { None };
        let mut out = Operands {
            uses: [Use { field: 0, vreg: VReg(0), need: Need::Reg, late: false }; 3],
            len: 0,
            def: def.map(|v| (v, None)),
            early_clobbers: PRegSet::EMPTY,
            clobbers: PRegSet::EMPTY,
        };
        let fixed = if shape.is_special() { out.special(f, inst) } else { [None; 3] };
        // Where `d` is `a` already, nothing is copied over the other operands.
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
    /// The clobbers and the register of the result of an instruction that has such. Gives those of what is read.
    fn special(&mut self, f: &MFunction, inst: &MInst) -> [Option<PReg>; 3] {
        let fixed = inst.op.info().fixed;
        (self.early_clobbers, self.clobbers) = (fixed.clobbers, fixed.clobbers);
        if let Some(record) = f.record(inst) {
            self.early_clobbers = early_clobbers(record).or(fixed.clobbers);
            self.clobbers = record.clobbers;
        }
        self.def = self.def.map(|(v, _)| (v, fixed.d));
        [fixed.a, if inst.form.uses_b() { fixed.b } else { None }, None]
    }
    /// The fields that are read, in the order `a`, `b`, `x`.
    #[inline]
    pub fn uses(&self) -> &[Use] {
        &self.uses[..self.len as usize]
    }
}

/// True if an instruction may compute in a spill slot: `d` and `a` are then both that slot. It has 8 bytes, so that
/// what is above an operand of less stays as it was.
pub(crate) fn computes_in_slot(inst: &MInst) -> bool {
    inst.form == Form::DTI
        && inst.size == Size::S64
        && matches!(inst.op, Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Shr | Op::Sar)
}

/// The registers that are taken when an instruction with a record reads its ordinary operands.
fn early_clobbers(record: &FixedList) -> PRegSet {
    let uses = record.uses.iter().fold(PRegSet::EMPTY, |set, (_, p)| set.with(*p));
    if record.al.is_some() { uses.with(RAX) } else { uses }
}
