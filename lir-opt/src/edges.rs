//! Keeping phis in step with edges.

use lir_syntax::ir::{Block, Cfg, EntitySet, Function, InstData, Opcode};

/// Removes from the phis of `targets`, which lost edges, the entries of blocks that are no predecessors any more. `cfg`
/// is that of the function as it is now; `targets` may name a block more than once, and is left empty. A phi without
/// entries, in a block that nothing leads to, becomes `const 0`. Linear in the predecessors of the targets.
pub(crate) fn drop_stale_phi_entries(f: &mut Function, cfg: &Cfg, targets: &mut Vec<Block>) {
    targets.sort_unstable();
    targets.dedup();
    let mut preds = EntitySet::new();
    for b in targets.drain(..) {
        if f.phis(b).next().is_none() {
            continue;
        }
        for &p in cfg.preds(b) {
            preds.insert(p);
        }
        f.retain_phi_preds(b, |p| preds.contains(p));
        for &p in cfg.preds(b) {
            preds.remove(p);
        }
        if cfg.preds(b).is_empty() {
            replace_phis_by_zero(f, b);
        }
    }
}

/// Makes every phi of a block that nothing leads to a constant, for a phi has an entry.
fn replace_phis_by_zero(f: &mut Function, b: Block) {
    let body = f.layout().insts(b).find(|i| f.inst(*i).op != Opcode::Phi).expect("a block ends in a terminator");
    while let Some(phi) = f.layout().first_inst(b).filter(|i| f.inst(*i).op == Opcode::Phi) {
        let d = *f.inst(phi);
        let zero = f.make_typed_const(d.ty, 0);
        f.insert_before(body, InstData { dst: d.dst, a: zero, ..InstData::new(Opcode::Const, d.ty) });
        f.remove_inst(phi);
    }
}
