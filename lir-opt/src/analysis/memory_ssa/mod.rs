//! Memory SSA: memory as one more variable in SSA form.
//!
//! Every instruction that may write memory makes a new version of it, every one that only reads uses a version, and
//! where versions meet a phi joins them. So the possible source of a loaded value is found in one step, across blocks.
//!
//! # Example
//!
//! The output of `lir-opt --print-analysis=memory-ssa`:
//!
//! ```text
//! entry:
//!   ; 1 = MemoryDef(liveOnEntry)
//!   store i32 [%p], 0
//!   jmp loop
//! loop:
//!   ; 2 = MemoryPhi(1 from entry, 3 from loop)
//!   ; MemoryUse(2)
//!   %x = load i32 [%q]
//!   ; 3 = MemoryDef(2)
//!   store i32 [%p], %x
//!   br %x, loop, done
//! ```
//!
//! # Algorithm
//!
//! 1. One walk finds the instructions that access memory, and the blocks that write it.
//! 2. Phis are placed at the iterated dominance frontier of these blocks: see
//!    [`placement`](crate::edit::ssa_construction::placement), with memory read at the top of every block, so that
//!    every program point of the function has one version.
//! 3. A walk of the dominator tree in preorder gives each access the version before it: the version after the previous
//!    access in its block, else the block's phi, else the version at the end of the immediate dominator.
//! 4. The operands of phis are the versions at the ends of the predecessors.
//!
//! The version at the function's entry is a definition of its own, [`Access::ON_ENTRY`], which belongs to no block and
//! no instruction; it is also the version at the top of every unreachable block. A call that only reads uses a version;
//! a call of a `readnone` function is not an access, except of its aggregates.
//!
//! # Cost and limits
//!
//! Linear (a logarithm for each phi and each block that writes), dense tables, no recursion. The tables describe the
//! function at the time of their computation. They remain true when instructions that access no memory are added and
//! removed, and when loads are removed. A removed store leaves a version without a definition, which is not wrong, but
//! less precise.
//!
//! # Source
//!
//! D. Novillo, "Memory SSA - A Unified Approach for Sparsely Representing Memory Operations", GCC Summit 2007, with one
//! partition, as in LLVM's `MemorySSA`; F. C. Chow et al., "Effective Representation of Aliases and Indirect Memory
//! Operations in SSA Form", CC 1996. LLVM moves uses to their clobbers at once; here that is done on demand: see
//! [`MemorySsa::clobber`] and [`MemoryFacts::clobber_over_phis`](super::MemoryFacts::clobber_over_phis).

mod users;
mod verify;
mod walk;

pub(crate) use users::Users;
pub use walk::{Clobber, MAX_STEPS};

use super::alias::{MemoryEffect, memory_effect};
use crate::edit::ssa_construction::Var;
use crate::edit::ssa_construction::placement::Placement;
use lir_syntax::ir::{
    Block, Cfg, Decls, DominatorTree, EntityRef, Function, Inst, PackedOption, PrimaryMap, SecondaryMap,
};
use std::ops::Range;

/// An access to memory; for a write also the version that it makes. The accesses of a block have ascending ids in
/// program order, a phi before all others.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access(u32);

impl Access {
    /// Memory as it is when the function is called.
    pub const ON_ENTRY: Access = Access(0);
}

impl EntityRef for Access {
    #[inline]
    fn new(index: usize) -> Access {
        Access(u32::try_from(index).expect("there are fewer accesses than instructions and blocks"))
    }
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of an access.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// [`Access::ON_ENTRY`].
    OnEntry,
    /// An instruction that may write, and may read.
    Def(Inst),
    /// An instruction that reads, and does not write.
    Use(Inst),
    /// The join of versions at the top of a block.
    Phi(Block),
}

#[derive(Copy, Clone, Debug)]
struct AccessData {
    kind: AccessKind,
    /// The version before it; of a phi, where its operands begin.
    before: u32,
}

/// The memory accesses of a function.
#[derive(Default)]
pub struct MemorySsa {
    accesses: PrimaryMap<Access, AccessData>,
    of_inst: SecondaryMap<Inst, PackedOption<Access>>,
    phi_of: SecondaryMap<Block, PackedOption<Access>>,
    /// First and last access of each block, as a range of ids.
    in_block: SecondaryMap<Block, (u32, u32)>,
    /// The version at the end of each block.
    last: SecondaryMap<Block, PackedOption<Access>>,
    /// The operands of all phis. Each has one for each predecessor, in the order of [`Cfg::preds`].
    phi_operands: Vec<Access>,
    scratch: ConstructionScratch,
}

