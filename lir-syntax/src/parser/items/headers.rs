//! Headers of functions. All mistakes of one are reported together: after a mistake that shows what was meant, the
//! header is read on as if that stood there, and so is the body.

use super::{Body, Declares, ItemParser};
use crate::ir::{AbiParam, Attrs, EntityRef, Ext, Item, Signature, Sym, Type};
use crate::parser::cursor::{Parsed, Reported, span};
use crate::parser::hints::foreign_scalar;
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, nearest};

/// Attributes of LLVM's functions that are near to none of ours in meaning, though perhaps in spelling.
const FOREIGN_ATTRIBUTES: [&str; 16] = [
    "alwaysinline",
    "dso_local",
    "hot",
    "local_unnamed_addr",
    "minsize",
    "mustprogress",
    "nofree",
    "norecurse",
    "nosync",
    "nounwind",
    "optnone",
    "optsize",
    "ssp",
    "sspstrong",
    "unnamed_addr",
    "uwtable",
];

impl ItemParser<'_> {
    pub(super) fn extern_func(&mut self) -> Parsed<()> {
        self.c.bump();
        let before = self.c.errors.list.len();
        let result = self.result_before_name()?;
        let (t, sym) = self.function_name()?;
        self.declares = Declares::Sym(sym);
        let (mut sig, params) = self.parameters()?;
        sig.result = result;
        for named in params.iter().flatten() {
            let mut scanner = Scanner::new(self.c.all_text(), named.end as usize);
            if scanner.token().kind != TokenKind::Colon {
                // It stands behind its type, which was reported.
                continue;
            }
            self.c.error(*named, "a parameter of an `extern` function has no name");
            let whole = Span { start: named.start, end: scanner.token().start };
            self.c.help("leave the name out", vec![Edit::replace(whole, "")]);
        }
        self.signature_end(&mut sig)?;
        if !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            self.words_for_attributes()?;
        }
        self.declare_func(t, sym, false, sig, false)?;
        self.items.push(Item::ExternFunc(sym));
        self.syms[sym.index()].broken |= self.c.errors.list.len() > before;
        Ok(())
    }

    pub(super) fn func(&mut self, first: Token, local: bool) -> Parsed<()> {
        self.c.bump();
        let before = self.c.errors.list.len();
        let result = self.result_before_name()?;
        let (t, sym) = self.function_name()?;
        self.declares = Declares::Sym(sym);
        let (mut sig, params) = self.parameters()?;
        sig.result = result;
        self.signature_end(&mut sig)?;
        let mut section = self.c.optional_section()?;
        if !self.c.at(TokenKind::LBrace) {
            self.no_brace()?;
            section = section.or(self.c.optional_section()?);
        }
        self.open_brace()?;
        if !self.c.at(TokenKind::Newline) {
            let reported = self.c.expected_syntax("the end of the line after `{`");
            self.c.help("the body begins on the next line, and its `}` stands on a line of its own", Vec::new());
            return Err(reported);
        }
        let wrong = self.c.errors.list.len() > before;
        let declared = self.declare_func(t, sym, local, sig, true);
        // What was meant is a guess: calls are not held to it.
        self.syms[sym.index()].broken |= wrong;
        let (start, end) = self.skip_body(t)?;
        if declared.is_ok() {
            self.items.push(Item::Func(self.next_func()));
            self.bodies.push(Body { sym, at: first.start, params, section, start, end, wrong });
        }
        Ok(())
    }

    /// The type of the result where it stands before the name, as in C: reported, and read.
    fn result_before_name(&mut self) -> Parsed<Option<AbiParam>> {
        if self.c.at(TokenKind::Word) && self.c.next_kind() == TokenKind::Sym {
            return self.misplaced_result();
        }
        Ok(None)
    }
    #[cold]
    fn misplaced_result(&mut self) -> Parsed<Option<AbiParam>> {
        let t = self.c.token;
        let is_void = self.c.at_word(b"void");
        let Some(ty) = scalar_type(self.c.text(t)).or(is_void.then_some(Type::I64)) else { return Ok(None) };
        self.c.expected_syntax_with("the name of a function", "; the type of the result stands behind the parameters");
        self.c.bump();
        let whole = Span { start: t.start, end: self.c.token.start };
        // The last bracket of the line, if nothing but attributes follows it, and the `->` is not there as well.
        let mut scanner = Scanner::new(self.c.all_text(), whole.end as usize);
        let (mut close, mut has_arrow) = (None, false);
        loop {
            let t = scanner.token();
            match t.kind {
                TokenKind::Newline | TokenKind::Eof | TokenKind::LBrace => break,
                TokenKind::RParen => close = Some(t.end),
                TokenKind::Arrow => has_arrow = true,
                _ => {}
            }
        }
        let left_out = Edit::replace(whole, "");
        match close {
            _ if is_void || has_arrow => self.c.help("leave it out", vec![left_out]),
            Some(end) => {
                let arrow = format!(" -> {ty}");
                self.c.help(format!("write `-> {ty}` behind the `)`"), vec![left_out, Edit::insert(end, arrow)]);
            }
            None => {}
        }
        Ok((!is_void).then_some(AbiParam::Scalar(ty, Ext::None)))
    }

    /// Says what replaces a word of another language before a function or an item.
    #[cold]
    pub(super) fn help_item(&mut self, word: Token) {
        let next = self.c.token_at(word.end);
        let is_item = matches!(self.c.text(next), b"func" | b"data" | b"extern" | b"thread" | b"const");
        match self.c.text(word) {
            b"export" | b"pub" | b"public" if is_item => {
                self.c.help("leave it out", vec![Edit::replace(Span { start: word.start, end: next.start }, "")]);
            }
            b"private" | b"internal" | b"static" if is_item => {
                self.c.help("write `local`", vec![Edit::replace(span(word), "local")]);
            }
            b"fn" | b"function" | b"def" | b"fun" | b"proc" | b"sub" | b"define"
                if matches!(next.kind, TokenKind::Sym | TokenKind::Word) =>
            {
                self.c.help("write `func`", vec![Edit::replace(span(word), "func")]);
            }
            b"declare" if matches!(next.kind, TokenKind::Sym | TokenKind::Word) => {
                self.c.help("write `extern func`", vec![Edit::replace(span(word), "extern func")]);
            }
            _ => {}
        }
    }

    /// The name of a function; one without its sigil is reported and read.
    fn function_name(&mut self) -> Parsed<(Token, Sym)> {
        let t = self.c.token;
        let named = t.kind == TokenKind::Word && self.c.next_kind() == TokenKind::LParen;
        if !named {
            return self.sym_mention("the name of a function");
        }
        self.c.expected_syntax("the name of a function");
        self.c.help(format!("write `@{}`", self.word(t)), vec![Edit::insert(t.start, "@")]);
        self.c.bump();
        Ok((t, self.sym_of_name(self.c.text(t), t)?))
    }
    fn word(&self, t: Token) -> String {
        String::from_utf8_lossy(self.c.text(t)).into_owned()
    }

    // ---- Parameters ----

    /// The parameters in brackets, with the tokens that name them.
    fn parameters(&mut self) -> Parsed<(Signature, Vec<Option<Token>>)> {
        let (mut sig, mut names) = (Signature::default(), Vec::new());
        if matches!(self.c.token.kind, TokenKind::Reg | TokenKind::Obj) {
            return self.parameters_without_brackets();
        }
        self.open(TokenKind::LParen, "`(`")?;
        while !self.c.at(TokenKind::RParen) {
            if self.c.eat_word(b"...") {
                sig.variadic = true;
                break;
            }
            match self.parameter() {
                Ok((name, param)) => {
                    sig.params.push(param);
                    names.push(name);
                }
                Err(Reported) if self.skip_parameter() => {}
                Err(Reported) => return Err(Reported),
            }
            if self.c.eat(TokenKind::Comma) {
                if self.c.at(TokenKind::RParen) {
                    return Err(self.c.expected_syntax("a parameter"));
                }
            } else if matches!(self.c.token.kind, TokenKind::Reg | TokenKind::Obj) {
                let t = self.c.token;
                self.c.expected_syntax("`,` or `)`");
                self.c.help("write a `,` before it", vec![Edit::insert(t.start, ", ")]);
            } else {
                break;
            }
        }
        self.close(TokenKind::RParen, "`,` or `)`")?;
        Ok((sig, names))
    }

    /// Parameters before which the `(` was forgotten: reported, and read.
    #[cold]
    fn parameters_without_brackets(&mut self) -> Parsed<(Signature, Vec<Option<Token>>)> {
        let first = self.c.token;
        let reported = self.c.expected_syntax_with("`(`", "; parameters stand in brackets");
        let error = self.c.errors.list.len().saturating_sub(1);
        let kept = self.c.kept_last();
        let (mut sig, mut names) = (Signature::default(), Vec::new());
        loop {
            let (name, param) = self.parameter()?;
            sig.params.push(param);
            names.push(name);
            if !matches!(self.c.token.kind, TokenKind::Comma) {
                break;
            }
            self.c.bump();
        }
        if !matches!(self.c.token.kind, TokenKind::Arrow | TokenKind::LBrace | TokenKind::Newline) {
            return Err(reported);
        }
        let text = self.c.all_text();
        let trimmed = |to: u32| text[..to as usize].trim_ascii_end().len() as u32;
        let (open, close) = (trimmed(first.start), trimmed(self.c.token.start));
        let edits = vec![Edit::replace(Span { start: open, end: first.start }, "("), Edit::insert(close, ")")];
        if kept {
            self.c.help_at(error, "write `(` before them and `)` behind them", edits);
        }
        Ok((sig, names))
    }

    /// Goes to the end of a parameter that is in error. False where the list has none on this line.
    #[cold]
    fn skip_parameter(&mut self) -> bool {
        loop {
            match self.c.token.kind {
                TokenKind::Comma | TokenKind::RParen => return true,
                TokenKind::Newline | TokenKind::Eof | TokenKind::LBrace => return false,
                _ => self.c.bump(),
            };
        }
    }

    /// A parameter that begins with its type: it has no name, or one that is behind it by mistake.
    fn parameter_from_type(&mut self) -> Parsed<(Option<Token>, AbiParam)> {
        let t = self.c.token;
        let reported = self.c.errors.list.len();
        let abi = self.abi("a parameter")?;
        Ok(match self.c.token.kind {
            TokenKind::Reg => (Some(self.name_after_type(t, abi)), abi),
            TokenKind::Word if matches!(self.c.next_kind(), TokenKind::Comma | TokenKind::RParen) => {
                // As in C. Of a type of C one error has been reported.
                match self.c.errors.list.len() == reported {
                    true => self.name_after_type(t, abi),
                    false => self.c.bump(),
                };
                (None, abi)
            }
            _ => (None, abi),
        })
    }

    fn parameter(&mut self) -> Parsed<(Option<Token>, AbiParam)> {
        let t = self.c.token;
        if t.kind == TokenKind::Word && self.c.next_kind() == TokenKind::Colon {
            self.c.expected_syntax_with("a parameter", "; the name of a scalar one begins with `%`");
            self.c.help(format!("write `%{}`", self.word(t)), vec![Edit::insert(t.start, "%")]);
            self.c.bump();
            self.c.bump();
            return Ok((None, self.abi("the type of the parameter")?));
        }
        if t.kind == TokenKind::Word
            && scalar_type(self.c.text(t)).is_none()
            && !is_like_type(self.c.text(t))
            && matches!(self.c.next_kind(), TokenKind::Comma | TokenKind::RParen)
            && !self.c.at_word(b"void")
        {
            self.c.expected_syntax_with("a parameter", "; it is written `%name: type`");
            let message = format!("write it with a type, as in `%{}: i64`", self.word(t));
            self.c.help(message, vec![Edit::insert(t.start, "%"), Edit::insert(t.end, ": i64")]);
            self.c.bump();
            return Ok((None, AbiParam::Scalar(Type::I64, Ext::None)));
        }
        if !matches!(t.kind, TokenKind::Reg | TokenKind::Obj) {
            return self.parameter_from_type();
        }
        self.c.bump();
        if !self.c.at(TokenKind::Colon) && matches!(self.c.token.kind, TokenKind::Comma | TokenKind::RParen) {
            self.c.expected_syntax("`:` and the type of the parameter");
            let message = format!("write its type behind it, as in `{}: i64`", self.word(t));
            self.c.help(message, vec![Edit::insert(t.end, ": i64")]);
            return Ok((Some(t), AbiParam::Scalar(Type::I64, Ext::None)));
        }
        if !self.c.eat(TokenKind::Colon) {
            let reported = self.c.expected_syntax("`:` and the type of the parameter");
            if self.c.token.kind != TokenKind::Word {
                return Err(reported);
            }
            self.c.help(format!("write `{}:`", self.word(t)), vec![Edit::insert(t.end, ":")]);
        }
        let ty = self.c.token;
        let abi = self.abi("the type of the parameter")?;
        match (t.kind, abi) {
            (TokenKind::Reg, AbiParam::Agg(_)) => {
                self.syntax(ty, "an aggregate parameter is a stack object: `$name: :type`");
                self.help_sigil(t, '$');
            }
            (TokenKind::Obj, AbiParam::Scalar(..)) => {
                self.syntax(ty, "a scalar parameter is a register: `%name: type`");
                self.help_sigil(t, '%');
            }
            _ => {}
        }
        Ok((Some(t), abi))
    }
    fn help_sigil(&mut self, t: Token, sigil: char) {
        let written = format!("{sigil}{}", &self.word(t)[1..]);
        self.c.help(format!("write `{written}`"), vec![Edit::replace(span(t), written)]);
    }

    /// `i32 %a`, the name being the current token: reported, and read.
    fn name_after_type(&mut self, first: Token, abi: AbiParam) -> Token {
        let name = self.c.token;
        let ty = match abi {
            AbiParam::Scalar(ty, Ext::None) => ty.name().to_string(),
            AbiParam::Scalar(ty, ext) => format!("{ty} {}", ext.name()),
            AbiParam::Agg(_) => {
                let whole = &self.c.all_text()[first.start as usize..name.start as usize];
                String::from_utf8_lossy(whole.trim_ascii()).into_owned()
            }
        };
        let sigil = if name.kind == TokenKind::Reg { "" } else { "%" };
        let written = format!("{sigil}{}: {ty}", self.word(name));
        self.c.expected_syntax_with("`,` or `)`", "; the name of a parameter stands before its type");
        let whole = Span { start: first.start, end: name.end };
        self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        self.c.bump()
    }

    /// A type with an optional `sext`, `zext` or `env`, or an aggregate.
    fn abi(&mut self, what: &str) -> Parsed<AbiParam> {
        if self.c.at(TokenKind::Colon) {
            return Ok(AbiParam::Agg(self.agg_mention()?.1));
        }
        let first = self.c.token;
        let ty = match self.c.scalar_type() {
            Some(ty) => ty,
            None => self.foreign_type(what)?,
        };
        if self.c.at(TokenKind::Star) {
            return Ok(self.pointer(first, what));
        }
        let t = self.c.token;
        let Some(ext) = Ext::from_name(self.c.text(t)) else {
            return Ok(AbiParam::Scalar(ty, Ext::None));
        };
        self.c.bump();
        self.c.check_ext(t, ty, ext)?;
        Ok(AbiParam::Scalar(ty, ext))
    }

    /// A type of another language: reported, and read as ours.
    #[cold]
    fn foreign_type(&mut self, what: &str) -> Parsed<Type> {
        let t = self.c.token;
        let is_word = self.c.at(TokenKind::Word);
        if is_word && self.c.next_kind() == TokenKind::Star {
            // What is reported is the pointer as a whole.
            self.c.bump();
            return Ok(Type::I64);
        }
        let Some(ty) = foreign_scalar(self.c.text(t)).filter(|_| is_word) else { return self.scalar(what) };
        let hint = self.c.type_hint();
        self.c.expected_syntax_with(what, &hint);
        self.c.help(format!("write `{ty}`"), vec![Edit::replace(span(t), ty.name())]);
        self.c.bump();
        Ok(ty)
    }
    /// `i32*`, a star being the current token: reported, and read as an address.
    #[cold]
    fn pointer(&mut self, first: Token, what: &str) -> AbiParam {
        let star = self.c.token;
        let mut end = star.end;
        while self.c.at(TokenKind::Star) {
            end = self.c.bump().end;
        }
        let message = format!("expected {what}, found a pointer; an address is an `i64`");
        self.c.errors.syntax += 1;
        let whole = Span { start: first.start, end };
        self.c.report(Diagnostic::new(whole, message).help("write `i64`", vec![Edit::replace(whole, "i64")]));
        AbiParam::Scalar(Type::I64, Ext::None)
    }

    // ---- What follows them ----

    fn signature_end(&mut self, sig: &mut Signature) -> Parsed<()> {
        let arrow = self.c.token;
        if self.c.eat(TokenKind::Arrow) {
            let ty = self.c.token;
            if self.c.at_word(b"void") && self.c.next_kind() != TokenKind::Star {
                let hint = self.c.type_hint();
                self.c.expected_syntax_with("the type of the result", &hint);
                let whole = Span { start: arrow.start, end: self.c.token_at(ty.end).start };
                self.c.help("leave `-> void` out", vec![Edit::replace(whole, "")]);
                self.c.bump();
            } else {
                sig.result = Some(self.abi("the type of the result")?);
            }
        } else if !matches!(self.c.token.kind, TokenKind::LBrace | TokenKind::Newline | TokenKind::Eof) {
            self.result_without_arrow(sig)?;
        }
        sig.attrs = self.c.attributes();
        Ok(())
    }

    /// The type of a result behind something else than `->`, or behind nothing: reported, and read.
    fn result_without_arrow(&mut self, sig: &mut Signature) -> Parsed<()> {
        let t = self.c.token;
        let text = self.c.all_text();
        let is_aggregate = t.kind == TokenKind::Colon && {
            let word = self.c.token_at(t.end);
            word.start == t.end && scalar_type(self.c.text(word)).is_none()
        };
        let fat_arrow = t.kind == TokenKind::Equals && text[t.end as usize..].starts_with(b">");
        let is_type = t.kind == TokenKind::Word && (scalar_type(self.c.text(t)).is_some() || self.c.at_word(b"void"));
        if !is_aggregate && !is_type && !fat_arrow && t.kind != TokenKind::Colon {
            return Ok(());
        }
        self.c.expected_syntax_with("an attribute or `{`", "; the type of the result is written `-> i32`");
        let blank = if text[t.start as usize - 1] == b' ' { "" } else { " " };
        if self.c.at_word(b"void") {
            let end = self.c.token_at(t.end).start;
            self.c.help("leave it out", vec![Edit::replace(Span { start: t.start, end }, "")]);
            self.c.bump();
            return Ok(());
        }
        if is_aggregate || is_type {
            self.c.help("write `->` before it", vec![Edit::insert(t.start, format!("{blank}-> "))]);
        } else {
            let whole = Span { start: t.start, end: t.end + u32::from(fat_arrow) };
            self.c.help("write `->`", vec![Edit::replace(whole, format!("{blank}->"))]);
            self.c.bump();
            if fat_arrow {
                self.c.bump();
            }
        }
        sig.result = Some(self.abi("the type of the result")?);
        Ok(())
    }

    /// Reads over words after a signature without `{`, each of them a mistake.
    #[cold]
    fn no_brace(&mut self) -> Parsed<()> {
        if self.c.at(TokenKind::Newline) {
            return Ok(());
        }
        self.words_for_attributes()
    }
    #[cold]
    fn words_for_attributes(&mut self) -> Parsed<()> {
        while self.c.at(TokenKind::Word) && !self.c.at_word(b"section") {
            let t = self.c.token;
            let words: Vec<&[u8]> = Attrs::ALL.iter().map(|(_, w)| w.as_bytes()).chain([&b"section"[..]]).collect();
            let foreign = FOREIGN_ATTRIBUTES.contains(&&*self.word(t));
            let near = nearest(self.c.text(t), words.iter().copied()).filter(|_| !foreign);
            let near = near.map(|w| String::from_utf8_lossy(w).into_owned());
            let hint = near.as_ref().map_or(String::new(), did_you_mean);
            self.c.expected_syntax_with("an attribute or `{`", &hint);
            let end = self.c.token_at(t.end).start;
            match near {
                Some(near) => self.c.help(format!("write `{near}`"), vec![Edit::replace(span(t), near)]),
                None => self.c.help("leave it out", vec![Edit::replace(Span { start: t.start, end }, "")]),
            }
            self.c.bump();
            let _ = self.c.attributes();
        }
        Ok(())
    }

    /// The `{` of a body. One that stands on the next line is reported and read.
    fn open_brace(&mut self) -> Parsed<()> {
        if self.c.eat(TokenKind::LBrace) {
            return Ok(());
        }
        let line_end = self.c.token;
        let hint = "; the `{` of a body stands at the end of this line";
        let hint = if line_end.kind == TokenKind::Newline { hint } else { "" };
        let reported = self.c.expected_syntax_with("an attribute or `{`", hint);
        if line_end.kind != TokenKind::Newline {
            return Err(reported);
        }
        let here = self.c.save();
        self.c.bump();
        let brace = self.c.token;
        if brace.kind != TokenKind::LBrace {
            self.c.restore(here);
            return Err(reported);
        }
        let whole = Span { start: line_end.start, end: brace.end };
        self.c.help("write it there", vec![Edit::replace(whole, " {")]);
        self.c.bump();
        Ok(())
    }
}

/// The type that a word means here or in another language.
fn scalar_type(word: &[u8]) -> Option<Type> {
    Type::from_name(word).or_else(|| foreign_scalar(word))
}

/// True if a word is a letter of a type and a number, such as `i33` or `u8`.
fn is_like_type(word: &[u8]) -> bool {
    matches!(word, [b'i' | b'u' | b's' | b'f', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}
