//! Simplifies calls of the functions of `string.h`.

use super::{Outcome, Rewriter};
use crate::passes::libcalls::events::Event;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{CallArg, Ext, IntCC, Mem, Opcode, Reg, Type};
use lir_syntax::libc::Text;

/// The largest number of bytes that are compared by two loads on each side.
const MAX_COMPARED: i64 = 16;

impl Rewriter<'_, '_> {
    /// Step 2 for a function of `string.h`.
    pub(super) fn text(&mut self, text: Text) -> Outcome {
        match text {
            Text::Memcpy | Text::Memmove => self.copy_bytes(text),
            Text::Memset => self.fill(),
            Text::Strlen => self.strlen(),
            Text::Memcmp | Text::Strcmp | Text::Strncmp => self.compare(text),
            Text::Memchr | Text::Strchr | Text::Strrchr => self.find_character(text),
            Text::Strspn | Text::Strcspn | Text::Strpbrk | Text::Strstr => self.search(text),
            Text::Strcpy | Text::Stpcpy | Text::Strncpy | Text::Strcat => self.copy_text_to(text),
        }
    }
    fn known_text(&self, k: usize) -> Option<Vec<u8>> {
        self.text_of(self.call.args[k])
    }
    fn known_bytes(&self, k: usize) -> Option<Vec<u8>> {
        self.facts.bytes(self.declarations.decls, self.f, self.call.args[k])
    }
    fn known_number(&self, k: usize) -> Option<i64> {
        self.facts.constant(self.f, self.call.args[k])
    }
    /// Replaces the result with a constant.
    fn computed(&mut self, value: i64) -> Outcome {
        self.give(value);
        self.done()
    }
    /// Replaces the result with the address `at` bytes after argument 0, or 0 if nothing was found.
    fn found(&mut self, at: Option<usize>) -> Outcome {
        match at {
            Some(at) => self.give_sum(self.call.args[0], at as i64),
            None => self.give(0),
        }
        self.done()
    }

    fn copy_bytes(&mut self, text: Text) -> Outcome {
        let &[to, from, length] = &self.call.args[..] else { return self.stays() };
        let known = self.known_number(2);
        let apart = text == Text::Memcpy || self.are_apart(to, from);
        if known != Some(0) && to != from {
            let length = known.map_or(Value::Reg(length), Value::Int);
            let (to, from) = (Mem::reg(to), Mem::reg(from));
            let mut b = self.build();
            if apart { b.memcpy(to, from, length) } else { b.memmove(to, from, length) }
        }
        self.give_sum(to, 0);
        self.done()
    }
    /// True if two addresses are in different data objects that the module defines.
    fn are_apart(&self, a: Reg, b: Reg) -> bool {
        let symbol = |r| self.facts.address(self.f, r).map(|(s, _)| s);
        let is_own = |s| self.declarations.decls.known_data(s).is_some();
        matches!((symbol(a), symbol(b)), (Some(s), Some(t)) if s != t && is_own(s) && is_own(t))
    }
    fn fill(&mut self) -> Outcome {
        let &[to, byte, length] = &self.call.args[..] else { return self.stays() };
        let (byte_known, known) = (self.known_number(1), self.known_number(2));
        if known != Some(0) {
            let mut b = self.build();
            let byte = match byte_known {
                Some(n) => b.operand(Type::I8, i64::from(n as i8)),
                None => b.convert(Opcode::Trunc, Type::I32, byte, Type::I8).into(),
            };
            b.memset(Mem::reg(to), byte, known.map_or(Value::Reg(length), Value::Int));
        }
        self.give_sum(to, 0);
        self.done()
    }
    /// Simplifies `strlen`. If the text is not known and the result is only compared with 0, the first byte of the text
    /// replaces the result.
    fn strlen(&mut self) -> Outcome {
        if let Some(text) = self.known_text(0) {
            return self.computed(text.len() as i64);
        }
        let Some(r) = self.truth_value() else { return self.stays() };
        let (to, ty) = (self.stand_in(r), self.f.type_of(r));
        let at = self.call.args[0];
        let mut b = self.build();
        let byte = b.load(Type::I8, Mem::reg(at));
        b.assign(to).convert(Opcode::Zext, Type::I8, byte, ty);
        self.done()
    }
    /// Replaces the result with the first byte at an address, or its negative.
    fn first_byte(&mut self, at: Reg, negative: bool) -> Outcome {
        let Some(r) = self.call.result else { return self.done() };
        let ty = self.f.type_of(r);
        let mut b = self.build();
        let byte = b.load(Type::I8, Mem::reg(at));
        if negative {
            let byte = b.convert(Opcode::Zext, Type::I8, byte, ty);
            b.assign(r).unary(Opcode::Neg, ty, byte);
        } else {
            b.assign(r).convert(Opcode::Zext, Type::I8, byte, ty);
        }
        self.done()
    }

