//! The order in which blocks are emitted.
//!
//! 1. Loops are inverted: a loop that is left at its top, by its header, and closed by a jump at its bottom gets the
//!    header moved to the bottom. One of two jumps for each turn vanishes; the way into the loop takes one more.
//! 2. Cold blocks come last, so that what runs lies together and falls through.
//!
//! A loop is taken to reach from its header to the last block that jumps back to it. Inner loops come first; what was
//! the bottom of a loop around them may then be their header. The order changes no meaning, whatever the graph is like.
//!
//! Source: loop inversion as in Muchnick, "Advanced Compiler Design and Implementation", 1997, section 18.5, done by
//! order alone, without a copy of the test. Departure: nothing is known about frequencies but loops and cold blocks.

use super::blocks::Blocks;
use crate::machine::{MBlock, MFunction};

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Layout {
    /// The present order of the emitted blocks, as a list: neighbours of each block, or [`NONE`].
    prev: Vec<u32>,
    next: Vec<u32>,
    /// For each block what stands last in the stretch that it was the end of.
    tail: Vec<u32>,
    /// Headers at the bottom of their loops.
    inverted: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Layout {
    /// Replaces `order`, the emitted blocks as they stand.
    pub(super) fn arrange(&mut self, f: &MFunction, blocks: &Blocks, order: &mut Vec<u32>) {
        if self.invert_loops(f, blocks, order) {
            let mut b = order[0];
            for place in order.iter_mut() {
                *place = b;
                b = self.next[b as usize];
            }
        }
        if order.iter().skip(1).any(|b| f.blocks[*b as usize].cold) {
            let cold: Vec<u32> = order[1..].iter().copied().filter(|b| f.blocks[*b as usize].cold).collect();
            let entry = order[0];
            order.retain(|b| *b == entry || !f.blocks[*b as usize].cold);
            order.extend(cold);
        }
    }

    /// Step 1. Whether the order changed.
    fn invert_loops(&mut self, f: &MFunction, blocks: &Blocks, order: &[u32]) -> bool {
        if f.blocks.iter().all(|b| b.loop_depth == 0) {
            return false;
        }
        self.make_list(f.blocks.len(), order);
        let mut changed = false;
        for header in order.iter().copied().skip(1).rev() {
            let data = &f.blocks[header as usize];
            let Some(end) = data.preds.iter().map(|p| p.0).max().filter(|p| *p > header) else { continue };
            let bottom = self.tail[end as usize];
            if bottom == header || !self.pays(f, blocks, header, bottom, end) {
                continue;
            }
            self.move_behind(header, bottom);
            self.inverted[header as usize] = true;
            self.tail[end as usize] = header;
            changed = true;
        }
        changed
    }

    fn make_list(&mut self, count: usize, order: &[u32]) {
        for list in [&mut self.prev, &mut self.next, &mut self.tail] {
            list.clear();
            list.resize(count, NONE);
        }
        self.inverted.clear();
        self.inverted.resize(count, false);
        for pair in order.windows(2) {
            self.next[pair[0] as usize] = pair[1];
            self.prev[pair[1] as usize] = pair[0];
        }
        // Of a block that is not emitted, the emitted one before it.
        let mut last = order[0];
        let mut emitted = order.iter().copied().peekable();
        for (b, tail) in self.tail.iter_mut().enumerate() {
            last = emitted.next_if_eq(&(b as u32)).unwrap_or(last);
            *tail = last;
        }
    }

    /// Whether the loop is closed by a jump at the bottom, or by leaving an inverted loop, and its header leaves it.
    fn pays(&self, f: &MFunction, blocks: &Blocks, header: u32, bottom: u32, end: u32) -> bool {
        let goes = |b: u32| f.blocks[b as usize].succs.iter().map(|s| blocks.target(MBlock(s.0)).0);
        let closes = goes(bottom).any(|s| s == header);
        let jumps = goes(bottom).count() == 1 || self.inverted[bottom as usize];
        let inside = goes(header).filter(|s| (header + 1..=end).contains(s)).count();
        closes && jumps && inside == 1 && goes(header).count() == 2
    }

    fn move_behind(&mut self, b: u32, place: u32) {
        let (before, after) = (self.prev[b as usize], self.next[b as usize]);
        self.next[before as usize] = after;
        if after != NONE {
            self.prev[after as usize] = before;
        }
        let after = self.next[place as usize];
        self.next[place as usize] = b;
        (self.prev[b as usize], self.next[b as usize]) = (place, after);
        if after != NONE {
            self.prev[after as usize] = b;
        }
    }
}
