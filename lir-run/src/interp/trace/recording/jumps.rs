//! Backward jumps in a recording that do not lead to the beginning of its trace.
//!
//! # Algorithm
//!
//! Such a jump ends the recording or is recorded like any other, by these cases:
//!
//! 1. A recording that began at an exit has left its loop, or takes another path through it. It continues across the
//!    header of the enclosing loop, at most `cross_jumps` times (see the
//!    [limits](crate::interp::trace::Limits)). One trace then holds the rest of an iteration of the outer loop and the
//!    beginning of the next, up to the trace of the inner loop.
//! 2. A recording that began at the header of a loop and leaves the loop ends. It is tried again, `tries` times by the
//!    limits. If it continued outward and came back to its beginning, the path around the loop would become the trace
//!    of the loop, and the loop's own iterations would pass through memory from trace to trace. A loop that is left
//!    every time has few iterations, so the last try continues like a recording that began at an exit.
//! 3. A jump to a point that the recording has passed closes an inner loop. It ends the recording: otherwise the inner
//!    loop would be unrolled by however many iterations it had, and its header would not get a trace.
//!
//! The point that a jump leads to does not count as copied if the trace ends there.
//!
//! # Source
//!
//! MAX_XJUMPS of document S2, which counts all such jumps alike; docs/traces.md states the cost of this. Inner loops
//! are traces of their own as in the nested trees of Gal et al., PLDI 2009.

use crate::interp::trace::exits::Position;

/// The backward jumps of a recording, except to its beginning.
pub(super) struct CrossJumps {
    /// How many more it may continue across.
    left: u32,
    has_ended: bool,
}

impl CrossJumps {
    /// Returns the state before any jump, of at most `most`.
    pub(super) fn at_most(most: u32) -> CrossJumps {
        CrossJumps { left: most, has_ended: false }
    }
    /// Notes one. The trace has been at these points where paths meet.
    pub(super) fn note(&mut self, to: Position, passed: &[Position]) {
        self.has_ended |= self.left == 0 || passed.contains(&to);
        self.left = self.left.saturating_sub(1);
    }
    /// True if the recording may not continue after the last jump.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }
}
