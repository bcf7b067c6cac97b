//! The remarks of `gvn` and `lvn`, as data.

use crate::pass::remarks::{Message, Said, Typed, Who, Words, events};
use crate::passes::value_numbering::key_words::Number;
use lir_syntax::ir::{Block, Format, Inst, InstData, Opcode, Reg, Type};

events! {
    pub(super) enum Event<'a> {
        ClonesTooLarge(copied: usize, most: usize): "tagged-table",
            "clones of tables would copy {copied} entries, and may copy {most}: one tagged table is used";
        Forwarded(found: Words<'a>, value: Typed): "forwarded", "{found}: replaced by {value}";
        Merged(found: Words<'a>, value: Typed): "merged", "{found}: replaced by {value}";
        HeldAlready(found: Words<'a>): "removed", "{found}: the register holds this value already";
        BecomesCopy(found: Words<'a>, r: Reg): "made-copy", "{found}: a copy of {r}: one of them is assigned again";
        BecomesTramp(found: Words<'a>, r: Reg): "made-tramp", "{found}: a tramp, whose readers read {r}";
        NotHeld(n: Number): "not-held", "number {n}: the registers that held this value were reassigned";
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
        PathsMeet(block: Block): "clobbered", "memory SSA does not look beyond the join at block {block}";
        TooMuchBetween: "clobbered", "too many instructions in between might write to it";
        MayAlias: "clobbered", "a write in between may alias it";
        MayAliasWithoutSsa: "clobbered", "a write in between may alias it (with mem=ssa it does not)";
        ForgottenByBlock: "clobbered", "with mem=block memory is forgotten at the top of each block";
        NotDominating(key: Words<'a>, who: Who, b: Block, here: Block): "not-dominating",
            "{key}; {who} in block {b} is equal, but {b} does not dominate {here}";
        NotDominatingTrap(key: Words<'a>, who: Who, b: Block, here: Block): "not-dominating",
            "{key}; {who} in block {b} is equal, but may trap, and {b} does not dominate {here}";
        LastWritten(key: Words<'a>, by: Inst): "numbered",
            "{key}; the {by} may have written there, and no equal load follows it";
        Numbered(key: Words<'a>): "numbered", "{key}; nothing before it is equal";
        PhiNumber(n: Number, why: NoKey): "phi", "number {n} of its own: {why}";
        OwnNumber(n: Number, why: NoKey): "impure", "number {n} of its own: {why}";
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

/// The reason an instruction has no key, so that its number is its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum NoKey {
    Phi,
    Volatile,
    Effects(Opcode),
    /// Memory has no numbers with this option.
    Without(&'static str),
    ReturnsTwice,
    Impure,
    Aggregates,
    Reads,
    WithoutPureCalls,
}

impl NoKey {
    /// Returns the reason of an instruction that is neither computed from operands, nor a call, nor a load that takes
    /// part.
    pub(super) fn of(d: &InstData) -> NoKey {
        match d.op.format() {
            Format::Phi => NoKey::Phi,
            Format::Load if d.is_volatile() => NoKey::Volatile,
            _ => NoKey::Effects(d.op),
        }
    }
    /// Returns the event of an instruction with a number of its own for this reason.
    pub(super) fn event(self, n: Number) -> Event<'static> {
        if self == NoKey::Phi { Event::PhiNumber(n, self) } else { Event::OwnNumber(n, self) }
    }
}

impl Said for NoKey {
    fn write(&self, m: &mut Message<'_>) {
        let words = match *self {
            NoKey::Effects(op) => {
                m.say(op);
                " has effects"
            }
            NoKey::Without(option) => {
                m.text("memory is not numbered with ");
                option
            }
            NoKey::Phi => "operands of phis may come along back edges (see phi-simplify)",
            NoKey::Volatile => "it is volatile",
            NoKey::ReturnsTwice => "the callee may return twice",
            NoKey::Impure => "a call whose callee may access memory",
            NoKey::Aggregates => "the call has aggregates, which are memory",
            NoKey::Reads => "the callee may read memory, for it is not `readnone`",
            NoKey::WithoutPureCalls => "`readnone` calls are numbered with `pure-calls` only",
        };
        m.text(words);
    }
}
