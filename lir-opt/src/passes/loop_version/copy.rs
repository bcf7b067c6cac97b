//! Step 2: the copy of a loop.

use super::Version;
use super::guard::Guard;
use crate::analysis::loops::nest::LoopNest;
use crate::edit::blocks::{block_like, copy_insts, jump_block, phi_of_copy};
use crate::edit::new_preds::NewPreds;
use lir_syntax::ir::{Block, Function, PackedOption, SecondaryMap};

/// Copies loops.
#[derive(Default)]
pub(super) struct Copier {
    copy_of: SecondaryMap<Block, PackedOption<Block>>,
    targets: Vec<Block>,
    /// Edges of copies to the blocks after the loops.
    exits: NewPreds,
}

impl Copier {
    /// Copies the loops. `nest` has their blocks.
    pub(super) fn copy_all(f: &mut Function, nest: &LoopNest, versions: &[Version]) {
        let mut copier = Copier::default();
        copier.copy_of.reset(f.num_blocks());
        for version in versions {
            copier.copy(f, nest.own_blocks(version.shape.header), version);
        }
        copier.exits.finish(f);
    }
    /// Copies a loop of these blocks.
    fn copy(&mut self, f: &mut Function, blocks: &[Block], version: &Version) {
        let shape = version.shape;
        let mut last = shape.latch;
        for &b in blocks {
            last = block_like(f, b, last);
            self.copy_of[b] = last.into();
        }
        for &b in blocks {
            self.copy_block(f, b);
        }
        let (before, copy) = (shape.preheader, self.copy_of(shape.header));
        let mut from = before;
        for branch in Guard::new(f, f.terminator(before), version.ty).apply(version) {
            let jump = f.terminator(from);
            let to = jump_block(f, before, from, shape.header, f.debug_loc(jump));
            f.map_phi_preds(shape.header, |p| if p == from { to } else { p });
            f.replace_inst(jump, branch);
            f.set_succs(from, &[copy, to]);
            if from != before {
                f.add_phi_pred_like(copy, before, from);
            }
            from = to;
        }
        for &b in blocks {
            self.copy_of[b] = PackedOption::NONE;
        }
    }
    /// Returns the copy of a block of the loop; another one itself.
    fn copy_of(&self, b: Block) -> Block {
        self.copy_of[b].expand().unwrap_or(b)
    }
    /// Makes the instructions of a copy.
    fn copy_block(&mut self, f: &mut Function, b: Block) {
        let copy = self.copy_of(b);
        copy_insts(f, b, copy, |f, i| Some(phi_of_copy(f, i, |p| Some(self.copy_of(p)))), |_, _, _| {});
        self.targets.clear();
        self.targets.extend_from_slice(f.succs(b));
        for k in 0..self.targets.len() {
            let target = self.targets[k];
            match self.copy_of[target].expand() {
                Some(inside) => self.targets[k] = inside,
                None if self.targets[..k].contains(&target) => {}
                None => self.exits.add(target, copy, b),
            }
        }
        f.set_succs(copy, &self.targets);
    }
}
