//! The remarks of the pass `const-data`, as data.

use crate::pass::remarks::{Common, events};
use lir_syntax::ir::Sym;

events! {
    pub(super) enum Event {
        NothingWrites(symbol: Sym): "made-constant", "{symbol} is constant: nothing writes it";
        IsWrittenHere(symbol: Sym): "written", "{symbol} is written here";
        AddressIsKept(symbol: Sym): "address-kept",
            "the address of {symbol} may be kept or written through";
        ManyZeros(symbol: Sym): "many-zeros", "{symbol} is all zeros, which take no space in the file unless constant";
        ..Common
    }
}
