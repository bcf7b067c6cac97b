//! Finds the parts of a function that need a frame: each is the region dominated by one block, its *save point*. One
//! prologue there is enough, and paths that avoid the save point need no frame.
//!
//! # Algorithm
//!
//! 1. The caller names the blocks that need the frame.
//! 2. From the leaves of the dominator tree up, a block is a save point if it needs the frame, or if the save points
//!    below it run as often together as it does. A block in a loop passes the need on to the block above it. The
//!    uppermost of these save points stay; the blocks that they dominate are *inside*.
//! 3. The whole function is inside, and the entry is the save point, if the others would run as often, if there would
//!    be more than [`PARTS`] of them, or if for each more than [`EXITS`] jumps would leave its part and have to take
//!    the frame down. Before that, one save point for all parts is tried: the nearest block that dominates them. The
//!    same is done if a path leads from part to part.
//!
//! # Why it is sound
//!
//! A part is entered through its save point only, and no edge from inside leads there. So every path makes the frame
//! before it is needed, and leaves it by a return or by a jump outside, after which it never makes it again: no value
//! is in a saved register or a slot meanwhile. Critical edges are split: a block that jumps outside has no other
//! successor.
//!
//! # Cost and limits
//!
//! Dominators, and a walk over their tree.
//!
//! # Source
//!
//! F. C. Chow, "Minimizing register usage penalty at procedure calls", PLDI 1988; C. Lupo and K. D. Wilken, "Post
//! Register Allocation Spill Code Optimization", CGO 2006, who choose by frequency from the inner regions outward.
//! Departures: one frame for all registers, as in LLVM's ShrinkWrap.cpp; regions are all blocks dominated by a block,
//! and may have several ends.

use crate::mir::dominators::Dominators;
use crate::mir::{MBlock, MFunction};

/// Number of jumps out of a part that are worth an epilogue each.
const EXITS: usize = 2;
/// Limit on the prologues. If there are several, `GAIN` limits their frequency together against the entry's. The gain
/// must be worth the bytes.
const PARTS: usize = 3;
const GAIN: (u64, u64) = (8, 7);

/// The parts of the current function.
#[derive(Default, Debug)]
pub(crate) struct Framed {
    dominators: Dominators,
    /// True for each block that needs a frame.
    needs: Vec<bool>,
    /// For each block the facts found about it on the way up.
    below: Vec<Below>,
    saves: Vec<MBlock>,
    /// For each block the number of its part, or [`OUTSIDE`].
    part: Vec<u32>,
    /// Scratch: the blocks that control reaches from a part, and those still to be followed.
    beyond: Vec<bool>,
    work: Vec<MBlock>,
}

/// The facts about a block and the blocks that it dominates.
#[derive(Copy, Clone, Default, Debug)]
struct Below {
    /// True if it is a save point, unless there is one above it.
    save: bool,
    /// True if the frame must be there.
    must: bool,
    /// Number of its children that are save points or have some below. `sum` is the total frequency of these save
    /// points.
    children: u32,
    sum: u64,
}

const OUTSIDE: u32 = u32::MAX;

impl Framed {
    /// Step 1: finds the blocks that need a frame, by `needs`. Returns true if there are any, and the entry is not
    /// among them. If the entry, which comes first, needs one, `needs` is not called for others.
    pub(crate) fn gather(&mut self, f: &MFunction, mut needs: impl FnMut(MBlock) -> bool) -> bool {
        self.needs.clear();
        for b in f.block_ids() {
            self.needs.push(needs(b));
            if self.needs[0] {
                return false;
            }
        }
        self.needs.contains(&true)
    }

