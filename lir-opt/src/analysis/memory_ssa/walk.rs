//! The clobber walk: from a version of memory up to the one that last may have changed a place.

use super::{Access, AccessKind, MemorySsa};
use crate::analysis::alias::{AliasOracle, Location};
use lir_syntax::ir::{Decls, Function, Inst};

/// How many definitions a walk passes at most. LLVM's limit (`memssa-check-limit`): without one, a block of n stores and
/// n loads takes n^2 questions.
pub const MAX_STEPS: u32 = 100;

/// Where a walk ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Clobber {
    /// What is at the place at the beginning of the walk is what was there at this version: after this def or phi, or on
    /// entry. This access dominates the one where the walk began.
    pub access: Access,
    /// Whether the walk ended for being too long: then it is not known whether this access writes to the place.
    pub gave_up: bool,
}

impl MemorySsa {
    /// Walks up from the version `start` while the definitions there cannot write to a place. Ends at phis, whose operands
    /// are not followed, so that the registers of the place hold the same values all the way (see
    /// [`alias`](crate::analysis::alias)); at the entry; and after [`MAX_STEPS`]. `const` data is as it was on entry.
    pub fn clobber(
        &self,
        oracle: &AliasOracle,
        (decls, f): (&Decls, &Function),
        place: &Location,
        start: Access,
    ) -> Clobber {
        let mut access = start;
        if oracle.is_never_written(decls, place) {
            return Clobber { access: Access::ON_ENTRY, gave_up: false };
        }
        for _ in 0..MAX_STEPS {
            match self.kind(access) {
                AccessKind::Def(i) if !oracle.clobbers(decls, f, i, place) => access = self.defining(access),
                AccessKind::Def(_) | AccessKind::Phi(_) | AccessKind::OnEntry => {
                    return Clobber { access, gave_up: false };
                }
                AccessKind::Use(_) => access = self.defining(access),
            }
        }
        Clobber { access, gave_up: true }
    }
    /// The clobber of the one place that a load reads, or that a store, `memset` or `memcpy` writes, from the version
    /// before it. None for other instructions.
    pub fn clobber_of(&self, oracle: &AliasOracle, (decls, f): (&Decls, &Function), i: Inst) -> Option<Clobber> {
        let place = oracle.location(f, i)?;
        Some(self.clobber(oracle, (decls, f), &place, self.defining_access(i)?))
    }
}
