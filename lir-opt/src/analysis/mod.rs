//! Facts about a function, computed on demand and kept while they hold.
//!
//! [`Analyses`] stores for each fact the stamps of the function it was computed from. A query compares them with its
//! function: a result that is out of date is never returned, whatever a pass claims. A claim of [`Preserved`] only
//! carries results over changes that happened to leave them true, and debug builds recompute and compare.

pub mod alias;
pub mod assignments;
pub(crate) mod bounds;
pub mod branches;
pub mod call_graph;
pub mod effects;
pub(crate) mod execution_end;
pub mod known_bits;
pub(crate) mod known_data;
pub(crate) mod linear;
pub mod loops;
pub(crate) mod may_be_address;
pub mod memory_ssa;
pub(crate) mod movement;
mod preserved;
pub mod ranges;
mod ssa_view;
pub(crate) mod stack_addresses;
pub mod trace_form;
pub(crate) mod traces;
#[cfg(feature = "cli")]
pub(crate) mod tramps;

pub use loops::LoopForest;
pub use preserved::Preserved;
pub use ssa_view::SsaView;
pub(crate) use ssa_view::needs_ssa;

use alias::AliasOracle;
use lir_syntax::ir::{Cfg, Decls, DominatorTree, Function, Inst, Sym};
use lir_syntax::verifier::SsaViolation;
use loops::induction::LoopContext;
use loops::nest::LoopNest;
use memory_ssa::MemorySsa;

/// The state of a function when a fact was computed: its symbol and one of its stamps.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Key(Sym, u64);

impl Key {
    fn cfg(f: &Function) -> Key {
        Key(f.sym, f.cfg_stamp())
    }
    fn insts(f: &Function) -> Key {
        Key(f.sym, f.inst_stamp())
    }
    /// Both stamps only rise, so their sum changes with either.
    fn all(f: &Function) -> Key {
        Key(f.sym, f.inst_stamp() + f.cfg_stamp())
    }
}

/// The stamps of a function before a pass.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Stamps {
    insts: u64,
    cfg: u64,
}

impl Stamps {
    pub(crate) fn of(f: &Function) -> Stamps {
        Stamps { insts: f.inst_stamp(), cfg: f.cfg_stamp() }
    }
}

/// A fact and the function it was computed from. None if it was computed from nothing, so that only its memory is of
/// use.
#[derive(Default)]
struct Known<T> {
    key: Option<Key>,
    fact: T,
}

impl<T> Known<T> {
    /// Recomputes the fact unless it is of `key`.
    fn update(&mut self, key: Key, recompute: impl FnOnce(&mut T)) -> &T {
        if self.key != Some(key) {
            recompute(&mut self.fact);
            self.key = Some(key);
        }
        &self.fact
    }
}

/// Memory SSA and related facts.
#[derive(Copy, Clone)]
pub struct MemoryFacts<'a> {
    /// Predecessors and reverse postorder.
    pub cfg: &'a Cfg,
    /// Dominators.
    pub dominators: &'a DominatorTree,
    /// The alias oracle.
    pub alias: &'a AliasOracle,
    /// The accesses and their versions.
    pub memory: &'a MemorySsa,
}

/// Loops, and the memory that may be accessed in them.
#[derive(Copy, Clone)]
pub(crate) struct LoopFacts<'a> {
    /// Predecessors and reverse postorder.
    pub cfg: &'a Cfg,
    /// Dominators.
    pub dominators: &'a DominatorTree,
    /// Natural loops.
    pub forest: &'a LoopForest,
    /// The same with their blocks.
    pub nest: &'a LoopNest,
    /// The alias oracle.
    pub alias: &'a AliasOracle,
}

/// The facts about one function that are known at the moment.
#[derive(Default)]
pub struct Analyses {
    cfg: Known<Cfg>,
    dominators: Known<DominatorTree>,
    loops: Known<LoopForest>,
    nest: Known<LoopNest>,
    alias: Known<AliasOracle>,
    memory: Known<MemorySsa>,
    ssa: Option<(Key, SsaView)>,
}

