//! Moves split webs to cheaper locations in single blocks, once the locations around these are known.
//!
//! # Example
//!
//! ```text
//! header:  jmpreg rax one, two, three            header:  jmpreg rax one, two, three
//! one:     use rbx                               one:     reload rbx, slot0
//! ..                                                      use rbx
//! latch:   reload rbx, slot0              =>     ..
//!          jmp header                            latch:   jmp header
//! ```
//!
//! The scan visited `header` first and left the value in its register. At the end of the loop it is in memory, so it
//! was loaded again in every iteration, although `two` and `three` do not need it.
//!
//! # Algorithm
//!
//! For each web that was split:
//!
//! 1. A block is a *candidate* if one piece holds the web wherever it is live in the block. In a block that runs often,
//!    it may be several.
//! 2. Its cost in a location is the cost of the moves along the edges into and out of the block, by frequency, and of
//!    the moves to and from fixed operands in it.
//! 3. Candidates with an edge that takes a move are looked at. The locations at the other ends of their edges and
//!    memory are tried: a register has to be free in all of the block, and memory is tried for webs that have a slot
//!    anyway or can be repeated, if nothing in the block needs a register. Instructions that
//!    [compute in place](computes_in_slot) do not need one: `reload r; r = add r, 1; spill r` becomes `add [slot], 1`.
//!    The cheapest location becomes the block's location, and its neighbours are looked at again.
//! 4. The pieces are cut at the ends of the blocks that were changed.
//!
//! # Why it is sound
//!
//! Pieces are cut where the scan may cut. [`resolve`](super::resolve) makes the moves along edges from these locations
//! as from the locations of the scan.
//!
//! # Cost and limits
//!
//! Each change makes the sum of all moves smaller. The edges that take moves are found by [`resolve`](super::resolve);
//! after that a visit of a block costs its edges, and there are at most [`AGAIN`] times as many visits as candidates.
//! SQLite executes 4.7 % fewer instructions and its code is smaller by 0.9 % (Lua: 4.9 % fewer, 0.6 % larger), most of
//! it in the loops of their interpreters; `lir-llc` executes 2.5 % more instructions for it. Webs that are moved
//! outside of loops only are left alone: they took the same time again without gain at run time.
//!
//! # Source
//!
//! LLVM's `SpillPlacement.cpp` (J. Stoklund Olesen, 2011) also decides where a value should be in blocks that it only
//! passes, by a Hopfield network, before registers are given out; here the decision comes afterwards. Improvement by
//! single moves as in B. W. Kernighan and S. Lin, "An Efficient Heuristic Procedure for Partitioning Graphs", Bell
//! System Technical Journal 49(2), 1970.

use super::{Interval, LinearScanScratch, Loc, NONE, Range, UseKind, UsePos};
use crate::mir::{Form, MBlock, MFunction, MPhi, MReg, PReg, PhiArg, Props, VReg};
use crate::regalloc::live_ranges::occupancy::Occupied;
use crate::regalloc::operands::computes_in_slot;
use smallvec::SmallVec;

/// Cost of a move between registers, of a load, and of a store.
const MOVE: u64 = 4;
const LOAD: u64 = 5;
const STORE: u64 = 5;
/// Cost of the bytes of a move anywhere, as a frequency. A larger cost keeps the parts of a web together, as the scan
/// does: with 4, SQLite executes 1.6 % more instructions.
const SIZE: u64 = 1;
/// The least frequency of edges whose moves are looked at, the frequency of the entry. Blocks in which a web is in
/// several pieces must have it, too. With twice the value SQLite executes 2.5 % more instructions.
pub(super) const OFTEN: u32 = 64;
/// Limit on the visits of candidates, as a multiple of their number.
const AGAIN: usize = 2;
/// Limit on the pieces of another web that are searched for its location.
const PIECES: usize = 32;
/// Limit on the phis of a block that are searched for one of a web.
const PHIS: usize = 64;
/// Limit on the locations that are distinguished.
const TRIED: usize = 8;
/// Limit on the neighbours of a changed block that are looked at again.
const NEIGHBOURS: usize = 16;

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct BlockLocations {
    /// For each block the last web changed in it, plus one, and its location.
    chosen: Vec<(u32, Loc)>,
    /// The candidates to look at.
    queue: Vec<u32>,
    /// The blocks whose location was changed.
    changed: Vec<u32>,
    /// May list ranges that are no longer there.
    pub(super) occupied: Occupied,
}

