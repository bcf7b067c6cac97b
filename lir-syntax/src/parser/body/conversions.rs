//! Suggestions for operands and results of the wrong type: the conversion, opcode or predicate that is meant.

use super::BodyParser;
use super::suggestions::moved;
use crate::ir::{EntityRef, FloatCC, Format, IntCC, Opcode, Reg, Type};
use crate::parser::cursor::span;
use crate::parser::edits::{conversion, converting_opcode, indent_of, line_before, lines_before};
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

/// The opcodes that work on bits, and so on a float's bits.
const BITWISE: [Opcode; 8] =
    [Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Not, Opcode::Shl, Opcode::Lshr, Opcode::Ashr, Opcode::Rotl];

impl BodyParser<'_, '_> {
    /// Suggests how a register of one type is converted to another. Without another, it becomes an integer that is 0 or
    /// 1.
    #[cold]
    pub(super) fn help_convert(&mut self, at: Token, reg: Reg, from: Type, to: Option<Type>) {
        if !self.suggests() {
            return;
        }
        let statement = self.c.token_at(self.statement);
        let opcode = self.c.opcode_of_statement(statement);
        if opcode == Some(Opcode::Phi) {
            return self.help_phi(at, from, to);
        }
        if let Some(op) = opcode.filter(|op| op.format() == Format::Convert)
            && let Some(word) = self.word_of_statement(op)
        {
            return self.help_conversion(op, word, from);
        }
        let text = self.c.all_text();
        let Some(to) = to else {
            let Some(fresh) = self.fresh("%", "truth") else { return };
            let line = format!("{fresh} = fcmp une {from} {}, 0.0", self.string(span(at)));
            let edits = vec![line_before(text, self.statement, &line), Edit::replace(span(at), &*fresh)];
            return self.c.help(format!("compare it before this line, `{line}`, and write `{fresh}` here"), edits);
        };
        let assigned = self.c.token_at(self.s.regs[reg.index()].assigned);
        let by = self.c.opcode_of_statement(assigned);
        let truth = matches!(by, Some(Opcode::Icmp | Opcode::Fcmp));
        if let Some(help) = conversion(text, self.scope(), self.statement, span(at), (from, to), truth) {
            self.c.help(help.message, help.edits);
        }
    }

    /// Suggests the opcode that does the same to the other class of types, or converts.
    #[cold]
    pub(super) fn help_opcode(&mut self, op: Opcode, word: Token, from: Type) {
        if !self.suggests() {
            return;
        }
        if op.format() == Format::Convert {
            return self.help_conversion(op, word, from);
        }
        let Some(other) = other_class(op).filter(|o| o.info().types.allows(from)) else {
            return self.help_operands(op, word, from);
        };
        let name = other.mnemonic();
        self.c.help(format!("write `{name}`"), vec![Edit::replace(span(word), name)]);
    }

    /// Returns the word of the opcode of the current statement.
    pub(super) fn word_of_statement(&self, op: Opcode) -> Option<Token> {
        let mut scanner = Scanner::new(self.c.all_text(), self.statement as usize);
        let mut tokens = std::iter::repeat_with(|| scanner.token()).take(3);
        tokens.find(|t| t.kind == TokenKind::Word && self.c.text(*t) == op.mnemonic().as_bytes())
    }

