//! Step 4: phis with one entry become copies. Blocks that always follow each other become one.
//!
//! Blocks are visited in reverse postorder, so that the first block of a chain is met first and takes the others in one
//! by one: every instruction moves once.

use crate::edit::reads::reads_any;
use crate::pass::PassContext;
use crate::pass::remarks::Remarks;
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Cfg, EntitySet, Format, Function, Inst, InstData, Operand, Reg, SecondaryMap};

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct MergingScratch {
    /// The block that a block was appended to, as a block number + 1.
    merged_into: SecondaryMap<Block, u32>,
    order: Vec<Block>,
    phis: Vec<Inst>,
    assigned: EntitySet<Reg>,
}

impl MergingScratch {
    /// Runs the step on a function without unreachable blocks. Returns the number of blocks that were merged and the
    /// number of phis that became copies.
    pub fn run(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> (u64, u64) {
        let cfg = cx.analyses.cfg(f);
        self.order.clear();
        self.order.extend_from_slice(cfg.rpo());
        self.merged_into.reset(f.num_blocks());
        let (mut merged, mut copied) = (0, 0);
        for k in 0..self.order.len() {
            let b = self.order[k];
            if self.merged_into[b] != 0 {
                continue;
            }
            match *cfg.preds(b) {
                [_] => copied += self.replace_phis(f, b, cx.remarks),
                [p, q, ..] if cx.remarks.on() && cfg.preds(b).iter().any(|p| f.succs(*p) == [b]) => {
                    cx.remarks.missed(f, f.terminator(b), Event::NotJoined(p, q));
                }
                _ => {}
            }
            while let Some(s) = follower(f, cfg, b) {
                copied += self.replace_phis(f, s, cx.remarks);
                cx.remarks.done(f, f.terminator(b), Event::JumpRemoved(s));
                f.remove_inst(f.terminator(b));
                f.append_all_insts(b, s);
                f.remove_block(s);
                self.merged_into[s] = b.as_u32() + 1;
                merged += 1;
            }
        }
        if merged != 0 {
            self.rename_phi_preds(f);
        }
        cx.stats.add("blocks merged", merged);
        cx.stats.add("phis made copies", copied);
        (merged, copied)
    }

    /// Makes the phis of a block with one predecessor copies, or constants. They read all at once: if one reads a
    /// register that an earlier one assigns, which is impossible in SSA form, all are read into new registers first.
    fn replace_phis(&mut self, f: &mut Function, b: Block, remarks: &mut Remarks) -> u64 {
        let mut phis = std::mem::take(&mut self.phis);
        phis.clear();
        phis.extend(f.phis(b));
        if phis.is_empty() {
            self.phis = phis;
            return 0;
        }
        self.assigned.clear();
        let mut overlap = false;
        for &phi in &phis {
            overlap |= reads_any(f, phi, |r| self.assigned.contains(r));
            if let Some(r) = f.def(phi) {
                self.assigned.insert(r);
            }
        }
        let first = phis.first().copied();
        for &phi in &phis {
            let d = *f.inst(phi);
            let source = f.phi_entries(phi).next().map_or(Operand::NONE, |(_, o)| o);
            remarks.done(f, phi, Event::OneEntry((d.ty, source)));
            let Some((at, r)) = first.zip(d.result()).filter(|_| overlap) else {
                f.replace_inst(phi, InstData::move_of(d.ty, source).with_result(d.result()));
                continue;
            };
            let early = f.new_reg_like(r);
            f.insert_before_at(at, InstData::move_of(d.ty, source).with_result(early), f.debug_loc(phi));
            f.replace_inst(phi, InstData::move_of(d.ty, early.into()).with_result(d.result()));
        }
        let count = phis.len() as u64;
        self.phis = phis;
        count
    }

    /// Renames the predecessors that were appended to another block.
    fn rename_phi_preds(&self, f: &mut Function) {
        let mut at = f.layout().entry();
        while let Some(b) = at {
            at = f.layout().next_block(b);
            f.map_phi_preds(b, |p| match self.merged_into[p] {
                0 => p,
                into => Block::from_u32(into - 1),
            });
        }
    }
}

/// Returns the only successor of `b`, if `b` is its only predecessor.
fn follower(f: &Function, cfg: &Cfg, b: Block) -> Option<Block> {
    let &[s] = f.succs(b) else { return None };
    let jumps = f.inst(f.terminator(b)).op.format() == Format::Jump;
    // The entry has no predecessors, so it is never s.
    (jumps && s != b && cfg.preds(s).len() == 1).then_some(s)
}
