//! The values that each register holds before every step of the code, computed by the checker.

use super::Checker;
use crate::mir::allocation::Step;
use crate::mir::{MBlock, MFunction, PReg};
use crate::regalloc::{Allocation, Loc};

/// The contents of all registers.
pub(crate) struct State<'c, 'a>(&'c Checker<'a>);

impl State<'_, '_> {
    /// Returns the virtual registers whose current value a location holds, by number. Numbers after the virtual
    /// registers are repeatable definitions.
    pub(crate) fn values_in(&self, loc: Loc) -> &[u32] {
        &self.0.holds[loc.index()]
    }
    /// Returns a location that holds the current value of a virtual register: if there are several, one that calls
    /// leave alone.
    pub(crate) fn location_of(&self, v: u32) -> Option<Loc> {
        let at = |index: u32| match index.checked_sub(Loc::FIRST_SLOT) {
            Some(slot) => Loc::slot(slot),
            None => Loc::reg(PReg::new(index as u8)),
        };
        let is_lost = |loc: Loc| loc.as_reg().is_some_and(|r| !self.0.f.env.callee_saved.contains(r));
        self.0.locations[v as usize].iter().map(|index| at(*index)).min_by_key(|loc| (is_lost(*loc), loc.index()))
    }
}

/// Calls `visit` before each step, block after block, and with none at the end of each block. Unreachable blocks are
/// left out. The allocation must be right.
pub(crate) fn visit_states(f: &MFunction, a: &Allocation, mut visit: impl FnMut(MBlock, Option<Step>, &State)) {
    let mut c = Checker::new(f, a);
    walk(&mut c, |c, b, step| visit(b, step, &State(c)));
}

/// Does the same, but also passes the virtual registers that have reached other locations, or lost one, since the last
/// visit. At the first visit in a block these include all that have a location. Some may be passed twice.
pub(crate) fn visit_changes(
    f: &MFunction,
    a: &Allocation,
    mut visit: impl FnMut(MBlock, Option<Step>, &State, &[u32]),
) {
    let mut c = Checker::new(f, a);
    c.changed = Some(Vec::new());
    walk(&mut c, |c, b, step| {
        let mut changed = c.changed.replace(Vec::new()).unwrap_or_default();
        changed.retain(|v| (*v as usize) < f.vregs.len());
        visit(b, step, &State(c), &changed);
        changed.clear();
        c.changed = Some(changed);
    });
}

fn walk<'a>(c: &mut Checker<'a>, mut visit: impl FnMut(&mut Checker<'a>, MBlock, Option<Step>)) {
    let f = c.f;
    if f.blocks.is_empty() {
        return;
    }
    let noted = c.changed.take();
    c.fixed_point();
    c.changed = noted;
    for b in f.block_ids() {
        if c.entry[b.index()].is_none() {
            continue;
        }
        c.load(b);
        let data = &f.blocks[b.index()];
        for i in data.start..data.end {
            edits(c, b, 2 * i, &mut visit);
            visit(c, b, Some(Step::Inst(i)));
            c.inst(i, &f.insts[i as usize]);
            edits(c, b, 2 * i + 1, &mut visit);
        }
        visit(c, b, None);
    }
}

/// Does the edits of a point, each after a visit.
fn edits<'a>(
    c: &mut Checker<'a>,
    b: MBlock,
    point: u32,
    visit: &mut impl FnMut(&mut Checker<'a>, MBlock, Option<Step>),
) {
    for k in c.edits_at(point) {
        visit(c, b, Some(Step::Edit(k as u32)));
        c.edit_at(b, k);
    }
}
