//! Functions of the C library that are known by their names.
//!
//! Files of QBE and LLVM come from compilers for which the names of C's library are reserved (ISO/IEC 9899:2018,
//! 7.1.3): a program that calls such a function and does not define it means the library's. Our passes then get the
//! guarantees of C: functions that [`libc`] knows, with C's signature, are declared `libc`; of them, functions that
//! only read memory and those that never return get their attributes as well; those that return twice get theirs
//! whatever their signature.
//!
//! A program that reads `errno` after mathematical functions, or does not mean C's functions, needs other
//! [`ImportOptions`](lir_syntax::importer::ImportOptions).

use lir_syntax::ir::{Attrs, Signature};
use lir_syntax::libc;

/// Returns C's promises for a function that a program does not define. They go beyond the types of its calls. Without
/// `builtins` there is only one, which callers must know of.
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
