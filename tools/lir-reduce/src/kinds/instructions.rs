//! Kinds that remove instructions, or replace their results by simpler values.

use super::cut::{count_assignments, count_uses, disable, insts, neutralise, refers_to};
use super::kind::Ask;
use super::operands::bits_of;
use crate::document::Document;
use lir_syntax::ir::{Base, Effects, EntitySet, Format, Function, Inst, InstData, Opcode, Operand, Reg, SecondaryMap};

/// Removes every instruction except terminators and used constants. A result that is still in use becomes 0.
pub(super) fn drop_or_zero(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let mut uses = count_uses(f);
        let mut gone: Vec<Inst> = Vec::new();
        for i in insts(f) {
            let op = f.inst(i).op;
            let used = f.def(i).is_some_and(|r| uses[r] > 0);
            let stays = op.is_terminator() || (used && op.format() == Format::Const);
            if !stays && ask.drops() {
                gone.push(i);
            }
        }
        // Uses of a result are removed before its assignment.
        for i in gone.into_iter().rev() {
            let used = f.def(i).is_some_and(|r| uses[r] > 0);
            f.for_each_use(i, |r| uses[r] -= 1);
            neutralise(f, i, used);
        }
    }
}

/// Replaces every used result by 1, except constants and phis.
pub(super) fn result_one(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let uses = count_uses(f);
        for i in insts(f) {
            let Some(dst) = f.def(i).filter(|r| uses[*r] > 0) else { continue };
            if !matches!(f.inst(i).op.format(), Format::Const | Format::Phi) && ask.drops() {
                let ty = f.type_of(dst);
                let a = f.make_typed_const(ty, bits_of(ty, 1));
                f.replace_inst(i, InstData::move_of(ty, a).with_result(dst));
            }
        }
    }
}

/// Removes, function by function, all assignments of unused results; calls stay.
pub(super) fn dead_code(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        if ask.drops() {
            drop_dead(f);
        }
    }
}

fn drop_dead(f: &mut Function) {
    let mut uses = count_uses(f);
    let mut assignments: SecondaryMap<Reg, Vec<Inst>> = SecondaryMap::new();
    let removable = |f: &Function, i: Inst| !f.inst(i).op.effects().has(Effects::OTHER) && f.def(i).is_some();
    let mut work: Vec<Inst> = insts(f);
    for &i in &work {
        if let Some(r) = f.def(i) {
            assignments[r].push(i);
        }
    }
    while let Some(i) = work.pop() {
        let dead = f.layout().block_of(i).is_some() && f.def(i).is_some_and(|r| uses[r] == 0) && removable(f, i);
        if !dead {
            continue;
        }
        f.remove_inst(i);
        f.for_each_use(i, |r| {
            uses[r] -= 1;
            if uses[r] == 0 {
                work.extend(&assignments[r]);
            }
        });
    }
}

/// Replaces each result by the first register operand of its type.
pub(super) fn first_operand(document: &mut Document, ask: &mut Ask<'_>) {
    operand_for_result(document, ask, 0);
}

/// Replaces each result by the second register operand of its type.
pub(super) fn second_operand(document: &mut Document, ask: &mut Ask<'_>) {
    operand_for_result(document, ask, 1);
}

fn operand_for_result(document: &mut Document, ask: &mut Ask<'_>, n: usize) {
    for f in document.module.funcs.as_mut_slice() {
        for i in insts(f) {
            let data = *f.inst(i);
            let Some(dst) = f.def(i) else { continue };
            if data.op == Opcode::Copy || data.op.format() == Format::Phi {
                continue;
            }
            let ty = f.type_of(dst);
            let mut operands: Vec<Reg> = Vec::new();
            f.for_each_use(i, |r| {
                if f.type_of(r) == ty && !operands.contains(&r) {
                    operands.push(r);
                }
            });
            if let Some(&source) = operands.get(n)
                && ask.drops()
            {
                let a = Operand::reg(source);
                f.replace_inst(i, InstData::move_of(ty, a).with_result(data.result()));
            }
        }
    }
}

/// Removes copies whose source and result are assigned once. The source replaces the result.
pub(super) fn forward_copies(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let assigned = count_assignments(f);
        let mut source_of: SecondaryMap<Reg, Operand> = SecondaryMap::new();
        let mut changed = false;
        for i in insts(f) {
            let data = *f.inst(i);
            if data.op != Opcode::Copy {
                continue;
            }
            let (Some(dst), Some(source)) = (f.def(i), data.first().as_reg()) else { continue };
            if assigned[dst] == 1 && assigned[source] == 1 && dst != source && ask.drops() {
                source_of[dst] = data.first();
                f.remove_inst(i);
                changed = true;
            }
        }
        if changed {
            for i in insts(f) {
                f.rewrite_uses(i, |u| final_source(&source_of, u.reg));
            }
        }
    }
}

/// Returns the register at the end of a chain of copies. It has no cycle, since each copy is assigned after its source.
fn final_source(source_of: &SecondaryMap<Reg, Operand>, r: Reg) -> Operand {
    let mut seen = EntitySet::new();
    let mut at = r;
    while let Some(source) = source_of[at].as_reg() {
        if !seen.insert(at) {
            break;
        }
        at = source;
    }
    Operand::reg(at)
}

/// Removes stack objects with every instruction that refers to them.
pub(super) fn stack_objects(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let objects: Vec<_> = f.stack_objects().filter(|(_, s)| !s.is_param).map(|(o, _)| o).collect();
        let mut gone = EntitySet::new();
        let mut changed = false;
        for o in objects {
            if ask.drops() {
                gone.insert(o);
                changed = true;
            }
        }
        if !changed {
            continue;
        }
        for i in insts(f) {
            if refers_to(f, i, |base| matches!(base, Base::Obj(o) if gone.contains(o))) {
                disable(f, i);
            }
        }
        gone.iter().for_each(|o| f.remove_stack_object(o));
    }
}
