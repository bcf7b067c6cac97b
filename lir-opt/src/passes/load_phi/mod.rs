//! Loads across phis (`load-phi`).
//!
//! Replaces a load that reads what was stored before its block, on each path to the block, by a phi of what was stored.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   store i32 [%p], %a                           store i32 [%p], %a
//!   jmp loop                                     jmp loop
//! loop:                                        loop:
//!   %i = phi i32 [1, entry], [%k, loop]          %i = phi i32 [1, entry], [%k, loop]
//!                                                %x.1 = phi i32 [%a, entry], [%y, loop]
//!   %j = sub i32 %i, 1                           %j = sub i32 %i, 1
//!   %js = sext i32 %j to i64             =>      %js = sext i32 %j to i64
//!   %x = load i32 [%p + %js*4]                   %x = copy i32 %x.1
//!   %y = add i32 %x, 7                           %y = add i32 %x, 7
//!   %is = sext i32 %i to i64                     %is = sext i32 %i to i64
//!   store i32 [%p + %is*4], %y                   store i32 [%p + %is*4], %y
//!   %k = add i32 %i, 1                           %k = add i32 %i, 1
//!   br slt i32 %k, %n, loop, done                br slt i32 %k, %n, loop, done
//! ```
//!
//! # Algorithm
//!
//! 1. A load is looked at whose location nothing changes between the top of some block, at which memory has a phi, and
//!    the load ([`MemorySsa::clobber_of`]).
//! 2. Its address is written as a sum ([`address`]) of registers that stand above the block and of phis of the block.
//!    For each predecessor the sum is translated: a phi is what it is on that edge.
//! 3. From the version of memory at the end of the predecessor up, a store of the load's type with that address is
//!    looked for, which dominates the edge since only definitions are passed. It is what the load reads where nothing
//!    between it and the edge may change its location.
//! 4. Where there is one for each predecessor, the block gets a phi of the values stored, and the load is a copy of it.
//!    No load is made: what is not stored on some path stays in memory.
//!
//! # Why it is sound
//!
//! Sums are equal as numbers, modulo 2^64 and, under an extension, modulo the size of what is extended; so the store of
//! step 3 wrote all bytes that the load would read had it stood at the end of that edge. By step 1 they are the same
//! where it does stand. A register of the store's address has, at the end of the predecessor, the value that it had at
//! the store: a path to the edge on which it is assigned again comes through the store again. A load that could fault
//! would have done so at the store.
//!
//! # Cost and limits
//!
//! A walk for each load, as in `gvn{mem=ssa}`, and for those that end at a phi [`MAX_DEFS`] definitions for each of at
//! most [`MAX_PREDS`] predecessors. Memory SSA is computed for it; where it finds nothing, the `gvn` behind it finds
//! that computed.
//!
//! # Source
//!
//! The phi translation of load elimination in LLVM's GVN (`PHITransAddr`); gcc's predictive commoning does it for
//! loops.

mod address;

use crate::analysis::memory_ssa::{Access, AccessKind};
use crate::analysis::{MemoryFacts, Preserved, SsaView};
use crate::pass::remarks::Event;
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use address::{AddressSum, Sums};
use lir_syntax::ir::{Block, Decls, Format, Function, Inst, InstData, Opcode, Operand, Reg};

#[cfg(doc)]
use crate::analysis::memory_ssa::MemorySsa;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "load-phi",
    summary: "read the phi of what was stored in place of loads",
    options: &[],
    build: |_| Pass::Ssa(Box::new(LoadPhi)),
};

/// Predecessors of a block that may get a phi.
const MAX_PREDS: usize = 8;
/// Definitions of memory that are looked at for each predecessor.
const MAX_DEFS: usize = 16;

struct LoadPhi;

/// A load and what stands in its place.
struct Found {
    load: Inst,
    block: Block,
    entries: Vec<(Block, Operand)>,
}