impl Analyses {
    /// Forgets everything. This is needed if two functions have the same symbol (other module, copy of a function).
    pub fn clear(&mut self) {
        self.cfg.key = None;
        self.dominators.key = None;
        self.loops.key = None;
        self.nest.key = None;
        self.alias.key = None;
        self.memory.key = None;
        self.ssa = None;
    }
    /// Predecessors and reverse postorder.
    pub fn cfg(&mut self, f: &Function) -> &Cfg {
        self.cfg.update(Key::cfg(f), |cfg| cfg.recompute(f))
    }
    /// Dominators, with the graph.
    pub fn dominators(&mut self, f: &Function) -> (&Cfg, &DominatorTree) {
        let cfg = self.cfg.update(Key::cfg(f), |cfg| cfg.recompute(f));
        (cfg, self.dominators.update(Key::cfg(f), |tree| tree.recompute(f, cfg)))
    }
    /// Natural loops, with the graph and the dominators.
    pub fn loops(&mut self, f: &Function) -> (&Cfg, &DominatorTree, &LoopForest) {
        let cfg = self.cfg.update(Key::cfg(f), |cfg| cfg.recompute(f));
        let dominators = self.dominators.update(Key::cfg(f), |tree| tree.recompute(f, cfg));
        let loops = self.loops.update(Key::cfg(f), |loops| loops.recompute(f, cfg, dominators));
        (cfg, dominators, loops)
    }
    /// Natural loops with their blocks, the graph and the dominators. None if the graph has no cycle.
    pub(crate) fn nest(&mut self, f: &Function) -> Option<(&Cfg, &DominatorTree, &LoopForest, &LoopNest)> {
        let cfg = self.cfg.update(Key::cfg(f), |cfg| cfg.recompute(f));
        if cfg.is_acyclic(f) {
            return None;
        }
        let dom = self.dominators.update(Key::cfg(f), |tree| tree.recompute(f, cfg));
        let forest = self.loops.update(Key::cfg(f), |loops| loops.recompute(f, cfg, dom));
        let nest = self.nest.update(Key::cfg(f), |nest| nest.recompute(f, cfg, forest));
        Some((cfg, dom, forest, nest))
    }
    /// The same for a function in SSA form, for queries about the counters of loops.
    pub(crate) fn loops_of<'a>(&'a mut self, f: &'a Function, ssa: &'a SsaView) -> Option<LoopContext<'a>> {
        let (cfg, dom, forest, nest) = self.nest(f)?;
        Some(LoopContext { f, ssa, cfg, dom, forest, nest })
    }
    /// The alias oracle of a function in SSA form; the view is the proof. It describes the current function: see
    /// [`alias`] for the changes that a pass may make between queries.
    pub fn alias(&mut self, decls: &Decls, f: &Function, _: &SsaView) -> &AliasOracle {
        let cfg = self.cfg.update(Key::cfg(f), |cfg| cfg.recompute(f));
        self.alias.update(Key::all(f), |oracle| oracle.reset(decls, f, cfg, None))
    }
    /// Natural loops and the alias oracle of a function in SSA form. None if its graph has no cycle.
    pub(crate) fn loop_facts(&mut self, decls: &Decls, f: &Function, ssa: &SsaView) -> Option<LoopFacts<'_>> {
        self.nest(f)?;
        self.alias(decls, f, ssa);
        let (cfg, dominators) = (&self.cfg.fact, &self.dominators.fact);
        let (forest, nest, alias) = (&self.loops.fact, &self.nest.fact, &self.alias.fact);
        Some(LoopFacts { cfg, dominators, forest, nest, alias })
    }
    /// Memory SSA of a function in SSA form. With it come the facts that it is computed from and the oracle for its
    /// walks.
    pub fn memory(&mut self, decls: &Decls, f: &Function, _: &SsaView) -> MemoryFacts<'_> {
        let cfg = self.cfg.update(Key::cfg(f), |cfg| cfg.recompute(f));
        let dominators = self.dominators.update(Key::cfg(f), |tree| tree.recompute(f, cfg));
        let alias = self.alias.update(Key::all(f), |oracle| oracle.reset(decls, f, cfg, None));
        let memory = self.memory.update(Key::all(f), |memory| memory.recompute(decls, f, cfg, dominators));
        debug_assert_eq!(memory.verify(decls, f, cfg), Ok(()));
        MemoryFacts { cfg, dominators, alias, memory }
    }
    /// Takes the SSA view out, for a pass that changes it. If the function is not in SSA form, returns the reason.
    pub(crate) fn take_ssa(&mut self, f: &Function) -> Result<SsaView, SsaViolation> {
        match self.ssa.take() {
            Some((key, view)) if key == Key::insts(f) => Ok(view),
            old => SsaView::new(f, old.map(|(_, v)| v).unwrap_or_default()),
        }
    }
    /// Gives the view back after a pass that began at these stamps. Unless the pass claims to
    /// have changed nothing it no longer holds, and only its memory is kept.
    pub(crate) fn give_back_ssa(&mut self, view: SsaView, f: &Function, before: Stamps) {
        self.ssa = Some((Key(f.sym, before.insts), view));
    }
    /// Carries facts over a pass that left them true: stamps from before the pass are replaced by the stamps of `f`.
    pub(crate) fn carry_over(&mut self, f: &Function, before: Stamps, preserved: Preserved) {
        if preserved == Preserved::All
            && let Some((key, _)) = self.ssa.as_mut().filter(|(k, _)| *k == Key(f.sym, before.insts))
        {
            *key = Key::insts(f);
        }
        if preserved == Preserved::None {
            return;
        }
        let (old, new) = (Key(f.sym, before.cfg), Key::cfg(f));
        let keys = [&mut self.cfg.key, &mut self.dominators.key, &mut self.loops.key, &mut self.nest.key];
        keys.into_iter().filter(|k| **k == Some(old)).for_each(|k| *k = Some(new));
        #[cfg(debug_assertions)]
        self.check(f);
    }
    /// Carries memory SSA and the alias oracle over a change that began at these stamps.
    ///
    /// The change added pure instructions, none of which gives an address of memory that did not escape, and made
    /// copies of these `loads`.
    pub(crate) fn keep_memory(&mut self, f: &Function, before: Stamps, loads: impl Iterator<Item = Inst>) {
        let (old, new) = (Key(f.sym, before.insts + before.cfg), Key::all(f));
        if self.alias.key == Some(old) {
            self.alias.key = Some(new);
        }
        if self.memory.key == Some(old) {
            self.memory.key = Some(new);
            loads.for_each(|i| self.memory.fact.forget_load(i));
        }
    }
    /// Recomputes the preserved facts and compares. Panics if a pass claimed too much.
    #[cfg(debug_assertions)]
    fn check(&self, f: &Function) {
        let fresh = Cfg::new(f);
        let tree = DominatorTree::new(f, &fresh);
        if self.cfg.key == Some(Key::cfg(f)) {
            let cfg = &self.cfg.fact;
            assert_eq!(cfg.rpo(), fresh.rpo(), "a pass changed blocks or edges and claims that it did not");
            for b in f.layout().blocks() {
                assert_eq!(
                    cfg.preds(b),
                    fresh.preds(b),
                    "a pass changed the predecessors of {b:?} and claims otherwise"
                );
            }
        }
        if self.dominators.key == Some(Key::cfg(f)) {
            assert_eq!(
                self.dominators.fact.preorder(),
                tree.preorder(),
                "a pass changed the dominator tree and claims otherwise"
            );
        }
    }
}
