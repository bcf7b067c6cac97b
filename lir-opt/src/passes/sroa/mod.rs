//! Scalar replacement of aggregates (`sroa`).
//!
//! Splits stack objects into the parts that are accessed separately, and replaces these by registers and phis.
//!
//! # Example
//!
//! ```text
//! func @f(%p: i64, %x: i32) -> i32 {           func @f(%p: i64, %x: i32) -> i32 {
//!   stack $s: 12 align 4
//! entry:                                       entry:
//!   memcpy [$s], [%p], 12                        %.1 = load i32 [%p]
//!   store i32 [$s + 4], %x                       %.2 = load i32 [%p + 4]
//!   %a = load i32 [$s]                    =>     %.3 = load i32 [%p + 8]
//!   %b = load i32 [$s + 4]
//!   %c = add i32 %a, %b                          %c = add i32 %.1, %x
//!   ret %c                                       ret %c
//! ```
//!
//! # Algorithm
//!
//! 1. Find the registers that hold a constant address in a stack object ([`crate::analysis::stack_addresses`]).
//! 2. Remove copies and fills of no bytes. List the *slices* of the others: which instruction accesses which bytes of
//!    which object ([`slices`]). An object whose address is used otherwise (stored, compared, put in a phi, passed on,
//!    indexed by a register) stays as it is.
//! 3. Give every byte of a load, store or copy of at most [`MAX_COPY_BYTES`] a node ([`parts`]).
//! 4. Bytes that are accessed at once are joined; bytes that a copy moves are of one class, and bytes joined at one end
//!    are joined at the other ([`classes`]): so both ends of a copy are cut alike. Bytes that are copied, and never
//!    loaded nor stored, are joined to words.
//! 5. Cut: the longest runs of joined bytes are the *parts*. A part fits a register if it has 1, 2, 4 or 8 bytes and
//!    each access is of a power of two of them; bytes of volatile accesses, of large copies and of a `memmove` within
//!    one object do not.
//! 6. Choose: a part that fits becomes a register where that saves more accesses of memory (a load, a store, both ends
//!    of a copy), counted over the class, than it costs at calls and returns, which need their aggregates in memory.
//!    Its type is a float if the class is accessed as one and never in pieces, else an integer.
//! 7. Each chosen part gets a stack object of its own, and each access of it becomes an access of that object as a
//!    whole ([`rewrite`]): a piece is shifted and truncated out of it, or masked and shifted into it; a copy becomes
//!    one of each part, and shorter copies of the bytes between them; a fill a constant. Parts of an aggregate that is
//!    passed or returned are stored to their old location before, the parts of a returned one are loaded after; the
//!    parts of a parameter are loaded at the entry.
//! 8. The core of [`mem2reg`](super::mem2reg) replaces the new objects, the objects that were variables from the start,
//!    and the old ones without accesses, by registers.
//! 9. Remaining copies and fills of 1, 2, 4 or 8 bytes become loads and stores ([`scalars`]).
//!
//! # Why it is sound
//!
//! An object that is split is accessed by the slices alone (nothing generic reaches an object that has not escaped),
//! and the parts cover the bytes of all slices except fills and aggregates, disjointly. So the bytes of a part are read
//! and written by accesses that are rewritten, save for calls, returns and parameters, around which they are in the old
//! object. The ends of a copy that is split are the same, or disjoint, so that its parts may be copied in any order;
//! the same ones need no copy. Bytes never written yield some bytes: `mem2reg` takes 0, and the bytes of the old object
//! are as good. Stores are to objects of this function only, which are not visible to others. A function that calls one
//! which `returns_twice` is left alone, as by `mem2reg`.
//!
//! # Cost and limits
//!
//! Almost linear (union-find), with a logarithm for the order of slices in an object and for finding the parts of a
//! slice; the code grows by a constant for each load and store that is saved. An object that is indexed by a register
//! anywhere stays whole, for an access may be to any of its bytes; so do objects with a `va_list`. Parts that do not
//! become registers stay where they are, in the old object, which does not shrink. Longer copies that stay need no
//! expansion: selection makes moves from them.
//!
//! # Source
//!
//! The name is from S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997, section 12.2; partitions of
//! slices, and pieces of integers, from C. Carruth's `SROA` of LLVM (2012). Departure: LLVM splits one alloca after
//! another, and meets the pieces of a copy when it comes to the other end; here classes cut all objects at once.

