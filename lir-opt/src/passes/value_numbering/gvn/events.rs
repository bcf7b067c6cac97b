//! The remarks of the pass `gvn`, as data.

use crate::pass::remarks::{Typed, Who, Words, events};
use lir_syntax::ir::{Block, Inst, Opcode, Type};

events! {
    pub(super) enum Event<'a> {
        ClonesTooLarge(copied: usize, most: usize): "tagged-table",
            "clones of tables would copy {copied} entries, and may copy {most}: one tagged table is used";
        StoreLeft(key: Words<'a>, who: Who, value: Typed): "forwarded",
            "{key}: {who} left {value} there: replaced by it";
        HasTheKey(key: Words<'a>, who: Who, value: Typed): "merged", "{key}, which {who} has, too: replaced by {value}";
        KeyIsKnown(key: Words<'a>, value: Typed): "merged", "{key}: replaced by {value}";
        AnotherWidth(key: Words<'a>, who: Who, ty: Type): "another-width",
            "{key}; {who} accesses the location as another type, {ty}";
        StoreCovers(key: Words<'a>, who: Who, ty: Type): "another-width",
            "{key}; {who} covers the location with another type, {ty}";
        StoreCoversPart(key: Words<'a>, who: Who, ty: Type): "another-width",
            "{key}; {who} covers a part of it with another type, {ty}";
        ConstantElsewhere(key: Words<'a>, who: Who, block: Block): "constant",
            "{key}; {who} in block {block} is the same, but a constant is numbered in its own block only";
        Clobbered(key: Words<'a>, who: Who, why: Words<'a>): "clobbered",
            "{key}; {who} has the same location, but {why}";
        ClobberedCall(key: Words<'a>, who: Who, why: Words<'a>): "clobbered",
            "{key}; {who} is the same call, but {why}";
        WrittenBetween(by: Inst): "clobbered", "the {by} may write to it in between";
        PathsMeet(block: Block): "clobbered", "memory SSA does not see past the paths that meet at block {block}";
        TooMuchBetween: "clobbered", "there is too much in between that might write to it to look at all";
        MayAlias: "clobbered", "a write in between may alias it";
        MayAliasWithoutSsa: "clobbered", "a write in between may alias it (with mem=ssa it does not)";
        ForgottenByBlock: "clobbered", "with mem=block memory is forgotten at the top of each block";
        NotDominating(key: Words<'a>, who: Who, b: Block, here: Block): "not-dominating",
            "{key}; {who} in block {b} is equal, but {b} does not dominate {here}";
        NotDominatingTrap(key: Words<'a>, who: Who, b: Block, here: Block): "not-dominating",
            "{key}; {who} in block {b} is equal, but may trap, and {b} does not dominate {here}";
        Numbered(key: Words<'a>): "numbered", "{key}; nothing before it is equal";
        PhiNumber(n: Words<'a>): "phi",
            "number {n} of its own: operands of phis may come along back edges (see phi-simplify)";
        ImpureCall(n: Words<'a>): "impure",
            "number {n} of its own: a call whose callee is not known to leave memory alone";
        CallReadsMemory(n: Words<'a>): "impure", "number {n} of its own: memory is not numbered with mem=off";
        CallOfAggregates(n: Words<'a>): "impure", "number {n} of its own: the callee returns twice, or has aggregates";
        VolatileLoad(n: Words<'a>): "impure", "number {n} of its own: it is volatile";
        LoadWithoutMemory(n: Words<'a>): "impure", "number {n} of its own: loads are not numbered with mem=off";
        HasEffects(n: Words<'a>, op: Opcode): "impure", "number {n} of its own: {op} has effects";
        CopyStays(value: Typed): "copy", "a copy has the number of its operand, {value}";
        CopyGoes(value: Typed): "copy", "a copy has the number of its operand: replaced by {value}";
        BlockWrote(op: Opcode): "block", "the {op} wrote a known value there: replaced by it";
        EqualOperands(value: Typed): "equal-operands", "its operands have one number: it is {value}";
        KnownByBranch(value: Typed): "known", "a branch that dominates it decides it: {value}";
        EqualByBranch: "operands", "a branch determines its operands: replaced by an equal value";
        ConstantData: "constant-data", "reads constant data, whose contents replace it";
        LowPart(ty: Type, v: Typed): "converted", "memory holds an {ty} there, of which it is the low part: from {v}";
        OtherClass(ty: Type, v: Typed): "converted",
            "memory holds an {ty} there, with the bits of a value of the other class: from {v}";
    }
}
