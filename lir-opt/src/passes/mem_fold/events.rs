//! The remarks of the pass `mem-fold`, as data.

use crate::pass::remarks::{By, events};
use lir_syntax::ir::Inst;

events! {
    pub(super) enum Event {
        Folded: "folded", "the address is computed in the operand";
        SymbolBesideIndex(at: Inst): "beside-an-index",
            "a symbol's address beside an index takes a register anyway: {at}";
        FarSymbol: "far-symbol", "the symbol is not defined here, or differs from thread to thread";
        FarFromSymbol(at: Inst): "displacement", "the displacement from a symbol would be too large: {at}";
        OutsideOfData(at: Inst): "outside", "the access would be outside of constant data: {at}";
        DoesNotFit(at: Inst): "does-not-fit", "with the address there, scale or displacement is out of range: {at}";
        OtherUse(by: Option<By>): "read-elsewhere", "it is also read by an operand that is not an address{by}";
        BaseOfAnother(at: Inst): "base-elsewhere", "it is the base of another address, which has no scale: {at}";
        IsAnIndex(at: Inst): "is-an-index", "it is an index itself, in the place of one register: {at}";
        HasIndex(at: Inst): "beside-an-index", "the address has an index already: {at}";
        TwoForAnotherBlock(at: Inst): "another-block", "two registers would be live to another block, not one: {at}";
        NoSuchScale: "scale", "its multiplier is not 2, 4 or 8";
        WideDisplacement: "displacement", "the displacement does not fit 32 bits";
        Difference: "difference", "a register is subtracted";
    }
}
