//! A position in the token stream: the current token, the expectations there, and the errors so far.

use super::characters::{number_at, quoted_at};
use crate::ir::{Ext, Opcode, Type};
use crate::printer::name_after_sigil;
use crate::text::diagnostic::{Diagnostic, Edit, Help, Note};
use crate::text::line_ends;
use crate::text::quoted::{escape_of_c, unescape};
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, nearest};
use std::borrow::Cow;

/// An error was reported to the cursor; the statement is given up.
#[derive(Debug)]
pub(super) struct Reported;

/// A parsed part, or an error that was reported.
pub(super) type Parsed<T> = Result<T, Reported>;

/// Words that mean something in a later version.
const RESERVED: [&[u8]; 2] = [b"v128", b"tailcall"];

/// The most errors for which near names are searched.
const MAX_SUGGESTIONS: usize = 100;
/// Number of errors that are searched for a note given before.
const KEPT_IN_MIND: usize = 64;

/// The errors of a run. `syntax` counts the errors that the grammar (`lir.pest`, rule `module`) must see too.
#[derive(Default)]
pub(super) struct Errors {
    pub(super) list: Vec<Diagnostic>,
    pub(super) syntax: usize,
    /// A function is not closed, and may have swallowed others.
    pub(super) unclosed: bool,
    /// Errors about unknown names of the module, by their positions in the list. Similar names are searched for when
    /// all errors are known, since only the first errors get them.
    unknown: Vec<(usize, UnknownName)>,
}

/// A name that is not declared: of a symbol, an aggregate type, an access type or a debug type.
pub(super) enum UnknownName {
    Sym(Box<[u8]>),
    Agg(Box<[u8]>),
    Access(Box<[u8]>),
    Debug(Box<[u8]>),
}

impl Errors {
    /// Returns a single error that the grammar sees, too.
    pub(super) fn one(error: Diagnostic) -> Errors {
        Errors { list: vec![error], syntax: 1, ..Errors::default() }
    }
    /// Adds the errors of another part of the text.
    pub(super) fn append(&mut self, other: Errors) {
        let before = self.list.len();
        self.list.extend(other.list);
        self.unknown.extend(other.unknown.into_iter().map(|(k, name)| (before + k, name)));
        self.syntax += other.syntax;
        self.unclosed |= other.unclosed;
    }
    /// Rewords the first errors about unknown names by `nearest`, in the order of the text.
    pub(super) fn suggest_names(&mut self, nearest: impl Fn(&str, &UnknownName) -> String) {
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.sort_by_key(|(k, _)| self.list[*k].span.map(|s| s.start));
        for (k, name) in unknown.iter().take(MAX_SUGGESTIONS) {
            self.list[*k].message = nearest(&self.list[*k].message, name);
        }
    }
}

/// Reads tokens; see the module.
pub(super) struct Cursor<'t> {
    scanner: Scanner<'t>,
    /// The current token.
    pub(super) token: Token,
    /// Open brackets, inside which line ends are blanks.
    nesting: u32,
    pub(super) errors: Errors,
    /// True if the last error states an expectation, so that showing the form of the whole instruction is useful.
    pub(super) wants_form: bool,
    /// The offset of the innermost open bracket around the current token.
    opened: u32,
    /// The last error was not kept.
    is_over: bool,
    /// True if the last error is about characters, so that the instruction around them need not be shown.
    is_complete: bool,
    /// Errors beyond this many are not kept.
    error_limit: usize,
}

