//! `fast`: linear scan without splitting, for code that is compiled fast.
//!
//! # Algorithm
//!
//! 1. [`Liveness`]: one walk over the instructions separates the registers that are used in one block alone, most of
//!    them, from the registers that live across blocks. Only the latter have live ranges.
//! 2. [`across`]: a value that is live across blocks gets one location wherever it is live, a hardware register or a
//!    spill slot, in the order of the starts; if no register is left, the value with the least weight is put into
//!    memory. A few registers are never given away here.
//! 3. [`within`]: a second walk gives the values of each block the other registers, instruction by instruction, and
//!    records all locations and moves. If no register is left, the value whose last use is farthest is stored.
//!    [`fixed`] does the same for instructions with fixed operands and clobbers.
//!
//! Since nothing that is live across blocks ever moves, only phis are to be resolved along edges. The cost is two walks
//! over the instructions, and the live ranges across blocks.
//!
//! # Sources
//!
//! Poletto and Sarkar, "Linear scan register allocation", TOPLAS 1999, for step 2: whole live ranges, and the cheapest
//! one with a register is put into memory (in theirs the one that ends last, without weights). Step 3 is the local
//! allocation of Horwitz, Karp, Miller and Winograd, "Index register allocation", JACM 1966, and Freiburghouse,
//! "Register allocation via usage counts", CACM 1974; the end of a live range replaces the next use. Departures: live
//! ranges have holes; both steps look at clobbers during a live range before they choose.

mod across;
mod fixed;
mod within;

use super::live_ranges::Inputs;
use super::live_ranges::liveness::Liveness;
use super::live_ranges::occupancy::{Clobbers, Occupancy};
use super::live_ranges::values::Value;
use super::parallel_move::MoveGroup;
use super::spill_slots::{RangeSlots, SpillSlots};
use super::{AllocOptions, Allocation, Allocator, Loc, Scratch, live_ranges};
use crate::mir::{MFunction, PRegSet};

/// The allocator of this module.
pub(super) struct Fast;

impl Allocator for Fast {
    fn name(&self) -> &'static str {
        "fast"
    }
    fn summary(&self) -> &'static str {
        "live intervals with holes, one location each; registers local to blocks in one walk"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        let state = &mut scratch.fast;
        state.inputs.reset(f, options);
        state.slots.reset(f, options);
        state.live.find(f, &mut state.inputs, &mut ());
        if !state.live.globals.is_empty() {
            across::run(f, state);
        }
        within::run(f, state, out);
    }
}

/// Everything the allocator knows about a function; kept from function to function for its memory.
#[derive(Default, Debug)]
pub(super) struct FastScratch {
    inputs: Inputs,
    live: Liveness,
    /// The occupancy of registers while the values across blocks are visited, and the registers that were given away.
    regs: [Occupancy; 32],
    used: PRegSet,
    slots: SpillSlots,
    range_slots: RangeSlots,
    conflicts: Clobbers,
    /// For each block the registers that values across blocks are in, anywhere in the block.
    busy: Vec<PRegSet>,
    /// (Start, number) of the values across blocks.
    order: Vec<(u32, u32)>,
    group: MoveGroup,
}

/// Returns the spill slot of a value that has one.
fn slot(value: &Value) -> Loc {
    debug_assert!(value.slot != live_ranges::NONE, "a value without a slot");
    Loc::slot(value.slot)
}
