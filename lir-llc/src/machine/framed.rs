//! The part of a function that needs a frame: what a block dominates, the *save point*, so that one prologue does, and
//! ways through the function that do not come there need no frame.
//!
//! # Algorithm
//!
//! 1. The user names the blocks that need the frame.
//! 2. The save point is the nearest block that dominates all of these, or, where that is in a loop, the nearest one above
//!    that is not. What it dominates is *inside*.
//! 3. It is the entry, and all is inside, where the save point would run as often, or where there would be more than
//!    [`EXITS`] jumps from inside to outside, each of which has to take the frame down.
//!
//! # Why it is sound
//!
//! What is inside is entered through the save point only, and nothing inside leads there. So every way makes the frame
//! once before it is needed, and leaves it once, by a return or by a jump outside. Critical edges are split: what jumps
//! outside goes nowhere else.
//!
//! # Source
//!
//! F. C. Chow, "Minimizing register usage penalty at procedure calls", PLDI 1988. Departure: one save point for all
//! registers and the frame, as in LLVM's ShrinkWrap.cpp; but what takes the frame down may stand at several places, and
//! need not postdominate anything.

use super::dominators::Dominators;
use super::{MBlock, MFunction};

/// How many jumps outside are worth an epilogue each.
const EXITS: usize = 2;

/// The part of the function at hand.
#[derive(Default, Debug)]
pub(crate) struct Framed {
    dominators: Dominators,
    /// The blocks that need a frame.
    needs: Vec<MBlock>,
    /// For each block whether it is inside; of no meaning where all are.
    inside: Vec<bool>,
}

impl Framed {
    /// Step 1: the blocks that `needs` says of that they need a frame. False where the entry is one of them: it is asked
    /// first, and then no other.
    pub(crate) fn gather(&mut self, f: &MFunction, mut needs: impl FnMut(MBlock) -> bool) -> bool {
        self.needs.clear();
        for b in f.block_ids() {
            if needs(b) {
                self.needs.push(b);
                if b.0 == 0 {
                    return false;
                }
            }
        }
        true
    }

    /// Steps 2 and 3: the save point, where it is not the entry.
    pub(crate) fn save_point(&mut self, f: &MFunction) -> Option<MBlock> {
        if self.needs.is_empty() {
            return None;
        }
        self.dominators.recompute(f);
        let d = &self.dominators;
        let needs = self.needs.iter().copied().filter(|b| d.reaches(*b));
        let mut save = needs.reduce(|a, b| d.common(a, b))?;
        while save.0 != 0 && f.blocks[save.index()].loop_depth > 0 {
            save = d.parent(save);
        }
        let data = &f.blocks[save.index()];
        if save.0 == 0 || data.frequency >= f.blocks[0].frequency {
            return None;
        }
        d.mark_below(save, &mut self.inside);
        // Nothing but a loop that was not found would lead back.
        let once = data.preds.iter().all(|p| !self.inside[p.index()]);
        (once && self.exits(f).count() <= EXITS).then_some(save)
    }

    /// Whether a block is inside, where there is a save point.
    #[inline]
    pub(crate) fn is_inside(&self, b: MBlock) -> bool {
        self.inside[b.index()]
    }
    /// Whether a block jumps from inside to outside, where there is a save point.
    pub(crate) fn leaves(&self, f: &MFunction, b: MBlock) -> bool {
        let outside = |s: &MBlock| !self.inside[s.index()];
        let leaves = self.inside[b.index()] && f.blocks[b.index()].succs.iter().any(outside);
        debug_assert!(!leaves || f.blocks[b.index()].succs.len() == 1, "a critical edge");
        leaves
    }
    /// The blocks that do.
    pub(crate) fn exits<'a>(&'a self, f: &'a MFunction) -> impl Iterator<Item = MBlock> + 'a {
        f.block_ids().filter(|b| self.leaves(f, *b))
    }
    /// All reachable blocks, those that come last first: a block after most of its successors.
    pub(crate) fn postorder(&self) -> impl Iterator<Item = MBlock> + '_ {
        self.dominators.postorder()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::dominators::graph;

    /// The save point of a function of blocks with these successors and frequencies, of which some need a frame; and what
    /// is inside.
    fn place(succs: &[&[u32]], frequencies: &[u32], needs: &[u32], loops: &[u32]) -> Option<(u32, Vec<u32>)> {
        let mut f = graph(succs);
        for (b, n) in frequencies.iter().enumerate() {
            f.blocks[b].frequency = *n;
            f.blocks[b].loop_depth = u32::from(loops.contains(&(b as u32)));
        }
        let mut framed = Framed::default();
        if !framed.gather(&f, |b| needs.contains(&b.0)) {
            return None;
        }
        let save = framed.save_point(&f)?;
        let inside = f.block_ids().filter(|b| framed.is_inside(*b)).map(|b| b.0);
        Some((save.0, inside.collect()))
    }

    #[test]
    fn an_early_exit_stays_outside() {
        let succs: &[&[u32]] = &[&[1, 2], &[], &[3, 5], &[4], &[], &[4]];
        let place = |needs: &[u32]| place(succs, &[64, 10, 54, 20, 54, 34], needs, &[]);
        assert_eq!(place(&[3, 4]), Some((2, vec![2, 3, 4, 5])));
        assert_eq!(place(&[3]), Some((3, vec![3])));
        // Needed on both sides, or by the entry, or not at all.
        assert_eq!(place(&[1, 4]), None);
        assert_eq!(place(&[0, 4]), None);
        assert_eq!(place(&[]), None);
    }

    #[test]
    fn a_save_point_is_outside_of_loops() {
        // 1 is left to 4 or goes on to 2, which goes back.
        let succs: &[&[u32]] = &[&[5, 6], &[2, 3], &[1], &[4], &[], &[4], &[1]];
        let frequencies = &[64, 320, 300, 32, 64, 32, 32];
        assert_eq!(place(succs, frequencies, &[2], &[1, 2]), Some((6, vec![1, 2, 3, 6])));
        // In the cycle of 1 and 2 no loop was found; still 1 is no place.
        assert_eq!(place(succs, &[64, 32, 32, 32, 64, 32, 32], &[1], &[]), None);
    }

    #[test]
    fn what_runs_as_often_as_the_entry_makes_no_frame_of_its_own() {
        assert_eq!(place(&[&[1], &[]], &[64, 64], &[1], &[]), None);
        assert_eq!(place(&[&[1, 2], &[], &[]], &[64, 63, 1], &[1], &[]), Some((1, vec![1])));
    }

    #[test]
    fn many_ways_out_are_too_many() {
        // 1 goes to as many blocks as there may be, or one more, and all of these to the last block, as does 2.
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
            assert_eq!(place(&succs, &frequencies, &[1], &[]).is_some(), found, "{n}");
        }
    }
}
