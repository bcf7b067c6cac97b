//! Dead and redundant stores (`dse`).
//!
//! Removes stores of values that are not read, and stores of values that the memory has already.
//!
//! # Example
//!
//! ```text
//!   stack $t: 8
//! entry:                                       entry:
//!   store i32 [@x], 1                            ; overwritten below, on both paths
//!   %v = load i32 [@y]                           %v = load i32 [@y]
//!   store i32 [@y], %v                    =>     ; @y has this value
//!   br %c, left, right                           br %c, left, right
//! left:                                        left:
//!   store i32 [@x], 2                            store i32 [@x], 2
//!   ret                                          ret
//! right:                                       right:
//!   store i32 [@x], 3                            store i32 [@x], 3
//!   store i32 [$t], 4                            ; $t dies unread
//!   ret                                          ret
//! ```
//!
//! # Algorithm
//!
//! 1. *Redundant*: the clobber walk of memory SSA, across phis, finds the version of memory that has the contents of a
//!    store's location. The store is removed if that version was made by a store that wrote the same there, or if the
//!    value stored was loaded from there at the same version. So is a block operation that changes nothing. A `memmove`
//!    between ranges that are known not to overlap becomes a `memcpy`, whose order is free. See `redundant`.
//! 2. *Overwritten*: blocks are walked backwards, successors first, with a list of locations that are written below, on
//!    every path, before they are observed. A store is removed if these cover it, one or several together. See
//!    `overwritten`.
//! 3. *Unread*: from a store to a stack object or alloca that did not escape, the users of its version are followed,
//!    across phis. If nothing reads the location before it is written again or the function ends, the store is removed.
//!    See `unread`.
//!
//! # Why it is sound
//!
//! [`View`] determines the observers of memory. The memory visible from outside the function (all except stack objects
//! and allocas that did not escape) is observed by every instruction that may not come back: one that may trap, a call
//! that may, and every loop that may be endless; so step 2 follows back edges only in counted loops that end. A removed
//! store would have trapped where it had no memory. If its location is in an object that can be written, it would not.
//! Otherwise step 2 requires stores to all parts of this location, in the same block, to trap instead, with no other
//! visible write between, and with the position in the source of the removed store; and step 1 requires a store that
//! did not trap. `volatile` stores are neither removed nor overwrite others. In both a store which made another one
//! dead or redundant may be removed too: then a third one overwrites, or wrote, the same.
//!
//! # Cost and limits
//!
//! Linear. Walks are clamped: step 1 at [`MAX_STEPS`](crate::analysis::memory_ssa::MAX_STEPS) definitions, step 2 keeps
//! a limited number of locations in a block and fewer across blocks, and looks at small loops only, step 3 follows a
//! limited number of users. Step 2 keeps a store where a call, a loop that may be endless, or an access through an
//! unknown address is between, even if that does not touch its location: the store would be observed if the program
//! ended there. Writes of calls to aggregates count in step 3 only.
//!
//! # Source
//!
//! LLVM's `DeadStoreElimination` over MemorySSA (F. Hahn), whose walk from the later store to the earlier one is step 3
//! reversed; step 2 is the backward walk that it had before, over several blocks. The rule that traps and endless loops
//! observe memory is LIR's.

mod events;
mod kept_stores;
mod overwritten;
mod redundant;
mod unread;

use crate::analysis::Preserved;
use crate::analysis::alias::Location;
use crate::analysis::effects::{callee_attrs, may_trap};
use crate::analysis::{MemoryFacts, SsaView};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{Block, Decls, Effects, Format, Function, Inst};
use overwritten::Overwritten;
use unread::Unread;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "dse",
    summary: "remove stores that are never read, and stores of the value that memory already holds",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Dse)),
};

struct Dse;

impl SsaPass for Dse {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        if !f.layout().all_insts().any(|i| is_plain_write(f, i)) {
            return Preserved::All;
        }
        let (mut overwritten, mut unread) = (cx.scratch.take::<Overwritten>(), cx.scratch.take::<Unread>());
        let view = View { decls: cx.decls, facts: cx.analyses.memory(cx.decls, f, ssa) };
        let (redundant, apart) = redundant::remove(f, ssa, &view, cx.remarks);
        let dead = overwritten.remove(f, &view, cx.remarks) + unread.remove(f, &view, cx.remarks);
        if cx.remarks.on() {
            kept_stores::report_kept_stores(f, &view, cx.remarks);
        }
        cx.scratch.give_back(overwritten);
        cx.scratch.give_back(unread);
        cx.stats.add("redundant stores removed", redundant);
        cx.stats.add("dead stores removed", dead);
        cx.stats.add("memmoves that copy", apart);
        Preserved::cfg_if(redundant + dead + apart != 0)
    }
}

/// True if this is a store or a block operation that is not volatile, which this pass may remove.
#[inline]
fn is_plain_write(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    matches!(d.op.format(), Format::Store | Format::MemFill | Format::MemCopy) && !d.is_volatile()
}

/// The facts about memory in the function as it was when the pass began.
struct View<'a> {
    decls: &'a Decls,
    facts: MemoryFacts<'a>,
}

impl View<'_> {
    fn location(&self, f: &Function, i: Inst) -> Location {
        self.facts.alias.location(f, i).expect("a store has a location")
    }
    /// True if an edge leads to a block that is not further on.
    fn goes_back(&self, from: Block, to: Block) -> bool {
        self.facts.cfg.rpo_index(to) <= self.facts.cfg.rpo_index(from)
    }
    fn is_writable(&self, location: &Location) -> bool {
        self.facts.alias.is_writable(self.decls, location)
    }
    /// True if reading the source of a copy cannot trap. Always true for other instructions: they read nothing.
    fn copies_safely(&self, f: &Function, i: Inst) -> bool {
        let d = f.inst(i);
        d.op.format() != Format::MemCopy || self.facts.alias.location_of(f.mem_src(i), None).root.is_there()
    }
    /// True if this instruction may let others observe visible memory: it may trap, or not come back, or is volatile.
    /// True if nothing to the contrary is known.
    fn lets_others_look(&self, f: &Function, i: Inst) -> bool {
        let d = f.inst(i);
        if d.op.effects().is_pure() {
            return false;
        }
        match d.op.format() {
            Format::Load => {
                let plain = !d.is_volatile() && !d.op.effects().has(Effects::OTHER);
                !plain || !self.location(f, i).root.is_there()
            }
            Format::Store | Format::MemFill | Format::MemCopy => {
                d.is_volatile() || !self.is_writable(&self.location(f, i)) || !self.copies_safely(f, i)
            }
            Format::Call => {
                let mut aggregates = false;
                f.for_each_mem(i, |_| aggregates = true);
                aggregates || !callee_attrs(self.decls, f, i).is_quiet()
            }
            Format::Phi | Format::Nullary | Format::Consume | Format::Jump | Format::Branch | Format::Switch => false,
            Format::Binary => may_trap(f, i),
            _ => true,
        }
    }
}
