//! The hardware registers of the System V calling convention, whose rules are in [`lir_syntax::abi`].

use super::registers::{INT_ARGS, RAX, RDX, xmm};
use crate::mir::PReg;
use lir_syntax::abi::Register;

/// Returns the hardware register for a register of the convention.
#[inline]
pub fn hardware(r: Register) -> PReg {
    match r {
        Register::Environment => RAX,
        Register::Argument(k) => INT_ARGS[k as usize],
        Register::Result(k) => [RAX, RDX][k as usize],
        Register::Float(k) => xmm(k),
    }
}
