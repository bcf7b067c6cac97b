//! Step 5: decides a branch whose outcome is known from a branch that leads to it.
//!
//! From a block with one predecessor, its only predecessors are followed up for a few steps. The edge that was taken at
//! each implies a condition, which may decide the block's own. This is tried only if another terminator tests the same
//! register, which is looked up first: for most registers none does.

use super::{Registers, drop_entries};
use crate::analysis::branches::edge_facts::Question;
use crate::pass::PassContext;
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, EntitySet, Format, Function, InstData, Opcode, Reg, Type};

/// Limit on the branches that are examined above one. Branches further away, or reached through joins, are left to
/// `gvn`.
const MAX_STEPS: usize = 8;

/// The registers that terminators test, in memory kept from function to function.
#[derive(Default)]
pub struct TestedRegisters {
    /// All of them, and the ones that terminators test twice.
    tested: EntitySet<Reg>,
    tested_again: EntitySet<Reg>,
}

impl TestedRegisters {
    /// Collects the registers that terminators test.
    fn find_tested(&mut self, f: &Function) {
        self.tested.clear();
        self.tested_again.clear();
        for b in f.layout().blocks().filter(|b| f.succs(*b).len() > 1) {
            let d = f.inst(f.terminator(b));
            let second = if d.op.format() == Format::Branch { d.second().as_reg() } else { None };
            for r in d.first().as_reg().into_iter().chain(second) {
                if !self.tested.insert(r) {
                    self.tested_again.insert(r);
                }
            }
        }
    }
    /// True if another terminator may decide the terminator of `b`: it tests the same register.
    fn may_be_decided(&self, f: &Function, b: Block) -> bool {
        f.inst(f.terminator(b)).first().as_reg().is_none_or(|r| self.tested_again.contains(r))
    }
}

/// Runs the step. Returns whether it changed anything. Blocks may be unreachable then.
pub fn run(
    f: &mut Function,
    tested: &mut TestedRegisters,
    registers: &mut Registers,
    cx: &mut PassContext<'_>,
) -> bool {
    let mut decided: Vec<(Block, Block)> = Vec::new();
    tested.find_tested(f);
    let cfg = cx.analyses.cfg(f);
    for &b in cfg.rpo() {
        if cfg.preds(b).len() == 1
            && f.succs(b).len() > 1
            && tested.may_be_decided(f, b)
            && let Some(question) = Question::of(f, b)
            && let Some(target) = question.decide(f, cfg, b, cfg.preds(b)[0], MAX_STEPS)
            && registers.reads_single(f, f.terminator(b))
        {
            decided.push((b, f.succs(b)[target]));
        }
    }
    let mut targets = Vec::new();
    for &(b, target) in &decided {
        let i = f.terminator(b);
        cx.remarks.done(f, i, Event::DecidedBefore(target));
        targets.extend(f.succs(b).iter().filter(|s| **s != target));
        f.replace_inst(i, InstData::new(Opcode::Jmp, Type::I64));
        f.set_succs(b, &[target]);
    }
    drop_entries(f, cx.analyses, &mut targets);
    cx.stats.add("branches decided", decided.len() as u64);
    !decided.is_empty()
}
