//! Stack objects: `stack $name: SIZE [align N] [is :DEBUG_TYPE] [in !FILE:LINE:COLUMN to LINE:COLUMN]`, and suggestions
//! for common mistakes: another sigil, a missing colon, an `alloca` of a type, a declaration among the instructions.

use super::BodyParser;
use super::habits::is_end;
use crate::ir::module::MAX_OBJECT_SIZE;
use crate::ir::{EntityRef, NameRef, Scope, ScopeData, StackData};
use crate::parser::cursor::{Parsed, Reported, span};
use crate::parser::hints::scalar_type;
use crate::printer::is_bare_name;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

impl BodyParser<'_, '_> {
    /// Parses the rest of a line that begins with the word `stack`.
    pub(super) fn stack_line(&mut self, word: Token) -> Parsed<()> {
        let t = self.c.token;
        let is_named = t.kind == TokenKind::Obj || self.has_other_sigil(t)?;
        self.c.bump();
        let name = if t.kind == TokenKind::Word { self.c.text(t).into() } else { self.c.name(t)? };
        let is_misplaced = self.block.is_some() || self.lost;
        if is_misplaced {
            self.c.errors.syntax += 1;
            self.c.error(t, "stack objects must come before the first block");
            if is_named {
                self.help_misplaced(word);
            }
        }
        let empty = StackData::new(NameRef::NONE, 0, 8);
        // It is declared even if its line has errors, so that its uses have none.
        let data = self.stack_data(&empty);
        self.stack_object(&name, t, *data.as_ref().unwrap_or(&empty))?;
        if is_named { data.map(|_| ()) } else { Err(Reported) }
    }
    /// Reports a token that is not the name of a stack object. Returns false if only its sigil is wrong.
    #[cold]
    fn has_other_sigil(&mut self, t: Token) -> Parsed<bool> {
        let written = self.string(span(t));
        let bare = match t.kind {
            TokenKind::Reg | TokenKind::Sym => Some(&written[1..]),
            TokenKind::Word if is_bare_name(self.c.text(t)) && self.c.next_kind() == TokenKind::Colon => {
                Some(&*written)
            }
            _ => None,
        };
        const NAME: &str = "the name of a stack object: `stack $name: 8`";
        // According to the grammar, a word alone on a line may be an opcode.
        let is_alone = matches!(t.kind, TokenKind::Newline | TokenKind::Eof);
        let reported = if is_alone { self.c.expected(NAME) } else { self.c.expected_syntax(NAME) };
        let Some(bare) = bare else { return Err(reported) };
        let name = format!("${bare}");
        self.c.help(format!("write `{name}`"), vec![Edit::replace(span(t), name)]);
        Ok(false)
    }

