//! Optimistic value numbering (`gvn-partition`).
//!
//! Finds equal values around loops: it believes that registers are equal until an operation parts them.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   jmp loop                                     jmp loop
//! loop:                                        loop:
//!   %i = phi i32 [0, entry], [%j, loop]          %i = phi i32 [0, entry], [%j, loop]
//!   %k = phi i32 [0, entry], [%l, loop]   =>
//!   %j = add i32 %i, 1                           %j = add i32 %i, 1
//!   %l = add i32 %k, 1
//!   %d = sub i32 %j, %l                          %d = sub i32 %j, %j
//!   br slt i32 %l, %n, loop, done                br slt i32 %j, %n, loop, done
//! ```
//!
//! # Algorithm
//!
//! 1. All registers are numbered: see [`numbers`](super::numbers). At first a phi has the number of the operands that
//!    are numbered already, as if the others were equal to them. If they are not, the phi gets another number, and its
//!    readers are evaluated again, until nothing changes: the coarsest partition that the operations do not contradict.
//! 2. Registers that a congruent register dominates are replaced by it: see [`eliminate`](super::eliminate).
//! 3. With the option `facts` follows a walk of the dominator tree as in [`gvn`](super::super::gvn) with `mem=off`:
//!    where a branch has proved the values of operands, more is equal or decided, which numbers of the whole function
//!    cannot express. It numbers calls that access no memory, too.
//!
//! # Why it is sound
//!
//! In the end each number follows from its operation and the numbers of its operands. Suppose that registers with one
//! number hold different values somewhere, and take the first moment of an execution when they do: the one that was
//! assigned then was computed from operands that were equal before, by the same operation, or chosen by the same edge.
//! Of operations that may trap, the one that stays was executed before, with the same operands.
//!
//! # Cost and limits
//!
//! In practice each instruction is evaluated two or three times; in loops around loops as often as beliefs fail one
//! after the other, but no more than [`MAX_EVALUATIONS`](super::optimist) times on average: then the function is
//! numbered as `gvn-unified` does it. Loads are not numbered. With `facts` nothing is left that `gvn{mem=off}` finds.
//!
//! # Source
//!
//! B. Alpern, M. N. Wegman, F. K. Zadeck, "Detecting Equality of Variables in Programs", POPL 1988: the partition. L.
//! T. Simpson, "Value-Driven Redundancy Elimination", Rice University 1996: hashing in reverse postorder, repeated. K.
//! Gargi, "A Sparse Algorithm for Predicated Global Value Numbering", PLDI 2002: evaluating again only the instructions
//! that a change touches. There classes have leaders, which change; here keys are made of numbers, which do not.

use super::Belief;
use crate::analysis::{Preserved, SsaView};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::value_numbering::gvn::Gvn;
use lir_syntax::ir::Function;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "gvn-partition",
    summary: "replace values that a dominating instruction computes, including congruences around loops",
    options: &[OptionInfo {
        name: "facts",
        kind: OptionKind::Flag { default: true },
        summary: "use facts from dominating branches, and number calls, as gvn does",
    }],
    build: |options| Pass::Ssa(Box::new(GvnPartition { facts: options.flag("facts") })),
};

struct GvnPartition {
    facts: bool,
}

impl SsaPass for GvnPartition {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let by_numbers = super::run(f, ssa, cx, Belief::Optimistic);
        if !self.facts {
            return by_numbers;
        }
        let said = cx.remarks.len();
        let by_facts = Gvn::without_memory().run(f, ssa, cx);
        // Why something is not equal was said by the numbers of the whole function.
        cx.remarks.keep_done_since(said);
        by_numbers.and(by_facts)
    }
}