    /// Simplifies `memcmp`, `strcmp` and `strncmp`.
    fn compare(&mut self, text: Text) -> Outcome {
        let (x, y) = (self.call.args[0], self.call.args[1]);
        let limit = if text == Text::Strcmp { None } else { Some(self.known_number(2)) };
        if x == y || limit == Some(Some(0)) {
            return self.computed(0);
        }
        if limit == Some(Some(1)) {
            return self.difference(x, y);
        }
        if text == Text::Memcmp {
            return self.compare_bytes(x, y, limit.flatten());
        }
        let (a, b) = (self.known_text(0), self.known_text(1));
        let has_length = limit != Some(None);
        match (a, b) {
            (Some(mut a), Some(mut b)) if has_length => {
                a.push(0);
                b.push(0);
                let n = limit.flatten().map_or(usize::MAX, |n| usize::try_from(n as u64).unwrap_or(usize::MAX));
                self.computed(first_difference(&a, &b, n))
            }
            (_, Some(b)) if b.is_empty() && has_length => self.first_byte(x, false),
            (Some(a), _) if a.is_empty() && has_length => self.first_byte(y, true),
            _ => self.stays(),
        }
    }
    /// Replaces the result with the difference of the first bytes.
    fn difference(&mut self, x: Reg, y: Reg) -> Outcome {
        let Some(r) = self.call.result else { return self.done() };
        let mut b = self.build();
        let bytes = [x, y].map(|at| {
            let byte = b.load(Type::I8, Mem::reg(at));
            b.convert(Opcode::Zext, Type::I8, byte, Type::I32)
        });
        b.assign(r).binary(Opcode::Sub, Type::I32, bytes[0], bytes[1]);
        self.done()
    }
    /// Simplifies `memcmp` of this many bytes, if the number is known.
    fn compare_bytes(&mut self, x: Reg, y: Reg, length: Option<i64>) -> Outcome {
        let Some(n) = length else { return self.stays() };
        let whole = |bytes: Option<Vec<u8>>| bytes.filter(|bytes| n as u64 <= bytes.len() as u64);
        if let (Some(a), Some(b)) = (whole(self.known_bytes(0)), whole(self.known_bytes(1))) {
            return self.computed(first_difference(&a, &b, n as usize));
        }
        match (self.truth_value(), self.call.result) {
            (Some(r), _) if (2..=MAX_COMPARED).contains(&n) => {
                let to = self.stand_in(r);
                self.unequal(to, [x, y], n);
                self.done()
            }
            (Some(_), _) => Err(Some(Event::ManyBytes(self.call.callee))),
            (None, Some(_)) => Err(Some(Event::OrderAsked(self.call.callee))),
            (None, None) => self.stays(),
        }
    }
    /// Sets a register to 1 if the bytes at two addresses differ, else to 0. Each side is read by one load, or by two
    /// that may overlap.
    fn unequal(&mut self, r: Reg, at: [Reg; 2], n: i64) {
        let ty = match n {
            2..=3 => Type::I16,
            4..=7 => Type::I32,
            _ => Type::I64,
        };
        let width = i64::from(ty.bytes());
        let mut b = self.build();
        let [first, other] = at.map(|a| b.load(ty, Mem::reg(a)));
        let differs = if n == width {
            b.compare(IntCC::Ne, first, other)
        } else {
            let bits = b.binary(Opcode::Xor, ty, first, other);
            let end = Mem { disp: (n - width) as i32, ..Mem::reg(at[0]) };
            let [first, other] = at.map(|a| b.load(ty, Mem { base: Mem::reg(a).base, ..end }));
            let more = b.binary(Opcode::Xor, ty, first, other);
            let all = b.binary(Opcode::Or, ty, bits, more);
            b.compare(IntCC::Ne, all, 0)
        };
        b.assign(r).convert(Opcode::Zext, Type::I8, differs, Type::I32);
    }

