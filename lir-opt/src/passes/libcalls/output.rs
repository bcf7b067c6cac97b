//! Functions of `stdio.h`: formats without conversions, and formats of one text or one character.

use super::{Outcome, Rewriter};
use crate::passes::libcalls::events::Event;
use lir_syntax::ir::{Mem, Opcode, Reg, Type};
use lir_syntax::libc::Output;

/// A format that needs no `printf`.
enum Plain {
    /// These characters.
    Characters(Vec<u8>),
    /// `%s`, followed by `\n` or not.
    Text { with_newline: bool },
    /// `%c`.
    Character,
}

impl Rewriter<'_, '_> {
    /// Step 2 for functions that write text.
    pub(super) fn output(&mut self, output: Output) -> Outcome {
        let args = &self.call.args;
        match output {
            Output::Snprintf => self.snprintf(),
            Output::Sprintf => self.sprintf(),
            Output::Fputc | Output::Putchar => Err(None),
            _ if self.is_used() => Err(Some(Event::ResultUsed(self.call.callee))),
            Output::Printf => self.printf(),
            Output::Fprintf => self.fprintf(),
            Output::Puts => match self.text_of(args[0]) {
                Some(text) if text.is_empty() => self.character("putchar", b'\n', &[]),
                _ => self.stays(),
            },
            Output::Fputs => match self.text_of(args[0]).as_deref() {
                Some([]) => self.done(),
                Some([c]) => self.character("fputc", *c, &[args[1]]),
                _ => self.stays(),
            },
            Output::Fwrite => {
                let sizes = [args[1], args[2]].map(|r| self.facts.constant(self.f, r));
                match sizes {
                    [Some(0), _] | [_, Some(0)] => self.done(),
                    [Some(1), Some(1)] => {
                        let (from, to) = (args[0], args[3]);
                        let fputc = self.other("fputc")?;
                        let mut b = self.build();
                        let byte = b.load(Type::I8, Mem::reg(from));
                        let c = b.convert(Opcode::Zext, Type::I8, byte, Type::I32);
                        self.call_other(fputc, &[c, to])
                    }
                    _ => self.stays(),
                }
            }
        }
    }
    /// Returns the meaning of a format at argument `k`, with the arguments after it.
    fn plain(&self, k: usize) -> Option<Plain> {
        let format = self.text_of(self.call.args[k])?;
        let type_of_next = self.call.args.get(k + 1).map(|r| self.f.type_of(*r));
        match (&format[..], type_of_next) {
            (b"%s", Some(Type::I64)) => Some(Plain::Text { with_newline: false }),
            (b"%s\n", Some(Type::I64)) => Some(Plain::Text { with_newline: true }),
            (b"%c", Some(Type::I32)) => Some(Plain::Character),
            _ if format.contains(&b'%') => None,
            _ => Some(Plain::Characters(format)),
        }
    }
    fn printf(&mut self) -> Outcome {
        let args = &self.call.args;
        match self.plain(0) {
            Some(Plain::Text { with_newline: true }) => self.simpler("puts", &[args[1]]),
            Some(Plain::Character) => self.simpler("putchar", &[args[1]]),
            Some(Plain::Characters(text)) => match &text[..] {
                [] => self.done(),
                [c] => self.character("putchar", *c, &[]),
                [line @ .., b'\n'] => {
                    let Some((sym, offset)) = self.facts.address(self.f, args[0]) else { return self.stays() };
                    let puts = self.other("puts")?;
                    let copy = self.declarations.line(sym, offset, line);
                    let address = self.build().lea(Mem::sym(copy, 0));
                    self.call_other(puts, &[address])
                }
                _ => self.stays(),
            },
            Some(Plain::Text { with_newline: false }) | None => self.stays(),
        }
    }
    fn fprintf(&mut self) -> Outcome {
        let args = &self.call.args;
        match self.plain(1) {
            Some(Plain::Text { with_newline: false }) => self.simpler("fputs", &[args[2], args[0]]),
            Some(Plain::Character) => self.simpler("fputc", &[args[2], args[0]]),
            Some(Plain::Characters(text)) => match &text[..] {
                [] => self.done(),
                [c] => self.character("fputc", *c, &[args[0]]),
                _ => self.simpler("fputs", &[args[1], args[0]]),
            },
            Some(Plain::Text { with_newline: true }) | None => self.stays(),
        }
    }
    /// Writes a call of a function that writes one character.
    fn character(&mut self, name: &'static str, c: u8, others: &[Reg]) -> Outcome {
        let callee = self.other(name)?;
        let c = self.build().constant(Type::I32, i64::from(c));
        let args: Vec<Reg> = std::iter::once(c).chain(others.iter().copied()).collect();
        self.call_other(callee, &args)
    }
    /// Writes a call of another function in place of this one. The result, if it has the other's type, is the other's.
    pub(super) fn simpler(&mut self, name: &'static str, args: &[Reg]) -> Outcome {
        let callee = self.other(name)?;
        self.call_other(callee, args)
    }
    fn sprintf(&mut self) -> Outcome {
        let args = &self.call.args;
        match self.plain(1) {
            Some(Plain::Characters(text)) => self.copy_text(args[0], args[1], text.len()),
            Some(Plain::Text { with_newline: false }) => match self.text_of(args[2]) {
                Some(text) => self.copy_text(args[0], args[2], text.len()),
                None if !self.is_used() => self.simpler("strcpy", &[args[0], args[2]]),
                None => self.stays(),
            },
            _ => self.stays(),
        }
    }
    /// A text that fits, or of which only the length is requested.
    fn snprintf(&mut self) -> Outcome {
        let args = &self.call.args;
        let Some(room) = self.facts.constant(self.f, args[1]) else { return self.stays() };
        let (from, text) = match self.plain(2) {
            Some(Plain::Characters(text)) => (args[2], text),
            Some(Plain::Text { with_newline: false }) => match self.text_of(args[3]) {
                Some(text) => (args[3], text),
                None => return self.stays(),
            },
            _ => return self.stays(),
        };
        if room == 0 {
            self.give(text.len() as i64);
            return self.done();
        }
        if room as u64 <= text.len() as u64 {
            return self.stays();
        }
        self.copy_text(args[0], from, text.len())
    }
    /// Copies a text with its NUL. The result is its length.
    fn copy_text(&mut self, to: Reg, from: Reg, length: usize) -> Outcome {
        self.build().memcpy(Mem::reg(to), Mem::reg(from), length as i64 + 1);
        self.give(length as i64);
        self.done()
    }
}
