//! Lowers `switch` to branches, bit tests, and jumps through tables.
//!
//! # Algorithm
//!
//! 1. The facts about the operand ([`known`]) rule out cases, and may rule out the default. Trees of comparisons of one
//!    integer count as switches ([`lir_opt::analysis::branches::decision_tree`]), if they become more than comparisons.
//! 2. The cases are divided into clusters that are decided together ([`clusters`]).
//! 3. A binary search leads to the cluster: an inner node tests `x < pivot` (signed). The test narrows the range of x,
//!    which saves comparisons at the leaves. Up to [`LINEAR`] single values are tested one after another.
//! 4. A cluster is a comparison or two; or `x - low` is compared with its span, unless that is known, and then tested
//!    by `mask >> (x - low) & 1`, or switched over in 64 bits.
//!
//! The remaining switches represent jumps through tables, with an entry for each value from 0 up to the last case.
//! Their operand is never beyond these, so selection compares nothing. To the interpreter they are ordinary switches.
//!
//! The search tree is built from an explicit work list. Phis in the targets get an entry for every new predecessor.
//!
//! # Source
//!
//! R. A. Sayle, "A Superoptimizer Analysis of Multiway Branch Code Generation", GCC Summit 2008.

mod clusters;
mod known;

use crate::effort::Effort;
use clusters::{BIT_TARGETS, Cluster, ClusterKind, MASK_BITS, is_dense, span, weight};
use known::SingleDefs;
use lir_opt::analysis::branches::decision_tree::{
    Decision, Forest, Kind, OnlyPreds, Run, VisitedTree, may_decide, replace_phi_preds,
};
use lir_opt::integers::range::Range;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Block, Function, IntCC, Opcode, Reg, SecondaryMap, Type};
use smallvec::SmallVec;
use std::ops;

/// The largest group of values that are tested one after another.
const LINEAR: usize = 3;
/// Limit on the lowest case of tables that begin at 0 all the same, which saves a subtraction.
const LOW: i64 = 8;

/// Lowers every switch of a function. For good code it also lowers every tree of comparisons that is better as a
/// switch; otherwise functions without a switch stay as they are.
pub(super) fn lower_switches(f: &mut Function, effort: Effort) {
    let trees = effort == Effort::Good;
    let ends_in_switch = |f: &Function, b: Block| f.inst(f.terminator(b)).op == Opcode::Switch;
    if !trees && !f.layout().blocks().any(|b| ends_in_switch(f, b)) || !may_decide(f) {
        return;
    }
    let preds = OnlyPreds::of(f);
    let blocks: Vec<Block> = f.layout().blocks().collect();
    let edges: usize = blocks.iter().map(|b| f.succs(*b).len()).sum();
    let mut forest = Forest::new(Kind::Tree, |b| preds.get(b), blocks.len() + edges, VisitedTree::default());
    let is_root =
        |b: &Block| (ends_in_switch(f, *b) || forest.has_others_below(f, *b)) && !forest.is_below_another(f, *b);
    let roots: Vec<Block> = blocks.iter().copied().filter(is_root).collect();
    // Unreachable blocks may form a cycle of switches without a root.
    if roots.is_empty() && !blocks.iter().any(|b| ends_in_switch(f, *b)) {
        return;
    }
    let defs = SingleDefs::of(f);
    let known = |f: &Function, x: Reg| defs.range_of(f, x);
    let mut lowered = SecondaryMap::new();
    for b in roots {
        if forest.walk(f, b, known).is_some()
            && let Some(decision) = forest.decide(f)
        {
            lower(f, b, decision, &mut lowered);
        }
    }
    // The switches in trees that stay.
    for b in blocks {
        if !lowered[b]
            && let Some(decision) = forest.decide_switch(f, b, known)
        {
            lower(f, b, decision, &mut lowered);
        }
    }
}

/// Does steps 2 and 3 for the decision in block `b`. A tree of branches without tables and bit tests stays. Notes the
/// lowered blocks.
fn lower(f: &mut Function, b: Block, decision: Decision, lowered: &mut SecondaryMap<Block, bool>) {
    let Decision { ty, x, known, nodes, runs, default, targets, .. } = decision;
    let clusters = clusters::divide(&runs);
    let i = f.terminator(b);
    if f.inst(i).op != Opcode::Switch && clusters.iter().all(|p| p.kind == ClusterKind::Compare) {
        return;
    }
    nodes.iter().for_each(|b| lowered[*b] = true);
    let loc = f.debug_loc(i);
    f.remove_inst(i);
    f.set_succs(b, &[]);
    let preds = Targets::new(&targets, &nodes);
    for &node in &nodes[1..] {
        f.remove_block(node);
    }
    let base_name = f.regs[x].name;
    let mut build = FunctionBuilder::new(f);
    (build.loc, build.base_name) = (loc, base_name);
    let mut l = Lowering { build, ty, x, runs, clusters, default, name_of: b, last: b, preds };
    l.search(known);
    let Lowering { preds, .. } = l;
    preds.update_phis(f);
}

