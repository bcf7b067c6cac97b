//! Suggestions for errors in a body, as messages and as edits of the text. They are made only when an error is certain,
//! and only for the first errors of a function: its text is searched for names that are not taken.

use super::{BodyParser, Typeless};
use crate::ir::{Effects, EntityRef, Format, Opcode, Reg, Type};
use crate::parser::cursor::span;
use crate::parser::edits::{converting_opcode, fresh_name, line_before, lines_before};
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

/// The most errors of a function that get a suggestion.
const MAX_SUGGESTED: usize = 100;
impl BodyParser<'_, '_> {
    /// True if the error that was just reported is to get a suggestion.
    pub(super) fn suggests(&self) -> bool {
        self.c.kept_last() && self.c.errors.list.len() <= MAX_SUGGESTED
    }
    /// Returns the text of the function up to its end, in which names are taken.
    pub(super) fn scope(&self) -> &[u8] {
        &self.c.all_text()[self.f.loc as usize..]
    }
    /// Returns a name with a sigil that occurs nowhere, nor in another suggestion for this body. A user who follows two
    /// has two names.
    pub(super) fn fresh(&mut self, sigil: &str, base: &str) -> Option<String> {
        let mut found = fresh_name(self.scope(), sigil, base)?;
        let mut count = 0;
        while self.s.suggested.contains(&found) {
            count += 1;
            found = fresh_name(self.scope(), sigil, &format!("{base}.{count}"))?;
        }
        self.s.suggested.push(found.clone());
        Some(found)
    }
    pub(super) fn string(&self, span: Span) -> String {
        String::from_utf8_lossy(&self.c.all_text()[span.start as usize..span.end as usize]).into_owned()
    }

    /// Returns the token of the current statement before a byte.
    pub(super) fn token_before(&self, at: u32) -> Option<Token> {
        let mut scanner = Scanner::new(self.c.all_text(), self.statement as usize);
        let mut before = None;
        loop {
            let t = scanner.token();
            if t.start >= at || t.kind == TokenKind::Eof {
                return before;
            }
            before = Some(t);
        }
    }

    // ---- Constants ----

