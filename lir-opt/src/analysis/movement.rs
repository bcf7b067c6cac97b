//! The movement of instructions: where else one may be executed, and its cost.

use super::effects::{callee_attrs, may_trap};
use lir_syntax::ir::{Attrs, Base, CallArg, CallResult, Decls, Effects, Format, Function, Inst, Opcode};

/// The kind of movement that an instruction allows.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Movement {
    /// It must not move.
    Fixed,
    /// It may be executed anywhere, and costs nothing at its position.
    Free,
    /// It may be executed anywhere.
    Cheap,
    /// It may be executed anywhere, and takes long.
    Dear,
    /// A load.
    Load,
    /// A call that may be moved.
    Call,
}

/// Returns the kind of movement of an instruction that has a result.
pub(crate) fn movement(decls: &Decls, f: &Function, i: Inst) -> Movement {
    let d = f.inst(i);
    let effects = d.op.effects();
    match d.op.format() {
        Format::Const | Format::Compare => Movement::Free,
        Format::Address => match f.mem(i) {
            m if m.index.is_none() && !matches!(m.base, Base::Reg(_)) => Movement::Free,
            _ => Movement::Cheap,
        },
        Format::Convert if matches!(d.op, Opcode::Trunc) => Movement::Free,
        Format::Binary if !effects.is_pure() => {
            if may_trap(f, i) {
                Movement::Fixed
            } else {
                Movement::Dear
            }
        }
        Format::Binary if matches!(d.op, Opcode::Mul) || d.ty.is_float() => Movement::Dear,
        Format::Unary if d.ty.is_float() => Movement::Dear,
        Format::Convert if d.ty.is_float() || d.to_type().is_float() => Movement::Dear,
        Format::Unary | Format::Binary | Format::Convert | Format::Select => Movement::Cheap,
        Format::Ternary => Movement::Dear,
        Format::Load if effects.has(Effects::WRITES) || d.is_volatile() => Movement::Fixed,
        Format::Load => Movement::Load,
        Format::Call if may_move_call(decls, f, i) => Movement::Call,
        _ => Movement::Fixed,
    }
}

/// True if a call neither reads nor writes memory, aggregate arguments included, and returns. One that is a jump stays
/// before its return.
fn may_move_call(decls: &Decls, f: &Function, i: Inst) -> bool {
    let attrs = callee_attrs(decls, f, i);
    !f.is_jump(i)
        && attrs.has(Attrs::READNONE)
        && attrs.has(Attrs::WILLRETURN)
        && !attrs.has(Attrs::RETURNS_TWICE)
        && !matches!(f.call_result(i), CallResult::Agg(..))
        && f.call_args(i).all(|a| matches!(a, CallArg::Reg(..)))
}
