//! The code of a module: bytes, relocations, and tables about them.
//!
//! Re-exports the types of the machine, so that the crates above the back end need not name it.

pub use crate::isa::x64::eh_frame::{EhFrame, TERMINATOR, eh_frame};
pub use crate::isa::x64::emit::{
    BlockStart, CfiOp, CfiRow, CodeBuffer, Divisor, FunctionCode, MAX_CODE, MAX_FRAME, Position, Reloc, RelocKind,
    RelocTarget, TrapCause, TrapSite,
};
pub use crate::isa::x64::isel::{REACH, THREAD_DATA};
pub use crate::isa::x64::registers::{RBP, RSP};
use crate::regalloc::contents::Contents;
use crate::variables::Variables;

/// The code of a module.
#[derive(Debug, Default)]
pub struct CompiledModule {
    /// Code and constants of all functions.
    pub code: CodeBuffer,
    /// The code of each function, by [`FuncId`](lir_syntax::ir::FuncId).
    pub functions: Vec<FunctionCode>,
    /// The contents of their registers, if [`Registers`](crate::watchers::registers::Registers) watched.
    pub(crate) contents: Vec<Contents>,
    /// The places of their variables, if [`VariablePlaces`](crate::watchers::variables::VariablePlaces) watched.
    pub(crate) variables: Vec<Variables>,
}
