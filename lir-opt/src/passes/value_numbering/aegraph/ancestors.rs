//! Nearest common dominators in logarithmic time.
//!
//! Each block has a jump pointer in addition to its immediate dominator, so that any ancestor is reached in a
//! logarithmic number of steps, at a constant cost for each block.
//!
//! Source: E. W. Myers, "An Applicative Random-Access Stack", Information Processing Letters 17(5), 1983.

use lir_syntax::ir::{Block, DominatorTree, SecondaryMap};

/// The dominator tree with depths and jumps.
#[derive(Default)]
pub(super) struct Ancestors {
    of: SecondaryMap<Block, Steps>,
}

#[derive(Copy, Clone, Default)]
struct Steps {
    depth: u32,
    /// The immediate dominator, and one further up; both the block itself at the root.
    up: Option<Block>,
    jump: Option<Block>,
}

impl Ancestors {
    /// Finds the jumps of a tree.
    pub fn reset(&mut self, blocks: usize, dom: &DominatorTree) {
        self.of.reset(blocks);
        for &b in dom.preorder() {
            self.of[b] = match dom.idom(b) {
                None => Steps { depth: 0, up: None, jump: None },
                Some(up) => {
                    let near = self.of[up];
                    let far = near.jump.map(|j| (j, self.of[j]));
                    let even = far.filter(|(_, far)| near.depth - far.depth == far.depth - self.jump_depth(*far));
                    let jump = even.map_or(up, |(j, far)| far.jump.unwrap_or(j));
                    Steps { depth: near.depth + 1, up: Some(up), jump: Some(jump) }
                }
            };
        }
    }
    fn jump_depth(&self, steps: Steps) -> u32 {
        steps.jump.map_or(steps.depth, |j| self.of[j].depth)
    }
    /// Returns the number of dominators of a block.
    pub fn depth(&self, b: Block) -> u32 {
        self.of[b].depth
    }
    /// Returns the lowest block that dominates both.
    pub fn common(&self, mut a: Block, mut b: Block) -> Block {
        if self.depth(a) > self.depth(b) {
            std::mem::swap(&mut a, &mut b);
        }
        while self.depth(b) > self.depth(a) {
            let steps = self.of[b];
            let jump = steps.jump.filter(|j| self.depth(*j) >= self.depth(a));
            b = jump.or(steps.up).expect("it is deeper than another block");
        }
        while a != b {
            let (x, y) = (self.of[a], self.of[b]);
            // Jumps depend on the depth alone, so both are as long.
            (a, b) = match (x.jump, y.jump) {
                (Some(p), Some(q)) if p != q => (p, q),
                _ => (x.up.expect("the root dominates all"), y.up.expect("the root dominates all")),
            };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{Cfg, EntityRef, Function, NameRef, Sym};

    #[test]
    fn common_dominators_are_those_of_a_walk() {
        let mut f = Function::new(Sym::new(0));
        let n = 400;
        (0..n).for_each(|_| _ = f.append_new_block(NameRef::NONE));
        // A tree: each block but the first has one predecessor, near or far.
        let parent = |k: usize| if k.is_multiple_of(7) { k / 2 } else { k - 1 };
        for p in 0..n {
            let succs: Vec<Block> = (1..n).filter(|k| parent(*k) == p).map(Block::new).collect();
            f.set_succs(Block::new(p), &succs);
        }
        let dom = DominatorTree::new(&f, &Cfg::new(&f));
        let mut ancestors = Ancestors::default();
        ancestors.reset(n, &dom);
        for a in (0..n).step_by(3).map(Block::new) {
            for b in (0..n).step_by(5).map(Block::new) {
                let mut up = Some(a);
                while let Some(x) = up.filter(|x| !dom.dominates(*x, b)) {
                    up = dom.idom(x);
                }
                assert_eq!(Some(ancestors.common(a, b)), up, "{a:?} {b:?}");
            }
        }
    }
}
