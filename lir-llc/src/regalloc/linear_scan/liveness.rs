//! Live ranges and uses of all registers.
//!
//! 1. A forward walk over the instructions cuts the life of each register into segments within one block: from the
//!    definition, or from the start of the block, to the last use before the next definition.
//! 2. A register with a segment that begins at the start of its block is followed backward over predecessors: the
//!    last segment of a predecessor is prolonged to its end; a predecessor without one is live through. Loops without
//!    a definition are stepped over in one (see [`regions`](crate::mir::regions)).
//! 3. The segments of a register, in order and joined where they touch, are its ranges.
//!
//! Cost: linear in instructions and in the number of (register, block) pairs where a register is live into the block
//! and not live through a whole loop around it, which count as one.

use super::occupancy::Clobbers;
use super::{NONE, Range, State, Temp, UseKind, UsePos};
use crate::mir::regions::Regions;
use crate::mir::{MBlock, MFunction, MInst, PhiArg, VReg};
use crate::regalloc::operands::{Need, Operands, Use};
use crate::target::x64::{PReg, PRegSet};

/// The life of a register within a block.
#[derive(Copy, Clone, Debug)]
pub(super) struct Segment {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) block: u32,
    /// The segment of the same register before this one.
    pub(super) prev: u32,
    /// True if the register is live into the block here.
    pub(super) live_in: bool,
}

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Liveness {
    pub(super) segments: Vec<Segment>,
    /// For each register its last segment.
    last: Vec<u32>,
    /// Uses in the order of the walk.
    log: Vec<(u32, UsePos)>,
    /// For each register the number of its uses, then where the next one is put.
    next_use: Vec<u32>,
    /// For each register its ranges and uses in the arenas.
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) uses: Vec<(u32, u32)>,
    /// For each register when it first appeared in the walk.
    pub(super) rank: Vec<u32>,
    /// Registers that hold 16 bytes.
    pub(super) wide: Vec<bool>,
    /// For each block and successor the number of the block among the predecessors of the successor.
    pub(super) pred_number: Vec<u32>,
    /// For each block the register for which it is known that it is live out, and the one whose last segment in the
    /// block is in `segment_in`.
    out_of: Vec<u32>,
    segment_of: Vec<u32>,
    segment_in: Vec<u32>,
    /// For each block the register that is live through the region that starts there.
    region_of: Vec<u32>,
    /// For the register at hand: blocks that it is live into, stretches of blocks that it is live through, its
    /// segments, and the blocks that define it.
    worklist: Vec<u32>,
    through: Vec<(u32, u32)>,
    chain: Vec<u32>,
    defs: Vec<u32>,
}

/// Fills `state.ranges`, `state.uses` and the slices of them that belong to each register, `state.temps`, and the
/// list of clobbers.
pub(super) fn build(f: &MFunction, state: &mut State) {
    let live = &mut state.live;
    let n = f.vregs.len();
    live.segments.clear();
    live.log.clear();
    refill(&mut live.last, n, NONE);
    refill(&mut live.wide, n, false);
    number_edges(f, live);
    state.clobbers.reset();
    let mut walk =
        Walk { f, allocatable: state.allocatable, live, temps: &mut state.temps, clobbers: &mut state.clobbers };
    for b in f.block_ids() {
        walk.block(b, state.freq[b.index()]);
    }
    group_uses(state);
    group_ranges(f, state);
}

fn refill<T: Copy>(v: &mut Vec<T>, n: usize, value: T) {
    v.clear();
    v.resize(n, value);
}

/// Fills `pred_number`.
pub(super) fn number_edges(f: &MFunction, live: &mut Liveness) {
    // The successors of a block with several have no other predecessor: there the number is 0.
    refill(&mut live.pred_number, f.blocks.len(), 0);
    for data in &f.blocks {
        for (k, p) in data.preds.iter().enumerate() {
            live.pred_number[p.index()] = k as u32;
        }
    }
}

