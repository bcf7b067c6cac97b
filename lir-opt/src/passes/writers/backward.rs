//! Reads a finished function backward, and drops unneeded stores and instructions.
//!
//! One walk visits blocks and instructions from the last to the first. Two readers, one for stores and then one for all
//! instructions, decide for each instruction whether it may be removed:
//!
//! * A store is removed if the same bytes are stored again in its block, and no instruction in between may read this
//!   memory, stop the run or leave the block. So the walk collects a list of locations that will be overwritten, from
//!   which a read removes the ones that it may overlap.
//! * An instruction is removed if it has no effect and no remaining reader. Readers were visited before, except phis
//!   around a loop, whose operands are needed. Loads that the caller keeps become volatile instead.
//!
//! Source: nanojit's `StackFilter` and `DeadCodeFilter` are such readers (LIR.cpp, Assembler.cpp).

use super::WriterOptions;
use crate::analysis::alias::{MemoryEffect, memory_effect};
use crate::analysis::effects::{is_removable, may_report_location};
use crate::pass::remarks::{Common, Remarks};
use crate::passes::writers::events::Event;
use lir_syntax::ir::{Base, Decls, Effects, EntitySet, Function, Inst, Mem, Opcode, Reg, SecondaryMap};

/// The largest number of locations in the list.
const MAX_LOCATIONS: usize = 16;

/// The memory of a walk backward, kept from function to function.
#[derive(Default)]
pub(super) struct BackwardReaders {
    /// The number of reads of a register by remaining instructions.
    reads: SecondaryMap<Reg, u32>,
    /// The later stores that overwrite memory, the nearest one last.
    overwritten: Vec<Inst>,
}

/// The numbers of instructions that the walk removed.
#[derive(Copy, Clone, Default)]
pub(super) struct Dropped {
    pub stores: u64,
    pub instructions: u64,
}

impl BackwardReaders {
    /// Walks over the function.
    pub fn read(
        &mut self,
        decls: &Decls,
        f: &mut Function,
        readers: WriterOptions,
        kept: &EntitySet<Inst>,
        remarks: &mut Remarks,
    ) -> Dropped {
        let (stores, code) = (readers.dead_stores, readers.dead_code);
        let mut dropped = Dropped::default();
        self.reads.reset(f.num_regs());
        for i in f.layout().all_insts() {
            f.for_each_use(i, |r| self.reads[r] += 1);
        }
        let mut block = f.layout().last_block();
        while let Some(b) = block {
            block = f.layout().prev_block(b);
            self.overwritten.clear();
            let mut next = f.layout().last_inst(b);
            while let Some(i) = next {
                next = f.layout().prev_inst(i);
                if let Some(by) = self.overwriting(decls, f, i).filter(|_| stores) {
                    // If the address is unmapped, the later store faults instead.
                    if may_report_location(decls, f, i) {
                        f.set_loc(by, f.debug_loc(i));
                    }
                    remarks.done(f, i, Event::StoredAgain);
                    self.remove(f, i);
                    dropped.stores += 1;
                } else if code && self.is_dead(decls, f, i) {
                    if kept.contains(i) && f.inst(i).op == Opcode::Load {
                        f.replace_inst(i, f.inst(i).with_volatile(true));
                        self.pass(decls, f, i);
                        continue;
                    }
                    remarks.done(f, i, Common::ResultNotUsed);
                    self.remove(f, i);
                    dropped.instructions += 1;
                } else if stores {
                    self.pass(decls, f, i);
                }
            }
        }
        dropped
    }
    fn remove(&mut self, f: &mut Function, i: Inst) {
        f.for_each_use(i, |r| self.reads[r] -= 1);
        f.remove_inst(i);
    }
    fn is_dead(&self, decls: &Decls, f: &Function, i: Inst) -> bool {
        let has_result = f.inst(i).op.has_result();
        has_result && f.def(i).is_none_or(|r| self.reads[r] == 0) && is_removable(decls, f, i)
    }
    /// Returns the store that writes all bytes of this one again, if none in between observes the stored value.
    fn overwriting(&self, decls: &Decls, f: &Function, i: Inst) -> Option<Inst> {
        let d = f.inst(i);
        if d.op != Opcode::Store || d.is_volatile() {
            return None;
        }
        let (mem, ty) = (f.mem(i), d.ty);
        if may_report_location(decls, f, i) {
            // It must be the very next write, since it faults in place of this one.
            return self.overwritten.last().copied().filter(|w| f.mem(*w) == mem && f.inst(*w).ty == ty);
        }
        self.overwritten.iter().copied().find(|w| f.mem(*w) == mem && f.inst(*w).ty.bytes() >= ty.bytes())
    }
    /// Records the effect of a remaining instruction on the locations.
    fn pass(&mut self, decls: &Decls, f: &Function, i: Inst) {
        let d = f.inst(i);
        let may_end = may_report_location(decls, f, i) || d.op.effects().has(Effects::TERMINATOR);
        // A fault makes all stores before it visible, and so may a volatile access.
        if may_end || d.is_volatile() || memory_effect(decls, f, i) == MemoryEffect::Writes && d.op != Opcode::Store {
            self.overwritten.clear();
        } else if d.op == Opcode::Load {
            let (read, size) = (f.mem(i), d.ty.bytes());
            self.overwritten.retain(|w| are_apart(&f.mem(*w), f.inst(*w).ty.bytes(), &read, size));
        } else if memory_effect(decls, f, i) == MemoryEffect::Reads {
            self.overwritten.clear();
        }
        if d.op == Opcode::Store && !d.is_volatile() && self.overwritten.len() < MAX_LOCATIONS {
            self.overwritten.push(i);
        }
        // Above a definition of its base or index, the same operand is another address.
        if let Some(r) = f.def(i) {
            self.overwritten.retain(|w| !reads_any_of(&f.mem(*w), r));
        }
    }
}

fn reads_any_of(mem: &Mem, r: Reg) -> bool {
    mem.base == Base::Reg(r) || mem.index == Some(r)
}

/// True if accesses of these numbers of bytes have no byte in common.
fn are_apart(a: &Mem, a_size: u32, b: &Mem, b_size: u32) -> bool {
    let (from, to) = (i64::from(a.disp), i64::from(b.disp));
    match (a.base, b.base) {
        (Base::Obj(x), Base::Obj(y)) if x != y => true,
        (Base::Obj(_), Base::Sym(_)) | (Base::Sym(_), Base::Obj(_)) => true,
        (x, y) if x == y && a.index == b.index && (a.index.is_none() || a.scale == b.scale) => {
            from + i64::from(a_size) <= to || to + i64::from(b_size) <= from
        }
        _ => false,
    }
}
