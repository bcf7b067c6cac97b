//! Finds decisions over an integer by several blocks: trees and chains of comparisons with constants, with switches
//! among them. Compilers without a switch emit them.
//!
//! ```text
//! a:
//!   br eq i32 %x, 4, four, b           ..3: c   4: four   5..: d
//! b:                              =>
//!   br slt i32 %x, 4, c, d
//! ```
//!
//! # Algorithm
//!
//! 1. A block that only compares the integer that its only predecessor compares is part of its predecessor's tree, if
//!    more than one value reaches it.
//! 2. A tree is walked from its root with the interval of values that reach each block. An order comparison divides the
//!    interval; an unsigned one is signed if all values have one sign, so an interval of both signs is divided at 0
//!    first. An equality excludes a single value, whose target is determined by the first block on its path.
//! 3. Leaves and single values together determine the target of every value. The target of most values is the default.
//!
//! 4. If blocks of a tree lead to one target whose phis have different values for them, their tests must be kept for
//!    the phis: the blocks that differ from the first of the walk leave the tree, with their subtrees.
//!
//! # Cost and limits
//!
//! O(n log n) in comparisons and cases. Blocks and cases are walked, and the phis of targets read, for each queried
//! root, until they are more than [`WORK`] for each block of the function; then there are no trees.

use crate::edit::edges::replace_phis_by_zero;
use crate::integers::range::Range;
use lir_syntax::ir::{Block, Format, Function, Inst, IntCC, Opcode, Reg, SecondaryMap, Type};

/// Limit on the blocks, cases and phi entries read for each block of a function.
const WORK: usize = 16;

/// The kind of tests that make a tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// All of an integer.
    Tree,
    /// The tests for equality, one after another.
    Chain,
}

/// The trees of a function. `only_pred` gives the only predecessor of a block.
pub struct Forest<P> {
    kind: Kind,
    only_pred: P,
    visited: VisitedTree,
    budget: usize,
}

/// The only predecessor of each block that one edge leads to. For those who have no graph.
#[derive(Default)]
pub struct OnlyPreds(SecondaryMap<Block, Preds>);

#[derive(Copy, Clone, Default, PartialEq, Eq)]
enum Preds {
    #[default]
    None,
    One(Block),
    Several,
}

impl OnlyPreds {
    /// Computes them for a function.
    pub fn of(f: &Function) -> OnlyPreds {
        let mut preds = OnlyPreds::default();
        preds.recompute(f);
        preds
    }
    /// Computes it anew for a function.
    pub(crate) fn recompute(&mut self, f: &Function) {
        self.0.reset(f.num_blocks());
        for b in f.layout().blocks() {
            for &s in f.succs(b) {
                self.0[s] = if self.0[s] == Preds::None { Preds::One(b) } else { Preds::Several };
            }
        }
    }
    /// Returns the number of a block.
    pub fn get(&self, b: Block) -> Option<Block> {
        if let Preds::One(p) = self.0[b] { Some(p) } else { None }
    }
}

/// The targets of the values of an integer.
#[derive(Debug)]
pub struct Decision {
    /// The type of the integer.
    pub ty: Type,
    /// The integer.
    pub x: Reg,
    /// The known range of the integer. Targets of other values are of no use.
    pub known: Range,
    /// The blocks that decide, the root first.
    pub nodes: Vec<Block>,
    /// Runs of values, ascending, without the values of the default.
    pub runs: Vec<Run>,
    /// The target of all others.
    pub default: Block,
    /// All blocks that the deciding ones lead to.
    pub targets: Vec<Block>,
    /// The tests of the blocks.
    pub tests: Tests,
}

/// Counts of the tests of a tree by kind.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Tests {
    /// Blocks of the tree.
    pub nodes: usize,
    /// Values that are tested for equality, by comparisons and as cases.
    pub equalities: usize,
    /// Comparisons by order.
    pub orders: usize,
    /// Switches.
    pub switches: usize,
}

/// Consecutive values with one target.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The values.
    pub values: Range,
    /// Number of them that are tested for equality, one by one.
    pub tested: u32,
    /// Their target.
    pub target: Block,
}

impl Run {
    /// Returns the number of the values that are not tested one by one.
    pub(crate) fn untested(&self) -> i128 {
        self.values.count() - i128::from(self.tested)
    }
}

