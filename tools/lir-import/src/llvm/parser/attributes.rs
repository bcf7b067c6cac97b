//! Attributes and metadata attachments. Unknown ones are skipped by their form.

use super::super::ast::{Attachment, Fact, Node, ParamFacts};
use super::super::attributes::{FunctionAttributes, ParamAttributes, ParamWords};
use super::super::lexer::Kind;
use super::Parser;
use crate::tokens::{Parse, Parsed};
use lir_syntax::text::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Skips one attribute: a word, `word(..)`, `word=12`, or `"key"="value"`.
    pub(super) fn skip_attribute(&mut self) -> Parsed<()> {
        match self.token.kind {
            Kind::Word => {
                self.advance();
                if self.is_punct(b'(') {
                    self.skip_brackets()?;
                } else if self.take_punct(b'=') {
                    self.advance();
                }
                Ok(())
            }
            Kind::Str => {
                self.advance();
                if self.take_punct(b'=') {
                    self.string()?;
                }
                Ok(())
            }
            _ => Err(self.expected("an attribute")),
        }
    }

    /// Parses the attributes of a parameter, an argument or a result, up to the type of a result, or up to the value,
    /// `,` or `)` after another.
    pub(super) fn param_attributes(&mut self, before_type: bool) -> Parsed<ParamAttributes> {
        let mut attributes = ParamAttributes::default();
        loop {
            match self.token.kind {
                Kind::Str => self.skip_attribute()?,
                Kind::Word if before_type && self.is_type() => return Ok(attributes),
                Kind::Word if !before_type && super::values::is_value_word(self.here()) => return Ok(attributes),
                Kind::Word => self.param_attribute(&mut attributes)?,
                _ => return Ok(attributes),
            }
        }
    }

    fn param_attribute(&mut self, attributes: &mut ParamAttributes) -> Parsed<()> {
        let word = self.here();
        attributes.words.add(ParamWords::named(word));
        match word {
            b"byval" | b"sret" | b"elementtype" => {
                self.advance();
                if self.take_punct(b'(') {
                    attributes.pointee = self.ty()?.into();
                    self.expect_punct(b')')?;
                }
                Ok(())
            }
            b"align" => {
                self.advance();
                let parenthesis = self.take_punct(b'(');
                attributes.align = self.small_alignment()?;
                if parenthesis {
                    self.expect_punct(b')')?;
                }
                Ok(())
            }
            b"dereferenceable" => {
                self.advance();
                let bytes = number_in(self.skip_brackets()?);
                self.facts_of(attributes).dereferenceable = bytes.and_then(|n| n.try_into().ok()).unwrap_or(0);
                Ok(())
            }
            b"range" => {
                self.advance();
                let mut ends = self.skip_brackets()?.split(|c| *c == b',').map(number_in);
                if let (Some(Some(first)), Some(Some(end))) = (ends.next(), ends.next()) {
                    self.facts_of(attributes).range = Some((first, end));
                }
                Ok(())
            }
            b"dereferenceable_or_null" => {
                self.advance();
                self.skip_brackets().map(drop)
            }
            _ => self.skip_attribute(),
        }
    }

    fn facts_of(&mut self, attributes: &mut ParamAttributes) -> &mut ParamFacts {
        let all = &mut self.program.param_facts;
        if attributes.facts == 0 {
            all.push(ParamFacts::default());
            attributes.facts = all.len() as u32;
        }
        &mut all[attributes.facts as usize - 1]
    }

    /// Parses one attribute of a function. Returns false if the next token is not one.
    pub(super) fn function_attributes(
        &mut self,
        attributes: &mut FunctionAttributes,
        groups: &mut Vec<u32>,
    ) -> Parsed<bool> {
        match self.token.kind {
            Kind::Group => {
                let t = self.advance();
                let number = super::literal::number(&self.bytes(t)[1..]).and_then(|n| u32::try_from(n).ok());
                groups.push(number.ok_or_else(|| Diagnostic::new(t.span(), "the number is too large"))?);
                Ok(true)
            }
            Kind::Str => {
                let word = self.here();
                attributes.add(FunctionAttributes::named(word));
                let name = word.strip_prefix(br#""no-builtin-"#).and_then(|rest| rest.strip_suffix(b"\""));
                self.program.not_builtin.extend(name.map(|name| name.into()));
                self.skip_attribute().map(|()| true)
            }
            Kind::Word => {
                self.function_attribute(attributes)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn function_attribute(&mut self, attributes: &mut FunctionAttributes) -> Parsed<()> {
        let word = self.here();
        attributes.add(FunctionAttributes::named(word));
        if word == b"align" {
            self.advance();
            self.advance();
            return Ok(());
        }
        if word == b"memory" {
            self.advance();
            if self.is_punct(b'(') {
                attributes.add(memory_effect(self.skip_brackets()?));
            }
            return Ok(());
        }
        self.skip_attribute()
    }

    /// Parses `attributes #12 = { .. }`.
    pub(super) fn attribute_group(&mut self) -> Parsed<()> {
        self.advance();
        if self.token.kind != Kind::Group {
            return Err(self.expected("a number (`#1`)"));
        }
        let t = self.advance();
        let number = super::literal::number(&self.bytes(t)[1..]).filter(|n| *n < self.text.len() as u64);
        let number = number.ok_or_else(|| Diagnostic::new(t.span(), "the number is too large"))? as usize;
        self.expect_punct(b'=')?;
        self.expect_punct(b'{')?;
        let (mut attributes, mut groups) = (FunctionAttributes::default(), Vec::new());
        while !self.take_punct(b'}') {
            if !self.function_attributes(&mut attributes, &mut groups)? {
                return Err(self.expected("an attribute"));
            }
        }
        let all = &mut self.program.groups;
        if all.len() <= number {
            all.resize(number + 1, FunctionAttributes::default());
        }
        all[number] = attributes;
        Ok(())
    }

    // ---- Metadata ----

    /// Takes `!kind !12`.
    pub(super) fn attachment(&mut self) -> Parsed<Attachment> {
        let kind: Option<fn(Node) -> Attachment> = match self.here() {
            b"!dbg" => Some(Attachment::Debug),
            b"!tbaa" => Some(Attachment::AccessType),
            b"!range" => Some(|node| Attachment::Fact(Fact::Range, node)),
            b"!noundef" => Some(|node| Attachment::Fact(Fact::NoUndef, node)),
            b"!nonnull" => Some(|node| Attachment::Fact(Fact::NonNull, node)),
            b"!align" => Some(|node| Attachment::Fact(Fact::Align, node)),
            b"!prof" => Some(|node| Attachment::Fact(Fact::Profile, node)),
            b"!alias.scope" => Some(|node| Attachment::Fact(Fact::AliasScope, node)),
            b"!noalias" => Some(|node| Attachment::Fact(Fact::NoAlias, node)),
            b"!dereferenceable" => Some(|node| Attachment::Fact(Fact::Dereferenceable, node)),
            _ => None,
        };
        self.advance();
        let node = self.node(self.here());
        self.skip_metadata()?;
        Ok(kind.zip(node).map_or(Attachment::Other, |(kind, node)| kind(node)))
    }

    /// Skips a node: `!12`, `!{..}`, `!".."`, `!DILocation(..)`, or a value.
    pub(super) fn skip_metadata(&mut self) -> Parsed<()> {
        match self.token.kind {
            Kind::Meta => {
                self.advance();
                if self.is_punct(b'(') {
                    self.skip_brackets()?;
                }
                Ok(())
            }
            Kind::Punct(b'!') => {
                self.advance();
                match self.token.kind {
                    Kind::Punct(b'{') => self.skip_brackets().map(drop),
                    Kind::Str => self.string().map(drop),
                    _ => Err(self.expected("metadata")),
                }
            }
            Kind::Word if self.is_word(b"null") => {
                self.advance();
                Ok(())
            }
            _ => {
                let ty = self.ty()?;
                self.value(ty).map(drop)
            }
        }
    }
}

/// Returns the last word of a text, if it is an integer: 10 of `i32 10`.
fn number_in(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.split_ascii_whitespace().next_back()?.parse().ok()
}

/// Returns the words of LLVM 15 for the inside of `memory(..)`: `argmem: read, inaccessiblemem: none`.
fn memory_effect(inside: &[u8]) -> FunctionAttributes {
    let mut accesses = inside.split(|c| *c == b',').map(|part| {
        let access = part.rsplit(|c| *c == b':').next().unwrap_or(part);
        access.trim_ascii()
    });
    if accesses.clone().all(|access| access == b"none") {
        FunctionAttributes::READNONE
    } else if accesses.all(|access| matches!(access, b"none" | b"read")) {
        FunctionAttributes::READONLY
    } else {
        FunctionAttributes::default()
    }
}
