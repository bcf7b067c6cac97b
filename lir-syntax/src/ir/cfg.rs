//! The control-flow graph of a function: predecessors and reverse postorder, as dense tables.

use super::{Block, EntityRef, EntitySet, Function, SecondaryMap};

/// Predecessors of each block and a reverse postorder of the reachable ones.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Predecessors of block b are `preds[starts[b]..starts[b + 1]]`: distinct, in layout order of the predecessors.
    starts: Vec<u32>,
    preds: Vec<Block>,
    rpo: Vec<Block>,
    /// Position in `rpo`; `u32::MAX` for unreachable blocks.
    order: SecondaryMap<Block, u32>,
    /// Scratch: the blocks that the depth-first search is in, each with the number of successors left to visit.
    path: Vec<(Block, u32)>,
}

impl Default for Cfg {
    /// Returns the graph of a function without blocks.
    fn default() -> Cfg {
        Cfg {
            starts: Vec::new(),
            preds: Vec::new(),
            rpo: Vec::new(),
            order: SecondaryMap::with_default(u32::MAX),
            path: Vec::new(),
        }
    }
}

impl Cfg {
    /// Computes both. Linear in blocks and edges; no recursion.
    pub fn new(f: &Function) -> Cfg {
        let mut cfg = Cfg::default();
        cfg.recompute(f);
        cfg
    }
    /// Computes both anew, in the memory of the last graph.
    pub fn recompute(&mut self, f: &Function) {
        self.find_preds(f);
        self.find_reverse_postorder(f);
    }
    /// Counts the edges into each block, then fills in the sources, the last first.
    fn find_preds(&mut self, f: &Function) {
        let n = f.num_blocks();
        self.starts.clear();
        self.starts.resize(n + 1, 0);
        self.order.reset(n);
        for b in f.layout().blocks() {
            for_each_distinct(b, f.succs(b), &mut self.order, |s| self.starts[s.index()] += 1);
        }
        let mut sum = 0;
        for end in &mut self.starts {
            sum += *end;
            *end = sum;
        }
        self.preds.clear();
        self.preds.resize(sum as usize, Block::new(0));
        self.order.reset(n);
        for b in std::iter::successors(f.layout().last_block(), |b| f.layout().prev_block(*b)) {
            for_each_distinct(b, f.succs(b), &mut self.order, |s| {
                let at = &mut self.starts[s.index()];
                *at -= 1;
                self.preds[*at as usize] = b;
            });
        }
    }
    fn find_reverse_postorder(&mut self, f: &Function) {
        self.rpo.clear();
        self.order.reset(f.num_blocks());
        let Some(entry) = f.layout().entry() else { return };
        // Successors are visited last to first, so that the first one comes first in the reversed order.
        self.path.push((entry, f.succs(entry).len() as u32));
        self.order[entry] = 0;
        while let Some((b, left)) = self.path.last_mut() {
            if *left == 0 {
                self.rpo.push(*b);
                self.path.pop();
            } else {
                *left -= 1;
                let s = f.succs(*b)[*left as usize];
                if self.order[s] == u32::MAX {
                    self.order[s] = 0;
                    self.path.push((s, f.succs(s).len() as u32));
                }
            }
        }
        self.rpo.reverse();
        for (k, &b) in self.rpo.iter().enumerate() {
            self.order[b] = k as u32;
        }
    }
    /// Returns the distinct predecessors of a block, unreachable ones included, in layout order.
    #[inline]
    pub fn preds(&self, b: Block) -> &[Block] {
        &self.preds[self.starts[b.index()] as usize..self.starts[b.index() + 1] as usize]
    }
    /// Returns the reachable blocks, the entry first, every block before its successors except along back edges.
    #[inline]
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }
    /// Returns the position of a block in [`Cfg::rpo`], none if it is unreachable.
    #[inline]
    pub fn rpo_index(&self, b: Block) -> Option<usize> {
        let k = self.order[b];
        (k != u32::MAX).then_some(k as usize)
    }
    /// True if no path leads in a cycle.
    pub fn is_acyclic(&self, f: &Function) -> bool {
        // An edge that does not lead forward in reverse postorder closes a cycle.
        self.rpo.iter().all(|b| f.succs(*b).iter().all(|s| self.order[*s] > self.order[*b]))
    }
    /// Returns the reachable blocks from which a path leads back to them, also through a cycle with several entries.
    ///
    /// By Kosaraju's algorithm: the first block in reverse postorder that is in no component yet is in one with the
    /// blocks in none from which paths lead to it.
    pub fn blocks_in_cycles(&self, f: &Function) -> EntitySet<Block> {
        let (mut taken, mut in_cycles) = (EntitySet::new(), EntitySet::new());
        let mut component = Vec::new();
        for &first in &self.rpo {
            if !taken.insert(first) {
                continue;
            }
            component.clear();
            component.push(first);
            let mut next = 0;
            while let Some(&b) = component.get(next) {
                next += 1;
                component.extend(self.preds(b).iter().filter(|p| self.is_reachable(**p) && taken.insert(**p)));
            }
            if component.len() > 1 || f.succs(first).contains(&first) {
                in_cycles.extend(component.iter().copied());
            }
        }
        in_cycles
    }
    /// True if a path from the entry leads to `b`.
    #[inline]
    pub fn is_reachable(&self, b: Block) -> bool {
        self.order[b] != u32::MAX
    }
}

/// Visits the successors of `b`, each once. `seen` holds for each block the last `b` it was visited for.
#[inline]
fn for_each_distinct(b: Block, succs: &[Block], seen: &mut SecondaryMap<Block, u32>, mut visit: impl FnMut(Block)) {
    match *succs {
        [] => {}
        [s] => visit(s),
        [s, t] => {
            visit(s);
            if s != t {
                visit(t);
            }
        }
        _ => {
            for &s in succs {
                if std::mem::replace(&mut seen[s], b.as_u32()) != b.as_u32() {
                    visit(s);
                }
            }
        }
    }
}