/// The lowering of a switch.
struct Lowering<'f> {
    build: FunctionBuilder<'f>,
    ty: Type,
    x: Reg,
    /// Ascending, without the runs of the default.
    runs: Vec<Run>,
    clusters: Vec<Cluster>,
    default: Block,
    /// The block that the switch was in: new blocks are named after it, and follow `last`.
    name_of: Block,
    last: Block,
    preds: Targets,
}

impl<'f> Lowering<'f> {
    /// Step 3.
    fn search(&mut self, known: Range) {
        // Each item: a block without terminator, its remaining clusters, and the range of x there.
        let mut work = vec![(self.name_of, 0..self.clusters.len(), known)];
        while let Some((at, range, known)) = work.pop() {
            let clusters = &self.clusters[range.clone()];
            match clusters {
                [] => self.jump(at, self.default),
                [cluster] => {
                    let cluster = cluster.clone();
                    self.cluster(at, &cluster, known);
                }
                _ if clusters.len() <= LINEAR && clusters.iter().all(|p| self.is_value(p)) => {
                    self.values(at, range, known)
                }
                _ => {
                    let mid = range.start + clusters.len() / 2;
                    let pivot = self.runs[self.clusters[mid].runs.start].values.lo;
                    let (low, high) = (self.block(), self.block());
                    self.branch(at, IntCC::Slt, (self.x, pivot), low, high);
                    work.push((high, mid..range.end, Range { lo: pivot, ..known }));
                    work.push((low, range.start..mid, Range { hi: pivot - 1, ..known }));
                }
            }
        }
    }
    /// True if a cluster is one value.
    fn is_value(&self, cluster: &Cluster) -> bool {
        let run = &self.runs[cluster.runs.start];
        cluster.kind == ClusterKind::Compare && run.values.lo == run.values.hi
    }
    /// Single values, one after another.
    fn values(&mut self, mut at: Block, range: ops::Range<usize>, known: Range) {
        // With every other value ruled out, the last one needs no test.
        let all = known.count() == range.len() as i128;
        for k in range.clone() {
            let run = self.runs[self.clusters[k].runs.start];
            let last = k + 1 == range.end;
            if last && all {
                return self.jump(at, run.target);
            }
            let rest = if last { self.default } else { self.block() };
            self.branch(at, IntCC::Eq, (self.x, run.values.lo), run.target, rest);
            at = rest;
        }
    }

