//! The writes of an instruction for `lvn` and `gvn`: by its memory operands and the attributes of a callee.

use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{Attrs, CallResult, Decls, Format, Function, Inst, Mem};

/// Memory that is written.
#[derive(Copy, Clone, Debug)]
pub(super) enum Written {
    /// All: a value stored after the first return of a call that returns twice is there at the second.
    All,
    /// The memory that a callee can reach.
    Reachable,
    /// This many bytes at an operand. None means any number.
    At(Mem, Option<u64>),
}

/// Calls `visit` with all that an instruction with the effect may write. For `va_copy` and similar operations both
/// operands count.
#[inline]
pub(super) fn for_each_written(decls: &Decls, f: &Function, i: Inst, mut visit: impl FnMut(Written)) {
    let d = f.inst(i);
    match d.op.format() {
        Format::Store => visit(Written::At(f.mem(i), Some(u64::from(d.ty.bytes())))),
        Format::MemCopy | Format::MemFill => {
            visit(Written::At(f.mem_dst(i), f.constant(d.length()).map(|n| n as u64)));
        }
        Format::Call => {
            let attrs = callee_attrs(decls, f, i);
            if attrs.has(Attrs::RETURNS_TWICE) {
                return visit(Written::All);
            }
            if !attrs.has(Attrs::READNONE) && !attrs.has(Attrs::READONLY) {
                visit(Written::Reachable);
            }
            if let CallResult::Agg(agg, m) = f.call_result(i) {
                visit(Written::At(m, Some(decls.types[agg].size)));
            }
        }
        // Writes of other threads are visible afterwards.
        format if format.has_order() => {
            visit(Written::Reachable);
            f.for_each_mem(i, |m| visit(Written::At(m, Some(u64::from(d.ty.bytes())))));
        }
        _ => f.for_each_mem(i, |m| visit(Written::At(m, None))),
    }
}
