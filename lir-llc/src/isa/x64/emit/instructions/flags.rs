//! Finds points at which an instruction that changes the flags may be inserted.
//!
//! Flags are made and read within one block: they are wanted at a point if, from there on, an instruction that reads
//! them comes before one that sets them. If the previous block has made the first comparison of a block
//! ([`repeated`](super::repeated)), they are wanted up to there. The answer for one point holds for all points up to
//! the instruction that decided it, so a block is looked through once, however many points are looked up.

use crate::isa::x64::props;
use crate::mir::{MFunction, Props};

/// The last answer in a block.
#[derive(Copy, Clone, Debug, Default)]
pub(in crate::isa::x64::emit) struct FlagsAhead {
    /// The answer holds before instructions from this one.
    from: u32,
    /// The last of these instructions. It reads or sets the flags, or is the end of the block.
    until: u32,
    /// The end of the block.
    end: u32,
    /// The answer.
    live: bool,
    /// The comparison that is not written, or [`NONE`].
    repeated: u32,
}

/// No instruction.
const NONE: u32 = u32::MAX;

impl FlagsAhead {
    /// Begins with a block about which nothing is known yet. `repeated` is the one instruction, if any, that is a
    /// comparison not written.
    pub(in crate::isa::x64::emit) fn of_block(start: u32, end: u32, repeated: Option<u32>) -> FlagsAhead {
        // An empty range of answers.
        FlagsAhead { from: start + 1, until: start, end, live: false, repeated: repeated.unwrap_or(NONE) }
    }
    /// True if an instruction of the block is the comparison that is not written.
    #[inline]
    pub(in crate::isa::x64::emit) fn is_repeated(&self, k: u32) -> bool {
        k == self.repeated
    }
    /// True if the flags are wanted before instruction `k` of the block.
    #[inline]
    pub(in crate::isa::x64::emit) fn live_at(&mut self, f: &MFunction, k: u32) -> bool {
        if !(self.from..=self.until).contains(&k) {
            self.look_ahead(f, k);
        }
        self.live
    }
    #[cold]
    fn look_ahead(&mut self, f: &MFunction, k: u32) {
        let touches = |n: &u32| {
            let has = props(f.insts[*n as usize].op);
            has.has(Props::USES_FLAGS) || has.has(Props::SETS_FLAGS)
        };
        let next = (k..self.end).find(touches);
        self.from = k;
        self.until = next.unwrap_or(self.end);
        self.live = next.is_some_and(|n| n == self.repeated || props(f.insts[n as usize].op).has(Props::USES_FLAGS));
    }
}
