//! Definite assignment: V20.
//!
//! # Algorithm
//!
//! 1. Blocks are walked in reverse postorder, in which a dominator stands before what it dominates. A read is fine where
//!    the register was assigned above in its block, or where the first block of the walk that assigns it dominates the
//!    reading one. That settles every read of an SSA function, and nearly all of others.
//! 2. Phis read at the ends of predecessors, which may come later in the walk, so they are looked at after it.
//! 3. Only the reads that are left *pending*, of registers assigned on several paths or wrongly, need data flow: which
//!    registers may be unassigned at the start of each block, solved for [`BATCH`] registers at a time, in bit sets, by
//!    passes in reverse postorder until nothing changes.
//!
//! # Cost
//!
//! Steps 1 and 2 are linear. Step 3 is one linear pass and one for each nesting level of loops that an assignment hides
//! behind, for each batch of pending registers; it stops at the limit of diagnostics.
//!
//! # Source
//!
//! Step 3 is the textbook problem (A. Aho, M. Lam, R. Sethi, J. Ullman, "Compilers", 2nd ed., section 9.2), stated as
//! "may be unassigned" so that the sets only grow; step 1 is J. Gosling et al., "The Java Language Specification",
//! chapter 16, by way of dominance.

use super::{Checker, Rule};
use crate::ir::{Block, Cfg, DominatorTree, EntityRef, Inst, Param, Reg, SecondaryMap};

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

impl Checker<'_> {
    pub(super) fn start_assignment(&mut self) {
        self.scratch.pending.clear();
        self.scratch.assigned.reset(self.f.num_regs());
        let entry = self.f.entry().as_u32();
        for p in &self.f.params {
            if let Param::Reg(r) = *p {
                self.scratch.assigned[r] = Assigned { first: entry, last: entry };
            }
        }
    }

    /// Step 1 for the instruction at hand, which stands in the reachable block `b`.
    #[inline]
    pub(super) fn reads_and_assignment(&mut self, b: Block, dominators: &DominatorTree) {
        let i = self.at;
        let (assigned, pending) = (&mut self.scratch.assigned, &mut self.scratch.pending);
        if self.f.inst(i).op != crate::ir::Opcode::Phi {
            self.f.for_each_use(i, |reg| {
                let a = *assigned.get(reg);
                if a.last != b.as_u32() && !dominates(dominators, a.first, b) {
                    pending.push(Pending { reg, reader: i, block: b, at_end: false });
                }
            });
        }
        if let Some(r) = self.f.def(i) {
            let a = &mut assigned[r];
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
                    let known = reg.index() < self.f.num_regs() && cfg.is_reachable(p);
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
            flow.solve(self.f, cfg, &assignments[from..to]);
            self.report_unassigned(cfg, reads, &slot, &flow, &assignments[from..to]);
            if self.sink.is_full() {
                break;
            }
        }
        self.scratch.pending = pending;
    }

    /// The assignments, in reachable blocks, of registers that have a slot.
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

    /// One diagnostic for each register of the batch that is read while it may be unassigned: for the first such read.
    fn report_unassigned(
        &mut self,
        cfg: &Cfg,
        reads: &[Pending],
        slot: &SecondaryMap<Reg, u32>,
        flow: &Flow,
        assignments: &[Assignment],
    ) {
        let mut reported = [0u64; LANES];
        for p in reads {
            let (lane, bit) = lane_of(slot[p.reg]);
            let k = cfg.rpo_index(p.block).expect("pending reads stand in reachable blocks");
            let assigned_in_block = if p.at_end { flow.assigned[k][lane] } else { 0 };
            if flow.unassigned[k][lane] & !assigned_in_block & !reported[lane] & bit == 0 {
                continue;
            }
            reported[lane] |= bit;
            self.at = p.reader;
            let name = self.reg(p.reg);
            let Some(first) = assignments.iter().find(|a| a.slot == slot[p.reg]) else {
                self.report(Rule::Assignment, format_args!("{name} is read, but no path from the entry assigns it"));
                continue;
            };
            let place = if p.at_end { format!(" to the end of {}", self.label(p.block)) } else { String::new() };
            self.report_with(
                Rule::Assignment,
                format_args!("{name} is read, but not assigned on every path from the entry{place}"),
                self.f.loc_of(first.inst),
                format_args!("{name} is assigned here"),
            );
        }
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

/// An assignment of a pending register, in the block at this position of the reverse postorder.
struct Assignment {
    slot: u32,
    block: u32,
    inst: Inst,
}

/// The data flow of one batch. Tables are indexed by the position in reverse postorder.
struct Flow {
    /// Registers that the block assigns.
    assigned: Vec<Bits>,
    /// Registers that may be unassigned at the start of the block.
    unassigned: Vec<Bits>,
}

impl Flow {
    fn new(cfg: &Cfg) -> Flow {
        let zero = vec![[0; LANES]; cfg.rpo().len()];
        Flow { assigned: zero.clone(), unassigned: zero }
    }

    fn solve(&mut self, f: &crate::ir::Function, cfg: &Cfg, assignments: &[Assignment]) {
        self.assigned.fill([0; LANES]);
        self.unassigned.fill([0; LANES]);
        for a in assignments {
            let (lane, bit) = lane_of(a.slot);
            self.assigned[a.block as usize][lane] |= bit;
        }
        // No pending register is a parameter: the entry dominates every read.
        self.unassigned[0] = [u64::MAX; LANES];
        let mut again = true;
        while again {
            again = false;
            for (k, &b) in cfg.rpo().iter().enumerate() {
                let out: Bits = std::array::from_fn(|n| self.unassigned[k][n] & !self.assigned[k][n]);
                for &s in f.succs(b) {
                    let to = cfg.rpo_index(s).expect("a successor of a reachable block is reachable");
                    let before = self.unassigned[to];
                    let after: Bits = std::array::from_fn(|n| before[n] | out[n]);
                    self.unassigned[to] = after;
                    again |= to <= k && before != after;
                }
            }
        }
    }
}