    /// Suggests how the constant at the current token becomes a register. `ty` is its type, if known.
    #[cold]
    pub(super) fn help_constant(&mut self, ty: Option<Type>) {
        if !self.suggests() {
            return;
        }
        let (first, last) = self.constant_here();
        let whole = Span { start: first.start, end: last.end };
        let following = Scanner::new(self.c.all_text(), last.end as usize).token();
        if last.kind == TokenKind::Reg || last.kind == TokenKind::LParen || following.kind == TokenKind::LParen {
            // A sign before something other than a number, or something that looks like a call.
            return;
        }
        let literal = self.string(whole);
        let statement = self.c.token_at(self.statement);
        let op = self.c.opcode_of_statement(statement);
        if let Some(op) = op
            && self.help_copied_constant(op, whole, ty)
        {
            return;
        }
        if let Some(op) = op
            && op.effects().has(Effects::COMMUTATIVE)
            && let Some(reg) = self.only_register_after(last)
        {
            let other = self.string(span(reg));
            let edits = vec![Edit::replace(whole, &*other), Edit::replace(span(reg), &*literal)];
            return self.c.help(format!("swap the operands: `{other}, {literal}`"), edits);
        }
        let of_line = || match op {
            // A conversion has two types, and the first is written.
            Some(op) if op.format() == Format::Convert => None,
            _ => self.type_of_line_from(last.end).or_else(|| guessed_type(&literal)),
        };
        let ty = ty.or_else(of_line).filter(|ty| parse_constant(*ty, &literal).is_ok());
        let Some(ty) = ty else { return };
        let digits = literal.bytes().all(|c| c.is_ascii_digit()) && literal.len() <= 6;
        let base = match &*literal {
            "0" => "zero".to_string(),
            "1" => "one".to_string(),
            _ if digits => format!("c{literal}"),
            _ => "c".to_string(),
        };
        let Some(fresh) = self.fresh("%", &base) else { return };
        let line = format!("{fresh} = const {ty} {literal}");
        let edits = vec![line_before(self.c.all_text(), self.statement, &line), Edit::replace(whole, &*fresh)];
        self.c.help(format!("write `{line}` before this line, and `{fresh}` here"), edits);
    }
    /// Returns the first and the last token of the constant at the current token.
    pub(super) fn constant_here(&self) -> (Token, Token) {
        let first = self.c.token;
        let mut scanner = Scanner::new(self.c.all_text(), first.end as usize);
        (first, if first.kind == TokenKind::Minus { scanner.token() } else { first })
    }
    /// Returns the register after a token and a comma, if it ends the line.
    fn only_register_after(&self, t: Token) -> Option<Token> {
        let mut scanner = Scanner::new(self.c.all_text(), t.end as usize);
        let comma = scanner.token();
        let reg = scanner.token();
        let ends = matches!(scanner.token().kind, TokenKind::Newline | TokenKind::Eof);
        (comma.kind == TokenKind::Comma && reg.kind == TokenKind::Reg && ends).then_some(reg)
    }
    /// Returns the type of the first register assigned above, from a byte to the line's end.
    pub(super) fn type_of_line_from(&self, at: u32) -> Option<Type> {
        let mut scanner = Scanner::new(self.c.all_text(), at as usize);
        loop {
            let t = scanner.token();
            match t.kind {
                TokenKind::Newline | TokenKind::Eof => return None,
                TokenKind::Reg => {
                    let known = self.known_reg(&self.c.text(t)[1..]).and_then(|r| self.type_above(r));
                    if known.is_some() {
                        return known;
                    }
                }
                _ => {}
            }
        }
    }

    /// Suggests how the address of a symbol or stack object becomes an operand. The current token names it.
    #[cold]
    pub(super) fn help_address(&mut self, ty: Option<Type>) {
        let t = self.c.token;
        let named = matches!(t.kind, TokenKind::Sym | TokenKind::Obj) && ty.is_none_or(|ty| ty == Type::I64);
        if !named || !self.suggests() {
            return;
        }
        let name = self.string(span(t));
        let bare = if name[1..].starts_with('"') { "address" } else { &name[1..] };
        let Some(fresh) = self.fresh("%", bare) else { return };
        let line = format!("{fresh} = lea [{name}]");
        let edits = vec![line_before(self.c.all_text(), self.statement, &line), Edit::replace(span(t), &*fresh)];
        self.c.help(format!("write `{line}` before this line, and `{fresh}` here"), edits);
    }

    // ---- Expressions and assignments of other languages ----

