//! Orders machine blocks as in the text, but with every loop in one piece that begins with its header. A block on a
//! critical edge follows the source of the edge, or, if the edge leaves loops, the outermost of them.
//!
//! Allocation sees a function as a line. A block that leaves a loop but lies between the loop's blocks (front ends put
//! the handling of an error where it is found) would make values look live, and registers look taken, where they are
//! not. Values that are live through the loop could not be distinguished from values that end in it.
//!
//! # Algorithm
//!
//! Every loop has a list of its items, blocks and loops, in the order of the text, and so has the function. A loop is
//! placed in the surrounding list where its first block was. The lists are then read out from the outermost in. While
//! blocks are numbered, a stack holds the loops around the block, and edges out of a loop wait until the loop ends.
//! Linear.
//!
//! # Source
//!
//! C. Wimmer and H. Moessenboeck, "Optimized Interval Splitting in a Linear Scan Register Allocator", VEE 2005, section
//! 3 (block order: all blocks of a loop are contiguous). Departure: within loops the order is not recomputed; cold
//! blocks are left to the layout of the code.

use super::graph::successors;
use crate::isa::x64::isel::IselScratch;
use crate::mir::MBlock;
use lir_opt::analysis::LoopForest;
use lir_syntax::ir::{Block, EntityRef};

/// The end of a list.
const NONE: u32 = u32::MAX;

/// Scratch memory. Items of lists are blocks, by their numbers, and loops, by the numbers of their headers after all
/// blocks.
#[derive(Default)]
pub(in crate::isa::x64::isel) struct LoopOrder {
    /// For each item the next one of its list.
    next: Vec<u32>,
    /// The list of each loop, by its header: its first and its last item. The list of the function comes after all
    /// blocks.
    lists: Vec<(u32, u32)>,
    /// The loops that are being read out: where their lists continue. Before that, loops whose lists are to be made.
    open: Vec<u32>,
    /// The headers of the loops around the block that gets its number. The outermost one comes first.
    around: Vec<Block>,
    /// For each header the last successor so far outside of its loop. It is given by its index among all successors;
    /// `next_waiting` has for each of these the one before it.
    waiting: Vec<u32>,
    next_waiting: Vec<u32>,
}

impl LoopOrder {
    /// Brings blocks into order. `blocks` is the number of blocks of the function, reachable or not.
    pub(in crate::isa::x64::isel) fn arrange(&mut self, blocks: usize, loops: &LoopForest, order: &mut Vec<Block>) {
        let function = blocks;
        self.next.clear();
        self.next.resize(2 * blocks, NONE);
        self.lists.clear();
        self.lists.resize(blocks + 1, (NONE, NONE));
        for &b in &*order {
            let Some(h) = loops.innermost(b) else {
                self.append(function, b.index());
                continue;
            };
            self.open(loops, h, function);
            if b != h {
                self.append(h.index(), b.index());
            }
        }
        order.clear();
        let mut item = self.lists[function].0;
        loop {
            if item == NONE {
                let Some(rest) = self.open.pop() else { return };
                item = rest;
            } else if item as usize >= blocks {
                self.open.push(self.next[item as usize]);
                item = self.lists[item as usize - blocks].0;
            } else {
                order.push(Block::new(item as usize));
                item = self.next[item as usize];
            }
        }
    }

    /// Creates the lists of a loop and the loops around it, unless they exist: from the outermost in, since their
    /// headers come first. A list begins with the header.
    fn open(&mut self, loops: &LoopForest, h: Block, function: usize) {
        let mut unmade = Some(h);
        while let Some(h) = unmade.filter(|h| self.lists[h.index()].0 == NONE) {
            self.open.push(h.index() as u32);
            unmade = loops.parent(h);
        }
        while let Some(h) = self.open.pop() {
            let around = loops.parent(Block::new(h as usize));
            self.append(around.map_or(function, |p| p.index()), function + h as usize);
            self.append(h as usize, h as usize);
        }
    }

    fn append(&mut self, list: usize, item: usize) {
        let (first, last) = self.lists[list];
        if last == NONE {
            self.lists[list] = (item as u32, item as u32);
        } else {
            self.next[last as usize] = item as u32;
            self.lists[list] = (first, item as u32);
        }
    }
}

