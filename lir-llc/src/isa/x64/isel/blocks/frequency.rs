//! Guesses the frequencies of blocks from their form.
//!
//! # Algorithm
//!
//! 1. A block is *cold* if it ends in a trap, as one does after a call that never returns, if it is not expected by the
//!    weights of branches, or if all paths from it lead to cold blocks.
//! 2. For each branch, the heuristics that apply say how likely the first target is; their answers are combined. Cold
//!    blocks are hardly ever reached. Weights take the place of heuristics, except where a loop is left: there they are
//!    a number of iterations, which step 3 does not use.
//! 3. In reverse postorder, the frequency of a block is the sum of its incoming edges, except back edges. The header of
//!    a loop gets [`ITERATIONS`] times that.
//!
//! If there is no time for that ([`Frequencies::guess`]), a loop is the blocks from the target of a back edge to its
//! source, in the order of the blocks. The targets of a branch are equally likely, and only blocks that trap are cold.
//! Front ends that write blocks in the order of their source lose little.
//!
//! # Cost and limits
//!
//! Linear. Numbers are relative to the entry and end at [`LARGEST`].
//!
//! # Source
//!
//! Y. Wu and J. R. Larus, "Static Branch Frequency and Program Profile Analysis", MICRO 1994: the probabilities, their
//! combination after Dempster and Shafer, and the propagation. Departures: a loop's cyclic probability comes from its
//! heuristic and is not summed up from its back edges, which would take a walk over each loop; the heuristics that need
//! postdominators are left out.

use super::graph::successors;
use crate::isa::x64::isel::IselScratch;
use lir_opt::analysis::LoopForest;
use lir_opt::analysis::branches::expected::ExpectedBlocks;
use lir_syntax::ir::{Block, Cfg, EntityRef, FloatCC, Format, Function, IntCC, Opcode, Predicate};

/// Number of times the entry runs.
pub(in crate::isa::x64::isel) const ENTRY: f32 = 64.0;
/// The largest frequency.
const LARGEST: f32 = (1 << 28) as f32;
/// Number of iterations that a loop is taken to have.
const ITERATIONS: f32 = 8.0;

/// Probability of an edge in a loop, against one that leaves it.
const STAYS: f32 = 0.88;
/// Probability that an integer is not negative, or not equal to another; that floats differ.
const USUAL: f32 = 0.84;
/// Probability of a block that calls nothing, against one that does.
const NO_CALL: f32 = 0.78;
/// Probability of a block that continues, against one that returns.
const GOES_ON: f32 = 0.72;
/// Probability of a block that is not cold, against one that is.
const NOT_COLD: f32 = 0.999;

/// The facts about the blocks of a function, by index.
#[derive(Default)]
pub(in crate::isa::x64::isel) struct Frequencies {
    /// Number of times a block runs.
    blocks: Vec<f32>,
    /// True if it is cold.
    cold: Vec<bool>,
    /// For each successor in [`IselScratch::succs`] how likely it is.
    likely: Vec<f32>,
    /// For each reachable block its number among them.
    numbers: Vec<u32>,
    /// In how many loops a block is.
    depths: Vec<u32>,
    expected: ExpectedBlocks,
    /// By block the weights of the edges to it from the block that is examined; 0 between blocks.
    weights: Vec<f32>,
}

impl Frequencies {
    /// Returns the frequency of a block.
    pub(in crate::isa::x64::isel) fn of(&self, b: Block) -> u32 {
        whole(self.blocks[b.index()])
    }
    /// Returns the frequency of the edge from block `b` to successor number `j` of all.
    pub(in crate::isa::x64::isel) fn of_edge(&self, b: Block, j: usize) -> u32 {
        whole(self.blocks[b.index()] * self.likely[j])
    }
    /// True if a block is cold.
    pub(in crate::isa::x64::isel) fn is_cold(&self, b: Block) -> bool {
        self.cold[b.index()]
    }

    /// In how many loops a block is.
    pub(in crate::isa::x64::isel) fn depth(&self, b: Block) -> u32 {
        self.depths[b.index()]
    }

