//! Which target each value of an integer leads to, where several blocks decide: trees and chains of comparisons with
//! constants, with switches among them, as compilers write them that have no switch.
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
//! 1. A block that only compares the integer that its only predecessor compares is part of that one's tree.
//! 2. A tree is walked from its root with the interval of values that come to each block. An order comparison divides the
//!    interval; an unsigned one is signed where all values have one sign, so an interval of both signs is divided at 0
//!    first. An equality takes a single value out, which goes where the first block on its way says.
//! 3. Leaves and single values together say where every value goes. The target of most values is the default.
//!
//! A tree whose blocks lead to one target with phis that choose otherwise for some of them stays as it is: its tests
//! carry what the phis need to know.
//!
//! # Cost and limits
//!
//! O(n log n) in comparisons and cases. The phis of targets are read for each tree that leads there, until the entries
//! read come to more than [`WORK_PER_BLOCK`] for each block of the function; then trees stay as they are.

use super::clusters::{Run, span};
use lir_opt::analysis::ranges::interval::Range;
use lir_syntax::ir::{Block, Format, Function, Inst, IntCC, Opcode, Reg, SecondaryMap, Type};

/// How many phi entries are read for each block of the function.
const WORK_PER_BLOCK: usize = 16;

/// What is known about the blocks of a function.
pub(super) struct Forest {
    /// For each block its only predecessor.
    pred: SecondaryMap<Block, Pred>,
    budget: usize,
}

#[derive(Copy, Clone, Default, PartialEq, Eq)]
enum Pred {
    #[default]
    None,
    One(Block),
    Several,
}

/// Where the values of an integer go.
pub(super) struct Decision {
    pub(super) ty: Type,
    pub(super) x: Reg,
    /// The blocks that decide, the root first.
    pub(super) nodes: Vec<Block>,
    /// Runs of values, ascending, without those that go to the default.
    pub(super) runs: Vec<Run>,
    pub(super) default: Block,
    /// All blocks that the deciding ones lead to.
    pub(super) targets: Vec<Block>,
}

/// What a block tests: an integer, by its last instruction.
fn tested(f: &Function, b: Block) -> Option<(Type, Reg, Inst)> {
    let i = f.layout().last_inst(b)?;
    let d = f.inst(i);
    let by_constant = d.op.format() == Format::Branch && d.ty.is_int() && f.constant(d.b).is_some();
    let is_test = d.op == Opcode::Switch || by_constant && f.succs(b)[0] != f.succs(b)[1];
    if is_test { Some((d.ty, d.a.as_reg()?, i)) } else { None }
}

impl Forest {
    /// Whether a function may have any root: it has a switch, or several comparisons with constants.
    pub(super) fn may_grow(f: &Function) -> bool {
        let mut comparisons = 0;
        f.layout().blocks().any(|b| {
            let Some((.., i)) = tested(f, b) else { return false };
            comparisons += 1;
            comparisons > 2 || f.inst(i).op == Opcode::Switch
        })
    }
    /// Reads a function.
    pub(super) fn new(f: &Function) -> Forest {
        let mut pred: SecondaryMap<Block, Pred> = SecondaryMap::new();
        let mut blocks = 0;
        for b in f.layout().blocks() {
            blocks += 1;
            for &s in f.succs(b) {
                pred[s] = if pred[s] == Pred::None { Pred::One(b) } else { Pred::Several };
            }
        }
        Forest { pred, budget: WORK_PER_BLOCK * blocks }
    }

    /// Step 1: whether a block is part of the tree of a block that tests `x`.
    fn is_node(&self, f: &Function, b: Block, (ty, x): (Type, Reg)) -> bool {
        matches!(self.pred[b], Pred::One(_))
            && tested(f, b).is_some_and(|t| (t.0, t.1) == (ty, x) && f.layout().first_inst(b) == Some(t.2))
    }
    /// All blocks that trees begin with.
    pub(super) fn roots(&self, f: &Function) -> Vec<Block> {
        f.layout().blocks().filter(|b| self.is_root(f, *b)).collect()
    }
    /// Whether a tree begins with block `b`: a switch, or a comparison with others below.
    fn is_root(&self, f: &Function, b: Block) -> bool {
        let Some((ty, x, i)) = tested(f, b) else { return false };
        if let Pred::One(p) = self.pred[b]
            && self.is_node(f, b, (ty, x))
            && tested(f, p).is_some_and(|t| (t.0, t.1) == (ty, x))
        {
            return false;
        }
        f.inst(i).op == Opcode::Switch || f.succs(b).iter().any(|s| self.is_node(f, *s, (ty, x)))
    }

