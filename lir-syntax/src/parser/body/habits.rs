//! Suggestions for instructions written as in other languages: copies of constants, calls without their opcode or type,
//! loads and stores with the address as LLVM has it, branches with one target.

use super::BodyParser;
use super::suggestions::guessed_type;
use crate::ir::{AbiParam, EntityRef, Format, Opcode, Type};
use crate::parser::cursor::{Reported, span};
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

impl BodyParser<'_, '_> {
    /// Explains that `copy 5` and `zext 5 to i64` are constants. False if the statement is none of these.
    #[cold]
    pub(super) fn help_copied_constant(&mut self, op: Opcode, whole: Span, from: Option<Type>) -> bool {
        let Some(word) = self.word_of_statement(op) else { return false };
        let literal = self.string(whole);
        let mut scanner = Scanner::new(self.c.all_text(), whole.end as usize);
        let (to, target) = (scanner.token(), scanner.token());
        let (ty, end) = match op {
            Opcode::Copy if is_end(to) => (from.or(self.type_of_destination()).or(guessed_type(&literal)), whole.end),
            Opcode::Zext | Opcode::Sext if self.c.text(to) == b"to" => {
                let ty = Type::from_name(self.c.text(target)).filter(|ty| keeps_number(op, &literal, from, *ty));
                (ty, target.end)
            }
            _ => return false,
        };
        let Some(ty) = ty.filter(|ty| parse_constant(*ty, &literal).is_ok()) else { return false };
        let written = format!("const {ty} {literal}");
        self.c.help(format!("write `{written}`"), vec![Edit::replace(Span { start: word.start, end }, written)]);
        true
    }
    /// Returns the type that the register of the current statement was assigned above.
    fn type_of_destination(&self) -> Option<Type> {
        let first = self.c.token_at(self.statement);
        let name = self.c.text(first).strip_prefix(b"%")?;
        self.known_reg(name).and_then(|r| self.type_above(r))
    }

    /// Reports a branch with a condition and one target. The suggestion adds the next line as the second target, with a
    /// new label if it has none.
    #[cold]
    pub(super) fn one_target(&mut self) -> Reported {
        let end = self.c.token;
        let reported = self.c.expected("`,` and the target where the condition is false");
        let Some(target) = self.token_before(end.start).filter(|_| is_end(end) && self.suggests()) else {
            return reported;
        };
        let mut scanner = Scanner::new(self.c.all_text(), end.start as usize);
        let mut next = scanner.token();
        while next.kind == TokenKind::Newline {
            next = scanner.token();
        }
        let is_label =
            matches!(next.kind, TokenKind::Word | TokenKind::Str) && scanner.token().kind == TokenKind::Colon;
        let label = self.string(span(next));
        if is_label && self.c.text(next) == self.c.text(target) {
            let whole = Span { start: self.statement, end: target.end };
            let written = format!("jmp {label}");
            self.c.help(format!("write `{written}`: it is the next label"), vec![Edit::replace(whole, written)]);
        } else if is_label {
            let message = format!("write `, {label}` at its end, to go on at the next label");
            self.c.help(message, vec![Edit::insert(target.end, format!(", {label}"))]);
        } else {
            self.help_label_below(target, end, next.kind == TokenKind::Eof);
        }
        reported
    }
    /// Suggests a label for the line after a branch; at the end of the body, also a return.
    fn help_label_below(&mut self, target: Token, line_end: Token, is_last: bool) {
        let returned = match self.sig.result {
            _ if !is_last => "",
            None => "  ret\n",
            Some(AbiParam::Scalar(Type::F32 | Type::F64, _)) => "  ret 0.0\n",
            Some(AbiParam::Scalar(..)) => "  ret 0\n",
            Some(AbiParam::Agg(_)) => return,
        };
        if line_end.kind != TokenKind::Newline {
            return;
        }
        let Some(label) = self.fresh("", "next") else { return };
        let message = format!("write `, {label}` at its end, and the label `{label}:` in a line after it");
        let below = Edit::insert(line_end.end, format!("{label}:\n{returned}"));
        self.c.help(message, vec![Edit::insert(target.end, format!(", {label}")), below]);
    }

    /// Suggests the instruction for a word of another language: `return`, `goto`, `true`.
    #[cold]
    pub(super) fn help_other_word(&mut self, word: Token, is_assigned: bool) {
        let ends = is_end(self.c.token);
        let written = match (self.c.text(word), is_assigned) {
            (b"return", false) => "ret",
            (b"goto" | b"jump", false) => "jmp",
            (b"true", true) if ends => "const i8 1",
            (b"false", true) if ends => "const i8 0",
            _ => return,
        };
        if self.suggests() {
            self.c.help(format!("write `{written}`"), vec![Edit::replace(span(word), written)]);
        }
    }

