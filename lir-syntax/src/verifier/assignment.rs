//! Definite assignment: V20.
//!
//! # Algorithm
//!
//! 1. Blocks are walked in reverse postorder, in which a dominator precedes the blocks that it dominates. A read is
//!    fine if the register was assigned above in its block, or if the first block of the walk that assigns it dominates
//!    the reading one. That settles every read of an SSA function, and nearly all of others.
//! 2. Phis read at the ends of predecessors, which may come later in the walk, so they are checked after it.
//! 3. Only the reads that are left *pending*, of registers assigned on several paths or wrongly, need data flow. They
//!    are followed backward until an assignment: a register whose read reaches the entry is read unassigned. [`BATCH`]
//!    registers are followed at a time, in bit sets, by sweeps against reverse postorder over the blocks that the reads
//!    reach.
//!
//! # Cost
//!
//! Steps 1 and 2 are linear. Step 3 visits the blocks between pending reads and the assignments above them, once for
//! each batch, and once more for each nesting level of loops; it stops at the limit of diagnostics.
//!
//! # Source
//!
//! Step 1 is definite assignment (J. Gosling et al., "The Java Language Specification", chapter 16) by
//! dominance. Step 3 is live variables (A. Aho, M. Lam, R. Sethi, J. Ullman, "Compilers", 2nd ed., section 9.2.5): a
//! register that is live at the entry has a read that no assignment precedes.

use super::{Checker, Rule, span};
use crate::ir::{Block, Cfg, DominatorTree, EntityRef, EntitySet, Inst, Opcode, Reg, SecondaryMap};
use crate::text::diagnostic::Note;

/// The blocks that assign a register, as far as the walk came; `u32::MAX` is none.
#[derive(Copy, Clone)]
pub(super) struct Assigned {
    first: u32,
    last: u32,
}

const NOWHERE: Assigned = Assigned { first: u32::MAX, last: u32::MAX };

impl Default for Assigned {
    fn default() -> Self {
        NOWHERE
    }
}

/// A read that step 1 or 2 could not settle: fine if `reg` is assigned on every path to the start of `block`, or, of
/// a phi, to its end.
#[derive(Copy, Clone)]
pub(super) struct Pending {
    reg: Reg,
    reader: Inst,
    block: Block,
    at_end: bool,
}

const LANES: usize = 4;
/// Registers in a batch of step 3: a quarter of a cache line for each block.
const BATCH: usize = 64 * LANES;
type Bits = [u64; LANES];
const NO_BITS: Bits = [0; LANES];

