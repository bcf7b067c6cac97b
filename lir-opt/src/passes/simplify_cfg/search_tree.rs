//! Step 7: a tree of comparisons of one integer with constants becomes a `switch`.
//!
//! ```text
//! a:                                           a:
//!   br eq i32 %x, 5, five, b                     switch i32 %x, other [5: five, 2: two, 3: three, 8: eight, 9: nine]
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
//! That is how front ends without jump tables write a switch; here it is taken apart, so that machine code can have one.
//!
//! 1. The tree is walked from its root, the interval of the integers that come to each block at hand. A block belongs to it
//!    where it only compares the same integer with a constant, and comes after one block of the tree alone. What a
//!    test for equality takes out of the middle of an interval comes first in the list of cases, and holds.
//! 2. Where the tree is left, control goes to a target with the integers of the interval. The target of intervals of more
//!    than [`MAX_RUN`] integers is the default; there must be one only. Other intervals become cases, one by one.
//! 3. With [`MIN_TESTS`] or more tests for equality, and a comparison by order, without which it is a chain, the switch pays. Phis of the targets must choose alike for all
//!    blocks of the tree that lead there, and get one entry for them.
//!
//! Intervals are unsigned ones, or signed ones where the first comparison by order is signed; a comparison of the other kind
//! ends the tree. Blocks that are looked at in vain are counted: after [`WORK_PER_BLOCK`] for each block of the function
//! the step ends.
//!
//! # Source
//!
//! Folklore: LLVM's `SimplifyCFG` gets there one comparison at a time, by `FoldValueComparisonIntoPredecessors`.

use crate::pass::PassContext;
use lir_syntax::ir::{Block, Cfg, Format, Function, InstData, IntCC, Opcode, Operand, SecondaryMap, Type};
use rustc_hash::FxHashSet;

/// The least number of tests for equality.
const MIN_TESTS: usize = 4;
/// Intervals of more integers are not written out as cases.
const MAX_RUN: u64 = 16;
/// Cases and phi entries that are looked at for each block of the function.
const WORK_PER_BLOCK: usize = 16;

/// Tables that are reused from function to function.
#[derive(Default)]
pub struct Tables {
    /// Blocks of the tree to visit, each with the least and the greatest number that comes to it.
    work: Vec<(Block, u64, u64)>,
    /// Blocks of the tree, the root first.
    nodes: Vec<Block>,
    /// Whether its order is the signed one.
    signed: bool,
    is_node: SecondaryMap<Block, bool>,
    /// Blocks of trees that are not worth a switch.
    is_small: SecondaryMap<Block, bool>,
    /// Ways out of the tree: interval and target. Of two that overlap the earlier one holds.
    exits: Vec<(u64, u64, Block)>,
    cases: Vec<(u64, Block)>,
    seen: FxHashSet<u64>,
    targets: Vec<Block>,
    entries: Vec<(Block, Operand)>,
    budget: usize,
}

/// What is compared, and in which order numbers stand.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Tested {
    ty: Type,
    x: Operand,
    signed: bool,
}

impl Tested {
    /// The number of a constant in the order: that of an unsigned one.
    fn rank(self, bits: u64) -> u64 {
        let flip = if self.signed { 1 << (self.ty.bits() - 1) } else { 0 };
        self.ty.truncate(bits) ^ flip
    }
}

