//! Kinds that make the control flow of functions simpler.

use super::cut::{drop_unreached, end_in_return, reachable};
use super::kind::Ask;
use crate::document::Document;
use lir_syntax::ir::{
    Block, Cfg, EntityRef, EntitySet, Format, Function, Inst, InstData, Opcode, Operand, SecondaryMap, Type,
};

/// Ends each block that has successors with a return of 0.
pub(super) fn returns(document: &mut Document, ask: &mut Ask<'_>) {
    let decls = &document.module.decls;
    for f in document.module.funcs.as_mut_slice() {
        change_edges(f, |f, b| {
            if !f.succs(b).is_empty() && ask.drops() {
                end_in_return(decls, f, b);
            }
        });
    }
}

/// Makes each terminator with several targets a jump to the first.
pub(super) fn first_target(document: &mut Document, ask: &mut Ask<'_>) {
    jump_instead(document, ask, |succs| succs.first().copied());
}

/// Makes each terminator with several targets a jump to the last.
pub(super) fn last_target(document: &mut Document, ask: &mut Ask<'_>) {
    jump_instead(document, ask, |succs| succs.last().copied());
}

fn jump_instead(document: &mut Document, ask: &mut Ask<'_>, choose: impl Fn(&[Block]) -> Option<Block>) {
    for f in document.module.funcs.as_mut_slice() {
        change_edges(f, |f, b| {
            let last = f.terminator(b);
            let branches = f.inst(last).op.format() != Format::Jump;
            if let Some(target) = choose(f.succs(b)).filter(|_| branches)
                && ask.drops()
            {
                f.replace_inst(last, InstData::new(Opcode::Jmp, Type::I64));
                f.set_succs(b, &[target]);
            }
        });
    }
}

/// Removes each case of each switch.
pub(super) fn switch_cases(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        change_edges(f, |f, b| {
            let last = f.terminator(b);
            if f.inst(last).op.format() != Format::Switch {
                return;
            }
            let cases: Vec<(Operand, Block)> = f.switch_cases(last).zip(f.succs(b)[1..].iter().copied()).collect();
            let kept: Vec<(Operand, Block)> = cases.iter().copied().filter(|_| !ask.drops()).collect();
            if kept.len() < cases.len() {
                let values: Vec<Operand> = kept.iter().map(|c| c.0).collect();
                let list = f.make_cases(&values);
                f.replace_inst(last, f.inst(last).with_list(list));
                let targets: Vec<Block> = std::iter::once(f.succs(b)[0]).chain(kept.iter().map(|c| c.1)).collect();
                f.set_succs(b, &targets);
            }
        });
    }
}

/// Calls `change` for each block, and then removes the blocks that became unreachable.
fn change_edges(f: &mut Function, mut change: impl FnMut(&mut Function, Block)) {
    let before = reachable(f);
    let stamp = f.cfg_stamp();
    let blocks: Vec<Block> = f.layout().blocks().collect();
    for b in blocks {
        change(f, b);
    }
    if f.cfg_stamp() != stamp {
        drop_unreached(f, &before);
    }
}

/// Removes each unreachable block.
pub(super) fn unreachable(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let reached = reachable(f);
        let blocks: Vec<Block> = f.layout().blocks().filter(|b| !reached.contains(*b)).collect();
        let stamp = f.cfg_stamp();
        for b in blocks {
            if ask.drops() {
                f.remove_block(b);
            }
        }
        if f.cfg_stamp() != stamp {
            drop_unreached(f, &EntitySet::new());
        }
    }
}

/// Merges each block that ends in a jump with its successor, if that has no other predecessor.
pub(super) fn merge(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let cfg = Cfg::new(f);
        // For a block that was appended to another: the number of that block + 1.
        let mut merged_into: SecondaryMap<Block, u32> = SecondaryMap::new();
        let pairs: Vec<(Block, Block)> =
            f.layout().blocks().filter_map(|b| Some((b, only_follower(f, &cfg, b)?))).collect();
        let mut changed = false;
        for (b, s) in pairs {
            if !ask.drops() {
                continue;
            }
            let into = representative(&merged_into, b);
            if into == s {
                // The blocks are an unreachable cycle.
                continue;
            }
            replace_phis(f, s);
            f.remove_inst(f.terminator(into));
            f.append_all_insts(into, s);
            f.remove_block(s);
            merged_into[s] = into.as_u32() + 1;
            changed = true;
        }
        if changed {
            let blocks: Vec<Block> = f.layout().blocks().collect();
            blocks.into_iter().for_each(|b| f.map_phi_preds(b, |p| representative(&merged_into, p)));
        }
    }
}

fn only_follower(f: &Function, cfg: &Cfg, b: Block) -> Option<Block> {
    let &[s] = f.succs(b) else { return None };
    let jumps = f.inst(f.terminator(b)).op.format() == Format::Jump;
    (jumps && s != b && s != f.entry() && cfg.preds(s).len() == 1).then_some(s)
}

fn representative(merged_into: &SecondaryMap<Block, u32>, b: Block) -> Block {
    let mut at = b;
    while merged_into[at] != 0 {
        at = Block::from_u32(merged_into[at] - 1);
    }
    at
}

/// Makes the phis of a block, with one entry each, copies.
fn replace_phis(f: &mut Function, b: Block) {
    let phis: Vec<Inst> = f.phis(b).collect();
    for phi in phis {
        let data = *f.inst(phi);
        let Some((_, source)) = f.phi_entries(phi).next() else { continue };
        f.replace_inst(phi, InstData::move_of(data.ty, source).with_result(data.result()));
    }
}

/// Removes each block that only jumps; its predecessors lead to its target.
pub(super) fn empty(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let cfg = Cfg::new(f);
        let candidates: Vec<Block> =
            f.layout().blocks().skip(1).filter(|b| f.layout().first_inst(*b) == Some(f.terminator(*b))).collect();
        let mut preds: Vec<Vec<Block>> = vec![Vec::new(); f.num_blocks()];
        for b in f.layout().blocks() {
            preds[b.index()] = cfg.preds(b).to_vec();
        }
        for b in candidates {
            let &[target] = f.succs(b) else { continue };
            if f.inst(f.terminator(b)).op.format() == Format::Jump && target != b && ask.drops() {
                bypass(f, &mut preds, b, target);
            }
        }
    }
}

/// Redirects the predecessors of `b`, which jumps to `target`, to `target`. If one of them led there already with
/// another value for a phi, the result is not well-formed, and the verifier rejects it.
fn bypass(f: &mut Function, preds: &mut [Vec<Block>], b: Block, target: Block) {
    let sources = std::mem::take(&mut preds[b.index()]);
    let phis: Vec<Inst> = f.phis(target).collect();
    for phi in phis {
        let mut entries: Vec<(Block, Operand)> = f.phi_entries(phi).collect();
        let Some(at) = entries.iter().position(|e| e.0 == b) else { continue };
        let value = entries.remove(at).1;
        for &p in &sources {
            match entries.iter().find(|e| e.0 == p) {
                // Left as it was, the entry of `b` names no predecessor: the verifier rejects it.
                Some(e) if e.1 != value => entries.push((b, value)),
                Some(_) => {}
                None => entries.push((p, value)),
            }
        }
        f.set_phi_entries(phi, &entries);
    }
    let at_target = &mut preds[target.index()];
    at_target.retain(|p| *p != b);
    for &p in &sources {
        f.redirect_edge(p, b, target);
        if !at_target.contains(&p) {
            at_target.push(p);
        }
    }
    f.remove_block(b);
}
