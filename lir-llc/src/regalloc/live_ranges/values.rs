//! Values for allocators: local to one block, or live across blocks.

use super::NONE;
use crate::mir::{PReg, PRegSet, RegClass};
use lir_opt::tables::live_words::Segment;

/// The facts about a virtual register.
#[derive(Copy, Clone, Debug)]
pub(in crate::regalloc) struct Value {
    /// The last block that it was seen in, or [`NONE`].
    pub(in crate::regalloc) block: u32,
    /// The positions between which it is used in that block.
    pub(in crate::regalloc) start: u32,
    /// See `start`.
    pub(in crate::regalloc) end: u32,
    /// The last instruction that uses it; `u32::MAX` if it is live across blocks.
    pub(in crate::regalloc) last: u32,
    /// The last segment before that block, if it is live across blocks.
    pub(in crate::regalloc) chain: u32,
    /// Cost of having it in memory: its uses by frequency.
    pub(in crate::regalloc) weight: u32,
    /// Its number among the values that are live across blocks, or [`NONE`].
    pub(in crate::regalloc) number: u32,
    /// Its spill slot, or [`NONE`].
    pub(in crate::regalloc) slot: u32,
    /// The virtual register that it is computed from in place, or copied from, or [`NONE`].
    pub(in crate::regalloc) from: u32,
    /// The hardware register that it is in at the moment, or [`NOWHERE`].
    pub(in crate::regalloc) reg: u8,
    /// The register that it is needed in or arrives in, plus one, or 0.
    pub(in crate::regalloc) hint: u8,
    /// The register that it was in last, or [`NOWHERE`].
    pub(in crate::regalloc) former: u8,
    /// See the constants.
    pub(in crate::regalloc) flags: u8,
}

/// No hardware register.
pub(in crate::regalloc) const NOWHERE: u8 = u8::MAX;

/// It is live across blocks.
pub(in crate::regalloc) const GLOBAL: u8 = 1;
/// It is live across blocks, in `reg` all the time.
pub(in crate::regalloc) const HOME: u8 = 2;
/// Its definition can be repeated.
pub(in crate::regalloc) const REMAT: u8 = 4;
/// It holds 16 bytes, and its slot would have 8: it cannot be in one.
pub(in crate::regalloc) const WIDE: u8 = 8;
/// Its slot holds its current value. In `bottom-up`: it does so at all points that the walk has not reached yet.
pub(in crate::regalloc) const STORED: u8 = 16;
/// It is in an SSE register.
pub(in crate::regalloc) const FLOAT: u8 = 64;
/// Live into the block that it was last seen in.
pub(in crate::regalloc) const LIVE_IN: u8 = 32;

impl Value {
    pub(in crate::regalloc) const NEW: Value = Value {
        block: NONE,
        start: 0,
        end: 0,
        last: 0,
        chain: NONE,
        weight: 0,
        number: NONE,
        slot: NONE,
        from: NONE,
        reg: NOWHERE,
        hint: 0,
        former: NOWHERE,
        flags: 0,
    };
    #[inline]
    pub(in crate::regalloc) fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
    #[inline]
    pub(in crate::regalloc) fn reg(&self) -> Option<PReg> {
        (self.reg != NOWHERE).then(|| PReg::new(self.reg))
    }
    #[inline]
    pub(in crate::regalloc) fn hint(&self) -> Option<PReg> {
        self.hint.checked_sub(1).map(PReg::new)
    }
    #[inline]
    pub(in crate::regalloc) fn former(&self) -> Option<PReg> {
        (self.former != NOWHERE).then(|| PReg::new(self.former))
    }
    /// Returns its segment in the block that it was last seen in.
    #[inline]
    pub(in crate::regalloc) fn segment(&self) -> Segment {
        Segment { start: self.start, end: self.end, node: self.block, prev: self.chain, live_in: self.is(LIVE_IN) }
    }
    /// Returns all registers of its class.
    #[inline]
    pub(in crate::regalloc) fn class(&self) -> PRegSet {
        PRegSet::class(if self.is(FLOAT) { RegClass::Float } else { RegClass::Int })
    }
}

/// A value that is live across blocks.
#[derive(Copy, Clone, Debug)]
pub(in crate::regalloc) struct Global {
    /// Its number among the virtual registers.
    pub(in crate::regalloc) vreg: u32,
    /// Its live ranges in the arena.
    pub(in crate::regalloc) ranges: (u32, u32),
    /// The operands of its phi, if any, whose registers are considered: the index of the first among the operands of
    /// all phis, and their number.
    pub(in crate::regalloc) phi: (u32, u32),
    /// The number of the result's virtual register, if it is a phi's operand (the last such phi), else [`NONE`].
    pub(in crate::regalloc) feeds: u32,
}

/// The position at which registers are clobbered.
#[derive(Copy, Clone, Debug)]
pub(in crate::regalloc) struct Clobber {
    pub(in crate::regalloc) start: u32,
    pub(in crate::regalloc) end: u32,
    pub(in crate::regalloc) regs: PRegSet,
}
