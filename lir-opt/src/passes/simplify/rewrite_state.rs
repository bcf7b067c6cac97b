//! The notes that are kept while instructions are rewritten.

use super::bytes::ByteTable;
use super::matcher::Match;
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{Block, EntityRef, Function, Inst};
use std::collections::BTreeMap;

/// An instruction that was appended.
#[derive(Copy, Clone)]
pub(super) struct Appended {
    pub inst: Inst,
    /// The first instruction that may have been made for it.
    pub first_made: Inst,
}

impl Appended {
    /// Returns an instruction for which nothing was made yet.
    pub fn new(f: &Function, inst: Inst) -> Appended {
        Appended { inst, first_made: Inst::new(f.num_insts()) }
    }
}

/// The notes of one run over a function; their memory is kept.
pub(super) struct RewriteState {
    /// The memory for matches. It is taken out while one is applied.
    pub m: Option<Box<Match>>,
    /// Instructions to visit before the walk continues.
    pub work: Vec<Inst>,
    /// Instructions that a rule marked `=>+` matches.
    pub late: Vec<Inst>,
    /// Values that are composed of bytes.
    pub bytes: ByteTable,
    /// Branches that always take one target, and that target.
    pub decided: Vec<(Block, Block)>,
    /// Blocks that lost an edge.
    pub cut: Vec<Block>,
    /// An instruction in no block, for operations that are only tried.
    pub nowhere: Option<Inst>,
    /// For remarks: the first rule that did not pay for an instruction since it was rewritten.
    pub refused: BTreeMap<Inst, Event<'static>>,
}

impl Default for RewriteState {
    fn default() -> RewriteState {
        RewriteState {
            m: Some(Box::default()),
            work: Vec::new(),
            late: Vec::new(),
            bytes: ByteTable::default(),
            decided: Vec::new(),
            cut: Vec::new(),
            nowhere: None,
            refused: BTreeMap::new(),
        }
    }
}

impl RewriteState {
    /// Forgets the function before.
    pub(crate) fn clear(&mut self) {
        self.work.clear();
        self.late.clear();
        self.bytes.clear();
        self.decided.clear();
        self.nowhere = None;
        self.refused.clear();
    }
    /// Removes the edges that are never taken, and notes the blocks that lost one. Returns whether there were any.
    pub(crate) fn apply_decisions(&mut self, f: &mut Function) -> bool {
        let any = !self.decided.is_empty();
        for (b, target) in self.decided.drain(..) {
            self.cut.extend(f.succs(b).iter().filter(|s| **s != target));
            f.set_succs(b, &[target]);
        }
        any
    }
}
