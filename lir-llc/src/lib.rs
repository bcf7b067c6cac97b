//! Lowers LIR to x86-64 machine code.
//!
//! The way through this crate is `Function --prepare--> --isel--> MFunction --regalloc--> --emit--> bytes`; see
//! [`machine`] for what is true after each arrow.

#![forbid(unsafe_code)]

pub mod asm;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod compile;
mod count;
#[cfg(feature = "disasm")]
pub mod disasm;
pub mod emit;
pub mod isel;
pub mod machine;
pub mod mir;
pub mod object;
pub mod prepare;
pub mod regalloc;
pub mod x64;
