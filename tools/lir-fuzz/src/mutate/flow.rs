//! Changes of control flow, and splices of other functions.

use super::changes::{any_reg, edge};
use lir_random::Rng;
use lir_syntax::ir::Transplant;
use lir_syntax::ir::{
    Block, DebugLoc, EntityRef, Function, Inst, InstData, Module, NameRef, Opcode, Operand, Reg, Type,
};

/// The most instructions of a splice.
const MAX_SPLICE: usize = 12;

/// Redirects an edge, or exchanges the two edges of a branch; phis are repaired. Returns false if there is no edge.
pub(super) fn retarget(rng: &mut Rng, f: &mut Function) -> bool {
    let blocks: Vec<Block> = f.layout().blocks().collect();
    let b = rng.pick(&blocks);
    let mut succs = f.succs(b).to_vec();
    if succs.is_empty() {
        return false;
    }
    if succs.len() == 2 && rng.chance(30) {
        succs.swap(0, 1);
        f.set_succs(b, &succs);
        return true;
    }
    let k = rng.below(succs.len());
    let (old, new) = (succs[k], rng.pick(&blocks));
    if old == new || new == f.entry() {
        return false;
    }
    let was_there = succs.contains(&new);
    succs[k] = new;
    f.set_succs(b, &succs);
    if !succs.contains(&old) {
        f.remove_phi_pred(old, b);
        give_up_empty_phis(rng, f, old);
    }
    if !was_there {
        add_phi_entries(rng, f, new, b);
    }
    true
}

/// Gives every phi of a block an entry for a new predecessor: a register of its type, or a constant.
fn add_phi_entries(rng: &mut Rng, f: &mut Function, block: Block, pred: Block) {
    let phis: Vec<Inst> = f.phis(block).collect();
    for phi in phis {
        let ty = f.inst(phi).ty;
        let reg = if rng.chance(60) { any_reg(rng, f, ty) } else { None };
        let operand = reg.map_or_else(|| edge(rng, f, ty), Operand::reg);
        let mut entries: Vec<_> = f.phi_entries(phi).collect();
        entries.push((pred, operand));
        f.set_phi_entries(phi, &entries);
    }
}

/// Phis of a block that becomes unreachable are replaced by constants, since a phi must have an entry.
fn give_up_empty_phis(rng: &mut Rng, f: &mut Function, block: Block) {
    let phis: Vec<Inst> = f.phis(block).filter(|p| f.phi_entries(*p).len() == 0).collect();
    let Some(before) = f.layout().insts(block).find(|i| f.inst(*i).op != Opcode::Phi) else { return };
    for phi in phis {
        let d = *f.inst(phi);
        let value = edge(rng, f, d.ty);
        f.remove_inst(phi);
        f.insert_before(before, InstData::move_of(d.ty, value).with_result(d.result()));
    }
}

/// Splits an edge with a new block, for later insertions. Returns false if there is no edge.
pub(super) fn split_edge(rng: &mut Rng, f: &mut Function) -> bool {
    let blocks: Vec<Block> = f.layout().blocks().collect();
    let b = rng.pick(&blocks);
    let mut succs = f.succs(b).to_vec();
    if succs.is_empty() {
        return false;
    }
    let k = rng.below(succs.len());
    let to = succs[k];
    if succs.iter().filter(|s| **s == to).count() > 1 {
        return false;
    }
    let between = f.make_block(NameRef::NONE);
    f.insert_block_after(between, b);
    f.append_inst(between, InstData::new(Opcode::Jmp, Type::I64), DebugLoc::NONE);
    f.set_succs(between, &[to]);
    succs[k] = between;
    f.set_succs(b, &succs);
    f.map_phi_preds(to, |p| if p == b { between } else { p });
    true
}

/// Copies consecutive instructions into the same or another function. Their operands become registers of that function,
/// and their results are used there. Returns false if there is no room.
pub(super) fn splice(rng: &mut Rng, module: &mut Module, func: usize, donor: usize) -> bool {
    let from = module.funcs.as_mut_slice()[donor].clone();
    let to = &mut module.funcs.as_mut_slice()[func];
    let block = rng.pick(&from.layout().blocks().collect::<Vec<_>>());
    let fits = |i: &Inst| !from.inst(*i).op.is_terminator() && from.inst(*i).op != Opcode::Phi;
    let insts: Vec<Inst> = from.layout().insts(block).filter(fits).collect();
    let points: Vec<Inst> = to.layout().all_insts().filter(|i| to.inst(*i).op != Opcode::Phi).collect();
    if insts.is_empty() || points.is_empty() {
        return false;
    }
    let first = rng.below(insts.len());
    let chosen = &insts[first..(first + 1 + rng.below(MAX_SPLICE)).min(insts.len())];
    let before = rng.pick(&points);
    let mut copy = Transplant::default();
    note_objects(&mut copy, to, &from);
    let mut computed = Vec::new();
    for &i in chosen {
        if !give_registers(rng, &mut copy, to, &from, i) {
            return false;
        }
        if let Some(dst) = from.def(i) {
            // The result is a register of the function, which is assigned once more, or a new one.
            let ty = from.type_of(dst);
            let own = if rng.chance(20) { any_reg(rng, to, ty) } else { None };
            let new = own.unwrap_or_else(|| to.new_reg(ty, NameRef::NONE));
            copy.regs.note(dst, new);
            computed.push((new, ty));
        }
        let data = copy.inst(to, &from, i);
        to.insert_before(before, data);
    }
    read_somewhere(rng, to, before, &computed);
    true
}

fn note_objects(copy: &mut Transplant, to: &mut Function, from: &Function) {
    for (o, data) in from.stack_objects() {
        let mut data = *data;
        data.name = NameRef::NONE;
        data.is_param = false;
        let new = to.stack.push(data);
        copy.objs.note(o, new);
    }
}

/// Maps each unmapped register that an instruction reads to a register of the function, or to a new one with a
/// constant.
fn give_registers(rng: &mut Rng, copy: &mut Transplant, to: &mut Function, from: &Function, i: Inst) -> bool {
    let mut read = Vec::new();
    from.for_each_use(i, |r| read.push(r));
    for r in read {
        if copy.regs.get(r).is_none() {
            let Some(own) = any_reg(rng, to, from.type_of(r)) else { return false };
            copy.regs.note(r, own);
        }
    }
    true
}

/// Replaces reads of other registers by the computed registers, from an instruction of the block on.
fn read_somewhere(rng: &mut Rng, f: &mut Function, from: Inst, computed: &[(Reg, Type)]) {
    let mut at = Some(from);
    while let Some(i) = at {
        at = f.layout().next_inst(i);
        if f.inst(i).op == Opcode::Phi || !rng.chance(60) {
            continue;
        }
        let types: Vec<_> = f.regs.values().map(|r| r.ty).collect();
        f.rewrite_uses(i, |u| {
            let ty = types[u.reg.index()];
            let same: Vec<_> = computed.iter().filter(|c| c.1 == ty).map(|c| c.0).collect();
            let new = if same.is_empty() || rng.chance(50) { u.reg } else { rng.pick(&same) };
            Operand::reg(new)
        });
    }
}