    /// Steps 2 and 3, for a root; `known` says where an integer lies. None where the tree has to stay.
    pub(super) fn decide(
        &mut self,
        f: &Function,
        root: Block,
        known: impl Fn(&Function, Reg) -> Range,
    ) -> Option<(Decision, Range)> {
        let (ty, x, _) = tested(f, root)?;
        let known = known(f, x);
        let is_node = |f: &Function, b: Block| b != root && self.is_node(f, b, (ty, x));
        let mut walk = walk(f, root, known, is_node);
        let agree = walk.nodes.len() == 1 || self.phis_agree(f, &mut walk.edges);
        agree.then(|| (decision(f, (ty, x), walk), known))
    }
    /// The same for a switch alone, if `b` ends in one.
    pub(super) fn decide_alone(
        f: &Function,
        b: Block,
        known: impl Fn(&Function, Reg) -> Range,
    ) -> Option<(Decision, Range)> {
        let (ty, x, _) = tested(f, b).filter(|t| f.inst(t.2).op == Opcode::Switch)?;
        let known = known(f, x);
        Some((decision(f, (ty, x), walk(f, b, known, |_, _| false)), known))
    }

    /// Whether the phis of every target choose alike for all blocks of the tree that lead there. Sorts the edges.
    fn phis_agree(&mut self, f: &Function, edges: &mut [(Block, Block)]) -> bool {
        edges.sort_unstable();
        edges.chunk_by(|a, b| a.0 == b.0).all(|mine| {
            let target = mine[0].0;
            let one = mine.iter().all(|e| e.1 == mine[0].1);
            one || f.phis(target).all(|phi| {
                let Some(left) = self.budget.checked_sub(f.phi_entries(phi).len()) else { return false };
                self.budget = left;
                let is_mine = |p: Block| mine.binary_search(&(target, p)).is_ok();
                let mut chosen = f.phi_entries(phi).filter(|e| is_mine(e.0)).map(|e| e.1);
                let first = chosen.next();
                chosen.all(|o| Some(o) == first)
            })
        })
    }
}

/// Step 3.
fn decision(f: &Function, (ty, x): (Type, Reg), walk: Walk) -> Decision {
    let Walk { nodes, singles, leaves, edges } = walk;
    let alone = nodes.len() == 1 && f.inst(f.terminator(nodes[0])).op == Opcode::Switch;
    let mut runs = runs(singles, leaves);
    let default = if alone { f.succs(nodes[0])[0] } else { most(&runs) };
    runs.retain(|run| run.target != default);
    let mut targets: Vec<Block> = edges.iter().map(|e| e.0).collect();
    targets.sort_unstable();
    targets.dedup();
    Decision { ty, x, nodes, runs, default, targets }
}

/// What step 2 finds.
#[derive(Default)]
struct Walk {
    nodes: Vec<Block>,
    /// Single values and where they go; the first one of a value counts.
    singles: Vec<(i64, Block)>,
    /// Where all others go.
    leaves: Vec<(Range, Block)>,
    /// All edges out of the tree: target, source.
    edges: Vec<(Block, Block)>,
}

/// Step 2.
fn walk(f: &Function, root: Block, known: Range, is_node: impl Fn(&Function, Block) -> bool) -> Walk {
    let mut w = Walk { nodes: vec![root], ..Walk::default() };
    let mut work = vec![(root, known)];
    let mut ways = Vec::new();
    while let Some((b, bounds)) = work.pop() {
        w.ways_on(f, b, bounds, &mut ways);
        for (to, bounds) in ways.drain(..) {
            if !is_node(f, to) {
                w.edges.push((to, b));
                w.leaves.push((bounds, to));
            } else {
                // Of a comparison by another sign both halves come here, one after the other.
                w.nodes.push(to);
                work.push((to, bounds));
            }
        }
    }
    w.nodes[1..].sort_unstable();
    w.nodes.dedup();
    w
}

