//! `fast`: linear scan without splitting, for code that is compiled fast.
//!
//! # Algorithm
//!
//! 1. [`liveness`]: one walk over the instructions tells the registers that are used in one block alone, most of them,
//!    from those that live across blocks. Only for the latter are there live ranges ([`live_sets`]).
//! 2. [`across`]: a value that is live across blocks gets one location wherever it is live, a hardware register or a
//!    spill slot, in the order of the starts; where there is no register left, what weighs least goes to memory. A few
//!    registers are never given away here.
//! 3. [`within`]: a second walk gives the values of each block the other registers, instruction by instruction, and
//!    writes down all locations and moves as it goes. Where no register is left, the value that is used up last is
//!    stored. [`fixed`] does the same for instructions with fixed operands and clobbers.
//!
//! Since nothing that is live across blocks ever moves, there is nothing to resolve along edges but phis. The cost is
//! that of two walks over the instructions and of the live ranges across blocks.
//!
//! # Sources
//!
//! Poletto and Sarkar, "Linear scan register allocation", TOPLAS 1999, for step 2: whole live ranges, and the cheapest
//! of those that hold a register goes to memory (theirs is the one that ends last, without weights). Step 3 is the
//! local allocation of Horwitz, Karp, Miller and Winograd, "Index register allocation", JACM 1966, and Freiburghouse,
//! "Register allocation via usage counts", CACM 1974; the end of a live range stands in for the next use. Departures:
//! live ranges have holes; both steps look at what is clobbered during a live range before they choose.

mod across;
mod fixed;
mod live_sets;
mod liveness;
mod within;

use super::live_ranges::occupancy::{Clobbers, Occupancy};
use super::live_ranges::segments::SegmentChains;
use super::live_ranges::slots::Slots;
use super::live_ranges::{Inputs, NONE, Range};
use super::parallel_move::{Move, Resolver};
use super::{AllocOptions, Allocation, Allocator, Loc, Scratch};
use crate::mir::MFunction;
use crate::mir::regions::Regions;
use crate::target::x64::{PReg, PRegSet, RegClass};

/// The allocator of this module.
pub(super) struct Fast;

impl Allocator for Fast {
    fn name(&self) -> &'static str {
        "fast"
    }
    fn summary(&self) -> &'static str {
        "live intervals with holes, one location each; registers within blocks in one walk"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        let state = &mut scratch.fast;
        state.inputs.reset(f, options);
        liveness::record(f, state);
        if !state.globals.is_empty() {
            liveness::find_ranges(f, state);
            across::run(f, state);
        }
        within::run(f, state, out);
    }
}

/// The facts about a virtual register.
#[derive(Copy, Clone, Debug)]
struct Value {
    /// The last block that it was seen in, or [`NONE`].
    block: u32,
    /// The positions between which it is used there.
    start: u32,
    /// See `start`.
    end: u32,
    /// The last instruction that uses it; never, where it is live across blocks.
    last: u32,
    /// The last segment before that block, if it is live across blocks.
    chain: u32,
    /// Cost of having it in memory: its uses by frequency.
    weight: u32,
    /// Its spill slot, or [`NONE`]. Of what is live across blocks its number in [`FastScratch::globals`], until it has
    /// a location.
    slot: u32,
    /// The virtual register that it is computed from in place, or copied from, or [`NONE`].
    from: u32,
    /// The hardware register that it is in at the moment, or [`NOWHERE`].
    reg: u8,
    /// The register that it is wanted in or comes in, plus one, or 0.
    hint: u8,
    /// See the constants.
    flags: u8,
}

/// No hardware register.
const NOWHERE: u8 = u8::MAX;

/// It is live across blocks.
const GLOBAL: u8 = 1;
/// It is live across blocks, in `reg` all the time.
const HOME: u8 = 2;
/// Its definition can be repeated.
const REMAT: u8 = 4;
/// It holds 16 bytes: it cannot be in a slot.
const WIDE: u8 = 8;
/// Its slot holds its present value.
const STORED: u8 = 16;
/// It is in an SSE register.
const FLOAT: u8 = 64;
/// Live into the block that it was last seen in.
const LIVE_IN: u8 = 32;

impl Value {
    const NEW: Value = Value {
        block: NONE,
        start: 0,
        end: 0,
        last: 0,
        chain: NONE,
        weight: 0,
        slot: NONE,
        from: NONE,
        reg: NOWHERE,
        hint: 0,
        flags: 0,
    };
    #[inline]
    fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
    #[inline]
    fn reg(&self) -> Option<PReg> {
        (self.reg != NOWHERE).then(|| PReg::new(self.reg))
    }
    #[inline]
    fn hint(&self) -> Option<PReg> {
        self.hint.checked_sub(1).map(PReg::new)
    }
    /// All registers of its class.
    #[inline]
    fn class(&self) -> PRegSet {
        PRegSet::class(if self.is(FLOAT) { RegClass::Float } else { RegClass::Int })
    }
}

/// A value that is live across blocks.
#[derive(Copy, Clone, Debug)]
struct Global {
    /// Its number among the virtual registers.
    vreg: u32,
    /// Its live ranges in the arena.
    ranges: (u32, u32),
    /// The operands of its phi, if any, that are asked for a register: the first among those of all phis, and how many.
    phi: (u32, u32),
    /// The number of the result's virtual register, if it is a phi's operand, else [`NONE`].
    feeds: u32,
}

/// The position at which registers are clobbered.
#[derive(Copy, Clone, Debug)]
struct Clobber {
    start: u32,
    end: u32,
    regs: PRegSet,
}

/// Everything the allocator knows about a function; kept from function to function for its memory.
#[derive(Default, Debug)]
pub(super) struct FastScratch {
    inputs: Inputs,
    regions: Regions,
    chains: SegmentChains,
    /// Ranges of the values across blocks.
    ranges: Vec<Range>,
    /// The registers while the values across blocks are visited, and those that were given away.
    regs: [Occupancy; 32],
    used: PRegSet,
    slots: Slots,
    num_slots: u32,
    conflicts: Clobbers,
    /// By virtual register.
    values: Vec<Value>,
    globals: Vec<Global>,
    liveness: live_sets::Liveness,
    /// In order.
    clobbers: Vec<Clobber>,
    /// All registers that are clobbered anywhere.
    clobbered: PRegSet,
    /// For each block the registers that values across blocks are in, anywhere in the block.
    busy: Vec<PRegSet>,
    /// (Start, number) of the values across blocks.
    order: Vec<(u32, u32)>,
    /// Slots of values that are dead.
    free_slots: Vec<u32>,
    group: Vec<Move>,
    resolver: Resolver,
}

/// The spill slot of a value that has one.
fn slot(value: &Value) -> Loc {
    debug_assert!(value.slot != NONE, "a value without a slot");
    Loc::slot(value.slot)
}
