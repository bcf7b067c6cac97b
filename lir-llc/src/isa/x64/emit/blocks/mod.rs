//! The blocks that are emitted, their order, and the final targets of jumps.
//!
//! A block that only jumps, without edits, is not emitted: jumps to it lead to its target. One block stays of a cycle
//! of such blocks (an empty endless loop). Chains are followed once: every block on a chain then knows its end.

pub(super) mod align;
pub(super) mod layout;
pub(super) mod tails;

use crate::isa::x64::emit::blocks::layout::Layout;
use crate::isa::x64::emit::frame::wrap::Wrap;
use crate::isa::x64::op;
use crate::mir::{MBlock, MFunction};
use crate::regalloc::Allocation;

/// The results of the analysis, for each block.
#[derive(Default, Debug)]
pub(super) struct Blocks {
    /// For each block the final target of jumps to it: itself, unless it is skipped.
    target: Vec<u32>,
    /// The blocks that are emitted, in that order.
    order: Vec<u32>,
    /// For each block that is emitted the next one, or the number of blocks.
    next: Vec<u32>,
    /// For each block the number of the first edit in it.
    first_edit: Vec<u32>,
    layout: Layout,
    /// The blocks of the chain that is followed.
    chain: Vec<u32>,
    /// For each block the state of its chain.
    chain_states: Vec<ChainState>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum ChainState {
    /// It only jumps, and its chain has not been followed.
    Empty,
    /// It is on the chain that is followed.
    OnChain,
    /// `target` is final.
    Done,
}

impl Blocks {
    /// Analyses a function. With `arrange` the order is chosen for good code, otherwise it is the function's order.
    pub(super) fn analyse(&mut self, f: &MFunction, a: &Allocation, wrap: &Wrap, arrange: bool) {
        self.find_empty(f, a, wrap);
        let count = f.blocks.len() as u32;
        for b in 0..count {
            self.follow(f, b);
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..count).filter(|b| self.target[*b as usize] == *b));
        if arrange {
            let mut layout = std::mem::take(&mut self.layout);
            layout.arrange(f, self, &mut order);
            self.layout = layout;
        }
        self.next.clear();
        self.next.resize(count as usize, count);
        for pair in order.windows(2) {
            self.next[pair[0] as usize] = pair[1];
        }
        self.order = order;
    }

    /// Marks the blocks that only jump. The entry is not one of them, and neither is one that makes the frame or takes
    /// it down.
    fn find_empty(&mut self, f: &MFunction, a: &Allocation, wrap: &Wrap) {
        self.target.clear();
        self.target.extend(0..f.blocks.len() as u32);
        self.chain_states.clear();
        self.first_edit.clear();
        let mut edit = 0;
        for (b, data) in f.blocks.iter().enumerate() {
            while a.edits.get(edit).is_some_and(|(at, _)| *at < 2 * data.start) {
                edit += 1;
            }
            self.first_edit.push(edit as u32);
            let has_edits = a.edits.get(edit).is_some_and(|(at, _)| *at < 2 * data.end);
            let only_jumps = data.end == data.start + 1 && f.insts[data.start as usize].op == op::Jmp;
            let at = MBlock(b as u32);
            let framed = || wrap.is_made_in(at) || wrap.leaves(f, at);
            let empty = b != 0 && only_jumps && !has_edits && !framed();
            self.chain_states.push(if empty { ChainState::Empty } else { ChainState::Done });
        }
    }

    /// Follows the chain of empty blocks that begins at `b`.
    fn follow(&mut self, f: &MFunction, mut b: u32) {
        self.chain.clear();
        while self.chain_states[b as usize] == ChainState::Empty {
            self.chain_states[b as usize] = ChainState::OnChain;
            self.chain.push(b);
            b = f.blocks[b as usize].succs[0].0;
        }
        // The chain reached a block that is emitted, or an earlier chain, or itself: then `b` stays.
        let end = self.target[b as usize];
        for &c in &self.chain {
            self.target[c as usize] = end;
            self.chain_states[c as usize] = ChainState::Done;
        }
    }

    /// Returns the number of blocks that are emitted.
    pub(super) fn count(&self) -> usize {
        self.order.len()
    }
    /// Returns block `k` of those emitted, and the number of its first edit.
    #[inline]
    pub(super) fn emitted(&self, k: usize) -> (MBlock, usize) {
        let b = self.order[k];
        (MBlock(b), self.first_edit[b as usize] as usize)
    }
    /// Returns the number of the first edit in a block, or after it.
    #[inline]
    pub(super) fn first_edit(&self, b: MBlock) -> usize {
        self.first_edit[b.index()] as usize
    }
    /// Returns the target of jumps to the block.
    #[inline]
    pub(super) fn target(&self, b: MBlock) -> MBlock {
        MBlock(self.target[b.index()])
    }
    /// True if no block is emitted after `b`.
    pub(super) fn is_last(&self, b: MBlock) -> bool {
        self.next[b.index()] as usize == self.next.len()
    }
    /// True if `b` is the block emitted after `a`.
    #[inline]
    pub(super) fn is_next(&self, a: MBlock, b: MBlock) -> bool {
        self.next[a.index()] == b.0
    }
}
