//! The values that a thread splits: each of them costs phis.
//!
//! The registers of a threaded block are assigned twice, in the block and in its copy. Where paths through the one meet
//! paths through the other, a value that is read later needs a phi: at the target of the thread, and at the next join.
//! If that join is threaded too, the phi is also assigned twice, and so on. N joins in a row that each assign a value
//! that is read at the end would get N phis each.
//!
//! So the values that a block splits are
//!
//! 1. the values that it assigns, phis among them, and that are read later, and
//! 2. the values that its immediate dominator splits, if that is threaded as well, and that are read later: the two
//!    versions meet in the blocks right below it in the dominator tree, and in no other.
//!
//! "Read later" refers to the order in which blocks are visited (reverse postorder), so that one number for each
//! register is enough. A value that is not read may count as read. A long live range costs time as well: SSA form is
//! made again by a walk of the blocks where it is live, about as many as are between.

use lir_syntax::ir::{Block, Cfg, DominatorTree, Format, Function, Reg, SecondaryMap};
use std::ops::Range;

/// The values that the chosen threads split.
#[derive(Default)]
pub(super) struct SplitValues {
    /// The position of the last block that reads a register, in the order of visits.
    last_read: SecondaryMap<Reg, u32>,
    knows_reads: bool,
    /// The values of each threaded block, as a part of `values`.
    of_block: SecondaryMap<Block, Option<(u32, u32)>>,
    values: Vec<Reg>,
}

/// The values that a thread of a block would split.
pub(super) struct Split {
    values: Range<usize>,
    /// The blocks where the values that the block assigns are live, about.
    pub steps: usize,
}

impl Split {
    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

impl SplitValues {
    /// Begins with a function in which nothing is threaded.
    pub(super) fn begin(&mut self, f: &Function) {
        self.knows_reads = false;
        self.of_block.reset(f.num_blocks());
        self.values.clear();
    }
    /// The values that threads of a block, at this position in the order of visits, would split. Asked again and again,
    /// until one is [kept](SplitValues::keep).
    pub(super) fn find(&mut self, f: &Function, cfg: &Cfg, dom: &DominatorTree, (at, b): (usize, Block)) -> Split {
        if !std::mem::replace(&mut self.knows_reads, true) {
            self.find_reads(f, cfg);
        }
        let first = self.values.len();
        let mut steps = 0;
        for r in f.layout().insts(b).filter_map(|i| f.def(i)) {
            let later = (self.last_read[r] as usize).saturating_sub(at);
            if later != 0 {
                self.values.push(r);
                steps += later;
            }
        }
        if let Some((from, to)) = dom.idom(b).and_then(|d| self.of_block[d]) {
            for k in from..to {
                let r = self.values[k as usize];
                if self.last_read[r] as usize > at {
                    self.values.push(r);
                }
            }
        }
        Split { values: first..self.values.len(), steps }
    }
    /// The block is threaded.
    pub(super) fn keep(&mut self, b: Block, split: Split) {
        self.of_block[b] = Some((split.values.start as u32, split.values.end as u32));
    }
    /// It is not.
    pub(super) fn forget(&mut self, split: &Split) {
        self.values.truncate(split.values.start);
    }
    /// Finds where registers are read last. The operands of a phi are read at the ends of its predecessors.
    fn find_reads(&mut self, f: &Function, cfg: &Cfg) {
        self.last_read.reset(f.num_regs());
        for (at, &b) in cfg.rpo().iter().enumerate() {
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() == Format::Phi {
                    for (p, o) in f.phi_entries(i) {
                        if let (Some(r), Some(at)) = (o.as_reg(), cfg.rpo_index(p)) {
                            self.last_read[r] = self.last_read[r].max(at as u32);
                        }
                    }
                } else {
                    // Blocks come in order: no later one was seen but by a phi.
                    f.for_each_use(i, |r| self.last_read[r] = self.last_read[r].max(at as u32));
                }
            }
        }
    }
}