    /// Step 4.
    fn cluster(&mut self, at: Block, cluster: &Cluster, known: Range) {
        match cluster.kind {
            ClusterKind::Compare => self.compare(at, self.runs[cluster.runs.start], known),
            ClusterKind::Table => self.table(at, cluster.runs.clone(), known),
            ClusterKind::Bits => self.bits(at, cluster.runs.clone(), known),
        }
    }
    /// One run.
    fn compare(&mut self, at: Block, run: Run, known: Range) {
        let (then, rest, x) = (run.target, self.default, self.x);
        match (known.lo >= run.values.lo, known.hi <= run.values.hi) {
            (true, true) => self.jump(at, then),
            _ if run.values.lo == run.values.hi => self.branch(at, IntCC::Eq, (x, run.values.lo), then, rest),
            (true, false) => self.branch(at, IntCC::Sle, (x, run.values.hi), then, rest),
            (false, true) => self.branch(at, IntCC::Sge, (x, run.values.lo), then, rest),
            (false, false) => {
                let offset = self.minus(at, run.values.lo);
                let width = run.values.hi.wrapping_sub(run.values.lo);
                self.branch(at, IntCC::Ule, (offset, width), then, rest);
            }
        }
    }
    /// Makes a switch in 64 bits over the values below the end of a table.
    fn table(&mut self, at: Block, range: ops::Range<usize>, known: Range) {
        let runs = &self.runs[range.clone()];
        let (mut low, mut high) = (runs[0].values.lo, runs[runs.len() - 1].values.hi);
        if is_dense(weight(runs), known.count()) {
            // With entries for all other values of x no comparison is needed.
            (low, high) = (known.lo.min(low), known.hi.max(high));
        }
        if (1..=LOW).contains(&low) {
            low = 0;
        }
        let (at, offset) = self.within(at, (low, high), known);
        let wide = self.convert(at, offset, Type::I64);
        let mut entries: Vec<Block> = vec![self.default; span(low, high) as usize];
        for run in &self.runs[range] {
            let index = |value: i64| (value as i128 - low as i128) as usize;
            entries[index(run.values.lo)..=index(run.values.hi)].fill(run.target);
        }
        let cases: Vec<(i64, Block)> = (0..).zip(entries.iter().copied()).skip(1).collect();
        self.end_of(at).switch(wide, entries[0], &cases);
        entries.sort_unstable();
        entries.dedup();
        entries.iter().for_each(|target| self.preds.add(*target, at));
    }
    /// Tests of bits, one for each target.
    fn bits(&mut self, at: Block, range: ops::Range<usize>, known: Range) {
        let runs = self.runs[range].to_vec();
        let (mut low, mut high) = (runs[0].values.lo, runs[runs.len() - 1].values.hi);
        if low > 0 && span(0, high) <= MASK_BITS {
            low = 0;
        }
        if span(low.min(known.lo), high.max(known.hi)) <= MASK_BITS {
            (low, high) = (low.min(known.lo), high.max(known.hi));
        }
        let (mut at, offset) = self.within(at, (low, high), known);
        let word = if self.ty != Type::I64 && span(low, high) <= 32 { Type::I32 } else { Type::I64 };
        let offset = self.convert(at, offset, word);
        let mut masks: SmallVec<[(Block, u64); BIT_TARGETS]> = SmallVec::new();
        for run in &runs {
            let ones = u64::MAX >> (MASK_BITS - run.values.count()) as u32;
            let mask = ones << (run.values.lo as i128 - low as i128) as u32;
            match masks.iter_mut().find(|m| m.0 == run.target) {
                Some(m) => m.1 |= mask,
                None => masks.push((run.target, mask)),
            }
        }
        let ones: u32 = masks.iter().map(|m| m.1.count_ones()).sum();
        let all = i128::from(ones) == known.count().min(span(low, high));
        for (k, &(target, mask)) in masks.iter().enumerate() {
            let last = k + 1 == masks.len();
            if last && all {
                return self.jump(at, target);
            }
            let rest = if last { self.default } else { self.block() };
            let build = self.end_of(at);
            let mask = build.constant(word, Value::Bits(mask));
            let shifted = build.lshr(mask, offset);
            let bit = build.and(shifted, 1);
            self.branch(at, IntCC::Ne, (bit, 0), target, rest);
            at = rest;
        }
    }
    /// `x - low`, and the block where it is at most `high - low`.
    fn within(&mut self, at: Block, (low, high): (i64, i64), known: Range) -> (Block, Reg) {
        let offset = self.minus(at, low);
        if known.lo >= low && known.hi <= high {
            return (at, offset);
        }
        let inside = self.block();
        self.branch(at, IntCC::Ugt, (offset, high.wrapping_sub(low)), self.default, inside);
        (inside, offset)
    }

    /// `x - low`.
    fn minus(&mut self, at: Block, low: i64) -> Reg {
        let x = self.x;
        if low == 0 { x } else { self.end_of(at).sub(x, low) }
    }
    /// Returns a value of the type of x in a type as wide or wider.
    fn convert(&mut self, at: Block, x: Reg, to: Type) -> Reg {
        if self.ty == to { x } else { self.end_of(at).zext(x, to) }
    }
    /// Returns the builder, at the end of a block.
    fn end_of(&mut self, at: Block) -> &mut FunctionBuilder<'f> {
        self.build.switch_to(at);
        &mut self.build
    }
    fn block(&mut self) -> Block {
        let f = &mut self.build.func;
        let b = f.make_block(f.block(self.name_of).name.derived());
        f.insert_block_after(b, self.last);
        self.last = b;
        b
    }
    fn jump(&mut self, at: Block, to: Block) {
        self.end_of(at).jmp(to);
        self.preds.add(to, at);
    }
    fn branch(&mut self, at: Block, cc: IntCC, (x, value): (Reg, i64), then: Block, rest: Block) {
        self.end_of(at).branch(cc, x, value, then, rest);
        self.preds.add(then, at);
        self.preds.add(rest, at);
    }
}

/// The new predecessors of each target.
struct Targets {
    preds: SecondaryMap<Block, Option<Vec<Block>>>,
    order: Vec<Block>,
    /// True if a block was a predecessor before.
    before: SecondaryMap<Block, bool>,
}

impl Targets {
    /// Returns the targets without new predecessors. Their old ones are the nodes.
    fn new(targets: &[Block], nodes: &[Block]) -> Targets {
        let (mut preds, mut before) = (SecondaryMap::new(), SecondaryMap::new());
        targets.iter().for_each(|t| preds[*t] = Some(Vec::new()));
        nodes.iter().for_each(|b| before[*b] = true);
        Targets { preds, order: targets.to_vec(), before }
    }
    /// Notes a predecessor, if `target` is a target and not a block of the lowering.
    fn add(&mut self, target: Block, pred: Block) {
        if let Some(preds) = &mut self.preds[target] {
            preds.push(pred);
        }
    }
    fn update_phis(&self, f: &mut Function) {
        for &t in &self.order {
            replace_phi_preds(f, t, |b| self.before[b], self.preds[t].as_deref().unwrap_or_default());
        }
    }
}
