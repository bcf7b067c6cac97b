//! Better locations in single blocks, once those around them are known.
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
//! The scan saw `header` first and left the value in the register in which it came. At the end of the loop it is in
//! memory, so it was loaded again in every iteration, also where `two` and `three` do not need it.
//!
//! # Algorithm
//!
//! For each web that was split:
//!
//! 1. A block is a *candidate* if one piece holds the web wherever it is live in the block.
//! 2. Its cost in a location is that of the moves along the edges into and out of the block, by frequency, and of those
//!    to and from fixed operands in it.
//! 3. Candidates with an edge that takes a move are looked at. The locations at the other ends of their edges and
//!    memory are tried: a register has to be free in all of the block, and memory is for webs that have a slot anyway
//!    or can be repeated, where nothing in the block wants a register. The cheapest becomes that of the block, and its
//!    neighbours are looked at again.
//! 4. The pieces are cut at the ends of the blocks that were changed.
//!
//! # Why it is sound
//!
//! Pieces are cut where the scan may cut, and moves along edges are made by [`resolve`](super::resolve) from what is
//! decided here, as from what the scan decided.
//!
//! # Cost and limits
//!
//! Each change makes the sum of all moves smaller. For a split web every block in which it is live is visited once, and
//! its edges; blocks are looked at again [`AGAIN`] times as often as there are candidates, at most.
//!
//! # Source
//!
//! Iterative improvement of the kind of B. W. Kernighan and S. Lin, "An Efficient Heuristic Procedure for Partitioning
//! Graphs", Bell System Technical Journal 1970, with moves of single blocks; that locations in blocks without uses are a
//! cut of the graph is in J. Stoklund Olesen's "Greedy Register Allocation in LLVM 3.0", 2011 (spill placement).

use super::{Feature, LinearScanScratch, Loc, NONE, UseKind};
use crate::mir::{MFunction, MReg, PhiArg};
use crate::regalloc::live_ranges::occupancy::Occupied;
use crate::target::x64::{Form, PReg, Props};

/// Cost of a move between registers, of a load, and of a store.
const MOVE: u64 = 4;
const LOAD: u64 = 5;
const STORE: u64 = 5;
/// What a move anywhere costs for its bytes, as a frequency.
const SIZE: u64 = 1;
/// Limit on the visits of candidates, as a multiple of their number.
const AGAIN: usize = 4;
/// Limit on the pieces of another web that are searched for its location.
const PIECES: usize = 32;
/// Limit on the phis of a block that are searched for one of a web.
const PHIS: usize = 64;
/// Limit on the locations that are tried for a block.
const TRIED: usize = 6;
/// Limit on the edges of a block at which locations are looked for.
const EDGES: usize = 16;

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Through {
    /// The pieces of the web at hand.
    pieces: Vec<u32>,
    /// For each block the web for which it was looked at, plus one, and where that is in the block.
    chosen: Vec<(u32, Loc)>,
    /// The candidates to look at.
    queue: Vec<u32>,
    /// The blocks whose location was changed.
    changed: Vec<u32>,
    occupied: Occupied,
}

/// The web at hand.
#[derive(Copy, Clone)]
struct Subject {
    web: u32,
    /// True if it may be in memory: it has a slot, or is repeated.
    memory: bool,
    /// Cost of leaving a register for memory.
    store: u64,
}

/// A block as far as the web at hand is live in it.
#[derive(Copy, Clone)]
struct Part {
    block: u32,
    /// Its first position, and the one behind the last.
    lo: u32,
    hi: u32,
    /// True if the web is live at the begin of the block, and at its end.
    enters: bool,
    leaves: bool,
    /// Its location.
    loc: Loc,
}