impl SsaPass for LoadPhi {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let cfg = cx.analyses.cfg(f);
        if !cfg.rpo().iter().any(|b| cfg.preds(*b).len() > 1) {
            return Preserved::All;
        }
        let facts = cx.analyses.memory(cx.decls, f, ssa);
        let search = Search { f, decls: cx.decls, ssa, facts };
        let mut found = Vec::new();
        for &b in facts.cfg.rpo() {
            for i in f.layout().insts(b).filter(|i| f.inst(*i).op.format() == Format::Load) {
                match search.phi_for(i) {
                    Ok(Some(phi)) => found.push(phi),
                    Ok(None) => {}
                    Err(why) => cx.remarks.missed(f, i, why),
                }
            }
        }
        for phi in &found {
            cx.remarks.done(f, phi.load, Event::StoredBefore(phi.block));
        }
        for phi in &found {
            phi.replace_load(f);
        }
        cx.stats.add("loads replaced", found.len() as u64);
        Preserved::cfg_if(!found.is_empty())
    }
}

impl Found {
    /// Step 4.
    fn replace_load(&self, f: &mut Function) {
        let d = *f.inst(self.load);
        let Some(r) = d.result() else { return };
        let value = f.new_reg_like(r);
        let list = f.make_phi(&self.entries);
        f.prepend_inst(self.block, InstData::new(Opcode::Phi, d.ty).with_list(list).with_result(value));
        f.replace_inst(self.load, InstData::unary(Opcode::Copy, d.ty, Operand::reg(value)).with_result(r));
    }
}

/// The function that is searched.
#[derive(Copy, Clone)]
struct Search<'a> {
    f: &'a Function,
    decls: &'a Decls,
    ssa: &'a SsaView,
    facts: MemoryFacts<'a>,
}

impl Search<'_> {
    /// Steps 1 to 3 for a load. None where its location does not reach a phi unchanged.
    ///
    /// # Errors
    /// The reason it stays, where it does.
    fn phi_for(&self, load: Inst) -> Result<Option<Found>, Event<'static>> {
        let Search { f, decls, facts, .. } = *self;
        if f.inst(load).is_volatile() {
            return Ok(None);
        }
        let clobber = facts.memory.clobber_of(facts.alias, (decls, f), load).filter(|c| !c.gave_up);
        let Some((phi, AccessKind::Phi(block))) = clobber.map(|c| (c.access, facts.memory.kind(c.access))) else {
            return Ok(None);
        };
        let preds = facts.cfg.preds(block);
        if preds.len() > MAX_PREDS {
            return Err(Event::NotStoredOnAll(block));
        }
        let sums = Sums { f, ssa: self.ssa };
        let Some(sum) = sums.of_mem(f.mem(load)) else { return Ok(None) };
        if !sum.roots().all(|r| self.is_known_at(r, block)) {
            return Err(Event::AddressMadeBelow(block));
        }
        let mut entries = Vec::with_capacity(preds.len());
        for (pred, version) in facts.memory.phi_operands(phi, facts.cfg) {
            let stored = sums
                .on_edge(&sum, pred, block)
                .and_then(|there| self.stored(&sums, &there, load, version))
                .ok_or(Event::NotStoredOnAll(pred))?;
            entries.push((pred, stored));
        }
        Ok(Some(Found { load, block, entries }))
    }
    /// True if a register is a phi of a block, or assigned above it.
    fn is_known_at(&self, r: Reg, block: Block) -> bool {
        let Some(def) = self.ssa.def(r) else { return true };
        let b = self.f.layout().block_of(def);
        b.is_some_and(|b| match b == block {
            true => self.f.inst(def).op == Opcode::Phi,
            false => self.facts.dominators.dominates(b, block),
        })
    }
    /// The value that a store put where a load would read: step 3.
    fn stored(&self, sums: &Sums<'_>, at: &AddressSum, load: Inst, version: Access) -> Option<Operand> {
        let Search { f, decls, facts, .. } = *self;
        let mut up = version;
        for _ in 0..MAX_DEFS {
            let AccessKind::Def(i) = facts.memory.kind(up) else { return None };
            let d = f.inst(i);
            if d.op.format() == Format::Store
                && d.ty == f.inst(load).ty
                && !d.is_volatile()
                && sums.of_mem(f.mem(i)).as_ref() == Some(at)
            {
                let location = facts.alias.location(f, i)?;
                let last = facts.memory.clobber(facts.alias, (decls, f), &location, version);
                return (!last.gave_up && last.access == up).then(|| d.stored());
            }
            up = facts.memory.defining(up);
        }
        None
    }
}
