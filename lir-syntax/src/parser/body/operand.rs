//! Operands: registers, constants, memory operands, labels.

use super::{BodyParser, Want};
use crate::ir::{Base, Block, EntityRef, Mem, Operand, Reg, Sym, Type};
use crate::parser::cursor::{Parsed, Reported, UnknownName, span, span_from};
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::did_you_mean;

impl BodyParser<'_, '_> {
    /// Takes a comma between operands.
    #[inline]
    pub(super) fn comma(&mut self) -> Parsed<()> {
        if self.c.eat(TokenKind::Comma) { Ok(()) } else { Err(self.c.expected("`,`")) }
    }

    /// Takes a register whose use is still to be checked.
    #[inline]
    pub(super) fn reg_operand(&mut self) -> Parsed<(Token, Reg)> {
        self.reg_operand_of(None)
    }
    /// The same; the type is for messages.
    #[inline]
    pub(super) fn reg_operand_of(&mut self, ty: Option<Type>) -> Parsed<(Token, Reg)> {
        let t = self.c.token;
        if t.kind != TokenKind::Reg {
            return Err(self.no_register(ty, "a register"));
        }
        self.c.bump();
        Ok((t, self.reg_mention(t)?))
    }
    /// Reports that something of this kind, which may be a register, is wanted.
    #[cold]
    pub(super) fn no_register(&mut self, ty: Option<Type>, what: &str) -> Reported {
        if self.c.at_constant() {
            let (_, last) = self.constant_here();
            let reported = self.c.expected(what);
            if last.kind == TokenKind::Number {
                // With its sign.
                self.c.widen(last.end);
            }
            self.help_constant(ty);
            return reported;
        }
        if matches!(self.c.token.kind, TokenKind::Sym | TokenKind::Obj) {
            let reported = self.c.expected(what);
            self.help_address(ty);
            return reported;
        }
        if self.c.token.kind == TokenKind::Word && self.c.text(self.c.token).starts_with(b"arg.") {
            return self.c.error(self.c.token, "a function argument `arg.N` is an operand of `copy` alone");
        }
        if self.c.token.kind == TokenKind::Word && self.c.text(self.c.token) != b"label" {
            let word = self.c.text(self.c.token);
            if self.known_reg(word).is_some() {
                let hint = self.c.sigil_hint('%');
                return self.c.expected_with(what, &hint);
            }
            if self.c.at_misspelt_type() {
                let hint = self.c.type_hint();
                return self.c.expected_with(&format!("a type or {what}"), &hint);
            }
        }
        self.c.expected(what)
    }

    /// Takes a register of a type.
    #[inline]
    pub(super) fn reg_of_type(&mut self, ty: Type) -> Parsed<Reg> {
        let (t, reg) = self.reg_operand_of(Some(ty))?;
        self.check_use(t, reg, Want::Type(ty))?;
        Ok(reg)
    }

    /// Takes a register or a constant of a type.
    #[inline]
    pub(super) fn value(&mut self, ty: Type) -> Parsed<Operand> {
        if self.c.token.kind == TokenKind::Reg {
            return Ok(Operand::reg(self.reg_of_type(ty)?));
        }
        self.constant(ty, "a register or a constant")
    }

    /// Takes a constant of a type.
    #[inline]
    pub(super) fn constant(&mut self, ty: Type, what: &str) -> Parsed<Operand> {
        if !self.c.at_constant() && matches!(self.c.token.kind, TokenKind::Word | TokenKind::Sym | TokenKind::Obj) {
            return Err(self.not_a_value(ty, what));
        }
        if ty == Type::I128 {
            let value = self.c.wide_constant(what)?;
            return Ok(self.f.make_wide_const(value));
        }
        let bits = self.c.constant(ty, what)?;
        Ok(self.f.make_typed_const(ty, bits))
    }

    #[cold]
    fn not_a_value(&mut self, ty: Type, what: &str) -> Reported {
        let word = self.c.text(self.c.token);
        if word.starts_with(b"arg.") {
            return self.no_register(Some(ty), "a register");
        }
        let what = format!("{what} of type {ty}");
        if self.c.token.kind != TokenKind::Word {
            let reported = self.c.expected(&what);
            if what.contains("register") {
                self.help_address(Some(ty));
            }
            return reported;
        }
        if self.known_reg(word).is_some() {
            let hint = self.c.sigil_hint('%');
            return self.c.expected_with(&what, &hint);
        }
        self.c.expected(&what)
    }

