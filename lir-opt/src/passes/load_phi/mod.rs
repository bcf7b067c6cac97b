//! Loads across phis (`load-phi`).
//!
//! Replaces a load of a location that was stored or loaded before, on each path to the load, by a phi of these values.
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
//! 1. Loads and stores that are not volatile are sorted by type and address ([`accesses`]), which is written as a sum
//!    of at most four registers ([`address`]).
//! 2. From a load the search moves up: through memory to the instruction that may have changed the location last
//!    ([`MemorySsa::clobber`]), and through the blocks that dominate the load. It ends at the first block into which
//!    paths lead that may differ: memory has a phi there, a register of the address is a phi of the block, or only some
//!    of the paths have another access of the address. That block is to get a phi.
//! 3. For each predecessor the sum is translated: phis of the block are replaced by their operands on that edge. From
//!    the end of the predecessor the search moves up as in step 2. It may end earlier, at a load or store of the same
//!    type and sum, which dominates the edge and since which nothing may have changed the location: then the entry is
//!    its value. Otherwise the entry is another phi that is to be made, and is processed like the first; one of the
//!    same block, type and sum is made once, so that a loop may come back to it.
//! 4. If there is an answer for each predecessor of each phi, the phis are made, and the load is a copy of the first.
//!    No load is made: a value unknown on some path stays in memory.
//!
//! # Why it is sound
//!
//! Sums are equal as numbers, modulo 2^64 and, under an extension, modulo the size of the extended value. Registers of
//! a sum at a block are phis of the block, or assigned above it; the registers of a translated sum are assigned above
//! the end of the predecessor. So wherever they are compared they hold the same values as at the access or phi that is
//! found: a path on which one of them is assigned again passes that access or phi again.
//!
//! Each phi holds the contents of its sum's location at the top of its block. An entry that an access gives does: it
//! reads or writes all bytes of the location, dominates the edge, and no version of memory between it and the edge
//! changes them; where memory has a phi between, the walk ends. An entry that a phi gives does if that phi did when its
//! block was entered last. This goes back to an access on each path, as there is no phi at the entry. The walks are
//! made with the location of the load, or of an access of the sum that dominates the edge. If the load is reached, that
//! access was executed, so its facts about the object hold. Sums that are equal as numbers may be meant to be of
//! different objects, one of which is not accessed in the current execution; so phis are shared only if the roots and
//! the access types and sets of their locations are the same, too. A load that could fault would have done so at the
//! access.
//!
//! # Cost and limits
//!
//! One sum for each load and store, a sort, and a walk of at most [`MAX_STEPS`] definitions of memory for each load
//! whose address has another access or a phi; for each predecessor, of at most [`MAX_PREDS`] of at most [`MAX_PHIS`]
//! phis, one more if the translated address is accessed anywhere. Each walk comes with one over at most [`MAX_BLOCKS`]
//! dominators, for each of which the nearest accesses of the address are asked for their blocks, 32 at most. Values
//! stored with another type, or by a block operation, are not looked at. Memory SSA is computed for it, and kept for
//! the `gvn` after it ([`Analyses::keep_memory`](crate::analysis::Analyses)).
//!
//! # Source
//!
//! The phi translation of load elimination in LLVM's GVN (`PHITransAddr`), with phis placed on demand as in M. Braun
//! et al., "Simple and Efficient Construction of Static Single Assignment Form", CC 2013; gcc's predictive commoning
//! does it for loops.

mod accesses;
mod address;
mod events;
mod search;

use crate::analysis::{Preserved, SsaView, Stamps};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::passes::load_phi::events::Event;
use lir_syntax::ir::{Block, Function, Inst, InstData, Opcode, Operand, Reg};
use search::{Found, Search, Source};

#[cfg(doc)]
use crate::analysis::memory_ssa::{MAX_STEPS, MemorySsa};
#[cfg(doc)]
use search::{MAX_BLOCKS, MAX_PHIS, MAX_PREDS};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "load-phi",
    summary: "replace loads by phis of the values stored or loaded on each path",
    options: &[],
    build: |_| Pass::Ssa(Box::new(LoadPhi)),
};

struct LoadPhi;

impl SsaPass for LoadPhi {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let cfg = cx.analyses.cfg(f);
        if !cfg.rpo().iter().any(|b| cfg.preds(*b).len() > 1) {
            return Preserved::All;
        }
        let facts = cx.analyses.memory(cx.decls, f, ssa);
        let mut search = Search::new(cx.decls, (f, ssa), facts);
        let mut loads = Vec::new();
        for load in search.candidates() {
            match search.phi_for(&load) {
                Ok(Some(phi)) => loads.push((load.inst, phi)),
                Ok(None) => {}
                Err(why) => cx.remarks.missed(f, load.inst, why),
            }
        }
        let found = search.into_found();
        for &(load, phi) in &loads {
            cx.remarks.done(f, load, Event::StoredBefore(found.phis[phi].block));
        }
        let before = Stamps::of(f);
        replace(f, &found, &loads);
        // A value that was in memory, if it is an address, is the address of an object that escaped before: oracle and
        // memory SSA stay right.
        cx.analyses.keep_memory(f, before, loads.iter().map(|(load, _)| *load));
        cx.stats.add("loads replaced", loads.len() as u64);
        Preserved::cfg_if(!loads.is_empty())
    }
}

/// Step 4.
fn replace(f: &mut Function, found: &Found, loads: &[(Inst, usize)]) {
    let mut new = |load: Inst| f.inst(load).result().map(|r| f.new_reg_like(r));
    let values: Vec<Option<Reg>> = found.phis.iter().map(|p| new(p.load)).collect();
    for (phi, value) in found.phis.iter().zip(&values) {
        let Some(value) = *value else { continue };
        let operand = |s: &Source| match *s {
            Source::Value(value) => value,
            Source::Phi(number) => values[number].map_or(Operand::NONE, Operand::reg),
        };
        let entries: Vec<(Block, Operand)> = found.entries(phi).iter().map(|(b, s)| (*b, operand(s))).collect();
        let list = f.make_phi(&entries);
        let ty = f.inst(phi.load).ty;
        f.prepend_inst(phi.block, InstData::new(Opcode::Phi, ty).with_list(list).with_result(value));
    }
    for &(load, phi) in loads {
        let d = *f.inst(load);
        if let (Some(r), Some(value)) = (d.result(), values[phi]) {
            f.replace_inst(load, InstData::unary(Opcode::Copy, d.ty, Operand::reg(value)).with_result(r));
        }
    }
}
