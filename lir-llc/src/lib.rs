//! Lowers LIR to x86-64 machine code.
//!
//! The stages are `Function --lower--> --isel--> MFunction --regalloc--> Allocation --emit--> bytes`; see [`mir`] for
//! the invariants after each arrow, and [`compile`](mod@compile) for the stages in order.

#![forbid(unsafe_code)]

pub mod block_counts;
#[cfg(feature = "cli")]
pub mod cli;
pub mod code;
pub mod compare;
pub mod compile;
mod effort;
pub mod isa;
pub mod lower;
pub mod mir;
pub mod mir_passes;
pub mod options;
pub mod output;
pub mod regalloc;
pub mod stages;
pub mod variables;
pub mod watchers;

pub use isa::x64::asm;
