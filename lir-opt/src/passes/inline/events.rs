//! The remarks of the pass `inline`, as data.

use crate::pass::remarks::{Common, Words, events};
use lir_syntax::ir::Sym;

events! {
    pub(super) enum Event<'a> {
        Inlined(symbol: Sym, size: u32): "inlined", "{symbol} of size {size}";
        NotInlined(symbol: Sym, why: Words<'a>): "not-inlined", "{symbol}: {why}";
        IsNoinline: "not-inlined", "it is noinline";
        LeadsBack: "not-inlined", "it calls back into the caller";
        ReadsVariableArguments: "not-inlined", "it reads variable arguments";
        CallsReturnsTwice: "not-inlined", "a returns_twice function is called";
        BothAreJumps: "not-inlined", "it has a `musttail` call, and this call is one";
        NotInSsaForm: "not-inlined", "it is not in SSA form and the caller is";
        CalleeTooLarge(size: u32, limit: u32): "not-inlined", "its size is {size}, the limit here {limit}";
        CallerTooLarge: "not-inlined", "the caller would grow too much";
        FrameTooLarge: "not-inlined", "the caller's frame would grow too much";
        RecursiveFrameTooLarge: "not-inlined",
            "the frame of the recursive caller would grow too much";
        ModuleTooLarge: "not-inlined", "the module would grow too much";
        ..Common
    }
}
