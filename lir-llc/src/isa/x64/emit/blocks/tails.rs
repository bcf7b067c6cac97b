//! Copies short ends of functions and of loops in place of jumps to them.
//!
//! * A jump to a block that does little but return becomes that block.
//! * A jump to a block in a loop that jumps on through a table becomes that block, and so does one to a block that
//!   leads there after a few instructions or a test: the interpreter of a byte code then has a jump for every
//!   instruction that it interprets, and the processor predicts each of them separately.
//!
//! Instructions are copied with their registers. Everything that holds at the start of the block holds at the end of
//! all its predecessors, since the edits of edges are before their jumps or in blocks of their own.
//!
//! # Cost and limits
//!
//! As many instructions are copied as the function has, and [`LEAST`] at least.
//!
//! # Source
//!
//! GCC's `duplicate_computed_gotos` (bb-reorder.cc) and LLVM's tail duplication; M. A. Ertl and D. Gregg, "The
//! Structure and Performance of Efficient Interpreters", Journal of Instruction-Level Parallelism 5, 2003, section 4.

use crate::isa::x64::emit::Emitter;
use crate::isa::x64::{op, props};
use crate::mir::{MBlock, Props};

/// The most bytes, roughly, of a copied return.
const RETURN_BYTES: usize = 12;
/// Limit on the instructions and edits before a copied jump through a table. `BEFORE` is the limit for a block before
/// it.
const DISPATCH: usize = 20;
const BEFORE: usize = 8;
/// Limit on the blocks that are copied one after another.
const BLOCKS: u32 = 3;
/// Number of instructions that may be copied in any function.
const LEAST: usize = 100;

impl Emitter<'_> {
    /// Writes a copy of `target` at the end of the emitted block `host`. It does so if that is better than a jump
    /// there, and returns true then.
    pub(in crate::isa::x64::emit) fn copy_end(&mut self, target: MBlock, host: MBlock) -> bool {
        if self.f.blocks[host.index()].cold || !self.is_copied(target) {
            return false;
        }
        let data = &self.f.blocks[target.index()];
        self.copied += (data.end - data.start) as usize;
        self.copies += 1;
        self.flags = self.flags_of(target);
        let edit = self.s.blocks.first_edit(target);
        self.instructions(target, host, edit);
        self.copies -= 1;
        true
    }
    /// True if a copy of a block is better than a jump there.
    pub(in crate::isa::x64::emit) fn is_copied(&self, target: MBlock) -> bool {
        self.opts.arrange && self.is_short_end(target, BLOCKS.saturating_sub(self.copies))
    }

    /// True if a block is one to be copied, with at most `blocks` blocks.
    fn is_short_end(&self, b: MBlock, blocks: u32) -> bool {
        let f = self.f;
        let data = &f.blocks[b.index()];
        let insts = f.block_insts(b);
        // A copy of the prologue would be one too many.
        if blocks == 0
            || self.s.wrap.is_made_in(b)
            || insts.len() > DISPATCH
            || self.copied + insts.len() > f.insts.len().max(LEAST)
        {
            return false;
        }
        let first = self.s.blocks.first_edit(b);
        let edits = self.a.edits[first..].iter().take(DISPATCH).take_while(|(at, _)| *at < 2 * data.end).count();
        let all = insts.len() + edits;
        if insts.iter().any(|i| props(i.op).has(Props::CALL)) {
            return false;
        }
        let dispatches = || {
            let mut next = data.succs.iter().map(|s| self.s.blocks.target(*s));
            next.any(|s| f.blocks[s.index()].loop_depth > 0 && !self.returns(s) && self.is_short_end(s, blocks - 1))
        };
        match insts.last().map(|i| i.op) {
            Some(op::Ret | op::TailCall) => {
                let epilogue = if self.s.wrap.is_inside(b) { self.s.frame.epilogue_bytes() } else { 1 };
                4 * (all - 1) + epilogue <= RETURN_BYTES
            }
            Some(op::JmpReg) => data.loop_depth > 0 && all <= DISPATCH,
            Some(op::Jcc | op::Jmp) => data.loop_depth > 0 && all <= BEFORE && dispatches(),
            _ => false,
        }
    }
    fn returns(&self, b: MBlock) -> bool {
        self.f.blocks[b.index()].succs.is_empty()
    }
}