impl Tables {
    /// Runs the step on a function without unreachable blocks. Returns whether it changed anything.
    pub fn run(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> bool {
        let cfg = cx.analyses.cfg(f);
        self.budget = WORK_PER_BLOCK * cfg.rpo().len();
        self.is_node.reset(f.num_blocks());
        self.is_small.reset(f.num_blocks());
        let mut count = 0;
        for &root in cfg.rpo() {
            if self.budget == 0 {
                break;
            }
            // A block that was taken in has no successors any more; below a tree that is too small are smaller ones.
            if f.succs(root).len() != 2 || self.is_small[root] {
                continue;
            }
            if !self.find(f, cfg, root) {
                self.nodes.iter().for_each(|b| self.is_small[*b] = true);
                continue;
            }
            if let Some(default) = self.find_cases(f, root) {
                cx.remarks.done(f, f.terminator(root), "switch", |m| {
                    m.text(format!("{} comparisons of one integer become a switch", self.nodes.len()));
                });
                self.make_switch(f, root, default);
                count += 1;
            }
            self.nodes.iter().for_each(|b| self.is_node[*b] = false);
        }
        cx.stats.add("trees made switches", count);
        count != 0
    }

    /// Step 1. Whether there are tests enough.
    fn find(&mut self, f: &Function, cfg: &Cfg, root: Block) -> bool {
        self.nodes.clear();
        let Some(ordered) = self.ordered(f, cfg, root) else { return false };
        let Some((mut tested, ..)) = comparison(f, root) else { return false };
        (tested.signed, self.signed) = (ordered, ordered);
        self.exits.clear();
        self.work.clear();
        self.work.push((root, 0, tested.ty.mask()));
        let (mut tests, mut orders) = (0, 0);
        while let Some((b, lo, hi)) = self.work.pop() {
            let (_, cc, k) = comparison(f, b).expect("a block of the tree compares");
            self.budget = self.budget.saturating_sub(1);
            self.nodes.push(b);
            *(if is_signed(cc).is_some() { &mut orders } else { &mut tests }) += 1;
            let &[then, other] = f.succs(b) else { unreachable!("a comparison has two ways") };
            let k = tested.rank(k);
            let (first, second) = parts(cc, k, lo, hi);
            let in_tree = |t: Block| {
                let own = cfg.preds(t).len() == 1 && then != other && only_compares(f, t);
                own && comparison(f, t).is_some_and(|(t, cc, _)| {
                    (t.ty, t.x) == (tested.ty, tested.x) && is_signed(cc).is_none_or(|s| s == tested.signed)
                })
            };
            for (target, part, is_one) in [(then, first, cc == IntCC::Eq), (other, second, cc == IntCC::Ne)] {
                let Some((lo, hi)) = part else { continue };
                // What is equal leaves the tree at once, and so comes before what stands below.
                if !is_one && in_tree(target) {
                    self.work.push((target, lo, hi));
                } else {
                    self.exits.push((lo, hi, target));
                }
            }
        }
        tests >= MIN_TESTS && orders > 0
    }
    /// Whether the order of the tree at a root is the signed one; none where no tree of two comparisons is there.
    fn ordered(&self, f: &Function, cfg: &Cfg, root: Block) -> Option<bool> {
        let (tested, cc, _) = comparison(f, root)?;
        let below = |b: Block| {
            f.succs(b).iter().copied().filter(move |t| {
                cfg.preds(*t).len() == 1
                    && only_compares(f, *t)
                    && comparison(f, *t).is_some_and(|(t, ..)| (t.ty, t.x) == (tested.ty, tested.x))
            })
        };
        let child = below(root).next()?;
        let order_of = |b: Block| comparison(f, b).and_then(|(_, cc, _)| is_signed(cc));
        let near = below(root).chain(below(child)).find_map(order_of);
        Some(is_signed(cc).or(near).unwrap_or(false))
    }

    /// Steps 2 and 3: the cases, and the default, if the tree can be a switch.
    fn find_cases(&mut self, f: &Function, root: Block) -> Option<Block> {
        let (mut tested, ..) = comparison(f, root)?;
        tested.signed = self.signed;
        let mut default = None;
        for &(_, _, t) in self.exits.iter().filter(|(lo, hi, _)| hi - lo >= MAX_RUN) {
            if default.is_some_and(|d| d != t) {
                return None;
            }
            default = Some(t);
        }
        let default = default?;
        self.cases.clear();
        self.seen.clear();
        for &(lo, hi, t) in self.exits.iter().filter(|(lo, hi, _)| hi - lo < MAX_RUN) {
            for k in lo..=hi {
                // Numbers that a test before took out are there already; those of the default need no case, but hide others.
                if self.seen.insert(k) && t != default {
                    self.cases.push((k, t));
                }
            }
        }
        self.cases.sort_unstable_by_key(|c| c.0);
        self.cases.iter_mut().for_each(|c| c.0 = tested.rank(c.0));
        self.budget = self.budget.saturating_sub(self.exits.len());
        self.nodes.iter().for_each(|b| self.is_node[*b] = true);
        self.targets.clear();
        // Those among them that no number leads to lose entries too.
        let leaves = |t: &&Block| !self.is_node[**t];
        self.targets.extend(self.nodes.iter().flat_map(|b| f.succs(*b)).filter(leaves));
        self.targets.sort_unstable();
        self.targets.dedup();
        for phi in self.targets.iter().flat_map(|t| f.phis(*t)) {
            self.budget = self.budget.saturating_sub(f.phi_entries(phi).len());
            let mut mine = f.phi_entries(phi).filter(|(p, _)| self.is_node[*p]).map(|e| e.1);
            let first = mine.next();
            if mine.any(|o| Some(o) != first) {
                return None;
            }
        }
        Some(default)
    }

    fn make_switch(&mut self, f: &mut Function, root: Block, default: Block) {
        let d = *f.inst(f.terminator(root));
        let cases = &self.cases;
        let values: Vec<Operand> = cases.iter().map(|(bits, _)| f.make_typed_const(d.ty, *bits)).collect();
        let succs: Vec<Block> = std::iter::once(default).chain(cases.iter().map(|c| c.1)).collect();
        let values = f.make_cases(&values);
        f.replace_inst(f.terminator(root), InstData { a: d.a, b: values, ..InstData::new(Opcode::Switch, d.ty) });
        f.set_succs(root, &succs);
        for &t in &self.targets {
            let leads_there = succs.contains(&t);
            let phis: Vec<_> = f.phis(t).collect();
            for phi in phis {
                let chosen = f.phi_entries(phi).find(|e| self.is_node[e.0]).map(|e| e.1);
                self.entries.clear();
                self.entries.extend(f.phi_entries(phi).filter(|e| !self.is_node[e.0]));
                self.entries.extend(chosen.filter(|_| leads_there).map(|o| (root, o)));
                f.set_phi_entries(phi, &self.entries);
            }
        }
        for &b in &self.nodes[1..] {
            f.remove_block(b);
        }
    }
}

/// The comparison of an integer with a constant at the end of a block: what is compared, how, and the constant's bits.
fn comparison(f: &Function, b: Block) -> Option<(Tested, IntCC, u64)> {
    let d = f.inst(f.terminator(b));
    if d.op.format() != Format::Branch || !d.ty.is_int() || !d.a.is_reg() {
        return None;
    }
    let k = f.constant(d.b)?;
    Some((Tested { ty: d.ty, x: d.a, signed: false }, d.int_cc(), k as u64))
}

fn only_compares(f: &Function, b: Block) -> bool {
    f.layout().first_inst(b) == Some(f.terminator(b))
}

/// Whether a predicate is about signed order; none where it is about equality.
fn is_signed(cc: IntCC) -> Option<bool> {
    match cc {
        IntCC::Eq | IntCC::Ne => None,
        IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge => Some(true),
        IntCC::Ult | IntCC::Ule | IntCC::Ugt | IntCC::Uge => Some(false),
    }
}

/// The least and the greatest of numbers without a gap.
type Numbers = (u64, u64);

/// The numbers from `lo` to `hi` for which `number cc k` holds, and those for which it does not. A number in the middle
/// that is taken out stays in the other part.
fn parts(cc: IntCC, k: u64, lo: u64, hi: u64) -> (Option<Numbers>, Option<Numbers>) {
    let some = |lo: u64, hi: u64| (lo <= hi).then_some((lo, hi));
    // Below k, and from k on.
    let below = || if k == 0 { None } else { some(lo, hi.min(k - 1)) };
    let from = || some(lo.max(k), hi);
    // Up to k, and above it.
    let up_to = || some(lo, hi.min(k));
    let above = || k.checked_add(1).and_then(|next| some(lo.max(next), hi));
    match cc {
        IntCC::Eq | IntCC::Ne => {
            let here = (lo..=hi).contains(&k).then_some((k, k));
            let rest = match (lo == k, hi == k) {
                (true, true) => None,
                (true, false) => some(lo + 1, hi),
                (false, true) => some(lo, hi - 1),
                (false, false) => Some((lo, hi)),
            };
            if cc == IntCC::Eq { (here, rest) } else { (rest, here) }
        }
        IntCC::Slt | IntCC::Ult => (below(), from()),
        IntCC::Sge | IntCC::Uge => (from(), below()),
        IntCC::Sle | IntCC::Ule => (up_to(), above()),
        IntCC::Sgt | IntCC::Ugt => (above(), up_to()),
    }
}