    /// Returns the type of the annotation, or else of the first of these registers assigned above.
    pub(super) fn type_of_operands(&mut self, written: Option<Type>, op: Token, regs: &[Reg]) -> Parsed<Type> {
        let inferred = || regs.iter().find_map(|r| self.type_above(*r));
        match written.or_else(inferred) {
            Some(ty) => Ok(ty),
            // The error of a register was reported at its assignment.
            None if regs.iter().any(|r| self.s.regs[r.index()].broken) => Err(Reported),
            None => Err(self.needs_type(op)),
        }
    }
    #[cold]
    pub(super) fn needs_type(&mut self, op: Token) -> Reported {
        let message = format!("{} needs a type here: no register operand was assigned above", self.c.describe(op));
        self.c.error(op, message)
    }

    /// Takes a label.
    #[inline]
    pub(super) fn label(&mut self) -> Parsed<Block> {
        let t = self.c.token;
        match t.kind {
            TokenKind::Word | TokenKind::Str => {
                self.c.bump();
                if self.c.at(TokenKind::Reg) && self.c.text(t) == b"label" {
                    return Err(self.not_a_label());
                }
                let name = self.c.name(t)?;
                self.block_of_name(&name, t.start)
            }
            _ => Err(self.not_a_label()),
        }
    }
    #[cold]
    fn not_a_label(&mut self) -> Reported {
        let t = self.c.token;
        if !matches!(t.kind, TokenKind::Reg | TokenKind::Sym | TokenKind::Obj) {
            return self.c.expected("a label");
        }
        let name = String::from_utf8_lossy(&self.c.text(t)[1..]).into_owned();
        self.c.expected_with("a label", &format!("; labels have no sigil: `{name}`"))
    }

    /// Takes a symbol that is declared.
    pub(super) fn sym(&mut self) -> Parsed<(Token, Sym)> {
        let t = self.c.token;
        if t.kind != TokenKind::Sym {
            return Err(self.c.expected("a symbol"));
        }
        self.c.bump();
        let name = self.c.name(t)?;
        if let Some(sym) = self.symbols.sym(&name) {
            return Ok((t, sym));
        }
        let message = format!("{} is not declared", self.c.describe(t));
        Err(self.not_declared(t, message, UnknownName::Sym((&*name).into())))
    }

    /// Takes a memory operand: terms in any order, at most one base and one index, displacements added up.
    pub(super) fn mem(&mut self) -> Parsed<Mem> {
        if !self.c.at(TokenKind::LBracket) {
            return Err(self.not_a_memory_operand());
        }
        let open = self.c.open(TokenKind::LBracket, "`[`")?;
        let mut terms = Terms::default();
        let mut negative = self.c.eat(TokenKind::Minus);
        loop {
            self.term(&mut terms, negative)?;
            match self.c.token.kind {
                TokenKind::Plus => negative = false,
                TokenKind::Minus => negative = true,
                TokenKind::RBracket => break,
                _ => return Err(self.c.expected_closing("`+`, `-` or `]`")),
            }
            self.c.bump();
        }
        let close = self.c.close(TokenKind::RBracket, "`]`")?;
        let whole = span_from(open, close);
        let Ok(disp) = i32::try_from(terms.disp) else {
            let message = format!("the displacement {} does not fit 32 bits, signed", terms.disp);
            return Err(self.c.report(Diagnostic::new(whole, message)));
        };
        terms.operand(disp).map_err(|message| self.c.report(Diagnostic::new(whole, message)))
    }

    #[cold]
    fn not_a_memory_operand(&mut self) -> Reported {
        let t = self.c.token;
        let what = "a memory operand `[..]`";
        if let Some((written, whole)) = self.access_of_llvm() {
            let reported = self.c.expected(what);
            if self.suggests() {
                self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
            }
            return reported;
        }
        let is_address = match t.kind {
            TokenKind::Reg => {
                let reg = self.known_reg(&self.c.text(t)[1..]);
                reg.and_then(|r| self.type_above(r)).is_none_or(|ty| ty == Type::I64)
            }
            TokenKind::Sym | TokenKind::Obj => self.c.next_kind() != TokenKind::LParen,
            _ => false,
        };
        match t.kind {
            _ if is_address => {
                let whole = Span { start: t.start, end: self.end_of_sum(t) };
                let written = String::from_utf8_lossy(&self.c.all_text()[whole.start as usize..whole.end as usize]);
                let written = format!("[{written}]");
                let reported = self.c.expected_with(what, &did_you_mean(&written));
                self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
                reported
            }
            TokenKind::Word if self.c.at_misspelt_type() => {
                let hint = self.c.type_hint();
                self.c.expected_with(what, &hint)
            }
            _ => self.c.expected(what),
        }
    }