impl BlockLocations {
    /// Begins a function.
    pub(super) fn begin(&mut self, f: &MFunction) {
        self.occupied.forget();
        self.chosen.clear();
        self.chosen.resize(f.blocks.len(), (0, Loc::NONE));
    }
}

/// A web that was split.
#[derive(Copy, Clone)]
pub(super) struct Split<'a> {
    /// Its number.
    pub(super) web: u32,
    /// Its pieces, in order.
    pub(super) pieces: &'a [u32],
    /// The blocks at the ends of the edges that need moves.
    pub(super) boundary: &'a [u32],
    /// True if leaving a register for memory needs no store.
    pub(super) is_stored: bool,
}

/// Improves the locations of a web. Returns whether its pieces were changed.
pub(super) fn improve(f: &MFunction, s: &mut LinearScanScratch, scratch: &mut BlockLocations, split: Split) -> bool {
    let web = &s.webs[split.web as usize];
    if web.wide {
        return false;
    }
    let (memory, store) = (web.remat != 0 || web.spilled, if split.is_stored || web.remat != 0 { 0 } else { STORE });
    let mut work = Improvement { f, s, scratch, web: split.web, pieces: split.pieces, memory, store };
    work.improve(split.boundary);
    work.apply()
}

/// A block, as far as the current web is live in it.
#[derive(Copy, Clone)]
struct LiveBlock {
    block: u32,
    /// Its first position, and the position after the last.
    lo: u32,
    hi: u32,
    /// True if the web is live at the start; `leaves`: at the end.
    enters: bool,
    leaves: bool,
    /// Its location at the start and at the end.
    loc: Loc,
    out: Loc,
    /// True if one piece covers the block.
    whole: bool,
    /// Its uses in the block, in the arena.
    uses: (u32, u32),
}

/// The state of the work on a web.
struct Improvement<'a> {
    f: &'a MFunction,
    s: &'a mut LinearScanScratch,
    scratch: &'a mut BlockLocations,
    web: u32,
    pieces: &'a [u32],
    /// True if it may be in memory: it has a slot, or is repeated.
    memory: bool,
    /// Cost of leaving a register for memory.
    store: u64,
}

/// The frequencies with which a web moves from and to locations.
#[derive(Default)]
struct Flows {
    flows: SmallVec<[Flow; TRIED]>,
    /// The cost of all moves that are not distinguished, with the web in a register and in memory.
    rest: [u64; 2],
}

/// The moves from and to one location.
#[derive(Copy, Clone)]
struct Flow {
    loc: Loc,
    /// For the web itself, moves to the block and from it, then the same for other webs.
    weights: [u64; 4],
}

/// Indices of [`Flow::weights`].
const COMES: usize = 0;
const GOES: usize = 1;
const COMES_FROM_OTHER: usize = 2;
const GOES_TO_OTHER: usize = 3;

impl Flows {
    fn add(&mut self, loc: Loc, kind: usize, weight: u64) {
        if let Some(flow) = self.flows.iter_mut().find(|flow| flow.loc == loc) {
            flow.weights[kind] += weight;
        } else if self.flows.len() < TRIED {
            let mut weights = [0; 4];
            weights[kind] = weight;
            self.flows.push(Flow { loc, weights });
        } else {
            // The location counts as a different register.
            self.rest[0] += MOVE * weight;
            self.rest[1] += LOAD * weight;
        }
    }
    /// Adds a constant moved to the web.
    fn add_constant(&mut self, weight: u64) {
        self.rest[0] += MOVE * weight;
        self.rest[1] += (MOVE + STORE) * weight;
    }
    /// Step 2, for the edges. The web is in one location at the start of the block and in the other at its end.
    fn cost(&self, (begin, end): (Loc, Loc), store: u64) -> u64 {
        let of = |flow: &Flow| {
            let [comes, goes, from_other, to_other] = flow.weights;
            comes * between(flow.loc, begin, store)
                + goes * between(end, flow.loc, store)
                + from_other * between_webs(flow.loc, begin)
                + to_other * between_webs(end, flow.loc)
        };
        self.flows.iter().map(of).sum::<u64>() + self.rest[usize::from(begin == Loc::NONE)]
    }
}

