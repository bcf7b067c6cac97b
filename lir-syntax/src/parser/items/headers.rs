//! Headers of functions. All mistakes of one are reported together: after a mistake that shows what was meant, the
//! header is read on as if that stood there, and so is the body.

use super::{Body, Declares, ItemParser};
use crate::ir::{AbiParam, Attrs, EntityRef, Ext, Item, Signature, Sym, Type};
use crate::parser::cursor::{Parsed, Reported, span};
use crate::parser::hints::foreign_scalar;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::nearest;

impl ItemParser<'_> {
    pub(super) fn extern_func(&mut self) -> Parsed<()> {
        self.c.bump();
        let before = self.c.errors.list.len();
        let (t, sym) = self.function_name()?;
        self.declares = Declares::Sym(sym);
        let (mut sig, params) = self.parameters()?;
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
        let (t, sym) = self.function_name()?;
        self.declares = Declares::Sym(sym);
        let (mut sig, params) = self.parameters()?;
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

    fn parameter(&mut self) -> Parsed<(Option<Token>, AbiParam)> {
        let t = self.c.token;
        if t.kind == TokenKind::Word && self.c.next_kind() == TokenKind::Colon {
            self.c.expected_syntax_with("a parameter", "; the name of a scalar one begins with `%`");
            self.c.help(format!("write `%{}`", self.word(t)), vec![Edit::insert(t.start, "%")]);
            self.c.bump();
            self.c.bump();
            return Ok((None, self.abi("the type of the parameter")?));
        }
        if !matches!(t.kind, TokenKind::Reg | TokenKind::Obj) {
            let abi = self.abi("a parameter")?;
            return Ok(match self.c.token.kind {
                TokenKind::Reg => (Some(self.name_after_type(t, abi)), abi),
                _ => (None, abi),
            });
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
        let written = format!("{}: {ty}", self.word(name));
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
        let ty = match foreign_scalar(self.c.text(self.c.token)).filter(|_| self.c.at(TokenKind::Word)) {
            Some(ty) => {
                let t = self.c.token;
                let hint = self.c.type_hint();
                self.c.expected_syntax_with(what, &hint);
                self.c.help(format!("write `{ty}`"), vec![Edit::replace(span(t), ty.name())]);
                self.c.bump();
                ty
            }
            None => self.scalar(what)?,
        };
        let t = self.c.token;
        let Some(ext) = Ext::from_name(self.c.text(t)) else {
            return Ok(AbiParam::Scalar(ty, Ext::None));
        };
        self.c.bump();
        self.c.check_ext(t, ty, ext)?;
        Ok(AbiParam::Scalar(ty, ext))
    }

    // ---- What follows them ----

    fn signature_end(&mut self, sig: &mut Signature) -> Parsed<()> {
        let arrow = self.c.token;
        if self.c.at(TokenKind::Colon) {
            self.c.expected_syntax_with("an attribute or `{`", "; the type of the result is written `-> i32`");
            let blank = self.c.all_text()[arrow.start as usize - 1] == b' ';
            let written = if blank { "->" } else { " ->" };
            self.c.help("write `->` before it", vec![Edit::replace(span(arrow), written)]);
            self.c.bump();
            sig.result = Some(self.abi("the type of the result")?);
        } else if self.c.eat(TokenKind::Arrow) {
            let ty = self.c.token;
            if self.c.at_word(b"void") {
                let hint = self.c.type_hint();
                self.c.expected_syntax_with("the type of the result", &hint);
                let whole = Span { start: arrow.start, end: self.c.token_at(ty.end).start };
                self.c.help("leave `-> void` out", vec![Edit::replace(whole, "")]);
                self.c.bump();
            } else {
                sig.result = Some(self.abi("the type of the result")?);
            }
        }
        sig.attrs = self.c.attributes();
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
            let hint = self.nearest_of(&words);
            self.c.expected_syntax_with("an attribute or `{`", &hint);
            let near = nearest(self.c.text(t), words.iter().copied()).map(|w| String::from_utf8_lossy(w).into_owned());
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
