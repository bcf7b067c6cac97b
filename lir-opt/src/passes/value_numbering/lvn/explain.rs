//! The remarks of `lvn` about an instruction that it gave a number.

use super::LocalNumberer;
use crate::pass::remarks::Who;
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::explain::Numbered;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Number, type_of};
use lir_syntax::ir::{Function, Inst, Opcode};

impl LocalNumberer<'_> {
    /// Notes, if remarks are on, that an instruction was entered under a key.
    #[inline]
    pub(super) fn keep_seen(&mut self, f: &Function, i: Inst, key: &ValueKey) {
        if self.remarks.on()
            && let Some(b) = f.layout().block_of(i)
        {
            self.scratch.seen.keep(*key, i, b);
        }
    }
    /// Says that the key of an instruction is new, and why nothing equal was found.
    #[inline]
    pub(super) fn explain_new(&mut self, f: &Function, i: Inst, key: &ValueKey, value: u32) {
        if !self.remarks.on() {
            return;
        }
        let keyed = &Numbered { number: self.number_of(value), key: Some(*key), first: None };
        let last_write =
            Some(&self.scratch.memory).filter(|_| f.inst(i).op == Opcode::Load).and_then(|m| m.last_write());
        match (self.scratch.seen.nearest(key, |_| true), last_write) {
            (Some(s), _) if type_of(&s.key) != type_of(key) => {
                self.remarks.missed(f, i, Event::AnotherWidth(keyed, Who(s.inst), type_of(&s.key)));
            }
            (Some(s), Some(by)) => {
                self.remarks.missed(f, i, Event::Clobbered(keyed, Who(s.inst), &Event::WrittenBetween(by)));
            }
            (None, Some(by)) => self.remarks.note(f, i, Event::LastWritten(keyed, by)),
            (_, None) => self.remarks.note(f, i, Event::Numbered(keyed)),
        }
        self.keep_seen(f, i, key);
    }
    /// Says why an instruction does not take part.
    #[inline]
    pub(super) fn explain_no_key(&mut self, f: &Function, i: Inst, value: u32, why: NoKey) {
        self.remarks.missed(f, i, why.event(self.number_of(value)));
    }
    /// Reports the change of an instruction whose number another had, by its key or as a copy.
    #[inline]
    pub(super) fn explain_equal(
        &mut self,
        f: &Function,
        i: Inst,
        (value, key): (u32, Option<ValueKey>),
        event: impl for<'a> FnOnce(&'a Numbered) -> Event<'a>,
    ) {
        if self.remarks.on() {
            let first = key.and_then(|key| self.scratch.seen.of_type(&key).find(|s| s.key == key).map(|s| s.inst));
            self.remarks.done(f, i, event(&Numbered { number: self.number_of(value), key, first }));
        }
    }
    fn number_of(&self, value: u32) -> Number {
        Number(self.scratch.values[value as usize].in_keys)
    }
}
