//! Step 2: deletes loops that do nothing, and end.

use super::InductionScratch;
use crate::analysis::effects::is_removable;
use crate::analysis::loops::induction::{LoopContext, Sign};
use crate::pass::remarks::Remarks;
use crate::passes::indvars::events::Event;
use lir_syntax::ir::{Block, Decls, EntitySet, Function, Inst, Operand};

/// A loop that can be removed: the edge from its preheader is redirected to its exit.
pub(super) struct Deletion {
    pub(super) preheader: Block,
    pub(super) header: Block,
    /// The block that all edges out of the loop lead to, and only they. The entries of its phis agree.
    pub(super) exit: Block,
}

impl InductionScratch {
    /// Finds innermost loops to delete: they have no visible effect, their values are not read outside, they are left
    /// for one block alone, and they end, since a variable of theirs grows towards a bound that is tested in each
    /// iteration.
    pub(super) fn find_deletions(
        &mut self,
        cx: &LoopContext<'_>,
        decls: &Decls,
        remarks: &mut Remarks,
    ) -> Vec<Deletion> {
        let mut found: Vec<Deletion> = Vec::new();
        for of_header in self.variables.chunk_by(|a, b| a.0.header == b.0.header) {
            let shape = of_header[0].0;
            let blocks = cx.nest.own_blocks(shape.header);
            // A cycle that is entered at two blocks may be endless.
            let is_still = |b: &Block| {
                let reducible = !cx.forest.is_irreducible_entry(*b);
                let mut insts = cx.f.layout().insts(*b);
                reducible && insts.all(|i| is_removable(decls, cx.f, i) || cx.f.inst(i).op.is_terminator())
            };
            if cx.nest.size(shape.header) != blocks.len() || !blocks.iter().all(is_still) {
                continue;
            }
            let signs = [Sign::Signed, Sign::Unsigned];
            let ends = || {
                of_header.iter().any(|(_, iv)| {
                    blocks
                        .iter()
                        .filter_map(|b| cx.test(&shape, iv, *b))
                        .filter(|t| cx.dom.dominates(t.block, shape.latch))
                        .any(|t| signs.iter().any(|sign| cx.proves_no_overflow(&shape, iv, &t, *sign)))
                })
            };
            let exit = only_exit(cx, shape.header);
            let ends = exit.is_some() && ends();
            if let Some(exit) = exit.filter(|_| ends) {
                found.push(Deletion { preheader: shape.preheader, header: shape.header, exit });
                continue;
            }
            let event = if exit.is_none() { Event::ExitsDiffer } else { Event::MayNotEnd };
            remarks.missed(cx.f, cx.f.terminator(shape.header), event);
        }
        if !found.is_empty() {
            let mut headers = EntitySet::new();
            found.iter().for_each(|d| _ = headers.insert(d.header));
            // A phi entry in an exit counts as read there: the values of the loop are removed.
            let read = cx.read_outside(&headers, |_, exit| exit);
            let assigns_read = |d: &Deletion| {
                let blocks = cx.nest.own_blocks(d.header).iter();
                blocks.flat_map(|b| cx.f.layout().insts(*b)).filter_map(|i| cx.f.def(i)).any(|r| read.contains(r))
            };
            found.retain(|d| {
                let read = assigns_read(d);
                if read {
                    remarks.missed(cx.f, cx.f.terminator(d.header), Event::LoopValuesAreRead);
                }
                !read
            });
        }
        found
    }
}

/// Returns the only block that the edges out of a loop lead to. None if others lead to it or the entries of a phi
/// differ.
fn only_exit(cx: &LoopContext<'_>, header: Block) -> Option<Block> {
    let outside = |b: &Block| !cx.nest.contains(header, *b);
    let mut exits = cx.nest.own_blocks(header).iter().flat_map(|b| cx.f.succs(*b)).copied().filter(outside);
    let exit = exits.next()?;
    let agree = |phi: Inst| {
        let mut entries = cx.f.phi_entries(phi).map(|(_, o)| o);
        let first: Option<Operand> = entries.next();
        entries.all(|o| Some(o) == first)
    };
    let alone = exits.all(|b| b == exit) && !cx.cfg.preds(exit).iter().any(outside);
    (alone && cx.f.phis(exit).all(agree)).then_some(exit)
}

/// Makes the preheader bypass a loop. The blocks of the loop remain, unreachable.
pub(super) fn delete(f: &mut Function, d: &Deletion) {
    f.redirect_edge(d.preheader, d.header, d.exit);
    f.remove_phi_pred(d.header, d.preheader);
    let phis: Vec<Inst> = f.phis(d.exit).collect();
    for phi in phis {
        let mut entries: Vec<(Block, Operand)> = f.phi_entries(phi).collect();
        entries.push((d.preheader, entries[0].1));
        f.set_phi_entries(phi, &entries);
    }
}
