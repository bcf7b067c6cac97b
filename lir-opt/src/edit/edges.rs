//! Redirects edges, and keeps phis in agreement with them.

use lir_syntax::ir::{Block, Cfg, EntitySet, Function, InstData, Opcode, PackedOption, SecondaryMap};

/// Edges to redirect. Edges of blocks with many successors are redirected together at the end, since one by one they
/// would cost the square of their number. Phis are not touched.
#[derive(Default)]
pub(crate) struct Redirects {
    /// The source, the target, and the new target.
    deferred: Vec<(Block, Block, Block)>,
    /// The new target of each target, for the current source.
    new_target: SecondaryMap<Block, PackedOption<Block>>,
}

impl Redirects {
    /// Makes every edge from `from` to `old` go to `new`, at once or in [`Redirects::finish`]. Each edge is redirected
    /// once before that. Returns whether it was done at once.
    pub(crate) fn redirect(&mut self, f: &mut Function, from: Block, old: Block, new: Block) -> bool {
        let at_once = f.succs(from).len() <= 2;
        if at_once {
            f.redirect_edge(from, old, new);
        } else {
            self.deferred.push((from, old, new));
        }
        at_once
    }
    /// Redirects the remaining edges.
    pub(crate) fn finish(&mut self, f: &mut Function) {
        self.finish_each(f, |_, _| {});
    }
    /// Redirects the remaining edges, and visits each source.
    pub(crate) fn finish_each(&mut self, f: &mut Function, mut visit: impl FnMut(&mut Function, Block)) {
        // Brings the edges of one source together; the outcome does not depend on the order.
        self.deferred.sort_unstable();
        for edges in self.deferred.chunk_by(|x, y| x.0 == y.0) {
            for &(_, old, new) in edges {
                self.new_target[old] = new.into();
            }
            let from = edges[0].0;
            let target = |s: &Block| self.new_target[*s].expand().unwrap_or(*s);
            let targets: Vec<Block> = f.succs(from).iter().map(target).collect();
            f.set_succs(from, &targets);
            for &(_, old, _) in edges {
                self.new_target[old] = PackedOption::NONE;
            }
            visit(f, from);
        }
        self.deferred.clear();
    }
}

/// Removes stale entries from the phis of `targets`, which lost edges. Entries of blocks that are no longer
/// predecessors are stale. `cfg` is the current graph of the function; `targets` may name a block more than once, and
/// is left empty. A phi without entries, in a block without predecessors, becomes `const 0`. Linear in the predecessors
/// of the targets.
pub fn drop_stale_phi_entries(f: &mut Function, cfg: &Cfg, targets: &mut Vec<Block>) {
    targets.sort_unstable();
    targets.dedup();
    let mut preds = EntitySet::new();
    for b in targets.drain(..) {
        if f.phis(b).next().is_none() {
            continue;
        }
        preds.extend(cfg.preds(b).iter().copied());
        f.retain_phi_preds(b, |p| preds.contains(p));
        cfg.preds(b).iter().for_each(|p| _ = preds.remove(*p));
        if cfg.preds(b).is_empty() {
            replace_phis_by_zero(f, b);
        }
    }
}

/// Makes the phis of a block that nothing leads to constants. A phi must have an entry.
pub(crate) fn replace_phis_by_zero(f: &mut Function, b: Block) {
    let body = f.layout().insts(b).find(|i| f.inst(*i).op != Opcode::Phi).expect("a block ends in a terminator");
    while let Some(phi) = f.layout().first_inst(b).filter(|i| f.inst(*i).op == Opcode::Phi) {
        let d = *f.inst(phi);
        let zero = f.make_typed_const(d.ty, 0);
        f.insert_before_at(body, InstData::move_of(d.ty, zero).with_result(d.result()), f.debug_loc(phi));
        f.remove_inst(phi);
    }
}
