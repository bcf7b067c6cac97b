//! Allocations: a register allocator's answer for a machine function, which emission reads.

use super::registers::{PReg, PRegSet};
use lir_syntax::abi::RegClass;

/// The location of a value: a hardware register or a spill slot.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Loc(u32);

impl Loc {
    /// Nowhere: the field is not an operand.
    pub const NONE: Loc = Loc(u32::MAX);
    /// Returns a hardware register.
    #[inline]
    pub const fn reg(p: PReg) -> Loc {
        Loc(p.index() as u32)
    }
    /// Spill slot n; of 16 bytes, slots n and n + 1, where n is even.
    #[inline]
    pub const fn slot(n: u32) -> Loc {
        Loc(n + 32)
    }
    /// The index of the first spill slot.
    pub(crate) const FIRST_SLOT: u32 = 32;
    /// Returns a dense index: registers first, then slots.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
    /// Returns the register, if it is one.
    #[inline]
    pub fn as_reg(self) -> Option<PReg> {
        (self.0 < 32).then(|| PReg::new(self.0 as u8))
    }
    /// Returns the spill slot, if it is one.
    #[inline]
    pub(crate) fn as_slot(self) -> Option<u32> {
        (self.0 >= 32 && self.0 != u32::MAX).then(|| self.0 - 32)
    }
}

impl std::fmt::Debug for Loc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.as_reg(), self.as_slot()) {
            (Some(r), _) => write!(f, "{r:?}"),
            (_, Some(s)) => write!(f, "slot{s}"),
            _ => f.write_str("-"),
        }
    }
}

/// An action between instructions. None of them changes the flags.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Copies as many bytes as a spill slot of the class has. Both locations hold values of the class, and both may be
    /// slots.
    Move {
        /// From.
        from: Loc,
        /// To.
        to: Loc,
        /// Class of the value.
        class: RegClass,
    },
    /// Exchanges two general registers.
    Exchange(PReg, PReg),
    /// Repeats a definition: entry of [`MFunction::remats`](super::MFunction::remats), result in this register.
    Remat(u32, PReg),
}

impl Edit {
    /// Returns the registers that the edit writes.
    #[inline]
    pub(crate) fn written(&self) -> PRegSet {
        match *self {
            Edit::Move { to, .. } => to.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r])),
            Edit::Exchange(a, b) => PRegSet::of(&[a, b]),
            Edit::Remat(_, r) => PRegSet::of(&[r]),
        }
    }
}

/// An action of the code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// An edit, by its index in [`Allocation::edits`].
    Edit(u32),
    /// An instruction, by its index.
    Inst(u32),
}

/// The locations of the four register fields `d`, `a`, `b`, `x` of an instruction. Fields that are not virtual
/// registers, and fixed operands in records, have [`Loc::NONE`]. A field fixed by the op's row has its fixed register.
pub type OperandLocs = [Loc; 4];

/// The answer of an allocator.
#[derive(Clone, Debug, Default)]
pub struct Allocation {
    /// For each instruction the locations of its fields.
    pub locs: Vec<OperandLocs>,
    /// Program point and edit, ascending by point; the edits of one point are done in order.
    pub edits: Vec<(u32, Edit)>,
    /// Number of spill slots, of 8 bytes each; one of 16 counts twice.
    pub num_slots: u32,
    /// Every register that is written anywhere, by instructions or edits.
    pub used: PRegSet,
}
