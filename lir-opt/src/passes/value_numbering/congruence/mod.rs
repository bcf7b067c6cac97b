//! Congruence classes of the registers of a whole function: what `gvn-unified` and `gvn-partition` share.
//!
//! Registers with one number are congruent: they hold the same value wherever both are assigned, in the same iteration
//! of every loop around both. [`numbers`] gives the numbers, [`eliminate`] removes what a congruent register stands
//! for. The two passes differ in what is believed of a phi before all of its operands have numbers.

mod eliminate;
mod numbers;
mod partition;
mod phi_keys;
mod unified;

pub(crate) use partition::INFO as PARTITION;
pub(crate) use unified::INFO as UNIFIED;

use crate::analysis::{Preserved, SsaView};
use crate::pass::PassContext;
use eliminate::Eliminator;
use lir_syntax::ir::Function;
pub(super) use numbers::{Belief, Numbers};

/// Numbers a function and removes what is redundant.
fn run(f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>, belief: Belief) -> Preserved {
    let mut numbers = cx.scratch.take::<Numbers>();
    let mut eliminator = cx.scratch.take::<Eliminator>();
    let (cfg, dom) = cx.analyses.dominators(f);
    numbers.find(f, ssa, cfg, belief);
    let replaced = eliminator.run(f, dom, &numbers, cx.remarks);
    cx.scratch.give_back(numbers);
    cx.scratch.give_back(eliminator);
    cx.stats.add("instructions replaced", replaced);
    Preserved::cfg_if(replaced != 0)
}