/// Cost of moving a web from one location to another.
fn between(from: Loc, to: Loc, store: u64) -> u64 {
    match (from == Loc::NONE, to == Loc::NONE) {
        _ if from == to => 0,
        (false, false) => MOVE,
        (true, _) => LOAD,
        (false, true) => store,
    }
}

/// Cost of a phi's move from one web to another.
fn between_webs(from: Loc, to: Loc) -> u64 {
    if from == Loc::NONE && to == Loc::NONE { LOAD + STORE } else { between(from, to, STORE) }
}

impl Improvement<'_> {
    /// Step 3.
    fn improve(&mut self, boundary: &[u32]) {
        self.scratch.changed.clear();
        self.scratch.queue.clear();
        self.scratch.queue.extend_from_slice(boundary);
        self.scratch.queue.sort_unstable();
        self.scratch.queue.dedup();
        let mut visits = AGAIN * self.scratch.queue.len();
        let mut next = 0;
        while let Some(&b) = self.scratch.queue.get(next)
            && visits > 0
        {
            next += 1;
            visits -= 1;
            let Some(mut live) = self.live(b) else { continue };
            let Some(better) = self.better(&mut live) else { continue };
            self.note(&live, better);
            if self.chosen_in(b).is_none() {
                self.scratch.changed.push(b);
            }
            self.scratch.chosen[b as usize] = (self.web + 1, better);
            let data = &self.f.blocks[b as usize];
            let neighbours = data.preds.iter().chain(&data.succs).take(NEIGHBOURS);
            self.scratch.queue.extend(neighbours.map(|n| n.0).filter(|n| *n != b));
        }
    }
    /// Notes that a register is taken in a block, and another is free there.
    fn note(&mut self, live: &LiveBlock, to: Loc) {
        if !self.scratch.occupied.is_built() {
            return;
        }
        if let Some(r) = live.loc.as_reg().filter(|_| live.whole) {
            self.scratch.occupied.remove(r, live.lo, live.hi);
        }
        if let Some(r) = to.as_reg() {
            self.scratch.occupied.insert(r, live.lo, live.hi);
        }
    }

    /// Step 4. Returns whether there was anything to do.
    fn apply(&mut self) -> bool {
        let mut changed = std::mem::take(&mut self.scratch.changed);
        changed.sort_unstable();
        let mut piece = self.s.webs[self.web as usize].first;
        for &b in &changed {
            let data = &self.f.blocks[b as usize];
            let (start, end, loc) = (4 * data.start, 4 * data.end, self.scratch.chosen[b as usize].1);
            while let Some(next) = self.s.intervals.get(self.s.intervals[piece as usize].next as usize)
                && next.from <= start
            {
                piece = self.s.intervals[piece as usize].next;
            }
            let tail = self.cut(piece, start);
            piece = tail.unwrap_or(piece);
            loop {
                self.cut(piece, end);
                let iv = &mut self.s.intervals[piece as usize];
                if iv.from >= start {
                    iv.loc = loc;
                }
                let next = iv.next;
                if self.s.intervals.get(next as usize).is_none_or(|next| next.from >= end) {
                    break;
                }
                piece = next;
            }
        }
        self.scratch.changed = changed;
        !self.scratch.changed.is_empty()
    }

    /// Cuts a piece at a position inside it. Both parts are in its location.
    fn cut(&mut self, piece: u32, at: u32) -> Option<u32> {
        let iv = self.s.intervals[piece as usize];
        if iv.from >= at || iv.to <= at {
            return None;
        }
        let tail = self.s.cut(piece, at);
        self.s.intervals[tail as usize].loc = iv.loc;
        Some(tail)
    }

    /// Step 1. None if the web has a hole, in which others may be in its register, or is in several pieces, unless the
    /// block runs often.
    fn live(&self, b: u32) -> Option<LiveBlock> {
        let data = &self.f.blocks[b as usize];
        let (start, end) = (4 * data.start, 4 * data.end);
        let ranges = self.ranges();
        let first = ranges.partition_point(|r| r.end <= start);
        let lo = ranges.get(first)?.start.max(start);
        let mut last = first;
        while ranges[last].end < end
            && let Some(next) = ranges.get(last + 1)
            && next.start < end
        {
            if ranges[last].end < next.start {
                return None;
            }
            last += 1;
        }
        let hi = ranges[last].end.min(end);
        if lo >= hi {
            return None;
        }
        let mut live = LiveBlock {
            block: b,
            lo,
            hi,
            enters: lo == start,
            leaves: hi == end,
            loc: Loc::NONE,
            out: Loc::NONE,
            whole: true,
            uses: (0, 0),
        };
        if let Some(loc) = self.chosen_in(b) {
            (live.loc, live.out) = (loc, loc);
            return Some(live);
        }
        let piece = self.piece_at(lo);
        (live.loc, live.out) = (piece.loc, piece.loc);
        if piece.from > lo || piece.to < hi {
            if data.frequency < OFTEN {
                return None;
            }
            (live.out, live.whole) = (self.piece_at(hi - 1).loc, false);
        }
        Some(live)
    }
    fn ranges(&self) -> &[Range] {
        let (lo, hi) = self.s.webs[self.web as usize].ranges;
        &self.s.ranges[lo as usize..hi as usize]
    }
    /// Returns the location of the web in a block, if it was changed.
    fn chosen_in(&self, b: u32) -> Option<Loc> {
        let (of, loc) = self.scratch.chosen[b as usize];
        (of == self.web + 1).then_some(loc)
    }
    fn piece_at(&self, pos: u32) -> &Interval {
        let k = self.pieces.partition_point(|p| self.s.intervals[*p as usize].from <= pos);
        &self.s.intervals[self.pieces[k.max(1) - 1] as usize]
    }
    /// Returns the location of the web at the start of a block. None if it is not live.
    fn location_in(&self, b: u32) -> Option<Loc> {
        let pos = 4 * self.f.blocks[b as usize].start;
        let ranges = self.ranges();
        let k = ranges.partition_point(|r| r.end <= pos);
        let is_live = ranges.get(k).is_some_and(|r| r.start <= pos);
        is_live.then(|| self.chosen_in(b).unwrap_or_else(|| self.piece_at(pos).loc))
    }
    /// Returns the location of the web at the end of a block.
    fn location_out(&self, b: u32) -> Loc {
        self.chosen_in(b).unwrap_or_else(|| self.piece_at(4 * self.f.blocks[b as usize].end - 1).loc)
    }
    /// Returns the weight of an edge. Code size counts less than in the scan.
    fn often(&self, p: u32, b: u32) -> u64 {
        self.weight(if self.f.blocks[p as usize].succs.len() == 1 { p } else { b })
    }
    fn weight(&self, b: u32) -> u64 {
        let data = &self.f.blocks[b as usize];
        if data.cold { 1 } else { u64::from(data.frequency) + SIZE }
    }
    fn web_of(&self, v: VReg) -> u32 {
        self.s.web_of[v.index()]
    }
    /// Returns the location of another web at a position, unless it takes long to find.
    fn location_at(&self, w: u32, pos: u32) -> Option<Loc> {
        let mut piece = self.s.intervals.get(self.s.webs.get(w as usize)?.first as usize)?;
        for _ in 0..PIECES {
            match self.s.intervals.get(piece.next as usize) {
                Some(next) if next.from <= pos => piece = next,
                _ => return Some(piece.loc),
            }
        }
        None
    }

    /// Returns a cheaper location for a block.
    fn better(&mut self, live: &mut LiveBlock) -> Option<Loc> {
        let mut flows = Flows::default();
        live.uses = self.find_uses(live);
        self.edges(live, &mut flows);
        let mut now = flows.cost((live.loc, live.out), self.store);
        now += if live.whole { self.cost_inside(live, live.loc) } else { self.cost_of_pieces(live) };
        if now == 0 {
            return None;
        }
        let memory = self.memory && (live.loc != Loc::NONE || !live.whole) && !self.wants_register(live);
        let registers = flows.flows.iter().map(|flow| flow.loc).filter(|loc| *loc != Loc::NONE);
        let (mut best, mut least) = (None, now);
        for loc in registers.filter(|loc| *loc != live.loc).chain(memory.then_some(Loc::NONE)) {
            let cost = flows.cost((loc, loc), self.store) + self.cost_inside(live, loc);
            if cost < least && loc.as_reg().is_none_or(|r| self.is_free(r, live)) {
                (best, least) = (Some(loc), cost);
            }
        }
        best
    }
    /// Cost of the moves between the pieces in a block.
    fn cost_of_pieces(&self, live: &LiveBlock) -> u64 {
        let (mut sum, mut piece) = (0, self.piece_at(live.lo));
        while let Some(next) = self.s.intervals.get(piece.next as usize).filter(|next| next.from < live.hi) {
            sum += between(piece.loc, next.loc, self.store);
            piece = next;
        }
        sum * self.weight(live.block)
    }
    /// True if an instruction of the block needs the web in a register. One that computes in place does not. One that
    /// could read a slot counts as one that does, since the code is shorter.
    fn wants_register(&self, live: &LiveBlock) -> bool {
        let mut uses = self.uses_in(live);
        while let [u, rest @ ..] = uses {
            if self.s.needs_reg(self.web, u) || u.kind == UseKind::Slot {
                let [d, after @ ..] = rest else { return true };
                let inst = &self.f.insts[(u.pos / 4) as usize];
                let in_place = u.pos + 1 == d.pos && (u.kind, d.kind) == (UseKind::Reg, UseKind::Def);
                if !in_place || !computes_in_slot(self.f, inst) || self.s.webs[self.web as usize].remat != 0 {
                    return true;
                }
                uses = after;
            } else {
                uses = rest;
            }
        }
        false
    }
    fn find_uses(&self, live: &LiveBlock) -> (u32, u32) {
        let (lo, hi) = self.s.webs[self.web as usize].uses;
        let uses = &self.s.uses[lo as usize..hi as usize];
        let first = uses.partition_point(|u| u.pos < live.lo);
        let inside = uses[first..].iter().take_while(|u| u.pos < live.hi).count();
        (lo + first as u32, lo + (first + inside) as u32)
    }
    fn uses_in(&self, live: &LiveBlock) -> &[UsePos] {
        &self.s.uses[live.uses.0 as usize..live.uses.1 as usize]
    }
    /// True if a register may hold the web in a block.
    fn is_free(&mut self, r: PReg, live: &LiveBlock) -> bool {
        if !self.scratch.occupied.is_built() {
            self.scratch.occupied.build(&self.s.intervals, &self.s.ranges);
        }
        self.s.inputs.allocatable.contains(r)
            && self.scratch.occupied.is_free(r, live.lo, live.hi)
            && !self.s.clobbers.is_clobbered(r, live.lo, live.hi)
    }

    /// Finds the moves of the web along the edges of a block.
    fn edges(&self, live: &LiveBlock, flows: &mut Flows) {
        let data = &self.f.blocks[live.block as usize];
        if live.enters {
            let phi = self.phi_of(live.block);
            for (k, p) in data.preds.iter().enumerate() {
                let weight = self.often(p.0, live.block);
                match phi.map(|phi| self.f.phi_arg(phi, k)) {
                    Some(PhiArg::Const(_)) => flows.add_constant(weight),
                    Some(PhiArg::Reg(v)) if self.web_of(v) != self.web => {
                        let at = 4 * self.f.blocks[p.index()].end - 1;
                        match self.location_at(self.web_of(v), at) {
                            Some(from) => flows.add(from, COMES_FROM_OTHER, weight),
                            None => flows.add_constant(weight),
                        }
                    }
                    _ => flows.add(self.location_out(p.0), COMES, weight),
                }
            }
        }
        match *data.succs {
            _ if !live.leaves => {}
            [s] => self.edge_out(live, s, flows),
            // Without critical edges, these blocks have no other predecessor.
            ref all => {
                for s in all {
                    if let Some(to) = self.location_in(s.0) {
                        flows.add(to, GOES, self.weight(s.0));
                    }
                }
            }
        }
    }
    /// The only edge out of a block, where phis may read the web.
    fn edge_out(&self, live: &LiveBlock, s: MBlock, flows: &mut Flows) {
        let weight = self.weight(live.block);
        let reads_at_end =
            self.uses_in(live).last().is_some_and(|u| u.pos % 4 == 3 && u.kind == UseKind::Any && u.fixed == 0);
        if !reads_at_end {
            if let Some(to) = self.location_in(s.0).filter(|_| self.phi_of(s.0).is_none()) {
                flows.add(to, GOES, weight);
            }
            return;
        }
        let data = &self.f.blocks[s.index()];
        let k = data.preds.iter().position(|p| p.0 == live.block).expect("an edge has two ends");
        let mut is_assigned = false;
        for phi in self.f.phis[data.phis.start as usize..data.phis.end as usize].iter().take(PHIS) {
            let to = self.web_of(phi.dst);
            is_assigned |= to == self.web;
            let is_read = matches!(self.f.phi_arg(phi, k), PhiArg::Reg(v) if self.web_of(v) == self.web);
            match is_read.then(|| self.location_at(to, 4 * data.start)).flatten() {
                Some(_) if to == self.web => flows.add(self.location_in(s.0).unwrap_or(live.loc), GOES, weight),
                Some(loc) => flows.add(loc, GOES_TO_OTHER, weight),
                None => {}
            }
        }
        if let Some(to) = self.location_in(s.0).filter(|_| !is_assigned) {
            flows.add(to, GOES, weight);
        }
    }
    /// Returns the phi of a block that assigns the web.
    fn phi_of(&self, b: u32) -> Option<&MPhi> {
        let data = &self.f.blocks[b as usize];
        let phis = &self.f.phis[data.phis.start as usize..data.phis.end as usize];
        phis.iter().take(PHIS).find(|phi| self.web_of(phi.dst) == self.web)
    }

    /// Step 2, for fixed operands, and for copies that a shared register saves.
    fn cost_inside(&self, live: &LiveBlock, loc: Loc) -> u64 {
        let mut sum = 0;
        for u in self.uses_in(live) {
            sum += match (u.fixed, u.kind) {
                (0, _) => self.cost_of_copy(u.pos, loc),
                (n, _) if loc == Loc::reg(PReg::new(n - 1)) => 0,
                (_, UseKind::DefAny) if loc == Loc::NONE => self.store,
                (_, _) if loc == Loc::NONE => LOAD,
                _ => MOVE,
            };
        }
        sum * self.weight(live.block)
    }
    /// Cost of a copy or a computation in place, if the other web is elsewhere.
    fn cost_of_copy(&self, pos: u32, loc: Loc) -> u64 {
        let inst = &self.f.insts[(pos / 4) as usize];
        let computes = pos % 4 == 1 || pos % 4 == 2;
        if !computes || !(inst.form.is_tied() || inst.form == Form::DA && self.f.props(inst).has(Props::COPY)) {
            return 0;
        }
        let web_of = |r: MReg| r.as_virt().map_or(NONE, |v| self.web_of(v));
        let (d, a) = (web_of(inst.d), web_of(inst.a));
        let commutes = inst.form == Form::DTB && self.f.props(inst).has(Props::COMMUTATIVE);
        let b = if commutes { web_of(MReg::from_bits(inst.b)) } else { NONE };
        let at = pos / 4 * 4;
        let partners = match (d == self.web, a == self.web || b == self.web) {
            (true, true) | (false, false) => return 0,
            (true, false) => [(a, at + 1), (b, at + 1)],
            (false, true) => [(d, at + 2), (NONE, 0)],
        };
        let mut shared = partners.iter().filter_map(|(other, at)| self.location_at(*other, *at));
        if shared.any(|other| other == loc) { 0 } else { MOVE }
    }
}
