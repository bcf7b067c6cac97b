//! Step 3: bypasses blocks that only jump.
//!
//! A *forwarder* is a block with nothing but phis and a `jmp`, that is neither the entry nor its own target. For each
//! block t, in postorder:
//!
//! 1. Its predecessors that are forwarders are added to a list.
//! 2. The edges into a forwarder e are redirected to t. If t has phis, a predecessor p of e gets e's entries, as its
//!    row; a p that is a predecessor of t already is skipped unless its row is the same.
//! 3. A p that is a forwarder now joins the list. An e without predecessors is removed with its row.
//! 4. The rows become the phis of t.
//!
//! A forwarder e with phis is bypassed completely or not at all: in the row that a p gets, e's phis are replaced by
//! their operands for p. Conditions: only rows of e read its phis; each p has no other row in t; and neither e nor t
//! begins a loop, whose one entering and one back edge (`loop-simplify` makes them) would become several, and two loops
//! one.
//!
//! The edges of a `switch` are redirected together at the end of the iteration: one by one, many would cost the square
//! of their number.
//!
//! Blocks after t in postorder lead to it by one edge instead of a chain when they are visited, so each edge is
//! redirected once for each target with phis that stops it, and the cost of a chain is linear in its length.

use super::simplify_terminator;
use crate::edit::edges::Redirects;
use crate::pass::PassContext;
use crate::pass::remarks::{At, Remarks};
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Cfg, EntitySet, Format, Function, Inst, Operand, Reg, SecondaryMap};
use std::ops::Range;

/// A forwarder is kept if bypassing it would make more phi entries than this: (predecessors - 1) x phis. More would be
/// more moves than the jump costs, and could grow to the product of both.
pub(crate) const MAX_NEW_ENTRIES: usize = 16;

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct ForwardingScratch {
    /// Blocks that have predecessors that the graph does not know yet: not bypassed in this iteration.
    gained: EntitySet<Block>,
    /// The blocks that forwarders lead to.
    targets: EntitySet<Block>,
    /// The forwarders into the current target.
    list: Vec<Block>,
    /// The phis of the current target, their rows, and each predecessor's row number + 1.
    phis: Vec<Inst>,
    rows: Vec<Operand>,
    preds: Vec<Block>,
    row_of: SecondaryMap<Block, u32>,
    postorder: Vec<Block>,
    redirects: Redirects,
    /// The blocks that edges lead back to. This and the next are known where there are forwarders with phis.
    headers: EntitySet<Block>,
    /// Number of times each register is read, rows included.
    uses: SecondaryMap<Reg, u32>,
    counts_uses: bool,
    /// The rows that the predecessors of a forwarder with phis get.
    made: Vec<Operand>,
}

