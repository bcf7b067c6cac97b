//! The System V calling convention of x86-64: the registers and stack words of arguments and results.
//!
//! * [`classify`]: whether an aggregate is passed in registers, in memory or not at all.
//! * [`ArgAssigner`]: the locations of arguments, in order; [`result_registers`]: the registers of a result.
//! * [`misfit`]: whether a call before a return can be a jump.
//! * [`va_list`]: C's list of variable arguments, and the register save area.
//!
//! Registers are named by their part in the convention ([`Register`]): the back end maps them onto hardware registers,
//! the interpreter onto the words that calls from and to C carry.
//!
//! Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, section 3.2.3 (parameter
//! passing). Departures: an environment is in rax, as QBE passes it; a type of size 0 takes nothing (as GNU C does);
//! and an aggregate with an opaque or misaligned member is in memory.

mod arguments;
mod classify;
mod jumps;
pub mod va_list;

pub use arguments::{
    ArgAssigner, ArgLocation, FLOAT_ARGUMENTS, INT_ARGUMENTS, Register, assign_call, assign_params, extend_argument,
    halves, result_in_memory, result_registers, result_regs,
};
pub use classify::{AggClass, Eightbytes, Piece, RegClass, class_of, classify};
pub use jumps::{Misfit, misfit};
