//! Dominators of machine blocks, and an order of the blocks. They are computed like the dominators of a module's
//! functions ([`ImmediateDominators`]). In the order a block comes before all blocks that it dominates and, except for
//! back edges, before its successors.

use super::{MBlock, MFunction};
use lir_syntax::ir::{EntityRef, FlowGraph, ImmediateDominators};

impl EntityRef for MBlock {
    fn new(index: usize) -> MBlock {
        MBlock(u32::try_from(index).expect("fewer blocks"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl FlowGraph for MFunction {
    type Node = MBlock;
    fn num_nodes(&self) -> usize {
        self.blocks.len()
    }
    fn root(&self) -> Option<MBlock> {
        self.block_ids().next()
    }
    fn succs(&self, b: MBlock) -> &[MBlock] {
        &self.blocks[b.index()].succs
    }
    fn preds(&self, b: MBlock) -> &[MBlock] {
        &self.blocks[b.index()].preds
    }
}

/// The dominator tree of a function.
#[derive(Default, Debug)]
pub(crate) struct Dominators {
    immediate: ImmediateDominators<MBlock>,
    /// The reachable blocks, in reverse postorder.
    order: Vec<MBlock>,
    /// For each of all blocks the immediate dominator. For the entry and unreachable blocks it is the block itself.
    above: Vec<MBlock>,
    /// Scratch: whether a block was found. The blocks on the current path, and the next successor of each.
    found: Vec<bool>,
    stack: Vec<(MBlock, u32)>,
}

impl Dominators {
    /// Computes the dominators, reusing the memory of the last function.
    pub(crate) fn recompute(&mut self, f: &MFunction) {
        self.immediate.recompute(f);
        self.above.clear();
        self.above.extend(f.block_ids());
        for (b, up) in self.immediate.iter() {
            self.above[b.index()] = up;
        }
        self.find_order(f);
    }
    fn find_order(&mut self, f: &MFunction) {
        self.order.clear();
        self.found.clear();
        self.found.resize(f.blocks.len(), false);
        self.stack.clear();
        self.stack.extend(f.root().map(|entry| (entry, 0)));
        self.found[0] = true;
        while let Some((b, next)) = self.stack.last_mut() {
            match f.succs(*b).get(*next as usize) {
                Some(s) => {
                    *next += 1;
                    if !std::mem::replace(&mut self.found[s.index()], true) {
                        self.stack.push((*s, 0));
                    }
                }
                None => {
                    self.order.push(*b);
                    self.stack.pop();
                }
            }
        }
        self.order.reverse();
    }
    /// Returns the reachable blocks, each with its immediate dominator, which comes before it; the entry comes first,
    /// with itself. In reverse, a block comes after its successors, except the targets of back edges.
    pub(crate) fn tree(&self) -> impl DoubleEndedIterator<Item = (MBlock, MBlock)> + '_ {
        self.order.iter().map(|b| (*b, self.above[b.index()]))
    }
}

/// Returns a function of blocks with these successors, for tests.
#[cfg(test)]
pub(crate) fn graph(succs: &[&[u32]]) -> MFunction {
    let mut f =
        MFunction { blocks: vec![super::MBlockData::default(); succs.len()], ..MFunction::new(&super::toy::TOY) };
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

    /// True if all paths from the entry to `b` lead through `a`: without `a`, `b` is not reached.
    fn dominates(f: &MFunction, a: u32, b: u32) -> bool {
        let (mut seen, mut work) = (vec![false; f.blocks.len()], vec![0]);
        while let Some(x) = work.pop() {
            if x != a && !std::mem::replace(&mut seen[x as usize], true) {
                work.extend(f.blocks[x as usize].succs.iter().map(|s| s.0));
            }
        }
        !seen[b as usize]
    }

    /// True if there is a path from the entry to `b`: the block that is left out does not exist.
    fn is_reached(f: &MFunction, b: u32) -> bool {
        !dominates(f, u32::MAX, b)
    }

    #[test]
    fn dominators_are_above_their_blocks() {
        let graphs: [&[&[u32]]; 5] = [
            &[&[1, 2], &[3], &[3], &[]],
            &[&[3], &[2, 1], &[], &[1]],
            // Irreducible: two edges into the cycle of 1 and 2.
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
                    // Every dominator of a block is the block itself, or dominates its immediate dominator.
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