impl ForwardingScratch {
    /// Runs the step on a function without unreachable blocks. Returns whether it changed anything.
    pub fn run(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> bool {
        let cfg = cx.analyses.cfg(f);
        self.targets.clear();
        self.targets.extend(cfg.rpo().iter().filter_map(|b| forwards(f, *b)));
        if self.targets.is_empty() {
            return false;
        }
        self.look_at_phis(f, cfg);
        self.gained.clear();
        self.row_of.reset(f.num_blocks());
        self.postorder.clear();
        self.postorder.extend(cfg.rpo().iter().rev());
        let mut removed = 0;
        let mut redirected = 0;
        for k in 0..self.postorder.len() {
            let t = self.postorder[k];
            // A block that becomes a forwarder does so when its target is visited.
            if !self.targets.contains(t) {
                continue;
            }
            self.list.clear();
            // A removed forwarder has no successors, so nothing forwards to it and it forwards to nothing.
            self.list.extend(cfg.preds(t).iter().filter(|e| forwards(f, **e) == Some(t)));
            if self.list.is_empty() {
                continue;
            }
            self.read_rows(f, t);
            let redirected_before = redirected;
            while let Some(e) = self.list.pop() {
                let (moved, left) = self.jump_over(f, cfg, (e, t), cx.remarks);
                redirected += moved;
                if !left {
                    self.drop_row(e);
                    self.forget_phis(f, e);
                    cx.remarks.done(f, f.terminator(e), Event::JumpedOver(t));
                    f.remove_block(e);
                    removed += 1;
                }
            }
            self.write_rows(f, redirected != redirected_before);
        }
        // No edge waits for a forwarder that was jumped over in this iteration, since its target gained predecessors.
        self.redirects.finish_each(f, |f, p| _ = simplify_terminator(f, p));
        cx.stats.add("edges redirected", redirected);
        cx.stats.add("empty blocks removed", removed);
        redirected != 0
    }

    /// Redirects the edges into the forwarder `e` to `t`. Returns the number of them; true if `e` has predecessors
    /// left.
    fn jump_over(&mut self, f: &mut Function, cfg: &Cfg, (e, t): (Block, Block), remarks: &mut Remarks) -> (u64, bool) {
        let preds = cfg.preds(e);
        if let Err(why) = self.check(f, cfg, e, t) {
            remarks.missed(f, f.terminator(e), why);
            return (0, true);
        }
        let has_phis = f.phis(e).next().is_some();
        let (mut moved, mut left) = (0, false);
        for (k, &p) in preds.iter().enumerate() {
            // An edge into a forwarder changes only here, or is removed with its source.
            if f.succs(p).is_empty() {
                continue;
            }
            if has_phis {
                self.take_made_row(p, k);
            } else if !self.take_row(p, e) {
                if !std::mem::replace(&mut left, true) {
                    remarks.missed(f, f.terminator(e), Event::Rival(p, t));
                }
                continue;
            }
            self.gained.insert(t);
            moved += 1;
            remarks.done(f, f.terminator(p), Event::Redirected(t, e));
            if self.redirects.redirect(f, p, e, t) {
                simplify_terminator(f, p);
                if forwards(f, p) == Some(t) {
                    self.list.push(p);
                }
            }
        }
        (moved, left)
    }
    /// Gives `p` the row of `e` in the phis of the target. False if it has another row.
    fn take_row(&mut self, p: Block, e: Block) -> bool {
        if self.phis.is_empty() {
            return true;
        }
        if self.row_of[p] != 0 {
            return self.rows[self.row(p)] == self.rows[self.row(e)];
        }
        self.rows.extend_from_within(self.row(e));
        self.add_row(p);
        true
    }
    /// The operands that were put at the end are the row of `p`.
    fn add_row(&mut self, p: Block) {
        self.preds.push(p);
        self.row_of[p] = self.preds.len() as u32;
        if self.counts_uses {
            let row = self.row(p);
            self.rows[row].iter().filter_map(|o| o.as_reg()).for_each(|r| self.uses[r] += 1);
        }
    }
    /// Returns the row of a predecessor, which has one.
    fn row(&self, p: Block) -> Range<usize> {
        let n = self.row_of[p] as usize;
        (n - 1) * self.phis.len()..n * self.phis.len()
    }
    fn drop_row(&mut self, e: Block) {
        if self.phis.is_empty() {
            return;
        }
        if self.counts_uses {
            let row = self.row(e);
            self.rows[row].iter().filter_map(|o| o.as_reg()).for_each(|r| self.uses[r] -= 1);
        }
        self.row_of[e] = 0;
    }

    /// Removes the phis of a forwarder from the counts.
    fn forget_phis(&mut self, f: &Function, e: Block) {
        for phi in f.phis(e) {
            f.for_each_use(phi, |r| self.uses[r] -= 1);
        }
    }
    /// Computes the facts needed about forwarders with phis, if there are any.
    fn look_at_phis(&mut self, f: &Function, cfg: &Cfg) {
        self.counts_uses = cfg.rpo().iter().any(|b| f.phis(*b).next().is_some() && forwards(f, *b).is_some());
        if !self.counts_uses {
            return;
        }
        self.headers.clear();
        self.uses.reset(f.num_regs());
        for (at, &b) in cfg.rpo().iter().enumerate() {
            self.headers.extend(f.succs(b).iter().copied().filter(|s| cfg.rpo_index(*s).is_none_or(|k| k <= at)));
            for i in f.layout().insts(b) {
                f.for_each_use(i, |r| self.uses[r] += 1);
            }
        }
    }
    /// Checks that `e` may be jumped over. Makes the rows that its predecessors get in `t`, if it has phis.
    ///
    /// # Errors
    /// The reason against it.
    fn check(&mut self, f: &Function, cfg: &Cfg, e: Block, t: Block) -> Result<(), Event> {
        let preds = cfg.preds(e);
        let new_entries = preds.len().saturating_sub(1) * self.phis.len();
        if new_entries > MAX_NEW_ENTRIES {
            return Err(Event::ManyEntries(t, new_entries));
        }
        if self.gained.contains(e) {
            return Err(Event::LimitReached);
        }
        let Some(first) = f.phis(e).next() else { return Ok(()) };
        let num_phis = f.phis(e).take(MAX_NEW_ENTRIES + 1).count();
        // A block that became a forwarder in this iteration has to wait for the next where nothing was counted.
        if !self.counts_uses || preds.len() * num_phis > 2 * MAX_NEW_ENTRIES {
            return Err(Event::LimitReached);
        }
        if let Some(header) = [e, t].into_iter().find(|b| self.headers.contains(*b)) {
            return Err(Event::BeginsALoop(At(first), header));
        }
        let own = if self.phis.is_empty() { 0..0 } else { self.row(e) };
        let is_read_elsewhere = |r: &Reg| {
            let here = self.rows[own.clone()].iter().filter(|o| o.as_reg() == Some(*r)).count();
            self.uses[*r] as usize != here
        };
        if let Some(r) = f.phis(e).filter_map(|phi| f.def(phi)).find(is_read_elsewhere) {
            return Err(Event::PhiReadElsewhere(r));
        }
        self.made.clear();
        for &p in preds {
            let at = self.made.len();
            self.made.extend_from_slice(&self.rows[own.clone()]);
            for phi in f.phis(e) {
                let chosen = f.phi_entries(phi).find(|(q, _)| *q == p).map(|(_, o)| o);
                let (dst, Some(chosen)) = (f.def(phi), chosen) else { return Err(Event::LimitReached) };
                self.made[at..].iter_mut().filter(|o| o.as_reg() == dst).for_each(|o| *o = chosen);
            }
            let other = self.row_of[p] != 0 && self.rows[self.row(p)] != self.made[at..];
            if other || f.succs(p).is_empty() {
                return Err(Event::Rival(p, t));
            }
        }
        Ok(())
    }
    /// Gives `p`, predecessor number `k` of the forwarder, the row that was made for it.
    fn take_made_row(&mut self, p: Block, k: usize) {
        let width = self.phis.len();
        if width != 0 && self.row_of[p] == 0 {
            self.rows.extend_from_slice(&self.made[k * width..(k + 1) * width]);
            self.add_row(p);
        }
    }

    /// Reads the phis of `t`. The order of entries may differ from phi to phi; rows are in the order of the first phi.
    fn read_rows(&mut self, f: &Function, t: Block) {
        self.phis.clear();
        self.phis.extend(f.phis(t));
        self.preds.clear();
        self.rows.clear();
        let Some(&first) = self.phis.first() else { return };
        for (k, (p, _)) in f.phi_entries(first).enumerate() {
            self.preds.push(p);
            self.row_of[p] = k as u32 + 1;
        }
        self.rows.resize(self.preds.len() * self.phis.len(), Operand::NONE);
        for (column, &phi) in self.phis.iter().enumerate() {
            for (p, o) in f.phi_entries(phi) {
                self.rows[(self.row_of[p] as usize - 1) * self.phis.len() + column] = o;
            }
        }
    }
    /// Writes the rows that were not dropped, if they changed, and forgets them.
    fn write_rows(&mut self, f: &mut Function, changed: bool) {
        let mut entries = Vec::new();
        for (column, &phi) in self.phis.iter().enumerate().filter(|_| changed) {
            entries.clear();
            let rows = self.preds.iter().enumerate();
            let rows = rows.filter(|(k, p)| self.row_of[**p] as usize == k + 1);
            entries.extend(rows.map(|(k, p)| (*p, self.rows[k * self.phis.len() + column])));
            f.set_phi_entries(phi, &entries);
        }
        for p in self.preds.drain(..) {
            self.row_of[p] = 0;
        }
    }
}

/// Returns the target of a block that only has phis and a jump to another block. The entry has none.
pub(crate) fn forwards(f: &Function, b: Block) -> Option<Block> {
    let last = f.layout().last_inst(b)?;
    let &[target] = f.succs(b) else { return None };
    if f.inst(last).op.format() != Format::Jump || target == b || b == f.entry() {
        return None;
    }
    let before = f.layout().prev_inst(last);
    before.is_none_or(|i| f.inst(i).op.format() == Format::Phi).then_some(target)
}
