//! Steps 1 to 3: finds the facts about each loop before anything is moved.

use super::{MAX_LEVELS, MAX_WRITES};
use crate::analysis::LoopFacts;
use crate::analysis::alias::{Location, MemoryEffect, memory_effect};
use crate::analysis::execution_end::may_end_execution;
use crate::analysis::loops::preheader;
use lir_syntax::ir::{Block, Decls, Function, Inst, PackedOption, SecondaryMap};

/// The loops of a function.
#[derive(Default)]
pub(super) struct Loops {
    /// The loops, by header.
    loops: SecondaryMap<Block, Loop>,
    /// Lists of instructions that write memory.
    writes: Vec<Write>,
    /// The part of a block that is executed whenever its innermost loop is entered. Before it nothing is seen from
    /// outside.
    certain: SecondaryMap<Block, Certain>,
}

#[derive(Copy, Clone, Default)]
struct Loop {
    preheader: PackedOption<Block>,
    /// Index + 1 of its last write, including the writes of inner loops; 0 for none.
    last_write: u32,
    /// Number of writes. Above [`MAX_WRITES`] the list is not complete.
    num_writes: usize,
}

#[derive(Copy, Clone)]
struct Write {
    inst: Inst,
    /// The write before it, as in `last_write`.
    before: u32,
}

/// The part of a block that is executed for certain.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub(super) enum Certain {
    /// Nothing is known.
    #[default]
    Nothing,
    /// This instruction and all before it.
    Until(Inst),
    /// All of it.
    Whole,
}

impl Loops {
    /// Finds all facts anew. Returns whether any loop has a preheader.
    pub(super) fn find(&mut self, decls: &Decls, f: &Function, facts: &LoopFacts<'_>) -> bool {
        self.loops.reset(f.num_blocks());
        self.certain.reset(f.num_blocks());
        self.writes.clear();
        let mut any = false;
        for &header in facts.nest.headers() {
            let preheader = preheader(f, facts.cfg, facts.dominators, header).into();
            self.loops[header].preheader = preheader;
            any |= preheader.is_some();
        }
        if any {
            self.find_writes(decls, f, facts);
            self.find_certain(decls, f, facts);
        }
        any
    }
    /// Step 2, from the inside out.
    fn find_writes(&mut self, decls: &Decls, f: &Function, facts: &LoopFacts<'_>) {
        for &header in facts.nest.headers().iter().rev() {
            for &b in facts.nest.own_blocks(header) {
                for i in f.layout().insts(b) {
                    if memory_effect(decls, f, i) == MemoryEffect::Writes {
                        self.add_write(header, i);
                    }
                }
            }
            let Some(parent) = facts.forest.parent(header) else { continue };
            let Loop { mut last_write, num_writes, .. } = self.loops[header];
            if num_writes > MAX_WRITES {
                self.loops[parent].num_writes = num_writes;
            }
            while last_write != 0 {
                let Write { inst, before } = self.writes[last_write as usize - 1];
                self.add_write(parent, inst);
                last_write = before;
            }
        }
    }
    fn add_write(&mut self, header: Block, inst: Inst) {
        let l = &mut self.loops[header];
        l.num_writes += 1;
        if l.num_writes <= MAX_WRITES {
            self.writes.push(Write { inst, before: l.last_write });
            l.last_write = self.writes.len() as u32;
        }
    }
    /// Step 3: from each header along the blocks that have one successor.
    fn find_certain(&mut self, decls: &Decls, f: &Function, facts: &LoopFacts<'_>) {
        for &header in facts.nest.headers() {
            let mut b = header;
            loop {
                if let Some(i) = f.layout().insts(b).find(|i| may_end_execution(decls, f, *i)) {
                    self.certain[b] = Certain::Until(i);
                    break;
                }
                self.certain[b] = Certain::Whole;
                let &[next] = f.succs(b) else { break };
                if facts.forest.innermost(next) != Some(header) || self.certain[next] != Certain::Nothing {
                    break;
                }
                b = next;
            }
        }
    }

    /// Returns the block before the loop on every edge into it, which leads nowhere else.
    pub(super) fn preheader(&self, header: Block) -> Option<Block> {
        self.loops[header].preheader.expand()
    }
    pub(super) fn certain(&self, b: Block) -> Certain {
        self.certain[b]
    }
    /// Returns an instruction of a loop that may write to this location in any iteration: the first found. The
    /// location's registers are the same in all. `Err(None)` if there are too many to examine.
    pub(super) fn find_clobber(
        &self,
        decls: &Decls,
        f: &Function,
        facts: &LoopFacts<'_>,
        header: Block,
        location: &Location,
        is_fixed: impl Fn(lir_syntax::ir::Reg) -> bool,
    ) -> Result<(), Option<Inst>> {
        let l = &self.loops[header];
        if facts.alias.is_never_written(decls, location) {
            return Ok(());
        }
        if l.num_writes > MAX_WRITES {
            return Err(None);
        }
        let mut at = l.last_write;
        while at != 0 {
            let Write { inst, before } = self.writes[at as usize - 1];
            if facts.alias.clobbers_in_any_iteration(decls, f, inst, location, &is_fixed) {
                return Err(Some(inst));
            }
            at = before;
        }
        Ok(())
    }
    /// Returns the header of the loop in which a value varies, as seen from block `b`. That is the innermost loop that
    /// contains `b` and is `home` or contains it; `home` is the loop in which the value varies at its definition. Fails
    /// if that loop is more than `MAX_LEVELS` levels out.
    pub(super) fn common_loop(
        &self,
        facts: &LoopFacts<'_>,
        home: Option<Block>,
        b: Block,
    ) -> Result<Option<Block>, ()> {
        let mut at = home;
        for _ in 0..MAX_LEVELS {
            match at {
                Some(h) if !facts.nest.contains(h, b) => at = facts.forest.parent(h),
                _ => return Ok(at),
            }
        }
        Err(())
    }
}
