//! Checks memory SSA against its definition, without the dominator tree.

use super::{Access, AccessKind, MemorySsa};
use crate::analysis::alias::{MemoryEffect, memory_effect};
use lir_syntax::ir::{Block, Cfg, Decls, Function};

impl MemorySsa {
    /// Checks the accesses against the instructions and the graph. Exactly the instructions that access memory have an
    /// access of the right kind, each with the version after the previous one; a block without a phi has one version at
    /// the end of all its reachable predecessors; and phis have the versions at the ends of theirs. Linear.
    ///
    /// # Errors
    /// The first mistake, for developers of this analysis.
    pub fn verify(&self, decls: &Decls, f: &Function, cfg: &Cfg) -> Result<(), String> {
        for b in f.layout().blocks() {
            let top = self.verify_top(f, cfg, b)?;
            let mut version = top;
            let went = |a: Access| matches!(self.kind(a), AccessKind::Use(i) if self.access_of(i).is_none());
            let mut rest = self.accesses_in(b).filter(|a| Some(*a) != self.phi(b) && !went(*a));
            for i in f.layout().insts(b) {
                let effect = memory_effect(decls, f, i);
                if effect == MemoryEffect::None {
                    if self.access_of(i).is_some() {
                        return Err(format!("{i:?} accesses no memory and has an access"));
                    }
                    continue;
                }
                let (a, expected) = (rest.next(), (self.access_of(i), effect == MemoryEffect::Writes));
                let Some(a) = a.filter(|a| Some(*a) == expected.0) else {
                    return Err(format!("{i:?} has {:?}, but {a:?} comes next in {b:?}", expected.0));
                };
                let kind = if expected.1 { AccessKind::Def(i) } else { AccessKind::Use(i) };
                if self.kind(a) != kind || self.defining(a) != version {
                    let (is, before) = (self.kind(a), self.defining(a));
                    return Err(format!("{a:?} is {is:?} of {before:?}, expected {kind:?} of {version:?}"));
                }
                version = if expected.1 { a } else { version };
            }
            if rest.next().is_some() || self.version_at_end(b) != version {
                return Err(format!("{b:?} has more accesses than instructions that access memory"));
            }
        }
        Ok(())
    }
    /// Returns the version at the top of a block.
    fn verify_top(&self, f: &Function, cfg: &Cfg, b: Block) -> Result<Access, String> {
        let mut incoming = cfg.preds(b).iter().filter(|p| cfg.is_reachable(**p)).map(|p| self.version_at_end(*p));
        if let Some(phi) = self.phi(b) {
            if self.kind(phi) != AccessKind::Phi(b) || self.accesses_in(b).next() != Some(phi) {
                return Err(format!("{phi:?} is not the phi at the top of {b:?}"));
            }
            let mut operands = self.phi_operands(phi, cfg);
            let right = |p: &Block| operands.next() == Some((*p, self.version_at_end(*p)));
            return if cfg.preds(b).iter().all(right) {
                Ok(phi)
            } else {
                Err(format!("an operand of {phi:?} is wrong"))
            };
        }
        if b == f.entry() || !cfg.is_reachable(b) {
            return Ok(Access::ON_ENTRY);
        }
        let first = incoming.next().ok_or_else(|| format!("{b:?} is reachable from nowhere"))?;
        if incoming.all(|v| v == first) { Ok(first) } else { Err(format!("versions meet in {b:?}, which has no phi")) }
    }
}
