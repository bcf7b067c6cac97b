//! `bottom-up`: greedy allocation in one walk from the last instruction to the first.
//!
//! # Algorithm
//!
//! At each point the walk knows which value every register holds for the code below. A value below is held in a
//! register, or lies in its slot, or both: this *reservation* is a contract with the code that is done.
//!
//! 1. [`Liveness`]: which values live across blocks, where, and how often; [`Occurrences`] links the instructions at
//!    which a value occurs.
//! 2. [`block_end`]: the reservations of the successors are merged. If they disagree, moves at the top of a successor
//!    repair that. A phi's operand without other uses takes the register of the result.
//! 3. [`instruction`], [`fixed`]: a result is written into the register that the code below has chosen, which is free
//!    above. An operand is read where it is held, or takes a register. If none is free, a *victim* loses its register:
//!    it is loaded again after the instruction, and stored wherever it is written above.
//! 4. [`block_top`]: the reservations are the contract for the predecessors.
//! 5. [`loops`]: the contract of a block with a back edge is fixed before the walk reaches the block, by the uses in
//!    the loop. At its top, moves repair the differences.
//!
//! Once a value has been spilled, all definitions that the walk meets later store it. So its slot holds it at all later
//! points of the walk, and contracts need to list registers alone.
//!
//! # Sources
//!
//! The assembler of nanojit, described in D. Mandelin, "Tamarin Tracing Internals IV: Trace Optimization", 2008:
//! reservations, victims whose restore is placed where they lose the register and whose spill is placed at their
//! definition, constants as preferred victims, results in the registers that later uses chose. Departures: the victim
//! is the value read farthest above (Belady, "A study of replacement algorithms for a virtual-storage computer", IBM
//! Systems Journal 1966), not the least recently used one; code is not emitted on the way, so that allocations can be
//! checked; labels are merged by moves, and loops keep registers, where nanojit spills all.

mod block_end;
mod block_top;
mod contract;
mod fixed;
mod instruction;
mod loops;
mod occurrences;
mod state;

use super::live_ranges::Inputs;
use super::live_ranges::liveness::Liveness;
use super::parallel_move::MoveGroup;
use super::spill_slots::SpillSlots;
use super::{AllocOptions, Allocation, Allocator, Scratch};
use crate::mir::{MBlock, MFunction};
use contract::{Contract, PhiResult, Reservation, Wanted};
use occurrences::Occurrences;
use state::Walk;
use std::collections::BinaryHeap;

/// The allocator of this module.
pub(super) struct BottomUp;

impl Allocator for BottomUp {
    fn name(&self) -> &'static str {
        "bottom-up"
    }
    fn summary(&self) -> &'static str {
        "greedy, backward: values take the registers that later uses chose; victims are reloaded"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        let state = &mut scratch.bottom_up;
        state.inputs.reset(f, options);
        state.occurrences.reset(f);
        state.live.find(f, &mut state.inputs, &mut state.occurrences);
        let mut walk = Walk::new(f, state, out);
        walk.pin_wide_values();
        for b in f.block_ids().rev() {
            walk.block(b);
        }
        walk.finish();
    }
}

/// Everything the allocator knows about a function; kept from function to function for its memory.
#[derive(Default, Debug)]
pub(super) struct BottomUpScratch {
    inputs: Inputs,
    live: Liveness,
    occurrences: Occurrences,
    /// By block.
    contracts: Vec<Contract>,
    /// The registers of all contracts.
    reservations: Vec<Reservation>,
    /// The times at which values across blocks were spilled, by their number.
    spilled_at: Vec<u32>,
    /// The values across blocks, sorted by their ends; scratch of [`loops`].
    by_end: Vec<u32>,
    candidates: Vec<u32>,
    wanted: Vec<Wanted>,
    marks: Vec<u32>,
    open_loops: BinaryHeap<MBlock>,
    slots: SpillSlots,
    /// Scratch: the destinations of the results of phis.
    results: Vec<PhiResult>,
    group: MoveGroup,
    /// The reservations before each instruction, the last one first.
    #[cfg(test)]
    pub(super) before: Vec<Vec<Reservation>>,
}
