//! The remarks of the pass `attrs`, as data.

use crate::pass::remarks::{At, By, events};
use lir_syntax::ir::{Block, Inst, Sym};

events! {
    pub(super) enum Event<'a> {
        Attribute(symbol: Sym, word: &'a str): "attribute", "{symbol} is {word}";
        ReturnsTwice(symbol: Sym): "returns-twice", "{symbol} returns twice, which has all effects";
        NotReadnone(symbol: Sym, by: Option<By>): "reads",
            "{symbol} is not readnone: it may read memory that is not its own{by}";
        NotReadonly(symbol: Sym, by: Option<By>): "writes",
            "{symbol} is not readonly: it may write memory that is not its own{by}";
        MayTrapOrStop(symbol: Sym, by: Inst): "may-not-return",
            "{symbol} is not willreturn: this may trap or stop: {by}";
        MayBeEndless(symbol: Sym, b: Block, at: At): "may-not-return",
            "{symbol} is not willreturn: loop {b}{at} may be endless";
        MuchStack(symbol: Sym): "may-not-return", "{symbol} is not willreturn: it needs much stack";
        MayCallItself(symbol: Sym): "may-not-return", "{symbol} is not willreturn: it may recurse without end";
    }
}
