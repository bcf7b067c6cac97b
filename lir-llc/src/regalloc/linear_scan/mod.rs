//! `linear-scan`: register allocation over live intervals.
//!
//! # Algorithm
//!
//! 1. [`liveness`]: one walk over the instructions makes, for each virtual register, the ranges in which it is live
//!    within blocks, and its uses; only registers that are used outside their block are followed backward over
//!    predecessors. The cost is the size of the answer: there are no register sets per block.
//! 2. [`coalesce`]: phis and copies join registers to *webs* with union-find, where the live ranges of the webs do not
//!    intersect. A web is allocated as one interval, and moves within it vanish.
//! 3. [`scan`]: webs are visited in the order of their starts. A web takes a register that is free as long as it is
//!    live; or else one that is free for a while, and is split there; or else the web or the holder of a register,
//!    whichever costs least to reload later, is put into memory up to the next use that needs a register. [`occupancy`]
//!    finds when a register is free, [`split`] where splitting is cheap.
//! 4. [`slots`]: webs with a piece in memory get spill slots; webs that are not live at once share them.
//! 5. [`through`]: single blocks at whose edges a web is moved often get a better location.
//! 6. [`resolve`]: the locations of all operands are recorded. Where the pieces of a web lie in different locations
//!    along an edge or within a block, moves are collected, together with the moves of phis and fixed operands. The
//!    moves of one point are ordered by the [parallel move resolver](super::parallel_move).
//! 7. [`redundant_moves`]: moves of a value to a location that already holds it are removed, and loads of a value that
//!    a register holds become copies.
//!
//! # Positions
//!
//! Inside the allocator an instruction `i` has four positions: `4i` the gap before it, `4i + 1` where it reads,
//! `4i + 2` where it writes, `4i + 3` the gap after it. Ranges are half open. Intervals are split in gaps `4i` only.
//!
//! # Sources
//!
//! Poletto and Sarkar, "Linear scan register allocation", TOPLAS 1999; Wimmer and Moessenboeck, "Optimized interval
//! splitting in a linear scan register allocator", VEE 2005 (holes, splitting, use positions); Wimmer and Franz,
//! "Linear scan register allocation on SSA form", CGO 2010 (resolution of phis with edges); union-find webs and
//! numbered gaps after Wijnen, "Register Allocator Update" (MoarVM, 2017).
//!
//! Departures: there are no lists of active and inactive intervals, which become quadratic when many intervals have
//! holes; each register has its occupant and a sorted list of ranges that are taken later. Registers that calls clobber
//! are not intervals: positions are listed once for each set of clobbered registers. The evicted interval is not the
//! one used farthest away, but the one that costs least: frequency of the reload divided by distance.
//!
//! [`occupancy`]: super::live_ranges::occupancy

mod coalesce;
mod entered;
mod liveness;
mod redundant_moves;
mod resolve;
mod scan;
mod slots;
mod split;
mod through;

use super::live_ranges::occupancy::Clobbers;
use super::live_ranges::{Inputs, Interval, NONE, Range};
use super::options::{Dice, Feature};
use super::spill_slots::{RangeSlots, SpillSlots};
use super::{AllocOptions, Allocation, Allocator, Loc, Scratch};
use crate::mir::{MFunction, PReg, RegClass, VReg};
use lir_opt::regions::{Regions, forest::Forest};

/// The allocator of this module.
pub(super) struct LinearScan;

impl Allocator for LinearScan {
    fn name(&self) -> &'static str {
        "linear-scan"
    }
    fn summary(&self) -> &'static str {
        "live intervals with holes, split and spilled by cost; phi webs share registers"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        let state = &mut scratch.linear_scan;
        state.inputs.reset(f, options);
        state.find_loops(f);
        liveness::build(f, state);
        coalesce::build_webs(f, state);
        scan::run(f, state);
        slots::assign(f, state);
        resolve::run(f, state, out);
        redundant_moves::run(f, state, out);
    }
}

/// A position at which a value is read or written.
#[derive(Copy, Clone, Debug)]
struct UsePos {
    /// Position: `4i + 1` of a use, `4i + 2` of a definition, `4i + 3` of a fixed definition, `4i` of a fixed use; of
    /// phis the start of the block, and the last position of the predecessor.
    pos: u32,
    /// See [`UseKind`].
    kind: UseKind,
    /// The fixed register plus one, or 0.
    fixed: u8,
    /// Loop depth, at most 255.
    depth: u8,
    /// Cost of having the value in memory here.
    weight: u32,
}

