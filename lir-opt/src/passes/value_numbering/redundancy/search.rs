//! The search for redundant computations, class by class.

use super::classes::{Classes, Member, computes_nothing};
use super::flow::{AtEnd, Computation, Flow, Problem};
use crate::analysis::SsaView;
use crate::analysis::effects::{is_trapping_arithmetic, may_trap};
use crate::analysis::execution_end::may_end_execution;
use crate::analysis::movement::{Movement, movement};
use crate::edit::ssa_construction::SsaConstruction;
use crate::pass::growth::Growth;
use crate::pass::remarks::{Common, Remarks};
use crate::passes::value_numbering::key_words::Number;
use crate::passes::value_numbering::redundancy::events::Event;
use crate::passes::value_numbering::rewrite::{Insertion, Rewrite, Role, variable};
use lir_syntax::ir::{
    Block, Cfg, Decls, DominatorTree, Format, Function, Inst, Operand, PackedOption, Reg, SecondaryMap,
};
use std::ops::Range;

/// The function that is searched, before any change.
#[derive(Copy, Clone)]
pub(super) struct Code<'a> {
    pub decls: &'a Decls,
    pub f: &'a Function,
    pub ssa: &'a SsaView,
}

/// The data of a search.
#[derive(Default)]
pub(super) struct Search {
    pub(super) classes: Classes,
    pub(super) flow: Flow,
    pub(super) rewrite: Rewrite,
    pub(super) engine: SsaConstruction,
    /// For the present class: the blocks that its roots dominate, as ranges of the preorder, rising; and the
    /// computations of the roots.
    computed: Vec<Range<usize>>,
    computations: Vec<Computation>,
    /// The number of loops around each block, where insertions are to come out of loops.
    pub(super) depths: Option<SecondaryMap<Block, u32>>,
    /// The growth that the function has left for insertions.
    pub(super) growth: Growth,
    /// The first instruction at which execution may end, by block, for the blocks that were queried.
    first_ends: SecondaryMap<Block, PackedOption<Inst>>,
    /// The members of the present class that no other dominates, and the others.
    roots: Vec<Member>,
    dominated: Vec<Member>,
}

/// Members of a class that are looked at for one that is at hand on an edge.
const MAX_MEMBERS: usize = 16;