    /// Recomputes the frequencies; the successors are known.
    pub(in crate::isa::x64::isel) fn recompute(
        &mut self,
        f: &Function,
        cfg: &Cfg,
        loops: &LoopForest,
        s: &IselScratch,
    ) {
        self.number(f, s);
        for b in &s.reachable {
            self.depths[b.index()] = loops.depth(*b);
        }
        self.expected.recompute(f, loops);
        self.find_cold(f, cfg);
        self.likely.clear();
        for (k, &b) in s.reachable.iter().enumerate() {
            self.weigh(f, loops, b, successors(&s.succs, &s.succ_ends, k));
        }
        self.propagate(f, cfg, loops, s);
    }

    /// Numbers the reachable blocks.
    fn number(&mut self, f: &Function, s: &IselScratch) {
        for table in [&mut self.numbers, &mut self.depths] {
            table.clear();
            table.resize(f.num_blocks(), 0);
        }
        for (k, b) in s.reachable.iter().enumerate() {
            self.numbers[b.index()] = k as u32;
        }
    }
    /// Guesses the frequencies from the order of blocks alone.
    pub(in crate::isa::x64::isel) fn guess(&mut self, f: &Function, s: &IselScratch) {
        self.number(f, s);
        self.cold.clear();
        self.cold.resize(f.num_blocks(), false);
        self.blocks.clear();
        self.blocks.resize(f.num_blocks(), 0.0);
        self.likely.clear();
        // The number of open loops, counted from the last block up: added where they close, subtracted at their tops.
        let mut open = 0;
        for (k, b) in s.reachable.iter().enumerate() {
            for succ in successors(&s.succs, &s.succ_ends, k) {
                if self.numbers[succ.index()] <= k as u32 {
                    self.depths[succ.index()] += 1;
                }
            }
            self.cold[b.index()] = f.inst(f.terminator(*b)).op == Opcode::Unreachable;
        }
        for (k, b) in s.reachable.iter().enumerate().rev() {
            let succs = successors(&s.succs, &s.succ_ends, k);
            open += succs.iter().filter(|succ| self.numbers[succ.index()] <= k as u32).count() as u32;
            let begin = std::mem::replace(&mut self.depths[b.index()], open);
            let runs = if open == 0 { 1.0 } else { ITERATIONS.powi(open.min(8) as i32) };
            self.blocks[b.index()] = (ENTRY * runs).min(LARGEST);
            open -= begin;
        }
        for k in 0..s.reachable.len() {
            let succs = successors(&s.succs, &s.succ_ends, k);
            self.likely.extend(succs.iter().map(|_| 1.0 / succs.len() as f32));
        }
    }
    /// Step 1.
    fn find_cold(&mut self, f: &Function, cfg: &Cfg) {
        self.cold.clear();
        self.cold.resize(f.num_blocks(), false);
        for &b in cfg.rpo().iter().rev() {
            let succs = f.succs(b);
            let traps = f.inst(f.terminator(b)).op == Opcode::Unreachable;
            // The target of a back edge is not known yet, and counts as not cold.
            self.cold[b.index()] =
                traps || !self.expected.contains(b) || !succs.is_empty() && succs.iter().all(|s| self.cold[s.index()]);
        }
    }

    /// Step 2, for the successors of a block.
    fn weigh(&mut self, f: &Function, loops: &LoopForest, b: Block, succs: &[Block]) {
        if self.weigh_as_written(f, loops, b, succs) {
            return;
        }
        let [x, y] = *succs else {
            // All targets of a switch are equally likely, except cold ones.
            let warm = succs.iter().filter(|s| !self.cold[s.index()]).count();
            let cold = succs.len() - warm;
            let (to_warm, to_cold) = match (warm, cold) {
                (0, _) => (0.0, 1.0),
                (_, 0) => (1.0, 0.0),
                _ => (NOT_COLD, 1.0 - NOT_COLD),
            };
            let each =
                succs.iter().map(|s| if self.cold[s.index()] { to_cold / cold as f32 } else { to_warm / warm as f32 });
            self.likely.extend(each);
            return;
        };
        let mut p = 0.5;
        let mut learn = |first: f32| p = combine(p, first);
        let mut against = |which: [bool; 2], other: f32| match which {
            [true, false] => learn(1.0 - other),
            [false, true] => learn(other),
            _ => {}
        };
        let ends = |s: Block, op: fn(Opcode) -> bool| op(f.inst(f.terminator(s)).op);
        against([x, y].map(|s| self.cold[s.index()]), NOT_COLD);
        against([x, y].map(|s| loops.innermost(b).is_some_and(|h| !loops.contains(h, s))), STAYS);
        against([x, y].map(|s| ends(s, |op| op.format() == Format::Return || op == Opcode::RetAgg)), GOES_ON);
        let calls = |s: Block| f.layout().insts(s).take(LOOKED_AT).any(|i| f.inst(i).op == Opcode::Call);
        against([x, y].map(calls), NO_CALL);
        learn(by_comparison(f, b));
        self.likely.extend([p, 1.0 - p]);
    }