impl Checker<'_> {
    pub(super) fn start_assignment(&mut self) {
        self.scratch.pending.clear();
        self.scratch.assigned.reset(self.f.num_regs());
        let entry = self.f.entry().as_u32();
        for r in self.f.param_regs().filter(|r| r.index() < self.f.num_regs()) {
            self.scratch.assigned[r] = Assigned { first: entry, last: entry };
        }
    }

    /// Step 1 for the current instruction, which is in the reachable block `b`.
    #[inline(always)]
    pub(super) fn reads_and_assignment(&mut self, op: Opcode, b: Block, dominators: &DominatorTree) {
        let i = self.at;
        let (assigned, pending) = (&mut self.scratch.assigned, &mut self.scratch.pending);
        if op != Opcode::Phi {
            self.f.for_each_use(i, |reg| {
                let a = *assigned.get(reg);
                if a.last != b.as_u32() && !dominates(dominators, a.first, b) {
                    pending.push(Pending { reg, reader: i, block: b, at_end: false });
                }
            });
        }
        self.assignment(b);
    }

    /// Notes the register that the current instruction assigns.
    #[inline]
    pub(super) fn assignment(&mut self, b: Block) {
        if let Some(r) = self.f.def(self.at)
            && r.index() < self.f.num_regs()
        {
            let a = &mut self.scratch.assigned[r];
            a.last = b.as_u32();
            if a.first == u32::MAX {
                a.first = b.as_u32();
            }
        }
    }

    /// Step 2.
    pub(super) fn phi_reads(&mut self, cfg: &Cfg, dominators: &DominatorTree) {
        for &b in cfg.rpo() {
            for i in self.f.phis(b) {
                for (p, o) in self.f.phi_entries(i) {
                    let Some(reg) = o.as_reg() else { continue };
                    let known =
                        reg.index() < self.f.num_regs() && p.index() < self.f.num_blocks() && cfg.is_reachable(p);
                    if known && !dominates(dominators, self.scratch.assigned.get(reg).first, p) {
                        self.scratch.pending.push(Pending { reg, reader: i, block: p, at_end: true });
                    }
                }
            }
        }
    }

    /// Step 3.
    pub(super) fn resolve_pending(&mut self, cfg: &Cfg) {
        if self.scratch.pending.is_empty() {
            return;
        }
        let mut pending = std::mem::take(&mut self.scratch.pending);
        let mut slot = SecondaryMap::with_len(u32::MAX, self.f.num_regs());
        let mut slots = 0u32;
        for p in &pending {
            if slot[p.reg] == u32::MAX {
                slot[p.reg] = slots;
                slots += 1;
            }
        }
        let by_batch = |reg: Reg| slot[reg] as usize / BATCH;
        pending.sort_by_key(|p| by_batch(p.reg));
        let mut assignments = self.assignments(cfg, &slot);
        assignments.sort_by_key(|a| a.slot as usize / BATCH);
        let mut flow = Flow::new(cfg);
        for reads in pending.chunk_by(|p, q| by_batch(p.reg) == by_batch(q.reg)) {
            let batch = by_batch(reads[0].reg);
            let from = assignments.partition_point(|a| (a.slot as usize / BATCH) < batch);
            let to = assignments.partition_point(|a| (a.slot as usize / BATCH) <= batch);
            flow.solve(reads, &slot, &assignments[from..to]);
            if flow.live[0] != NO_BITS {
                self.report_unassigned(reads, &slot, &flow, &assignments[from..to]);
            }
            flow.clear(&assignments[from..to]);
            if self.sink.is_full() {
                break;
            }
        }
        self.scratch.pending = pending;
    }

    /// Returns the assignments, in reachable blocks, of registers that have a slot.
    fn assignments(&self, cfg: &Cfg, slot: &SecondaryMap<Reg, u32>) -> Vec<Assignment> {
        let mut found = Vec::new();
        for (k, &b) in cfg.rpo().iter().enumerate() {
            for inst in self.f.layout().insts(b) {
                let Some(r) = self.f.def(inst) else { continue };
                if slot[r] != u32::MAX {
                    found.push(Assignment { slot: slot[r], block: k as u32, inst });
                }
            }
        }
        found
    }

    /// One diagnostic for each register of the batch that is live at the entry: for the first read that is reached
    /// from there.
    #[cold]
    fn report_unassigned(
        &mut self,
        reads: &[Pending],
        slot: &SecondaryMap<Reg, u32>,
        flow: &Flow<'_>,
        assignments: &[Assignment],
    ) {
        let mut to_report = flow.live[0];
        for p in reads {
            let (lane, bit) = lane_of(slot[p.reg]);
            if to_report[lane] & bit == 0 {
                continue;
            }
            let Some(path) = flow.unassigned_path(p, lane, bit) else { continue };
            to_report[lane] &= !bit;
            self.at = p.reader;
            let name = self.reg(p.reg);
            let Some(first) = assignments.iter().find(|a| a.slot == slot[p.reg]) else {
                let message = format_args!("{name} is read, but no path from the entry assigns it");
                self.report_about(Rule::Assignment, Some(&name), message);
                continue;
            };
            let (reader, block) = (self.f.loc_of(p.reader), flow.cfg.rpo()[first.block as usize]);
            let assigned_at = self.f.loc_of(first.inst);
            let mut notes = vec![Note { span: span(assigned_at), message: format!("{name} is assigned here") }];
            let d = if block == p.block && !p.at_end && path.len() == 1 && reader < assigned_at {
                self.report_about(Rule::Assignment, Some(&name), format_args!("{name} is read before it is assigned"))
            } else {
                let end = if p.at_end { format!(" to the end of {}", self.label(p.block)) } else { String::new() };
                let message = format_args!("{name} is read, but not assigned on every path from the entry{end}");
                if path.len() > 1 {
                    let path = self.show_path(&path);
                    notes.push(Note { span: None, message: format!("{name} is not assigned on the path {path}") });
                }
                self.report_about(Rule::Assignment, Some(&name), message)
            };
            if let Some(d) = d {
                d.notes.append(&mut notes);
            }
        }
    }

    /// Returns a path by its labels, without its middle if it is long.
    fn show_path(&self, path: &[Block]) -> String {
        const SHOWN: usize = 4;
        let labels = |blocks: &[Block]| blocks.iter().map(|b| self.label(*b)).collect::<Vec<_>>().join(" -> ");
        if path.len() <= 2 * SHOWN {
            return labels(path);
        }
        format!("{} -> ... -> {}", labels(&path[..SHOWN]), labels(&path[path.len() - SHOWN..]))
    }
}