    /// Suggests how `%x = 5`, `%x = %a` or `%x = %a + 1` is written. The token after `=` is the current one.
    #[cold]
    pub(super) fn help_assignment(&mut self, dst: Reg) {
        if !self.suggests() {
            return;
        }
        let t = self.c.token;
        if t.kind == TokenKind::Sym && self.c.next_kind() == TokenKind::LParen {
            return self.help_call_without_opcode();
        }
        let wanted = self.type_above(dst);
        if matches!(t.kind, TokenKind::Sym | TokenKind::Obj | TokenKind::LBracket) {
            return self.help_assigned_address(dst);
        }
        let Some(mut e) = self.lower(t.start).filter(|e| matches!(e.stop, TokenKind::Newline | TokenKind::Eof)) else {
            return;
        };
        let whole = Span { start: t.start, end: e.end };
        let Some((mut last, ty)) = e.last.take() else {
            if t.kind == TokenKind::Reg {
                let reg = self.known_reg(&self.c.text(t)[1..]);
                let meant = |r| self.s.meant.iter().find(|(m, _)| *m == r).map(|(_, ty)| *ty);
                let ty = reg.and_then(|r| self.type_above(r).or(meant(r)));
                let Some(ty) = ty.or(wanted) else { return };
                let Some(written) = moved(&self.string(span(t)), ty, wanted.unwrap_or(ty), false) else { return };
                self.s.meant.push((dst, wanted.unwrap_or(ty)));
                self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
            } else if self.c.at_constant() {
                // A use further below may give its type.
                self.s.typeless.push(Typeless { reg: dst, literal: whole, error: self.c.errors.list.len() - 1 });
            }
            return;
        };
        if let Some(wanted) = wanted.filter(|w| *w != ty) {
            let Some(fresh) = self.fresh("%", "value") else { return };
            let is_truth = last.starts_with("icmp") || last.starts_with("fcmp");
            e.lines.push(format!("{fresh} = {last}"));
            let Some(written) = moved(&fresh, ty, wanted, is_truth) else { return };
            last = written;
        }
        self.help_lines(&e.lines, whole, last);
    }
    /// Suggests a `lea` or a `load` for `%x = @data`, `%x = $object + 8` and `%x = [%p]`. The current token is the one
    /// after `=`.
    #[cold]
    fn help_assigned_address(&mut self, dst: Reg) {
        let t = self.c.token;
        if t.kind == TokenKind::LBracket {
            // Its type may follow from a use further below.
            let error = self.c.errors.list.len() - 1;
            return self.s.typeless.push(Typeless { reg: dst, literal: Span::at(t.start), error });
        }
        let whole = Span { start: t.start, end: self.end_of_sum(t) };
        let is_whole = matches!(self.c.token_at(whole.end).kind, TokenKind::Newline | TokenKind::Eof);
        if is_whole && self.type_above(dst).is_none_or(|ty| ty == Type::I64) {
            self.s.meant.push((dst, Type::I64));
            let written = format!("lea [{}]", self.string(whole));
            self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
    }
    /// Suggests lines before this one, and a replacement of a piece of it.
    pub(super) fn help_lines(&mut self, lines: &[String], whole: Span, written: String) {
        if lines.is_empty() {
            return self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
        let message = format!("write `{}` before this line, and `{written}` here", lines.join("`, `"));
        let before = lines_before(self.c.all_text(), self.statement, lines);
        // If the statement is replaced from its start on, one edit does both.
        let edits = if whole.start == self.statement {
            vec![Edit::replace(whole, before.text + &written)]
        } else {
            vec![before, Edit::replace(whole, written)]
        };
        self.c.help(message, edits);
    }
    /// Suggests the type of a constant or a load that was written without one. For a constant without an opcode,
    /// suggests its instruction. The type is the one that the uses want.
    #[cold]
    pub(super) fn help_typeless(&mut self) {
        let typeless = std::mem::take(&mut self.s.typeless);
        for Typeless { reg, literal: whole, error } in &typeless {
            let literal = self.string(*whole);
            let is_constant = !literal.is_empty() && !literal.starts_with('[');
            let has_opcode = self.c.opcode_of_statement(self.c.token_at(self.statement_of(*error))).is_some();
            let wanted = self.s.pending.iter().filter(|u| u.reg == *reg).find_map(|u| u.want.only_type());
            let fits = |ty: &Type| !is_constant || parse_constant(*ty, &literal).is_ok();
            let ty = match self.type_above(*reg) {
                Some(ty) if fits(&ty) => ty,
                Some(ty) => {
                    self.c.help_at(*error, format!("its type is {ty}, and `{literal}` does not fit that"), Vec::new());
                    continue;
                }
                None => match wanted.filter(fits).or(guessed_type(&literal).filter(fits)) {
                    Some(ty) => ty,
                    None => continue,
                },
            };
            let (message, inserted) = match (has_opcode, is_constant) {
                (false, true) => (format!("write `const {ty} {literal}`"), format!("const {ty} ")),
                (false, false) => (format!("write `load {ty} [..]`"), format!("load {ty} ")),
                (true, true) => (format!("write `{ty} {literal}`"), format!("{ty} ")),
                (true, false) => (format!("write the type that it has, as in `load {ty} [..]`"), format!("{ty} ")),
            };
            self.c.help_at(*error, message, vec![Edit::insert(whole.start, inserted)]);
        }
        self.s.typeless = typeless;
    }
    /// Suggests the type of a constant or a load without one. A use further below may give it.
    #[cold]
    pub(super) fn help_type(&mut self) {
        let first = self.c.token_at(self.statement);
        let reg = (first.kind == TokenKind::Reg).then(|| self.known_reg(&self.c.text(first)[1..])).flatten();
        let Some(reg) = reg.filter(|_| self.suggests()) else { return };
        let literal = match self.c.token.kind {
            TokenKind::LBracket | TokenKind::Reg | TokenKind::Sym | TokenKind::Obj => Span::at(self.c.token.start),
            _ if self.c.at_constant() => {
                let (first, last) = self.constant_here();
                Span { start: first.start, end: last.end }
            }
            _ => return,
        };
        self.s.typeless.push(Typeless { reg, literal, error: self.c.errors.list.len() - 1 });
    }
    /// Returns the offset of the first token of an error's line.
    fn statement_of(&self, error: usize) -> u32 {
        let at = self.c.errors.list[error].span.map_or(0, |s| s.start);
        let line = memchr::memrchr(b'\n', &self.c.all_text()[..at as usize]).map_or(0, |n| n + 1);
        self.c.token_at(line as u32).start
    }
    /// Suggests an instruction of its own for an operator after an operand.
    #[cold]
    pub(super) fn help_expression(&mut self) {
        let Some(error) = self.c.errors.list.last().filter(|_| self.suggests()) else { return };
        let Some(at) = error.span.filter(|s| error.suggestions.is_empty() && s.start >= self.statement) else { return };
        let t = self.c.token_at(at.start);
        let before = self.token_before(at.start);
        let is = |t: Option<Token>, kinds: &[TokenKind]| t.filter(|t| kinds.contains(&t.kind));
        let is_operand =
            |t: Token| matches!(t.kind, TokenKind::Reg | TokenKind::Number | TokenKind::Sym | TokenKind::Obj);
        let operand = is(before, &[TokenKind::Reg, TokenKind::Number]);
        let begin = match t.kind {
            TokenKind::LParen => t,
            // A sign before a token that takes none.
            TokenKind::Reg => match is(before, &[TokenKind::Minus]) {
                Some(minus) if !self.token_before(minus.start).is_some_and(is_operand) => minus,
                Some(_) | None => return,
            },
            TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Unknown | TokenKind::Equals => {
                let Some(operand) = operand else {
                    if matches!(t.kind, TokenKind::Minus | TokenKind::Unknown) {
                        self.help_operand(t);
                    }
                    return;
                };
                let minus = is(self.token_before(operand.start), &[TokenKind::Minus]);
                if operand.kind == TokenKind::Number { minus.unwrap_or(operand) } else { operand }
            }
            _ => return,
        };
        self.help_operand(begin);
    }
    /// Suggests instructions for an expression in place of an operand or a statement.
    fn help_operand(&mut self, begin: Token) {
        let is_statement = begin.start == self.statement;
        if is_statement && let Some(mut e) = self.lower_compound(begin) {
            let Some((last, _)) = e.last.take() else { return };
            let written = format!("{} = {last}", self.string(span(begin)));
            return self.help_lines(&e.lines, Span { start: begin.start, end: e.end }, written);
        }
        let Some(mut e) = self.lower(begin.start) else { return };
        let Some((last, _)) = e.last.take() else { return };
        let Some(fresh) = self.fresh("%", "value") else { return };
        let whole = Span { start: begin.start, end: e.end };
        let line = format!("{fresh} = {last}");
        if is_statement {
            return self.help_lines(&e.lines, whole, line);
        }
        e.lines.push(line);
        self.help_lines(&e.lines, whole, fresh);
    }

    // ---- Statements ----

    /// Suggests a register for the result of an instruction.
    #[cold]
    pub(super) fn help_destination(&mut self, word: Token) {
        if self.suggests()
            && let Some(fresh) = self.fresh("%", "value")
        {
            let text = self.c.text(word);
            // After `const` and `load` the type may be missing, too.
            let following = self.c.all_text()[word.end as usize..].trim_ascii_start();
            let operand = following.split(|c| matches!(c, b' ' | b'\n' | b';')).next().unwrap_or_default();
            let ty = match operand.first() {
                Some(b'0'..=b'9' | b'-') if text == b"const" => {
                    if operand.contains(&b'.') {
                        " f64"
                    } else {
                        " i64"
                    }
                }
                Some(b'[') if text == b"load" => " i64",
                _ => "",
            };
            let message = format!("write `{fresh} = {}{ty}`", String::from_utf8_lossy(text));
            let mut edits = vec![Edit::insert(word.start, format!("{fresh} = "))];
            edits.extend((!ty.is_empty()).then(|| Edit::insert(word.end, ty)));
            self.c.help(message, edits);
        }
    }

    /// Suggests a label for the first block. Begins a block, so that the following lines are read.
    #[cold]
    pub(super) fn help_first_label(&mut self, word: Token) {
        let label = ["entry", "start"].iter().find_map(|base| self.fresh("", base));
        let Some(label) = label else { return self.lost = true };
        if self.suggests() {
            let at = self.c.all_text()[..word.start as usize].iter().rposition(|c| *c == b'\n').map_or(0, |n| n + 1);
            let mut edits = vec![Edit::insert(at as u32, format!("{label}:\n"))];
            let mut message = format!("write a label before it, on a line of its own: `{label}:`");
            if let Some((at, next)) = self.label_without_jump(word) {
                message += &format!("; and before the next label `jmp {next}`");
                edits.push(Edit::insert(at, format!("  jmp {next}\n")));
            }
            self.c.help(message, edits);
        }
        self.incomplete = true;
        if let Ok(block) = self.block_of_name(label.as_bytes(), word.start) {
            self.s.blocks[block.index()].defined = word.start;
            self.f.append_block(block);
            self.block = Some(block);
            self.written = (Some(block), 0);
        }
    }
}

impl BodyParser<'_, '_> {
    /// Returns the next label after a word, with the start of its line, if no terminator is between.
    #[cold]
    fn label_without_jump(&self, word: Token) -> Option<(u32, String)> {
        let text = self.c.all_text();
        let mut at = word.start as usize;
        for line in text[at..].split_inclusive(|c| *c == b'\n') {
            let code = line.split(|c| *c == b';').next().unwrap_or_default().trim_ascii();
            let first = code.split(|c| c.is_ascii_whitespace()).next().unwrap_or_default();
            let opcode = Opcode::from_mnemonic(first);
            if code.starts_with(b"}") || opcode.is_some_and(Opcode::is_terminator) {
                return None;
            }
            if let Some(label) = code.strip_suffix(b":").filter(|label| !label.is_empty()) {
                return Some((at as u32, String::from_utf8_lossy(label).into_owned()));
            }
            at += line.len();
        }
        None
    }
}

/// Returns the instruction that gives the value of a register in a type.
pub(super) fn moved(reg: &str, from: Type, to: Type, truth: bool) -> Option<String> {
    if from == to {
        return Some(format!("copy {to} {reg}"));
    }
    Some(format!("{} {from} {reg} to {to}", converting_opcode(from, to, truth)?.mnemonic()))
}

/// Returns the usual type of a constant that has none.
pub(super) fn guessed_type(literal: &str) -> Option<Type> {
    let float = !literal.starts_with("0x") && literal.contains(['.', 'e']) || literal.contains('n');
    Some(if float { Type::F64 } else { Type::I64 })
}
