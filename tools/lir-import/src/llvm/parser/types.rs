//! Types.

use super::super::lexer::Kind as Token;
use super::super::literal;
use super::super::types::{Kind, Ty};
use super::Parser;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::EntityRef;
use lir_syntax::text::diagnostic::Diagnostic;

/// The widest integer type of LLVM.
const MAX_INT_BITS: u64 = 1 << 23;

impl Parser<'_> {
    /// True if the next token begins a type.
    pub(super) fn is_type(&self) -> bool {
        match self.token.kind {
            Token::Word => {
                self.word_type().is_some() || matches!(self.here(), b"ptr" | b"target") || self.int_bits().is_some()
            }
            Token::Local | Token::Punct(b'[' | b'{' | b'<') => true,
            _ => false,
        }
    }

    /// Returns the type of a word, except integers.
    fn word_type(&self) -> Option<Kind> {
        Some(match self.here() {
            b"void" => Kind::Void,
            b"float" => Kind::Float,
            b"double" => Kind::Double,
            b"label" => Kind::Label,
            b"token" => Kind::Token,
            b"metadata" => Kind::Metadata,
            b"half" => Kind::OtherFloat("half", 2),
            b"bfloat" => Kind::OtherFloat("bfloat", 2),
            b"x86_fp80" => Kind::OtherFloat("x86_fp80", 16),
            b"fp128" => Kind::OtherFloat("fp128", 16),
            b"ppc_fp128" => Kind::OtherFloat("ppc_fp128", 16),
            b"x86_mmx" => Kind::OtherFloat("x86_mmx", 8),
            _ => return None,
        })
    }

    /// Returns N of the word `iN`.
    fn int_bits(&self) -> Option<u64> {
        match self.here() {
            [b'i', digits @ ..] => literal::number(digits),
            _ => None,
        }
    }

    /// Parses a type.
    #[inline]
    pub(super) fn ty(&mut self) -> Parsed<Ty> {
        let ty = self.simple_type()?;
        match self.token.kind {
            Token::Punct(b'*' | b'(') => self.type_suffix(ty),
            Token::Word if self.here() == b"addrspace" => self.type_suffix(ty),
            _ => Ok(ty),
        }
    }

    #[inline]
    fn simple_type(&mut self) -> Parsed<Ty> {
        if self.token.kind != Token::Word {
            return self.structured_type();
        }
        let ty = match self.here() {
            b"i32" => Ty::i32(),
            b"ptr" => Ty::ptr(),
            b"i64" => Ty::i64(),
            b"i8" => Ty::i8(),
            b"i1" => Ty::i1(),
            b"label" => Ty::label(),
            b"double" => Ty::double(),
            b"float" => Ty::float(),
            b"void" => Ty::void(),
            b"metadata" => Ty::metadata(),
            b"target" => {
                self.advance();
                self.skip_brackets()?;
                return Ok(self.program.types.intern(Kind::Target));
            }
            _ => {
                let kind = match (self.word_type(), self.int_bits()) {
                    (Some(kind), _) => kind,
                    (None, Some(bits @ 1..=MAX_INT_BITS)) => Kind::Int(bits as u32),
                    (None, _) => return Err(self.expected("a type")),
                };
                self.program.types.intern(kind)
            }
        };
        self.advance();
        Ok(ty)
    }

    /// Parses suffixes of a type: the parameters of a function type, and `*` of typed pointers, which are all `ptr`.
    fn type_suffix(&mut self, mut ty: Ty) -> Parsed<Ty> {
        loop {
            if self.is_word(b"addrspace") {
                let space = self.address_space()?;
                ty = self.program.types.intern(Kind::Ptr(space));
                self.take_punct(b'*');
            } else if self.take_punct(b'*') {
                ty = Ty::ptr();
            } else if self.is_punct(b'(') {
                ty = self.function_type(ty)?;
            } else {
                return Ok(ty);
            }
        }
    }

    fn address_space(&mut self) -> Parsed<u32> {
        self.advance();
        let space = self.skip_brackets()?;
        Ok(literal::number(space).map_or(u32::MAX, |n| n.min(u32::MAX as u64) as u32))
    }

    fn function_type(&mut self, result: Ty) -> Parsed<Ty> {
        self.nested(|p| {
            p.expect_punct(b'(')?;
            let (mut params, mut variadic) = (Vec::new(), false);
            while !p.take_punct(b')') {
                if !params.is_empty() || variadic {
                    p.expect_punct(b',')?;
                }
                if p.token.kind == Token::Dots {
                    p.advance();
                    variadic = true;
                    p.expect_punct(b')')?;
                    break;
                }
                params.push(p.ty()?);
            }
            Ok(p.program.types.intern(Kind::Function { result, params: params.into(), variadic }))
        })
    }

    /// Parses a type that begins with a bracket or is a name.
    fn structured_type(&mut self) -> Parsed<Ty> {
        match self.token.kind {
            Token::Local => self.named_type(),
            Token::Punct(b'[') => self.nested(|p| {
                p.advance();
                let (len, elem) = p.counted()?;
                p.expect_punct(b']')?;
                Ok(p.program.types.intern(Kind::Array { len, elem }))
            }),
            Token::Punct(b'{') => self.nested(|p| p.struct_type(false)),
            Token::Punct(b'<') => self.nested(|p| {
                p.advance();
                if p.is_punct(b'{') {
                    let ty = p.struct_type(true)?;
                    p.expect_punct(b'>')?;
                    return Ok(ty);
                }
                let scalable = p.take_word(b"vscale");
                if scalable {
                    p.expect_word("x")?;
                }
                let (len, elem) = p.counted()?;
                p.expect_punct(b'>')?;
                Ok(p.program.types.intern(Kind::Vector { len, elem, scalable }))
            }),
            _ => Err(self.expected("a type")),
        }
    }

    /// Parses `N x T`.
    fn counted(&mut self) -> Parsed<(u64, Ty)> {
        let len = self.number("a number of elements")?;
        self.expect_word("x")?;
        Ok((len, self.ty()?))
    }

    fn struct_type(&mut self, packed: bool) -> Parsed<Ty> {
        self.expect_punct(b'{')?;
        let mut fields = Vec::new();
        while !self.take_punct(b'}') {
            if !fields.is_empty() {
                self.expect_punct(b',')?;
            }
            fields.push(self.ty()?);
        }
        Ok(self.program.types.intern(Kind::Struct { fields: fields.into(), packed }))
    }

    /// Parses `%name` or `%12`.
    pub(super) fn named_type(&mut self) -> Parsed<Ty> {
        if self.token.kind != Token::Local {
            return Err(self.expected("a type"));
        }
        let t = self.advance();
        let name = self.name_of(t)?;
        if name[0].is_ascii_digit() && self.bytes(t)[1] != b'"' {
            // Every number occurs in the text, so the greatest is below the length of the text.
            let n = literal::number(&name).filter(|n| *n < self.text.len() as u64);
            let n = n.ok_or_else(|| Diagnostic::new(t.span(), "the number is too large"))? as usize;
            if self.numbered_types.len() <= n {
                self.numbered_types.resize(n + 1, None);
            }
            let types = &mut self.program.types;
            return Ok(*self.numbered_types[n].get_or_insert_with(|| types.new_named()));
        }
        let (key, is_new) = self.type_names.intern(&name);
        if is_new {
            let ty = self.program.types.new_named();
            debug_assert_eq!(key.index(), self.named_types.len());
            self.named_types.push((ty, t.span()));
        }
        Ok(self.named_types[key].0)
    }
}
