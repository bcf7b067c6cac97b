//! Joins registers into webs.
//!
//! Candidates are the phis, those that run most often first, and then copies between registers. Two webs are joined
//! when no range of one intersects a range of the other (all of the ranges, not just the ranges of the two registers:
//! otherwise the swap problem and the lost copy problem come back). Ranges end where a value is last read and begin
//! where it is written, so a copy whose source dies can be joined.
//!
//! Webs are [classes](RangeClasses) as in the pass `phi-coalesce`: n operands of a phi cost n log n, not n squared.

use super::{Feature, LinearScanScratch, NONE, UsePos, Web, class_of};
use crate::mir::{Form, MFunction, PhiArg, Props, VReg};
use lir_opt::tables::range_classes::RangeClasses;

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Union {
    classes: RangeClasses,
    /// Phis in the order in which they are tried.
    phis: Vec<(u32, u32, u32)>,
    /// Pairs (root, member) of webs of several registers.
    members: Vec<(u32, u32)>,
    merged: Vec<UsePos>,
    order: Vec<(u64, u32)>,
}

/// Makes the webs, in the order of their first position.
pub(super) fn build_webs(f: &MFunction, state: &mut LinearScanScratch) {
    let n = state.live.ranges.len() as u32;
    state.union.classes.reset(n);
    // If a call may return twice, two registers must not share a slot, so they cannot be one web.
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
            && f.props(inst).has(Props::COPY)
            && let (Some(d), Some(a)) = (inst.d.as_virt(), inst.a.as_virt())
            && !f.is_part_of(d, a)
            && !f.is_part_of(a, d)
        {
            try_join(state, d, a);
        }
    }
}

fn try_join(state: &mut LinearScanScratch, a: VReg, b: VReg) {
    let classes = &mut state.union.classes;
    let (a, b) = (classes.find(a.0), classes.find(b.0));
    let wide = &state.live.wide;
    if a != b && wide[a as usize] == wide[b as usize] {
        // Registers that do not fit together stay apart.
        let _ = classes.try_join((a, b), &state.live.ranges, &mut state.ranges);
    }
}

/// Makes a web of each root.
fn collect(f: &MFunction, state: &mut LinearScanScratch) {
    let n = state.live.ranges.len();
    let mut members = std::mem::take(&mut state.union.members);
    members.clear();
    state.web_of.resize(n, NONE);
    for v in 0..n as u32 {
        let root = state.union.classes.find(v);
        if state.union.classes.size(root) > 1 {
            members.push((root, v));
        }
    }
    members.sort_unstable();
    // (first position and, below it, order of the first use in the walk; root): only the text decides. One key is
    // compared faster than two.
    let mut order = std::mem::take(&mut state.union.order);
    order.clear();
    let mut next_member = 0;
    for v in 0..n as u32 {
        if !state.union.classes.is_root(v) {
            continue;
        }
        let (lo, hi) = state.union.classes.ranges_of(v, &state.live.ranges, &mut state.ranges);
        state.live.ranges[v as usize] = (lo, hi);
        if state.union.classes.size(v) > 1 {
            next_member += members[next_member..].partition_point(|m| m.0 < v);
            let count = members[next_member..].partition_point(|m| m.0 == v);
            gather_uses(state, v, &members[next_member..next_member + count]);
            next_member += count;
        }
        if lo != hi {
            let (start, rank) = (state.ranges[lo as usize].start, state.live.rank[v as usize]);
            order.push((u64::from(start) << 32 | u64::from(rank), v));
        }
    }
    order.sort_unstable();
    for (_, v) in &order {
        let web = new_web(f, state, *v);
        state.webs.push(web);
    }
    for (w, (_, v)) in order.iter().enumerate() {
        state.web_of[*v as usize] = w as u32;
    }
    for (root, v) in &members {
        state.web_of[*v as usize] = state.web_of[*root as usize];
    }
    state.union.members = members;
    state.union.order = order;
}

fn new_web(f: &MFunction, state: &LinearScanScratch, v: u32) -> Web {
    let single = state.union.classes.size(v) == 1;
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

/// Puts the uses of the members of a web after all other uses, in order.
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
