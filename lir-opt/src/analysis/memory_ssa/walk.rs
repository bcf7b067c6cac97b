//! The clobber walk: from a version of memory up to the one that last may have changed a location.
//!
//! # Over phis
//!
//! [`MemorySsa::clobber`] ends at a phi. [`MemoryFacts::clobber_over_phis`] continues from there, to a version above
//! the phi that all paths into it lead to without a write to the location: over a diamond that writes elsewhere, or a
//! loop that does.
//!
//! 1. From the phi, each operand is walked up to its clobber. Phis that do not dominate the first one are taken apart
//!    in the same way, each once. The rest are defs, the entry, and phis above: they must be one and the same.
//! 2. The registers of the location must be assigned in blocks that dominate the block of that version, or in that
//!    block. Then they are not assigned anew anywhere on the examined paths: such a path would pass the version again.
//!    Instructions between the version and an assignment in its block cannot use that register yet, so that no answer
//!    of the oracle relied on it.
//! 3. If the version found is a phi, begin again with it.

use super::{Access, AccessKind, MemorySsa};
use crate::analysis::alias::{AliasOracle, Location};
use crate::analysis::{MemoryFacts, SsaView};
use lir_syntax::ir::{Block, Decls, Function, Inst};

/// Limit on the definitions that a walk passes. LLVM's limit (`memssa-check-limit`): without one, a block of n stores
/// and n loads takes n^2 questions.
pub const MAX_STEPS: u32 = 100;

/// Limit on the phis followed for one phi, and on the operands of each.
const MAX_PHIS: usize = 8;

/// The end of a walk.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Clobber {
    /// The version with the contents that the location has at the beginning of the walk. This def or phi, or on entry.
    /// This access dominates the one where the walk began.
    pub access: Access,
    /// True if the walk ended for being too long: then it is not known whether this access writes to the location.
    pub gave_up: bool,
}

/// The data and limits of a walk over phis.
struct PhiWalker<'a> {
    facts: MemoryFacts<'a>,
    decls: &'a Decls,
    f: &'a Function,
    location: &'a Location,
    steps: u32,
}

impl MemorySsa {
    /// Walks up from the version `start` while the definitions there cannot write to a location. Ends at phis, whose
    /// operands are not followed, so that the registers of the location hold the same values all the way (see
    /// [`alias`](crate::analysis::alias)); at the entry; and after [`MAX_STEPS`]. `const` data is as it was on entry.
    pub fn clobber(
        &self,
        oracle: &AliasOracle,
        (decls, f): (&Decls, &Function),
        location: &Location,
        start: Access,
    ) -> Clobber {
        if oracle.is_never_written(decls, location) {
            return Clobber { access: Access::ON_ENTRY, gave_up: false };
        }
        self.walk_up(oracle, (decls, f), location, (start, &mut { MAX_STEPS }))
    }
    /// Returns the walk, from a version and with the remaining steps.
    fn walk_up(
        &self,
        oracle: &AliasOracle,
        (decls, f): (&Decls, &Function),
        location: &Location,
        (start, steps): (Access, &mut u32),
    ) -> Clobber {
        let mut access = start;
        while *steps > 0 {
            match self.kind(access) {
                AccessKind::Def(i) if !oracle.clobbers(decls, f, i, location) => access = self.defining(access),
                AccessKind::Def(_) | AccessKind::Phi(_) | AccessKind::OnEntry => {
                    return Clobber { access, gave_up: false };
                }
                AccessKind::Use(_) => access = self.defining(access),
            }
            *steps -= 1;
        }
        Clobber { access, gave_up: true }
    }
    /// Returns the clobber of the one location of an access, from the version before it. The location is read by a
    /// load, or written by a store or a block operation. None for other instructions.
    pub(crate) fn clobber_of(&self, oracle: &AliasOracle, (decls, f): (&Decls, &Function), i: Inst) -> Option<Clobber> {
        let location = oracle.location(f, i)?;
        Some(self.clobber(oracle, (decls, f), &location, self.defining_access(i)?))
    }
}

impl MemoryFacts<'_> {
    /// Returns [`MemorySsa::clobber`], followed over phis whose operands all lead to one version. [`MAX_STEPS`] holds
    /// for all operands together.
    pub(crate) fn clobber_over_phis(
        &self,
        (decls, f): (&Decls, &Function),
        ssa: &SsaView,
        location: &Location,
        start: Access,
    ) -> Clobber {
        let mut clobber = self.memory.clobber(self.alias, (decls, f), location, start);
        let mut walker = PhiWalker { facts: *self, decls, f, location, steps: MAX_STEPS };
        while let AccessKind::Phi(b) = self.memory.kind(clobber.access)
            && let Some(above) = walker.version_above(clobber.access, b)
            && walker.registers_are_assigned_above(ssa, above)
        {
            clobber.access = above;
        }
        clobber
    }
}

impl PhiWalker<'_> {
    /// Step 1.
    fn version_above(&mut self, phi: Access, block: Block) -> Option<Access> {
        let MemoryFacts { cfg, dominators, memory, alias } = self.facts;
        let mut apart = [phi; MAX_PHIS];
        let (mut found, mut done, mut count) = (None, 0, 1);
        while done < count {
            let next = apart[done];
            done += 1;
            for (k, (_, version)) in memory.phi_operands(next, cfg).enumerate() {
                if k == MAX_PHIS {
                    return None;
                }
                let up = memory.walk_up(alias, (self.decls, self.f), self.location, (version, &mut self.steps));
                if up.gave_up {
                    return None;
                }
                match memory.kind(up.access) {
                    AccessKind::Phi(_) if apart[..count].contains(&up.access) => {}
                    AccessKind::Phi(b) if b == block || !dominators.dominates(b, block) => {
                        *apart.get_mut(count)? = up.access;
                        count += 1;
                    }
                    AccessKind::Phi(_) | AccessKind::Def(_) | AccessKind::Use(_) | AccessKind::OnEntry => {
                        if *found.get_or_insert(up.access) != up.access {
                            return None;
                        }
                    }
                }
            }
        }
        found
    }
    /// Step 2.
    fn registers_are_assigned_above(&self, ssa: &SsaView, version: Access) -> bool {
        let layout = self.f.layout();
        let block = match self.facts.memory.kind(version) {
            AccessKind::Phi(b) => Some(b),
            AccessKind::Def(i) | AccessKind::Use(i) => layout.block_of(i),
            AccessKind::OnEntry => Some(self.f.entry()),
        };
        let Some(block) = block else { return self.location.registers().next().is_none() };
        self.location.registers().all(|r| match ssa.def(r) {
            // A parameter.
            None => true,
            Some(def) => layout.block_of(def).is_some_and(|b| self.facts.dominators.dominates(b, block)),
        })
    }
}