#[inline]
fn dominates(dominators: &DominatorTree, a: u32, b: Block) -> bool {
    a != u32::MAX && dominators.dominates(Block::from_u32(a), b)
}

fn lane_of(slot: u32) -> (usize, u64) {
    let k = slot as usize % BATCH;
    (k / 64, 1 << (k % 64))
}

/// An assignment of a pending register. `block` is its block's position in the reverse postorder.
struct Assignment {
    slot: u32,
    block: u32,
    inst: Inst,
}

/// The data flow of one batch. Tables are indexed by the position in reverse postorder.
struct Flow<'c> {
    cfg: &'c Cfg,
    /// Registers that the block assigns.
    assigned: Vec<Bits>,
    /// Registers read in the block or below, on a path that does not assign them. It begins at the block's start.
    live: Vec<Bits>,
    /// No block from here on has a live register.
    end: usize,
    /// No block before this one has a live register.
    start: usize,
}

impl<'c> Flow<'c> {
    fn new(cfg: &'c Cfg) -> Flow<'c> {
        let none = vec![NO_BITS; cfg.rpo().len()];
        Flow { cfg, assigned: none.clone(), live: none, start: usize::MAX, end: 0 }
    }
    fn position(&self, b: Block) -> usize {
        self.cfg.rpo_index(b).expect("pending reads stand in reachable blocks")
    }

    fn solve(&mut self, reads: &[Pending], slot: &SecondaryMap<Reg, u32>, assignments: &[Assignment]) {
        for a in assignments {
            let (lane, bit) = lane_of(a.slot);
            self.assigned[a.block as usize][lane] |= bit;
        }
        let (mut low, mut high) = (usize::MAX, 0);
        for p in reads {
            let (lane, bit) = lane_of(slot[p.reg]);
            let k = self.position(p.block);
            if !p.at_end || self.assigned[k][lane] & bit == 0 {
                self.live[k][lane] |= bit;
                (low, high) = (low.min(k), high.max(k));
            }
        }
        self.end = if low == usize::MAX { 0 } else { high + 1 };
        self.start = low;
        while low != usize::MAX {
            (low, high) = self.sweep(low, high);
        }
    }

    /// Sweeps from the block at `high` down to `low`, and further to blocks that are reached. Returns the range of
    /// blocks that back edges reached, which is to be swept again; `usize::MAX` and 0 if there is none.
    fn sweep(&mut self, mut low: usize, high: usize) -> (usize, usize) {
        let (mut again_low, mut again_high) = (usize::MAX, 0);
        let mut k = high + 1;
        while k > low {
            k -= 1;
            let live = self.live[k];
            if live == NO_BITS {
                continue;
            }
            for &p in self.cfg.preds(self.cfg.rpo()[k]) {
                let Some(at) = self.cfg.rpo_index(p) else { continue };
                let before = self.live[at];
                let after: Bits = std::array::from_fn(|n| before[n] | (live[n] & !self.assigned[at][n]));
                if after == before {
                    continue;
                }
                self.live[at] = after;
                if at < k {
                    low = low.min(at);
                } else {
                    (again_low, again_high) = (again_low.min(at), again_high.max(at));
                }
            }
        }
        self.start = self.start.min(low);
        self.end = self.end.max(again_high + 1);
        (again_low, again_high)
    }

    /// Returns a shortest path from the entry to this read that does not assign the register. None if all do.
    fn unassigned_path(&self, p: &Pending, lane: usize, bit: u64) -> Option<Vec<Block>> {
        let assigns = |b: Block| self.assigned[self.position(b)][lane] & bit != 0;
        if p.at_end && assigns(p.block) {
            return None;
        }
        let mut seen = EntitySet::new();
        seen.insert(p.block);
        // Blocks in the order of their distance, each with the position in the list of the one that it leads to.
        let mut found = vec![(p.block, 0)];
        let mut k = 0;
        while let Some(&(b, _)) = found.get(k) {
            if self.position(b) == 0 {
                let mut path = vec![b];
                while k != 0 {
                    k = found[k].1;
                    path.push(found[k].0);
                }
                return Some(path);
            }
            for &q in self.cfg.preds(b).iter().filter(|q| self.cfg.is_reachable(**q)) {
                if !assigns(q) && seen.insert(q) {
                    found.push((q, k));
                }
            }
            k += 1;
        }
        None
    }

    /// Makes the tables ready for the next batch.
    fn clear(&mut self, assignments: &[Assignment]) {
        for a in assignments {
            self.assigned[a.block as usize] = NO_BITS;
        }
        if self.start < self.end {
            self.live[self.start..self.end].fill(NO_BITS);
        }
    }
}
