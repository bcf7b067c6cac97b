//! Lowers LIR to x86-64 machine code.
//!
//! The way through this crate is `Function --prepare--> --isel--> MFunction --regalloc--> --emit--> bytes`; see
//! [`machine`] for what is true after each arrow.

#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod compile;
mod count;
pub mod emit;
pub mod isel;
pub mod lower;
pub mod mir;
pub mod mir_passes;
pub mod output;
pub mod regalloc;
pub mod target;
