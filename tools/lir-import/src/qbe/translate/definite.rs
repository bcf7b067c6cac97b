//! Gives a value to every register that some path leaves unassigned.
//!
//! QBE takes any value for a temporary that is read before it is assigned; in LIR that is an error. Such registers are
//! assigned 0 at the top of the entry.
//!
//! # Algorithm
//!
//! 1. One pass over the blocks finds the reads that no assignment of the same block precedes.
//! 2. A read in a block that the first assigning block strictly dominates is fine; if no other block assigns the
//!    register, no other read is.
//! 3. For the others, go backwards from the reading blocks, stopping at blocks that assign the register; if the entry
//!    is reached, a path leaves it unassigned.
//!
//! # Cost
//!
//! Steps 1 and 2 are linear. Step 3 visits a block at most once for each register, and all of its visits together are
//! bounded by a multiple of the function's size ([`VISITS`]); when that is used up, the registers left are assigned 0
//! as well, which is always sound.

use lir_syntax::ir::{Block, Cfg, DominatorTree, Function, InstData, Opcode, Param, Reg, SecondaryMap};

/// Limit on the blocks that step 3 visits, per block and register of the function. The whole corpus of the project
/// needs less than one.
const VISITS: usize = 16;

/// Adds the assignments. `cfg` is the function's graph.
pub(super) fn complete(func: &mut Function, cfg: &Cfg) {
    let reads = Assignments::new(func, cfg);
    if reads.exposed.is_empty() {
        return;
    }
    let unassigned = reads.unassigned(func, cfg);
    let Some(first) = func.layout().first_inst(func.entry()) else { return };
    for reg in unassigned {
        let (ty, zero) = (func.type_of(reg), func.make_const(0));
        func.insert_before(first, InstData::move_of(ty, zero).with_result(reg));
    }
}

/// The findings of step 1 in the reachable blocks.
struct Assignments {
    /// The first block that assigns each register.
    first: SecondaryMap<Reg, Option<Block>>,
    /// Assignments of registers in further blocks, sorted.
    further: Vec<(Reg, Block)>,
    /// Reads that no assignment of their block precedes, sorted, each once.
    exposed: Vec<(Reg, Block)>,
}

impl Assignments {
    fn new(func: &Function, cfg: &Cfg) -> Assignments {
        let regs = func.num_regs();
        let mut first = SecondaryMap::with_len(None, regs);
        // By register: the last block that assigns it, and the last that reads it before.
        let mut last: SecondaryMap<Reg, Option<Block>> = SecondaryMap::with_len(None, regs);
        let mut last_exposed: SecondaryMap<Reg, Option<Block>> = SecondaryMap::with_len(None, regs);
        let (mut further, mut exposed, mut at_end) = (Vec::new(), Vec::new(), Vec::new());
        let entry = func.entry();
        for param in &func.params {
            if let Param::Reg(reg) = *param {
                (first[reg], last[reg]) = (Some(entry), Some(entry));
            }
        }
        for block in func.layout().blocks().filter(|b| cfg.is_reachable(*b)) {
            for inst in func.layout().insts(block) {
                if func.inst(inst).op == Opcode::Phi {
                    let reads = func.phi_entries(inst).filter_map(|(pred, o)| Some((o.as_reg()?, pred)));
                    at_end.extend(reads.filter(|(_, pred)| cfg.is_reachable(*pred)));
                } else {
                    func.for_each_use(inst, |reg| {
                        if last[reg] != Some(block) && last_exposed[reg] != Some(block) {
                            last_exposed[reg] = Some(block);
                            exposed.push((reg, block));
                        }
                    });
                }
                if let Some(reg) = func.def(inst)
                    && last[reg].replace(block) != Some(block)
                    && first[reg].get_or_insert(block) != &block
                {
                    further.push((reg, block));
                }
            }
        }
        further.sort_unstable();
        let mut reads = Assignments { first, further, exposed };
        // A register that a phi reads at the end of a block that assigns it is assigned.
        at_end.retain(|&(reg, block)| !reads.assigns(reg, block));
        reads.exposed.extend(at_end);
        reads.exposed.sort_unstable();
        reads.exposed.dedup();
        reads
    }

    fn assigns(&self, reg: Reg, block: Block) -> bool {
        self.first[reg] == Some(block) || self.further.binary_search(&(reg, block)).is_ok()
    }

    /// Returns the blocks that assign a register, except the first.
    fn further(&self, reg: Reg) -> &[(Reg, Block)] {
        let start = self.further.partition_point(|d| d.0 < reg);
        let count = self.further[start..].partition_point(|d| d.0 == reg);
        &self.further[start..start + count]
    }

    /// Steps 2 and 3: the registers that a path leaves unassigned, ascending.
    fn unassigned(&self, func: &Function, cfg: &Cfg) -> Vec<Reg> {
        let dominators = DominatorTree::new(func, cfg);
        let mut search = Search {
            cfg,
            marks: SecondaryMap::with_len(None, func.num_blocks()),
            work: Vec::new(),
            visits: VISITS * (func.num_blocks() + func.num_regs()),
        };
        let mut unassigned = Vec::new();
        for reads in self.exposed.chunk_by(|a, b| a.0 == b.0) {
            let reg = reads[0].0;
            let first = self.first[reg];
            let dominated = |block: Block| first.is_some_and(|d| d != block && dominators.dominates(d, block));
            let further = self.further(reg);
            let open = reads.iter().map(|r| r.1).filter(|b| !dominated(*b));
            let missing = if further.is_empty() {
                open.count() != 0
            } else {
                let defs = first.into_iter().chain(further.iter().map(|d| d.1));
                search.reaches_entry(reg, open, defs, func.entry())
            };
            if missing {
                unassigned.push(reg);
            }
        }
        unassigned
    }
}

/// Step 3: the memory of the backward walks.
struct Search<'a> {
    cfg: &'a Cfg,
    /// By block: the last register for which it was visited, or whose assignment stops the walk there.
    marks: SecondaryMap<Block, Option<Reg>>,
    work: Vec<Block>,
    /// Number of visits that are left.
    visits: usize,
}

impl Search<'_> {
    /// True if a path that avoids `defs` leads from the entry to one of `reads`. It ends at the top of that block.
    fn reaches_entry(
        &mut self,
        reg: Reg,
        reads: impl Iterator<Item = Block>,
        defs: impl Iterator<Item = Block>,
        entry: Block,
    ) -> bool {
        defs.for_each(|b| self.marks[b] = Some(reg));
        self.work.clear();
        self.work.extend(reads);
        while let Some(block) = self.work.pop() {
            if block == entry || self.visits == 0 {
                return true;
            }
            self.visits -= 1;
            for &pred in self.cfg.preds(block) {
                if self.cfg.is_reachable(pred) && self.marks[pred].replace(reg) != Some(reg) {
                    self.work.push(pred);
                }
            }
        }
        false
    }
}
