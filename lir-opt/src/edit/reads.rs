//! The operands that instructions read, and their replacement.

use lir_syntax::ir::{Block, Cfg, Function, Inst, Opcode, Operand, Reg};

/// Returns whether an instruction reads a register for which `holds` is true.
#[inline]
pub(crate) fn reads_any(f: &Function, i: Inst, mut holds: impl FnMut(Reg) -> bool) -> bool {
    let mut any = false;
    f.for_each_use(i, |r| any |= holds(r));
    any
}

/// Replaces the registers that an instruction reads by the operands that `replacement` returns. Returns whether it was
/// changed.
#[inline]
pub(crate) fn replace_reads(f: &mut Function, i: Inst, mut replacement: impl FnMut(Reg) -> Option<Operand>) -> bool {
    let stale = reads_any(f, i, |r| replacement(r).is_some());
    if stale {
        f.rewrite_uses(i, |u| replacement(u.reg).unwrap_or(Operand::reg(u.reg)));
    }
    stale
}

/// [`replace_reads`] of all instructions.
pub(crate) fn replace_all_reads(f: &mut Function, mut replacement: impl FnMut(Reg) -> Option<Operand>) {
    for_each_inst(f, |f, _, i| _ = replace_reads(f, i, &mut replacement));
}

/// Replaces registers in all instructions, depending on the block of the read: a phi reads at the end of a predecessor.
/// `is_replaced` is true for registers that may have a replacement.
pub(crate) fn replace_reads_by_block(
    f: &mut Function,
    is_replaced: impl Fn(Reg) -> bool,
    replacement: impl Fn(Reg, Block) -> Operand,
) {
    for_each_inst(f, |f, b, i| {
        if reads_any(f, i, &is_replaced) {
            f.rewrite_uses(i, |u| replacement(u.reg, u.phi_pred.unwrap_or(b)));
        }
    });
}

/// Visits the instructions whose operands are not changed by a walk over the reachable blocks, operands first: phis,
/// and all instructions of unreachable blocks. The visitor may change the operands of the current instruction, or
/// remove it.
pub(crate) fn for_each_inst_left(f: &mut Function, cfg: &Cfg, mut visit: impl FnMut(&mut Function, Inst)) {
    let mut block = f.layout().entry();
    while let Some(b) = block {
        block = f.layout().next_block(b);
        let all = !cfg.is_reachable(b);
        let mut next = f.layout().first_inst(b);
        while let Some(i) = next.filter(|i| all || f.inst(*i).op == Opcode::Phi) {
            next = f.layout().next_inst(i);
            visit(f, i);
        }
    }
}

/// Visits all instructions with their blocks, in order. The visitor may change the operands of the current one.
#[inline]
pub(crate) fn for_each_inst(f: &mut Function, mut visit: impl FnMut(&mut Function, Block, Inst)) {
    let mut block = f.layout().entry();
    while let Some(b) = block {
        block = f.layout().next_block(b);
        let mut next = f.layout().first_inst(b);
        while let Some(i) = next {
            next = f.layout().next_inst(i);
            visit(f, b, i);
        }
    }
}
