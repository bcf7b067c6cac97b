//! Functions of the C library, recognised by their names.
//!
//! Files of QBE and LLVM come from compilers for which the names of C's library are reserved (ISO/IEC 9899:2018,
//! 7.1.3): a program that calls such a function and does not define it means the library's. LIR's passes then get the
//! guarantees of C. Functions that [`libc`] knows, with C's signatures, are declared `libc`; functions among them that
//! only read memory, or never return, get these attributes as well. Functions that return twice get their attribute
//! with any signature.
//!
//! A program that reads `errno` after mathematical functions, or does not mean C's functions, needs other
//! [`ImportOptions`](lir_syntax::importer::ImportOptions).

use lir_syntax::ir::{Attrs, Signature};
use lir_syntax::libc;

/// Returns C's promises for a function that a program does not define. The types of its calls do not imply them.
/// Without `builtins` the only one is `returns_twice`, which is needed for correctness.
pub(crate) fn attributes(name: &[u8], signature: &Signature, builtins: bool) -> Attrs {
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
