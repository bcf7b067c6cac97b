//! Headers of functions. All mistakes of one are reported together: after a mistake whose intention is clear, the rest
//! of the header is read as if there were none, and so is the body.

use super::{Body, Declares, ItemParser, Scope, WrittenParam, closing_brace, file_of, item_in_body};
use crate::ir::{AbiParam, Attrs, EntityRef, Ext, Item, Place, Signature, Sym, Type};
use crate::parser::cursor::{Parsed, span};
use crate::parser::hints::scalar_type;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, nearest};

/// Attributes of LLVM's functions that are near to none of ours in meaning. They may be in spelling.
const FOREIGN_ATTRIBUTES: [&str; 16] = [
    "alwaysinline", "dso_local", "hot", "local_unnamed_addr", "minsize", "mustprogress", "nofree", "norecurse",
    "nosync", "nounwind", "optnone", "optsize", "ssp", "sspstrong", "unnamed_addr", "uwtable",
];

impl ItemParser<'_> {
    pub(super) fn extern_func(&mut self, scope: Scope) -> Parsed<()> {
        self.c.bump();
        let before = self.c.errors.list.len();
        let result = self.result_before_name()?;
        let (t, sym) = self.function_name()?;
        self.declares = Declares::Sym(sym);
        let (mut sig, params) = self.parameters()?;
        sig.result = result;
        self.only_of_bodies(&params);
        self.signature_end(&mut sig)?;
        if !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            self.words_for_attributes()?;
        }
        self.declare_func(t, sym, scope, sig, false)?;
        self.items.push(Item::ExternFunc(sym));
        self.syms[sym.index()].broken |= self.c.errors.list.len() > before;
        Ok(())
    }

    /// Reports names and promises of parameters, which an `extern` function does not have.
    fn only_of_bodies(&mut self, params: &[WrittenParam]) {
        for named in params.iter().filter_map(|p| p.name) {
            let mut scanner = Scanner::new(self.c.all_text(), named.end as usize);
            if scanner.token().kind != TokenKind::Colon {
                // It is after its type, which was reported.
                continue;
            }
            self.c.error(named, "a parameter of an `extern` function has no name");
            let whole = Span { start: named.start, end: scanner.token().start };
            self.c.help("leave the name out", vec![Edit::replace(whole, "")]);
        }
        for promised in params.iter().filter_map(|p| p.promised) {
            let first = self.c.token_at(promised.start);
            let name = self.c.describe(first);
            let message = match self.c.text(first) {
                b"is" => "a parameter of an `extern` function has no debug type".to_string(),
                _ => format!(
                    "a parameter of an `extern` function is not {name}: promises are for passes that see a body"
                ),
            };
            self.c.error(first, message);
            let edit = self.without_promises(promised);
            self.c.help("leave it out", vec![edit]);
        }
    }

    /// Returns the edit that removes the promises of a parameter.
    fn without_promises(&self, promised: Span) -> Edit {
        let type_end = self.c.all_text()[..promised.start as usize].trim_ascii_end().len() as u32;
        Edit::replace(Span { start: type_end, end: promised.end }, "")
    }

    pub(super) fn func(&mut self, first: Token, scope: Scope) -> Parsed<()> {
        let func = self.c.bump();
        let before = self.c.errors.list.len();
        let result = self.result_before_name()?;
        let (t, sym) = self.function_name()?;
        self.declares = Declares::Sym(sym);
        let (mut sig, params) = self.parameters()?;
        sig.result = result;
        self.signature_end(&mut sig)?;
        let mut section = self.c.optional_section()?;
        if !matches!(self.c.token.kind, TokenKind::LBrace | TokenKind::File) {
            self.no_brace()?;
            section = section.or(self.c.optional_section()?);
        }
        let place = if self.c.at(TokenKind::File) { self.place()? } else { None };
        self.open_brace(Span { start: first.start, end: func.start }, &params)?;
        if !self.c.at(TokenKind::Newline) {
            let reported = self.c.expected_syntax("the end of the line after `{`");
            self.c.help("the body begins on the next line, and its `}` is on a line of its own", Vec::new());
            return Err(reported);
        }
        let wrong = self.c.errors.list.len() > before;
        let declared = self.declare_func(t, sym, scope, sig, true);
        // The intended signature is a guess: calls are not checked against it.
        self.syms[sym.index()].broken |= wrong;
        let (start, end) = self.skip_body(t)?;
        if declared.is_ok() {
            self.items.push(Item::Func(self.next_func()));
            self.bodies.push(Body { sym, at: first.start, params, section, place, start, end, wrong });
        }
        Ok(())
    }

    fn place(&mut self) -> Parsed<Option<Place>> {
        let (files, index) = (&self.files, &self.file_index);
        self.c.place(files, |name| file_of(files, index, name))
    }

    /// Reports a result type before the name, as in C, and reads it.
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
        self.c.expected_syntax_with("the name of a function", "; the type of the result follows the parameters");
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
                self.c.help(format!("write `-> {ty}` after the `)`"), vec![left_out, Edit::insert(end, arrow)]);
            }
            None => {}
        }
        Ok((!is_void).then_some(AbiParam::Scalar(ty, Ext::None)))
    }

    /// Suggests a replacement for a word of another language before a function or an item. True if a function can be
    /// read from there, as if the word were `func`.
    #[cold]
    pub(super) fn help_item(&mut self, word: Token) -> bool {
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
                return self.c.text(word) != b"define" && next.kind == TokenKind::Sym;
            }
            b"declare" if matches!(next.kind, TokenKind::Sym | TokenKind::Word) => {
                self.c.help("write `extern func`", vec![Edit::replace(span(word), "extern func")]);
            }
            _ => {}
        }
        false
    }

    /// Parses the name of a function; one without its sigil is reported and read.
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
    pub(super) fn word(&self, t: Token) -> String {
        String::from_utf8_lossy(self.c.text(t)).into_owned()
    }

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
        } else if !matches!(
            self.c.token.kind,
            TokenKind::LBrace | TokenKind::File | TokenKind::Newline | TokenKind::Eof
        ) {
            self.result_without_arrow(sig)?;
        }
        sig.attrs = self.c.attributes();
        Ok(())
    }

    /// Reports a result type after something other than `->`, or after nothing, and reads it.
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

    /// Skips words after a signature without `{`, each of them a mistake.
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

    /// Reads the `{` of a body. If it is on the next line, this is an error, and it is read there. If there is no body
    /// at all, the suggestion is `extern func`; `before` is the text before the word `func`.
    fn open_brace(&mut self, before: Span, params: &[WrittenParam]) -> Parsed<()> {
        if self.c.eat(TokenKind::LBrace) {
            return Ok(());
        }
        let line_end = self.c.token;
        let hint = "; the `{` of a body is at the end of this line";
        let hint = if line_end.kind == TokenKind::Newline { hint } else { "" };
        let reported = self.c.expected_syntax_with("an attribute or `{`", hint);
        if line_end.kind != TokenKind::Newline {
            return Err(reported);
        }
        let here = self.c.save();
        self.c.bump();
        let brace = self.c.token;
        if brace.kind != TokenKind::LBrace {
            let has_body = self.has_body(line_end);
            self.c.restore(here);
            if has_body {
                self.c.help("write ` {` there", vec![Edit::insert(line_end.start, " {")]);
                return Err(reported);
            }
            let mut edits = vec![Edit::replace(before, "extern ")];
            for param in params {
                if let Some(named) = param.name {
                    let mut scanner = Scanner::new(self.c.all_text(), named.end as usize);
                    if scanner.token().kind == TokenKind::Colon {
                        edits.push(Edit::replace(Span { start: named.start, end: scanner.token().start }, ""));
                    }
                }
                edits.extend(param.promised.map(|p| self.without_promises(p)));
            }
            let names = if edits.len() > 1 { ", without names of parameters" } else { "" };
            self.c.help(format!("a function without a body is declared by `extern func`{names}"), edits);
            return Err(reported);
        }
        let whole = Span { start: line_end.start, end: brace.end };
        self.c.help("write it there", vec![Edit::replace(whole, " {")]);
        self.c.bump();
        Ok(())
    }
}

impl ItemParser<'_> {
    /// True if a line between this one and the next item begins with `}`.
    #[cold]
    fn has_body(&self, line_end: Token) -> bool {
        let text = self.c.all_text();
        let end = item_in_body(text, line_end.start as usize).map_or(text.len(), |item| item.start as usize);
        closing_brace(&text[..end], line_end.end as usize).is_some()
    }
}
