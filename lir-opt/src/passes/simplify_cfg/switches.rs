//! Step 7: converts a tree of comparisons of one integer with constants, or a chain of tests of one, to a `switch`.
//!
//! ```text
//! a:                                           a:
//!   br eq i32 %x, 5, five, b                     switch i32 %x, other [2: two, 3: three, 5: five, 8: eight, 9: nine]
//! b:
//!   br ult i32 %x, 5, c, e
//! c:
//!   br eq i32 %x, 3, three, d            =>
//! d:
//!   br eq i32 %x, 2, two, other
//! e:
//!   br eq i32 %x, 8, eight, g
//! g:
//!   br eq i32 %x, 9, nine, other
//! ```
//!
//! Front ends without jump tables emit a switch in this form; here it is recognized, so that machine code can have one.
//!
//! 1. The decisions of the tree are found by [`decision_tree`](crate::analysis::branches::decision_tree), which code
//!    generation uses again later: but passes in between move code into the blocks of a tree, which then do more than
//!    compare.
//! 2. A tree with [`MIN_TESTS`] or more tests for equality, and a comparison by order, pays. So does a chain, of tests
//!    for equality alone, with [`MIN_CASES`] or more, or with a `switch` among them: fewer are as well tested one after
//!    another.
//! 3. Only the default may have runs of more than [`MAX_RUN`] integers that are not tested one by one. Other runs
//!    become cases. Phis of the targets get one entry for all blocks of the tree.
//!
//! Blocks that a tree omits because of phis are examined again from their first block.
//!
//! # Source
//!
//! Folklore: LLVM's `SimplifyCFG` gets there one comparison at a time, by `FoldValueComparisonIntoPredecessors`.

use crate::analysis::branches::decision_tree::{Decision, Forest, Kind, Tests, VisitedTree, replace_phi_preds};
use crate::integers::range::Range;
use crate::pass::PassContext;
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Function, InstData, Opcode, Operand, SecondaryMap};

/// The least number of tests for equality in a tree.
const MIN_TESTS: usize = 4;
/// The least number of cases that make a switch of a chain of branches.
const MIN_CASES: usize = 5;
/// Runs of more integers are not written out as cases.
const MAX_RUN: i128 = 16;

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct SwitchScratch {
    visited: VisitedTree,
    is_node: SecondaryMap<Block, bool>,
    /// Blocks of trees that are not worth a switch.
    is_small: SecondaryMap<Block, bool>,
}

impl SwitchScratch {
    /// Runs the step on a function without unreachable blocks. Returns whether it changed anything; then blocks may be
    /// unreachable that no value leads to.
    pub fn run(&mut self, f: &mut Function, kind: Kind, cx: &mut PassContext<'_>) -> bool {
        let cfg = cx.analyses.cfg(f);
        self.is_node.reset(f.num_blocks());
        self.is_small.reset(f.num_blocks());
        let only_pred = |b: Block| if let &[p] = cfg.preds(b) { Some(p) } else { None };
        let mut forest = Forest::new(kind, only_pred, cfg.rpo().len(), std::mem::take(&mut self.visited));
        let mut count = 0;
        for &root in cfg.rpo() {
            // A block that was folded has no successors any more; below a tree that is too small are smaller ones.
            if f.succs(root).len() < 2 || self.is_small[root] || !forest.has_others_below(f, root) {
                continue;
            }
            let Some(tree) = forest.walk(f, root, |f, x| Range::full(f.type_of(x).as_word())) else { break };
            let tests = tree.tests();
            let fits = |d: &Decision| pays(kind, d.tests) && d.runs.iter().all(|r| r.untested() <= MAX_RUN);
            if !pays(kind, tests) {
                tree.nodes().iter().for_each(|b| self.is_small[*b] = true);
            } else if let Some(decision) = forest.decide(f).filter(fits) {
                cx.remarks.done(f, f.terminator(root), Event::Switch(decision.nodes.len()));
                self.make_switch(f, &decision);
                count += 1;
                continue;
            }
            // A tree that is a chain, too, may become a switch as such.
            if kind == Kind::Tree && cx.remarks.on() && !forest.is_below_another(f, root) {
                cx.remarks.missed(f, f.terminator(root), refusal(tests));
            }
        }
        self.visited = forest.into_visited();
        let what = if kind == Kind::Tree { "trees made switches" } else { "chains made switches" };
        cx.stats.add(what, count);
        count != 0
    }

    fn make_switch(&mut self, f: &mut Function, d: &Decision) {
        let root = d.nodes[0];
        let cases = || d.runs.iter().flat_map(|r| (r.values.lo..=r.values.hi).map(|k| (k, r.target)));
        let values: Vec<Operand> = cases().map(|(k, _)| f.make_typed_const(d.ty, k as u64)).collect();
        let succs: Vec<Block> = std::iter::once(d.default).chain(cases().map(|c| c.1)).collect();
        let (a, b) = (Operand::reg(d.x), f.make_cases(&values));
        f.replace_inst(f.terminator(root), InstData::unary(Opcode::Switch, d.ty, a).with_list(b));
        f.set_succs(root, &succs);
        d.nodes.iter().for_each(|b| self.is_node[*b] = true);
        let mut led_to = succs;
        led_to.sort_unstable();
        for &t in &d.targets {
            // Targets that no number reaches get no entry.
            let preds = if led_to.binary_search(&t).is_ok() { &[root][..] } else { &[] };
            replace_phi_preds(f, t, |b| self.is_node[b], preds);
        }
        d.nodes.iter().for_each(|b| self.is_node[*b] = false);
        for &b in &d.nodes[1..] {
            f.remove_block(b);
        }
    }
}

/// Returns the reason a tree with these tests is not a switch.
fn refusal(tests: Tests) -> Event {
    let Tests { nodes, equalities, orders, .. } = tests;
    let least = if orders == 0 { MIN_CASES } else { MIN_TESTS };
    let pays = pays(Kind::Tree, tests) || pays(Kind::Chain, tests);
    if pays { Event::NoSwitch(nodes) } else { Event::TooFewTests(nodes, equalities, least) }
}

/// Step 2.
fn pays(kind: Kind, tests: Tests) -> bool {
    match kind {
        Kind::Tree => tests.equalities >= MIN_TESTS && tests.orders > 0,
        Kind::Chain => tests.nodes > 1 && (tests.equalities >= MIN_CASES || tests.switches > 0),
    }
}
