//! Stores of state: what a trace writes to the slots of the interpreter's frames, and where.
//!
//! Either each assignment is written at once, and one walk backward removes what no exit can see ([`redundant`]); or
//! nothing is written but at exits ([`sunk`]). Both ask which slots the interpreter may read at an exit ([`liveness`]).

pub(super) mod liveness;
pub(super) mod redundant;
pub(super) mod sunk;

use lir_syntax::ir::{Inst, Reg};

/// An event that matters for stores to slots, in the order of the trace.
pub(super) enum Event {
    /// A slot, from the first of the frame on which the trace is entered, is written.
    Store(Inst, isize),
    /// The same, where the value is written at exits alone.
    Sunk(isize, Reg),
    /// The trace may be left by the exit of this index.
    Exit(usize),
}