/// The requirement of a use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum UseKind {
    /// Written by an instruction: in a register.
    Def,
    /// Written by a fixed definition or on the edges to a phi: anywhere.
    DefAny,
    /// Read in a register.
    Reg,
    /// Read in a register or slot.
    Slot,
    /// Read by a move: anywhere.
    Any,
}

impl UseKind {
    fn is_def(self) -> bool {
        matches!(self, UseKind::Def | UseKind::DefAny)
    }
}

/// Registers that are allocated as one.
#[derive(Copy, Clone, Debug)]
struct Web {
    class: RegClass,
    /// Index into `remats` of the function plus one, or 0.
    remat: u32,
    /// Holds 16 bytes: cannot be in a slot.
    wide: bool,
    /// Its ranges and uses in the arenas.
    ranges: (u32, u32),
    /// See `ranges`.
    uses: (u32, u32),
    /// Its first piece.
    first: u32,
    /// True if it was split.
    split: bool,
    /// True if a piece is in memory.
    spilled: bool,
    /// True if its slot is written at every definition. Otherwise it is written where a piece in memory follows one in
    /// a register.
    store_at_defs: bool,
    /// Its slot, once assigned.
    slot: u32,
    /// The register that a piece of it got last.
    last_reg: Option<PReg>,
}

/// A copy of an operand that must not share the location of the value itself.
#[derive(Copy, Clone, Debug)]
struct Temp {
    inst: u32,
    field: u8,
    /// The number of the temporary, counted after the virtual registers.
    vreg: u32,
    /// The register that is copied.
    of: VReg,
}

/// Everything the allocator knows about a function; kept from function to function for its memory.
#[derive(Default, Debug)]
pub(super) struct LinearScanScratch {
    inputs: Inputs,
    /// For each instruction its block.
    block_of: Vec<u32>,
    /// Over each block the last one before it in fewer loops.
    shallower: Forest,
    regions: Regions,
    live: liveness::Liveness,
    /// Ranges of registers, then of joined webs.
    ranges: Vec<Range>,
    /// Uses of registers, then of joined webs.
    uses: Vec<UsePos>,
    /// For each use the weights of those before it, in its arena order.
    cumulated: Vec<u64>,
    temps: Vec<Temp>,
    clobbers: Clobbers,
    union: coalesce::Union,
    /// For each register (and temporary) its web, or none when it is never live.
    web_of: Vec<u32>,
    webs: Vec<Web>,
    intervals: Vec<Interval>,
    scan: scan::Scan,
    slots: SpillSlots,
    range_slots: RangeSlots,
    move_facts: redundant_moves::MoveFacts,
    /// None while the table is in use.
    resolve: Option<Box<resolve::Resolve>>,
}

impl LinearScanScratch {
    /// Prepares splitting: finds the blocks of instructions, and loops.
    fn find_loops(&mut self, f: &MFunction) {
        self.block_of.clear();
        self.shallower.clear();
        for (b, data) in f.blocks.iter().enumerate() {
            self.block_of.resize(data.end as usize, b as u32);
            let mut p = (b as u32).wrapping_sub(1);
            while p != NONE && f.blocks[p as usize].loop_depth >= data.loop_depth {
                p = self.shallower.parent(p);
            }
            self.shallower.push(p);
        }
        self.regions.recompute(f);
        self.ranges.clear();
        self.uses.clear();
        self.cumulated.clear();
        self.temps.clear();
        self.web_of.clear();
        self.webs.clear();
        self.intervals.clear();
    }
    /// Returns the sum of the weights of an interval's uses.
    fn weight(&self, uses: (u32, u32)) -> u64 {
        self.cumulated[uses.1 as usize] - self.cumulated[uses.0 as usize]
    }
    /// Returns the block of a position.
    fn block_at(&self, pos: u32) -> usize {
        self.block_of[(pos / 4) as usize] as usize
    }
}

/// Returns the class of a register or temporary.
fn class_of(f: &MFunction, temps: &[Temp], v: u32) -> RegClass {
    match f.vregs.get(v as usize) {
        Some(data) => data.class,
        None => f.class(temps[v as usize - f.vregs.len()].of),
    }
}