mod classes;
mod events;
mod parts;
mod rewrite;
mod scalars;
mod slices;

use super::mem2reg::promote;
use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::pass::remarks::Bytes;
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::passes::sroa::events::Event;
use lir_syntax::ir::{Function, Obj, StackData};
use parts::PartMap;
use rewrite::{Rewriter, RewritingScratch};
use slices::{Kind, Slices};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "sroa",
    summary: "split stack objects into parts, and promote the parts to registers and phis",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Sroa)),
};

/// Copies of more bytes are not split into their parts: as many registers as this is words are all there are.
const MAX_COPY_BYTES: u64 = 64;

struct Sroa;

#[derive(Default)]
struct ObjectSplittingScratch {
    slices: Slices,
    parts: PartMap,
    scratch: RewritingScratch,
}

impl SsaPass for Sroa {
    fn run(&self, f: &mut Function, _: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut changed = f.stack_objects().next().is_some() && Sroa::split_objects(f, cx);
        let moves = scalars::expand(f, cx.remarks);
        cx.stats.add("copies and fills made loads and stores", moves);
        changed |= moves != 0;
        Preserved::cfg_if(changed)
    }
}

impl Sroa {
    /// Steps 1 to 8.
    fn split_objects(f: &mut Function, cx: &mut PassContext<'_>) -> bool {
        let mut scratch = cx.scratch.take::<ObjectSplittingScratch>();
        let may_promote = scratch.slices.collect(cx.decls, f, cx.analyses.cfg(f), cx.remarks);
        let mut changed = false;
        if may_promote {
            let split = scratch.split(f, cx);
            changed = split | !scratch.slices.empty.is_empty();
            scratch.slices.empty.iter().for_each(|i| f.remove_inst(*i));
            // The accesses added for the parts name them directly, and make no addresses.
            changed |= promote(f, cx, &mut scratch.slices.addresses, false);
        }
        cx.scratch.give_back(scratch);
        changed
    }
}

impl ObjectSplittingScratch {
    /// Steps 3 to 7. Returns whether there was anything to split.
    fn split(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> bool {
        if !self.slices.has_candidates() {
            return false;
        }
        self.parts.find(f, &self.slices);
        let made = self.choose(f, cx);
        if made != 0 {
            let ObjectSplittingScratch { slices, parts, scratch } = self;
            Rewriter { f, slices, parts, scratch }.run();
            cx.stats.add("parts made registers", made);
        }
        made != 0
    }
    /// Step 6 and the beginning of step 7: makes the variables. Returns their number.
    fn choose(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> u64 {
        let mut made = 0;
        let objects: Vec<Obj> = f.stack_objects().map(|(o, _)| o).collect();
        for o in objects {
            for k in self.parts.all_of(o) {
                let Ok(ty) = self.parts.register(k) else { continue };
                let name = f.name_after(f.stack[o].name);
                let variable = f.stack.push(StackData::new(name, ty.bytes().into(), 8));
                self.parts.set_variable(k, ty, variable);
                made += 1;
            }
        }
        self.report(f, cx);
        made
    }
    /// Reports the fate of the part for every access.
    fn report(&mut self, f: &Function, cx: &mut PassContext<'_>) {
        if !cx.remarks.on() {
            return;
        }
        let ObjectSplittingScratch { slices, parts, .. } = self;
        for s in slices.slices.iter().filter(|s| slices.is_candidate(s.obj)) {
            let range = parts.overlapping(s.obj, s.start, s.end);
            if s.kind == Kind::Pin && range.is_empty() {
                let bytes = Bytes(s.obj, s.start, s.end);
                cx.remarks.missed(f, s.inst, Event::PartStays(bytes, &Event::Pinned));
            }
            for k in range {
                let bytes = Bytes(s.obj, parts.get(k).start, parts.get(k).end);
                match parts.register(k) {
                    Ok(ty) => cx.remarks.done(f, s.inst, Event::PartSplit(bytes, ty)),
                    Err(why) => cx.remarks.missed(f, s.inst, Event::PartStays(bytes, &why)),
                }
            }
        }
    }
}
