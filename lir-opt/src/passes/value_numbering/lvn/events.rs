//! The remarks of the pass `lvn`, as data.

use crate::pass::remarks::{Typed, Who, Words, events};
use lir_syntax::ir::{Inst, Reg, Type};

events! {
    pub(super) enum Event<'a> {
        NewInBlock(n: u32, key: Words<'a>): "numbered", "number {n}, key {key}, is new in this block";
        LoadAfterWrite(n: u32, key: Words<'a>, by: Inst, other: Words<'a>): "numbered",
            "number {n}, key {key}; the {by} may have written there, and no equal load follows it{other}";
        FirstLoad(n: u32, key: Words<'a>, other: Words<'a>): "numbered",
            "number {n}, key {key}; no equal load precedes it in this block{other}";
        StoredAs(offset: u32, ty: Type): "numbered", "; the value stored at {offset} is an {ty}";
        HeldAlready(n: u32, why: Words<'a>): "removed", "number {n}{why}: the register holds this value already";
        ReplacedBy(n: u32, why: Words<'a>, value: Reg): "merged", "number {n}{why}: replaced by {value}";
        BecomesCopy(n: u32, why: Words<'a>, r: Reg): "made-copy",
            "number {n}{why}: a copy of {r}: one of them is assigned again";
        BecomesTramp(n: u32, why: Words<'a>, r: Reg): "made-tramp", "number {n}{why}: a tramp, whose readers read {r}";
        ConstantStored(n: u32, why: Words<'a>, value: Typed): "made-constant", "number {n}{why}: replaced by {value}";
        OfKey(key: Words<'a>): "merged", ", key {key}";
        SameOperand: "merged", ", the number of its operand";
        LeftThere(who: Who): "merged", ", which {who} left there";
        Nothing: "merged", "";
        NotHeld(n: u32): "not-held", "number {n}: the registers that held this value were assigned anew";
        NumberOfPhi(n: u32): "not-numbered", "number {n}: a phi always has a number of its own here";
        NumberOfVolatile(n: u32): "not-numbered", "number {n}: a volatile load never takes part";
        NumberWithoutMemory(n: u32): "not-numbered", "number {n}: loads are not numbered with the option `memory=off`";
        NumberOfEffect(n: u32): "not-numbered", "number {n}: it has effects";
        NumberOfReturnsTwice(n: u32): "not-numbered", "number {n}: a call that may return twice never takes part";
        NumberOfAggregate(n: u32): "not-numbered", "number {n}: a call that gets an aggregate reads memory";
        NumberWithPureCalls(n: u32): "not-numbered", "number {n}: `readnone` calls are numbered with `pure-calls` only";
        NumberOfReader(n: u32): "not-numbered", "number {n}: a call may read memory, for the callee is not `readnone`";
        NumberOfImpure(n: u32): "not-numbered", "number {n}: a call may have effects";
        KeyOfFirst(key: Words<'a>, who: Who): "merged", ", key {key}, which {who} has, too";
    }
}