impl Search {
    /// Finds the classes of a function.
    pub(super) fn begin(&mut self, f: &Function, ssa: &SsaView, (cfg, dom): (&Cfg, &DominatorTree)) {
        self.classes.find(f, ssa, cfg, dom);
        self.flow.begin(f);
        self.rewrite.begin(f);
        self.engine.clear();
        self.depths = None;
        self.first_ends.reset(f.num_blocks());
    }
    /// Looks at all classes. `may_insert` is true for computations that may be inserted.
    pub(super) fn visit_classes(
        &mut self,
        code: Code<'_>,
        graph: (&Cfg, &DominatorTree),
        may_insert: impl Fn(&Decls, &Function, Inst) -> bool,
        remarks: &mut Remarks,
    ) {
        let Code { decls, f, .. } = code;
        for k in 0..self.classes.several().len() {
            let class = self.classes.several()[k];
            self.part(graph.1, class);
            let computation = self.computations(f).find_map(|m| m.inst.expand());
            let inserts = computation.filter(|i| may_insert(decls, f, *i));
            let found = self.solve(code, graph, class, inserts);
            let number = Number(Operand::reg(class).to_bits());
            if self.dominated.is_empty() && found.redundant == 0 {
                for i in self.computations(f).skip(1).filter_map(|m| m.inst.expand()) {
                    remarks.missed(f, i, (found.why_not)(number));
                }
            } else {
                self.note(f, number, &found, remarks);
            }
        }
    }
    /// Looks at registers that are constant: phis, copies, and a constant that its block has made before.
    pub(super) fn visit_constants(&mut self, f: &Function, dom: &DominatorTree, remarks: &mut Remarks) {
        for &b in dom.preorder() {
            self.rewrite.begin_block();
            for i in f.layout().insts(b) {
                if let Some(constant) = f.def(i).and_then(|r| self.classes.constant_of(r)) {
                    self.rewrite.note_constant(f, i, constant, remarks);
                }
            }
        }
    }
    /// Sorts the members of a class into the ones that another one dominates, and the others.
    fn part(&mut self, dom: &DominatorTree, class: Reg) {
        self.roots.clear();
        self.dominated.clear();
        for &m in self.classes.members(class) {
            // In preorder a member that dominates this one is the last root.
            match self.roots.last() {
                Some(root) if dom.dominates(root.block, m.block) => self.dominated.push(m),
                _ => self.roots.push(m),
            }
        }
    }
    /// Returns the roots that compute something.
    fn computations(&self, f: &Function) -> impl Iterator<Item = &Member> {
        self.roots.iter().filter(|m| !computes_nothing(f, m))
    }
    /// Finds out which roots are redundant, and decides on insertions of copies of `inserts`.
    fn solve(
        &mut self,
        code: Code<'_>,
        (cfg, dom): (&Cfg, &DominatorTree),
        class: Reg,
        inserts: Option<Inst>,
    ) -> Found {
        if self.roots.len() == 1 {
            return Found::default();
        }
        let Code { decls, f, .. } = code;
        let home = self.classes.home(class);
        self.computed.clear();
        self.computed.extend(self.roots.iter().map(|m| dom.subtree(m.block)));
        let traps = self.computations(f).filter_map(|m| m.inst.expand()).any(|i| is_trapping(f, i));
        let mut computations = std::mem::take(&mut self.computations);
        computations.clear();
        for m in self.roots.iter().filter(|m| !computes_nothing(f, m)) {
            let Some(inst) = m.inst.expand() else { continue };
            let may_be_at_top = !traps || first_end(&mut self.first_ends, decls, f, m.block) == Some(inst);
            computations.push(Computation { inst, block: m.block, may_be_at_top });
        }
        let at_end = |b: Block| {
            let at = dom.subtree(b).start;
            let before = self.computed.partition_point(|range| range.start <= at);
            if before.checked_sub(1).is_some_and(|k| self.computed[k].contains(&at)) {
                AtEnd::Computed
            } else if b == home {
                AtEnd::Lost
            } else {
                AtEnd::Through
            }
        };
        let problem = Problem { computations: &computations, home, may_rise: !traps, inserts: inserts.is_some() };
        let is_solved = self.flow.find(f, cfg, &problem, at_end);
        let found = self.decide(code, dom, is_solved, &computations, inserts);
        self.computations = computations;
        found
    }
    /// Decides on insertions of copies of `inserts` for computations whose dataflow is solved.
    pub(super) fn decide(
        &mut self,
        code: Code<'_>,
        dom: &DominatorTree,
        is_solved: bool,
        computations: &[Computation],
        inserts: Option<Inst>,
    ) -> Found {
        if !is_solved {
            return Found { why_not: Event::TooManyPaths, ..Found::default() };
        }
        let is_dear = inserts.is_some_and(|i| movement(code.decls, code.f, i) != Movement::Cheap);
        if self.passes_through_loops(computations) {
            return Found::default();
        }
        if self.depths.is_some() && !is_dear && !self.comes_out_of_loops(computations) {
            self.flow.forget_insertions();
        }
        let without = computations.iter().filter(|c| self.flow.is_available(c.block)).count();
        let with = computations.iter().filter(|c| self.flow.is_made_available(c.block)).count();
        let insertions = self.flow.insertions().len();
        let grew_too_much = !self.growth.allows(insertions);
        let may_grow = insertions <= with - without && !grew_too_much;
        match inserts.filter(|_| with > without && may_grow).and_then(|like| self.plan(code, dom, like, computations)) {
            Some(planned) => {
                self.growth.charge(insertions);
                planned.into_iter().for_each(|insertion| self.rewrite.insert(insertion));
                Found { redundant: with, inserts: true, ..Found::default() }
            }
            None if self.depths.is_some() && !is_dear => Found::default(),
            None if with == without => Found { redundant: without, ..Found::default() },
            None if grew_too_much => {
                Found { redundant: without, why_not: |_| Common::GrewTooMuch.into(), ..Found::default() }
            }
            None => Found { redundant: without, why_not: Event::NotWorthInserting, ..Found::default() },
        }
    }
    /// True if the value is carried through a loop that contains no removed computation.
    fn passes_through_loops(&self, computations: &[Computation]) -> bool {
        let Some(depths) = &self.depths else { return false };
        let goes = |b: Block| self.flow.is_made_available(b);
        let deepest = computations.iter().filter(|c| goes(c.block)).map(|c| depths[c.block]).max();
        self.flow.region().iter().any(|b| Some(depths[*b]) > deepest)
    }
    /// True if each insertion is on an edge in fewer loops than a computation removed for it.
    fn comes_out_of_loops(&self, computations: &[Computation]) -> bool {
        let Some(depths) = &self.depths else { return true };
        let goes = |b: Block| self.flow.is_made_available(b) && !self.flow.is_available(b);
        let deepest = computations.iter().filter(|c| goes(c.block)).map(|c| depths[c.block]).max();
        self.flow.insertions().iter().all(|(from, to)| Some(depths[*from].min(depths[*to])) < deepest)
    }
    /// Returns the insertions that the dataflow asks for, of copies of `like`. None if an operand is not available on
    /// an edge. A computation that may trap is inserted before a block that computes it, and traps instead of the
    /// computation there.
    fn plan(
        &self,
        code: Code<'_>,
        dom: &DominatorTree,
        like: Inst,
        computations: &[Computation],
    ) -> Option<Vec<Insertion>> {
        let var = self.engine.next_variable();
        let insertion = |(from, to): &(Block, Block)| {
            let mut reads = Some(Vec::new());
            code.f.for_each_use(like, |r| {
                let by = self.at_hand(code, dom, r, *from);
                reads = reads.take().zip(by).map(|(mut all, by)| {
                    all.push((r, by));
                    all
                });
            });
            let located_as = computations.iter().find(|c| c.block == *to).map_or(like, |c| c.inst);
            Some(Insertion { from: *from, to: *to, like, located_as, reads: reads?, var })
        };
        self.flow.insertions().iter().map(insertion).collect()
    }
    /// A register of the value of another one that is assigned at the end of a block.
    fn at_hand(&self, Code { f, ssa, .. }: Code<'_>, dom: &DominatorTree, r: Reg, b: Block) -> Option<Reg> {
        let members = self.classes.members(self.classes.class_of(r)?);
        if members.is_empty() {
            let block = ssa.def(r).and_then(|i| f.layout().block_of(i));
            return Some(r).filter(|_| block.is_none_or(|block| dom.dominates(block, b)));
        }
        members.iter().take(MAX_MEMBERS).find(|m| dom.dominates(m.block, b)).map(|m| m.reg)
    }
    /// Notes the redundant computations of a class.
    fn note(&mut self, f: &Function, number: Number, found: &Found, remarks: &mut Remarks) {
        let root = self.roots[0];
        let initial = if root.inst.is_none() { root.reg.into() } else { Operand::small(0).expect("0 is small") };
        let var = self.engine.add_variable(variable(f, root.reg, initial));
        for m in &self.roots {
            let Some(i) = m.inst.expand() else { continue };
            if !computes_nothing(f, m) && self.is_redundant(found, m.block) {
                remarks.done(f, i, self.why(m.block, number));
                self.rewrite.note(i, Role::Reads(var));
            } else {
                self.rewrite.note(i, Role::Writes(var));
            }
        }
        for i in self.dominated.iter().filter_map(|m| m.inst.expand()) {
            remarks.done(f, i, Event::ComputedOnAllPaths(number));
            self.rewrite.note(i, Role::Reads(var));
        }
    }
    /// True if a computation in a block is redundant.
    pub(super) fn is_redundant(&self, found: &Found, b: Block) -> bool {
        found.redundant != 0 && (self.flow.is_available(b) || found.inserts && self.flow.is_made_available(b))
    }
    /// Returns the reason a computation in a block is redundant.
    pub(super) fn why(&self, b: Block, number: Number) -> Event {
        if self.flow.is_available(b) { Event::ComputedOnAllPaths(number) } else { Event::ComputedOnEdges(number) }
    }
}

