//! The code that depends on x86-64: registers, the instruction table, the calling convention, encoding.

pub mod abi;
pub mod asm;
pub mod cond;
pub mod cpu;
pub mod eh_frame;
pub mod emit;
pub mod encode;
pub mod env;
pub mod instructions;
pub mod isel;
pub mod notation;
pub mod registers;
pub mod text;

pub use cond::Cond;
pub use cpu::Cpu;
pub use env::ENV;
pub use instructions::{op, props};
