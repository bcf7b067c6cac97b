//! The users of versions of memory.

use super::{Access, AccessKind, MemorySsa};
use crate::tables::groups::Groups;
use lir_syntax::ir::{Cfg, EntityRef};

/// The accesses that follow each version, and the phis that have it as an operand.
#[derive(Default)]
pub(crate) struct Users {
    rows: Groups<Access, Access>,
}

impl Users {
    /// Finds the users, in the memory of the users found before. Linear.
    pub fn recompute(&mut self, memory: &MemorySsa, cfg: &Cfg) {
        let all = (0..memory.num_accesses()).map(Access::new);
        let plain = all.clone().filter(|a| matches!(memory.kind(*a), AccessKind::Def(_) | AccessKind::Use(_)));
        let phis = all.filter(|a| matches!(memory.kind(*a), AccessKind::Phi(_)));
        let of_phis = phis.flat_map(|phi| memory.phi_operands(phi, cfg).map(move |(_, version)| (version, phi)));
        self.rows.fill(memory.num_accesses(), plain.map(|a| (memory.defining(a), a)).chain(of_phis));
    }
    /// Returns the users of a version: defs and uses in the order of their ids, then phis, one for each edge that
    /// brings it.
    #[inline]
    pub fn of(&self, version: Access) -> &[Access] {
        self.rows.get(version)
    }
}