/// Improves the locations of all webs.
pub(super) fn run(f: &MFunction, state: &mut LinearScanScratch) {
    if f.returns_twice || !state.inputs.options.has(Feature::Placement) || state.inputs.dice.is_some() {
        return;
    }
    let mut scratch = std::mem::take(&mut state.through);
    scratch.occupied.forget();
    scratch.chosen.clear();
    scratch.chosen.resize(f.blocks.len(), (0, Loc::NONE));
    let mut work = Improvement { f, s: state, r: &mut scratch };
    for w in 0..work.s.webs.len() as u32 {
        let web = &work.s.webs[w as usize];
        if web.split && !web.wide {
            work.web(w);
        }
    }
    state.through = scratch;
}

/// The work on one function.
struct Improvement<'a> {
    f: &'a MFunction,
    s: &'a mut LinearScanScratch,
    r: &'a mut Through,
}

impl Improvement<'_> {
    fn web(&mut self, w: u32) {
        self.r.pieces.clear();
        let mut piece = self.s.webs[w as usize].first;
        while piece != NONE {
            self.r.pieces.push(piece);
            piece = self.s.intervals[piece as usize].next;
        }
        let first = self.s.intervals[self.r.pieces[0] as usize].loc;
        if self.r.pieces.iter().all(|p| self.s.intervals[*p as usize].loc == first) {
            return;
        }
        let web = &self.s.webs[w as usize];
        let remat = web.remat != 0;
        let mut subject = Subject { web: w, memory: remat || web.spilled, store: if remat { 0 } else { STORE } };
        self.r.queue.clear();
        let stores = self.find_candidates(&subject);
        if !remat && self.weight_of_definitions(w) <= stores {
            // The slot is written at the definitions.
            subject.store = 0;
        }
        self.improve(&subject);
        self.apply(w);
    }
    fn weight_of_definitions(&self, w: u32) -> u64 {
        let (lo, hi) = self.s.webs[w as usize].uses;
        let uses = &self.s.uses[lo as usize..hi as usize];
        uses.iter().filter(|u| u.kind.is_def()).map(|u| self.weight(self.s.block_of[(u.pos / 4) as usize])).sum()
    }
    /// The weight of a block. Code size counts for less than in the scan, where it keeps the parts of a web together.
    fn weight(&self, b: u32) -> u64 {
        let data = &self.f.blocks[b as usize];
        if data.cold { 1 } else { u64::from(data.frequency) + SIZE }
    }

    /// Steps 1 and 3: queues the candidates with an edge that takes a move. Returns the frequency of all edges on which
    /// the web goes to memory.
    fn find_candidates(&mut self, subject: &Subject) -> u64 {
        let (f, (lo, hi)) = (self.f, self.s.webs[subject.web as usize].ranges);
        let (mut next, mut stores) = (0, 0);
        for r in lo..hi {
            let range = self.s.ranges[r as usize];
            next = next.max(self.s.block_at(range.start));
            while next < f.blocks.len() && 4 * f.blocks[next].start < range.end {
                let b = next;
                next += 1;
                let here = self.location_in(subject.web, b as u32);
                let mut takes_move = false;
                let enters = self.is_live(subject.web, 4 * f.blocks[b].start);
                for (k, p) in f.blocks[b].preds.iter().enumerate().filter(|_| enters) {
                    let from = self.source(subject.web, b as u32, k, p.0);
                    takes_move |= from != Some(here);
                    if here == Loc::NONE && from.is_some_and(|from| from != here) {
                        stores += self.often(p.0, b as u32);
                    }
                }
                if self.is_live(subject.web, 4 * f.blocks[b].end - 1) {
                    let out = self.location_at(4 * f.blocks[b].end - 1);
                    takes_move |= f.blocks[b].succs.iter().any(|s| {
                        self.is_live(subject.web, 4 * f.blocks[s.index()].start)
                            && self.location_in(subject.web, s.0) != out
                    });
                }
                if takes_move && self.part(subject.web, b as u32).is_some() {
                    self.r.queue.push(b as u32);
                }
            }
        }
        stores
    }

    /// Step 3.
    fn improve(&mut self, subject: &Subject) {
        self.r.changed.clear();
        let mut visits = AGAIN * self.r.queue.len();
        let mut next = 0;
        while let Some(&b) = self.r.queue.get(next)
            && visits > 0
        {
            next += 1;
            visits -= 1;
            let Some(part) = self.part(subject.web, b) else { continue };
            let Some(better) = self.better(subject, &part) else { continue };
            self.move_to(&part, better);
            if self.r.chosen[b as usize].0 != subject.web + 1 {
                self.r.changed.push(b);
            }
            self.r.chosen[b as usize] = (subject.web + 1, better);
            let data = &self.f.blocks[b as usize];
            let neighbours = data.preds.iter().chain(&data.succs).take(EDGES);
            self.r.queue.extend(neighbours.map(|n| n.0).filter(|n| *n != b));
        }
    }
    /// Notes that a register is taken in a block, and the one before is free there.
    fn move_to(&mut self, part: &Part, to: Loc) {
        if !self.r.occupied.is_built() {
            return;
        }
        if let Some(r) = part.loc.as_reg() {
            self.r.occupied.remove(r, part.lo, part.hi);
        }
        if let Some(r) = to.as_reg() {
            self.r.occupied.insert(r, part.lo, part.hi);
        }
    }

    /// Step 4.
    fn apply(&mut self, w: u32) {
        let mut changed = std::mem::take(&mut self.r.changed);
        changed.sort_unstable();
        let mut piece = self.s.webs[w as usize].first;
        for &b in &changed {
            let data = &self.f.blocks[b as usize];
            let (start, end, loc) = (4 * data.start, 4 * data.end, self.r.chosen[b as usize].1);
            while let Some(next) = self.s.intervals.get(self.s.intervals[piece as usize].next as usize)
                && next.from < end
            {
                piece = self.s.intervals[piece as usize].next;
            }
            for at in [start, end] {
                let iv = self.s.intervals[piece as usize];
                if iv.from < at && iv.to > at {
                    let tail = self.s.cut(piece, at);
                    self.s.intervals[tail as usize].loc = iv.loc;
                    if at == start {
                        piece = tail;
                    }
                }
            }
            self.s.intervals[piece as usize].loc = loc;
        }
        self.r.changed = changed;
    }

    /// The part of a block in which a web is live. None where it is in several pieces there, or has a hole, in which
    /// others may be in its register.
    fn part(&self, w: u32, b: u32) -> Option<Part> {
        let data = &self.f.blocks[b as usize];
        let (start, end) = (4 * data.start, 4 * data.end);
        let web = &self.s.webs[w as usize];
        let ranges = &self.s.ranges[web.ranges.0 as usize..web.ranges.1 as usize];
        let first = ranges.partition_point(|r| r.end <= start);
        let last = ranges.partition_point(|r| r.start < end);
        if first >= last || ranges[first..last].windows(2).any(|pair| pair[0].end < pair[1].start) {
            return None;
        }
        let (lo, hi) = (ranges[first].start.max(start), ranges[last - 1].end.min(end));
        let piece = &self.s.intervals[self.piece_at(lo) as usize];
        if piece.from > lo || piece.to < hi {
            return None;
        }
        let loc = self.chosen_in(w, b).unwrap_or(piece.loc);
        Some(Part { block: b, lo, hi, enters: lo == start, leaves: hi == end, loc })
    }
    /// The location of the web at hand in a block, where it was changed.
    fn chosen_in(&self, w: u32, b: u32) -> Option<Loc> {
        let (of, loc) = self.r.chosen[b as usize];
        (of == w + 1).then_some(loc)
    }
    fn piece_at(&self, pos: u32) -> u32 {
        let k = self.r.pieces.partition_point(|p| self.s.intervals[*p as usize].from <= pos);
        self.r.pieces[k.max(1) - 1]
    }
    fn location_at(&self, pos: u32) -> Loc {
        self.s.intervals[self.piece_at(pos) as usize].loc
    }
    /// The location of the web at hand at the begin of a block.
    fn location_in(&self, w: u32, b: u32) -> Loc {
        self.chosen_in(w, b).unwrap_or_else(|| self.location_at(4 * self.f.blocks[b as usize].start))
    }
    /// The location of the web at hand at the end of a block.
    fn location_out(&self, w: u32, b: u32) -> Loc {
        self.chosen_in(w, b).unwrap_or_else(|| self.location_at(4 * self.f.blocks[b as usize].end - 1))
    }
    /// True if a web is live at a position.
    fn is_live(&self, w: u32, pos: u32) -> bool {
        let (lo, hi) = self.s.webs[w as usize].ranges;
        let ranges = &self.s.ranges[lo as usize..hi as usize];
        let k = ranges.partition_point(|r| r.end <= pos);
        ranges.get(k).is_some_and(|r| r.start <= pos)
    }
    /// The weight of an edge.
    fn often(&self, p: u32, b: u32) -> u64 {
        self.weight(if self.f.blocks[p as usize].succs.len() == 1 { p } else { b })
    }

    /// The phi of a block that assigns a web.
    fn phi_of(&self, w: u32, b: u32) -> Option<usize> {
        let data = &self.f.blocks[b as usize];
        let mut phis = data.phis.clone().take(PHIS);
        phis.find(|k| self.s.web_of[self.f.phis[*k as usize].dst.index()] == w).map(|k| k as usize)
    }
    /// True if a phi assigns a web at the begin of a block.
    fn has_phi(&self, w: u32, b: u32) -> bool {
        let (lo, hi) = self.s.webs[w as usize].uses;
        let (uses, start) = (&self.s.uses[lo as usize..hi as usize], 4 * self.f.blocks[b as usize].start);
        let k = uses.partition_point(|u| u.pos < start);
        uses[k..].iter().take_while(|u| u.pos == start).any(|u| u.kind == UseKind::DefAny)
    }
    /// The operand of a phi for predecessor number `k` of a block, if a phi assigns the web there.
    fn phi_operand(&self, w: u32, b: u32, k: usize) -> Option<PhiArg> {
        let phi = if self.has_phi(w, b) { self.phi_of(w, b)? } else { return None };
        Some(self.f.phi_arg(&self.f.phis[phi], k))
    }
    /// The location at the end of predecessor number `k`, which is `p`, of what the web at hand is at the begin of
    /// block `b`. None for a constant.
    fn source(&self, w: u32, b: u32, k: usize, p: u32) -> Option<Loc> {
        match self.phi_operand(w, b, k) {
            None => Some(self.location_out(w, p)),
            Some(PhiArg::Const(_)) => None,
            Some(PhiArg::Reg(v)) if self.s.web_of[v.index()] == w => Some(self.location_out(w, p)),
            Some(PhiArg::Reg(v)) => self.elsewhere(self.s.web_of[v.index()], 4 * self.f.blocks[p as usize].end - 1),
        }
    }
    /// The location of another web at a position, unless it takes long to find.
    fn elsewhere(&self, w: u32, pos: u32) -> Option<Loc> {
        let mut piece = self.s.intervals.get(self.s.webs.get(w as usize)?.first as usize)?;
        for _ in 0..PIECES {
            match self.s.intervals.get(piece.next as usize) {
                Some(next) if next.from <= pos => piece = next,
                _ => return Some(piece.loc),
            }
        }
        None
    }

    /// A cheaper location for a block.
    fn better(&mut self, subject: &Subject, part: &Part) -> Option<Loc> {
        let w = subject.web;
        let data = &self.f.blocks[part.block as usize];
        let wants_register = self.wants_register(w, part);
        let mut tried = [part.loc; TRIED];
        let mut len = 1;
        let mut offer = |loc: Loc| {
            if len < TRIED && !tried[..len].contains(&loc) {
                tried[len] = loc;
                len += 1;
            }
        };
        if subject.memory && !wants_register {
            offer(Loc::NONE);
        }
        let preds = data.preds.iter().enumerate().filter(|_| part.enters).take(EDGES);
        let before = preds.filter_map(|(k, p)| self.source(w, part.block, k, p.0));
        let succs = data.succs.iter().filter(|s| part.leaves && self.goes_into(w, part.block, s.0)).take(EDGES);
        let after = succs.map(|s| self.location_in(w, s.0));
        before.chain(after).filter(|loc| *loc != Loc::NONE).for_each(&mut offer);
        if len == 1 {
            return None;
        }
        let mut best = (self.cost(subject, part, part.loc), part.loc);
        for loc in &tried[1..len] {
            let cost = self.cost(subject, part, *loc);
            if cost < best.0 && loc.as_reg().is_none_or(|r| self.is_free(r, part)) {
                best = (cost, *loc);
            }
        }
        (best.1 != part.loc).then_some(best.1)
    }
    /// True if an instruction of the block needs the web in a register.
    fn wants_register(&self, w: u32, part: &Part) -> bool {
        self.uses_in(w, part).iter().any(|u| self.s.needs_reg(w, u) || u.kind == UseKind::Slot)
    }
    fn uses_in(&self, w: u32, part: &Part) -> &[super::UsePos] {
        let (lo, hi) = self.s.webs[w as usize].uses;
        let uses = &self.s.uses[lo as usize..hi as usize];
        &uses[uses.partition_point(|u| u.pos < part.lo)..uses.partition_point(|u| u.pos < part.hi)]
    }
    /// True if a register may hold the web in a block.
    fn is_free(&mut self, r: PReg, part: &Part) -> bool {
        if !self.r.occupied.is_built() {
            self.r.occupied.build(&self.s.intervals, &self.s.ranges);
        }
        self.s.inputs.allocatable.contains(r)
            && self.r.occupied.is_free(r, part.lo, part.hi)
            && !self.s.clobbers.is_clobbered(r, part.lo, part.hi)
    }
    /// True if the web itself goes along an edge.
    fn goes_into(&self, w: u32, b: u32, s: u32) -> bool {
        let data = &self.f.blocks[s as usize];
        self.is_live(w, 4 * data.start) && {
            let k = data.preds.iter().position(|p| p.0 == b).unwrap_or(0);
            match self.phi_operand(w, s, k) {
                None => !self.has_phi(w, s),
                Some(PhiArg::Reg(v)) => self.s.web_of[v.index()] == w,
                Some(PhiArg::Const(_)) => false,
            }
        }
    }

    /// Step 2.
    fn cost(&self, subject: &Subject, part: &Part, loc: Loc) -> u64 {
        let (w, b) = (subject.web, part.block);
        let data = &self.f.blocks[b as usize];
        let mut sum = self.cost_inside(subject, part, loc);
        for (k, p) in data.preds.iter().enumerate().filter(|_| part.enters) {
            let cost = match self.source(w, b, k, p.0) {
                Some(from) if self.is_own(w, b, k) => between(from, loc, subject.store),
                Some(from) => from_other(from, loc),
                None if loc == Loc::NONE => MOVE + STORE,
                None => MOVE,
            };
            sum += cost * self.often(p.0, b);
        }
        for s in data.succs.iter().filter(|_| part.leaves) {
            if self.goes_into(w, b, s.0) {
                sum += between(loc, self.location_in(w, s.0), subject.store) * self.often(b, s.0);
            }
        }
        sum + self.cost_of_phis(subject, part, loc)
    }
    /// True if the web comes along the edge from predecessor number `k` by itself.
    fn is_own(&self, w: u32, b: u32, k: usize) -> bool {
        match self.phi_operand(w, b, k) {
            None => true,
            Some(PhiArg::Reg(v)) => self.s.web_of[v.index()] == w,
            Some(PhiArg::Const(_)) => false,
        }
    }
    /// Cost of the moves to phis of other webs at the end of a block.
    fn cost_of_phis(&self, subject: &Subject, part: &Part, loc: Loc) -> u64 {
        let last = self.uses_in(subject.web, part).last();
        let end = 4 * self.f.blocks[part.block as usize].end;
        if !last.is_some_and(|u| u.pos == end - 1 && u.kind == UseKind::Any) {
            return 0;
        }
        let mut sum = 0;
        for s in &self.f.blocks[part.block as usize].succs {
            let data = &self.f.blocks[s.index()];
            let Some(k) = data.preds.iter().position(|p| p.0 == part.block) else { continue };
            for phi in &self.f.phis[data.phis.start as usize..data.phis.end as usize] {
                let other = self.s.web_of[phi.dst.index()];
                let is_read =
                    matches!(self.f.phi_arg(phi, k), PhiArg::Reg(v) if self.s.web_of[v.index()] == subject.web);
                if is_read && other != subject.web && other != NONE {
                    let to = self.elsewhere(other, 4 * data.start).unwrap_or(Loc::NONE);
                    sum += from_other(loc, to) * self.often(part.block, s.0);
                }
            }
        }
        sum
    }
    /// Cost of moves to and from fixed operands within the block, and of copies that a shared register saves.
    fn cost_inside(&self, subject: &Subject, part: &Part, loc: Loc) -> u64 {
        let freq = self.weight(part.block);
        let mut sum = 0;
        for u in self.uses_in(subject.web, part) {
            let cost = match (u.fixed, u.kind) {
                (0, _) => self.cost_of_copy(subject.web, u.pos, loc),
                (n, _) if loc == Loc::reg(PReg::new(n - 1)) => 0,
                (_, UseKind::DefAny) if loc == Loc::NONE => subject.store.max(1),
                (_, _) if loc == Loc::NONE => LOAD,
                _ => MOVE,
            };
            sum += cost * freq;
        }
        sum
    }
    /// Cost of an instruction that computes in place or copies, where the other web is in another register.
    fn cost_of_copy(&self, w: u32, pos: u32, loc: Loc) -> u64 {
        let inst = &self.f.insts[(pos / 4) as usize];
        if pos % 4 != 1 && pos % 4 != 2 {
            return 0;
        }
        if !(inst.form.is_tied() || inst.form == Form::DA && inst.op.props().has(Props::COPY)) {
            return 0;
        }
        let web_of = |r: MReg| r.as_virt().map_or(NONE, |v| self.s.web_of[v.index()]);
        let (d, a) = (web_of(inst.d), web_of(inst.a));
        let commutes = inst.form == Form::DTB && inst.op.props().has(Props::COMMUTATIVE);
        let b = if commutes { web_of(MReg::from_bits(inst.b)) } else { NONE };
        let at = pos / 4 * 4;
        let partners = match (d == w, a == w || b == w) {
            (true, true) | (false, false) => return 0,
            (true, false) => [(a, at + 1), (b, at + 1)],
            (false, true) => [(d, at + 2), (NONE, 0)],
        };
        let mut shared = partners.iter().filter(|(other, _)| *other != NONE).map(|(o, at)| self.elsewhere(*o, *at));
        if shared.any(|other| other == Some(loc)) { 0 } else { MOVE }
    }
}

/// Cost of bringing a web from one location to another.
fn between(from: Loc, to: Loc, store: u64) -> u64 {
    match (from == Loc::NONE, to == Loc::NONE) {
        _ if from == to => 0,
        (false, false) => MOVE,
        (true, _) => LOAD,
        (false, true) => store,
    }
}

/// Cost of a phi's move from one web to another.
fn from_other(from: Loc, to: Loc) -> u64 {
    match (from == Loc::NONE, to == Loc::NONE) {
        (true, true) => LOAD + STORE,
        _ => between(from, to, STORE),
    }
}
