//! Functions of the C library that become instructions: calls of `memcpy`, `memmove` and `memset`, so that objects
//! reached only through them do not escape, and small copies are loads and stores, as in every C compiler.

use super::super::ast::{AbiType, Call, Inst, Val};
use super::super::class::Class;
use super::{Context, sym_of};
use lir_syntax::ir::SymKind;

/// A call that becomes an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Memcpy,
    Memmove,
    Memset,
}

impl Builtin {
    /// Returns the library function that a call means. The program must not define it, and its types must be C's.
    pub(super) fn of(context: &Context<'_>, inst: &Inst, call: &Call) -> Option<Builtin> {
        let Val::Sym(global, false) = inst.args[0] else { return None };
        let (builtin, second) = match context.program.globals.get(global) {
            b"memcpy" => (Builtin::Memcpy, Class::L),
            b"memmove" => (Builtin::Memmove, Class::L),
            b"memset" => (Builtin::Memset, Class::W),
            _ => return None,
        };
        let is = |n: usize, class| call.args[n].0 == AbiType::Base(class);
        let fits = call.fixed.is_none()
            && call.args.len() == 3
            && is(0, Class::L)
            && is(1, second)
            && is(2, Class::L)
            && call.result.is_none_or(|ty| ty == AbiType::Base(Class::L));
        if !context.builtins {
            return None;
        }
        let external = matches!(context.decls.syms[sym_of(global)].kind, SymKind::Func { body: None, .. });
        (fits && external).then_some(builtin)
    }

    /// Returns which of its three arguments are addresses of accesses only.
    pub(super) fn addresses(self) -> [bool; 3] {
        [true, self != Builtin::Memset, false]
    }
}
