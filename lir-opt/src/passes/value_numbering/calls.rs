//! Calls as keys: of `gvn` (step 6) and of `lvn{pure-calls}`.

use crate::analysis::effects::callee_attrs;
use crate::passes::value_numbering::events::NoKey;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey, head};
use lir_syntax::ir::{Attrs, CallArg, CallResult, Decls, Function, Inst, Reg};

/// Returns whether the result of a call depends on memory in addition to its arguments, or the reason that it depends
/// on more. Aggregates are memory that is read and written here.
pub(super) fn reads_memory(decls: &Decls, f: &Function, call: Inst) -> Result<bool, NoKey> {
    let attrs = callee_attrs(decls, f, call);
    let is_pure = attrs.has(Attrs::READNONE);
    if attrs.has(Attrs::RETURNS_TWICE) {
        Err(NoKey::ReturnsTwice)
    } else if !is_pure && !attrs.has(Attrs::READONLY) {
        Err(NoKey::Impure)
    } else if !matches!(f.call_result(call), CallResult::Scalar(..))
        || f.call_args(call).any(|a| matches!(a, CallArg::Agg(..)))
    {
        Err(NoKey::Aggregates)
    } else {
        Ok(!is_pure)
    }
}

/// Returns the key of a call whose result depends on its arguments and this version of memory alone. The list of
/// arguments is numbered from the front, an argument at a time: `link` gives the number of a key, in which the second
/// operand is still to be the number of the argument.
pub(super) fn key_of_call(
    f: &Function,
    call: Inst,
    version: Option<u32>,
    mut link: impl FnMut(ValueKey, Reg) -> u32,
) -> ValueKey {
    let d = f.inst(call);
    let mut list = NO_OPERAND;
    for arg in f.call_args(call) {
        let CallArg::Reg(r, _) = arg else { unreachable!("all are scalars") };
        let key = ValueKey { head: head(d.op, f.type_of(r), 1, 0), operands: [list, NO_OPERAND, NO_OPERAND] };
        list = link(key, r);
    }
    let CallResult::Scalar(ty, _) = f.call_result(call) else { unreachable!("the result is a scalar") };
    ValueKey { head: head(d.op, ty, 0, 0), operands: [d.first().to_bits(), list, version.unwrap_or(NO_OPERAND)] }
}