    /// Suggests how a register of a type is converted to the type after `to`.
    fn help_conversion(&mut self, op: Opcode, word: Token, from: Type) {
        let mut scanner = Scanner::new(self.c.all_text(), word.end as usize);
        let mut reg = scanner.token();
        if reg.kind == TokenKind::Word {
            reg = scanner.token();
        }
        let (to, target) = (scanner.token(), scanner.token());
        let Some(ty) = Type::from_name(self.c.text(target)) else { return };
        if reg.kind != TokenKind::Reg || self.c.text(to) != b"to" {
            return;
        }
        let allows = |op: &Opcode| op.info().types.allows_conversion(from, ty);
        let reg = self.string(span(reg));
        let written = if from == ty {
            moved(&reg, from, ty, false)
        } else {
            let other = match op {
                _ if allows(&op) => Some(op),
                // Only these keep the bits.
                Opcode::Bitcast => [Opcode::Zext, Opcode::Trunc].into_iter().find(allows),
                _ => converting_opcode(from, ty, false),
            };
            other.map(|o| format!("{} {from} {reg} to {ty}", o.mnemonic()))
        };
        if let Some(written) = written {
            let whole = Span { start: word.start, end: target.end };
            self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
    }

    /// Suggests how operands are converted for an opcode that their class does not have.
    fn help_operands(&mut self, op: Opcode, word: Token, from: Type) {
        let is_bitwise = BITWISE.contains(&op);
        let (by, to) = match from.is_int() {
            true => (Opcode::Sitofp, Type::F64),
            false if is_bitwise => (Opcode::Bitcast, from.bits_type()),
            false => return,
        };
        if !op.info().types.allows(to) || !matches!(op.format(), Format::Unary | Format::Binary | Format::Ternary) {
            return;
        }
        let mut scanner = Scanner::new(self.c.all_text(), word.end as usize);
        let (mut edits, mut lines, mut names) = (Vec::new(), Vec::new(), Vec::<(String, String)>::new());
        let mut operands = Vec::new();
        let mut t = scanner.token();
        if t.kind == TokenKind::Word {
            edits.push(Edit::replace(span(t), to.name()));
            t = scanner.token();
        } else {
            edits.push(Edit::insert(t.start, format!("{to} ")));
        }
        while !matches!(t.kind, TokenKind::Newline | TokenKind::Eof) {
            match t.kind {
                TokenKind::Comma => {}
                TokenKind::Reg => {
                    let reg = self.string(span(t));
                    let known = names.iter().find(|(name, _)| *name == reg).map(|(_, fresh)| fresh.clone());
                    let Some(fresh) = known.or_else(|| self.fresh("%", "value")) else { return };
                    if !names.iter().any(|(name, _)| *name == reg) {
                        lines.push(format!("{fresh} = {} {from} {reg} to {to}", by.mnemonic()));
                        names.push((reg, fresh.clone()));
                    }
                    operands.push(fresh.clone());
                    edits.push(Edit::replace(span(t), fresh));
                }
                TokenKind::Number if parse_constant(to, &self.string(span(t))).is_ok() => {
                    operands.push(self.string(span(t)));
                }
                _ => return,
            }
            t = scanner.token();
        }
        let message = format!(
            "convert before this line, `{}`, and write `{} {to} {}` here",
            lines.join("`, `"),
            op.mnemonic(),
            operands.join(", ")
        );
        edits.insert(0, lines_before(self.c.all_text(), self.statement, &lines));
        self.c.help(message, edits);
    }

    /// Suggests how a register that a phi reads is converted. This is done at the end of the predecessor.
    fn help_phi(&mut self, at: Token, from: Type, to: Option<Type>) {
        let text = self.c.all_text();
        let mut scanner = Scanner::new(text, at.end as usize);
        let (_comma, label) = (scanner.token(), scanner.token());
        let Some(by) = to.and_then(|to| converting_opcode(from, to, false)) else { return };
        let Some(terminator) = self.end_of_block(self.c.text(label)) else { return };
        let to = to.unwrap_or(from);
        let Some(fresh) = self.fresh("%", "value") else { return };
        let line = format!("{fresh} = {} {from} {} to {to}", by.mnemonic(), self.string(span(at)));
        let mut edits = vec![line_before(text, terminator, &line), Edit::replace(span(at), &*fresh)];
        edits.sort_by_key(|e| e.span.start);
        let label = self.string(span(label));
        let message = format!(
            "convert it at the end of block `{label}`, `{line}` before the terminator, and write `{fresh}` here"
        );
        self.c.help(message, edits);
    }
    /// Returns the offset of the terminator of the block of a label. None if the block has guards, which end it too.
    fn end_of_block(&self, label: &[u8]) -> Option<u32> {
        let mut scanner = Scanner::new(self.c.all_text(), self.start);
        let (mut inside, mut begins) = (false, true);
        loop {
            let t = scanner.token();
            let is_word = t.kind == TokenKind::Word && begins;
            let is_name = is_word || t.kind == TokenKind::Str && begins;
            if is_name && self.c.token_at(t.end).kind == TokenKind::Colon {
                inside = self.c.text(t) == label;
            } else if inside && is_word {
                match Opcode::from_mnemonic(self.c.text(t)) {
                    Some(op) if op.is_terminator() => return Some(t.start),
                    None => return None,
                    Some(_) => {}
                }
            } else if t.kind == TokenKind::Eof {
                return None;
            }
            begins = t.kind == TokenKind::Newline;
        }
    }

    /// Suggests how a value of another type is assigned to a register. Called at the end of the statement.
    #[cold]
    pub(super) fn help_assigned(&mut self, at: Token, ty: Type, wanted: Type) {
        let statement = self.c.token_at(self.statement);
        let op = self.c.opcode_of_statement(statement).filter(|op| *op != Opcode::Phi && self.suggests());
        let Some(op) = op.filter(|_| at.kind == TokenKind::Reg) else { return };
        let reg = self.string(span(at));
        let bare = reg.strip_prefix('%').filter(|name| !name.starts_with('"')).unwrap_or("value");
        let Some(fresh) = self.fresh("%", &format!("{bare}.{ty}")) else { return };
        let mut edits = vec![Edit::replace(span(at), &*fresh)];
        if op.format() == Format::Convert {
            // Later uses get its type there.
            return self.c.help(format!("a register has one type; write another name, `{fresh}`"), edits);
        }
        let Some(converted) = moved(&fresh, ty, wanted, matches!(op, Opcode::Icmp | Opcode::Fcmp)) else { return };
        let indent = indent_of(self.c.all_text(), self.statement);
        edits.push(Edit::insert(self.c.token.start, format!("\n{indent}{reg} = {converted}")));
        self.c.help(format!("write `{fresh}` here, and `{reg} = {converted}` after this line"), edits);
    }

    /// Suggests the type that an argument has by the signature of the called function. `first` is the type that is
    /// written, `reg` the register after it.
    #[cold]
    pub(super) fn help_argument(&mut self, first: Token, reg: Token, wanted: Type) {
        if !self.suggests() {
            return;
        }
        if self.c.at_constant() {
            let (start, last) = self.constant_here();
            let literal = self.string(Span { start: start.start, end: last.end });
            if parse_constant(wanted, &literal).is_ok() {
                self.c.help(format!("write `{wanted} {literal}`"), vec![Edit::replace(span(first), wanted.name())]);
            }
            return;
        }
        if reg.kind != TokenKind::Reg {
            return;
        }
        let known = self.known_reg(&self.c.text(reg)[1..]).and_then(|r| self.type_above(r));
        let Some(from) = known else { return };
        let whole = Span { start: first.start, end: reg.end };
        let name = self.string(span(reg));
        if from == wanted {
            return self.help_lines(&[], whole, format!("{wanted} {name}"));
        }
        let Some(converted) = moved(&name, from, wanted, false) else { return };
        let Some(fresh) = self.fresh("%", "value") else { return };
        self.help_lines(&[format!("{fresh} = {converted}")], whole, format!("{wanted} {fresh}"));
    }

    /// Suggests the predicate of the other class of types that means the same, and its opcode.
    #[cold]
    pub(super) fn help_predicate(&mut self, t: Token, ty: Type) {
        let Some(name) = predicate_of_other_class(self.c.text(t), ty).filter(|_| self.suggests()) else { return };
        let first = self.c.token_at(self.statement);
        let Some(op) = self.c.opcode_of_statement(first) else { return };
        let Some(other) = other_class(op).filter(|_| !op.info().types.allows(ty)) else {
            return self.c.help(format!("write `{name}`"), vec![Edit::replace(span(t), name)]);
        };
        // The opcode is right before the predicate.
        let Some(word) = self.token_before(t.start) else { return };
        let whole = Span { start: word.start, end: t.end };
        let written = format!("{} {name}", other.mnemonic());
        self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
    }
}

/// Returns the opcode for floats that corresponds to this one for integers, or vice versa.
fn other_class(op: Opcode) -> Option<Opcode> {
    let name = op.mnemonic();
    let other = match name {
        "sdiv" | "udiv" => "fdiv".to_string(),
        "fdiv" => "sdiv".to_string(),
        "icmp" => "fcmp".to_string(),
        "fcmp" => "icmp".to_string(),
        "smin" | "umin" => "fmin".to_string(),
        "smax" | "umax" => "fmax".to_string(),
        "fmin" => "smin".to_string(),
        "fmax" => "smax".to_string(),
        _ => name.strip_prefix('f').map_or_else(|| format!("f{name}"), str::to_string),
    };
    Opcode::from_mnemonic(other.as_bytes()).filter(|o| o.format() == op.format())
}

/// Returns the predicate for a type with the meaning of this one of the other class.
fn predicate_of_other_class(word: &[u8], ty: Type) -> Option<&'static str> {
    let word = std::str::from_utf8(word).ok()?;
    if ty.is_int() {
        let name = match word {
            "oeq" | "ueq" => "eq",
            "one" | "une" => "ne",
            // `ult` and the like are predicates of both.
            _ => &*format!("s{}", word.strip_prefix('o')?),
        };
        return IntCC::from_name(name.as_bytes()).map(|p| p.name());
    }
    let name = match word {
        "eq" => "oeq",
        "ne" => "une",
        _ => &*format!("o{}", word.strip_prefix('s')?),
    };
    FloatCC::from_name(name.as_bytes()).map(|p| p.name())
}
