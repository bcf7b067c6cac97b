//! Joins registers to webs.
//!
//! Candidates are the phis, those that run most often first, and then copies between registers. Two webs are joined
//! when no range of one intersects a range of the other (all of the ranges, not just those of the two registers:
//! else the swap problem and the lost copy problem come back). Ranges end where a value is last read and begin where
//! the next is written, so a copy whose source dies can be joined.
//!
//! The ranges of a growing web are kept as runs, each sorted, of which the larger is at least twice as long as the
//! next: a phi with n operands costs n log n, not n squared. Union-find: Tarjan, "Efficiency of a good but not linear
//! set union algorithm", JACM 1975.

use super::{Feature, LinearScanScratch, NONE, Range, UsePos, Web, class_of};
use crate::mir::{MFunction, PhiArg, VReg};
use crate::regalloc::live_ranges::segments::join;
use crate::target::x64::{Form, Props};
use smallvec::SmallVec;

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Union {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// For each root of several registers an index into `runs`: the runs of its ranges, as slices of the arena.
    runs_of: Vec<u32>,
    runs: Vec<Runs>,
    /// Phis in the order in which they are tried.
    phis: Vec<(u32, u32, u32)>,
    /// Pairs (root, member) of webs of several registers.
    members: Vec<(u32, u32)>,
    merged: Vec<UsePos>,
    order: Vec<(u32, u32, u32)>,
}

/// Runs of ranges, the longest first.
type Runs = SmallVec<[(u32, u32); 2]>;

impl Union {
    fn runs(&self, root: u32, ranges: &[(u32, u32)]) -> Runs {
        match self.runs.get(self.runs_of[root as usize] as usize) {
            Some(runs) => runs.clone(),
            None => Runs::from_slice(&[ranges[root as usize]]),
        }
    }
    fn find(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }
}

/// Makes the webs, in the order of their first position.
pub(super) fn build_webs(f: &MFunction, state: &mut LinearScanScratch) {
    let n = state.live.ranges.len() as u32;
    let union = &mut state.union;
    union.parent.clear();
    union.parent.extend(0..n);
    union.size.clear();
    union.size.resize(n as usize, 1);
    union.runs.clear();
    union.runs_of.clear();
    union.runs_of.resize(n as usize, NONE);
    // Where a call may return twice, two registers must not share a slot, so they cannot be one web.
    if !f.returns_twice && state.inputs.options.has(Feature::Webs) {
        join_phis(f, state);
        join_copies(f, state);
    }
    collect(f, state);
    state.cumulated.push(0);
    let mut sum = 0;
    for u in &state.uses {
        sum += u64::from(u.weight);
        state.cumulated.push(sum);
    }
}

fn join_phis(f: &MFunction, state: &mut LinearScanScratch) {
    let mut phis = std::mem::take(&mut state.union.phis);
    phis.clear();
    for (b, data) in f.blocks.iter().enumerate() {
        phis.extend(data.phis.clone().map(|p| (u32::MAX - state.inputs.freq[b], b as u32, p)));
    }
    phis.sort_unstable();
    for (_, b, p) in &phis {
        let phi = &f.phis[*p as usize];
        for k in 0..f.blocks[*b as usize].preds.len() {
            if let PhiArg::Reg(v) = f.phi_arg(phi, k) {
                try_join(state, phi.dst, v);
            }
        }
    }
    state.union.phis = phis;
}

fn join_copies(f: &MFunction, state: &mut LinearScanScratch) {
    for inst in &f.insts {
        if inst.form == Form::DA
            && inst.op.props().has(Props::COPY)
            && let (Some(d), Some(a)) = (inst.d.as_virt(), inst.a.as_virt())
            && !f.is_part_of(d, a)
            && !f.is_part_of(a, d)
        {
            try_join(state, d, a);
        }
    }
}

fn try_join(state: &mut LinearScanScratch, a: VReg, b: VReg) {
    let union = &mut state.union;
    let (a, b) = (union.find(a.0), union.find(b.0));
    let wide = &mut state.live.wide;
    if a == b || wide[a as usize] != wide[b as usize] {
        return;
    }
    let (big, small) = if union.size[a as usize] >= union.size[b as usize] { (a, b) } else { (b, a) };
    let (mut runs, moved) = (union.runs(big, &state.live.ranges), union.runs(small, &state.live.ranges));
    for r in &moved {
        for s in &runs {
            if intersect(slice(&state.ranges, *r), slice(&state.ranges, *s)) {
                return;
            }
        }
    }
    union.parent[small as usize] = big;
    union.size[big as usize] += union.size[small as usize];
    for run in moved {
        add_run(&mut state.ranges, &mut runs, run);
    }
    match union.runs.get_mut(union.runs_of[big as usize] as usize) {
        Some(old) => *old = runs,
        None => {
            union.runs_of[big as usize] = union.runs.len() as u32;
            union.runs.push(runs);
        }
    }
}

fn slice(ranges: &[Range], (lo, hi): (u32, u32)) -> &[Range] {
    &ranges[lo as usize..hi as usize]
}

