//! A call to a `noreturn` function ends its block: if the function returns after all, that is a trap. So is a return in
//! a function that is declared `noreturn` itself. The callee of a jump traps itself where it would return.

use lir_syntax::ir::{Attrs, Decls, Function, Inst, InstData, Opcode, OperandKind, Type};

/// True if an instruction is a call to a function that is declared `noreturn`, and no jump.
#[inline]
pub(super) fn never_returns(decls: &Decls, f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    let declared = |s| decls.signature(s).is_some_and(|sig| sig.attrs.has(Attrs::NORETURN));
    d.op == Opcode::Call && !f.is_jump(i) && matches!(d.first().kind(), OperandKind::Sym(s) if declared(s))
}

/// Makes every return of a function a trap, if it is declared `noreturn`.
pub(super) fn trap_returns(decls: &Decls, f: &mut Function) {
    if !decls.signature(f.sym).is_some_and(|sig| sig.attrs.has(Attrs::NORETURN)) {
        return;
    }
    let blocks: Vec<_> = f.layout().blocks().collect();
    for b in blocks {
        let last = f.terminator(b);
        let jumps = f.layout().prev_inst(last).is_some_and(|i| f.is_jump(i));
        if !jumps && matches!(f.inst(last).op, Opcode::Ret | Opcode::RetAgg) {
            f.replace_inst(last, InstData::new(Opcode::Unreachable, Type::I64));
        }
    }
}

/// Replaces everything after `i` in its block by `unreachable`.
pub(super) fn end_block_after(f: &mut Function, i: Inst) {
    let b = f.layout().block_of(i).expect("the call is in a block");
    let loc = f.debug_loc(i);
    while let Some(next) = f.layout().next_inst(i) {
        f.remove_inst(next);
    }
    let succs = f.succs(b).to_vec();
    f.set_succs(b, &[]);
    for s in succs {
        f.remove_phi_pred(s, b);
    }
    f.append_inst(b, InstData::new(Opcode::Unreachable, Type::I64), loc);
}