/// Returns the integer that a block tests by its last instruction. A removed block has instructions, but no successors,
/// and tests nothing: passes ask about predecessors of before their last change.
fn tested(f: &Function, b: Block) -> Option<(Type, Reg, Inst)> {
    let i = f.layout().last_inst(b)?;
    let d = f.inst(i);
    let is_test = match f.succs(b) {
        [] => false,
        _ if d.op == Opcode::Switch => true,
        &[then, other] => {
            d.op.format() == Format::Branch && d.ty.is_int() && then != other && f.constant(d.second()).is_some()
        }
        _ => false,
    };
    if is_test { Some((d.ty, d.first().as_reg()?, i)) } else { None }
}

fn compares_by_order(f: &Function, test: Inst) -> bool {
    let d = f.inst(test);
    d.op != Opcode::Switch && !matches!(d.int_cc(), IntCC::Eq | IntCC::Ne)
}

/// Returns the one or two targets of a block that get more than one value.
fn targets_of_many(f: &Function, b: Block, test: Inst) -> &[Block] {
    let (d, succs) = (f.inst(test), f.succs(b));
    match d.op {
        Opcode::Switch if succs[1..].contains(&succs[0]) => &[],
        Opcode::Switch => &succs[..1],
        _ if d.int_cc() == IntCC::Eq => &succs[1..],
        _ if d.int_cc() == IntCC::Ne => &succs[..1],
        _ => succs,
    }
}

/// True if a function may have trees, or switches: it has a switch, or several comparisons with constants.
pub fn may_decide(f: &Function) -> bool {
    let mut comparisons = 0;
    f.layout().blocks().any(|b| {
        let Some((.., i)) = tested(f, b) else { return false };
        comparisons += 1;
        comparisons > 2 || f.inst(i).op == Opcode::Switch
    })
}

impl<P: Fn(Block) -> Option<Block>> Forest<P> {
    /// Returns the trees of a function of this size, in blocks or more. `visited` gives its memory.
    pub fn new(kind: Kind, only_pred: P, size: usize, visited: VisitedTree) -> Forest<P> {
        Forest { kind, only_pred, visited, budget: WORK * size }
    }
    /// Returns the memory back.
    pub(crate) fn into_visited(self) -> VisitedTree {
        self.visited
    }

    /// Returns the test of a block, if that may be part of a tree.
    fn tested(&self, f: &Function, b: Block) -> Option<(Type, Reg, Inst)> {
        tested(f, b).filter(|t| self.kind == Kind::Tree || !compares_by_order(f, t.2))
    }
    /// Step 1: true if a block is part of the tree of one that tests `x`, provided that more than one value leads from
    /// there to it.
    fn is_node(&self, f: &Function, b: Block, (ty, x): (Type, Reg)) -> bool {
        self.is_single(f, b) && self.tested(f, b).is_some_and(|t| (t.0, t.1) == (ty, x))
    }
    /// True if a block has one instruction and one predecessor.
    fn is_single(&self, f: &Function, b: Block) -> bool {
        f.layout().first_inst(b) == f.layout().last_inst(b) && (self.only_pred)(b).is_some()
    }
    /// True if a block is part of the tree of the block before it.
    pub fn is_below_another(&self, f: &Function, b: Block) -> bool {
        let Some((ty, x, _)) = self.tested(f, b) else { return false };
        let Some(p) = (self.only_pred)(b) else { return false };
        let above = self.tested(f, p).filter(|t| (t.0, t.1) == (ty, x));
        above.is_some_and(|t| targets_of_many(f, p, t.2).contains(&b)) && self.is_node(f, b, (ty, x))
    }
    /// True if a tree of several blocks begins with block `b`.
    pub fn has_others_below(&self, f: &Function, b: Block) -> bool {
        // A cheap test that fails for most blocks.
        if !f.succs(b).iter().take(2).any(|s| self.is_single(f, *s)) {
            return false;
        }
        let Some((ty, x, i)) = self.tested(f, b) else { return false };
        targets_of_many(f, b, i).iter().any(|s| self.is_node(f, *s, (ty, x)))
    }