/// True if two sorted lists of ranges have a position in common. Searches the longer one for the parts of the other.
fn intersect(a: &[Range], b: &[Range]) -> bool {
    let (few, mut many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    for r in few {
        // Gallop, then bisect: consecutive ranges are mostly near.
        let mut step = 1;
        while step < many.len() && many[step].end <= r.start {
            step *= 2;
        }
        let bound = many.len().min(step + 1);
        let skip = many[..bound].partition_point(|m| m.end <= r.start);
        many = &many[skip..];
        match many.first() {
            Some(m) if m.start < r.end => return true,
            Some(_) => {}
            None => return false,
        }
    }
    false
}

/// Adds a run to those of a web. Runs are merged until each is more than twice as long as the next.
fn add_run(ranges: &mut Vec<Range>, runs: &mut Runs, run: (u32, u32)) {
    runs.push(run);
    runs.sort_unstable_by_key(|r| std::cmp::Reverse(r.1 - r.0));
    while let [.., a, b] = runs[..]
        && a.1 - a.0 <= 2 * (b.1 - b.0)
    {
        runs.truncate(runs.len() - 2);
        runs.push(merge(ranges, a, b));
        runs.sort_unstable_by_key(|r| std::cmp::Reverse(r.1 - r.0));
    }
}

/// Appends the union of two disjoint runs to the arena.
fn merge(ranges: &mut Vec<Range>, a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
    let at = ranges.len() as u32;
    let (mut i, mut j) = (a.0, b.0);
    while i < a.1 || j < b.1 {
        let from_a = j == b.1 || i < a.1 && ranges[i as usize].start < ranges[j as usize].start;
        let next = if from_a { &mut i } else { &mut j };
        let r = ranges[*next as usize];
        *next += 1;
        join(ranges, at, r);
    }
    (at, ranges.len() as u32)
}

/// Makes a web of each root.
fn collect(f: &MFunction, state: &mut LinearScanScratch) {
    let n = state.live.ranges.len();
    let mut members = std::mem::take(&mut state.union.members);
    members.clear();
    state.web_of.resize(n, NONE);
    for v in 0..n as u32 {
        let root = state.union.find(v);
        if state.union.size[root as usize] > 1 {
            members.push((root, v));
        }
    }
    members.sort_unstable();
    // (first position, order of the first use in the walk, root): only what stands in the text decides.
    let mut order = std::mem::take(&mut state.union.order);
    order.clear();
    let mut next_member = 0;
    for v in 0..n as u32 {
        if state.union.parent[v as usize] != v {
            continue;
        }
        let mut runs = state.union.runs(v, &state.live.ranges);
        while let [.., a, b] = runs[..] {
            runs.truncate(runs.len() - 2);
            runs.push(merge(&mut state.ranges, a, b));
        }
        let (lo, hi) = runs[0];
        state.live.ranges[v as usize] = (lo, hi);
        if state.union.size[v as usize] > 1 {
            next_member += members[next_member..].partition_point(|m| m.0 < v);
            let count = members[next_member..].partition_point(|m| m.0 == v);
            gather_uses(state, v, &members[next_member..next_member + count]);
            next_member += count;
        }
        if lo != hi {
            order.push((state.ranges[lo as usize].start, state.live.rank[v as usize], v));
        }
    }
    order.sort_unstable();
    for (_, _, v) in &order {
        let web = new_web(f, state, *v);
        state.webs.push(web);
    }
    for (w, (_, _, v)) in order.iter().enumerate() {
        state.web_of[*v as usize] = w as u32;
    }
    for (root, v) in &members {
        state.web_of[*v as usize] = state.web_of[*root as usize];
    }
    state.union.members = members;
    state.union.order = order;
}

fn new_web(f: &MFunction, state: &LinearScanScratch, v: u32) -> Web {
    let single = state.union.size[v as usize] == 1;
    let alone = single && (v as usize) < f.vregs.len() && state.inputs.options.has(Feature::Remat);
    let remat = if alone { f.remat_index(VReg(v)).map_or(0, |k| k + 1) } else { 0 };
    Web {
        class: class_of(f, &state.temps, v),
        remat,
        wide: state.live.wide[v as usize],
        ranges: state.live.ranges[v as usize],
        uses: state.live.uses[v as usize],
        first: NONE,
        split: false,
        spilled: false,
        store_at_defs: false,
        slot: NONE,
        last_reg: None,
    }
}

/// Puts the uses of the members of a web behind all others, in order.
fn gather_uses(state: &mut LinearScanScratch, root: u32, members: &[(u32, u32)]) {
    let merged = &mut state.union.merged;
    merged.clear();
    for (_, v) in members {
        let (lo, hi) = state.live.uses[*v as usize];
        merged.extend_from_slice(&state.uses[lo as usize..hi as usize]);
        state.live.rank[root as usize] = state.live.rank[root as usize].min(state.live.rank[*v as usize]);
    }
    merged.sort_by_key(|u| u.pos);
    let at = state.uses.len() as u32;
    state.uses.extend_from_slice(merged);
    state.live.uses[root as usize] = (at, state.uses.len() as u32);
}
