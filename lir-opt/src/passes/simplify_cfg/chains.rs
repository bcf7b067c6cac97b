//! Step 7: a chain of tests of one integer for equality becomes a `switch`.
//!
//! ```text
//! a:                                           a:
//!   br eq i32 %x, 1, one, b                      switch i32 %x, other [1: one, 2: two, 3: three, 5: one, 8: two]
//! b:
//!   br eq i32 %x, 2, two, c               =>
//! c:
//!   switch i32 %x, other [3: three, 5: one, 8: two]
//! ```
//!
//! 1. The chain is followed from its first block, by edges that are taken where the integer is none of the constants so
//!    far. Each block after the first does nothing else, and comes after the one before it alone.
//! 2. It ends before a block that tests for a constant again. Where two blocks lead to one target, its phis must choose
//!    alike for both: the chain ends before the block for which they do not.
//! 3. With [`MIN_CASES`] or more cases, or where a `switch` is among them, the chain pays: fewer cases are as well tested one
//!    after another. The phis of the targets get one entry for all blocks of the chain.
//!
//! A chain that ends early is followed again from its next block, and the phis of targets are read for each chain that
//! leads to them: when cases and entries read come to more than [`WORK_PER_BLOCK`] for each block of the function, the
//! step ends.

use crate::pass::PassContext;
use lir_syntax::ir::{Block, Cfg, Format, Function, Inst, InstData, IntCC, Opcode, Operand, SecondaryMap, Type};
use rustc_hash::FxHashSet;

/// The least number of cases that make a switch of a chain of branches.
const MIN_CASES: usize = 5;
/// How many cases and phi entries are read for each block of the function.
const WORK_PER_BLOCK: usize = 16;

/// Tables that are reused from function to function.
#[derive(Default)]
pub struct Tables {
    chain: Vec<Block>,
    /// The place in the chain of each of its blocks, plus 1.
    place: SecondaryMap<Block, u32>,
    /// Case, target, and place in the chain.
    cases: Vec<(Operand, Block, u32)>,
    seen: FxHashSet<Operand>,
    targets: Vec<Block>,
    entries: Vec<(Block, Operand)>,
    budget: usize,
}

/// An integer that is tested for equality.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Tested {
    ty: Type,
    x: Operand,
}

