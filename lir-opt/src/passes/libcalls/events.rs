//! The remarks of the pass `libcalls`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Sym;

events! {
    pub(super) enum Event<'a> {
        Done(symbol: Sym): "call-removed", "what {symbol} does is done without a call";
        Simpler(symbol: Sym, by: Sym): "call-replaced", "{by} does here what {symbol} does";
        UnusedMemory(symbol: Sym): "allocation-removed", "the memory that {symbol} gives is not used";
        Stays(symbol: Sym): "call-stays", "too little is known of what {symbol} is passed";
        ResultUsed(symbol: Sym): "call-stays",
            "the result of {symbol} is used, and what does the same gives another";
        OrderAsked(symbol: Sym): "call-stays", "the result of {symbol} is not only compared with 0 for equality";
        ManyBytes(symbol: Sym): "call-stays", "{symbol} compares many bytes";
        MemoryUsed(symbol: Sym): "call-stays", "the memory that {symbol} gives is used";
        Undeclared(name: &'a str): "not-declared", "`{name}` means something else in this module";
    }
}
