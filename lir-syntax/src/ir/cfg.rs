//! The control-flow graph of a function: predecessors and reverse postorder, as dense tables.

use super::{Block, EntityRef, EntitySet, Function, SecondaryMap};

/// Predecessors of each block and a reverse postorder of the reachable ones.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    /// Predecessors of block b are `preds[starts[b]..starts[b + 1]]`: distinct, in layout order of the predecessors.
    starts: Vec<u32>,
    preds: Vec<Block>,
    rpo: Vec<Block>,
    /// Position in `rpo`; `u32::MAX` for unreachable blocks.
    order: SecondaryMap<Block, u32>,
}

impl Cfg {
    /// Computes both. Linear in blocks and edges; no recursion.
    pub fn new(f: &Function) -> Cfg {
        let n = f.num_blocks();
        let mut starts = vec![0u32; n + 1];
        let mut last_seen = vec![u32::MAX; n];
        let mut each_edge = |visit: &mut dyn FnMut(Block, Block)| {
            last_seen.fill(u32::MAX);
            for b in f.layout().blocks() {
                for &s in f.succs(b) {
                    if std::mem::replace(&mut last_seen[s.index()], b.as_u32()) != b.as_u32() {
                        visit(b, s);
                    }
                }
            }
        };
        each_edge(&mut |_, s| starts[s.index() + 1] += 1);
        for k in 0..n {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut preds = vec![Block::new(0); starts[n] as usize];
        each_edge(&mut |b, s| {
            preds[next[s.index()] as usize] = b;
            next[s.index()] += 1;
        });
        let rpo = reverse_postorder(f);
        let mut order = SecondaryMap::with_len(u32::MAX, n);
        for (k, &b) in rpo.iter().enumerate() {
            order[b] = k as u32;
        }
        Cfg { starts, preds, rpo, order }
    }
    /// The distinct predecessors of a block, unreachable ones included, in layout order.
    #[inline]
    pub fn preds(&self, b: Block) -> &[Block] {
        &self.preds[self.starts[b.index()] as usize..self.starts[b.index() + 1] as usize]
    }
    /// The reachable blocks, the entry first, every block before its successors except along back edges.
    #[inline]
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }
    /// The position of a block in [`Cfg::rpo`], none where it is unreachable.
    #[inline]
    pub fn rpo_index(&self, b: Block) -> Option<usize> {
        let k = self.order[b];
        (k != u32::MAX).then_some(k as usize)
    }
    /// Whether a path from the entry leads to `b`.
    #[inline]
    pub fn is_reachable(&self, b: Block) -> bool {
        self.order[b] != u32::MAX
    }
}

fn reverse_postorder(f: &Function) -> Vec<Block> {
    let Some(entry) = f.layout().entry() else { return Vec::new() };
    let mut seen = EntitySet::new();
    let mut post = Vec::with_capacity(f.num_blocks());
    // The second field counts the successors already visited. Successors are visited last to first, so that the
    // first one comes first in the reversed order.
    let mut stack = vec![(entry, f.succs(entry).len())];
    seen.insert(entry);
    while let Some((b, left)) = stack.last_mut() {
        if *left == 0 {
            post.push(*b);
            stack.pop();
        } else {
            *left -= 1;
            let s = f.succs(*b)[*left];
            if seen.insert(s) {
                stack.push((s, f.succs(s).len()));
            }
        }
    }
    post.reverse();
    post
}
