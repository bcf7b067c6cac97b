//! Which values each register holds before every step of the code, by the checker's own account.

use super::Checker;
use crate::mir::allocation::Step;
use crate::mir::{MBlock, MFunction};
use crate::regalloc::{Allocation, Loc};

/// The contents of all registers.
pub(crate) struct State<'c, 'a>(&'c Checker<'a>);

impl State<'_, '_> {
    /// The virtual registers whose present value a location holds, by number. Numbers behind those of all virtual
    /// registers are repeatable definitions.
    pub(crate) fn values_in(&self, loc: Loc) -> &[u32] {
        &self.0.holds[loc.index()]
    }
}

/// Calls `visit` before each step, block after block, and with none at the end of each block. Blocks that control does
/// not come to are left out. The allocation must be right.
pub(crate) fn visit_states(f: &MFunction, a: &Allocation, mut visit: impl FnMut(MBlock, Option<Step>, &State)) {
    let mut c = Checker::new(f, a);
    if f.blocks.is_empty() {
        return;
    }
    c.fixed_point();
    for b in f.block_ids() {
        if c.entry[b.index()].is_none() {
            continue;
        }
        c.load(b);
        let data = &f.blocks[b.index()];
        for i in data.start..data.end {
            edits(&mut c, b, 2 * i, &mut visit);
            visit(b, Some(Step::Inst(i)), &State(&c));
            c.inst(i, &f.insts[i as usize]);
            edits(&mut c, b, 2 * i + 1, &mut visit);
        }
        visit(b, None, &State(&c));
    }
}

/// Does the edits of a point, each after a visit.
fn edits(c: &mut Checker, b: MBlock, point: u32, visit: &mut impl FnMut(MBlock, Option<Step>, &State)) {
    for k in c.edits_at(point) {
        visit(b, Some(Step::Edit(k as u32)), &State(c));
        c.edit_at(b, k);
    }
}
