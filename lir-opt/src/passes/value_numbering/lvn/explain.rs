//! The remarks of `lvn` about an instruction that it gave a new number.

use super::memory::Form;
use super::{LocalNumberer, takes_scalars};
use crate::analysis::effects::callee_attrs;
use crate::pass::remarks::{Said, Who};
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Key, opcode};
use crate::passes::value_numbering::lvn::events::Event;
use lir_syntax::ir::{Attrs, Decls, Format, Function, Inst, Opcode};

/// The reason an instruction has a number that another had before.
#[derive(Copy, Clone)]
pub(super) enum Why {
    /// It is a copy.
    Copy,
    /// This key was known.
    Key(ValueKey),
    /// The loaded value was stored in this block.
    Stored,
}

impl LocalNumberer<'_> {
    /// Says that an instruction has a new number, and why: a key that is new, or no key.
    #[cold]
    pub(super) fn explain_new(&mut self, f: &Function, i: Inst, key: Option<ValueKey>, value: u32) {
        if !self.first_iteration {
            return;
        }
        let Some(key) = key else {
            return self.explain_no_key(f, i, value);
        };
        let (memory, key) = (&self.scratch.memory, &shown(&key));
        let other = &memory.other.map(|stored| Event::StoredAs(stored.offset, stored.ty));
        let event = match memory.given_by(memory.newest) {
            _ if f.inst(i).op != Opcode::Load => Event::NewInBlock(value, key),
            Some(by) => Event::LoadAfterWrite(value, key, by, other),
            None => Event::FirstLoad(value, key, other),
        };
        self.remarks.note(f, i, event);
    }
    /// Says why an instruction does not take part.
    fn explain_no_key(&mut self, f: &Function, i: Inst, value: u32) {
        let d = f.inst(i);
        let event = match d.op.format() {
            Format::Phi => Event::NumberOfPhi(value),
            Format::Call => why_no_call(self.decls, f, i, self.pure_calls)(value),
            Format::Load if d.is_volatile() => Event::NumberOfVolatile(value),
            Format::Load if d.op == Opcode::Load => Event::NumberWithoutMemory(value),
            _ => Event::NumberOfEffect(value),
        };
        self.remarks.missed(f, i, event);
    }
    /// Notes which instruction had a number first.
    pub(super) fn note_first(&mut self, i: Inst, value: u32) {
        self.scratch.first.resize(value as usize, None);
        self.scratch.first.push(Some(i));
    }
    /// Reports the change of an instruction whose number another had, and the reason for it.
    pub(super) fn explain_equal(
        &mut self,
        f: &Function,
        i: Inst,
        (value, why): (u32, Why),
        event: impl for<'a> FnOnce(u32, &'a dyn Said) -> Event<'a>,
    ) {
        if !self.remarks.on() {
            return;
        }
        let memory = &self.scratch.memory;
        let first = self.scratch.first.get(value as usize).copied().flatten();
        let key = if let Why::Key(key) = why { Some(shown(&key)) } else { None };
        let why = match (&key, why) {
            (Some(key), _) => first.map_or(Event::OfKey(key), |first| Event::KeyOfFirst(key, Who(first))),
            (None, Why::Stored) => {
                memory.given_by(memory.newest).map_or(Event::Nothing, |by| Event::LeftThere(Who(by)))
            }
            (None, _) => Event::SameOperand,
        };
        self.remarks.done(f, i, event(value, &why));
    }
}

/// Returns the reason a call has no number. It never has one, or with the option only.
fn why_no_call(decls: &Decls, f: &Function, i: Inst, pure_calls: bool) -> fn(u32) -> Event<'static> {
    let attrs = callee_attrs(decls, f, i);
    if attrs.has(Attrs::RETURNS_TWICE) {
        Event::NumberOfReturnsTwice
    } else if attrs.has(Attrs::READNONE) && !takes_scalars(f, i) {
        Event::NumberOfAggregate
    } else if attrs.has(Attrs::READNONE) && !pure_calls {
        Event::NumberWithPureCalls
    } else if attrs.has(Attrs::READONLY) {
        Event::NumberOfReader
    } else {
        Event::NumberOfImpure
    }
}

/// A key for remarks. Loads from several parts of an object have a memory number for each.
fn shown(key: &ValueKey) -> Key {
    let form = key.head.to_le_bytes()[2];
    Key { key: *key, is_of_parts: opcode(key) == Opcode::Load && form == Form::Segments as u8 }
}