    /// Returns the end of the sum that begins with a token, as far as it could be in brackets.
    #[cold]
    pub(super) fn end_of_sum(&self, first: Token) -> u32 {
        let mut scanner = Scanner::new(self.c.all_text(), first.end as usize);
        let mut end = first.end;
        loop {
            let (operator, operand) = (scanner.token(), scanner.token());
            let is_operand = match operator.kind {
                TokenKind::Plus => matches!(operand.kind, TokenKind::Reg | TokenKind::Number),
                TokenKind::Minus | TokenKind::Star => operand.kind == TokenKind::Number,
                _ => false,
            };
            if !is_operand {
                return end;
            }
            end = operand.end;
        }
    }

    fn term(&mut self, terms: &mut Terms, negative: bool) -> Parsed<()> {
        let t = self.c.token;
        if negative && !matches!(t.kind, TokenKind::Number | TokenKind::Char) {
            return Err(self.c.expected("a number after `-`"));
        }
        match t.kind {
            TokenKind::Reg => {
                let reg = self.reg_of_type(Type::I64)?;
                let mut scale = 1;
                if self.c.eat(TokenKind::Star) {
                    if !matches!(self.c.token.kind, TokenKind::Number | TokenKind::Char) {
                        return Err(self.c.expected("a scale: 1, 2, 4 or 8"));
                    }
                    let (t, n) = self.c.unsigned("a scale")?;
                    if !matches!(n, 1 | 2 | 4 | 8) {
                        return Err(self.c.error(t, format!("a scale is 1, 2, 4 or 8, not {n}")));
                    }
                    scale = n as u8;
                }
                terms.add_register(reg, scale).map_err(|message| self.c.error(t, message))?;
            }
            TokenKind::Sym | TokenKind::Obj => {
                let base = if t.kind == TokenKind::Sym {
                    Base::Sym(self.sym()?.1)
                } else {
                    self.c.bump();
                    Base::Obj(self.obj(t)?)
                };
                if terms.named.replace(base).is_some() {
                    return Err(self.c.error(t, "a second symbol or stack object in a memory operand"));
                }
            }
            TokenKind::Number | TokenKind::Char => {
                let (_, n) = self.c.unsigned("a number")?;
                terms.disp += if negative { -(n as i128) } else { n as i128 };
            }
            _ => {
                let hint =
                    if self.known_reg(self.c.text(t)).is_some() { self.c.sigil_hint('%') } else { String::new() };
                return Err(self.c.expected_with("a register, a symbol, a stack object or a number", &hint));
            }
        }
        Ok(())
    }

    /// Takes `arg.N`, the function argument of a parameter without a name, as its register.
    pub(super) fn function_argument(&mut self) -> Parsed<(Token, Reg)> {
        let t = self.c.bump();
        let word = self.c.text(t);
        match self.known_reg(word).filter(|r| self.f.params.contains(&crate::ir::Param::Reg(*r))) {
            Some(reg) => Ok((t, reg)),
            None => {
                let word = String::from_utf8_lossy(word).into_owned();
                let message = format!("`{word}` is not the argument of a scalar parameter without a name");
                Err(self.c.report(Diagnostic::new(span(t), message)))
            }
        }
    }
}

/// The terms of a memory operand as they come.
#[derive(Default)]
struct Terms {
    named: Option<Base>,
    /// The first register with scale 1, written or not.
    first: Option<Reg>,
    /// A second one, or a scaled one.
    index: Option<(Reg, u8)>,
    disp: i128,
}

impl Terms {
    fn add_register(&mut self, reg: Reg, scale: u8) -> Result<(), &'static str> {
        if scale == 1 && self.first.is_none() {
            self.first = Some(reg);
            return Ok(());
        }
        match self.index.replace((reg, scale)) {
            None => Ok(()),
            Some(_) => Err("a memory operand has at most one base and one index"),
        }
    }
    /// Chooses base and index. The first register without a scale is the base, a second one the index with scale 1;
    /// next to a symbol or stack object any register is the index.
    fn operand(self, disp: i32) -> Result<Mem, &'static str> {
        let (base, index) = match (self.named, self.first, self.index) {
            (Some(_), Some(_), Some(_)) => return Err("a memory operand has at most one base and one index"),
            (Some(base), first, index) => (base, index.or(first.map(|r| (r, 1)))),
            (None, Some(r), index) => (Base::Reg(r), index),
            (None, None, index) => (Base::None, index),
        };
        let (index, scale) = index.map_or((None, 1), |(r, s)| (Some(r), s));
        Ok(Mem { base, index, scale, disp })
    }
}
