//! A bug on purpose (`plant-swapped-predicate`), for tests of the tools that find bugs. Not listed, not suggested.
//!
//! Swaps the predicate of every comparison of two registers, and leaves the operands where they are.
//!
//! # Example
//!
//! ```text
//!   %c = icmp slt i32 %a, %b             =>      %c = icmp sgt i32 %a, %b
//! ```
//!
//! # Algorithm
//!
//! The part of value numbering that brings comparisons into one form, without its second half. Branches are left alone,
//! so that loops end as before.
//!
//! # Why it is sound
//!
//! It is not: except for `icmp eq`, `ne` and their float counterparts, the result is wrong wherever the operands
//! differ. Running it twice restores the program.
//!
//! # Cost and limits
//!
//! Linear.

use crate::analysis::Preserved;
use crate::edit::reads::for_each_inst;
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use lir_syntax::ir::{Format, Function};

/// The row of the list of hidden passes.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "plant-swapped-predicate",
    summary: "miscompile comparisons of two registers, to test the tools that find miscompiles",
    options: &[],
    build: |_| Pass::Function(Box::new(PlantSwappedPredicate)),
};

struct PlantSwappedPredicate;

impl FunctionPass for PlantSwappedPredicate {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut swapped = 0;
        for_each_inst(f, |f, _, i| {
            let d = *f.inst(i);
            if d.op.format() == Format::Compare && d.second().is_reg() && d.predicate().swapped() != d.predicate() {
                f.replace_inst(i, d.with_predicate(d.predicate().swapped()));
                swapped += 1;
            }
        });
        cx.stats.add("predicates swapped", swapped);
        Preserved::cfg_if(swapped != 0)
    }
}
