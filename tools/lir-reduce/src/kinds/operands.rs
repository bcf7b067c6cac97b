//! Kinds that replace registers by simpler operands, and simplify addresses.

use super::cut::{count_assignments, insts};
use super::kind::Ask;
use crate::document::Document;
use lir_syntax::ir::function::Use;
use lir_syntax::ir::{Function, Inst, Mem, Opcode, Operand, Param, Reg, SecondaryMap, Type};

/// Replaces every register by 0, where a constant is allowed.
pub(super) fn zero(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        constant_for_register(f, ask, 0);
    }
}

/// Replaces every register by 1, where a constant is allowed.
pub(super) fn one(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        constant_for_register(f, ask, 1);
    }
}

/// Returns the bits of a small number in a type.
pub(super) fn bits_of(ty: Type, number: i64) -> u64 {
    match ty {
        Type::F32 => u64::from((number as f32).to_bits()),
        Type::F64 => (number as f64).to_bits(),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => number as u64,
    }
}

fn constant_for_register(f: &mut Function, ask: &mut Ask<'_>, number: i64) {
    let mut constants = Vec::new();
    for ty in Type::ALL {
        constants.push(f.make_typed_const(ty, bits_of(ty, number)));
    }
    let types: Vec<Type> = f.regs.values().map(|r| r.ty).collect();
    rewrite_all(f, |u| {
        let constant = constants[type_of(&types, u.reg) as usize];
        if u.may_be_const && ask.drops() { constant } else { Operand::reg(u.reg) }
    });
}

fn type_of(types: &[Type], r: Reg) -> Type {
    types[r.as_u32() as usize]
}

fn rewrite_all(f: &mut Function, mut to: impl FnMut(Use) -> Operand) {
    for i in insts(f) {
        f.rewrite_uses(i, &mut to);
    }
}

/// Replaces a register whose only assignment is a `const` by the constant, where a constant is allowed.
pub(super) fn known_constants(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let assigned = count_assignments(f);
        let mut known: SecondaryMap<Reg, Operand> = SecondaryMap::new();
        for i in insts(f) {
            if let Some(dst) = f.def(i).filter(|r| assigned[*r] == 1 && f.inst(i).op == Opcode::Const) {
                known[dst] = f.inst(i).first();
            }
        }
        rewrite_all(f, |u| {
            let constant = known[u.reg];
            if u.may_be_const && !constant.is_none() && ask.drops() { constant } else { Operand::reg(u.reg) }
        });
    }
}

/// Replaces every register by the first one of its type. Parameters precede assigned registers.
pub(super) fn first_register(document: &mut Document, ask: &mut Ask<'_>) {
    for f in document.module.funcs.as_mut_slice() {
        let types: Vec<Type> = f.regs.values().map(|r| r.ty).collect();
        let mut first: [Option<Reg>; Type::ALL.len()] = [None; Type::ALL.len()];
        let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = *p { Some(r) } else { None });
        for r in params.chain(insts(f).into_iter().filter_map(|i| f.def(i))) {
            first[type_of(&types, r) as usize].get_or_insert(r);
        }
        rewrite_all(f, |u| match first[type_of(&types, u.reg) as usize].filter(|r| *r != u.reg) {
            Some(r) if ask.drops() => Operand::reg(r),
            _ => Operand::reg(u.reg),
        });
    }
}

/// Removes the index of each address that has one.
pub(super) fn drop_index(document: &mut Document, ask: &mut Ask<'_>) {
    for_each_mem(document, |m| if m.index.is_some() && ask.drops() { Mem { index: None, scale: 1, ..m } } else { m });
}

/// Replaces the offset of each address by 0.
pub(super) fn zero_offset(document: &mut Document, ask: &mut Ask<'_>) {
    for_each_mem(document, |m| if m.disp != 0 && ask.drops() { Mem { disp: 0, ..m } } else { m });
}

/// Changes all memory operands, in operand order.
fn for_each_mem(document: &mut Document, mut change: impl FnMut(Mem) -> Mem) {
    for f in document.module.funcs.as_mut_slice() {
        for i in insts(f) {
            change_mems(f, i, &mut change);
        }
    }
}

fn change_mems(f: &mut Function, i: Inst, change: &mut impl FnMut(Mem) -> Mem) {
    let mut mems = Vec::new();
    f.for_each_mem(i, |m| mems.push(change(m)));
    f.set_mems(i, &mems);
}
