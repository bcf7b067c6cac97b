//! The remarks of `lvn` about an instruction that it gave a number.

use super::LocalNumberer;
use crate::pass::remarks::Who;
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::explain::NumberInWords;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::{Number, type_of};
use lir_syntax::ir::{Function, Inst, Opcode};

impl LocalNumberer<'_> {
    /// Reports that the key of an instruction is new, and why nothing equal was found.
    #[inline]
    pub(super) fn report_new(&mut self, f: &Function, i: Inst, key: &ValueKey, value: u32) {
        if !self.explainer.remarks.on() {
            return;
        }
        let keyed = &self.explainer.in_words(self.number_of(value), Some(key), None);
        let last_write = if f.inst(i).op == Opcode::Load { self.scratch.memory.last_write() } else { None };
        let (nearest, remarks) = (self.explainer.nearest(key, |_| true), &mut *self.explainer.remarks);
        match (nearest, last_write) {
            (Some(s), _) if type_of(&s.key) != type_of(key) => {
                remarks.missed(f, i, Event::AnotherWidth(keyed, Who(s.inst), type_of(&s.key)));
            }
            (Some(s), Some(by)) => {
                remarks.missed(f, i, Event::Clobbered(keyed, Who(s.inst), &Event::WrittenBetween(by)));
            }
            (None, Some(by)) => remarks.note(f, i, Event::LastWritten(keyed, by)),
            (_, None) => remarks.note(f, i, Event::Numbered(keyed)),
        }
        self.explainer.keep(f, i, key);
    }
    /// Reports why an instruction does not take part.
    #[inline]
    pub(super) fn report_no_key(&mut self, f: &Function, i: Inst, value: u32, why: NoKey) {
        self.explainer.remarks.missed(f, i, why.event(self.number_of(value)));
    }
    /// Reports the change of an instruction whose number another had, by its key or as a copy.
    #[inline]
    pub(super) fn report_equal(
        &mut self,
        f: &Function,
        i: Inst,
        (value, key): (u32, Option<ValueKey>),
        event: impl for<'a> FnOnce(&'a NumberInWords) -> Event<'a>,
    ) {
        if self.explainer.remarks.on() {
            let first = key.and_then(|key| self.explainer.nearest(&key, |s| s.key == key).map(|s| s.inst));
            let found = self.explainer.in_words(self.number_of(value), key.as_ref(), first);
            self.explainer.remarks.done(f, i, event(&found));
        }
    }
    pub(super) fn number_of(&self, value: u32) -> Number {
        Number(self.scratch.values[value as usize].in_keys)
    }
}
