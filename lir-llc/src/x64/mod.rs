//! Everything that knows x86-64: registers, the instruction table, the calling convention, encoding.

pub mod abi;
pub mod cpu;
pub mod encode;
pub mod insts;
pub mod registers;
pub mod text;
pub mod va_list;

pub use cpu::Cpu;
pub use insts::{Cond, Form, Op, OpInfo, Props, Size};
pub use registers::{PReg, PRegSet, RegClass};