impl IselScratch {
    /// Numbers the machine blocks, including blocks on critical edges. Returns their number.
    pub(in crate::isa::x64::isel) fn number_blocks(&mut self, loops: &LoopForest) -> usize {
        let blocks = self.pred_counts.len();
        self.main_block.clear();
        self.main_block.resize(blocks, MBlock(u32::MAX));
        self.edge_block.clear();
        self.edge_block.resize(self.succs.len(), None);
        let LoopOrder { waiting, next_waiting, around, .. } = &mut self.loop_order;
        around.clear();
        waiting.clear();
        waiting.resize(blocks, NONE);
        next_waiting.clear();
        next_waiting.resize(self.succs.len(), NONE);
        let mut numbers = (0..).map(MBlock);
        let mut new = || numbers.next().expect("numbers do not end");
        for (k, &b) in self.reachable.iter().enumerate() {
            self.main_block[b.index()] = new();
            enter(loops, b, around);
            let succs = successors(&self.succs, &self.succ_ends, k);
            let first = self.succ_ends[k] as usize - succs.len();
            for (e, &succ) in (first..).zip(succs) {
                if succs.len() == 1 || self.pred_counts[succ.index()] == 1 {
                    continue;
                }
                match outermost_left(loops, around, succ) {
                    Some(h) => next_waiting[e] = std::mem::replace(&mut waiting[h.index()], e as u32),
                    None => self.edge_block[e] = Some(new()),
                }
            }
            let following = self.reachable.get(k + 1);
            while let Some(h) = around.pop_if(|h| !following.is_some_and(|n| loops.contains(*h, *n))) {
                let mut e = waiting[h.index()];
                while e != NONE {
                    self.edge_block[e as usize] = Some(new());
                    e = next_waiting[e as usize];
                }
            }
        }
        new().index()
    }
}

/// Adds the loops that begin with block `b` to those that it is in.
fn enter(loops: &LoopForest, b: Block, around: &mut Vec<Block>) {
    let at = around.len();
    let mut inner = loops.innermost(b);
    while let Some(h) = inner.filter(|h| at == 0 || around[at - 1] != *h) {
        around.push(h);
        inner = loops.parent(h);
    }
    around[at..].reverse();
}

/// Returns the header of the outermost loop that an edge leaves. The edge comes from a block in the loops `around`.
fn outermost_left(loops: &LoopForest, around: &[Block], to: Block) -> Option<Block> {
    // The innermost loop with both; loops are entered by their headers, so it is at most one level further out than the
    // innermost loop of `to`.
    let mut with_both = loops.innermost(to);
    let has = |h: Block| around.get(loops.depth(h) as usize - 1) == Some(&h);
    while let Some(h) = with_both.filter(|h| !has(*h)) {
        with_both = loops.parent(h);
    }
    around.get(with_both.map_or(0, |h| loops.depth(h) as usize)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{Cfg, DominatorTree, Module};

    /// Returns the names of the blocks in order, of a function with this body.
    fn arranged(body: &str) -> String {
        let text = format!("func @f(%c: i32) {{\n{body}}}\n");
        let module: Module = text.parse().expect("it parses");
        let f = &module.funcs.as_slice()[0];
        let cfg = Cfg::new(f);
        let loops = LoopForest::new(f, &cfg, &DominatorTree::new(f, &cfg));
        let mut order: Vec<Block> = f.layout().blocks().collect();
        let (before, mut scratch) = (order.clone(), LoopOrder::default());
        for _ in 0..2 {
            scratch.arrange(f.num_blocks(), &loops, &mut order);
        }
        let names = "abcdefghi".as_bytes();
        let position = |b: &Block| before.iter().position(|c| c == b).expect("no block is lost");
        order.iter().map(|b| names[position(b)] as char).collect()
    }

    #[test]
    fn exits_of_a_loop_come_after_it() {
        let exit_inside = "a:\n  jmp b\nb:\n  br %c, c, d\nc:\n  ret\nd:\n  br %c, b, e\ne:\n  ret\n";
        assert_eq!(arranged(exit_inside), "abdce");
    }

    #[test]
    fn a_loop_begins_with_its_header() {
        let test_below = "a:\n  jmp c\nb:\n  jmp c\nc:\n  br %c, b, d\nd:\n  ret\n";
        assert_eq!(arranged(test_below), "acbd");
    }

    #[test]
    fn loops_stay_within_loops() {
        // The inner loop c, e is reached first through its body; d leaves both, f the inner one.
        let nest =
            "a:\n  jmp f\nb:\n  br %c, c, f\nc:\n  br %c, b, d\nd:\n  ret\ne:\n  br %c, f, d\nf:\n  br %c, c, e\n";
        assert_eq!(arranged(nest), "afcbed");
    }
}
