//! The remarks of `gvn` and `lvn`: the numbered instructions, and the nearest equal text of each new one.
//!
//! If remarks are on, each numbered instruction is recorded under its key without the parts that tell equal texts
//! apart: the version of memory, the type of a load, the block of a constant.

use crate::analysis::memory_ssa::Access;
use crate::pass::remarks::{Message, Remarks, Said, Typed, Who};
use crate::passes::value_numbering::events::Event;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Number, opcode, type_of};
use lir_syntax::ir::{Block, EntityRef, Format, Function, Inst, Opcode, SecondaryMap};
use rustc_hash::FxHashMap;

/// An instruction that was numbered.
#[derive(Copy, Clone)]
pub(super) struct Seen {
    pub key: ValueKey,
    pub inst: Inst,
    pub block: Block,
}

/// The most instructions that are recorded for one text.
const MAX_SEEN: usize = 64;

/// The remarks of a function, and the instructions numbered so far.
pub(super) struct Explainer<'a> {
    pub remarks: &'a mut Remarks,
    /// The printed numbers of versions of memory, if keys have the versions of memory SSA.
    printed: Option<SecondaryMap<Access, u32>>,
    /// By key without the parts that tell equal texts apart; latest last.
    seen: FxHashMap<(u32, [u32; 3]), Vec<Seen>>,
}

impl<'a> Explainer<'a> {
    /// Begins with nothing seen.
    pub(super) fn new(remarks: &'a mut Remarks, printed: Option<SecondaryMap<Access, u32>>) -> Explainer<'a> {
        Explainer { remarks, printed, seen: FxHashMap::default() }
    }
    /// Forgets the instructions seen so far.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }
    /// Notes, if remarks are on, that an instruction was entered under a key.
    #[inline]
    pub(super) fn keep(&mut self, f: &Function, inst: Inst, key: &ValueKey) {
        if self.remarks.on()
            && let Some(block) = f.layout().block_of(inst)
        {
            let seen = self.seen.entry(text_of(key)).or_default();
            if seen.len() < MAX_SEEN {
                seen.push(Seen { key: *key, inst, block });
            }
        }
    }
    /// Returns the instructions with the text of a key, latest first. With `same_type` only the ones of its type.
    fn like(&self, key: &ValueKey, same_type: bool) -> impl Iterator<Item = &Seen> {
        let (ty, all) = (type_of(key), self.seen.get(&text_of(key)));
        all.into_iter().flatten().rev().filter(move |s| !same_type || type_of(&s.key) == ty)
    }
    /// Returns the latest instruction with the text of a key that satisfies a condition. One of the type of the key is
    /// preferred.
    pub(super) fn nearest(&self, key: &ValueKey, holds: impl Fn(&Seen) -> bool) -> Option<Seen> {
        let mut all = self.like(key, true).chain(self.like(key, false));
        all.find(|s| holds(s)).copied()
    }
    /// Returns the latest instruction with the text and the type of a key.
    pub(super) fn latest(&self, key: &ValueKey) -> Option<Seen> {
        self.like(key, true).next().copied()
    }
    /// Returns a number with its key, which a copy does not have, and the instruction that had it first.
    pub(super) fn in_words(&self, number: Number, key: Option<&ValueKey>, first: Option<Inst>) -> NumberInWords {
        let mut key = key.copied();
        if let Some((key, printed)) = key.as_mut().zip(self.printed.as_ref())
            && opcode(key).format() == Format::Load
        {
            key.operands[2] = printed[Access::new(key.operands[2] as usize)];
        }
        NumberInWords { number, key, first }
    }
}

/// Returns the part of a key that equal texts have in common.
fn text_of(key: &ValueKey) -> (u32, [u32; 3]) {
    let [a, b, c] = key.operands;
    match opcode(key).format() {
        Format::Load => (Opcode::Load as u32, [a, b, 0]),
        Format::Const => (key.head, [a, 0, 0]),
        Format::Call => (key.head, [a, b, 0]),
        _ => (key.head, [a, b, c]),
    }
}

/// A number and why an instruction has it.
pub(super) struct NumberInWords {
    number: Number,
    key: Option<ValueKey>,
    first: Option<Inst>,
}

impl NumberInWords {
    /// Returns the event for the replacement of an instruction of this number by a value.
    pub(super) fn replaced_by(&self, f: &Function, value: Typed) -> Event<'_> {
        if is_store(f, self.first) { Event::Forwarded(self, value) } else { Event::Merged(self, value) }
    }
}

impl Said for NumberInWords {
    fn write(&self, m: &mut Message<'_>) {
        m.text("number ").say(self.number);
        match self.key {
            Some(key) => m.text(", key ").say(key),
            None => m.text(", the number of its operand"),
        };
        if let Some(first) = self.first {
            let words = if is_store(m.f, self.first) { " left there" } else { " has, too" };
            m.text(", which ").say(Who(first)).text(words);
        }
    }
}

fn is_store(f: &Function, i: Option<Inst>) -> bool {
    i.is_some_and(|i| f.inst(i).op.format() == Format::Store)
}
