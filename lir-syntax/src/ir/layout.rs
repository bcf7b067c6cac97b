//! The order of blocks and instructions: two kinds of doubly linked list over dense ids.
//!
//! Inserting, moving and removing are O(1), and nothing is renumbered.

use super::{Block, EntityRef, Inst, PackedOption, SecondaryMap};

#[derive(Copy, Clone, Default)]
struct BlockNode {
    prev: PackedOption<Block>,
    next: PackedOption<Block>,
    first: PackedOption<Inst>,
    last: PackedOption<Inst>,
}

#[derive(Copy, Clone, Default)]
struct InstNode {
    /// None if the instruction is in no block.
    block: PackedOption<Block>,
    prev: PackedOption<Inst>,
    next: PackedOption<Inst>,
}

/// The order of a function's blocks, and of each block's instructions.
#[derive(Clone, Default)]
pub struct Layout {
    blocks: SecondaryMap<Block, BlockNode>,
    insts: SecondaryMap<Inst, InstNode>,
    first: PackedOption<Block>,
    last: PackedOption<Block>,
}

impl Layout {
    /// Returns the first block: the entry.
    #[inline]
    pub fn entry(&self) -> Option<Block> {
        self.first.expand()
    }
    /// Returns the last block.
    pub fn last_block(&self) -> Option<Block> {
        self.last.expand()
    }
    /// Returns the block after `b`.
    #[inline]
    pub fn next_block(&self, b: Block) -> Option<Block> {
        self.blocks[b].next.expand()
    }
    /// Returns the block before `b`.
    pub fn prev_block(&self, b: Block) -> Option<Block> {
        self.blocks[b].prev.expand()
    }
    /// True if a block has a position in the order.
    #[inline]
    pub(crate) fn has_block(&self, b: Block) -> bool {
        self.first.expand() == Some(b) || self.blocks.get(b).prev.is_some()
    }
    /// Returns all blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.first.expand(), |b| self.blocks[*b].next.expand())
    }
    /// Returns the first instruction of `b`.
    #[inline]
    pub fn first_inst(&self, b: Block) -> Option<Inst> {
        self.blocks[b].first.expand()
    }
    /// Returns the last instruction of `b`: its terminator in a well-formed function.
    #[inline]
    pub fn last_inst(&self, b: Block) -> Option<Inst> {
        self.blocks[b].last.expand()
    }
    /// Returns the instruction after `i` in its block.
    #[inline]
    pub fn next_inst(&self, i: Inst) -> Option<Inst> {
        self.insts[i].next.expand()
    }
    /// Returns the instruction before `i` in its block.
    #[inline]
    pub fn prev_inst(&self, i: Inst) -> Option<Inst> {
        self.insts[i].prev.expand()
    }
    /// Returns the block that contains `i`.
    #[inline]
    pub fn block_of(&self, i: Inst) -> Option<Block> {
        self.insts[i].block.expand()
    }
    /// Returns the instructions of `b` in order.
    #[inline]
    pub fn insts(&self, b: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.blocks[b].first.expand(), |i| self.insts[*i].next.expand())
    }
    /// Returns the instructions of all blocks, block after block.
    #[inline]
    pub fn all_insts(&self) -> impl Iterator<Item = Inst> + '_ {
        let mut blocks = self.blocks();
        let mut next = None;
        std::iter::from_fn(move || {
            while next.is_none() {
                next = self.first_inst(blocks.next()?);
            }
            let i = next?;
            next = self.next_inst(i);
            Some(i)
        })
    }
    /// Returns the instructions of `b` from the last to the first.
    #[inline]
    pub fn insts_rev(&self, b: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.blocks[b].last.expand(), |i| self.insts[*i].prev.expand())
    }

    pub(crate) fn append_block(&mut self, b: Block) {
        assert!(!self.has_block(b), "{b:?} is in the order of the blocks already");
        let last = self.last;
        self.blocks[b] = BlockNode { prev: last, ..BlockNode::default() };
        match last.expand() {
            Some(l) => self.blocks[l].next = b.into(),
            None => self.first = b.into(),
        }
        self.last = b.into();
    }

    pub(crate) fn insert_block_after(&mut self, b: Block, after: Block) {
        assert!(!self.has_block(b), "{b:?} is in the order of the blocks already");
        assert!(self.has_block(after), "{after:?}, after which {b:?} is to be, is not in the order of the blocks");
        let next = self.blocks[after].next;
        self.blocks[b] = BlockNode { prev: after.into(), next, ..BlockNode::default() };
        self.blocks[after].next = b.into();
        match next.expand() {
            Some(n) => self.blocks[n].prev = b.into(),
            None => self.last = b.into(),
        }
    }

    /// Removes a block from the order; its instructions stay with it.
    pub(crate) fn remove_block(&mut self, b: Block) {
        assert!(self.has_block(b), "{b:?}, which is to be removed, is not in the order of the blocks");
        let BlockNode { prev, next, .. } = self.blocks[b];
        match prev.expand() {
            Some(p) => self.blocks[p].next = next,
            None => self.first = next,
        }
        match next.expand() {
            Some(n) => self.blocks[n].prev = prev,
            None => self.last = prev,
        }
        self.blocks[b].prev = PackedOption::NONE;
        self.blocks[b].next = PackedOption::NONE;
    }

    /// Returns a copy with room for more instructions, see [`clone_with_room`](super::entity::clone_with_room).
    pub(crate) fn clone_with_room(&self) -> Layout {
        let Layout { blocks, insts, first, last } = self;
        Layout { blocks: blocks.clone(), insts: insts.clone_with_room(), first: *first, last: *last }
    }

    /// Forgets all blocks and instructions, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.blocks.reset(0);
        self.insts.reset(0);
        self.first = PackedOption::NONE;
        self.last = PackedOption::NONE;
    }

    /// Makes room for `insts` more instructions.
    pub(crate) fn reserve(&mut self, insts: usize) {
        self.insts.reserve(insts);
    }

    #[inline]
    pub(crate) fn append_inst(&mut self, i: Inst, b: Block) {
        let block = &mut self.blocks[b];
        let last = std::mem::replace(&mut block.last, i.into());
        if last.is_none() {
            block.first = i.into();
        }
        self.insts.set(i, InstNode { block: b.into(), prev: last, next: PackedOption::NONE });
        if let Some(l) = last.expand() {
            self.insts[l].next = i.into();
        }
    }

    pub(crate) fn insert_inst_before(&mut self, i: Inst, before: Inst) {
        let InstNode { block, prev, .. } = self.insts[before];
        let b = block.expand().unwrap_or_else(|| panic!("{before:?}, before which {i:?} is to be, is in no block"));
        self.insts[i] = InstNode { block, prev, next: before.into() };
        self.insts[before].prev = i.into();
        match prev.expand() {
            Some(p) => self.insts[p].next = i.into(),
            None => self.blocks[b].first = i.into(),
        }
    }

    pub(crate) fn remove_inst(&mut self, i: Inst) {
        let InstNode { block, prev, next } = self.insts[i];
        let b = block.expand().unwrap_or_else(|| panic!("{i:?}, which is to be removed, is in no block"));
        match prev.expand() {
            Some(p) => self.insts[p].next = next,
            None => self.blocks[b].first = next,
        }
        match next.expand() {
            Some(n) => self.insts[n].prev = prev,
            None => self.blocks[b].last = prev,
        }
        self.insts[i] = InstNode::default();
    }

    /// Moves the instructions of `b` from `i` on to the end of `to`.
    pub(crate) fn split_tail(&mut self, b: Block, i: Inst, to: Block) {
        let mut at = Some(i);
        while let Some(i) = at {
            at = self.next_inst(i);
            debug_assert_eq!(self.block_of(i), Some(b));
            self.remove_inst(i);
            self.append_inst(i, to);
        }
    }
}

impl std::fmt::Debug for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.blocks().map(|b| (b, self.insts(b).map(|i| i.index()).collect::<Vec<_>>()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_instructions_come_block_after_block() {
        let mut layout = Layout::default();
        assert!(layout.all_insts().next().is_none());
        for (b, insts) in [(2, 0..0), (0, 3..5), (1, 5..5), (3, 0..3), (4, 0..0)] {
            layout.append_block(Block::new(b));
            insts.for_each(|i| layout.append_inst(Inst::new(i), Block::new(b)));
        }
        assert!(layout.all_insts().map(Inst::index).eq([3, 4, 0, 1, 2]));
        let by_block = layout.blocks().flat_map(|b| layout.insts_rev(b).collect::<Vec<_>>());
        assert!(by_block.map(Inst::index).eq([4, 3, 2, 1, 0]));
    }
}
