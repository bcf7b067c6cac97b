//! The remarks of the pass `libcalls`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Sym;

events! {
    pub(super) enum Event<'a> {
        Done(symbol: Sym): "call-removed", "{symbol} is expanded without a call";
        Simpler(symbol: Sym, by: Sym): "call-replaced", "{by} has the effect of {symbol} here";
        UnusedMemory(symbol: Sym): "allocation-removed", "the memory that {symbol} gives is not used";
        Stays(symbol: Sym): "call-stays", "too little is known about the arguments of {symbol}";
        ResultUsed(symbol: Sym): "call-stays",
            "the result of {symbol} is used, and the replacement has another result";
        OrderAsked(symbol: Sym): "call-stays", "the result of {symbol} is not only compared with 0 for equality";
        ManyBytes(symbol: Sym): "call-stays", "{symbol} compares many bytes";
        MemoryUsed(symbol: Sym): "call-stays", "the memory that {symbol} gives is used";
        Undeclared(name: &'a str): "not-declared", "`{name}` means something else in this module";
    }
}