    fn stack_data(&mut self, empty: &StackData) -> Parsed<StackData> {
        if !self.c.eat(TokenKind::Colon) {
            return Err(self.no_colon());
        }
        let (size, natural, agg) = if self.c.at(TokenKind::Colon) {
            let agg = self.agg()?;
            let ty = &self.symbols.decls.types[agg];
            (ty.size, ty.align.max(8), Some(agg))
        } else {
            let t = self.c.token;
            let size = self.c.size();
            if size.is_err()
                && let Some((bytes, end)) = self.size_of_object(t)
                && scalar_type(self.c.text(t)).is_some()
            {
                let whole = Span { start: t.start, end };
                self.c.help(format!("write `{bytes}`, the size in bytes"), vec![Edit::replace(whole, bytes)]);
            }
            (size?, 8, None)
        };
        let explicit_align = self.c.optional_align()?;
        let align = explicit_align.unwrap_or(natural);
        let debug_type = if self.c.eat_word(b"is") { Some(self.debug_type()?) } else { None };
        let scope = if self.c.eat_word(b"in") { Some(self.variable_scope()?) } else { None };
        if !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            return Err(self.c.expected_syntax("the end of the line"));
        }
        let (agg, debug_type, scope) = (agg.into(), debug_type.into(), scope.into());
        Ok(StackData { size, align, explicit_align, agg, debug_type, scope, ..*empty })
    }
    /// Takes the scope of a variable: `!main:6:8 to 6:70`.
    fn variable_scope(&mut self) -> Parsed<Scope> {
        const BEGIN: &str = "the place where the scope begins: `!file:line:column`";
        if !self.c.at(TokenKind::File) {
            return Err(self.c.expected_syntax(BEGIN));
        }
        let t = self.c.token;
        let Some(begin) = self.place()? else { return Err(self.c.error(t, format!("expected {BEGIN}"))) };
        if !self.c.eat_word(b"to") {
            return Err(self.c.expected_syntax("`to` and the place where the scope ends"));
        }
        let (end_line, end_column) = self.c.line_and_column()?;
        let scope = ScopeData { begin, end_line, end_column };
        if scope.end() < begin {
            return Err(self.c.error(t, "the scope ends before it begins"));
        }
        Ok(self.f.scopes.push(scope))
    }
    /// Reports a missing colon after the name.
    #[cold]
    fn no_colon(&mut self) -> Reported {
        let t = self.c.token;
        let reported = self.c.expected_syntax("`:`");
        let before = self.token_before(t.start).map_or(t.start, |t| t.end);
        match t.kind {
            TokenKind::Number => self.c.help("write `:` before it", vec![Edit::insert(before, ":")]),
            TokenKind::Equals | TokenKind::Comma => {
                self.c.help("write `:`", vec![Edit::replace(Span { start: before, end: t.end }, ":")]);
            }
            _ => {}
        }
        reported
    }

    // ---- Declarations in other places and forms ----

    /// Returns where the line of the first label starts, if it is above a token and the error may have a suggestion.
    fn entry_line(&self, below: Token) -> Option<u32> {
        let entry = self.f.layout().entry().map(|b| self.s.blocks[b.index()].defined);
        entry.filter(|at| self.suggests() && *at <= below.start).map(|at| self.line_of(at))
    }
    fn line_of(&self, at: u32) -> u32 {
        memchr::memrchr(b'\n', &self.c.all_text()[..at as usize]).map_or(0, |n| n as u32 + 1)
    }
    /// Suggests moving a declaration, which ends at a byte, from its line to the line before the first label.
    fn help_move(&mut self, declared: &str, entry: u32, end: u32) {
        let text = self.c.all_text();
        let line_end = memchr::memchr(b'\n', &text[end as usize..]).map_or(text.len(), |n| end as usize + n + 1);
        let line = Span { start: self.line_of(end), end: line_end as u32 };
        let message = format!("write `{declared}` before the first label, in place of this line");
        let edits = vec![Edit::insert(entry, format!("  {declared}\n")), Edit::replace(line, "")];
        self.c.help(message, edits);
    }
    /// Suggests moving a `stack` line up from among the instructions.
    #[cold]
    fn help_misplaced(&mut self, word: Token) {
        let Some(entry) = self.entry_line(word) else { return };
        let mut scanner = Scanner::new(self.c.all_text(), word.end as usize);
        let mut last = word;
        loop {
            let t = scanner.token();
            if is_end(t) {
                break;
            }
            last = t;
        }
        let declared = self.string(Span { start: word.start, end: last.end });
        self.help_move(&declared, entry, last.end);
    }

    /// Suggests a `stack` line for `alloca $v: :type`, with or without the colon. The current token is the name.
    /// Returns false if it is not a name.
    #[cold]
    pub(super) fn help_stack_object(&mut self, word: Token) -> bool {
        let object = self.c.token;
        let mut scanner = Scanner::new(self.c.all_text(), object.end as usize);
        let (mut size, mut colons) = (scanner.token(), 0);
        while matches!(size.kind, TokenKind::Colon | TokenKind::Comma) {
            colons += 1;
            size = scanner.token();
        }
        let written = self.string(span(object));
        let name = match object.kind {
            TokenKind::Obj => written,
            TokenKind::Word if colons > 0 && is_bare_name(self.c.text(object)) => format!("${written}"),
            TokenKind::Reg if self.known_reg(&self.c.text(object)[1..]).is_none() => {
                self.help_allocated(word, &written, size);
                return true;
            }
            _ => return false,
        };
        let is_declared = || {
            let name = self.c.text(object).strip_prefix(b"$").unwrap_or(self.c.text(object));
            self.f.stack.values().any(|declared| self.f.names.get(declared.name) == name)
        };
        let Some(entry) = self.entry_line(word).filter(|_| !is_declared()) else { return true };
        let is_type = size.kind == TokenKind::Word && colons > 0 && scalar_type(self.c.text(size)).is_none();
        let found = if is_type {
            is_end(scanner.token()).then(|| (format!(":{}", self.string(span(size))), size.end))
        } else {
            self.size_of_object(size)
        };
        if let Some((size, end)) = found {
            self.help_move(&format!("stack {name}: {size}"), entry, end);
        }
        true
    }
    /// Suggests `%p = alloca 16, 16` for `alloca %p, 16`, if nothing has assigned `%p`.
    fn help_allocated(&mut self, word: Token, reg: &str, size: Token) {
        let ends = is_end(Scanner::new(self.c.all_text(), size.end as usize).token());
        if size.kind == TokenKind::Number && ends && self.suggests() {
            let written = format!("{reg} = alloca {}, 16", self.string(span(size)));
            let whole = Span { start: word.start, end: size.end };
            self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
    }

    /// Reports `$v = alloca 16`, and suggests a `stack` line. The current token is the name.
    #[cold]
    pub(super) fn assigned_object(&mut self) -> Reported {
        let object = self.c.token;
        let reported = self.c.expected_syntax("a label or an instruction");
        let mut scanner = Scanner::new(self.c.all_text(), object.end as usize);
        let (_, word, size) = (scanner.token(), scanner.token(), scanner.token());
        if matches!(self.c.text(word), b"alloca" | b"stack")
            && let Some((size, end)) = self.size_of_object(size)
            && let Some(entry) = self.entry_line(object)
        {
            let name = self.string(span(object));
            self.help_move(&format!("stack {name}: {size}"), entry, end);
        }
        reported
    }

    /// Suggests a `stack` line and a `lea` for `%v = alloca :type`, `%v = alloca i64` and `%v = stack 8`. The current
    /// token is the type or the size.
    #[cold]
    pub(super) fn help_object_of_type(&mut self, word: Token) {
        let first = self.c.token_at(self.statement);
        let start = self.c.token;
        let Some((size, end)) = self.size_of_object(start) else { return };
        let name = self.string(span(first));
        let Some(bare) = name.strip_prefix('%').filter(|name| !name.starts_with('"') && self.suggests()) else {
            return;
        };
        let Some(object) = self.fresh("$", bare) else { return };
        let declared = format!("stack {object}: {size}");
        let Some(entry) = self.entry_line(word) else {
            let whole = Span { start: first.start, end };
            return self.c.help(format!("write `{declared}`"), vec![Edit::replace(whole, declared)]);
        };
        let written = format!("lea [{object}]");
        let message = format!("write `{declared}` before the first label, and `{written}` here");
        let whole = Span { start: word.start, end };
        self.c.help(message, vec![Edit::insert(entry, format!("  {declared}\n")), Edit::replace(whole, written)]);
    }
    /// Reads the rest of a line: `:type`, `i64`, `[16 x i8]` or a number, then LLVM's count and alignment. Returns the
    /// size and alignment in the syntax of a declaration, and where they end.
    fn size_of_object(&self, first: Token) -> Option<(String, u32)> {
        let mut scanner = Scanner::new(self.c.all_text(), first.end as usize);
        let number = |t: Token| self.string(span(t)).parse::<u64>().ok().filter(|_| t.kind == TokenKind::Number);
        let bytes_of = |t: Token| scalar_type(self.c.text(t)).map(|ty| u64::from(ty.bytes()));
        // The size, except for aggregate types.
        let mut bytes = None;
        let mut end = first.end;
        match first.kind {
            TokenKind::Colon => {
                let name = scanner.token();
                end = Some(name.end).filter(|_| matches!(name.kind, TokenKind::Word | TokenKind::Str))?;
            }
            TokenKind::Number => bytes = Some(number(first)?),
            TokenKind::LBracket => {
                let (count, x, of, close) = (scanner.token(), scanner.token(), scanner.token(), scanner.token());
                let is_array = self.c.text(x) == b"x" && close.kind == TokenKind::RBracket;
                bytes = Some(bytes_of(of)?.checked_mul(number(count).filter(|_| is_array)?)?);
                end = close.end;
            }
            _ => bytes = Some(bytes_of(first)?),
        }
        let mut size = self.string(Span { start: first.start, end });
        let mut align = String::new();
        let mut t = scanner.token();
        while t.kind == TokenKind::Comma || self.c.text(t) == b"align" {
            let word = if t.kind == TokenKind::Comma { scanner.token() } else { t };
            let is_align = self.c.text(word) == b"align";
            let n = if is_align || bytes_of(word).is_some() { scanner.token() } else { word };
            let count = number(n)?;
            if is_align {
                align = format!(" align {count}");
            } else {
                bytes = Some(bytes?.checked_mul(count)?);
            }
            end = n.end;
            t = scanner.token();
        }
        if let Some(bytes) = bytes {
            size = Some(bytes).filter(|bytes| *bytes <= MAX_OBJECT_SIZE)?.to_string();
        }
        is_end(t).then(|| (size + &align, end))
    }
}
