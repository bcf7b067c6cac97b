//! Value numbering with one table for the function (`gvn-unified`).
//!
//! Numbers equal values wherever they are, and replaces a value afterwards if an equal one dominates it.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   br %c, left, right                           br %c, left, right
//! left:                                        left:
//!   %a = add i32 %x, %y                          %a = add i32 %x, %y
//!   jmp join                                     jmp join
//! right:                                =>     right:
//!   %b = add i32 %y, %x                          %b = add i32 %y, %x
//!   jmp join                                     jmp join
//! join:                                        join:
//!   %p = phi i32 [%a, left], [%b, right]         %p = phi i32 [%a, left], [%b, right]
//!   %d = add i32 %x, %y
//!   ret %d                                       ret %p
//! ```
//!
//! `gvn`, whose table has dominating values only, does not see that `%a` and `%b` are equal, and so is `%p`.
//!
//! # Algorithm
//!
//! 1. All registers are numbered in one walk in reverse postorder, with one table for the whole function: see
//!    [`numbers`](super::numbers). A phi that reads a later register is different from all others.
//! 2. Registers that a congruent register dominates are replaced by it: see [`eliminate`](super::eliminate).
//!
//! # Why it is sound
//!
//! Two registers with one number were computed by the same operation from operands with one number, or are copies or
//! phis of such: wherever both are assigned they hold the same value. Of operations that may trap, the one that stays
//! was executed before, with the same operands.
//!
//! # Cost and limits
//!
//! Linear, by hashing. Loads and calls are not numbered.
//!
//! # Source
//!
//! Document S5 (M. Bernstein, "Value numbering"): the unified hash table of its list of variants; the replacement is P.
//! Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software: Practice and Experience 27(6), 1997, section 3.3
//! ("dominator-based removal").

use super::Belief;
use crate::analysis::{Preserved, SsaView};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::Function;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "gvn-unified",
    summary: "replace values that a dominating instruction computes, with one table for the function",
    options: &[],
    build: |_| Pass::Ssa(Box::new(GvnUnified)),
};

struct GvnUnified;

impl SsaPass for GvnUnified {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        super::run(f, ssa, cx, Belief::Pessimistic)
    }
}