    /// Does steps 2 and 3. Returns true if there are save points other than the entry.
    pub(crate) fn find(&mut self, f: &MFunction) -> bool {
        self.dominators.recompute(f);
        self.choose(f, false) || self.saves.len() > 1 && self.choose(f, true)
    }
    /// Step 2, with one part or the best number of them, and step 3.
    fn choose(&mut self, f: &MFunction, one: bool) -> bool {
        self.saves.clear();
        self.below.clear();
        self.below.resize(f.blocks.len(), Below::default());
        for (b, up) in self.dominators.tree().rev() {
            let data = &f.blocks[b.index()];
            let here = &mut self.below[b.index()];
            here.must |= self.needs[b.index()];
            let frequency = u64::from(data.frequency);
            let joins = here.sum > frequency || here.children > 1 && (one || here.sum == frequency);
            here.must |= joins && data.loop_depth == 0;
            here.save = here.must && data.loop_depth == 0;
            if here.save {
                (here.children, here.sum) = (1, frequency);
            }
            let here = *here;
            if b != up {
                let above = &mut self.below[up.index()];
                above.must |= here.must && !here.save;
                above.children += u32::from(here.children > 0);
                above.sum += here.sum;
            }
        }
        let (Below { must, sum, .. }, entry) = (self.below[0], u64::from(f.blocks[0].frequency));
        if must || sum >= entry {
            return false;
        }
        self.mark(f);
        let exits = f.block_ids().filter(|b| self.leaves(f, *b)).count();
        let alone = |s: &MBlock| f.blocks[s.index()].preds.iter().all(|p| self.part[p.index()] != self.part[s.index()]);
        let pays = self.saves.len() == 1 || self.saves.len() <= PARTS && GAIN.0 * sum <= GAIN.1 * entry;
        // A back edge would have to belong to a loop that was not found.
        pays && exits <= EXITS * self.saves.len() && self.saves.iter().all(alone) && !self.meet(f)
    }
    /// True if a path leads out of a part and into another one. A value might take that path in a register or slot that
    /// the first part releases at its end, though no block between mentions it.
    fn meet(&mut self, f: &MFunction) -> bool {
        if self.saves.len() < 2 {
            return false;
        }
        self.beyond.clear();
        self.beyond.resize(f.blocks.len(), false);
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.extend(f.block_ids().filter(|b| self.leaves(f, *b)));
        let mut meet = false;
        while let Some(b) = work.pop() {
            for s in &f.blocks[b.index()].succs {
                meet |= self.part[s.index()] != OUTSIDE;
                if !std::mem::replace(&mut self.beyond[s.index()], true) {
                    work.push(*s);
                }
            }
        }
        self.work = work;
        meet
    }
    /// Numbers the parts and the blocks in them.
    fn mark(&mut self, f: &MFunction) {
        self.part.clear();
        self.part.resize(f.blocks.len(), OUTSIDE);
        for (b, up) in self.dominators.tree() {
            self.part[b.index()] = self.part[up.index()];
            if self.below[b.index()].save && self.part[b.index()] == OUTSIDE {
                self.part[b.index()] = self.saves.len() as u32;
                self.saves.push(b);
            }
        }
    }

