//! The remarks of the pass `global-dce`, as data.

use crate::pass::remarks::{AtLoc, Common, events};
use lir_syntax::ir::Sym;

events! {
    pub(super) enum Event {
        NothingRefersTo(symbol: Sym): "removed", "{symbol} is not referenced";
        NeverRead(symbol: Sym): "dead-store", "{symbol} is written and never read";
        ReferredToBy(by: Sym, symbol: Sym, at: AtLoc): "referred-to", "{by} refers to {symbol}{at}";
        ..Common
    }
}
