//! Dominators of machine blocks.
//!
//! Source: K. D. Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm", Rice University, 2001: in
//! reverse postorder, the immediate dominator of a block is where those of its predecessors meet, until nothing changes.
//! One pass does for graphs that are reducible.

use super::{MBlock, MFunction};

/// No number.
const NONE: u32 = u32::MAX;

/// The dominator tree of a function. Inside, blocks are numbered in reverse postorder.
#[derive(Default, Debug)]
pub(crate) struct Dominators {
    /// The blocks that control reaches, in reverse postorder.
    order: Vec<u32>,
    /// For each block its number, or [`NONE`].
    number: Vec<u32>,
    /// Of each number but 0 that of the immediate dominator, which is lower.
    idom: Vec<u32>,
    /// Scratch: blocks on the way down, and which successor comes next.
    stack: Vec<(u32, u32)>,
}

impl Dominators {
    /// Finds them, in the memory of the last function's.
    pub(crate) fn recompute(&mut self, f: &MFunction) {
        self.number_blocks(f);
        self.idom.clear();
        self.idom.resize(self.order.len(), NONE);
        self.idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for k in 1..self.order.len() {
                let preds = f.blocks[self.order[k] as usize].preds.iter().map(|p| self.number[p.index()]);
                let mut known = preds.filter(|p| self.idom.get(*p as usize).is_some_and(|d| *d != NONE));
                let first = known.next().unwrap_or(0);
                let meet = known.fold(first, |a, b| self.meet(a, b));
                changed |= std::mem::replace(&mut self.idom[k], meet) != meet;
            }
        }
    }
    fn number_blocks(&mut self, f: &MFunction) {
        self.order.clear();
        self.number.clear();
        self.number.resize(f.blocks.len(), NONE);
        self.stack.clear();
        self.stack.push((0, 0));
        // Any number but none says that a block was found.
        self.number[0] = 0;
        while let Some((b, next)) = self.stack.last_mut() {
            match f.blocks[*b as usize].succs.get(*next as usize) {
                Some(s) => {
                    *next += 1;
                    if std::mem::replace(&mut self.number[s.index()], 0) == NONE {
                        self.stack.push((s.0, 0));
                    }
                }
                None => {
                    self.order.push(*b);
                    self.stack.pop();
                }
            }
        }
        self.order.reverse();
        for (k, b) in self.order.iter().enumerate() {
            self.number[*b as usize] = k as u32;
        }
    }
    /// The last number that dominates both.
    fn meet(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if a < b {
                b = self.idom[b as usize];
            } else {
                a = self.idom[a as usize];
            }
        }
        a
    }
    /// The blocks that control reaches, each with the one that dominates it immediately, which comes before it; the entry,
    /// which comes first, with itself. From behind, a block comes after its successors, but for those that it leads back to.
    pub(crate) fn tree(&self) -> impl DoubleEndedIterator<Item = (MBlock, MBlock)> + '_ {
        self.order.iter().zip(&self.idom).map(|(b, up)| (MBlock(*b), MBlock(self.order[*up as usize])))
    }
}

/// A function of blocks with these successors, for tests.
#[cfg(test)]
pub(crate) fn graph(succs: &[&[u32]]) -> MFunction {
    let mut f = MFunction { blocks: vec![super::MBlockData::default(); succs.len()], ..MFunction::default() };
    for (b, list) in succs.iter().enumerate() {
        for s in *list {
            f.blocks[b].succs.push(MBlock(*s));
            f.blocks[*s as usize].preds.push(MBlock(b as u32));
        }
    }
    f
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all ways from the entry to `b` lead through `a`: without `a` it is not reached.
    fn dominates(f: &MFunction, a: u32, b: u32) -> bool {
        let (mut seen, mut work) = (vec![false; f.blocks.len()], vec![0]);
        while let Some(x) = work.pop() {
            if x != a && !std::mem::replace(&mut seen[x as usize], true) {
                work.extend(f.blocks[x as usize].succs.iter().map(|s| s.0));
            }
        }
        !seen[b as usize]
    }

    /// Whether there is a way from the entry: without a block that is not there.
    fn is_reached(f: &MFunction, b: u32) -> bool {
        !dominates(f, u32::MAX, b)
    }

    #[test]
    fn what_dominates_a_block_is_above_it() {
        let graphs: [&[&[u32]]; 5] = [
            &[&[1, 2], &[3], &[3], &[]],
            &[&[3], &[2, 1], &[], &[1]],
            // Irreducible: two ways into the cycle of 1 and 2.
            &[&[1, 2], &[2, 3], &[1], &[4], &[]],
            &[&[1], &[2, 5], &[3, 4], &[1], &[2, 5], &[]],
            // Nothing leads to 1.
            &[&[2], &[2], &[]],
        ];
        for succs in graphs {
            let f = graph(succs);
            let mut d = Dominators::default();
            d.recompute(&f);
            let mut seen = Vec::new();
            for (b, up) in d.tree() {
                assert!(seen.contains(&up) || seen.is_empty() && b == up && b.0 == 0, "{succs:?}: {b:?} below {up:?}");
                for a in f.block_ids() {
                    // What dominates a block is the block, or dominates the one above it.
                    let above = a == b || b != up && dominates(&f, a.0, up.0);
                    assert_eq!(dominates(&f, a.0, b.0), above, "{succs:?}: {a:?} {b:?}");
                }
                seen.push(b);
            }
            seen.sort();
            let reached: Vec<MBlock> = f.block_ids().filter(|b| is_reached(&f, b.0)).collect();
            assert_eq!(seen, reached);
        }
    }
}
