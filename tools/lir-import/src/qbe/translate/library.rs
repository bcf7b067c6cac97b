//! Functions of the C library that are known by their names.
//!
//! QBE's files come from C compilers, and C reserves the names of its library (ISO/IEC 9899:2018, 7.1.3): a program
//! that calls such a function and does not define it means the library's. Our passes then get the guarantees of C:
//!
//! * calls of `memcpy`, `memmove` and `memset` become instructions, so that objects reached only through them do not
//!   escape and small copies are loads and stores, as in every C compiler;
//! * those that [`libc`] knows, with C's signature, are declared `libc`; of them, functions that only read memory and
//!   those that never return get their attributes as well;
//! * those that return twice get theirs whatever their signature.
//!
//! A program that reads `errno` after mathematical functions, or does not mean C's functions, needs other
//! [`ImportOptions`](crate::qbe::ImportOptions).

use super::super::ast::{AbiType, Call, Inst, Val};
use super::super::class::Class;
use super::{Context, sym_of};
use lir_syntax::ir::{Attrs, Signature, SymKind};
use lir_syntax::libc;

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

/// Returns C's promises for a function that a program does not define. They go beyond the types of its calls. Without
/// `builtins` there is only one, which callers must know of.
pub(super) fn attributes(name: &[u8], signature: &Signature, builtins: bool) -> Attrs {
    match libc::find(name, signature) {
        Some(_) if builtins => promises(name).or(Attrs::LIBC),
        _ if returns_twice(name) => Attrs::RETURNS_TWICE,
        _ => Attrs::NONE,
    }
}

fn returns_twice(name: &[u8]) -> bool {
    let names: [&[u8]; 7] = [b"setjmp", b"_setjmp", b"__setjmp", b"sigsetjmp", b"__sigsetjmp", b"vfork", b"getcontext"];
    names.contains(&name)
}

fn promises(name: &[u8]) -> Attrs {
    match name {
        b"abort" | b"exit" | b"_exit" | b"_Exit" | b"quick_exit" | b"longjmp" | b"_longjmp" | b"siglongjmp"
        | b"__assert_fail" | b"pthread_exit" => Attrs::NORETURN,
        b"memchr" | b"memcmp" | b"strchr" | b"strcmp" | b"strcspn" | b"strlen" | b"strncmp" | b"strnlen"
        | b"strpbrk" | b"strrchr" | b"strspn" | b"strstr" => Attrs::READONLY.or(Attrs::WILLRETURN),
        _ => Attrs::NONE,
    }
}