impl Walk {
    /// Where values within bounds go from block `b`; notes single ones.
    fn ways_on(&mut self, f: &Function, b: Block, bounds: Range, ways: &mut Vec<(Block, Range)>) {
        let i = f.terminator(b);
        let (d, succs) = (f.inst(i), f.succs(b));
        if d.op == Opcode::Switch {
            for (k, target) in f.switch_cases(i).zip(&succs[1..]) {
                self.single(f.constant(k), bounds, (*target, b));
            }
            return ways.push((succs[0], bounds));
        }
        let (then, rest, cc) = (succs[0], succs[1], d.int_cc());
        let k = f.constant(d.b);
        let limit = i128::from(k.unwrap_or_default());
        // The last value on the low side, and whether that is where the comparison holds.
        let (limit, holds_below) = match cc {
            IntCC::Eq | IntCC::Ne => {
                let (equal, other) = if cc == IntCC::Eq { (then, rest) } else { (rest, then) };
                self.single(k, bounds, (equal, b));
                return ways.push((other, bounds));
            }
            IntCC::Slt | IntCC::Ult => (limit - 1, true),
            IntCC::Sle | IntCC::Ule => (limit, true),
            IntCC::Sgt | IntCC::Ugt => (limit, false),
            IntCC::Sge | IntCC::Uge => (limit - 1, false),
        };
        let unsigned = matches!(cc, IntCC::Ult | IntCC::Ule | IntCC::Ugt | IntCC::Uge);
        let (low, high) = if holds_below { (then, rest) } else { (rest, then) };
        // Values of one sign each. Unsigned, those below 0 come after all others.
        let negative = Range { hi: bounds.hi.min(-1), ..bounds };
        let positive = Range { lo: bounds.lo.max(0), ..bounds };
        for part in if unsigned { [Some(negative), Some(positive)] } else { [Some(bounds), None] }.into_iter().flatten()
        {
            let of_one_sign = (part.lo < 0) == (k < Some(0));
            let limit = match (unsigned, of_one_sign, part.lo < 0) {
                (false, ..) | (true, true, _) => limit,
                (true, false, true) => i128::MIN,
                (true, false, false) => i128::MAX,
            };
            let (first, last) = (i128::from(part.lo), i128::from(part.hi));
            // What is within 64 bits on both sides is so in between.
            let piece = |from: i128, to: i128| (from <= to).then_some(Range { lo: from as i64, hi: to as i64 });
            ways.extend(piece(first, last.min(limit)).map(|p| (low, p)));
            ways.extend(piece(first.max(limit.saturating_add(1)), last).map(|p| (high, p)));
        }
        for target in [then, rest] {
            // One that no value goes to is a target all the same, and its phis have an entry.
            if !ways.iter().any(|w| w.0 == target) {
                self.edges.push((target, b));
            }
        }
    }
    fn single(&mut self, value: Option<i64>, bounds: Range, edge: (Block, Block)) {
        self.singles.extend(value.filter(|v| bounds.has(*v)).map(|v| (v, edge.0)));
        self.edges.push(edge);
    }
}

/// Step 3: all values, ascending.
fn runs(mut singles: Vec<(i64, Block)>, mut leaves: Vec<(Range, Block)>) -> Vec<Run> {
    // A stable order: the first one of a value comes first.
    singles.sort_by_key(|s| s.0);
    singles.dedup_by_key(|s| s.0);
    leaves.sort_unstable_by_key(|l| l.0.lo);
    let mut runs: Vec<Run> = Vec::new();
    let mut add = |low: i128, high: i128, target: Block| {
        if low > high {
            return;
        }
        let (low, high) = (low as i64, high as i64);
        match runs.last_mut() {
            Some(run) if run.target == target => run.high = high,
            _ => runs.push(Run { low, high, target }),
        }
    };
    let mut singles = singles.into_iter().peekable();
    for (bounds, target) in leaves {
        let mut next = i128::from(bounds.lo);
        while let Some((value, hit)) = singles.next_if(|s| s.0 <= bounds.hi) {
            add(next, i128::from(value) - 1, target);
            add(value.into(), value.into(), hit);
            next = i128::from(value) + 1;
        }
        add(next, bounds.hi.into(), target);
    }
    runs
}

/// The target of most values; of several the one that comes first.
fn most(runs: &[Run]) -> Block {
    let mut totals: SecondaryMap<Block, i128> = SecondaryMap::new();
    runs.iter().for_each(|r| totals[r.target] += span(r.low, r.high));
    let mut best = runs.first().expect("some value comes here").target;
    for run in runs {
        if totals[run.target] > totals[best] {
            best = run.target;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::parser::{ParseOptions, parse};
    use lir_syntax::source::Source;

    /// The runs of a tree in i8 as text, with the labels of targets.
    fn decided(body: &str) -> String {
        let text = format!("func @f(%x: i8) {{\n{body}\na:\n  ret\nb:\n  ret\nc:\n  ret\nd:\n  ret\n}}\n");
        let module = parse(&Source { name: "f.lir".into(), text }, &ParseOptions::default()).expect("it parses");
        let f = module.funcs.values().next().expect("a function");
        let mut forest = Forest::new(f);
        let root = f.entry();
        assert!(forest.is_root(f, root), "a root");
        let (d, _) = forest.decide(f, root, |_, _| Range::full(Type::I8)).expect("decided");
        let name = |b: Block| f.layout().blocks().position(|other| other == b).expect("a block");
        // The targets are the last four blocks.
        let count = f.layout().blocks().count();
        let letter = |b: Block| ["a", "b", "c", "d"][name(b) + 4 - count];
        let runs: Vec<String> = d.runs.iter().map(|r| format!("{}..{} {}", r.low, r.high, letter(r.target))).collect();
        format!("{}; else {}", runs.join(", "), letter(d.default))
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
}