    /// Step 2 by the weights of the branch, if it has some and leaves no loop. Returns whether that is so.
    fn weigh_as_written(&mut self, f: &Function, loops: &LoopForest, b: Block, succs: &[Block]) -> bool {
        let Some(weights) = f.branch_weights(f.terminator(b)) else { return false };
        if succs.iter().any(|s| loops.leaves(b, *s).is_some()) {
            return false;
        }
        self.weights.resize(f.num_blocks().max(self.weights.len()), 0.0);
        let sum: f32 = weights.iter().map(|w| *w as f32).sum();
        // A target of several cases has the weights of all.
        for (w, s) in weights.iter().zip(f.succs(b)) {
            self.weights[s.index()] += *w as f32;
        }
        self.likely.extend(succs.iter().map(|s| std::mem::take(&mut self.weights[s.index()]) / sum));
        true
    }

    /// Step 3.
    fn propagate(&mut self, f: &Function, cfg: &Cfg, loops: &LoopForest, s: &IselScratch) {
        self.blocks.clear();
        self.blocks.resize(f.num_blocks(), 0.0);
        for (at, &b) in cfg.rpo().iter().enumerate() {
            let mut sum = if at == 0 { ENTRY } else { self.blocks[b.index()] };
            if loops.is_header(b) {
                sum *= ITERATIONS;
            }
            let sum = sum.min(LARGEST);
            self.blocks[b.index()] = sum;
            let k = self.numbers[b.index()] as usize;
            let succs = successors(&s.succs, &s.succ_ends, k);
            let first = s.succ_ends[k] as usize - succs.len();
            for (j, succ) in succs.iter().enumerate() {
                // Blocks before this one were summed up already.
                if cfg.rpo_index(*succ) > cfg.rpo_index(b) {
                    self.blocks[succ.index()] += sum * self.likely[first + j];
                }
            }
        }
    }
}

/// Limit on the instructions of a block that are looked through for calls.
const LOOKED_AT: usize = 20;

fn whole(frequency: f32) -> u32 {
    frequency.clamp(1.0, LARGEST) as u32
}

/// Two independent opinions as one.
fn combine(p: f32, q: f32) -> f32 {
    p * q / (p * q + (1.0 - p) * (1.0 - q))
}

/// Returns the probability of the first target by the comparison.
fn by_comparison(f: &Function, b: Block) -> f32 {
    let d = f.inst(f.terminator(b));
    if d.op.format() != Format::Branch {
        return 0.5;
    }
    let zero = f.constant(d.second()) == Some(0);
    // `br %c` compares a truth value with 0, of which nothing is known.
    match d.predicate() {
        Predicate::Float(FloatCC::Oeq | FloatCC::Ueq) => 1.0 - USUAL,
        Predicate::Float(FloatCC::One | FloatCC::Une) => USUAL,
        Predicate::Int(IntCC::Eq) if !zero || d.ty.bits() > 8 => 1.0 - USUAL,
        Predicate::Int(IntCC::Ne) if !zero || d.ty.bits() > 8 => USUAL,
        Predicate::Int(IntCC::Slt | IntCC::Sle) if zero => 1.0 - USUAL,
        Predicate::Int(IntCC::Sgt | IntCC::Sge) if zero => USUAL,
        _ => 0.5,
    }
}
