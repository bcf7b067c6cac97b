//! Instructions at which execution may end: instructions that may fault are not moved over them.

use super::alias::{MemoryEffect, memory_effect};
use super::effects::{callee_attrs, is_trapping_arithmetic, may_trap};
use lir_syntax::ir::{Attrs, Decls, Effects, Format, Function, Inst};

/// True if execution may end at an instruction, or something is visible from outside there: an instruction that may
/// fault must not be moved from after it to before it. Loads may be moved over each other, since their faults are the
/// same.
pub(crate) fn may_end_execution(decls: &Decls, f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    let effects = d.op.effects();
    if effects.is_pure() || effects.has(Effects::PLACED) || effects.has(Effects::TERMINATOR) {
        return false;
    }
    if d.op.format() == Format::Call {
        let attrs = callee_attrs(decls, f, i);
        return !attrs.has(Attrs::WILLRETURN) || memory_effect(decls, f, i) == MemoryEffect::Writes;
    }
    if is_trapping_arithmetic(effects) {
        return may_trap(f, i);
    }
    let only_reads = effects.has(Effects::READS) && !effects.has(Effects::WRITES) && !effects.has(Effects::OTHER);
    !only_reads || d.is_volatile()
}
