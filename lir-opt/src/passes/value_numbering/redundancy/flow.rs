//! The dataflow of one value: the paths on which it is computed before, and the edges on which it would have to be
//! computed.
//!
//! Only the blocks are looked at from which a computation may be reached without another one: the *region*. It is found
//! backward from the computations. Then facts are propagated by worklists, each from where it is known to fail:
//!
//! 1. *Available* at the top of a block: computed on all paths to it. Fails where a path comes from a block at whose
//!    end the value is lost, and below that.
//! 2. *Anticipated*: computed on all paths from it. Fails where a path leaves the region, and above that.
//! 3. *Insertable*: available, if it is inserted on edges to blocks where it is anticipated. Fails in a block where it
//!    is not anticipated, or which has a single predecessor, if it is neither available nor insertable at the end of a
//!    predecessor.
//! 4. *Worth it*: insertable, and computed on some path. Holds below computations.
//!
//! Missing computations are inserted on the edges into blocks where 3 and 4 hold. This makes no path longer: an
//! inserted computation is anticipated, so that a later one is removed.
//!
//! Source: E. Morel, C. Renvoise, "Global Optimization by Suppression of Partial Redundancies", CACM 22(2), 1979: the
//! two directions; R. Kennedy et al., "Partial Redundancy Elimination in SSA Form", TOPLAS 21(3), 1999: facts of joins,
//! one expression after the other, in the order of 3 and 4.

use lir_syntax::ir::{Block, Cfg, Function, Inst, SecondaryMap};

/// The state of a value at the end of a block.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum AtEnd {
    /// Not looked at yet.
    #[default]
    Unknown,
    /// It was computed in the block, or above it on every path.
    Computed,
    /// Another value comes from here: the earlier one no longer counts.
    Lost,
    /// The fact at the end is the one at the top.
    Through,
}

/// A computation that may be redundant.
#[derive(Copy, Clone)]
pub(super) struct Computation {
    pub inst: Inst,
    pub block: Block,
    /// True if it may be made at the top of its block.
    pub may_be_at_top: bool,
}

/// The problem of one value.
pub(super) struct Problem<'a> {
    /// The first computations of blocks before which it may have been computed.
    pub computations: &'a [Computation],
    /// The block at whose end the state is never `Through`.
    pub home: Block,
    /// True if it may be computed in a block above a computation, at the top of which it is anticipated.
    pub may_rise: bool,
    /// True if anything may be inserted.
    pub inserts: bool,
}

/// The facts at the top of a block of the region.
#[derive(Copy, Clone, Default)]
struct Facts {
    available: bool,
    anticipated: bool,
    insertable: bool,
    worth_it: bool,
}

/// The scratch memory of the dataflow.
#[derive(Default)]
pub(super) struct Flow {
    /// The region.
    blocks: Vec<Block>,
    facts: Vec<Facts>,
    /// Positions in `blocks`, + 1.
    position: SecondaryMap<Block, u32>,
    /// The requested states, and their blocks.
    ends: SecondaryMap<Block, AtEnd>,
    asked: Vec<Block>,
    work: Vec<usize>,
    insertions: Vec<(Block, Block)>,
    /// Edges that may still be looked at in the function.
    left: usize,
}

/// The edges that may be looked at in a function, for each of its blocks and instructions; and for a value.
const MAX_EDGES: usize = 8;
const MAX_EDGES_OF_VALUE: usize = 2000;

