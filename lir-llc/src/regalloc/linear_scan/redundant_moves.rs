//! The last step: removes moves of a value to a location that already holds it.
//!
//! # Example
//!
//! ```text
//! move rbx, rdi                       move rbx, rdi
//! spill slot0, rsi                    spill slot0, rsi
//! move rdi, rbx            =>
//! reload rdx, slot0                   move rdx, rsi
//! call @f uses rdi rdx                call @f uses rdi rdx
//! ```
//!
//! # Algorithm
//!
//! Pieces of webs are given locations one by one, so that a stored value may be loaded while its former register still
//! holds it. The edits, and the copies among the instructions, are walked once, in order, keeping for each location
//! that they wrote a location known to be equal:
//!
//! * a move between two locations that are equal is removed;
//! * a load of a slot that a register is known to be equal to becomes a copy of that register.
//!
//! An equality holds within a block, and in the next one if this is its only predecessor, until one of the two
//! locations is written. All edits are walked; the instructions between are only searched if a move could be removed,
//! [`FAR`] of them at most.
//!
//! # Cost and limits
//!
//! Linear in the edits, plus some instructions for each of the few edits that could be removed: 3 % of the allocator on
//! SQLite, 0.2 % of `lir-llc -O2`. With immediates for arguments on the stack, which came with it, code is 0.24 %
//! smaller (Lua: 0.6 %). Of 250 useless moves between registers, found by searching the disassembly, 68 are left (Lua:
//! 22 of 294), most of them in blocks whose only predecessor is elsewhere in the function. For each location one equal
//! location is known, the last one. Stores stay, even if no load is left. Fast compilation does without this step: it
//! would leave 93 of 342 such moves (Lua: 34 of 421), and code would be smaller by 0.25 % (Lua: 0.6 %).
//!
//! # Source
//!
//! regalloc2's `redundant_moves.rs`, which keeps a register's origin and a slot's copies; here it is the last equality
//! seen, in both directions, and instructions are not walked.

use super::{Feature, LinearScanScratch, Loc};
use crate::mir::{MBlock, MFunction, MInst, PRegSet, RegClass};
use crate::regalloc::{Allocation, Edit};

/// Limit on the instructions that are searched for a write of a register.
const FAR: u32 = 32;

/// The facts about a location.
#[derive(Copy, Clone, Debug)]
struct Equality {
    /// The location that it was equal to,
    equal: Loc,
    /// at this point,
    point: u32,
    /// after this many edits.
    since: u32,
    /// The number of the last edit that wrote it.
    written: u32,
}

const UNKNOWN: Equality = Equality { equal: Loc::NONE, point: 0, since: 0, written: 0 };

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct MoveFacts {
    /// By location.
    known: Vec<Equality>,
    /// The instructions that copy a whole register, in order.
    copies: Vec<u32>,
}

impl MoveFacts {
    /// Begins a function.
    pub(super) fn begin(&mut self) {
        self.copies.clear();
    }
    /// Notes an instruction; instructions come in order.
    #[inline]
    pub(super) fn note(&mut self, f: &MFunction, k: u32, inst: &MInst) {
        if f.is_whole_copy(inst) {
            self.copies.push(k);
        }
    }
}

/// Removes redundant moves.
pub(super) fn run(f: &MFunction, state: &mut LinearScanScratch, out: &mut Allocation) {
    // If a call returns twice, registers have lost their values by the second return.
    if f.returns_twice || !state.inputs.options.has(Feature::Hints) {
        return;
    }
    let MoveFacts { known, copies } = &mut state.move_facts;
    known.clear();
    known.resize(32 + out.num_slots as usize, UNKNOWN);
    let mut pass = Elimination { f, known, out, kept: 0, next: 0, point: 0, block: 0, top: 0 };
    let mut copies = copies.iter().copied().peekable();
    while let Some((point, edit)) = pass.out.edits.get(pass.next).copied() {
        while let Some(k) = copies.next_if(|k| 2 * k < point) {
            pass.copy(k);
        }
        pass.go_to(point);
        pass.next += 1;
        let edit = match edit {
            Edit::Move { from, to, class } => pass.mov(from, to, class),
            Edit::Exchange(a, b) => {
                pass.write(Loc::reg(a));
                pass.write(Loc::reg(b));
                Some(edit)
            }
            Edit::Remat(_, r) => {
                pass.write(Loc::reg(r));
                Some(edit)
            }
        };
        if let Some(edit) = edit {
            pass.out.edits[pass.kept] = (point, edit);
            pass.kept += 1;
        }
    }
    let kept = pass.kept;
    out.edits.truncate(kept);
}