    /// Step 2, for the root of a tree, or for a switch. `known` returns the range of an integer. Returns the result, or
    /// none if the budget is spent.
    pub fn walk(&mut self, f: &Function, root: Block, known: impl Fn(&Function, Reg) -> Range) -> Option<&VisitedTree> {
        let (ty, x, _) = self.tested(f, root).filter(|_| self.budget > 0)?;
        self.walk_without(f, root, (ty, x, known(f, x)), &[]);
        Some(&self.visited)
    }
    /// Step 2, with some blocks, in their order, that are not part of the tree.
    fn walk_without(&mut self, f: &Function, root: Block, (ty, x, known): (Type, Reg, Range), left_out: &[Block]) {
        let mut visited = std::mem::take(&mut self.visited);
        visited.run(f, root, known, |b| self.is_node(f, b, (ty, x)) && left_out.binary_search(&b).is_err());
        self.budget = self.budget.saturating_sub(visited.nodes.len() + visited.singles.len());
        self.visited = visited;
    }
    /// Steps 3 and 4, for the last walk. None if the budget is spent.
    pub fn decide(&mut self, f: &Function) -> Option<Decision> {
        let dissenters = if self.visited.nodes.len() == 1 { Vec::new() } else { self.dissenters(f)? };
        if !dissenters.is_empty() {
            let (root, known) = (self.visited.nodes[0], self.visited.known?);
            let (ty, x, _) = tested(f, root)?;
            self.walk_without(f, root, (ty, x, known), &dissenters);
        }
        self.visited.decision(f)
    }

    /// Steps 2 and 3 for a switch alone, if a block ends in one.
    pub fn decide_switch(
        &mut self,
        f: &Function,
        b: Block,
        known: impl Fn(&Function, Reg) -> Range,
    ) -> Option<Decision> {
        let (_, x, _) = tested(f, b).filter(|t| f.inst(t.2).op == Opcode::Switch)?;
        self.visited.run(f, b, known(f, x), |_| false);
        self.visited.decision(f)
    }

