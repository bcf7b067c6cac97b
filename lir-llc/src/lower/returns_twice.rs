//! Prepares functions with calls that may return more than once, such as `setjmp`: at each return, a register has the
//! value that it had at the first return.
//!
//! Such a call changes every hardware register, so values that are read after it are in spill slots, and in a function
//! with such a call a slot belongs to one virtual register. A register with one assignment therefore keeps its value. A
//! register with several assignments would have one slot for all of them, and the second return would find the value
//! assigned in between:
//!
//! ```text
//!   %v = const i32 5
//!   %r = call i32 @setjmp(%b)
//!   br eq i32 %r, 0, first, second
//! first:
//!   %v = const i32 6                 ; a second register, which nothing reads in `second`
//!   call @longjmp(%b, %one)
//! ```
//!
//! So the function is brought into SSA form first. In a loop around the call, an assignment that is executed again
//! before the second return still overwrites the slot of its earlier value: the manual leaves open which of the two
//! values is read then.

use lir_opt::passes::ssa::into_ssa;
use lir_syntax::ir::{Attrs, Decls, Format, Function, Module, OperandKind, Sym};

/// True if a module names a function that may return twice. Few modules do, and the others need not be searched for
/// calls.
pub(crate) fn may_return_twice(module: &Module) -> bool {
    let decls = &module.decls;
    decls.syms.keys().any(|s| returns_twice(decls, s))
}

fn returns_twice(decls: &Decls, s: Sym) -> bool {
    decls.signature(s).is_some_and(|sig| sig.attrs.has(Attrs::RETURNS_TWICE))
}

/// Brings a function into SSA form if it makes a call that may return twice.
pub(crate) fn keep_values(decls: &Decls, f: &mut Function) {
    let is_it = |i| {
        let d = f.inst(i);
        d.op.format() == Format::Call && matches!(d.first().kind(), OperandKind::Sym(s) if returns_twice(decls, s))
    };
    if f.layout().all_insts().any(is_it) {
        into_ssa(decls, f);
    }
}
