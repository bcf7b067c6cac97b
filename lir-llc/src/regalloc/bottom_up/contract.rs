//! Contracts of the walk with blocks: the values in registers at their tops, and the moves of phis.

use crate::mir::{PReg, PhiArg, VReg};
use crate::regalloc::Loc;

/// A register that a contract names, and the value that is to be in it.
#[derive(Copy, Clone, Debug)]
pub(in crate::regalloc) struct Reservation {
    pub(in crate::regalloc) reg: PReg,
    pub(in crate::regalloc) value: VReg,
}

/// The registers in which a block wants values. What is live into it and in none of them is in its slot, or can be made
/// again.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Contract {
    /// Its registers are `reservations[start..end]`.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The time of the contract, from 1; 0 where there is none yet. What is spilled later was not then.
    pub(super) time: u32,
}

/// The location that the result of a phi is to be put in, and its operand.
#[derive(Copy, Clone, Debug)]
pub(super) struct PhiResult {
    pub(super) dst: VReg,
    pub(super) to: Loc,
    pub(super) arg: PhiArg,
}

/// A value that a block may want in a register where control comes back to it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Wanted {
    pub(super) value: VReg,
    /// Its uses in the loop by their frequency.
    pub(super) weight: u32,
    /// False if it is not live into the block: a result of one of its phis that is assigned behind the contract.
    pub(super) live: bool,
}