impl Tables {
    /// Runs the step on a function without unreachable blocks. Returns whether it changed anything.
    pub fn run(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> bool {
        let cfg = cx.analyses.cfg(f);
        self.budget = WORK_PER_BLOCK * cfg.rpo().len();
        self.place.reset(f.num_blocks());
        let mut count = 0;
        for &head in cfg.rpo() {
            // A block that was taken in has no successors any more.
            if f.succs(head).len() < 2 {
                continue;
            }
            if self.budget == 0 {
                break;
            }
            if let Some(end) = self.find(f, cfg, head) {
                let i = f.terminator(head);
                cx.remarks.done(f, i, "switch", |m| {
                    m.text(format!("{end} tests of one integer become a switch"));
                });
                self.make_switch(f, end);
                count += 1;
            }
            self.chain.iter().for_each(|b| self.place[*b] = 0);
        }
        cx.stats.add("chains made switches", count);
        count != 0
    }

    /// Steps 1 and 2. The number of blocks of the chain from `head`, where it pays.
    fn find(&mut self, f: &Function, cfg: &Cfg, head: Block) -> Option<usize> {
        self.chain.clear();
        self.cases.clear();
        let (tested, mut next) = equality_test(f, f.terminator(head))?;
        // The common case: no chain.
        if !follows(f, cfg, next, tested) {
            return None;
        }
        self.seen.clear();
        self.add_cases(f, head);
        self.chain.push(head);
        while follows(f, cfg, next, tested) && self.add_cases(f, next) {
            self.chain.push(next);
            next = f.succs(next)[default_place(f.inst(f.terminator(next)))];
        }
        for (k, b) in self.chain.iter().enumerate() {
            self.place[*b] = k as u32 + 1;
        }
        let end = self.end_by_phis(f, next);
        let is_switch = |b: &Block| f.inst(f.terminator(*b)).op.format() == Format::Switch;
        let cases = self.cases.iter().take_while(|c| (c.2 as usize) < end).count();
        (end > 1 && (cases >= MIN_CASES || self.chain[..end].iter().any(is_switch))).then_some(end)
    }
    /// Adds the cases of the block that comes next. False where one was seen before; then none is added.
    fn add_cases(&mut self, f: &Function, b: Block) -> bool {
        let i = f.terminator(b);
        let (d, place, before) = (f.inst(i), self.chain.len() as u32, self.cases.len());
        if d.op.format() == Format::Switch {
            let cases = f.switch_cases(i).zip(&f.succs(b)[1..]);
            self.cases.extend(cases.map(|(k, target)| (k, *target, place)));
        } else {
            self.cases.push((d.b, f.succs(b)[1 - default_place(d)], place));
        }
        let new = self.cases[before..].iter().all(|c| self.seen.insert(c.0));
        if !new {
            self.cases.truncate(before);
        }
        new
    }
    /// The end of step 2: how many blocks the chain may have, as far as the phis of its targets go.
    fn end_by_phis(&mut self, f: &Function, default: Block) -> usize {
        self.targets.clear();
        self.targets.extend(self.cases.iter().map(|c| c.1));
        self.targets.push(default);
        self.targets.sort_unstable();
        self.targets.dedup();
        let mut end = self.chain.len();
        self.budget = self.budget.saturating_sub(self.cases.len());
        for phi in self.targets.iter().flat_map(|t| f.phis(*t)) {
            self.budget = self.budget.saturating_sub(f.phi_entries(phi).len());
            let mine = || f.phi_entries(phi).filter(|(p, _)| self.place[*p] != 0).map(|(p, o)| (self.place[p], o));
            let Some((_, chosen)) = mine().min_by_key(|e| e.0) else { continue };
            let other = mine().filter(|e| e.1 != chosen).map(|e| e.0).min();
            end = end.min(other.map_or(end, |place| place as usize - 1));
        }
        end
    }

    /// Step 3, for the first `end` blocks of the chain.
    fn make_switch(&mut self, f: &mut Function, end: usize) {
        let (head, last) = (self.chain[0], self.chain[end - 1]);
        let default = f.succs(last)[default_place(f.inst(f.terminator(last)))];
        let cases = &self.cases[..self.cases.partition_point(|c| (c.2 as usize) < end)];
        self.targets.clear();
        self.targets.push(default);
        self.targets.extend(cases.iter().map(|c| c.1));
        let values: Vec<Operand> = cases.iter().map(|c| c.0).collect();
        let i = f.terminator(head);
        let d = *f.inst(i);
        let values = f.make_cases(&values);
        f.replace_inst(i, InstData { a: d.a, b: values, ..InstData::new(Opcode::Switch, d.ty) });
        f.set_succs(head, &self.targets);
        self.targets.sort_unstable();
        self.targets.dedup();
        for &t in &self.targets {
            let phis: Vec<Inst> = f.phis(t).collect();
            for phi in phis {
                let in_chain = |p: Block| (1..=end as u32).contains(&self.place[p]);
                let chosen = f.phi_entries(phi).find(|e| in_chain(e.0)).map(|e| e.1);
                self.entries.clear();
                self.entries.extend(f.phi_entries(phi).filter(|e| !in_chain(e.0)));
                self.entries.extend(chosen.map(|o| (head, o)));
                f.set_phi_entries(phi, &self.entries);
            }
        }
        for &b in &self.chain[1..end] {
            f.remove_block(b);
        }
    }
}

/// Of a `br eq`, a `br ne` or a `switch`: what is tested, and where control goes if it is none of the constants.
fn equality_test(f: &Function, i: Inst) -> Option<(Tested, Block)> {
    let d = f.inst(i);
    let b = f.layout().block_of(i)?;
    let is_test = || {
        let by_equality = d.ty.is_int() && d.b.is_const() && matches!(d.int_cc(), IntCC::Eq | IntCC::Ne);
        by_equality && f.succs(b)[0] != f.succs(b)[1]
    };
    let format = d.op.format();
    (format == Format::Switch || format == Format::Branch && is_test())
        .then(|| (Tested { ty: d.ty, x: d.a }, f.succs(b)[default_place(d)]))
}

/// The place among the targets of the one for all other integers.
fn default_place(d: &InstData) -> usize {
    usize::from(d.op.format() == Format::Branch && d.int_cc() == IntCC::Eq)
}

/// Whether a block only tests the same integer, and has one predecessor.
fn follows(f: &Function, cfg: &Cfg, b: Block, tested: Tested) -> bool {
    cfg.preds(b).len() == 1
        && f.layout().first_inst(b).is_some_and(|i| equality_test(f, i).is_some_and(|(t, _)| t == tested))
}