    /// Suggests `jmp` for a `br` with only a target. The current token is the target.
    #[cold]
    pub(super) fn help_unconditional(&mut self, word: Token) {
        let target = self.c.token;
        let alone = target.kind == TokenKind::Word && matches!(self.c.next_kind(), TokenKind::Newline | TokenKind::Eof);
        if !alone || self.c.text(word) != b"br" || !self.suggests() {
            return;
        }
        let label = self.string(span(target));
        let at = memchr::memmem::find(self.scope(), format!("\n{label}:").as_bytes());
        let entry = self.f.layout().entry().map(|b| self.s.blocks[b.index()].defined);
        if at.is_some_and(|at| entry != Some(self.f.loc + at as u32 + 1)) {
            self.c.help(format!("write `jmp {label}`"), vec![Edit::replace(span(word), "jmp")]);
        }
    }

    /// Explains that a returned value has no type of its own. `t` is the token where the value should be.
    #[cold]
    pub(super) fn help_type_before_value(&mut self, t: Token) {
        let mut scanner = Scanner::new(self.c.all_text(), t.end as usize);
        let value = scanner.token();
        let (whole, last) = (value, if value.kind == TokenKind::Minus { scanner.token() } else { value });
        let is_value = matches!(last.kind, TokenKind::Reg | TokenKind::Number);
        if !self.suggests() || Type::from_name(self.c.text(t)).is_none() || !is_value || !is_end(scanner.token()) {
            return;
        }
        let written = self.string(Span { start: whole.start, end: last.end });
        let message = format!("write `ret {written}`: its type is that of the function's result");
        self.c.help(message, vec![Edit::replace(Span { start: t.start, end: value.start }, "")]);
    }

    /// Suggests a `ret` without a value, in a function without a result.
    #[cold]
    pub(super) fn help_returned_nothing(&mut self) {
        let word = self.c.token_at(self.statement);
        let mut scanner = Scanner::new(self.c.all_text(), word.end as usize);
        let mut last = scanner.token();
        if Type::from_name(self.c.text(last)).is_some() {
            last = scanner.token();
        }
        if last.kind == TokenKind::Minus {
            last = scanner.token();
        }
        let is_value = matches!(last.kind, TokenKind::Reg | TokenKind::Number) || self.c.text(last) == b"void";
        if !self.suggests() || !is_value || !is_end(scanner.token()) {
            return;
        }
        let message = "write `ret`, or the type of a result after the parameters: `-> i64`";
        self.c.help(message, vec![Edit::replace(Span { start: word.end, end: last.end }, "")]);
    }

    /// Suggests the type of the result of a call that has a destination and no type. The current token is the callee.
    #[cold]
    pub(super) fn help_call_without_type(&mut self) {
        let callee = self.c.token;
        let result = self.result_of(callee);
        if let Some(ty) = result.filter(|_| self.suggests()) {
            let whole = Span { start: callee.start, end: callee.end };
            let name = self.string(whole);
            self.c.help(format!("write `call {ty} {name}(..)`"), vec![Edit::insert(callee.start, format!("{ty} "))]);
        }
    }

    /// Suggests the opcode of a call without one. The current token is the callee, after a destination.
    #[cold]
    pub(super) fn help_call_without_opcode(&mut self) {
        let callee = self.c.token;
        if let Some(ty) = self.result_of(callee) {
            let name = self.string(span(callee));
            let edit = Edit::insert(callee.start, format!("call {ty} "));
            self.c.help(format!("write `call {ty} {name}(..)`"), vec![edit]);
        }
    }

    /// Returns the type of the result of the function that a token names.
    fn result_of(&self, callee: Token) -> Option<Type> {
        let name = self.c.text(callee).strip_prefix(b"@")?;
        let sym = self.symbols.sym(name)?;
        match self.symbols.decls.signature(sym)?.result? {
            AbiParam::Scalar(ty, _) => Some(ty),
            AbiParam::Agg(_) => None,
        }
    }

