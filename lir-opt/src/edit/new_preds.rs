//! Adds the phi entries for new predecessors of blocks, for all of them at once.
//!
//! A phi of a block where many loops end gets an entry for each of their copies. One at a time, every entry would copy
//! the list of the previous ones.

use lir_syntax::ir::{Block, Format, Function, Operand, SecondaryMap};

/// Edges whose targets have no phi entries for them yet.
#[derive(Default)]
pub(crate) struct NewPreds {
    added: Vec<NewPred>,
    /// The operand of the current phi for each predecessor.
    operands: SecondaryMap<Block, Operand>,
    entries: Vec<(Block, Operand)>,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct NewPred {
    block: Block,
    pred: Block,
    like: Block,
}

impl NewPreds {
    /// Notes that `pred` leads to a block now. The phis get the operands that they have for its predecessor `like`.
    pub(crate) fn add(&mut self, block: Block, pred: Block, like: Block) {
        self.added.push(NewPred { block, pred, like });
    }
    /// Gives the phis their entries.
    pub(crate) fn finish(&mut self, f: &mut Function) {
        self.finish_with(f, |_, o| o);
    }
    /// The same, with the operand that `value` returns for a new predecessor.
    pub(crate) fn finish_with(&mut self, f: &mut Function, value: impl Fn(Block, Operand) -> Operand) {
        self.added.sort_unstable();
        self.added.dedup();
        for of_block in self.added.chunk_by(|x, y| x.block == y.block) {
            let mut next = f.layout().first_inst(of_block[0].block);
            while let Some(phi) = next.filter(|i| f.inst(*i).op.format() == Format::Phi) {
                next = f.layout().next_inst(phi);
                self.entries.clear();
                self.entries.extend(f.phi_entries(phi));
                for &(p, o) in &self.entries {
                    self.operands[p] = o;
                }
                self.entries.extend(of_block.iter().map(|new| (new.pred, value(new.pred, self.operands[new.like]))));
                f.set_phi_entries(phi, &self.entries);
            }
        }
        self.added.clear();
    }
}