    /// Simplifies `memchr`, `strchr` and `strrchr`.
    fn find_character(&mut self, text: Text) -> Outcome {
        let Some(c) = self.known_number(1).map(|c| c as u8) else { return self.stays() };
        if text == Text::Memchr {
            let n = self.known_number(2);
            let bytes = self.known_bytes(0).zip(n).filter(|(bytes, n)| *n as u64 <= bytes.len() as u64);
            return match (bytes, n) {
                (_, Some(0)) => self.computed(0),
                (Some((bytes, n)), _) => self.found(bytes[..n as usize].iter().position(|b| *b == c)),
                _ => self.stays(),
            };
        }
        if let Some(mut text_known) = self.known_text(0) {
            text_known.push(0);
            let is_it = |b: &u8| *b == c;
            let at = match text {
                Text::Strchr => text_known.iter().position(is_it),
                _ => text_known.iter().rposition(is_it),
            };
            return self.found(at);
        }
        if c == 0 { self.end_of_text() } else { self.stays() }
    }
    /// Gives the result the address of the NUL after a text that is not known.
    fn end_of_text(&mut self) -> Outcome {
        let at = self.call.args[0];
        let end = self.write_end(at)?;
        self.give_sum(end, 0);
        self.done()
    }
    /// Inserts a call of `strlen`, and returns the address of the end of the text.
    fn write_end(&mut self, at: Reg) -> Result<Reg, Event<'static>> {
        let callee = self.other("strlen")?;
        // `build` is not used, since it borrows the declarations as well.
        let mut b = FunctionBuilder::before(self.f, self.call.inst);
        let length = b.call(self.declarations.decls, callee, &[CallArg::Reg(at, Ext::None)], None);
        Ok(b.binary(Opcode::Add, Type::I64, at, length.expect("it has a result")))
    }

    /// Simplifies `strspn`, `strcspn`, `strpbrk` and `strstr`.
    fn search(&mut self, text: Text) -> Outcome {
        let (s, set) = (self.known_text(0), self.known_text(1));
        match (text, s, set) {
            (Text::Strspn, Some(s), Some(set)) => {
                self.computed(s.iter().position(|c| !set.contains(c)).unwrap_or(s.len()) as i64)
            }
            (Text::Strcspn, Some(s), Some(set)) => {
                self.computed(s.iter().position(|c| set.contains(c)).unwrap_or(s.len()) as i64)
            }
            (Text::Strpbrk, Some(s), Some(set)) => self.found(s.iter().position(|c| set.contains(c))),
            (Text::Strstr, Some(s), Some(part)) if part.len() <= s.len() => {
                // At most about 4 million bytes are compared, since known texts are short.
                let at = (0..=s.len() - part.len()).find(|k| s[*k..].starts_with(&part));
                self.found(at)
            }
            (Text::Strstr, Some(_), Some(_)) => self.computed(0),
            (Text::Strstr, None, Some(part)) if part.is_empty() => self.found(Some(0)),
            (Text::Strspn | Text::Strpbrk, None, Some(set)) if set.is_empty() => self.computed(0),
            (Text::Strspn | Text::Strcspn | Text::Strpbrk, Some(s), None) if s.is_empty() => self.computed(0),
            (Text::Strcspn, None, Some(set)) if set.is_empty() => self.simpler("strlen", &[self.call.args[0]]),
            (Text::Strpbrk | Text::Strstr, None, Some(set)) if set.len() == 1 => self.strchr_instead(set[0]),
            _ => self.stays(),
        }
    }
    fn strchr_instead(&mut self, c: u8) -> Outcome {
        let at = self.call.args[0];
        let strchr = self.other("strchr")?;
        let c = self.build().constant(Type::I32, i64::from(c));
        self.call_other(strchr, &[at, c])
    }

    /// Simplifies `strcpy`, `stpcpy`, `strncpy` and `strcat` of constant text.
    fn copy_text_to(&mut self, text: Text) -> Outcome {
        let (to, from) = (self.call.args[0], self.call.args[1]);
        let Some(length) = self.known_text(1).map(|t| t.len() as i64) else { return self.stays() };
        match text {
            Text::Strncpy => {
                let Some(n) = self.known_number(2).filter(|n| (0..=length + 1).contains(n)) else {
                    return self.stays();
                };
                if n > 0 {
                    self.build().memcpy(Mem::reg(to), Mem::reg(from), n);
                }
                self.give_sum(to, 0);
            }
            Text::Strcat if length == 0 => self.give_sum(to, 0),
            Text::Strcat => {
                let end = self.write_end(to)?;
                self.build().memcpy(Mem::reg(end), Mem::reg(from), length + 1);
                self.give_sum(to, 0);
            }
            _ => {
                self.build().memcpy(Mem::reg(to), Mem::reg(from), length + 1);
                self.give_sum(to, if text == Text::Stpcpy { length } else { 0 });
            }
        }
        self.done()
    }
}

/// Returns the difference of the first two bytes that differ among the first `n`; 0 if none do.
fn first_difference(a: &[u8], b: &[u8], n: usize) -> i64 {
    let pairs = a.iter().zip(b).take(n);
    pairs.map(|(a, b)| i64::from(*a) - i64::from(*b)).find(|d| *d != 0).unwrap_or(0)
}