/// Step 1.
struct Walk<'a> {
    f: &'a MFunction,
    allocatable: PRegSet,
    live: &'a mut Liveness,
    temps: &'a mut Vec<Temp>,
    clobbers: &'a mut Clobbers,
}

/// The block that is walked.
#[derive(Copy, Clone)]
struct Here {
    block: u32,
    start: u32,
    freq: u32,
    depth: u8,
}

impl Walk<'_> {
    fn block(&mut self, b: MBlock, freq: u32) {
        let data = &self.f.blocks[b.index()];
        let here =
            Here { block: b.0, start: 4 * data.start, freq, depth: data.loop_depth.min(u32::from(u8::MAX)) as u8 };
        for phi in self.f.block_phis(b) {
            self.define(here, phi.dst, here.start, UseKind::DefAny, 0);
        }
        for i in data.start..data.end {
            let inst = &self.f.insts[i as usize];
            self.inst(here, i, inst);
        }
        let end = 4 * data.end;
        let k = self.live.pred_number[b.index()] as usize;
        for s in &data.succs {
            for phi in self.f.block_phis(*s) {
                if let PhiArg::Reg(v) = self.f.phi_arg(phi, k) {
                    self.read(here, v, end - 1, end, UseKind::Any, 0);
                }
            }
        }
    }
    fn inst(&mut self, here: Here, i: u32, inst: &MInst) {
        let ops = Operands::of(self.f, inst);
        let at = 4 * i;
        for u in ops.uses() {
            if self.wants_copy(&ops, u) {
                self.temps.push(Temp {
                    inst: i,
                    field: u.field,
                    vreg: (self.f.vregs.len() + self.temps.len()) as u32,
                    of: u.vreg,
                });
                self.read(here, u.vreg, at, at + 1, UseKind::Any, 0);
                continue;
            }
            match u.need {
                Need::Fixed(p) => self.read(here, u.vreg, at, at + 1, UseKind::Any, number(p)),
                Need::Reg => self.read(here, u.vreg, at + 1, at + 2 + u32::from(u.late), UseKind::Reg, 0),
                Need::RegOrSlot => self.read(here, u.vreg, at + 1, at + 2 + u32::from(u.late), UseKind::Slot, 0),
            }
        }
        if inst.has_record() {
            let record = &self.f.records[inst.record_index()];
            for (r, p) in &record.uses {
                if let Some(v) = r.as_virt() {
                    self.read(here, v, at, at + 1, UseKind::Any, number(*p));
                }
            }
            for (r, p) in &record.defs {
                if let Some(v) = r.as_virt() {
                    self.define(here, v, at + 3, UseKind::DefAny, number(*p));
                }
            }
            if !ops.uses().is_empty() {
                self.clobbers.push(ops.early_clobbers, at + 1, at + 2);
            }
            self.clobbers.push(ops.clobbers, at + 2, at + 3);
        } else {
            self.clobbers.push(ops.clobbers, at + 1, at + 3);
        }
        match ops.def {
            Some((v, Some(p))) => self.define(here, v, at + 3, UseKind::DefAny, number(p)),
            Some((v, None)) => {
                self.define(here, v, at + 2, UseKind::Def, 0);
                self.live.wide[v.index()] |= inst.defs_16_bytes();
            }
            None => {}
        }
    }
    /// True if an operand has to be read from a copy. It must not share a register with the definition but is the same
    /// virtual register; or the instruction clobbers so many registers that its operands could not all live on in
    /// others.
    fn wants_copy(&self, ops: &Operands, u: &Use) -> bool {
        if matches!(u.need, Need::Fixed(_)) {
            return false;
        }
        let class = PRegSet::class(self.f.class(u.vreg)).and(self.allocatable);
        u.late && ops.def.is_some_and(|(d, fixed)| d == u.vreg && fixed.is_none())
            || (class.minus(ops.clobbers).len() as usize) < ops.uses().len().min(2)
    }
    fn read(&mut self, here: Here, v: VReg, pos: u32, end: u32, kind: UseKind, fixed: u8) {
        let live = &mut *self.live;
        let last = live.last[v.index()];
        match live.segments.get_mut(last as usize) {
            Some(s) if s.block == here.block => s.end = s.end.max(end),
            _ => {
                live.last[v.index()] = live.segments.len() as u32;
                live.segments.push(Segment { start: here.start, end, block: here.block, prev: last, live_in: true });
            }
        }
        let weight = match kind {
            UseKind::Reg => here.freq,
            _ => here.freq / 2,
        };
        live.log.push((v.0, UsePos { pos, kind, fixed, depth: here.depth, weight }));
    }
    fn define(&mut self, here: Here, v: VReg, pos: u32, kind: UseKind, fixed: u8) {
        let live = &mut *self.live;
        let prev = std::mem::replace(&mut live.last[v.index()], live.segments.len() as u32);
        live.segments.push(Segment { start: pos, end: pos + 1, block: here.block, prev, live_in: false });
        live.log.push((v.0, UsePos { pos, kind, fixed, depth: here.depth, weight: here.freq }));
    }
}

