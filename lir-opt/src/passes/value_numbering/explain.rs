//! What `gvn` and `lvn` remember for their remarks, where somebody listens.
//!
//! Of everything that was numbered a note is kept by its key without what tells equal texts apart (the version of
//! memory, the type of a load, the block of a constant), so that for a value that is new the nearest equal one can be
//! named.

use crate::pass::remarks::{Message, Said, Typed, Who};
use crate::passes::value_numbering::events::Event;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Number, opcode, type_of};
use lir_syntax::ir::{Block, Format, Function, Inst, Opcode};
use rustc_hash::FxHashMap;

/// An instruction that was numbered.
#[derive(Copy, Clone)]
pub(super) struct Seen {
    pub key: ValueKey,
    pub inst: Inst,
    pub block: Block,
}

/// Notes that are kept of one text.
const MAX_SEEN: usize = 64;

/// The instructions numbered so far, by key without what tells equal texts apart; latest last.
#[derive(Default)]
pub(super) struct SeenKeys {
    by_text: FxHashMap<(u32, [u32; 3]), Vec<Seen>>,
}

impl SeenKeys {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.by_text.clear();
    }
    /// Notes that an instruction of a block was entered under a key.
    pub(super) fn keep(&mut self, key: ValueKey, inst: Inst, block: Block) {
        let seen = self.by_text.entry(text_of(&key)).or_default();
        if seen.len() < MAX_SEEN {
            seen.push(Seen { key, inst, block });
        }
    }
    /// The instructions with the text of a key, latest first.
    pub(super) fn of_text(&self, key: &ValueKey) -> impl Iterator<Item = &Seen> + Clone {
        self.by_text.get(&text_of(key)).into_iter().flatten().rev()
    }
    /// The same of the type of the key, too.
    pub(super) fn of_type(&self, key: &ValueKey) -> impl Iterator<Item = &Seen> + Clone {
        let ty = type_of(key);
        self.of_text(key).filter(move |s| type_of(&s.key) == ty)
    }
    /// Returns the latest instruction with the text of a key of which something holds. One of the type of the key says
    /// more than another.
    pub(super) fn nearest(&self, key: &ValueKey, holds: impl Fn(&Seen) -> bool) -> Option<&Seen> {
        self.of_type(key).find(|s| holds(s)).or_else(|| self.of_text(key).find(|s| holds(s)))
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

/// A number and its key in words, and the instruction that had it first. Without a key it is a copy.
pub(super) struct Numbered {
    pub number: Number,
    pub key: Option<ValueKey>,
    pub first: Option<Inst>,
}

impl Numbered {
    /// The event of an instruction with this number that a value replaces.
    pub(super) fn replaced_by(&self, f: &Function, value: Typed) -> Event<'_> {
        if is_store(f, self.first) { Event::Forwarded(self, value) } else { Event::Merged(self, value) }
    }
}

impl Said for Numbered {
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