/// Data that is only needed while the accesses are found.
#[derive(Default)]
struct ConstructionScratch {
    placement: Placement,
    /// Instructions that access memory, by block in the order of step 1; true for writes.
    found: Vec<(Inst, bool)>,
    unreachable: Vec<Block>,
}

/// Memory as the only variable.
fn memory() -> Var {
    Var::new(0)
}

impl MemorySsa {
    /// Returns the memory accesses of a function of either form.
    pub fn new(decls: &Decls, f: &Function, cfg: &Cfg, dom: &DominatorTree) -> MemorySsa {
        let mut memory = MemorySsa::default();
        memory.recompute(decls, f, cfg, dom);
        memory
    }
    /// Finds them anew, in the memory of the last function's.
    pub fn recompute(&mut self, decls: &Decls, f: &Function, cfg: &Cfg, dom: &DominatorTree) {
        self.accesses.clear();
        self.accesses.push(AccessData { kind: AccessKind::OnEntry, before: 0 });
        self.of_inst.reset(f.num_insts());
        self.phi_of.reset(f.num_blocks());
        self.in_block.reset(f.num_blocks());
        self.last.reset(f.num_blocks());
        self.phi_operands.clear();
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.unreachable.clear();
        scratch.unreachable.extend(f.layout().blocks().filter(|b| !cfg.is_reachable(*b)));
        let writes = self.find_accesses(decls, f, dom, &mut scratch);
        let placed = if writes { scratch.placement.find(f, cfg, dom) } else { &[] };
        // Marked; the ids follow in the order of the blocks.
        placed.iter().for_each(|(b, _)| self.phi_of[*b] = Access::ON_ENTRY.into());
        self.number(cfg, dom, &scratch);
        self.fill_phis(cfg, dom);
        self.scratch = scratch;
    }
    /// Step 1. Returns whether there is a write in a reachable block.
    fn find_accesses(
        &mut self,
        decls: &Decls,
        f: &Function,
        dom: &DominatorTree,
        scratch: &mut ConstructionScratch,
    ) -> bool {
        let ConstructionScratch { placement, found, unreachable } = scratch;
        found.clear();
        placement.begin(1);
        let mut any_write = false;
        for &b in dom.preorder().iter().chain(unreachable.iter()) {
            let first = found.len();
            let mut writes = false;
            for i in f.layout().insts(b) {
                let effect = memory_effect(decls, f, i);
                if effect != MemoryEffect::None {
                    found.push((i, effect == MemoryEffect::Writes));
                    writes |= effect == MemoryEffect::Writes;
                }
            }
            // How many there are, until the ids are known.
            self.in_block[b] = (0, (found.len() - first) as u32);
            if !dom.subtree(b).is_empty() {
                placement.note_read(memory(), b);
                if writes {
                    placement.note_write(memory(), b);
                    any_write = true;
                }
            }
        }
        any_write
    }
    /// Step 3.
    fn number(&mut self, cfg: &Cfg, dom: &DominatorTree, scratch: &ConstructionScratch) {
        let mut found = scratch.found.iter();
        for &b in dom.preorder().iter().chain(&scratch.unreachable) {
            let count = self.in_block[b].1 as usize;
            let first = self.accesses.next_key();
            let mut version = match dom.idom(b) {
                Some(above) if cfg.is_reachable(b) => self.version_at_end(above),
                _ => Access::ON_ENTRY,
            };
            if self.phi_of[b].is_some() {
                let operands = self.phi_operands.len() as u32;
                self.phi_operands.resize(self.phi_operands.len() + cfg.preds(b).len(), Access::ON_ENTRY);
                version = self.accesses.push(AccessData { kind: AccessKind::Phi(b), before: operands });
                self.phi_of[b] = version.into();
            }
            for &(i, writes) in found.by_ref().take(count) {
                let kind = if writes { AccessKind::Def(i) } else { AccessKind::Use(i) };
                let access = self.accesses.push(AccessData { kind, before: version.0 });
                self.of_inst[i] = access.into();
                if writes {
                    version = access;
                }
            }
            self.in_block[b] = (first.0, self.accesses.len() as u32);
            self.last[b] = version.into();
        }
    }
    /// Step 4.
    fn fill_phis(&mut self, cfg: &Cfg, dom: &DominatorTree) {
        for &b in dom.preorder() {
            let Some(phi) = self.phi_of[b].expand() else { continue };
            let first = self.accesses[phi].before as usize;
            for (k, &p) in cfg.preds(b).iter().enumerate() {
                self.phi_operands[first + k] = self.version_at_end(p);
            }
        }
    }

