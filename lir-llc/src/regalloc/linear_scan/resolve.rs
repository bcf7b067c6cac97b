//! Turns intervals into an [`Allocation`]: the locations of operands, and all moves.
//!
//! 1. Where pieces of a web lie in different locations, a move is placed in the gap between them, or along the edge
//!    from the end of one block to the start of another.
//! 2. The slot of a web is written either at each of its definitions, and then moves from registers into it vanish,
//!    or by these moves, whichever happens less often.
//! 3. Phis are moves along edges where their operands are other webs.
//! 4. Fixed operands are moves before and after instructions.
//!
//! Moves are collected with their point, sorted, and the moves of one point are resolved together.

use super::entered::Entered;
use super::through::{self, BlockLocations, OFTEN, Split};
use super::{Dice, Feature, Interval, LinearScanScratch, Loc, NONE, Temp, UseKind, Web};
use crate::mir::{MBlock, MFunction, MReg, MachineEnv, PReg, PRegSet, PhiArg, Props, RegClass};
use crate::regalloc::Allocation;
use crate::regalloc::live_ranges::occupancy::Occupied;
use crate::regalloc::operands::{Need, Operands};
use crate::regalloc::parallel_move::{Move, Resolver, Source, Spare};
use std::ops::Range;

/// The groups of moves at one point, in their order: (1) the edge into a block, (2) between pieces, to fixed registers
/// and temporaries, (3) the edge out of a block. After an instruction there is one group.
const ENTER: u64 = 0;
const GAP: u64 = 1;
const LEAVE: u64 = 2;

/// A move, its point and its group.
#[derive(Copy, Clone, Debug)]
struct Pending {
    key: u64,
    what: Move,
}

/// A move between pieces of a web.
#[derive(Copy, Clone, Debug)]
struct Transition {
    web: u32,
    pending: Pending,
}

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Resolve {
    /// Pieces of the webs that were split, in order.
    pieces: Vec<u32>,
    /// For each web its slice of `pieces`.
    slices: Vec<(u32, u32)>,
    /// For each web the piece that the walk over instructions is in.
    cursor: Vec<u32>,
    transitions: Vec<Transition>,
    /// The blocks at the ends of edges along which the current web is moved.
    boundary: Vec<u32>,
    entered: Entered,
    through: BlockLocations,
    /// For each web the frequency at which transitions would write its slot.
    store_weight: Vec<u64>,
    pending: Vec<Pending>,
    group: Vec<Move>,
    resolver: Resolver,
}

/// Writes the allocation.
pub(super) fn run(f: &MFunction, state: &mut LinearScanScratch, out: &mut Allocation) {
    let mut scratch = state.resolve.take().unwrap_or_default();
    let mut resolution = Resolution { f, s: &mut *state, r: &mut scratch };
    resolution.list_pieces();
    resolution.between_pieces();
    resolution.choose_stores();
    resolution.phis();
    resolution.instructions(out);
    resolution.emit(out);
    state.resolve = Some(scratch);
}

/// The location of a web at a position.
#[derive(Copy, Clone)]
struct WebLoc {
    web: u32,
    /// The location, as in [`Interval`].
    loc: Loc,
}

impl From<&Interval> for WebLoc {
    #[inline]
    fn from(iv: &Interval) -> WebLoc {
        WebLoc { web: iv.web, loc: iv.loc }
    }
}

/// The work on one function.
struct Resolution<'a> {
    f: &'a MFunction,
    s: &'a mut LinearScanScratch,
    r: &'a mut Resolve,
}

