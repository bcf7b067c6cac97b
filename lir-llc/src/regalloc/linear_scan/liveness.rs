//! Computes the live ranges and the uses of all registers.
//!
//! 1. A forward walk over the instructions cuts the live range of each register into segments within one block: from
//!    the definition, or from the start of the block, to the last use before the next definition.
//! 2. The segments of a register are connected across blocks to form its ranges ([`segments`]).
//!
//! Cost: linear in instructions, plus the cost of the segments.
//!
//! [`segments`]: crate::regalloc::live_ranges::segments

use super::{LinearScanScratch, Temp, UseKind, UsePos};
use crate::mir::{MBlock, MFunction, MInst, PReg, PRegSet, PhiArg, VReg};
use crate::regalloc::live_ranges::occupancy::Clobbers;
use crate::regalloc::live_ranges::segments::{Segments, refill};
use crate::regalloc::live_ranges::{NONE, Range};
use crate::regalloc::operands::{Need, Operands, Use};
use lir_opt::tables::live_words::Segment;

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Liveness {
    segments: Segments,
    /// For each register, its last segment.
    last: Vec<u32>,
    /// All uses in the order of the walk.
    log: Vec<(u32, UsePos)>,
    /// For each register, first the number of its uses, then the index of the next one.
    next_use: Vec<u32>,
    /// For each register, its slices of the arenas of ranges and of uses.
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) uses: Vec<(u32, u32)>,
    /// For each register, its rank in the order in which registers first appear in the walk.
    pub(super) rank: Vec<u32>,
    /// For each register, true if it holds 16 bytes.
    pub(super) wide: Vec<bool>,
}

/// Finds all ranges and uses: fills `state.ranges`, `state.uses` and the slices of them that belong to each register,
/// `state.temps`, and the list of clobbers.
pub(super) fn build(f: &MFunction, state: &mut LinearScanScratch) {
    let live = &mut state.live;
    let n = f.vregs.len();
    live.segments.segments.clear();
    live.log.clear();
    refill(&mut live.last, n, NONE);
    refill(&mut live.wide, n, false);
    live.segments.number_edges(f);
    state.clobbers.reset();
    let mut builder = SegmentBuilder {
        f,
        allocatable: state.inputs.allocatable,
        live,
        temps: &mut state.temps,
        clobbers: &mut state.clobbers,
    };
    for b in f.block_ids() {
        builder.block(b, state.inputs.freq[b.index()]);
    }
    group_uses(state);
    group_ranges(f, state);
}

/// Step 1.
struct SegmentBuilder<'a> {
    f: &'a MFunction,
    allocatable: PRegSet,
    live: &'a mut Liveness,
    temps: &'a mut Vec<Temp>,
    clobbers: &'a mut Clobbers,
}

/// The block that is walked.
#[derive(Copy, Clone)]
struct CurrentBlock {
    block: u32,
    start: u32,
    freq: u32,
    depth: u8,
}

impl SegmentBuilder<'_> {
    fn block(&mut self, b: MBlock, freq: u32) {
        let data = &self.f.blocks[b.index()];
        let here = CurrentBlock {
            block: b.0,
            start: 4 * data.start,
            freq,
            depth: data.loop_depth.min(u32::from(u8::MAX)) as u8,
        };
        for phi in self.f.block_phis(b) {
            self.define(here, phi.dst, here.start, UseKind::DefAny, 0);
        }
        for i in data.start..data.end {
            let inst = &self.f.insts[i as usize];
            self.inst(here, i, inst);
        }
        let end = 4 * data.end;
        let k = self.live.segments.pred_number[b.index()] as usize;
        for s in &data.succs {
            for phi in self.f.block_phis(*s) {
                if let PhiArg::Reg(v) = self.f.phi_arg(phi, k) {
                    self.read(here, v, end - 1, end, UseKind::Any, 0);
                }
            }
        }
    }
    fn inst(&mut self, here: CurrentBlock, i: u32, inst: &MInst) {
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
        if let Some(record) = self.f.record(inst) {
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
                self.live.wide[v.index()] |= self.f.exceeds_slot(inst);
            }
            None => {}
        }
    }
    /// True if an operand has to be read from a copy: it must not share a register with the definition, but is the same
    /// virtual register; or the instruction clobbers so many registers that its operands could not all stay live in
    /// others.
    fn wants_copy(&self, ops: &Operands, u: &Use) -> bool {
        if matches!(u.need, Need::Fixed(_)) {
            return false;
        }
        let class = PRegSet::class(self.f.class(u.vreg)).and(self.allocatable);
        u.late && ops.def.is_some_and(|(d, fixed)| d == u.vreg && fixed.is_none())
            || (class.minus(ops.clobbers).len() as usize) < ops.uses().len().min(2)
    }
    fn read(&mut self, here: CurrentBlock, v: VReg, pos: u32, end: u32, kind: UseKind, fixed: u8) {
        let live = &mut *self.live;
        let last = live.last[v.index()];
        match live.segments.segments.get_mut(last as usize) {
            Some(s) if s.node == here.block => s.end = s.end.max(end),
            _ => {
                live.last[v.index()] = live.segments.segments.len() as u32;
                let (start, node) = (here.start, here.block);
                live.segments.segments.push(Segment { start, end, node, prev: last, live_in: true });
            }
        }
        let weight = match kind {
            UseKind::Reg => here.freq,
            _ => here.freq / 2,
        };
        live.log.push((v.0, UsePos { pos, kind, fixed, depth: here.depth, weight }));
    }
    fn define(&mut self, here: CurrentBlock, v: VReg, pos: u32, kind: UseKind, fixed: u8) {
        let live = &mut *self.live;
        let prev = std::mem::replace(&mut live.last[v.index()], live.segments.segments.len() as u32);
        live.segments.segments.push(Segment { start: pos, end: pos + 1, node: here.block, prev, live_in: false });
        live.log.push((v.0, UsePos { pos, kind, fixed, depth: here.depth, weight: here.freq }));
    }
}

fn number(p: PReg) -> u8 {
    p.index() as u8 + 1
}

/// Groups the uses of each register, in order, followed by the uses of the temporaries.
fn group_uses(state: &mut LinearScanScratch) {
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
        let weight = state.inputs.freq[state.block_of[t.inst as usize] as usize];
        let at = state.uses.len() as u32;
        state.uses.push(UsePos { pos: 4 * t.inst, kind: UseKind::DefAny, fixed: 0, depth: 0, weight });
        state.uses.push(UsePos { pos: 4 * t.inst + 1, kind: UseKind::Reg, fixed: 0, depth: 0, weight });
        live.uses.push((at, at + 2));
        live.rank.push(live.rank.len() as u32 + live.log.len() as u32);
    }
}

/// Step 2.
fn group_ranges(f: &MFunction, state: &mut LinearScanScratch) {
    let live = &mut state.live;
    live.segments.forget_blocks(f, &mut state.inputs.dice);
    live.ranges.clear();
    for v in 0..live.last.len() {
        let last = live.last[v];
        let ranges = live.segments.ranges_of(f, &state.regions, &mut state.ranges, v as u32, last);
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
