//! An acyclic e-graph (`aegraph`): value numbering, algebra, and the places of computations in one pass.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %n = mul i32 %k, 8
//!   jmp head                                     jmp head
//! head:                                        head:
//!   %i = phi i32 [0, entry], [%j, head]    =>    %i = phi i32 [0, entry], [%j, head]
//!   %m = shl i32 %k, 3
//!   %j = add i32 %i, 1                           %j = add i32 %i, 1
//!   br slt i32 %j, 100, head, exit               br slt i32 %j, 100, head, exit
//! exit:                                        exit:
//!   %s = add i32 %m, %n                          %s = shl i32 %k, 4
//!   ret %s                                       ret %s
//! ```
//!
//! # Algorithm
//!
//! A *class* is a set of forms of one value, and is called by a register. A form is an operation on classes; an
//! operation that has an effect, may trap or reads memory, a phi, or a parameter is a class of one form that stays
//! where it is.
//!
//! 1. `gvn` merges loads and calls, and uses the facts that branches prove ([`super::gvn`]). Trees of shifts and masks
//!    that put bytes together, which are too large for rules, become byte swaps and the like.
//! 2. The blocks are walked in preorder of the dominator tree, so that operands come first ([`classes`]). An operation
//!    whose key a dominating class has is that class. Otherwise it is a new one, to which the rules of `simplify` add
//!    forms: each rule that matches one, or the operation that it makes of one, seen with the best forms of the
//!    operands, and then with the other forms of each. A form whose key a dominating class has makes both the same; a
//!    rule that ends at a value, too. Operands that rules make are numbered in the same way.
//! 3. The best form is the one of least cost: the weight of the operation and the costs of its operands, except the
//!    operands that others read as well. It is known when the class is complete, since operands are older: no cycle
//!    arises, and nothing is left to extract.
//! 4. The needed classes are found from the instructions that stay. Each class is computed once, as low as all readers
//!    allow: in the lowest block that dominates them, but in no loop that it was not in. A costly class is moved out of
//!    the loops whose iterations do not change its operands ([`placement`]).
//! 5. One walk puts the chosen forms before their first readers; the other forms are removed.
//!
//! # Why it is sound
//!
//! All forms of a class compute the same, by the rules ([`crate::passes::simplify`]). The operands of a form dominate
//! the first occurrence of the class, since a class is only found where it dominates; so it dominates every reader, and
//! the class may be computed anywhere between. Only operations that neither trap nor have effects are moved. A form
//! that reads its own class, or a register made from it, costs infinitely much, and is never chosen.
//!
//! # Cost and limits
//!
//! Linear: a class has at most [`classes::MAX_FORMS`] forms, rules are followed [`classes::MAX_DEPTH`] deep. Costs are
//! greedy: operands shared with later readers are not foreseen. A class is moved out of 64 loops at most. For a
//! comparison with `gvn,simplify` see `docs/value-numbering.md`.
//!
//! # Source
//!
//! C. Fallin, "ægraphs: Acyclic E-graphs for Efficient Optimization in a Production Compiler", EGRAPHS 2023, and
//! Cranelift's `egraph` (document S5 names it). Places: C. Click, "Global Code Motion, Global Value Numbering", PLDI
//! 1995. Where we depart: a class has one name and a best form as soon as it is complete, in place of union nodes and
//! an extraction; and an operation that several branches need is computed once above them, where Cranelift computes it
//! in each.

mod ancestors;
mod classes;
mod events;
mod placement;

use crate::analysis::{Preserved, SsaView};
use crate::edit::edges::drop_stale_phi_entries;
use crate::pass::remarks::Remarks;
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::value_numbering::gvn::Gvn;
use classes::{Classes, Numbering};
use lir_syntax::ir::Function;
use placement::{Around, Placement};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "aegraph",
    summary: "number values, add equal forms by rewrite rules, and place the cheapest forms",
    options: &[
        OptionInfo {
            name: "expand",
            kind: OptionKind::Flag { default: true },
            summary: "use rules that add instructions, such as division by a constant as multiplication",
        },
        OptionInfo {
            name: "hoist",
            kind: OptionKind::Flag { default: true },
            summary: "place loop-invariant values before the loop",
        },
    ],
    build: |options| Pass::Ssa(Box::new(Aegraph { expand: options.flag("expand"), hoist: options.flag("hoist") })),
};

struct Aegraph {
    expand: bool,
    hoist: bool,
}

/// The memory kept from function to function.
#[derive(Default)]
struct AegraphScratch {
    classes: Classes,
    placement: Placement,
}

impl SsaPass for Aegraph {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        Gvn::with_memory().run(f, ssa, cx);
        let mut scratch = cx.scratch.take::<AegraphScratch>();
        let AegraphScratch { classes, placement } = &mut *scratch;
        let (cfg, dom, loops) = cx.analyses.loops(f);
        classes.reset(f, cfg.rpo(), (cx.decls, cx.remarks));
        let silent = Remarks::default();
        Numbering { classes, decls: cx.decls, silent, dom, expand: self.expand, fuel: &mut *cx.fuel }.walk(f, cfg);
        placement.place(f, classes, Around { dom, loops, hoist: self.hoist });
        if cx.remarks.on() {
            placement.report(f, classes, cx.remarks);
        }
        let counts = classes.counts;
        let cut = classes.rules.apply_decisions(f);
        let cuts = cut.is_some();
        if let Some(cut) = cut {
            drop_stale_phi_entries(f, cx.analyses.cfg(f), cut);
        }
        cx.stats.add("operations that a class had", counts.found);
        cx.stats.add("forms that rules added", counts.forms);
        cx.stats.add("classes that rules made the same", counts.unified);
        cx.stats.add("classes whose best form is another one", counts.rewritten);
        cx.scratch.give_back(scratch);
        if cuts { Preserved::None } else { Preserved::Cfg }
    }
}
