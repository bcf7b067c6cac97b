//! A forest that can be climbed in logarithmic time.
//!
//! Besides its parent, each node stores an ancestor farther up, at distances that follow the skew-binary numbers (E. W.
//! Myers, "An applicative random-access stack", IPL 17, 1983).

/// No node.
const NONE: u32 = u32::MAX;

/// A forest. Its nodes are numbered in the order in which they were added.
#[derive(Default, Debug)]
pub struct Forest {
    nodes: Vec<Node>,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    parent: u32,
    jump: u32,
    /// Number of its ancestors, itself included.
    height: u32,
}

impl Forest {
    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }
    /// Adds a node under one that was added before, or under none (`u32::MAX`).
    #[inline]
    pub fn push(&mut self, parent: u32) {
        let height = |node: u32| self.nodes.get(node as usize).map_or(0, |n| n.height);
        let jump = |node: u32| self.nodes.get(node as usize).map_or(NONE, |n| n.jump);
        let (one, two) = (jump(parent), jump(jump(parent)));
        let even = height(parent) - height(one) == height(one) - height(two);
        let jump = if even && parent != NONE { two } else { parent };
        let height = height(parent) + 1;
        self.nodes.push(Node { parent, jump, height });
    }
    /// Returns the parent of a node; `u32::MAX` if it is a root.
    #[inline]
    pub fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }
    /// Returns the highest of a node and its ancestors for which `holds` is true. If it holds for a node, it must hold
    /// for the descendants of that node.
    #[inline(always)]
    pub fn highest(&self, node: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
        let up = |node: u32| node != NONE && holds(node);
        if !up(node) {
            return None;
        }
        let mut at = node;
        loop {
            let Node { parent, jump, .. } = self.nodes[at as usize];
            at = match () {
                () if up(jump) => jump,
                () if up(parent) => parent,
                () => return Some(at),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forests_are_climbed_to_the_highest_node_that_fits() {
        let mut forest = Forest::default();
        for b in 0..1000 {
            forest.push(if b % 100 == 0 { NONE } else { b - 1 });
        }
        for (from, least) in [(999, 900), (999, 950), (999, 999), (57, 3), (57, 57), (400, 400)] {
            assert_eq!(forest.highest(from, |b| b >= least), Some(least));
        }
        assert_eq!(forest.highest(5, |b| b > 5), None);
        assert_eq!(forest.highest(555, |_| true), Some(500));
    }
}
