//! Contracts between the walk and blocks: the values in registers at their tops, and the moves of phis.

use crate::mir::{PReg, PhiArg, VReg};
use crate::regalloc::Loc;

/// A register that a contract names, and the value that must be in it.
#[derive(Copy, Clone, Debug)]
pub(in crate::regalloc) struct Reservation {
    pub(in crate::regalloc) reg: PReg,
    pub(in crate::regalloc) value: VReg,
}

/// The registers in which a block wants values. A value that is live into the block and in none of them is in its slot,
/// or can be made again.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Contract {
    /// Its registers are `reservations[start..end]`.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The time of the contract, from 1; 0 if there is none yet. Values that are spilled later were not spilled then.
    pub(super) time: u32,
}

/// The destination of a phi's result, and its operand.
#[derive(Copy, Clone, Debug)]
pub(super) struct PhiResult {
    pub(super) dst: VReg,
    pub(super) to: Loc,
    pub(super) arg: PhiArg,
}

/// A value that a block may want in a register at the end of a back edge.
#[derive(Copy, Clone, Debug)]
pub(super) struct Wanted {
    pub(super) value: VReg,
    /// The frequencies of its uses in the loop.
    pub(super) weight: u32,
    /// False if it is not live into the block: a result of one of its phis that is assigned after the contract.
    pub(super) live: bool,
}
