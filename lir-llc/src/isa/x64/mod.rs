//! Everything that knows x86-64: registers, the instruction table, the calling convention, encoding.

pub mod abi;
pub mod asm;
pub mod cpu;
pub mod emit;
pub mod encode;
pub mod form;
pub mod instructions;
pub mod isel;
pub mod registers;
pub mod text;

pub use cpu::Cpu;
pub use form::{Cond, Form, Size};
pub use instructions::{Op, OpInfo, Props};
pub use lir_syntax::abi::RegClass;
pub use registers::{PReg, PRegSet};
