//! Kinds that make constants smaller, in the order 0, 1, -1, then by magnitude.

use super::cut::insts;
use super::kind::Ask;
use super::operands::bits_of;
use crate::document::Document;
use lir_syntax::ir::{Block, Format, Function, Inst, Opcode, Operand, Type};

/// 0 in place of each constant.
pub(super) fn zero(document: &mut Document, ask: &mut Ask<'_>) {
    smaller(document, ask, |ty, _| Some(number(ty, 0)));
}

/// 1 in place of each constant that is greater.
pub(super) fn one(document: &mut Document, ask: &mut Ask<'_>) {
    smaller(document, ask, |ty, _| Some(number(ty, 1)));
}

/// -1 in place of each constant that is greater.
pub(super) fn minus_one(document: &mut Document, ask: &mut Ask<'_>) {
    smaller(document, ask, |ty, _| Some(number(ty, -1)));
}

/// Half of each integer constant.
pub(super) fn half(document: &mut Document, ask: &mut Ask<'_>) {
    smaller(document, ask, |ty, payload| ty.is_int().then_some(payload / 2));
}

fn number(ty: Type, n: i64) -> i64 {
    ty.constant_payload(bits_of(ty, n))
}

/// Returns the rank of a constant in the order of simplicity.
fn rank(ty: Type, payload: i64) -> u64 {
    match [0, 1, -1].iter().position(|n| number(ty, *n) == payload) {
        Some(k) => k as u64,
        None if ty.is_int() => payload.unsigned_abs().saturating_add(3),
        None => 3,
    }
}

/// Offers `change` of each constant where that is simpler.
fn smaller(document: &mut Document, ask: &mut Ask<'_>, change: impl Fn(Type, i64) -> Option<i64>) {
    for f in document.module.funcs.as_mut_slice() {
        for i in insts(f) {
            let mut offer = |f: &mut Function, ty: Type, o: Operand| {
                let Some(payload) = f.constant(o) else { return o };
                let simpler = change(ty, payload).filter(|new| rank(ty, *new) < rank(ty, payload));
                match simpler {
                    Some(new) if ask.drops() => f.make_const(new),
                    _ => o,
                }
            };
            rewrite_constants(f, i, &mut offer);
        }
    }
}

/// Changes the constants of an instruction but for the cases of a switch, which must stay distinct.
fn rewrite_constants(f: &mut Function, i: Inst, to: &mut impl FnMut(&mut Function, Type, Operand) -> Operand) {
    let mut data = *f.inst(i);
    match data.op.format() {
        Format::Const | Format::Return => data = data.with_first(to(f, data.ty, data.first())),
        Format::Alloca => data = data.with_first(to(f, Type::I64, data.first())),
        Format::Binary | Format::Compare | Format::Branch => data = data.with_second(to(f, data.ty, data.second())),
        Format::Store => data = data.with_stored(to(f, data.ty, data.stored())),
        Format::MemCopy => data = data.with_length(to(f, Type::I64, data.length())),
        Format::MemFill => {
            data = data.with_second(to(f, Type::I8, data.second()));
            data = data.with_length(to(f, Type::I64, data.length()));
        }
        Format::Phi => {
            debug_assert_eq!(data.op, Opcode::Phi);
            let mut entries: Vec<(Block, Operand)> = f.phi_entries(i).collect();
            for (_, o) in &mut entries {
                *o = to(f, data.ty, *o);
            }
            return f.set_phi_entries(i, &entries);
        }
        _ => return,
    }
    f.replace_inst(i, data);
}
