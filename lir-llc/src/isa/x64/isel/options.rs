//! The options of instruction selection.

use crate::effort::Effort;
use crate::isa::x64::Cpu;

/// The form of references to symbols.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RelocModel {
    /// Fixed addresses below 2 GiB: every symbol is reached directly.
    Static,
    /// A position-independent executable: symbols defined here directly, others by the global offset table.
    Pie,
    /// A shared object: symbols visible outside by the table, since they may be interposed.
    Pic,
    /// In-process: as `Pie`, but thread data is found by a call.
    Jit,
}

/// Options of selection.
#[derive(Copy, Clone, Debug)]
pub struct SelectOptions {
    /// The form of references to symbols.
    pub model: RelocModel,
    /// The level of processor, which the function was prepared for.
    pub cpu: Cpu,
    /// With [`Effort::Fast`], selection uses as few walks as it can: loops are guessed from the order of blocks, rather
    /// than found, and comparisons whose flags exist already stay.
    pub effort: Effort,
    /// True if calls that are marked `tail` may become jumps.
    pub tail_calls: bool,
    /// True if `memcpy`, `memmove` and `memset` of the C library may be called.
    pub block_calls: bool,
}
