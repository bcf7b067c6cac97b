//! The effects of an instruction other than its result, from its operands and the callee.
//!
//! The opcode table knows only the worst case. These functions refine it: a division by a constant other than 0 and -1
//! does not trap, a call of a function with attributes may be removable.

use super::call_graph::Callee;
use lir_syntax::ir::{Attrs, Base, CallResult, Decls, Effects, Format, Function, Inst, Mem, OperandKind};

/// True if an instruction may be removed when its result is not used: it is pure, a phi, a load that is not volatile
/// (the fault of an unused load may be removed), a division that cannot trap, or a call that writes nothing and
/// returns.
#[inline]
pub(crate) fn is_removable(decls: &Decls, f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    let effects = d.op.effects();
    if effects.is_pure() || effects.has(Effects::PLACED) {
        return true;
    }
    if effects.has(Effects::OTHER) {
        return is_removable_call(decls, f, i);
    }
    if effects.has(Effects::WRITES) || effects.has(Effects::TERMINATOR) {
        return false;
    }
    if effects.has(Effects::READS) { !d.is_volatile() } else { !may_trap(f, i) }
}

/// True if these are the effects of an operation that only computes, or traps instead.
#[inline]
pub(crate) fn is_trapping_arithmetic(effects: Effects) -> bool {
    effects == Effects::TRAPS
}

/// True if arithmetic may trap: the divisor is not a constant other than 0 and -1. Also true for all other instructions
/// that have the effect.
pub fn may_trap(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    let divisor = if d.op.format() == Format::Binary { f.constant(d.second()) } else { None };
    divisor.is_none_or(|k| k == 0 || k == -1)
}

/// True if an instruction may end the run with a message of its source position. These are arithmetic that traps, an
/// access by an address in a register, a write to `const` data, dynamic stack memory, and a trap itself; also a call of
/// a function that is not defined here, which may be C code that faults, or no code.
pub fn may_end_run(decls: &Decls, f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    let effects = d.op.effects();
    if matches!(d.op.format(), Format::Stop | Format::Alloca) {
        return true;
    }
    if let Some(callee) = Callee::of(f, i) {
        return callee.body(decls).is_none();
    }
    let writes = effects.has(Effects::WRITES);
    let mut may_fault = false;
    f.for_each_mem(i, |m| {
        may_fault |= match m.base {
            Base::Reg(_) | Base::None => true,
            Base::Sym(s) => writes && decls.data_of(s).is_none_or(|d| d.constant),
            Base::Obj(_) => false,
        }
    });
    may_fault && (writes || effects.has(Effects::READS)) || is_trapping_arithmetic(effects) && may_trap(f, i)
}

/// True if a message may name the source position of an instruction: it [may end the run](may_end_run), or it is a call
/// and there are locations in the source of the front end, since the code inlined there refers to the call.
pub(crate) fn may_report_location(decls: &Decls, f: &Function, i: Inst) -> bool {
    may_end_run(decls, f, i) || !decls.files.is_empty() && Callee::of(f, i).is_some()
}

/// The attributes of a call's callee; none if it is called through a register.
pub(crate) fn callee_attrs(decls: &Decls, f: &Function, call: Inst) -> Attrs {
    match f.inst(call).first().kind() {
        OperandKind::Sym(s) => decls.signature(s).map_or(Attrs::NONE, |sig| sig.attrs),
        _ => Attrs::NONE,
    }
}

/// True if an instruction calls a function that may return twice.
#[inline]
pub(crate) fn is_returns_twice_call(decls: &Decls, f: &Function, i: Inst) -> bool {
    f.inst(i).op.format() == Format::Call && callee_attrs(decls, f, i).has(Attrs::RETURNS_TWICE)
}

/// True if a function calls one that may return twice.
pub(crate) fn calls_returns_twice(decls: &Decls, f: &Function) -> bool {
    f.layout().all_insts().any(|i| is_returns_twice_call(decls, f, i))
}

/// True if this is a call that may be removed when its result is not used. An aggregate result is memory that is
/// written.
fn is_removable_call(decls: &Decls, f: &Function, i: Inst) -> bool {
    f.inst(i).op.format() == Format::Call
        && callee_attrs(decls, f, i).removable()
        && !matches!(f.call_result(i), CallResult::Agg(..))
}

/// True if a load may be executed where it was not. It cannot fault, since it reads at a constant offset inside a stack
/// object or a data symbol that is defined in the module; it is not volatile.
pub(crate) fn is_speculatable_load(decls: &Decls, f: &Function, i: Inst) -> bool {
    /// Limit on the items of a data object that are examined: the items of large tables are not counted for each load.
    const MAX_ITEMS: usize = 64;
    let d = f.inst(i);
    if d.op.format() != Format::Load || d.op.effects().has(Effects::OTHER) || d.is_volatile() {
        return false;
    }
    let Mem { base, index: None, disp, .. } = f.mem(i) else { return false };
    let size = match base {
        Base::Obj(o) => f.stack[o].size,
        Base::Sym(s) => match decls.known_data(s) {
            Some(data) if !data.thread => data.items.iter().take(MAX_ITEMS).map(|x| x.size()).sum(),
            Some(_) | None => return false,
        },
        Base::Reg(_) | Base::None => return false,
    };
    u64::try_from(disp).is_ok_and(|at| at + d.ty.bytes() as u64 <= size)
}