impl<'t> Cursor<'t> {
    /// Returns a cursor on the first token of `text` from byte `at`.
    pub(super) fn new(text: &'t [u8], at: usize, error_limit: usize) -> Cursor<'t> {
        let mut scanner = Scanner::new(text, at);
        let token = scanner.token();
        Cursor {
            scanner,
            token,
            nesting: 0,
            errors: Errors::default(),
            wants_form: false,
            opened: 0,
            is_over: false,
            is_complete: false,
            error_limit,
        }
    }

    // ---- Tokens ----

    /// Advances to the next token; returns the one that was current.
    #[inline]
    pub(super) fn bump(&mut self) -> Token {
        let was = self.token;
        self.advance();
        was
    }
    #[inline(never)]
    fn advance(&mut self) {
        self.scanner.scan(&mut self.token);
        if self.token.kind == TokenKind::Newline && self.nesting > 0 {
            self.skip_line_ends();
        }
    }
    #[inline(never)]
    fn skip_line_ends(&mut self) {
        while self.token.kind == TokenKind::Newline {
            self.token = self.scanner.token();
        }
    }
    /// Returns a position to come back to with [`Cursor::restore`].
    pub(super) fn save(&self) -> (Token, usize, u32) {
        (self.token, self.scanner.position(), self.nesting)
    }
    /// Returns to a saved position.
    pub(super) fn restore(&mut self, (token, position, nesting): (Token, usize, u32)) {
        self.token = token;
        self.nesting = nesting;
        self.scanner.set_position(position);
    }
    /// Continues at a byte, outside of brackets.
    pub(super) fn jump(&mut self, at: usize) {
        self.nesting = 0;
        self.scanner.set_position(at);
        self.token = self.scanner.token();
    }
    /// Continues at a byte, inside of the brackets that are open.
    pub(super) fn jump_in_brackets(&mut self, at: usize) {
        self.scanner.set_position(at);
        self.bump();
    }
    /// Returns the bytes of a token.
    #[inline]
    pub(super) fn text(&self, t: Token) -> &'t [u8] {
        &self.scanner.text()[t.start as usize..t.end as usize]
    }
    /// Returns the whole text.
    pub(super) fn all_text(&self) -> &'t [u8] {
        self.scanner.text()
    }
    /// True if the current token is of a kind.
    #[inline]
    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }
    /// True if the current token is this word.
    #[inline]
    pub(super) fn at_word(&self, word: &[u8]) -> bool {
        self.token.kind == TokenKind::Word && self.text(self.token) == word
    }
    /// Takes the current token if it is of a kind.
    #[inline]
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.bump();
        }
        found
    }
    /// Takes the current token if it is this word.
    #[inline]
    pub(super) fn eat_word(&mut self, word: &[u8]) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }
    /// Takes a token of a kind, or reports that `what` was expected.
    #[inline]
    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.token.kind == kind { Ok(self.bump()) } else { Err(self.expected(what)) }
    }
    /// Takes an opening bracket.
    #[inline]
    pub(super) fn open(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.token.kind != kind {
            return Err(self.expected(what));
        }
        self.nesting += 1;
        self.opened = self.token.start;
        Ok(self.bump())
    }
    /// Takes a closing bracket.
    #[inline]
    pub(super) fn close(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.token.kind != kind {
            return Err(self.expected_closing(what));
        }
        self.nesting -= 1;
        Ok(self.bump())
    }
    /// Takes the line end that closes a statement, or finds the end of the text.
    #[inline]
    pub(super) fn end_of_line(&mut self) -> Parsed<()> {
        match self.token.kind {
            TokenKind::Newline => {
                self.bump();
                Ok(())
            }
            TokenKind::Eof => Ok(()),
            _ => Err(self.expected_syntax("the end of the line")),
        }
    }

    /// Returns the token that begins at a byte, for messages.
    pub(super) fn token_at(&self, at: u32) -> Token {
        Scanner::new(self.scanner.text(), at as usize).token()
    }
    /// Returns its range.
    pub(super) fn span_at(&self, at: u32) -> Span {
        span(self.token_at(at))
    }

    // ---- Errors ----

    /// Reports an error at a position.
    #[cold]
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.is_over = self.is_full();
        self.is_complete = false;
        if !self.is_over {
            self.errors.list.push(diagnostic);
        }
        Reported
    }
    /// Returns a message about an unknown name, with the nearest known one. If there are many errors already, the
    /// nearest name is not searched for.
    #[cold]
    pub(super) fn undeclared<'n>(
        &self,
        message: &str,
        sigil: &[u8],
        name: &[u8],
        known: impl Iterator<Item = &'n [u8]>,
    ) -> String {
        if self.errors.list.len() < MAX_SUGGESTIONS {
            undeclared(message, sigil, name, known)
        } else {
            message.to_string()
        }
    }
    /// Notes that the error just reported is about a name of the module.
    #[cold]
    pub(super) fn is_about(&mut self, name: UnknownName) {
        if !self.is_over {
            self.errors.unknown.push((self.errors.list.len() - 1, name));
        }
    }
    /// True if further errors are dropped.
    pub(super) fn is_full(&self) -> bool {
        self.errors.list.len() >= self.error_limit
    }
    /// Reports a `sext`, `zext` or `env` on a type that never has it. The verifier checks that it is on the right
    /// parameter.
    pub(super) fn check_ext(&mut self, at: Token, ty: Type, ext: Ext) -> Parsed<()> {
        match ext {
            Ext::Sext | Ext::Zext if ty.is_float() => {
                Err(self.error(at, format!("only an integer is extended, not {ty}")))
            }
            Ext::Env if ty != Type::I64 => Err(self.error(at, format!("an environment is an i64, not {ty}"))),
            Ext::None | Ext::Sext | Ext::Zext | Ext::Env => Ok(()),
        }
    }
    /// Reports an error at a token.
    #[cold]
    pub(super) fn error(&mut self, at: Token, message: impl Into<String>) -> Reported {
        let reported = self.report(Diagnostic::new(span(at), message));
        if self.all_text().get(at.end as usize).is_some_and(|c| !c.is_ascii()) {
            self.help_characters(at.end);
        }
        reported
    }
    /// Adds a suggestion for the non-ASCII character at a byte: the number in ASCII digits, or the name in quotes.
    #[cold]
    fn help_characters(&mut self, at: u32) {
        if let Some((whole, number)) = number_at(self.all_text(), at as usize) {
            self.help(format!("digits are ASCII: write `{number}`"), vec![Edit::replace(whole, number)]);
            self.is_complete = true;
            return;
        }
        if let Some((whole, quoted)) = quoted_at(self.all_text(), at as usize) {
            let message = format!("a name with other characters is written in quotes: `{quoted}`");
            self.help(message, vec![Edit::replace(whole, quoted)]);
        }
    }
    /// Reports that the current token is not allowed here, but `what` is.
    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let t = self.token;
        if t.kind == TokenKind::Unknown {
            self.errors.syntax += 1;
            if self.text(t) == b"\r" {
                let reported = self.report(line_ends::error(self.all_text(), t.start as usize));
                self.is_complete = true;
                return reported;
            }
            let message = self.unknown(t);
            let reported = self.error(t, message);
            self.help_characters(t.start);
            return reported;
        }
        let found = self.describe(t);
        self.wants_form = true;
        self.error(t, format!("expected {what}, found {found}"))
    }
    /// The same with a remark at the end, which begins with `; `, or is empty.
    #[cold]
    pub(super) fn expected_with(&mut self, what: &str, remark: &str) -> Reported {
        let reported = self.expected(what);
        self.remark(remark);
        reported
    }
    /// Adds a remark to the error that was just reported.
    #[cold]
    pub(super) fn remark(&mut self, remark: &str) {
        if self.kept_last()
            && let Some(last) = self.errors.list.last_mut()
        {
            last.message.push_str(remark);
        }
    }
    /// Lets the error that was just reported end at a byte.
    #[cold]
    pub(super) fn widen(&mut self, end: u32) {
        if !self.is_over
            && let Some(span) = self.errors.list.last_mut().and_then(|d| d.span.as_mut())
        {
            span.end = end;
        }
    }
    /// Adds a note to the error that was just reported.
    #[cold]
    pub(super) fn note(&mut self, span: impl Into<Option<Span>>, message: impl Into<String>) {
        if self.kept_last()
            && let Some(last) = self.errors.list.last_mut()
        {
            last.notes.push(Note { span: span.into(), message: message.into() });
        }
    }
    /// True if the error that was just reported is kept, and takes more notes and suggestions.
    pub(super) fn kept_last(&self) -> bool {
        !self.is_over && !self.is_complete && !self.errors.list.is_empty()
    }
    /// Adds a suggestion to the error that was just reported.
    #[cold]
    pub(super) fn help(&mut self, message: impl Into<String>, edits: Vec<Edit>) {
        if self.kept_last() {
            self.help_at(self.errors.list.len() - 1, message, edits);
        }
    }
    /// Adds a suggestion to an error by its position in the list.
    #[cold]
    pub(super) fn help_at(&mut self, error: usize, message: impl Into<String>, edits: Vec<Edit>) {
        let help = Help { message: message.into(), edits };
        let suggestions = &mut self.errors.list[error].suggestions;
        if !suggestions.contains(&help) {
            suggestions.push(help);
        }
    }
    /// Adds a note without position to the last error, unless an earlier one has it.
    #[cold]
    pub(super) fn note_once(&mut self, message: String) {
        let has_it = |d: &Diagnostic| d.notes.iter().any(|n| n.message == message);
        if !self.errors.list.iter().rev().take(KEPT_IN_MIND).any(has_it) {
            self.note(None, message);
        }
    }
    /// Reports that brackets are not closed at the current token. Notes where they were opened if that is on another
    /// line.
    #[cold]
    pub(super) fn expected_closing(&mut self, what: &str) -> Reported {
        let (opened, at) = (self.opened, self.token.start);
        let reported = self.expected(what);
        if memchr::memchr(b'\n', &self.all_text()[opened as usize..at as usize]).is_some() {
            self.note(self.span_at(opened), "the bracket that is open here");
        }
        reported
    }
    /// The same for a text that the rule `module` must reject too.
    #[cold]
    pub(super) fn expected_syntax(&mut self, what: &str) -> Reported {
        if self.token.kind != TokenKind::Unknown {
            self.errors.syntax += 1;
        }
        self.expected(what)
    }
    /// The same with a remark at the end, which begins with `; `, or is empty.
    #[cold]
    pub(super) fn expected_syntax_with(&mut self, what: &str, remark: &str) -> Reported {
        let reported = self.expected_syntax(what);
        self.remark(remark);
        reported
    }
    /// Returns a token for messages.
    pub(super) fn describe(&self, t: Token) -> String {
        let text = String::from_utf8_lossy(self.text(t));
        let text = if text.chars().count() > 40 { text.chars().take(40).chain("...".chars()).collect() } else { text };
        match t.kind {
            TokenKind::Eof => "the end of the text".into(),
            TokenKind::Newline => "the end of the line".into(),
            TokenKind::Reg => format!("register `{text}`"),
            TokenKind::Sym => format!("symbol `{text}`"),
            TokenKind::Obj => format!("stack object `{text}`"),
            TokenKind::File => format!("file `{text}`"),
            TokenKind::Number | TokenKind::Char => format!("constant `{text}`"),
            TokenKind::Str => format!("string `{text}`"),
            TokenKind::Word if is_hardware_register(self.text(t)) => {
                format!("hardware register `{text}` (LIR has virtual registers only: `%name`)")
            }
            TokenKind::Word if Type::from_name(self.text(t)).is_some() => format!("type `{text}`"),
            TokenKind::Word if RESERVED.contains(&self.text(t)) => format!("reserved word `{text}`"),
            _ => format!("`{text}`"),
        }
    }
    /// Returns the message about a token of no kind.
    fn unknown(&self, t: Token) -> String {
        let text = self.text(t);
        match text {
            b"\"" => "the string is not closed on its line".into(),
            b"'" => "the character literal is not closed on its line".into(),
            b"%" => "expected the name of a register after `%`".into(),
            b"@" => "expected the name of a symbol after `@`".into(),
            b"$" => "expected the name of a stack object after `$`".into(),
            [c] if c.is_ascii_control() => format!("control character 0x{c:02x} in the text"),
            b"#" | b"/" => {
                format!("unexpected character `{}`; a comment begins with `;`", String::from_utf8_lossy(text))
            }
            _ => {
                let text = String::from_utf8_lossy(text);
                let code = text.chars().next().map_or(0, u32::from);
                if code < 0x80 {
                    format!("unexpected character `{text}`")
                } else {
                    format!("unexpected character `{text}` (U+{code:04X})")
                }
            }
        }
    }

    /// After an error: skips to the beginning of the next statement. Brackets that stay open over line ends are
    /// followed to their end, but not beyond a line that looks like a statement of its own.
    #[cold]
    pub(super) fn skip_statement(&mut self, begins_statement: impl Fn(&[u8]) -> bool) {
        let mut depth = std::mem::take(&mut self.nesting) as i64;
        loop {
            match self.token.kind {
                TokenKind::Eof => return,
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => depth -= 1,
                TokenKind::Newline => {
                    self.bump();
                    let here = self.save();
                    let first = self.bump();
                    let begins = match first.kind {
                        TokenKind::Reg => self.at(TokenKind::Equals),
                        TokenKind::Word => self.at(TokenKind::Colon) || begins_statement(self.text(first)),
                        _ => false,
                    };
                    self.restore(here);
                    if depth <= 0 || begins {
                        return;
                    }
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }

    // ---- Parts that items and instructions share ----

    /// Returns the bytes of a name token, without its sigil, unquoted: of a register, symbol, stack object, word or
    /// string.
    #[inline]
    pub(super) fn name(&mut self, t: Token) -> Parsed<Cow<'t, [u8]>> {
        let text = self.text(t);
        let name = if matches!(t.kind, TokenKind::Reg | TokenKind::Sym | TokenKind::Obj | TokenKind::File) {
            &text[1..]
        } else {
            text
        };
        if name[0] == b'"' { self.quoted_name(t, name) } else { Ok(Cow::Borrowed(name)) }
    }
    #[cold]
    fn quoted_name(&mut self, t: Token, quoted: &'t [u8]) -> Parsed<Cow<'t, [u8]>> {
        let name = self.unescape(t, quoted)?;
        if name.is_empty() {
            return Err(self.error(t, "a name is not empty"));
        }
        if name.contains(&0) {
            return Err(self.error(t, "a name has no NUL"));
        }
        Ok(Cow::Owned(name))
    }
    /// Returns the bytes of a quoted part of a token, which ends where the token ends.
    pub(super) fn unescape(&mut self, t: Token, quoted: &[u8]) -> Parsed<Vec<u8>> {
        unescape(quoted).map_err(|(offset, message)| {
            let at = t.end as usize - quoted.len() + offset;
            let reported = self.report(Diagnostic::new(Span::new(at, at + 1), message));
            if let Some((length, byte)) = escape_of_c(&quoted[offset..]) {
                let written = format!("\\{byte:02x}");
                let edit = Edit::replace(Span::new(at, at + length), &*written);
                self.help(format!("write `{written}`"), vec![edit]);
            }
            reported
        })
    }
    /// Takes a string.
    pub(super) fn string(&mut self, what: &str) -> Parsed<Box<[u8]>> {
        let t = self.token;
        if t.kind != TokenKind::Str {
            return Err(self.expected_syntax(what));
        }
        self.bump();
        Ok(self.unescape(t, self.text(t))?.into())
    }
}

/// Returns the range of a token.
pub(super) fn span(t: Token) -> Span {
    Span { start: t.start, end: t.end }
}

/// Returns the range from a token to another.
pub(super) fn span_from(first: Token, last: Token) -> Span {
    Span { start: first.start, end: last.end }
}

/// True if a word of a body begins a statement, for recovery after an error.
pub(super) fn begins_instruction(word: &[u8]) -> bool {
    Opcode::from_mnemonic(word).is_some() || matches!(word, b"guard" | b"stack")
}

/// True if a word is reserved for a later version.
pub(super) fn is_reserved(word: &[u8]) -> bool {
    RESERVED.contains(&word)
}

/// True if a word names a register of x86-64. Users who read listings write these by mistake.
fn is_hardware_register(word: &[u8]) -> bool {
    const LETTERS: [&[u8]; 8] = [b"ax", b"bx", b"cx", b"dx", b"si", b"di", b"bp", b"sp"];
    const BYTES: [&[u8]; 12] = [b"al", b"ah", b"bl", b"bh", b"cl", b"ch", b"dl", b"dh", b"sil", b"dil", b"bpl", b"spl"];
    let below_16 = |rest: &[u8]| matches!(rest, [b'0'..=b'9'] | [b'1', b'0'..=b'5']);
    let numbered = |rest: &[u8]| below_16(rest) && !matches!(rest, [b'0'..=b'7']);
    match word {
        b"rip" | b"eip" | b"rflags" => true,
        [b'r' | b'e', rest @ ..] if LETTERS.contains(&rest) => true,
        [b'r', rest @ .., b'd' | b'w' | b'b'] | [b'r', rest @ ..] if numbered(rest) => true,
        [b'x' | b'y', b'm', b'm', rest @ ..] => below_16(rest),
        _ => LETTERS.contains(&word) || BYTES.contains(&word),
    }
}

/// Returns a message about an unknown name, with the nearest known one.
pub(super) fn undeclared<'a>(
    message: &str,
    sigil: &[u8],
    name: &[u8],
    known: impl Iterator<Item = &'a [u8]>,
) -> String {
    let Some(near) = nearest(name, known) else { return message.to_string() };
    let written = format!("{}{}", String::from_utf8_lossy(sigil), name_after_sigil(near));
    message.to_string() + &did_you_mean(written)
}
