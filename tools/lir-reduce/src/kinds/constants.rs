//! Kinds that make constants smaller, in the order 0, 1, -1, then by magnitude.

use super::cut::insts;
use super::kind::Ask;
use super::operands::bits_of;
use crate::document::Document;
use lir_syntax::ir::{Function, Operand, Type};

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

/// Offers `change` of each constant if that is simpler.
fn smaller(document: &mut Document, ask: &mut Ask<'_>, change: impl Fn(Type, i64) -> Option<i64>) {
    for f in document.module.funcs.as_mut_slice() {
        for i in insts(f) {
            let mut offer = |f: &mut Function, ty: Type, o: Operand| {
                if let (Some(value), None) = (f.wide_constant(o), f.constant(o)) {
                    return if ask.drops() { f.make_wide_const(value >> 64) } else { o };
                }
                let Some(payload) = f.constant(o) else { return o };
                let simpler = change(ty, payload).filter(|new| rank(ty, *new) < rank(ty, payload));
                match simpler {
                    Some(new) if ask.drops() => f.make_const(new),
                    _ => o,
                }
            };
            f.rewrite_constants(i, &mut offer);
        }
    }
}