    /// Forgets a load that accesses no memory any more. Its id remains, without an instruction.
    pub(crate) fn forget_load(&mut self, i: Inst) {
        debug_assert!(self.access_of(i).is_none_or(|a| matches!(self.kind(a), AccessKind::Use(_))), "{i:?} is no load");
        self.of_inst[i] = PackedOption::NONE;
    }
    /// Returns the number of accesses, with [`Access::ON_ENTRY`]: an upper bound of their indices.
    pub(crate) fn num_accesses(&self) -> usize {
        self.accesses.len()
    }
    /// Returns the kind of an access.
    #[inline]
    pub fn kind(&self, a: Access) -> AccessKind {
        self.accesses[a].kind
    }
    /// Returns the access of an instruction; none if it accesses no memory.
    #[inline]
    pub(crate) fn access_of(&self, i: Inst) -> Option<Access> {
        self.of_inst[i].expand()
    }
    /// Returns the version of memory before a def or use: the version that the last def or phi on the path there made.
    /// For a phi and [`Access::ON_ENTRY`], the access itself.
    #[inline]
    pub(crate) fn defining(&self, a: Access) -> Access {
        match self.accesses[a].kind {
            AccessKind::Def(_) | AccessKind::Use(_) => Access(self.accesses[a].before),
            AccessKind::OnEntry | AccessKind::Phi(_) => a,
        }
    }
    /// Returns the version of memory before an instruction; none if it accesses no memory.
    #[inline]
    pub(crate) fn defining_access(&self, i: Inst) -> Option<Access> {
        self.access_of(i).map(|a| self.defining(a))
    }
    /// Returns the phi of a block.
    #[inline]
    pub fn phi(&self, b: Block) -> Option<Access> {
        self.phi_of[b].expand()
    }
    /// Returns the operands of a phi, by predecessor in the order of [`Cfg::preds`]. Empty for others.
    pub fn phi_operands<'a>(&'a self, phi: Access, cfg: &'a Cfg) -> impl Iterator<Item = (Block, Access)> + Clone + 'a {
        let (preds, first): (&[Block], _) = match self.accesses[phi].kind {
            AccessKind::Phi(b) => (cfg.preds(b), self.accesses[phi].before as usize),
            AccessKind::OnEntry | AccessKind::Def(_) | AccessKind::Use(_) => (&[], 0),
        };
        preds.iter().enumerate().map(move |(k, p)| (*p, self.phi_operands[first + k]))
    }
    /// Returns the accesses of a block in program order, its phi first.
    pub(crate) fn accesses_in(&self, b: Block) -> impl DoubleEndedIterator<Item = Access> + use<> {
        let Range { start, end } = self.ids_in(b);
        (start..end).map(Access)
    }
    /// Returns the id after the accesses of a block. Smaller ids are of this block, of blocks that dominate it, and of
    /// others before it in preorder.
    #[inline]
    pub(crate) fn end_of(&self, b: Block) -> Access {
        Access(self.ids_in(b).end)
    }
    fn ids_in(&self, b: Block) -> Range<u32> {
        let (first, end) = self.in_block[b];
        first..end
    }
    /// Returns the numbers of versions for people: from 1 in the order in which the text has them, 0 for that on entry.
    pub(crate) fn printed_numbers(&self, f: &Function) -> SecondaryMap<Access, u32> {
        let mut numbers = SecondaryMap::new();
        let all = f.layout().blocks().flat_map(|b| self.accesses_in(b));
        let versions = all.filter(|a| matches!(self.kind(*a), AccessKind::Def(_) | AccessKind::Phi(_)));
        versions.zip(1..).for_each(|(a, number)| numbers[a] = number);
        numbers
    }
    /// Returns the version of memory at the end of a block.
    #[inline]
    pub(crate) fn version_at_end(&self, b: Block) -> Access {
        self.last[b].expand().unwrap_or(Access::ON_ENTRY)
    }
}

#[cfg(test)]
mod tests;
