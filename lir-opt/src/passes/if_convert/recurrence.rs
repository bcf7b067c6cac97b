//! The branches that a loop waits for.
//!
//! A `select` waits for its condition, a branch does not: the processor continues with its prediction. If the condition
//! is made from a load with a value of the last iteration, and the chosen value becomes such a value, a select would
//! put loads and comparison one after the other, iteration by iteration.
//!
//! ```text
//! head:
//!   %root = phi i64 [0, entry], [%child, join]       ; becomes what was chosen
//!   %a = load f64 [@heap + %root*8]
//!   br ogt f64 %a, %b, left, join                    ; is made from it through memory
//! ```

use crate::analysis::{LoopForest, SsaView};
use lir_syntax::ir::{Block, Comparison, EntitySet, Format, Function, Inst, Operand, Reg};

/// Limit on the instructions that are looked at. Where there are more, they count as a recurrence.
const MAX_INSTS: usize = 48;

/// Scratch memory, reused from branch to branch.
#[derive(Default)]
pub(super) struct Slice {
    seen: EntitySet<Inst>,
    insts: Vec<Inst>,
    work: Vec<Reg>,
    /// True if a load of the loop was among them.
    loads: bool,
}

impl Slice {
    /// True if the branch of `head` depends, through a load, on a recurrence of `phis`: on a value that one of them
    /// becomes in the next iteration of the innermost loop.
    pub(super) fn is_recurrence(
        &mut self,
        f: &Function,
        ssa: &SsaView,
        loops: &LoopForest,
        head: Block,
        phis: impl Iterator<Item = Inst>,
    ) -> bool {
        let Some(header) = loops.innermost(head) else { return false };
        let condition = Comparison::of(f.inst(f.terminator(head)));
        if !self.collect(f, ssa, loops, header, [condition.a, condition.b].into_iter()) {
            return true;
        }
        if !self.loads {
            return false;
        }
        let in_header = |i: &Inst| f.inst(*i).op.format() == Format::Phi && f.layout().block_of(*i) == Some(header);
        let carried: Vec<Inst> = self.insts.iter().copied().filter(in_header).collect();
        let from_inside = carried.iter().flat_map(|phi| f.phi_entries(*phi));
        let from_inside = from_inside.filter(|(p, _)| loops.contains(header, *p)).map(|(_, o)| o);
        let all_seen = self.collect(f, ssa, loops, header, from_inside);
        !all_seen || { phis }.any(|phi| self.seen.contains(phi))
    }
    /// Collects the instructions of the loop that compute operands in an iteration. False if there are too many.
    fn collect(
        &mut self,
        f: &Function,
        ssa: &SsaView,
        loops: &LoopForest,
        header: Block,
        operands: impl Iterator<Item = Operand>,
    ) -> bool {
        self.insts.iter().for_each(|i| _ = self.seen.remove(*i));
        self.insts.clear();
        self.work.clear();
        self.work.extend(operands.filter_map(|o| o.as_reg()));
        self.loads = false;
        while let Some(r) = self.work.pop() {
            let Some(i) = ssa.def(r) else { continue };
            // A phi that was converted is in no block any more; it was inside.
            let block = f.layout().block_of(i);
            if block.is_some_and(|b| !loops.contains(header, b)) || self.seen.contains(i) {
                continue;
            }
            if self.insts.len() == MAX_INSTS {
                return false;
            }
            self.seen.insert(i);
            self.insts.push(i);
            self.loads |= f.inst(i).op.format() == Format::Load;
            if f.inst(i).op.format() != Format::Phi || block != Some(header) {
                f.for_each_use(i, |r| self.work.push(r));
            }
        }
        true
    }
}