/// The walk over the edits.
struct Elimination<'a> {
    f: &'a MFunction,
    known: &'a mut [Equality],
    out: &'a mut Allocation,
    /// Number of edits kept so far.
    kept: usize,
    /// The edit after the current one: also the number of the current one, from 1.
    next: usize,
    /// The current point.
    point: u32,
    /// Its block.
    block: usize,
    /// The first point of the chain of blocks that ends with this block. They are executed one after another.
    top: u32,
}

impl Elimination<'_> {
    /// Advances to a point.
    fn go_to(&mut self, point: u32) {
        self.point = point;
        while 2 * self.f.blocks[self.block].end <= point {
            self.block += 1;
            let data = &self.f.blocks[self.block];
            if data.preds[..] != [MBlock(self.block as u32 - 1)] {
                self.top = 2 * data.start;
            }
        }
    }
    /// Keeps or drops a move.
    fn mov(&mut self, from: Loc, to: Loc, class: RegClass) -> Option<Edit> {
        if self.are_equal(to, from) || self.are_equal(from, to) {
            return None;
        }
        let held = self.known[from.index()].equal;
        let is_held = from.as_slot().is_some() && held.as_reg().is_some_and(|r| r.class() == class);
        let from = if is_held && self.are_equal(from, held) { held } else { from };
        self.write(to);
        self.learn(from, to);
        Some(Edit::Move { from, to, class })
    }
    /// Handles an instruction that copies: after it, its result is equal to its operand.
    fn copy(&mut self, k: u32) {
        let [to, from, ..] = self.out.locs[k as usize];
        if to != from && to != Loc::NONE && from != Loc::NONE {
            self.go_to(2 * k + 1);
            self.learn(from, to);
        }
    }
    /// Notes that two locations are equal from now on. [`Elimination::is_unwritten`] finds instructions that write
    /// them.
    fn learn(&mut self, a: Loc, b: Loc) {
        for (loc, equal) in [(a, b), (b, a)] {
            let known = &mut self.known[loc.index()];
            (known.equal, known.point, known.since) = (equal, self.point, self.next as u32);
        }
    }
    /// Notes that an edit writes a location.
    fn write(&mut self, loc: Loc) {
        let number = self.next as u32;
        let known = &mut self.known[loc.index()];
        (known.equal, known.written) = (Loc::NONE, number);
    }
    /// True if a location is known to be equal to another.
    #[inline]
    fn are_equal(&self, loc: Loc, other: Loc) -> bool {
        let known = &self.known[loc.index()];
        known.equal == other
            && known.point >= self.top
            && self.known[other.index()].written <= known.since
            && self.is_unwritten(loc, other, known.point)
    }
    /// True if no instruction between a point and here writes one of two locations.
    fn is_unwritten(&self, a: Loc, b: Loc, point: u32) -> bool {
        let (first, end) = (point.div_ceil(2), self.point.div_ceil(2));
        // A shift by cl keeps the amount in place. Fixed definitions of a record are among its clobbers.
        let regs = [a, b].into_iter().filter_map(Loc::as_reg).fold(PRegSet::EMPTY, PRegSet::with);
        let writes = |i: u32| {
            let d = self.out.locs[i as usize][0];
            d == a || d == b || !self.f.overwrites(&self.f.insts[i as usize]).and(regs).is_empty()
        };
        end - first <= FAR && !(first..end).any(writes)
    }
}
