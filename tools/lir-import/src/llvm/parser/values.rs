//! Values and constants.

use super::super::ast::{Constant, NO_NODE, Op, Operand, Value};
use super::super::lexer::Kind;
use super::super::literal;
use super::super::types::{self, Ty};
use super::Parser;
use super::instruction::INT_PREDICATES;
use crate::tokens::{Parse, Parsed};
use lir_syntax::text::diagnostic::Diagnostic;

/// True if a word begins a value, and so is not an attribute.
pub(super) fn is_value_word(word: &[u8]) -> bool {
    let word_values: [&[u8]; 9] =
        [b"true", b"false", b"null", b"none", b"undef", b"poison", b"zeroinitializer", b"splat", b"asm"];
    word_values.contains(&word)
        || matches!(word, b"blockaddress" | b"dso_local_equivalent" | b"no_cfi")
        || operation(word).is_some()
}

/// Returns the operation of a constant expression.
pub(super) fn operation(word: &[u8]) -> Option<Op> {
    Some(match word {
        b"getelementptr" => Op::GetElementPtr,
        b"ptrtoint" => Op::PtrToInt,
        b"ptrtoaddr" => Op::PtrToAddr,
        b"inttoptr" => Op::IntToPtr,
        b"bitcast" => Op::Bitcast,
        b"addrspacecast" => Op::AddrSpaceCast,
        b"trunc" => Op::Trunc,
        b"zext" => Op::Zext,
        b"sext" => Op::Sext,
        b"add" => Op::Add,
        b"sub" => Op::Sub,
        b"mul" => Op::Mul,
        b"shl" => Op::Shl,
        b"lshr" => Op::Lshr,
        b"ashr" => Op::Ashr,
        b"and" => Op::And,
        b"or" => Op::Or,
        b"xor" => Op::Xor,
        b"icmp" => Op::Icmp,
        b"select" => Op::Select,
        b"extractelement" => Op::ExtractElement,
        b"insertelement" => Op::InsertElement,
        b"shufflevector" => Op::ShuffleVector,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Parses a type and a value of it.
    #[inline]
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let ty = self.ty()?;
        let value = self.value(ty)?;
        Ok(Operand { ty, value })
    }

    /// Parses a value of a type.
    #[inline]
    pub(super) fn value(&mut self, ty: Ty) -> Parsed<Value> {
        match self.token.kind {
            Kind::Local => {
                let t = self.advance();
                self.local_of(t).map(Value::Local)
            }
            _ => self.constant_value(ty),
        }
    }

    /// Parses a constant of a type.
    pub(super) fn constant_value(&mut self, ty: Ty) -> Parsed<Value> {
        match self.token.kind {
            Kind::Int => {
                let t = self.advance();
                self.integer(t)
            }
            Kind::Global => self.global().map(Value::Global),
            Kind::Float => self.float(ty),
            Kind::Bytes => {
                let t = self.advance();
                let quoted = self.bytes(t);
                let bytes = literal::unescape(&quoted[2..quoted.len() - 1]).into();
                Ok(self.constant(Constant::Bytes(bytes)))
            }
            Kind::Punct(b'[') => self.nested(|p| p.elements(b']')),
            Kind::Punct(b'{') => self.nested(|p| p.elements(b'}')),
            Kind::Punct(b'<') => self.nested(|p| {
                p.advance();
                if !p.is_punct(b'{') {
                    return p.elements_after_bracket(b'>');
                }
                let value = p.elements(b'}')?;
                p.expect_punct(b'>')?;
                Ok(value)
            }),
            Kind::Meta | Kind::Punct(b'!') => {
                let node = self.node(self.here()).unwrap_or(NO_NODE);
                self.skip_metadata().map(|()| Value::Metadata(node))
            }
            Kind::Word => self.word_value(ty),
            _ => Err(self.expected("a value")),
        }
    }

    fn integer(&mut self, t: super::Token) -> Parsed<Value> {
        let text = self.bytes(t);
        let is_negative = text[0] == b'-';
        Ok(match literal::integer(text) {
            Some(n) => match i32::try_from(n as i128) {
                // A number without a sign is positive, even from 2^127 on.
                Ok(small) if is_negative == (small < 0) || n == 0 => Value::Int(small),
                _ => self.constant(Constant::Int(n, is_negative)),
            },
            None => {
                let limbs = literal::limbs(text).ok_or_else(|| Diagnostic::new(t.span(), "the number is too large"))?;
                self.constant(Constant::HugeInt(limbs.into(), is_negative))
            }
        })
    }

    /// Parses a decimal number or the bits of a number. The bits of a `float` are given as the bits of the equal
    /// `double`.
    fn float(&mut self, ty: Ty) -> Parsed<Value> {
        let t = self.token;
        let text = self.here();
        let wrong = || Diagnostic::new(t.span(), "this is not a floating-point number of its type");
        let is_float = ty == Ty::float();
        let constant = match text {
            [b'0', b'x', b'K' | b'L' | b'M' | b'H' | b'R', digits @ ..] => {
                Constant::OtherFloat(literal::hexadecimal(digits).ok_or_else(wrong)?)
            }
            [b'0', b'x', digits @ ..] => {
                let bits = literal::hexadecimal(digits).and_then(|n| u64::try_from(n).ok()).ok_or_else(wrong)?;
                Constant::Float(if is_float { float_of_double(bits) as u64 } else { bits })
            }
            decimal => {
                let number: f64 = std::str::from_utf8(decimal).ok().and_then(|s| s.parse().ok()).ok_or_else(wrong)?;
                if let types::Kind::OtherFloat(name, _) = *self.program.types.kind(ty) {
                    let bits = literal::short_float(name, number).ok_or_else(wrong)?;
                    self.advance();
                    return Ok(self.constant(Constant::OtherFloat(bits.into())));
                }
                Constant::Float(if is_float { (number as f32).to_bits() as u64 } else { number.to_bits() })
            }
        };
        self.advance();
        Ok(self.constant(constant))
    }

    fn word_value(&mut self, ty: Ty) -> Parsed<Value> {
        let word = self.here();
        let value = match word {
            b"true" => Value::Int(1),
            b"false" | b"null" | b"zeroinitializer" | b"none" => Value::Zero,
            b"undef" => Value::Undef,
            b"poison" => Value::Poison,
            _ => return self.nested(|p| p.expression(ty)),
        };
        self.advance();
        Ok(value)
    }

    /// Parses a value that has operands.
    fn expression(&mut self, ty: Ty) -> Parsed<Value> {
        match self.here() {
            b"blockaddress" => self.block_address(),
            // The same symbol, through another table of the linker or with another check.
            b"dso_local_equivalent" | b"no_cfi" => {
                self.advance();
                self.global().map(Value::Global)
            }
            b"splat" => {
                self.advance();
                self.expect_punct(b'(')?;
                let element = self.operand()?;
                self.expect_punct(b')')?;
                Ok(self.constant(Constant::Splat(element)))
            }
            word => match operation(word) {
                Some(op) => self.constant_expression(op, ty),
                None => Err(self.expected("a value")),
            },
        }
    }

    fn constant_expression(&mut self, op: Op, mut ty: Ty) -> Parsed<Value> {
        self.advance();
        let mut predicate = None;
        // Flags, and the predicate of a comparison.
        while self.token.kind == Kind::Word {
            predicate = predicate.or_else(|| INT_PREDICATES.iter().position(|p| *p == self.here()));
            match self.is_word(b"inrange") {
                true => self.skip_attribute()?,
                false => drop(self.advance()),
            }
        }
        if op == Op::Icmp && predicate.is_none() {
            return Err(self.expected("a predicate"));
        }
        self.expect_punct(b'(')?;
        if op == Op::GetElementPtr {
            ty = self.ty()?;
            self.expect_punct(b',')?;
        }
        let from = self.list.len();
        loop {
            if self.is_word(b"inrange") {
                self.skip_attribute()?;
            }
            let operand = self.operand()?;
            self.list.push(operand);
            if self.take_word(b"to") {
                ty = self.ty()?;
            }
            if !self.take_punct(b',') {
                break;
            }
        }
        self.expect_punct(b')')?;
        let operands = self.close_list(from);
        Ok(self.constant(Constant::Expr { op, ty, operands, detail: predicate.unwrap_or(0) as u8 }))
    }

    /// Parses `blockaddress(@f, %block)`.
    fn block_address(&mut self) -> Parsed<Value> {
        self.advance();
        self.expect_punct(b'(')?;
        let function = self.global()?;
        self.expect_punct(b',')?;
        if self.token.kind != Kind::Local {
            return Err(self.expected("a block (`%name`)"));
        }
        let t = self.advance();
        // The function may follow, so its names are still unknown.
        let block = match literal::number(&self.bytes(t)[1..]) {
            Some(number) => format!("\0{number}").into_bytes().into(),
            None => self.name_of(t)?.into_owned().into(),
        };
        self.expect_punct(b')')?;
        Ok(self.constant(Constant::BlockAddress { function, block }))
    }

    /// Parses the elements of a struct, an array or a vector in brackets.
    fn elements(&mut self, close: u8) -> Parsed<Value> {
        self.advance();
        self.elements_after_bracket(close)
    }
    fn elements_after_bracket(&mut self, close: u8) -> Parsed<Value> {
        let from = self.list.len();
        while !self.take_punct(close) {
            if self.list.len() > from {
                self.expect_punct(b',')?;
            }
            let element = self.operand()?;
            self.list.push(element);
        }
        let list = self.close_list(from);
        Ok(self.constant(Constant::List(list)))
    }

    /// True for the type of a call without a result.
    pub(super) fn is_void(&self, ty: Ty) -> bool {
        *self.program.types.kind(ty) == types::Kind::Void
    }
}

/// Returns the bits of the `float` that equals a `double`; a NaN keeps its payload.
fn float_of_double(bits: u64) -> u32 {
    let number = f64::from_bits(bits);
    if number.is_nan() {
        let sign = (bits >> 32) as u32 & 0x8000_0000;
        return sign | 0x7f80_0000 | (bits >> 29) as u32 & 0x007f_ffff;
    }
    (number as f32).to_bits()
}
