//! Straight-line traces.
//!
//! A trace is a path of blocks each of which is the only predecessor of the next. If a block leads to several such
//! blocks, the path continues to the first that does not end the function, since guards leave a trace to blocks that
//! do.

use lir_syntax::ir::{Block, Cfg, Function, SecondaryMap};

/// The traces of a function.
pub(crate) struct Traces {
    /// The reachable blocks, trace after trace. The dominators of a block precede it.
    blocks: Vec<Block>,
    /// For each block its trace, by number.
    trace: SecondaryMap<Block, u32>,
}

impl Traces {
    /// Finds them.
    pub(crate) fn new(f: &Function, cfg: &Cfg) -> Traces {
        let trace = SecondaryMap::with_len(u32::MAX, f.num_blocks());
        let mut traces = Traces { blocks: Vec::new(), trace };
        let mut count = 0;
        for &head in cfg.rpo() {
            let mut next = (traces.trace[head] == u32::MAX).then_some(head);
            count += u32::from(next.is_some());
            while let Some(b) = next {
                traces.trace[b] = count - 1;
                traces.blocks.push(b);
                next = continuation(f, cfg, b);
            }
        }
        traces
    }
    /// Returns the reachable blocks, trace after trace.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    /// Returns the number of a block's trace; none if it is not reachable.
    #[cfg(feature = "cli")]
    pub(super) fn of(&self, b: Block) -> Option<u32> {
        Some(self.trace[b]).filter(|trace| *trace != u32::MAX)
    }
    /// True if the block at a position of [`Traces::blocks`] continues the trace of the previous one.
    pub(crate) fn continues(&self, at: usize) -> bool {
        at > 0 && self.trace[self.blocks[at]] == self.trace[self.blocks[at - 1]]
    }
}

/// Returns the block that continues a trace.
fn continuation(f: &Function, cfg: &Cfg, b: Block) -> Option<Block> {
    let may_follow = |s: &Block| *s != f.entry() && cfg.preds(*s) == [b];
    let mut all = f.succs(b).iter().copied().filter(may_follow);
    let first = all.next()?;
    let goes_on = |s: &Block| !f.succs(*s).is_empty();
    Some(std::iter::once(first).chain(all).find(goes_on).unwrap_or(first))
}
