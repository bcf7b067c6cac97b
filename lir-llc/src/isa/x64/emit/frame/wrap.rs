//! Shrink-wrapping: the frame is made where it is needed, so that paths through the function that do not need one do
//! not make it.
//!
//! ```text
//! f: push rbx                          f: test rdi, rdi
//!    mov rbx, rdi                         je none
//!    test rbx, rbx         ->             push rbx
//!    je none                              mov rbx, rdi
//!    ...                                  ...
//!    pop rbx                              pop rbx
//!    ret                                  ret
//! none: xor eax, eax                   none: xor eax, eax
//!    pop rbx                              ret
//!    ret
//! ```
//!
//! A block needs the frame if it calls, if it has an operand in a register that is saved or in a spill slot, or if it
//! finds something from rsp. [`Framed`] then decides where prologues are and which blocks are inside of the frame;
//! epilogues are before returns and before jumps outside. [`split`](crate::mir_passes::split) keeps values out of the
//! registers to be saved on other paths.
//!
//! # Cost and limits
//!
//! A function whose first block needs the frame costs a look at that block; others cost a look at all operands, and
//! dominators. A frame that is found by rbp stays at the entry, where debuggers and profilers look for it, and so do
//! the registers of a variadic function, and a frame so large that its prologue takes a register to go through it.

use crate::isa::x64::emit::frame::Frame;
use crate::isa::x64::registers::{CALLEE_SAVED, RSP};
use crate::mir::{MBlock, MFunction, PRegSet};
use crate::mir_passes::framed::Framed;
use crate::regalloc::{Allocation, Edit, Loc};

/// The registers that need the frame in a block with an operand in them.
const SAVED: PRegSet = CALLEE_SAVED.with(RSP);

/// The blocks in which a function has its frame.
#[derive(Default, Debug)]
pub(in crate::isa::x64::emit) struct Wrap {
    /// True if it is made after the entry.
    late: bool,
    framed: Framed,
}

impl Wrap {
    /// Chooses where the frame that is laid out is made: at the entry unless `shrink`.
    pub(in crate::isa::x64::emit) fn place(&mut self, f: &MFunction, a: &Allocation, frame: &Frame, shrink: bool) {
        let may_wait = shrink && f.blocks.len() > 1 && frame.may_wait() && !f.reg_save;
        let mut edits = &a.edits[..];
        let needs = |b: MBlock| {
            let data = &f.blocks[b.index()];
            let here = edits.iter().take_while(|(at, _)| *at < 2 * data.end).count();
            let (now, later) = edits.split_at(here);
            edits = later;
            let range = data.start as usize..data.end as usize;
            a.locs[range.clone()].iter().flatten().any(|l| is_saved(*l))
                || f.insts[range].iter().any(|i| f.needs_frame(i))
                || now.iter().any(|(_, e)| edit_needs(f, e))
        };
        self.late = may_wait && self.framed.gather(f, needs) && self.framed.find(f);
    }
    /// True if it is made after the entry.
    pub(in crate::isa::x64::emit) fn is_late(&self) -> bool {
        self.late
    }
    /// True if it is made at the top of block `b`, not at the entry.
    #[inline]
    pub(in crate::isa::x64::emit) fn is_made_in(&self, b: MBlock) -> bool {
        self.late && self.framed.is_save(b)
    }
    /// True if the frame exists in a block.
    #[inline]
    pub(in crate::isa::x64::emit) fn is_inside(&self, b: MBlock) -> bool {
        !self.late || self.framed.part(b).is_some()
    }
    /// True if a block ends in a jump out of it.
    #[inline]
    pub(in crate::isa::x64::emit) fn leaves(&self, f: &MFunction, b: MBlock) -> bool {
        self.late && self.framed.leaves(f, b)
    }
}

#[inline]
fn is_saved(loc: Loc) -> bool {
    match loc.as_reg() {
        Some(r) => SAVED.contains(r),
        None => loc != Loc::NONE,
    }
}

fn edit_needs(f: &MFunction, e: &Edit) -> bool {
    match *e {
        Edit::Move { from, to, .. } => is_saved(from) || is_saved(to),
        Edit::Exchange(a, b) => SAVED.contains(a) || SAVED.contains(b),
        Edit::Remat(n, to) => SAVED.contains(to) || f.needs_frame(&f.remats[n as usize]),
    }
}