    /// Step 4: the blocks of the tree, in their order, for which a phi chooses otherwise than for the first of the walk
    /// that leads there. None if the budget is spent. Sorts the edges.
    fn dissenters(&mut self, f: &Function) -> Option<Vec<Block>> {
        let mut found = Vec::new();
        self.visited.edges.sort_unstable();
        for mine in self.visited.edges.chunk_by(|a, b| a.0 == b.0) {
            if mine.iter().all(|e| e.1 == mine[0].1) {
                continue;
            }
            for phi in f.phis(mine[0].0) {
                self.budget = self.budget.checked_sub(f.phi_entries(phi).len())?;
                let position_of = |p: Block| mine.binary_search_by_key(&p, |e| e.1).ok().map(|k| mine[k].2);
                let chosen = || f.phi_entries(phi).filter_map(|(p, o)| Some((position_of(p)?, p, o)));
                let Some((.., first)) = chosen().min_by_key(|e| e.0) else { continue };
                found.extend(chosen().filter(|e| e.2 != first).map(|e| e.1));
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// The findings of step 2, and its memory.
#[derive(Debug, Default)]
pub struct VisitedTree {
    nodes: Vec<Block>,
    /// Single values and their targets; the first entry of a value counts.
    singles: Vec<(i64, Block)>,
    /// The target of all others.
    leaves: Vec<(Range, Block)>,
    /// All edges out of the tree: target, source, and the position of the source in the walk.
    edges: Vec<(Block, Block, u32)>,
    orders: usize,
    switches: usize,
    known: Option<Range>,
    /// Blocks to visit, with the values that reach them.
    work: Vec<(Block, Range)>,
}

impl VisitedTree {
    /// Returns the blocks of the tree, the root first.
    pub fn nodes(&self) -> &[Block] {
        &self.nodes
    }
    /// Returns their tests.
    pub fn tests(&self) -> Tests {
        let VisitedTree { nodes, singles, orders, switches, .. } = self;
        Tests { nodes: nodes.len(), equalities: singles.len(), orders: *orders, switches: *switches }
    }

    fn run(&mut self, f: &Function, root: Block, known: Range, is_node: impl Fn(Block) -> bool) {
        self.nodes.clear();
        self.singles.clear();
        self.leaves.clear();
        self.edges.clear();
        (self.orders, self.switches, self.known) = (0, 0, Some(known));
        self.nodes.push(root);
        self.work.push((root, known));
        let mut position = 0;
        while let Some((b, values)) = self.work.pop() {
            self.visit(f, (b, position), values, &is_node);
            position += 1;
        }
        // Both halves of an interval that is divided at 0 may reach a block, one after the other.
        self.nodes[1..].sort_unstable();
        self.nodes.dedup();
    }
    /// Finds the targets of values in a range from block `b`, numbered in the walk.
    fn visit(&mut self, f: &Function, (b, position): (Block, u32), values: Range, is_node: &impl Fn(Block) -> bool) {
        let i = f.terminator(b);
        let (d, succs) = (f.inst(i), f.succs(b));
        let go = |w: &mut VisitedTree, to: Block, values: Range| {
            // Unreachable blocks may form a cycle.
            if to != w.nodes[0] && targets_of_many(f, b, i).contains(&to) && is_node(to) {
                w.nodes.push(to);
                w.work.push((to, values));
            } else {
                w.edges.push((to, b, position));
                w.leaves.push((values, to));
            }
        };
        if d.op == Opcode::Switch {
            self.switches += 1;
            for (k, target) in f.switch_cases(i).zip(&succs[1..]) {
                self.single(f.constant(k), values, (*target, b, position));
            }
            return go(self, succs[0], values);
        }
        let (then, rest, cc) = (succs[0], succs[1], d.int_cc());
        let k = f.constant(d.second());
        if matches!(cc, IntCC::Eq | IntCC::Ne) {
            let (equal, other) = if cc == IntCC::Eq { (then, rest) } else { (rest, then) };
            self.single(k, values, (equal, b, position));
            return go(self, other, values);
        }
        self.orders += 1;
        for (to, parts) in [then, rest].into_iter().zip(divided(cc, k.unwrap_or_default(), values)) {
            for part in parts.into_iter().flatten() {
                go(self, to, part);
            }
            // A block that no value reaches is a target all the same, and its phis have an entry.
            if parts == [None; 2] {
                self.edges.push((to, b, position));
            }
        }
    }
    fn single(&mut self, value: Option<i64>, values: Range, edge: (Block, Block, u32)) {
        self.singles.extend(value.filter(|v| values.has(*v)).map(|v| (v, edge.0)));
        self.edges.push(edge);
    }

    /// Step 3, if the tree need not be kept.
    fn decision(&mut self, f: &Function) -> Option<Decision> {
        let (root, known) = (*self.nodes.first()?, self.known?);
        let (ty, x, i) = tested(f, root)?;
        let tests = self.tests();
        let alone = self.nodes.len() == 1 && f.inst(i).op == Opcode::Switch;
        let mut runs = self.runs();
        let default = if alone { f.succs(root)[0] } else { most(&runs)? };
        runs.retain(|run| run.target != default);
        let mut targets: Vec<Block> = self.edges.iter().map(|e| e.0).collect();
        targets.sort_unstable();
        targets.dedup();
        Some(Decision { ty, x, known, nodes: self.nodes.clone(), runs, default, targets, tests })
    }
    /// All values, ascending.
    fn runs(&mut self) -> Vec<Run> {
        // A stable order: the first one of a value comes first.
        self.singles.sort_by_key(|s| s.0);
        self.singles.dedup_by_key(|s| s.0);
        self.leaves.sort_unstable_by_key(|l| l.0.lo);
        let mut runs: Vec<Run> = Vec::new();
        let mut add = |lo: i128, hi: i128, tested: u32, target: Block| {
            if lo > hi {
                return;
            }
            // Between two i64.
            let values = Range { lo: lo as i64, hi: hi as i64 };
            match runs.last_mut() {
                Some(run) if run.target == target => {
                    run.values.hi = values.hi;
                    run.tested += tested;
                }
                _ => runs.push(Run { values, tested, target }),
            }
        };
        let mut singles = self.singles.iter().peekable();
        for &(values, target) in &self.leaves {
            let mut next = i128::from(values.lo);
            while let Some(&(value, hit)) = singles.next_if(|s| s.0 <= values.hi) {
                let value = i128::from(value);
                add(next, value - 1, 0, target);
                add(value, value, 1, hit);
                next = value + 1;
            }
            add(next, values.hi.into(), 0, target);
        }
        runs
    }
}

/// Returns the values for which an order comparison with `k` holds, and the others: of unsigned ones, which put the
/// values below 0 after all others, up to two intervals each.
fn divided(cc: IntCC, k: i64, values: Range) -> [[Option<Range>; 2]; 2] {
    // The last value on the low side, and whether that is where the comparison holds.
    let (last, holds_below) = match cc {
        IntCC::Slt | IntCC::Ult => (i128::from(k) - 1, true),
        IntCC::Sle | IntCC::Ule => (i128::from(k), true),
        IntCC::Sgt | IntCC::Ugt => (i128::from(k), false),
        IntCC::Sge | IntCC::Uge => (i128::from(k) - 1, false),
        IntCC::Eq | IntCC::Ne => unreachable!("no comparison by order"),
    };
    let unsigned = matches!(cc, IntCC::Ult | IntCC::Ule | IntCC::Ugt | IntCC::Uge);
    let of_sign = |negative: bool| {
        let sign = if negative { Range { hi: -1, ..Range::ANY } } else { Range { lo: 0, ..Range::ANY } };
        // With a constant of the other sign all values are on one side.
        let last = match (negative == (k < 0), negative) {
            (true, _) => last,
            (false, true) => i128::MIN,
            (false, false) => i128::MAX,
        };
        values.meet(sign).map(|part| (part, last))
    };
    let parts = if unsigned { [of_sign(true), of_sign(false)] } else { [Some((values, last)), None] };
    // If both ends fit into 64 bits, all values in between do.
    let piece = |lo: i128, hi: i128| (lo <= hi).then_some(Range { lo: lo as i64, hi: hi as i64 });
    let low = parts.map(|p| p.and_then(|(part, last)| piece(part.lo.into(), last.min(part.hi.into()))));
    let high =
        parts.map(|p| p.and_then(|(part, last)| piece(last.saturating_add(1).max(part.lo.into()), part.hi.into())));
    if holds_below { [low, high] } else { [high, low] }
}

/// Returns the target of most values; the first one if there are several.
fn most(runs: &[Run]) -> Option<Block> {
    let mut totals: Vec<(Block, i128)> = runs.iter().map(|r| (r.target, r.values.count())).collect();
    totals.sort_by_key(|t| t.0);
    totals.dedup_by(|more, all| {
        let same = more.0 == all.0;
        all.1 += if same { more.1 } else { 0 };
        same
    });
    let most = totals.iter().map(|t| t.1).max()?;
    let has_most = |b: Block| totals.binary_search_by_key(&b, |t| t.0).is_ok_and(|k| totals[k].1 == most);
    runs.iter().map(|r| r.target).find(|b| has_most(*b))
}

/// Gives the phis of a target an entry for each of the blocks `preds`. They replace the entries of blocks for which
/// `is_old` is true; each phi has one value for all of these.
pub fn replace_phi_preds(f: &mut Function, target: Block, is_old: impl Fn(Block) -> bool, preds: &[Block]) {
    let phis: Vec<Inst> = f.phis(target).collect();
    for phi in phis {
        let (old, mut entries): (Vec<_>, Vec<_>) = f.phi_entries(phi).partition(|e| is_old(e.0));
        let chosen = old.first().map(|e| e.1);
        entries.extend(preds.iter().zip(chosen.into_iter().cycle()).map(|(p, o)| (*p, o)));
        if entries.is_empty() {
            return replace_phis_by_zero(f, target);
        }
        f.set_phi_entries(phi, &entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{Cfg, Module};

    /// Computes the trees of a function whose last four blocks are the targets. They test an i8.
    fn with_forest<T>(body: &str, ask: impl Fn(&Function, &mut Forest<&dyn Fn(Block) -> Option<Block>>) -> T) -> T {
        let text = format!("func @f(%x: i8) {{\n{body}\na:\n  ret\nb:\n  ret\nc:\n  ret\nd:\n  ret\n}}\n");
        let module: Module = text.parse().expect("it parses");
        let f = module.funcs.values().next().expect("a function");
        let cfg = Cfg::new(f);
        let only_pred = |b: Block| if let &[p] = cfg.preds(b) { Some(p) } else { None };
        ask(f, &mut Forest::new(Kind::Tree, &only_pred, f.num_blocks(), VisitedTree::default()))
    }
    /// Returns the runs of a tree as text, with the labels of targets.
    fn decided(body: &str) -> String {
        with_forest(body, |f, forest| {
            let root = f.entry();
            assert!(!forest.is_below_another(f, root) && forest.has_others_below(f, root), "a root");
            forest.walk(f, root, |_, _| Range::full(Type::I8.as_word())).expect("a tree");
            let d = forest.decide(f).expect("decided");
            let name = |b: Block| f.layout().blocks().position(|other| other == b).expect("a block");
            let count = f.layout().blocks().count();
            let letter = |b: Block| ["a", "b", "c", "d"][name(b) + 4 - count];
            let shown = |r: &Run| format!("{}..{} {}", r.values.lo, r.values.hi, letter(r.target));
            let runs: Vec<String> = d.runs.iter().map(shown).collect();
            format!("{}; else {}", runs.join(", "), letter(d.default))
        })
    }

    #[test]
    fn intervals_and_single_values_are_put_together() {
        let tree = "e:\n  br eq i8 %x, 4, a, f\nf:\n  br slt i8 %x, 4, g, h\ng:\n  br eq i8 %x, 2, b, d\n\
                    h:\n  switch i8 %x, d [7: c, 8: c, 4: b, 2: a]";
        assert_eq!(decided(tree), "2..2 b, 4..4 a, 7..8 c; else d");
    }

    #[test]
    fn unsigned_comparisons_divide_at_0() {
        assert_eq!(decided("e:\n  br ult i8 %x, 10, a, f\nf:\n  br uge i8 %x, 200, b, c"), "-56..-1 b, 0..9 a; else c");
        assert_eq!(
            decided("e:\n  br ugt i8 %x, 100, f, a\nf:\n  br sle i8 %x, -100, b, c"),
            "-128..-100 b, 0..100 a; else c"
        );
    }

    #[test]
    fn comparisons_divide_an_interval() {
        use lir_syntax::semantics::compare::icmp;
        let orders = IntCC::ALL.iter().filter(|cc| !matches!(cc, IntCC::Eq | IntCC::Ne));
        for &cc in orders {
            for k in [-128, -1, 0, 1, 127] {
                for values in [Range::full(Type::I8.as_word()), Range { lo: -3, hi: 2 }, Range { lo: 5, hi: 9 }] {
                    let [holds, not] = divided(cc, k, values)
                        .map(|parts| move |x: i64| parts.into_iter().flatten().filter(|r: &Range| r.has(x)).count());
                    for x in -128..=127 {
                        let bits = |k: i64| Type::I8.as_word().truncate(k as u64);
                        let is = values.has(x).then(|| icmp(cc, Type::I8.as_word(), bits(x), bits(k)));
                        let want = (usize::from(is == Some(true)), usize::from(is == Some(false)));
                        assert_eq!((holds(x), not(x)), want, "{cc:?} {k} {values:?} {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_circle_of_unreachable_blocks_ends() {
        let circle = "e:\n  ret\nf:\n  switch i8 %x, g [1: a]\ng:\n  switch i8 %x, f [2: b]";
        with_forest(circle, |f, forest| {
            let blocks: Vec<Block> = f.layout().blocks().collect();
            let visited = forest.walk(f, blocks[1], |_, _| Range::full(Type::I8.as_word())).expect("a tree");
            assert_eq!(visited.nodes(), &blocks[1..3]);
        });
    }

    #[test]
    fn targets_of_one_value_are_no_part_of_a_tree() {
        let below_another = |body: &str| {
            with_forest(body, |f, forest| {
                f.layout().blocks().map(|b| forest.is_below_another(f, b)).collect::<Vec<_>>()
            })
        };
        let branches = "e:\n  br eq i8 %x, 4, f, g\nf:\n  br slt i8 %x, 4, a, b\ng:\n  br slt i8 %x, 4, c, d";
        assert_eq!(below_another(branches)[..3], [false, false, true]);
        let cases = "e:\n  switch i8 %x, f [1: g]\nf:\n  br slt i8 %x, 4, a, b\ng:\n  br slt i8 %x, 4, c, d";
        assert_eq!(below_another(cases)[..3], [false, true, false]);
        let default_too = "e:\n  switch i8 %x, f [1: f, 2: c, 3: d]\nf:\n  br slt i8 %x, 4, a, b";
        assert_eq!(below_another(default_too)[..2], [false, false]);
    }
}
