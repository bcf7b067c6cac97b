//! Jumps backward to other places than the beginning of a trace: those that a recording goes on behind.
//!
//! # Algorithm
//!
//! A jump backward goes round a loop, by which of these cases:
//!
//! 1. A recording behind an exit has left its loop, or goes round it by another way. It goes on at the header of the
//!    loop around, as often as `cross_jumps` of the [limits](crate::interp::trace::Limits) says: the rest of a turn of
//!    the outer loop and the beginning of the next one are one trace, up to the trace of the inner loop.
//! 2. A recording from the header of a loop that leaves it ends, as long as it is made again for that (`tries` of the
//!    limits): were it to go on outward and come back to its beginning, the path around the loop would be the trace of
//!    the loop, whose own turns would go through memory from trace to trace. A loop that is left each time is seldom
//!    gone round: the last recording goes on like one behind an exit.
//! 3. A jump to a point where the trace has been closes a loop inside of it, which would be unrolled by as many turns
//!    as it happened to have, and its header would not become a trace. It ends the trace in any case.
//!
//! The point that a jump leads to does not count as copied if the trace ends there.
//!
//! # Source
//!
//! MAX_XJUMPS of document S2, which counts all such jumps alike; docs/traces.md says what that costs. That inner loops
//! are traces of their own is as in the nested trees of Gal et al., PLDI 2009.

use crate::interp::trace::exits::Position;

/// What a recording knows of its jumps backward, other than to its beginning.
pub(super) struct CrossJumps {
    /// Those that it may go on behind.
    left: u32,
    has_ended: bool,
}

impl CrossJumps {
    /// None yet, of at most so many.
    pub(super) fn at_most(most: u32) -> CrossJumps {
        CrossJumps { left: most, has_ended: false }
    }
    /// Notes one. The trace has been at these points where paths meet.
    pub(super) fn note(&mut self, to: Position, passed: &[Position]) {
        self.has_ended |= self.left == 0 || passed.contains(&to);
        self.left = self.left.saturating_sub(1);
    }
    /// True if the recording may not go on behind the last one.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }
}