    /// Returns the save points, one for each part.
    pub(crate) fn saves(&self) -> &[MBlock] {
        &self.saves
    }
    /// Returns the number of the part that a block is in.
    #[inline]
    pub(crate) fn part(&self, b: MBlock) -> Option<u32> {
        Some(self.part[b.index()]).filter(|p| *p != OUTSIDE)
    }
    /// True if a block is a save point.
    #[inline]
    pub(crate) fn is_save(&self, b: MBlock) -> bool {
        self.saves.contains(&b)
    }
    /// True if a block jumps out of its part.
    pub(crate) fn leaves(&self, f: &MFunction, b: MBlock) -> bool {
        let part = self.part[b.index()];
        let leaves = part != OUTSIDE && f.blocks[b.index()].succs.iter().any(|s| self.part[s.index()] != part);
        debug_assert!(!leaves || f.blocks[b.index()].succs.len() == 1, "a critical edge");
        leaves
    }
    /// Returns all reachable blocks: a block comes after its successors, except the targets of back edges.
    pub(crate) fn postorder(&self) -> impl Iterator<Item = MBlock> + '_ {
        self.dominators.tree().rev().map(|(b, _)| b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::dominators::graph;

    /// Returns the save points of a function, and the blocks inside. Its blocks have these successors and frequencies;
    /// some need a frame.
    fn parts(succs: &[&[u32]], frequencies: &[u32], needs: &[u32], loops: &[u32]) -> Option<(Vec<u32>, Vec<u32>)> {
        let mut f = graph(succs);
        for (b, n) in frequencies.iter().enumerate() {
            f.blocks[b].frequency = *n;
            f.blocks[b].loop_depth = u32::from(loops.contains(&(b as u32)));
        }
        let mut framed = Framed::default();
        if !framed.gather(&f, |b| needs.contains(&b.0)) {
            return None;
        }
        let inside = |framed: &Framed| f.block_ids().filter(|b| framed.part(*b).is_some()).map(|b| b.0).collect();
        let found = framed.find(&f);
        let mut saves: Vec<u32> = framed.saves().iter().map(|b| b.0).collect();
        saves.sort();
        found.then(|| (saves, inside(&framed)))
    }
    /// The same of the only part, if there is one.
    fn only_part(succs: &[&[u32]], frequencies: &[u32], needs: &[u32], loops: &[u32]) -> Option<(u32, Vec<u32>)> {
        let (saves, inside) = parts(succs, frequencies, needs, loops)?;
        assert_eq!(saves.len(), 1);
        Some((saves[0], inside))
    }

    #[test]
    fn an_early_exit_stays_outside() {
        let succs: &[&[u32]] = &[&[1, 2], &[], &[3, 5], &[4], &[], &[4]];
        let part = |needs: &[u32]| only_part(succs, &[64, 10, 54, 20, 54, 34], needs, &[]);
        assert_eq!(part(&[3, 4]), Some((2, vec![2, 3, 4, 5])));
        assert_eq!(part(&[3]), Some((3, vec![3])));
        // The frame is needed on both sides, or by the entry, or not at all.
        assert_eq!(part(&[1, 4]), None);
        assert_eq!(part(&[0, 4]), None);
        assert_eq!(part(&[]), None);
    }

    #[test]
    fn a_save_point_is_outside_of_loops() {
        // Block 1 leaves to 4 or continues to 2, which jumps back.
        let succs: &[&[u32]] = &[&[5, 6], &[2, 3], &[1], &[4], &[], &[4], &[1]];
        let frequencies = &[64, 320, 300, 32, 64, 32, 32];
        assert_eq!(only_part(succs, frequencies, &[2], &[1, 2]), Some((6, vec![1, 2, 3, 6])));
        // The cycle of 1 and 2 was not found as a loop; still 1 is not a save point.
        assert_eq!(only_part(succs, &[64, 32, 32, 32, 64, 32, 32], &[1], &[]), None);
    }

    #[test]
    fn parts_that_run_seldom_together_have_a_frame_each() {
        // Blocks 3 and 5 need a frame, on paths that never meet again.
        let succs: &[&[u32]] = &[&[1, 2], &[3, 4], &[5, 6], &[], &[], &[], &[]];
        assert_eq!(parts(succs, &[64, 32, 32, 4, 28, 4, 28], &[3, 5], &[]), Some((vec![3, 5], vec![3, 5])));
        // Together they run as often as the entry.
        assert_eq!(parts(succs, &[64, 32, 32, 32, 1, 32, 1], &[3, 5], &[]), None);
        // A path leads from 3 to 6: a value in a saved register could pass through 4 and 2, which need nothing.
        let succs: &[&[u32]] = &[&[1, 3], &[4], &[5, 6], &[4], &[2], &[7], &[7], &[]];
        assert_eq!(parts(succs, &[64, 60, 64, 4, 64, 60, 4, 64], &[3, 6], &[]), None);
        // Below 2, the blocks that together run as often as 2 share one frame; below the entry there is another part.
        let succs: &[&[u32]] = &[&[1, 2, 3], &[], &[4, 5], &[], &[], &[]];
        assert_eq!(parts(succs, &[64, 8, 24, 32, 12, 12], &[3, 4, 5], &[]), Some((vec![2, 3], vec![2, 3, 4, 5])));
        // One save point more than allowed, below 1 and the entry: then 1 is the save point.
        let succs: &[&[u32]] = &[&[1, 2], &[3, 4, 5, 6, 7], &[], &[], &[], &[], &[], &[]];
        assert_eq!(
            only_part(succs, &[64, 56, 8, 2, 2, 2, 2, 48], &[3, 4, 5, 6], &[]),
            Some((1, vec![1, 3, 4, 5, 6, 7]))
        );
    }

    #[test]
    fn code_as_frequent_as_the_entry_makes_no_frame_of_its_own() {
        assert_eq!(only_part(&[&[1], &[]], &[64, 64], &[1], &[]), None);
        assert_eq!(only_part(&[&[1, 2], &[], &[]], &[64, 63, 1], &[1], &[]), Some((1, vec![1])));
    }

    #[test]
    fn many_exits_are_too_many() {
        // Block 1 has as many successors as allowed, or one more; all of these jump to the last block, as does 2.
        let graph = |n: u32| {
            let mut succs = vec![vec![1, 2], (3..3 + n).collect(), vec![3 + n]];
            succs.extend((0..n).map(|_| vec![3 + n]));
            succs.push(vec![]);
            succs
        };
        for (n, found) in [(EXITS as u32, true), (EXITS as u32 + 1, false)] {
            let succs = graph(n);
            let succs: Vec<&[u32]> = succs.iter().map(|s| &s[..]).collect();
            let mut frequencies = vec![8; succs.len()];
            (frequencies[0], frequencies[1]) = (64, 32);
            assert_eq!(only_part(&succs, &frequencies, &[1], &[]).is_some(), found, "{n}");
        }
    }
}
