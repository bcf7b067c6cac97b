//! Stores of state: the writes of a trace to the slots of the interpreter's frames, and their places.
//!
//! Either each assignment is written at once, and one walk backward removes stores that no exit can see
//! ([`redundant`]); or only exits write ([`sunk`]). Both need the slots that the interpreter may read at an exit
//! ([`liveness`]).

pub(super) mod liveness;
pub(super) mod redundant;
pub(super) mod sunk;

use lir_syntax::ir::{Inst, Reg};

/// An event that matters for stores to slots, in the order of the trace.
pub(super) enum Event {
    /// A slot is written, numbered from the first of the frame on which the trace is entered.
    Store(Inst, isize),
    /// The same, if only exits write the value.
    Sunk(isize, Reg),
    /// The trace may be left by the exit with this index.
    Exit(usize),
}