fn number(p: PReg) -> u8 {
    p.index() as u8 + 1
}

/// Uses of each register together, in order; behind them those of the temporaries.
fn group_uses(state: &mut State) {
    let live = &mut state.live;
    let n = live.last.len();
    refill(&mut live.next_use, n, 0);
    for (v, _) in &live.log {
        live.next_use[*v as usize] += 1;
    }
    live.uses.clear();
    let mut sum = 0;
    for next in &mut live.next_use {
        let start = sum;
        sum += *next;
        *next = start;
        live.uses.push((start, sum));
    }
    let filler = UsePos { pos: 0, kind: UseKind::Any, fixed: 0, depth: 0, weight: 0 };
    state.uses.resize(live.log.len(), filler);
    refill(&mut live.rank, n, NONE);
    for (k, (v, u)) in live.log.iter().enumerate() {
        let next = &mut live.next_use[*v as usize];
        live.rank[*v as usize] = live.rank[*v as usize].min(k as u32);
        state.uses[*next as usize] = *u;
        *next += 1;
    }
    for t in &state.temps {
        let weight = state.freq[state.block_of[t.inst as usize] as usize];
        let at = state.uses.len() as u32;
        state.uses.push(UsePos { pos: 4 * t.inst, kind: UseKind::DefAny, fixed: 0, depth: 0, weight });
        state.uses.push(UsePos { pos: 4 * t.inst + 1, kind: UseKind::Reg, fixed: 0, depth: 0, weight });
        live.uses.push((at, at + 2));
        live.rank.push(live.rank.len() as u32 + live.log.len() as u32);
    }
}

/// Steps 2 and 3.
fn group_ranges(f: &MFunction, state: &mut State) {
    let live = &mut state.live;
    forget_blocks(f, live);
    live.ranges.clear();
    for v in 0..live.last.len() {
        let last = live.last[v];
        let ranges = ranges_of(f, &state.regions, live, &mut state.ranges, v as u32, last);
        live.ranges.push(ranges);
    }
    for t in &state.temps {
        let at = state.ranges.len() as u32;
        let end = 4 * t.inst + if f.insts[t.inst as usize].form.is_tied() { 3 } else { 2 };
        state.ranges.push(Range { start: 4 * t.inst, end });
        live.ranges.push((at, at + 1));
        live.wide.push(false);
    }
}

/// Forgets what was known for each block about registers.
pub(super) fn forget_blocks(f: &MFunction, live: &mut Liveness) {
    for marks in [&mut live.out_of, &mut live.segment_of, &mut live.segment_in, &mut live.region_of] {
        refill(marks, f.blocks.len(), NONE);
    }
}