impl Flow {
    /// Begins with a function.
    pub(super) fn begin(&mut self, f: &Function) {
        self.position.reset(f.num_blocks());
        self.ends.reset(f.num_blocks());
        self.blocks.clear();
        self.asked.clear();
        self.left = MAX_EDGES * (f.num_blocks() + f.num_insts());
    }
    /// Steps 1, and 2 to 4 if anything may be inserted. `at_end` gives the state at the end of a block. Returns whether
    /// it was completed.
    pub(super) fn find(
        &mut self,
        f: &Function,
        cfg: &Cfg,
        problem: &Problem<'_>,
        at_end: impl FnMut(Block) -> AtEnd,
    ) -> bool {
        self.forget();
        for c in problem.computations {
            self.enter(c.block);
        }
        if !self.find_region(cfg, problem.home, at_end) {
            return false;
        }
        self.find_available(f, cfg, problem.home);
        if problem.inserts {
            self.find_anticipated(f, cfg, problem);
            self.find_insertable(f, cfg, problem.home);
            self.find_worth_it(f, cfg);
            self.find_insertions(cfg);
        }
        true
    }
    /// True if the value is available at the top of a block of the region.
    pub(super) fn is_available(&self, b: Block) -> bool {
        self.at_top(b).is_some_and(|facts| facts.available)
    }
    /// True if it is after the insertions.
    pub(super) fn is_made_available(&self, b: Block) -> bool {
        self.at_top(b).is_some_and(|facts| facts.available || facts.insertable && facts.worth_it)
    }
    /// Returns the edges on which it is to be inserted: predecessor and block.
    pub(super) fn insertions(&self) -> &[(Block, Block)] {
        &self.insertions
    }
    /// Returns the blocks of the region.
    pub(super) fn region(&self) -> &[Block] {
        &self.blocks
    }
    /// Inserts nothing.
    pub(super) fn forget_insertions(&mut self) {
        self.insertions.clear();
        self.facts.iter_mut().for_each(|facts| facts.worth_it = false);
    }
    fn forget(&mut self) {
        for b in self.blocks.drain(..) {
            self.position[b] = 0;
        }
        for b in self.asked.drain(..) {
            self.ends[b] = AtEnd::Unknown;
        }
        self.facts.clear();
        self.insertions.clear();
    }
    fn enter(&mut self, b: Block) {
        if self.position[b] == 0 {
            self.blocks.push(b);
            self.position[b] = self.blocks.len() as u32;
            self.facts.push(Facts { available: true, anticipated: true, insertable: true, worth_it: false });
        }
    }
    fn index(&self, b: Block) -> Option<usize> {
        (self.position[b] as usize).checked_sub(1)
    }
    fn at_top(&self, b: Block) -> Option<Facts> {
        self.index(b).map(|k| self.facts[k])
    }
    fn find_region(&mut self, cfg: &Cfg, home: Block, mut at_end: impl FnMut(Block) -> AtEnd) -> bool {
        let mut next = 0;
        let mut left = self.left.min(MAX_EDGES_OF_VALUE);
        self.left -= left;
        while let Some(&b) = self.blocks.get(next) {
            next += 1;
            if b == home {
                continue;
            }
            for p in reachable_preds(cfg, b) {
                let Some(fewer) = left.checked_sub(1) else { return false };
                left = fewer;
                if self.ends[p] == AtEnd::Unknown {
                    self.ends[p] = at_end(p);
                    self.asked.push(p);
                }
                if self.ends[p] == AtEnd::Through {
                    self.enter(p);
                }
            }
        }
        self.left += left;
        true
    }
    /// Step 1.
    fn find_available(&mut self, f: &Function, cfg: &Cfg, home: Block) {
        for (k, &b) in self.blocks.iter().enumerate() {
            if b == home || reachable_preds(cfg, b).any(|p| self.ends[p] == AtEnd::Lost) {
                self.facts[k].available = false;
                self.work.push(k);
            }
        }
        self.spread_down(f, |facts| std::mem::take(&mut facts.available));
    }
    /// Step 2.
    fn find_anticipated(&mut self, f: &Function, cfg: &Cfg, problem: &Problem<'_>) {
        if !problem.may_rise {
            self.facts.iter_mut().for_each(|facts| facts.anticipated = false);
        }
        for c in problem.computations {
            let k = self.index(c.block).expect("the region has the computations");
            self.facts[k].anticipated = c.may_be_at_top && c.block != problem.home;
        }
        for (k, &b) in self.blocks.iter().enumerate() {
            if self.ends[b] == AtEnd::Through && f.succs(b).iter().any(|s| self.index(*s).is_none()) {
                self.facts[k].anticipated = false;
            }
            if !self.facts[k].anticipated {
                self.work.push(k);
            }
        }
        while let Some(k) = self.work.pop() {
            for &p in cfg.preds(self.blocks[k]) {
                if self.ends[p] == AtEnd::Through
                    && let Some(above) = self.index(p)
                    && std::mem::take(&mut self.facts[above].anticipated)
                {
                    self.work.push(above);
                }
            }
        }
    }
    /// Step 3.
    fn find_insertable(&mut self, f: &Function, cfg: &Cfg, home: Block) {
        let cannot_insert = |facts: &Facts, b: Block| !facts.anticipated || reachable_preds(cfg, b).count() < 2;
        for (k, &b) in self.blocks.iter().enumerate() {
            let lost = || reachable_preds(cfg, b).any(|p| self.ends[p] == AtEnd::Lost);
            if b == home || cannot_insert(&self.facts[k], b) && lost() {
                self.facts[k].insertable = false;
                self.work.push(k);
            }
        }
        while let Some(k) = self.work.pop() {
            let b = self.blocks[k];
            let succs = if self.ends[b] == AtEnd::Through { f.succs(b) } else { &[] };
            for &s in succs {
                if let Some(below) = self.index(s)
                    && cannot_insert(&self.facts[below], s)
                    && std::mem::take(&mut self.facts[below].insertable)
                {
                    self.work.push(below);
                }
            }
        }
    }
    /// Step 4.
    fn find_worth_it(&mut self, f: &Function, cfg: &Cfg) {
        for (k, &b) in self.blocks.iter().enumerate() {
            if self.facts[k].insertable && reachable_preds(cfg, b).any(|p| self.ends[p] == AtEnd::Computed) {
                self.facts[k].worth_it = true;
                self.work.push(k);
            }
        }
        self.spread_down(f, |facts| facts.insertable && !std::mem::replace(&mut facts.worth_it, true));
    }
    /// Walks down from the blocks in `work`. `reach` changes the facts of a block and returns whether to continue from
    /// there.
    fn spread_down(&mut self, f: &Function, reach: impl Fn(&mut Facts) -> bool) {
        while let Some(k) = self.work.pop() {
            let b = self.blocks[k];
            let succs = if self.ends[b] == AtEnd::Through { f.succs(b) } else { &[] };
            for &s in succs {
                if let Some(below) = self.index(s)
                    && reach(&mut self.facts[below])
                {
                    self.work.push(below);
                }
            }
        }
    }
    fn find_insertions(&mut self, cfg: &Cfg) {
        for &b in &self.blocks {
            if self.is_available(b) || !self.is_made_available(b) {
                continue;
            }
            for p in reachable_preds(cfg, b) {
                let has_it = match self.ends[p] {
                    AtEnd::Computed => true,
                    AtEnd::Through => self.is_made_available(p),
                    AtEnd::Lost | AtEnd::Unknown => false,
                };
                if !has_it {
                    self.insertions.push((p, b));
                }
            }
        }
    }
}

fn reachable_preds(cfg: &Cfg, b: Block) -> impl Iterator<Item = Block> + '_ {
    cfg.preds(b).iter().copied().filter(|p| cfg.is_reachable(*p))
}