/// The findings about the computations of a value.
#[derive(Copy, Clone)]
pub(super) struct Found {
    /// The number of redundant ones.
    pub redundant: usize,
    /// True if some are redundant by insertions.
    pub inserts: bool,
    /// The reason that no more are.
    why_not: fn(Number) -> Event,
}

impl Default for Found {
    fn default() -> Found {
        Found { redundant: 0, inserts: false, why_not: Event::NotOnAllPaths }
    }
}

/// True if an instruction may trap.
fn is_trapping(f: &Function, i: Inst) -> bool {
    is_trapping_arithmetic(f.inst(i).op.effects()) && may_trap(f, i)
}

/// Returns the first instruction of a block, which has one that may trap, at which execution may end. Other than for
/// loads, which may change places, that is also one that may fault.
fn first_end(
    known: &mut SecondaryMap<Block, PackedOption<Inst>>,
    decls: &Decls,
    f: &Function,
    b: Block,
) -> Option<Inst> {
    if known[b].is_none() {
        let may_fault = |i| matches!(f.inst(i).op.format(), Format::Load | Format::Call);
        let may_end = |i: &Inst| may_fault(*i) || may_end_execution(decls, f, *i);
        known[b] = f.layout().insts(b).find(may_end).into();
    }
    known[b].expand()
}