/// Appends the ranges of a register to the arena, from the chain of its segments; gives their slice. Blocks are marked
/// with its number, so that it must not be that of another register.
pub(super) fn ranges_of(
    f: &MFunction,
    regions: &Regions,
    live: &mut Liveness,
    ranges: &mut Vec<Range>,
    v: u32,
    last: u32,
) -> (u32, u32) {
    let at = ranges.len() as u32;
    live.chain.clear();
    let (mut s, mut crosses) = (last, false);
    while let Some(segment) = live.segments.get(s as usize) {
        live.chain.push(s);
        s = segment.prev;
        crosses |= segment.live_in;
    }
    live.through.clear();
    if crosses {
        follow(f, regions, live, v);
    }
    let mut through = live.through.iter().peekable();
    for s in live.chain.iter().rev() {
        let s = live.segments[*s as usize];
        while let Some(blocks) = through.next_if(|blocks| blocks.0 <= s.block) {
            push_range(f, ranges, at, *blocks);
        }
        join(ranges, at, Range { start: s.start, end: s.end });
    }
    for blocks in through {
        push_range(f, ranges, at, *blocks);
    }
    (at, ranges.len() as u32)
}

fn push_range(f: &MFunction, ranges: &mut Vec<Range>, from: u32, (first, last): (u32, u32)) {
    let (start, end) = (f.blocks[first as usize].start, f.blocks[last as usize].end);
    join(ranges, from, Range { start: 4 * start, end: 4 * end });
}

/// Appends a range to those from `from` on, to the last one where it touches it.
pub(super) fn join(ranges: &mut Vec<Range>, from: u32, r: Range) {
    if ranges.len() > from as usize
        && let Some(last) = ranges.last_mut()
        && last.end >= r.start
    {
        last.end = last.end.max(r.end);
    } else {
        ranges.push(r);
    }
}

/// Step 2 for one register, whose segments are in `chain`, the last one first: prolongs segments to the end of their
/// block where the register is live out, and collects the stretches of blocks that it is live through in `through`,
/// ascending.
fn follow(f: &MFunction, regions: &Regions, live: &mut Liveness, v: u32) {
    live.worklist.clear();
    live.defs.clear();
    for s in &live.chain {
        let segment = live.segments[*s as usize];
        let b = segment.block as usize;
        if live.segment_of[b] != v {
            live.segment_of[b] = v;
            live.segment_in[b] = *s;
        }
        if segment.live_in {
            live.worklist.push(segment.block);
        } else {
            live.defs.push(segment.block);
        }
    }
    while let Some(b) = live.worklist.pop() {
        // Control enters a region at its first block, so that all other blocks of it need not be looked at.
        let region = regions.outermost_without(b, &live.defs);
        let first = region.unwrap_or(b);
        let last = region.and_then(|h| regions.last(h)).unwrap_or(b);
        if region.is_some() {
            if live.region_of[first as usize] == v {
                continue;
            }
            live.region_of[first as usize] = v;
            live.through.push((first, last));
        }
        for p in &f.blocks[first as usize].preds {
            if region.is_some() && (first..=last).contains(&p.0) {
                continue;
            }
            let p = p.index();
            if live.out_of[p] == v {
                continue;
            }
            live.out_of[p] = v;
            if live.segment_of[p] == v {
                live.segments[live.segment_in[p] as usize].end = 4 * f.blocks[p].end;
            } else {
                live.through.push((p as u32, p as u32));
                live.worklist.push(p as u32);
            }
        }
    }
    sort_through(regions, live, v);
}

/// Sorts the stretches that a register is live through. Where they lie close, they are read off the marks instead.
fn sort_through(regions: &Regions, live: &mut Liveness, v: u32) {
    let (lo, hi) = live.through.iter().fold((NONE, 0), |(lo, hi), s| (lo.min(s.0), hi.max(s.0)));
    if live.through.len() < 16 || ((hi - lo) / 16) as usize > live.through.len() {
        live.through.sort_unstable();
        return;
    }
    live.through.clear();
    let mut b = lo;
    while b <= hi {
        let mut last = b;
        if live.region_of[b as usize] == v {
            last = regions.last(b).unwrap_or(b);
            live.through.push((b, last));
        } else if live.out_of[b as usize] == v && live.segment_of[b as usize] != v {
            live.through.push((b, b));
        }
        b = last + 1;
    }
}
