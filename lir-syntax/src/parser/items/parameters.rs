//! Parses the parameters of functions: names and types. Mistakes are reported, and parsing continues after them.

use super::{ItemParser, WrittenParam};
use crate::ir::{AbiParam, Ext, Signature, Type};
use crate::parser::cursor::{Parsed, Reported, span};
use crate::parser::hints::{foreign_scalar, scalar_type};
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, nearest};

impl ItemParser<'_> {
    /// Parses the parameters in brackets, with the tokens that name them.
    pub(super) fn parameters(&mut self) -> Parsed<(Signature, Vec<WrittenParam>)> {
        let (mut sig, mut written) = (Signature::default(), Vec::new());
        if matches!(self.c.token.kind, TokenKind::Reg | TokenKind::Obj) {
            return self.parameters_without_brackets();
        }
        self.open(TokenKind::LParen, "`(`")?;
        while !self.c.at(TokenKind::RParen) {
            let first = self.c.token;
            if self.c.eat_word(b"...") {
                sig.variadic = true;
                if !self.c.at(TokenKind::Comma) {
                    break;
                }
                self.parameters_after_ellipsis(first);
                self.c.bump();
                continue;
            }
            match self.promised_parameter() {
                Ok((param, of_body)) => {
                    sig.params.push(param);
                    written.push(of_body);
                }
                Err(Reported) if self.skip_parameter() => {}
                Err(Reported) => return Err(Reported),
            }
            if self.c.eat(TokenKind::Comma) {
                if self.c.at(TokenKind::RParen) {
                    return Err(self.c.expected_syntax("a parameter"));
                }
            } else if self.c.at(TokenKind::RParen) || !self.comma_is_missing(first) {
                break;
            }
        }
        self.close(TokenKind::RParen, "`,` or `)`")?;
        Ok((sig, written))
    }

    /// Parses a parameter, and the promises or the debug type after its type.
    fn promised_parameter(&mut self) -> Parsed<(AbiParam, WrittenParam)> {
        let (name, param) = self.parameter()?;
        let mut written = WrittenParam { name, ..WrittenParam::default() };
        let start = self.c.token.start;
        if self.at_promise() {
            self.promises(param, &mut written)?;
        } else if matches!(param, AbiParam::Agg(_)) && self.c.eat_word(b"is") {
            written.debug_type = Some(self.debug_mention()?.1);
        } else {
            return Ok((param, written));
        }
        let end = self.c.all_text()[..self.c.token.start as usize].trim_ascii_end().len() as u32;
        written.promised = Some(Span { start, end });
        Ok((param, written))
    }
    /// True at a word that begins a promise of a parameter.
    fn at_promise(&self) -> bool {
        self.c.at_word(b"noalias") || self.c.at_value_promise()
    }
    fn promises(&mut self, param: AbiParam, written: &mut WrittenParam) -> Parsed<()> {
        while self.at_promise() {
            if let (false, AbiParam::Scalar(ty, _)) = (self.c.at_word(b"noalias"), param) {
                self.c.value_promise(ty, &mut written.value)?;
                continue;
            }
            let t = self.c.bump();
            let name = self.c.describe(t);
            match param {
                AbiParam::Agg(_) => {
                    return Err(self.syntax(t, &format!("{name} is a promise about a value, not about an aggregate")));
                }
                AbiParam::Scalar(Type::I64, _) if !written.noalias => written.noalias = true,
                AbiParam::Scalar(Type::I64, _) => {
                    self.c.error(t, "`noalias` is written twice");
                    self.c.help("leave it out", vec![Edit::replace(span(t), "")]);
                }
                AbiParam::Scalar(..) => {
                    self.syntax(t, "`noalias` is a promise about an address, which is an i64");
                }
            }
        }
        Ok(())
    }

    /// Reports a comma after `...`, which must be last. Parsing of the parameters continues.
    #[cold]
    fn parameters_after_ellipsis(&mut self, ellipsis: Token) {
        self.c.expected_syntax_with("`)`", "; `...` follows all parameters");
        let mut scanner = Scanner::new(self.c.all_text(), self.c.token.end as usize);
        let next = scanner.token();
        let mut t = next;
        while !matches!(t.kind, TokenKind::RParen | TokenKind::Newline | TokenKind::Eof) {
            t = scanner.token();
        }
        if t.kind == TokenKind::RParen && t != next {
            let whole = Span { start: ellipsis.start, end: next.start };
            let edits = vec![Edit::replace(whole, ""), Edit::insert(t.start, ", ...")];
            self.c.help("write it there", edits);
        }
    }

    /// Reports that a comma is missing after the parameter that begins with `first`. Returns true if parsing can
    /// continue as if the comma were there.
    #[cold]
    fn comma_is_missing(&mut self, first: Token) -> bool {
        let t = self.c.token;
        if let Some(semicolon) = self.comment_after(first) {
            let whole = Span { start: semicolon, end: semicolon + 1 };
            self.c.errors.syntax += 1;
            let message = "expected `,` or `)`, found `;`, which begins a comment";
            self.c.report(Diagnostic::new(whole, message).help("write `,`", vec![Edit::replace(whole, ",")]));
            self.c.jump_in_brackets(whole.end as usize);
            return true;
        }
        if !matches!(t.kind, TokenKind::Reg | TokenKind::Obj) {
            return false;
        }
        self.c.expected_syntax("`,` or `)`");
        self.c.help("write a `,` before it", vec![Edit::insert(t.start, ", ")]);
        true
    }

    /// Returns the semicolon of a comment that ends a parameter's line and begins with another parameter.
    fn comment_after(&self, first: Token) -> Option<u32> {
        let mut scanner = Scanner::new(self.c.all_text(), first.start as usize);
        let mut end = first.start;
        loop {
            let t = scanner.token();
            match t.kind {
                TokenKind::Eof => return None,
                TokenKind::Newline => {
                    let gap = &self.c.all_text()[end as usize..t.start as usize];
                    let semicolon = t.start - gap.trim_ascii_start().len() as u32;
                    let next = self.c.token_at(semicolon + 1);
                    return (next.start < t.start && matches!(next.kind, TokenKind::Reg | TokenKind::Obj))
                        .then_some(semicolon);
                }
                _ if t.start >= self.c.token.start => return None,
                _ => end = t.end,
            }
        }
    }

    /// Reports parameters before which the `(` was forgotten, and reads them.
    #[cold]
    fn parameters_without_brackets(&mut self) -> Parsed<(Signature, Vec<WrittenParam>)> {
        let first = self.c.token;
        let reported = self.c.expected_syntax_with("`(`", "; parameters are in parentheses");
        let error = self.c.errors.list.len().saturating_sub(1);
        let kept = self.c.kept_last();
        let (mut sig, mut written) = (Signature::default(), Vec::new());
        loop {
            let (param, of_body) = self.promised_parameter()?;
            sig.params.push(param);
            written.push(of_body);
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
            self.c.help_at(error, "write `(` before them and `)` after them", edits);
        }
        Ok((sig, written))
    }

    /// Skips to the end of a parameter that is in error. False if the list has none on this line.
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

    /// Parses a parameter that begins with its type: it has no name, or the name is after it by mistake.
    fn parameter_from_type(&mut self) -> Parsed<(Option<Token>, AbiParam)> {
        let t = self.c.token;
        let reported = self.c.errors.list.len();
        let abi = self.abi("a parameter")?;
        Ok(match self.c.token.kind {
            TokenKind::Reg => (Some(self.name_after_type(t, abi)), abi),
            TokenKind::Word if self.at_last_word() => {
                // As in C. For a C type one error has been reported.
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
            return Ok((Some(t), self.abi("the type of the parameter")?));
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
            let message = format!("write its type after it, as in `{}: i64`", self.word(t));
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
        if self.at_last_word() {
            self.unknown_last_word();
        }
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
    /// Reports a word at the end of a parameter that is not a promise.
    #[cold]
    fn unknown_last_word(&mut self) {
        let word = self.c.token;
        let promises = [b"noalias".as_slice(), b"nonnull"];
        if let Some(meant) = nearest(self.c.text(word), promises.into_iter()) {
            let meant = String::from_utf8_lossy(meant).into_owned();
            self.c.expected_syntax_with("`,` or `)`", &did_you_mean(&meant));
            self.c.help(format!("write `{meant}`"), vec![Edit::replace(span(word), meant)]);
        } else {
            self.c.expected_syntax("`,` or `)`");
            let type_end = self.c.all_text()[..word.start as usize].trim_ascii_end().len() as u32;
            self.c.help("leave it out", vec![Edit::replace(Span { start: type_end, end: word.end }, "")]);
        }
        self.c.bump();
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
        self.c.expected_syntax_with("`,` or `)`", "; the name of a parameter comes before its type");
        let whole = Span { start: first.start, end: name.end };
        self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        self.c.bump()
    }

    /// Parses a type with an optional `sext`, `zext` or `env`, or an aggregate.
    pub(super) fn abi(&mut self, what: &str) -> Parsed<AbiParam> {
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
        let Some(ext) = Ext::from_name(self.c.text(t)).or_else(|| self.misspelt_ext(ty)) else {
            return Ok(AbiParam::Scalar(ty, Ext::None));
        };
        self.c.bump();
        self.c.check_ext(t, ty, ext)?;
        Ok(AbiParam::Scalar(ty, ext))
    }

    /// Reports a misspelt extension at the end of a parameter. Returns the extension of the type that is meant.
    fn misspelt_ext(&mut self, ty: Type) -> Option<Ext> {
        let t = self.c.token;
        if !self.at_last_word() {
            return None;
        }
        let known: &[Ext] = match ty {
            Type::I8 | Type::I16 => &[Ext::Sext, Ext::Zext],
            Type::I64 => &[Ext::Env],
            Type::I32 | Type::F32 | Type::F64 | Type::I128 => &[],
        };
        let meant = nearest(self.c.text(t), known.iter().map(|ext| ext.name().as_bytes()))?;
        let written = String::from_utf8_lossy(meant).into_owned();
        self.c.expected_syntax_with("`,` or `)`", &did_you_mean(&written));
        self.c.help(format!("write `{written}`"), vec![Edit::replace(span(t), written)]);
        Ext::from_name(meant)
    }
    /// True at a word at the end of a parameter, unless it is a promise.
    fn at_last_word(&self) -> bool {
        self.c.at(TokenKind::Word)
            && matches!(self.c.next_kind(), TokenKind::Comma | TokenKind::RParen)
            && !self.at_promise()
            && !self.c.at_word(b"is")
    }

    /// Parses a type of another language: reported, and read as ours.
    #[cold]
    fn foreign_type(&mut self, what: &str) -> Parsed<Type> {
        let t = self.c.token;
        let is_word = self.c.at(TokenKind::Word);
        if is_word && self.c.next_kind() == TokenKind::Star {
            // The pointer is reported as a whole.
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
}

/// True for a type's letter with a number, such as `i33` or `u8`.
fn is_like_type(word: &[u8]) -> bool {
    matches!(word, [b'i' | b'u' | b's' | b'f', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}