    /// Returns how `store i32 %a, ptr %p`, `store %a, [%p]` and `load i32, ptr %p` are written, and the range that this
    /// replaces. None if the statement is none of these.
    #[cold]
    pub(super) fn access_of_llvm(&self) -> Option<(String, Span)> {
        let first = self.c.token_at(self.statement);
        let op = self.c.opcode_of_statement(first).filter(|op| matches!(op, Opcode::Load | Opcode::Store))?;
        let word = self.word_of_statement(op)?;
        let mut line = Line { scanner: Scanner::new(self.c.all_text(), word.end as usize), parser: self };
        let (written, end) = line.access(op)?;
        Some((written, Span { start: word.start, end }))
    }
}

/// The rest of a line that is read as LLVM's.
struct Line<'a, 'b, 'p, 'c> {
    scanner: Scanner<'a>,
    parser: &'b BodyParser<'p, 'c>,
}

impl Line<'_, '_, '_, '_> {
    /// Reads a load or store after its opcode. Returns how it is written here, and its end.
    fn access(&mut self, op: Opcode) -> Option<(String, u32)> {
        let mut t = self.scanner.token();
        let mut ty = None;
        if t.kind == TokenKind::Word {
            ty = Some(Type::from_name(self.parser.c.text(t))?);
            t = self.scanner.token();
        }
        let mut value = String::new();
        if op.format() == Format::Store {
            value = format!(", {}", self.value(t, ty)?);
            t = self.scanner.token();
        }
        if t.kind != TokenKind::Comma {
            return None;
        }
        let (address, end) = self.address(op.format() == Format::Load)?;
        let ty = ty.map_or(String::new(), |ty| format!("{ty} "));
        Some((format!("{} {ty}{address}{value}", op.mnemonic()), end))
    }
    /// Reads a register or a number, the first token of which is this one. Its type is the one written, if there is
    /// one.
    fn value(&mut self, first: Token, ty: Option<Type>) -> Option<String> {
        if first.kind == TokenKind::Reg {
            let known = self.type_of(first);
            return ty
                .or(known)
                .is_some_and(|ty| known.is_none_or(|k| k == ty))
                .then(|| self.parser.string(span(first)));
        }
        let last = if first.kind == TokenKind::Minus { self.scanner.token() } else { first };
        let literal = self.parser.string(Span { start: first.start, end: last.end });
        (last.kind == TokenKind::Number && parse_constant(ty?, &literal).is_ok()).then_some(literal)
    }
    /// Returns the type that a register was assigned above.
    fn type_of(&self, t: Token) -> Option<Type> {
        let name = self.parser.c.text(t).strip_prefix(b"%")?;
        self.parser.known_reg(name).and_then(|r| self.parser.type_above(r))
    }

    /// Reads `ptr %p` or `[%p]`, and an alignment after it. A bare `%p` is read if nothing else can be the address.
    fn address(&mut self, may_be_bare: bool) -> Option<(String, u32)> {
        let mut t = self.scanner.token();
        let has_type = self.parser.c.text(t) == b"ptr";
        if has_type {
            t = self.scanner.token();
        }
        let bare = t.kind != TokenKind::LBracket;
        let is_address = match t.kind {
            TokenKind::Reg => self.type_of(t).is_none_or(|ty| ty == Type::I64),
            TokenKind::Sym | TokenKind::Obj | TokenKind::LBracket => true,
            _ => false,
        };
        if !is_address || bare && !has_type && !may_be_bare {
            return None;
        }
        let start = t.start;
        while !bare && t.kind != TokenKind::RBracket {
            t = self.scanner.token();
            if is_end(t) {
                return None;
            }
        }
        let written = self.parser.string(Span { start, end: t.end });
        let (comma, align, bytes) = (self.scanner.token(), self.scanner.token(), self.scanner.token());
        let end = match comma.kind {
            _ if is_end(comma) => t.end,
            TokenKind::Comma if self.parser.c.text(align) == b"align" && bytes.kind == TokenKind::Number => bytes.end,
            _ => return None,
        };
        Some((if bare { format!("[{written}]") } else { written }, end))
    }
}

/// True if an extension of a constant of a type, or of one that is not written, is the same number in another type.
fn keeps_number(op: Opcode, literal: &str, from: Option<Type>, to: Type) -> bool {
    if literal.starts_with('-') || !to.is_int() || from.is_some_and(|from| !op.info().types.allows_conversion(from, to))
    {
        return false;
    }
    let Ok(number) = parse_constant(to, literal) else { return false };
    from.is_none_or(|from| {
        let is_same = op == Opcode::Zext || from.has_word() && from.as_word().sign_extend(number) as u64 == number;
        is_same && parse_constant(from, literal).is_ok()
    })
}

pub(super) fn is_end(t: Token) -> bool {
    matches!(t.kind, TokenKind::Newline | TokenKind::Eof)
}
