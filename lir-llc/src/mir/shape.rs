//! The requirements of an instruction's fields, by op and form.
//!
//! Joins the columns of the machine's rows (fixed registers, properties) with the form, once for all instructions.

use super::form::Form;
use super::op::{MOp, OpInfo, Props};

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
    /// `d` must be in the register of `a`.
    const TIED: u16 = 1 << 9;

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
    /// True if any field is read late.
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
    /// True if `d` must be in the register of `a`.
    #[inline]
    pub fn is_tied(self) -> bool {
        self.0 & Shape::TIED != 0
    }

    /// Computes the shape of a row in a form.
    const fn new(info: &OpInfo, form: Form) -> Shape {
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
        let special = props.has(Props::RECORD) || !fixed.clobbers.is_empty();
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

/// The shapes of a machine's ops in all forms. There is an entry for every pair of numbers, so that no index is
/// checked.
#[derive(Debug)]
pub struct Shapes([Shape; 256 << 5]);

impl Shapes {
    /// The shapes of these rows.
    pub const fn new(ops: &[OpInfo; 256]) -> Shapes {
        let (mut shapes, mut op) = ([Shape(0); 256 << 5], 0);
        while op < ops.len() {
            let mut form = 0;
            while form < Form::ALL.len() && !ops[op].name.is_empty() {
                shapes[op << 5 | form] = Shape::new(&ops[op], Form::ALL[form].0);
                form += 1;
            }
            op += 1;
        }
        Shapes(shapes)
    }
    /// Returns the shape of the instructions of an op in a form.
    #[inline]
    pub fn of(&self, op: MOp, form: Form) -> Shape {
        self.0[(op.0 as usize) << 5 | (form as usize & 31)]
    }
}