impl Resolution<'_> {
    fn list_pieces(&mut self) {
        self.r.pieces.clear();
        self.r.slices.clear();
        self.r.pending.clear();
        self.r.transitions.clear();
        self.r.cursor.clear();
        self.r.store_weight.clear();
        self.r.store_weight.resize(self.s.webs.len(), 0);
        self.r.resolver.dice = self.s.inputs.dice;
        for w in 0..self.s.webs.len() {
            let at = self.r.pieces.len() as u32;
            if self.s.webs[w].split {
                self.list_pieces_of(w as u32);
            }
            self.r.slices.push((at, self.r.pieces.len() as u32));
            self.r.cursor.push(self.s.webs[w].first);
        }
    }
    /// Returns the location of a web at a position.
    fn loc_at(&self, web: u32, pos: u32) -> WebLoc {
        let (lo, hi) = self.r.slices[web as usize];
        if lo == hi {
            return WebLoc::from(&self.s.intervals[self.s.webs[web as usize].first as usize]);
        }
        let pieces = &self.r.pieces[lo as usize..hi as usize];
        let k = pieces.partition_point(|p| self.s.intervals[*p as usize].from <= pos);
        WebLoc::from(&self.s.intervals[pieces[k.max(1) - 1] as usize])
    }
    #[inline]
    fn source(&self, location: WebLoc) -> Source {
        if location.loc != Loc::NONE {
            return Source::Loc(location.loc);
        }
        let web = &self.s.webs[location.web as usize];
        if web.remat == 0 { Source::Loc(Loc::slot(web.slot)) } else { Source::Remat(web.remat - 1) }
    }
    /// Returns the location that a value has to be moved to. None if it is repeated instead.
    fn target(&self, location: WebLoc) -> Option<Loc> {
        match self.source(location) {
            Source::Loc(loc) => Some(loc),
            Source::Remat(_) => None,
        }
    }
    fn key(point: u32, group: u64) -> u64 {
        u64::from(point) << 2 | group
    }
    /// Returns the position of moves along an edge: before the jump of the one block, or at the top of the other.
    fn edge_key(&self, p: usize, b: usize) -> u64 {
        let pred = &self.f.blocks[p];
        if pred.succs.len() != 1 {
            return Self::key(2 * self.f.blocks[b].start, ENTER);
        }
        let mut jump = pred.end;
        while jump > pred.start && self.f.props(&self.f.insts[jump as usize - 1]).has(Props::TERMINATOR) {
            jump -= 1;
        }
        Self::key(2 * jump, LEAVE)
    }

    /// Step 1.
    fn between_pieces(&mut self) {
        let improves = !self.f.returns_twice && self.s.inputs.options.has(Feature::Placement);
        self.r.through.begin(self.f);
        if !self.r.pieces.is_empty() {
            self.r.entered.build(self.f);
        }
        for w in 0..self.s.webs.len() as u32 {
            let (lo, hi) = self.r.slices[w as usize];
            if lo == hi {
                continue;
            }
            let first = self.r.transitions.len();
            self.r.boundary.clear();
            self.transitions_of(w);
            let dice = &mut self.s.inputs.dice;
            if improves && !self.r.boundary.is_empty() && dice.as_mut().is_none_or(Dice::departs) && self.improve(w) {
                self.r.transitions.truncate(first);
                self.r.store_weight[w as usize] = 0;
                self.transitions_of(w);
            }
        }
    }
    /// Collects the moves of a web that was split.
    fn transitions_of(&mut self, w: u32) {
        let (lo, hi) = self.r.slices[w as usize];
        for k in lo + 1..hi {
            let left = self.s.intervals[self.r.pieces[k as usize - 1] as usize];
            let right = self.s.intervals[self.r.pieces[k as usize] as usize];
            let b = self.s.block_at(right.from);
            let range = self.s.ranges[right.ranges.0 as usize];
            let joined = left.to == right.from && range.start < right.from;
            // Moves to fixed registers in this gap read the piece before it; this one may have no other reads.
            let read = range.end.min(right.to) > right.from + 1;
            // Nothing is live after an instruction that ends the function. But if its block is in a region that the web
            // is live through, the web counts as live there. A move could then overwrite an operand of the instruction.
            let data = &self.f.blocks[b];
            let ends_function = data.succs.is_empty() && 4 * (data.end - 1) == right.from;
            if joined && read && !ends_function && 4 * data.start != right.from {
                self.transition(w, WebLoc::from(&left), WebLoc::from(&right), Self::key(right.from / 2, GAP), b);
            }
        }
        self.along_edges(w);
    }
    /// Finds better locations for a web in blocks at whose edges it is moved. Returns whether it has other pieces then.
    fn improve(&mut self, w: u32) -> bool {
        let weight = |b: &u32| self.f.blocks[*b as usize].frequency;
        if self.r.boundary.iter().map(weight).max() < Some(OFTEN) {
            return false;
        }
        let web = &self.s.webs[w as usize];
        let is_stored = web.spilled && self.stores_at_definitions(web, w);
        let (lo, hi) = self.r.slices[w as usize];
        let (pieces, boundary) = (&self.r.pieces[lo as usize..hi as usize], &self.r.boundary[..]);
        let split = Split { web: w, pieces, boundary, is_stored };
        if !through::improve(self.f, self.s, &mut self.r.through, split) {
            return false;
        }
        let at = self.r.pieces.len() as u32;
        self.list_pieces_of(w);
        self.r.slices[w as usize] = (at, self.r.pieces.len() as u32);
        true
    }
    fn list_pieces_of(&mut self, w: u32) {
        let mut piece = self.s.webs[w as usize].first;
        while piece != NONE {
            self.r.pieces.push(piece);
            piece = self.s.intervals[piece as usize].next;
        }
    }
    /// True if the slot of a web is to be written at its definitions: if that writes it no more often than moves would.
    fn stores_at_definitions(&self, web: &Web, w: u32) -> bool {
        let defs = &self.s.uses[web.uses.0 as usize..web.uses.1 as usize];
        let at_defs: u64 = defs.iter().filter(|u| u.kind.is_def()).map(|u| u64::from(u.weight)).sum();
        at_defs <= self.r.store_weight[w as usize]
    }
    fn transition(&mut self, w: u32, from: WebLoc, to: WebLoc, key: u64, b: usize) {
        let Some(target) = self.target(to) else { return };
        let source = self.source(from);
        if source == Source::Loc(target) {
            return;
        }
        if target.as_slot().is_some() {
            self.r.store_weight[w as usize] += u64::from(self.s.inputs.freq[b]);
        }
        let what = Move { from: source, to: target, class: self.s.webs[w as usize].class };
        self.r.transitions.push(Transition { web: w, pending: Pending { key, what } });
    }
    /// Moves a split web along the edges into blocks that it is live into. Blocks whose phis assign it are left out.
    fn along_edges(&mut self, w: u32) {
        let web = self.s.webs[w as usize];
        let mut next_use = web.uses.0;
        let mut here = self.s.intervals[web.first as usize];
        let mut piece = self.blocks_of(here);
        for r in web.ranges.0..web.ranges.1 {
            let range = self.s.ranges[r as usize];
            let mut b = self.blocks_before(range.start);
            while let Some(data) = self.f.blocks.get(b)
                && 4 * data.start < range.end
            {
                while let Some(next) = self.s.intervals.get(here.next as usize)
                    && next.from <= 4 * data.start
                {
                    here = *next;
                    piece = self.blocks_of(here);
                }
                // Most edges stay inside of a piece and need no move.
                let end = self.s.intervals.get(here.next as usize).map_or(range.end, |next| next.from.min(range.end));
                match self.r.entered.next(b, &piece) {
                    Some(entered) if 4 * self.f.blocks[entered].start < end => {
                        self.enter_block(w, here, entered, &mut next_use);
                        b = entered + 1;
                    }
                    _ => b = self.blocks_before(end),
                }
            }
        }
    }
    /// Returns the number of blocks that start before a position.
    fn blocks_before(&self, pos: u32) -> usize {
        self.f.blocks.partition_point(|b| 4 * b.start < pos)
    }
    /// Returns the blocks whose last position is inside of a piece.
    fn blocks_of(&self, piece: Interval) -> Range<u32> {
        let before = |pos| self.f.blocks.partition_point(|b| 4 * b.end - 1 < pos) as u32;
        before(piece.from)..before(piece.to)
    }
    /// Adds the moves along edges into block `b` from blocks at whose end the web is not in `here`, its piece at the
    /// start of `b`. Records the ends of these edges in `boundary` if `b` is in a loop. Uses of the web before index
    /// `next_use` are at earlier positions than `b`.
    fn enter_block(&mut self, w: u32, here: Interval, b: usize, next_use: &mut u32) {
        let data = &self.f.blocks[b];
        let start = 4 * data.start;
        let outside = |p: &&MBlock| !(here.from..here.to).contains(&(4 * self.f.blocks[p.index()].end - 1));
        if data.loop_depth > 0 {
            self.r.boundary.push(b as u32);
            self.r.boundary.extend(data.preds.iter().filter(outside).map(|p| p.0));
        }
        let uses = &self.s.uses[..self.s.webs[w as usize].uses.1 as usize];
        while uses.get(*next_use as usize).is_some_and(|u| u.pos < start) {
            *next_use += 1;
        }
        let mut here_uses = uses[*next_use as usize..].iter().take_while(|u| u.pos == start);
        if here_uses.any(|u| u.kind == UseKind::DefAny) {
            return;
        }
        for p in data.preds.iter().filter(outside) {
            let there = self.loc_at(w, 4 * self.f.blocks[p.index()].end - 1);
            let rare = if self.s.inputs.freq[p.index()] < self.s.inputs.freq[b] { p.index() } else { b };
            self.transition(w, there, WebLoc::from(&here), self.edge_key(p.index(), b), rare);
        }
    }

    /// Step 2.
    fn choose_stores(&mut self) {
        for w in 0..self.s.webs.len() {
            if self.s.webs[w].spilled {
                let stores = self.stores_at_definitions(&self.s.webs[w], w as u32);
                let departs = self.s.inputs.dice.as_mut().is_some_and(Dice::departs);
                self.s.webs[w].store_at_defs = stores != departs;
            }
        }
        for t in &self.r.transitions {
            if t.pending.what.to.as_slot().is_none() || !self.s.webs[t.web as usize].store_at_defs {
                self.r.pending.push(t.pending);
            }
        }
    }
    /// Moves a newly defined value to the location of its piece. Its slot is written, too, if definitions write it.
    #[inline]
    fn define(&mut self, from: Source, location: WebLoc, key: u64) {
        let web: &Web = &self.s.webs[location.web as usize];
        if from == Source::Loc(location.loc) && !web.store_at_defs {
            return;
        }
        let (class, slot) = (web.class, web.store_at_defs.then(|| Loc::slot(web.slot)));
        let target = self.target(location);
        for to in [target, slot.filter(|s| target != Some(*s))].into_iter().flatten() {
            if from != Source::Loc(to) {
                self.r.pending.push(Pending { key, what: Move { from, to, class } });
            }
        }
    }

    /// Step 3.
    fn phis(&mut self) {
        for b in 0..self.f.blocks.len() {
            let data = &self.f.blocks[b];
            for (k, p) in data.preds.iter().enumerate() {
                for phi in &self.f.phis[data.phis.start as usize..data.phis.end as usize] {
                    let w = self.s.web_of[phi.dst.index()];
                    if w != NONE {
                        self.phi_move(w, self.f.phi_arg(phi, k), p.index(), b);
                    }
                }
            }
        }
    }
    fn phi_move(&mut self, w: u32, arg: PhiArg, p: usize, b: usize) {
        let here = self.loc_at(w, 4 * self.f.blocks[b].start);
        let key = self.edge_key(p, b);
        match arg {
            PhiArg::Const(k) => self.define(Source::Remat(k), here, key),
            PhiArg::Reg(v) => {
                let from = self.s.web_of[v.index()];
                if from == NONE {
                    return;
                }
                let there = self.loc_at(from, 4 * self.f.blocks[p].end - 1);
                let source = self.source(there);
                if from != w {
                    self.define(source, here, key);
                } else if let Some(to) = self.target(here)
                    && source != Source::Loc(to)
                    && !(to.as_slot().is_some() && self.s.webs[w as usize].store_at_defs)
                {
                    let class = self.s.webs[w as usize].class;
                    self.r.pending.push(Pending { key, what: Move { from: source, to, class } });
                }
            }
        }
    }

    /// Step 4, and the locations of operands.
    fn instructions(&mut self, out: &mut Allocation) {
        out.locs.clear();
        out.locs.resize(self.f.insts.len(), [Loc::NONE; 4]);
        out.used = self.s.scan.used;
        self.s.move_facts.begin();
        let mut next_temp = 0;
        for (i, inst) in self.f.insts.iter().enumerate() {
            let at = 4 * i as u32;
            let after = Self::key(2 * i as u32 + 1, ENTER);
            let ops = Operands::of(self.f, inst);
            self.s.move_facts.note(self.f, i as u32, inst);
            let calls = self.f.props(inst).has(Props::CALL);
            out.used = out.used.or(if calls { ops.clobbers.minus(self.f.env.callee_saved) } else { ops.clobbers });
            for (r, p) in self.f.fixed_uses(inst) {
                self.fix(*r, *p, i);
            }
            let mut fixed_fields = 0;
            for u in ops.uses() {
                let copied = self.s.temps.get(next_temp).filter(|t| t.inst == i as u32 && t.field == u.field).copied();
                let loc = match (copied, u.need) {
                    (Some(t), _) => {
                        next_temp += 1;
                        self.copy(t, i)
                    }
                    (None, Need::Fixed(p)) => {
                        self.fix(MReg::virt(u.vreg), p, i);
                        Loc::reg(p)
                    }
                    (None, Need::Reg | Need::RegOrSlot) => continue,
                };
                out.locs[i][u.field as usize] = loc;
                fixed_fields |= 1 << u.field;
            }
            for u in ops.uses().iter().filter(|u| fixed_fields >> u.field & 1 == 0) {
                let location = self.walk_to(u.vreg.index(), at + 1);
                if let Source::Loc(loc) = self.source(location) {
                    out.locs[i][u.field as usize] = loc;
                }
            }
            if let Some((v, fixed)) = ops.def {
                let piece = self.walk_to(v.index(), if fixed.is_some() { at + 3 } else { at + 2 });
                let computed = || self.target(piece).expect("what is computed has a place");
                let loc = fixed.map_or_else(computed, Loc::reg);
                out.locs[i][0] = loc;
                self.define(Source::Loc(loc), piece, after);
            }
            for (r, p) in self.f.fixed_defs(inst) {
                if let Some(v) = r.as_virt() {
                    let piece = self.walk_to(v.index(), at + 3);
                    self.define(Source::Loc(Loc::reg(*p)), piece, after);
                }
            }
        }
    }
    /// Returns the position at which moves before an instruction read their values. It is before the moves between
    /// pieces, which are done at the same time. At the top of a block the latter belong to edges and are already done.
    fn before(&self, i: usize) -> u32 {
        let top = self.f.blocks[self.s.block_of[i] as usize].start as usize == i;
        if top { 4 * i as u32 } else { 4 * i as u32 - 1 }
    }
    /// Adds a move to a fixed register before instruction `i`.
    fn fix(&mut self, r: MReg, p: PReg, i: usize) {
        let from = match (r.as_virt(), r.as_phys()) {
            (Some(v), _) => {
                let location = self.walk_to(v.index(), self.before(i));
                self.source(location)
            }
            (None, Some(from)) => Source::Loc(Loc::reg(from)),
            (None, None) => return,
        };
        let key = Self::key(2 * i as u32, GAP);
        self.r.pending.push(Pending { key, what: Move { from, to: Loc::reg(p), class: p.class() } });
    }
    /// Makes a move to a temporary before instruction `i`. Returns its location.
    fn copy(&mut self, t: Temp, i: usize) -> Loc {
        let location = self.loc_at(self.s.web_of[t.vreg as usize], 4 * i as u32);
        let from = self.walk_to(t.of.index(), self.before(i));
        let (key, class) = (Self::key(2 * i as u32, GAP), self.s.webs[location.web as usize].class);
        self.r.pending.push(Pending { key, what: Move { from: self.source(from), to: location.loc, class } });
        location.loc
    }
    /// Returns the location of a register at a position; positions never decrease.
    #[inline]
    fn walk_to(&mut self, v: usize, pos: u32) -> WebLoc {
        let cursor = &mut self.r.cursor[self.s.web_of[v] as usize];
        let mut piece = &self.s.intervals[*cursor as usize];
        while let Some(next) = self.s.intervals.get(piece.next as usize)
            && next.from <= pos
        {
            *cursor = piece.next;
            piece = next;
        }
        WebLoc::from(piece)
    }

    /// Sorts the moves and passes them to the resolver, group by group.
    fn emit(&mut self, out: &mut Allocation) {
        out.edits.clear();
        let r = &mut *self.r;
        r.pending.sort_by_key(|p| p.key);
        let mut used = out.used;
        let mut spare = SpareHere {
            env: self.f.env,
            state: self.s,
            occupied: &mut r.through.occupied,
            pos: 0,
            usable: used.or(self.f.env.caller_saved()),
        };
        for group in r.pending.chunk_by(|a, b| a.key == b.key) {
            let (point, kind) = ((group[0].key >> 2) as u32, group[0].key & 3);
            // The position of the occupants that the group neither reads nor writes, but must keep.
            spare.pos = match kind {
                LEAVE => 4 * self.f.blocks[spare.state.block_at(2 * point)].end - 1,
                _ => point / 2 * 4 + point % 2 * 3,
            };
            r.group.clear();
            r.group.extend(group.iter().map(|p| p.what));
            r.resolver.resolve(&r.group, &mut spare, |edit| {
                used = used.or(edit.written());
                out.edits.push((point, edit));
            });
        }
        out.used = used;
        out.num_slots = self.s.slots.count;
    }
}

/// Registers that are free at a position.
struct SpareHere<'a> {
    env: &'static MachineEnv,
    state: &'a mut LinearScanScratch,
    occupied: &'a mut Occupied,
    pos: u32,
    /// Registers that may be used without saving a further one.
    usable: PRegSet,
}

impl Spare for SpareHere<'_> {
    fn register(&mut self, class: RegClass, except: PRegSet) -> Option<PReg> {
        if self.state.inputs.dice.as_mut().is_some_and(Dice::departs) {
            return None;
        }
        if !self.occupied.is_built() {
            self.occupied.build(&self.state.intervals, &self.state.ranges);
        }
        let among = PRegSet::class(class).and(self.state.inputs.allocatable).and(self.usable).minus(except);
        among.iter().find(|r| self.occupied.is_free(*r, self.pos, self.pos + 1))
    }
    fn slot(&mut self, class: RegClass) -> u32 {
        self.state.slots.spare(self.env.slot_size(class))
    }
    fn scratch(&self, class: RegClass) -> PReg {
        self.env.scratch[class as usize]
    }
}
