//! Copy propagation (`copy-prop`).
//!
//! Reads the source of a copy in place of the copy.
//!
//! # Example
//!
//! ```text
//!   %b = copy i32 %a                             %b = copy i32 %a
//!   %c = copy i32 %b                             %c = copy i32 %a
//!   %d = add i32 %b, %c                   =>     %d = add i32 %a, %a
//! ```
//!
//! The copies themselves are removed by `dce`.
//!
//! # Algorithm
//!
//! 1. Where source and destination of a copy have one assignment each, the destination is replaced by the source
//!    everywhere. Chains are followed to their end, with path halving.
//! 2. Other copies hold within their block, until either register is assigned again: registers carry a version, the
//!    number of their assignments seen so far, and a copy remembers the version of its source.
//! 3. Every read is replaced by its source.
//!
//! # Why it is sound
//!
//! (1) Let `d = copy s` be the only assignment of d, and s have one assignment too. The copy dominates every read of d,
//! the assignment of s dominates the copy. Were s assigned again on a path from the copy to a read of d that does not
//! pass the copy, then a path from the entry to that assignment and on to the read would avoid the copy. So at every
//! read of d, s holds the copied value. In unreachable blocks two copies may copy each other: no such cycle is closed.
//! A phi reads at the end of the predecessor, which the copy dominates if it dominates the read. (2) is straight-line
//! code.
//!
//! # Cost and limits
//!
//! Almost linear. In functions that are not in SSA form, a copy of a register with several assignments is not followed
//! into other blocks nor into phis.
//!
//! # Source
//!
//! Folklore; A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers", 2nd ed. 2006, section 9.1.5. Versions are from
//! local value numbering, J. Cocke, J. T. Schwartz, "Programming Languages and Their Compilers", 1970.

use crate::analysis::Preserved;
use crate::analysis::assignments::{Assignments, Ends};
use crate::pass::remarks::events;
use crate::pass::remarks::{At, Remarks};
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use lir_syntax::ir::{Block, Function, Inst, Opcode, Operand, PackedOption, Reg, SecondaryMap};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "copy-prop",
    summary: "replace reads of a copy by reads of its source",
    options: &[],
    build: |_| Pass::Function(Box::new(CopyProp)),
};

struct CopyProp;

impl FunctionPass for CopyProp {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<CopyScratch>();
        scratch.reset(f);
        scratch.link_copies(f, cx.remarks);
        let replaced = if scratch.copies == 0 { 0 } else { scratch.replace_reads(f, cx.remarks) };
        cx.scratch.give_back(scratch);
        cx.stats.add("reads replaced", replaced);
        Preserved::cfg_if(replaced != 0)
    }
}

#[derive(Default)]
struct CopyScratch {
    assignments: Assignments,
    /// The source of a register with one assignment, everywhere (step 1).
    source: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The source of a register at this point of this block (step 2).
    local: SecondaryMap<Reg, Option<LocalCopy>>,
    /// Number of times a register was assigned so far, in the blocks that were visited. Grows when it is written only.
    version: SecondaryMap<Reg, u32>,
    /// The number of the block that is visited.
    visit: u32,
    copies: usize,
}

/// `d = copy source`, valid in this visit and while `source` has this version.
#[derive(Copy, Clone)]
struct LocalCopy {
    source: Reg,
    version: u32,
    visit: u32,
}

impl CopyScratch {
    fn reset(&mut self, f: &Function) {
        self.assignments.count(f);
        self.source.reset(f.num_regs());
        self.local.reset(0);
        self.version.reset(0);
        self.visit = 0;
        self.copies = 0;
    }

    /// Step 1.
    fn link_copies(&mut self, f: &Function, remarks: &mut Remarks) {
        let ends = remarks.on().then(|| Ends::of(f));
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                let Some((d, s)) = copy(f, i) else { continue };
                self.copies += 1;
                if let Some(r) = [s, d].into_iter().find(|r| !self.assignments.is_single(*r)) {
                    let other = ends.as_ref().and_then(|ends| ends.other(r, i));
                    remarks.missed(f, i, Event::HoldsInItsBlock(r, other.map(At)));
                    continue;
                }
                let s = self.root(s);
                if s != d {
                    self.source[d] = s.into();
                }
            }
        }
    }
    /// Returns the operand that equals a register everywhere.
    fn root(&mut self, mut r: Reg) -> Reg {
        while let Some(s) = self.source[r].expand() {
            let Some(up) = self.source[s].expand() else { return s };
            self.source[r] = up.into();
            r = up;
        }
        r
    }

    /// Step 3, with step 2 on the way. Returns the number of reads that were replaced.
    fn replace_reads(&mut self, f: &mut Function, remarks: &mut Remarks) -> u64 {
        let mut replaced = 0;
        let mut block = f.layout().entry();
        while let Some(b) = block {
            block = f.layout().next_block(b);
            replaced += self.visit_block(f, b, remarks);
        }
        replaced
    }
    fn visit_block(&mut self, f: &mut Function, b: Block, remarks: &mut Remarks) -> u64 {
        self.visit += 1;
        let mut replaced = 0;
        let mut at = f.layout().first_inst(b);
        while let Some(i) = at {
            at = f.layout().next_inst(i);
            let is_phi = f.inst(i).op == Opcode::Phi;
            let mut differs = false;
            f.for_each_use(i, |r| {
                let source = self.replacement(r, is_phi);
                if source != r {
                    differs = true;
                    remarks.done_of(f, i, (r, None), Event::LookedThrough(source));
                }
            });
            if differs {
                f.rewrite_uses(i, |u| {
                    let r = self.replacement(u.reg, is_phi);
                    replaced += u64::from(r != u.reg);
                    Operand::reg(r)
                });
            }
            self.note_assignment(f, i);
        }
        replaced
    }
    /// Returns the operand to read in place of `r` here. Phis read elsewhere: for them only step 1 counts.
    fn replacement(&mut self, r: Reg, in_phi: bool) -> Reg {
        let r = self.root(r);
        match self.local[r] {
            Some(c) if !in_phi && c.visit == self.visit && c.version == self.version[c.source] => c.source,
            _ => r,
        }
    }
    /// Step 2.
    fn note_assignment(&mut self, f: &Function, i: Inst) {
        let Some(d) = f.def(i) else { return };
        if !self.assignments.is_single(d) {
            self.version[d] += 1;
            if self.local[d].is_some() {
                self.local[d] = None;
            }
        }
        // The source was replaced just before: it has no other source.
        if let Some((d, source)) = copy(f, i)
            && d != source
            && self.root(d) == d
        {
            self.local[d] = Some(LocalCopy { source, version: self.version[source], visit: self.visit });
        }
    }
}

/// Destination and source of a copy.
fn copy(f: &Function, i: Inst) -> Option<(Reg, Reg)> {
    let d = f.inst(i);
    if d.op == Opcode::Copy { d.result().zip(d.first().as_reg()) } else { None }
}

events! {
    enum Event {
        LookedThrough(source: Reg): "looked-through", "is a copy of {source}, which is read in its place";
        HoldsInItsBlock(r: Reg, at: Option<At>): "assigned-again",
            "holds in its block at most: {r} is assigned elsewhere{at}";
    }
}
