//! The kind that makes all integers of a width wider. Conversions between them become copies.

use super::cut::insts;
use super::kind::Ask;
use crate::document::Document;
use lir_syntax::ir::{
    AbiParam, CallArg, CallResult, Ext, Format, Function, Inst, InstData, Opcode, SymKind, Type, TypeRule,
};

/// Makes every i16 an i32 and every i32 an i64 in the module; data stays. The verifier rejects invalid results (of a
/// bitcast of a float, say).
pub(super) fn widen(document: &mut Document, ask: &mut Ask<'_>) {
    for (from, to) in [(Type::I16, Type::I32), (Type::I32, Type::I64)] {
        let used = document.module.funcs.values().any(|f| f.regs.values().any(|r| r.ty == from));
        if used && ask.drops() {
            retype(document, from, to);
        }
    }
}

fn retype(document: &mut Document, from: Type, to: Type) {
    let module = &mut document.module;
    for sym in module.decls.syms.as_mut_slice().iter_mut() {
        if let SymKind::Func { sig, .. } = &mut sym.kind {
            for param in sig.params.iter_mut().chain(&mut sig.result) {
                if matches!(*param, AbiParam::Scalar(ty, _) if ty == from) {
                    *param = AbiParam::Scalar(to, Ext::None);
                }
            }
        }
    }
    for f in module.funcs.as_mut_slice() {
        for r in f.regs.as_mut_slice().iter_mut().filter(|r| r.ty == from) {
            r.ty = to;
        }
        for i in insts(f) {
            retype_inst(f, i, from, to);
        }
    }
}

fn retype_inst(f: &mut Function, i: Inst, from: Type, to: Type) {
    let mut data = *f.inst(i);
    let new = |ty: Type| if ty == from { to } else { ty };
    if data.op.info().types != TypeRule::None {
        data.ty = new(data.ty);
    }
    if data.op.format() == Format::Return {
        data.ty = new(data.ty);
    }
    if data.op.format() == Format::Convert {
        let target = new(data.to_type());
        data = data.with_target_type(target);
        if target == data.ty {
            data = InstData::unary(Opcode::Copy, target, data.first()).with_result(data.result());
        }
    }
    if data.op.format() == Format::Call {
        let mut info = f.call_info(i);
        if let CallResult::Scalar(ty, ext) = info.result {
            info.result = CallResult::Scalar(new(ty), if ty == from { Ext::None } else { ext });
        }
        let wide = |f: &Function, arg: &CallArg| matches!(*arg, CallArg::Reg(r, _) if f.type_of(r) == to);
        for k in 0..info.args.len() {
            if let (true, CallArg::Reg(r, _)) = (wide(f, &info.args[k]), info.args[k]) {
                info.args[k] = CallArg::Reg(r, Ext::None);
            }
        }
        data = data.with_list(f.make_call(&info));
    }
    f.replace_inst(i, data);
}
