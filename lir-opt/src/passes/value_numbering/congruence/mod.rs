//! Congruence classes of the registers of a whole function: the parts that `gvn-unified` and `gvn-partition` share.
//!
//! Registers with one number are congruent: they hold the same value wherever both are assigned, in the same iteration
//! of every loop around both. [`numbers`] gives the numbers, [`eliminate`] removes instructions whose value a congruent
//! register holds. The two passes differ in the belief about a phi before all of its operands have numbers:
//! [`optimist`] believes in equality until it is refuted.

mod eliminate;
mod events;
mod gvn_partition;
mod gvn_unified;
mod numbers;
mod optimist;

pub(crate) use gvn_partition::INFO as PARTITION;
pub(crate) use gvn_unified::INFO as UNIFIED;

use crate::analysis::{Preserved, SsaView};
use crate::pass::PassContext;
use eliminate::Eliminator;
use lir_syntax::ir::Function;
use numbers::Belief;
pub(super) use numbers::Numbers;
use optimist::Optimist;

/// Numbers a function and removes redundant instructions.
fn run(f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>, belief: Belief) -> Preserved {
    let mut numbers = cx.scratch.take::<Numbers>();
    let mut eliminator = cx.scratch.take::<Eliminator>();
    let (cfg, _) = cx.analyses.dominators(f);
    match belief {
        Belief::Pessimistic => numbers.find(f, ssa, cfg),
        Belief::Optimistic => {
            let mut optimist = cx.scratch.take::<Optimist>();
            optimist.find(&mut numbers, f, ssa, cfg);
            cx.scratch.give_back(optimist);
        }
    }
    let replaced = eliminator.run(f, ssa, &numbers, cx);
    cx.scratch.give_back(numbers);
    cx.scratch.give_back(eliminator);
    cx.stats.add("instructions replaced", replaced);
    Preserved::cfg_if(replaced != 0)
}
