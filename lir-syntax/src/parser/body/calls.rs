//! Parses calls and their arguments.
//!
//! In the IR, an argument is a register. The text may also have a constant, a symbol or a stack object, which is put in
//! a register of its own before the call, by a `const` or a `lea`.

use super::suggestions::guessed_type;
use super::{BodyParser, RegState, Want};
use crate::ir::operand::MAX_INDEX;
use crate::ir::{
    AbiParam, Agg, CallArg, CallInfo, CallResult, Ext, Function, InstData, Mem, NameRef, Operand, Reg, RegData,
    Signature, Sym, TailMark, Type, TypeRule, ValuePromises,
};
use crate::parser::cursor::{Parsed, Reported, span};
use crate::parser::literal::parse_constant;
use crate::printer::name_after_sigil;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::nearest_hint;

/// The facts about an argument that follow from its position in the parentheses.
#[derive(Copy, Clone)]
enum Position {
    /// The parameter of the callee.
    Parameter(AbiParam),
    /// The argument is after `...`.
    Variable,
    /// The callee is in a register, so its parameters are not known.
    Unknown,
    /// The callee has no such parameter, which is reported at the end of the call.
    TooMany,
}

impl<'s> BodyParser<'s, '_> {
    /// Parses `call [tail | musttail] [T | :agg [r],] @f|%f(args)`.
    pub(super) fn call(&mut self, mut d: InstData, dst: Option<(Token, Reg)>, word: Token) -> Parsed<()> {
        let mut info = self.s.take_call();
        info.args.clear();
        let done = self.call_parts(&mut d, &mut info, dst);
        if done.is_ok() {
            d = d.with_list(self.f.make_call(&info));
        }
        self.s.call = Some(info);
        let done = done.and_then(|()| self.end_of_call(d, dst, word));
        self.s.made.clear();
        done
    }
    /// Takes the promises about the result, and appends the call.
    fn end_of_call(&mut self, d: InstData, dst: Option<(Token, Reg)>, word: Token) -> Parsed<()> {
        let promises = if dst.is_some() { self.c.result_promises(d.ty)? } else { ValuePromises::NONE };
        self.append(d, dst, word)?;
        self.add_value_promises(promises);
        Ok(())
    }

    fn call_parts(&mut self, d: &mut InstData, info: &mut CallInfo, dst: Option<(Token, Reg)>) -> Parsed<()> {
        info.result = CallResult::None;
        if self.c.at(TokenKind::Word)
            && let Some(mark) = TailMark::from_name(self.c.text(self.c.token))
        {
            self.c.bump();
            *d = d.with_tail_mark(mark);
        }
        if self.c.at(TokenKind::Word) && is_mark_of_llvm(self.c.text(self.c.token)) {
            return Err(self.wrong_mark(d));
        }
        if self.c.at(TokenKind::Colon) {
            let agg = self.agg()?;
            info.result = CallResult::Agg(agg, self.mem()?);
            self.comma()?;
        } else if let Some(ty) = self.c.scalar_type() {
            info.result = CallResult::Scalar(ty, Ext::None);
            d.ty = ty;
        }
        if let (Some((t, _)), CallResult::None | CallResult::Agg(..)) = (dst, info.result) {
            let message = "a call with a destination names the scalar type of its result: `call i32 ..`";
            let reported = self.c.error(t, message);
            if info.result == CallResult::None {
                self.help_call_without_type();
            }
            return Err(reported);
        }
        let callee = self.c.token;
        match callee.kind {
            TokenKind::Sym => {
                let (_, sym) = self.sym()?;
                let sig = self.callee_signature(callee, sym)?;
                *d = d.with_first(Operand::sym(sym));
                if let (CallResult::Scalar(ty, _), Some(AbiParam::Scalar(_, ext))) = (info.result, sig.result) {
                    info.result = CallResult::Scalar(ty, ext);
                }
                self.arguments(info, Some(sig), callee)
            }
            TokenKind::Reg => {
                *d = d.with_first(self.reg_of_type(Type::I64)?);
                self.arguments(info, None, callee)
            }
            TokenKind::Word if is_mark_of_llvm(self.c.text(callee)) => Err(self.wrong_mark(d)),
            _ if matches!(info.result, CallResult::None) => {
                let hint = self.mark_hint();
                Err(self.c.expected_with("a type, or the function to call: a symbol or a register", &hint))
            }
            _ => Err(self.c.expected("the function to call: a symbol or a register")),
        }
    }

    /// Returns the signature of a symbol that is called.
    fn callee_signature(&mut self, t: Token, sym: Sym) -> Parsed<&'s Signature> {
        let symbols = self.symbols;
        if symbols.broken_syms.contains(sym) {
            // The error was reported at the declaration.
            return Err(Reported);
        }
        if let Some(sig) = symbols.decls.signature(sym) {
            return Ok(sig);
        }
        let message = format!("{} is data and cannot be called", self.c.describe(t));
        let reported = self.c.error(t, message);
        self.show_declaration(sym);
        Err(reported)
    }

    /// Parses the arguments in parentheses. In a direct call they get their extensions from the signature, and variable
    /// arguments follow `...`.
    fn arguments(&mut self, info: &mut CallInfo, sig: Option<&Signature>, callee: Token) -> Parsed<()> {
        self.c.open(TokenKind::LParen, "`(`")?;
        let mut dots = None;
        while !self.c.at(TokenKind::RParen) {
            if dots.is_none() && self.c.at_word(b"...") {
                dots = Some((self.c.bump(), info.args.len()));
            } else {
                let n = info.args.len();
                let arg = self.argument(match sig {
                    _ if dots.is_some() => Position::Variable,
                    Some(sig) => sig.params.get(n).map_or(Position::TooMany, |p| Position::Parameter(*p)),
                    None => Position::Unknown,
                })?;
                info.args.push(arg);
            }
            if !self.c.eat(TokenKind::Comma) {
                break;
            }
            if self.c.at(TokenKind::RParen) {
                return Err(self.c.expected_syntax("an argument"));
            }
        }
        self.c.close(TokenKind::RParen, "`,` or `)`")?;
        info.fixed = dots.map_or(info.args.len(), |(_, n)| n) as u32;
        info.variadic = sig.map_or(dots.is_some(), |s| s.variadic);
        match sig {
            Some(sig) => self.agrees_in_number(info, sig, dots, callee),
            None => Ok(()),
        }
    }

    /// Checks the number of arguments of a direct call. `...` may only come after the fixed arguments.
    fn agrees_in_number(
        &mut self,
        info: &mut CallInfo,
        sig: &Signature,
        dots: Option<(Token, usize)>,
        callee: Token,
    ) -> Parsed<()> {
        let wanted = sig.params.len();
        let agrees = match dots {
            Some((_, n)) => sig.variadic && n == wanted,
            None => info.args.len() == wanted,
        };
        if !agrees {
            return Err(self.wrong_number(info.args.len(), sig, dots, callee));
        }
        info.fixed = wanted as u32;
        Ok(())
    }
    #[cold]
    fn wrong_number(&mut self, given: usize, sig: &Signature, dots: Option<(Token, usize)>, callee: Token) -> Reported {
        let wanted = sig.params.len();
        let takes = format!("{wanted} argument{}", if wanted == 1 { "" } else { "s" });
        let name = self.c.describe(callee);
        let (at, message) = match dots {
            Some((t, _)) if !sig.variadic => (t, format!("{name} takes no variable arguments")),
            Some((t, n)) => (t, format!("{name} takes {takes} before `...`, not {n}")),
            None if sig.variadic && given > wanted => {
                (callee, format!("{name} takes {takes}, not {given}; `...` precedes variable arguments"))
            }
            None => (callee, format!("{name} takes {takes}, not {given}")),
        };
        let reported = self.c.error(at, message);
        if let Ok(callee) = self.c.name(callee)
            && let Some(sym) = self.symbols.sym(&callee)
        {
            self.show_declaration(sym);
        }
        reported
    }

    /// Adds the declaration of a symbol to the error that was just reported.
    #[cold]
    pub(super) fn show_declaration(&mut self, sym: Sym) {
        let at = self.symbols.decls.syms[sym].loc;
        let name = String::from_utf8_lossy(&self.symbols.decls.syms[sym].name);
        self.c.note(Span::at(at), format!("`@{name}` is declared here"));
    }

    /// Parses an argument: `[T [ext]] %a`, where `%a` may also be a constant or an address, or `:agg [m]`.
    fn argument(&mut self, position: Position) -> Parsed<CallArg> {
        let first = self.c.token;
        if first.kind == TokenKind::Colon {
            let agg = self.agg()?;
            return Ok(CallArg::Agg(agg, self.mem()?));
        }
        let given = match position {
            Position::Parameter(AbiParam::Scalar(ty, ext)) => Some((ty, ext)),
            Position::Parameter(AbiParam::Agg(_)) | Position::Variable | Position::Unknown | Position::TooMany => None,
        };
        let Some(ty) = self.c.scalar_type() else {
            let ext = given.map_or(Ext::None, |g| g.1);
            if self.at_made_argument() {
                return Ok(CallArg::Reg(self.made_argument(position, None)?, ext));
            }
            let (_, reg) = self.argument_register(position, given.map(|g| g.0))?;
            // The verifier checks the argument against the signature; only a type that is not known yet is determined
            // here.
            if self.type_above(reg).is_none() {
                self.check_use(first, reg, given.map_or(Want::Any, |g| Want::Type(g.0)))?;
            }
            return Ok(CallArg::Reg(reg, ext));
        };
        let t = self.c.token;
        let ext = Ext::from_name(self.c.text(t)).unwrap_or_default();
        if ext != Ext::None {
            self.c.bump();
            self.c.check_ext(t, ty, ext)?;
        }
        if let Some((wanted, wanted_ext)) = given
            && (wanted != ty || ext != Ext::None && wanted_ext != ext)
        {
            let reported = self.c.error(first, format!("the signature of the callee has {wanted} here"));
            self.c.wants_form = false;
            self.help_argument(first, self.c.token, wanted);
            return Err(reported);
        }
        let reg = if self.at_made_argument() {
            self.made_argument(position, Some((first, ty)))?
        } else {
            let (t, reg) = self.argument_register(position, Some(ty))?;
            self.check_use(t, reg, Want::Type(ty))?;
            reg
        };
        Ok(CallArg::Reg(reg, given.map_or(ext, |g| g.1)))
    }
    #[inline]
    fn argument_register(&mut self, position: Position, ty: Option<Type>) -> Parsed<(Token, Reg)> {
        if self.c.at(TokenKind::Reg) { self.reg_operand_of(ty) } else { Err(self.no_argument(position, ty)) }
    }
    #[cold]
    fn no_argument(&mut self, position: Position, ty: Option<Type>) -> Reported {
        let t = self.c.token;
        if let Position::Parameter(AbiParam::Agg(agg)) = position
            && t.kind == TokenKind::LBracket
        {
            return self.wants_aggregate(agg, t);
        }
        let reported = self.no_register(ty, "a register, a constant, a symbol or a stack object");
        if let Some(whole) = self.brackets_at(t) {
            self.help_address_of(whole, self.string(whole));
        }
        reported
    }
    /// Returns the range of the memory operand that begins with a token, if it ends on the same line.
    #[cold]
    fn brackets_at(&self, t: Token) -> Option<Span> {
        let mut scanner = Scanner::new(self.c.all_text(), t.end as usize);
        let last = std::iter::repeat_with(|| scanner.token())
            .find(|t| matches!(t.kind, TokenKind::RBracket | TokenKind::Newline | TokenKind::Eof))
            .filter(|last| t.kind == TokenKind::LBracket && last.kind == TokenKind::RBracket)?;
        Some(Span { start: t.start, end: last.end })
    }
    /// Suggests a `lea` that makes a computed address an argument.
    #[cold]
    fn help_address_of(&mut self, whole: Span, mem: String) {
        if !self.suggests() {
            return;
        }
        let Some(fresh) = self.fresh("%", "address") else { return };
        self.help_lines(&[format!("{fresh} = lea {mem}")], whole, fresh);
    }

    /// Returns a hint if the current word is nearly a mark. The hint is empty or begins with `; `.
    #[cold]
    fn mark_hint(&self) -> String {
        if !self.c.at(TokenKind::Word)
            || !matches!(self.c.next_kind(), TokenKind::Word | TokenKind::Sym | TokenKind::Reg)
        {
            return String::new();
        }
        nearest_hint("", self.c.text(self.c.token), TailMark::ALL.iter().map(|m| m.name().as_bytes()))
    }
    /// Reports a mark where none is allowed: a second mark, a mark after the type, or a mark of LLVM.
    #[cold]
    fn wrong_mark(&mut self, d: &InstData) -> Reported {
        let word = self.c.token;
        if d.tail_mark() == TailMark::None || TailMark::from_name(self.c.text(word)).is_none() {
            return self.mark_of_llvm(word, false);
        }
        let reported = self.c.error(word, "a call has one mark");
        let whole = Span { start: word.start, end: self.c.token_at(word.end).start };
        self.c.help("leave one of them out", vec![Edit::replace(whole, "")]);
        reported
    }
    /// Reports a mark of LLVM, before the opcode or after it.
    #[cold]
    pub(super) fn mark_of_llvm(&mut self, word: Token, is_before: bool) -> Reported {
        let name = String::from_utf8_lossy(self.c.text(word)).into_owned();
        // There may be a second mark, after the opcode.
        let next = self.c.token_at(self.c.token.end);
        let is_marked = is_before && TailMark::from_name(self.c.text(next)).is_some();
        let to = if is_marked { next.end } else { self.c.token.end };
        let whole = Span { start: word.start, end: to };
        let (message, written) = match &*name {
            "notail" => ("a call without a mark stays a call: `notail` is not needed".into(), "call".to_owned()),
            _ if is_marked => ("a call has one mark".into(), format!("call {name}")),
            _ => (format!("`{name}` follows the opcode: `call {name}`"), format!("call {name}")),
        };
        let reported = self.c.error(word, message);
        if is_before {
            self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
        reported
    }

    // ---- Arguments that are in no register ----

    /// True if the current token begins a constant or names an address.
    #[inline]
    fn at_made_argument(&self) -> bool {
        !self.c.at(TokenKind::Reg)
            && (matches!(self.c.token.kind, TokenKind::Sym | TokenKind::Obj) || self.c.at_constant())
    }
    /// Takes a constant or an address, and makes the register that holds it at the call. Its type is the type written
    /// before it, or the type of the parameter; an address needs no type.
    #[inline(never)]
    fn made_argument(&mut self, position: Position, written: Option<(Token, Type)>) -> Parsed<Reg> {
        let t = self.c.token;
        let is_address = matches!(t.kind, TokenKind::Sym | TokenKind::Obj);
        let ty = match (written, position) {
            (_, Position::Parameter(AbiParam::Agg(agg))) => {
                return Err(self.wants_aggregate(agg, written.map_or(t, |(first, _)| first)));
            }
            (Some((_, ty)), _) | (None, Position::Parameter(AbiParam::Scalar(ty, _))) => ty,
            (None, _) if is_address => Type::I64,
            (None, Position::TooMany) => self.guessed_argument(false),
            (None, Position::Variable | Position::Unknown) => {
                return Err(self.argument_needs_type(matches!(position, Position::Variable)));
            }
        };
        if let (Some((first, _)), Position::Variable) = (written, position)
            && !TypeRule::VarArg.allows(ty)
        {
            let message = format!("a variable argument is i32, i64, f64 or an aggregate, not {ty}");
            let reported = self.c.error(first, message);
            let wider = if ty.is_float() { Type::F64 } else { Type::I32 };
            self.c.help(format!("write `{wider}`"), vec![Edit::replace(span(first), wider.name())]);
            return Err(reported);
        }
        if !is_address {
            let value = self.constant(ty, "a register, a constant or an address")?;
            return self.made(t, ty, NameRef::NONE, |_| InstData::move_of(ty, value));
        }
        if ty != Type::I64 {
            let what = self.c.describe(t);
            return Err(self.c.error(t, format!("{what} is an address, which is an i64, but {ty} is wanted here")));
        }
        let mem = if t.kind == TokenKind::Sym {
            Mem::sym(self.sym()?.1, 0)
        } else {
            self.c.bump();
            Mem::obj(self.obj(t)?, 0)
        };
        if matches!(self.c.token.kind, TokenKind::Plus | TokenKind::Minus) {
            let reported = self.c.expected("`,` or `)`");
            let whole = Span { start: t.start, end: self.end_of_sum(t) };
            if whole.end > t.end {
                self.help_address_of(whole, format!("[{}]", self.string(whole)));
            }
            return Err(reported);
        }
        let name = self.c.name(t)?;
        let name = self.f.names.add(&name).derived();
        self.made(t, ty, name, |f| f.lea(mem))
    }
    /// Makes a register, and the instruction that assigns it, which is appended just before the call.
    fn made(
        &mut self,
        at: Token,
        ty: Type,
        name: NameRef,
        data: impl FnOnce(&mut Function) -> InstData,
    ) -> Parsed<Reg> {
        if self.f.regs.len() > MAX_INDEX {
            return Err(self.c.error(at, format!("more than {MAX_INDEX} registers")));
        }
        let r = self.f.regs.push(RegData { ty, name });
        self.s.reg_index.push_nameless();
        self.s.regs.push(RegState { assigned: at.start, mention: at.start, broken: false });
        let data = data(&mut self.f).with_result(r);
        self.s.made.push(data);
        Ok(r)
    }
    /// Guesses the type of a constant. An integer among variable arguments is a C `int`, if it fits.
    fn guessed_argument(&self, variable: bool) -> Type {
        let (first, last) = self.constant_here();
        let literal = self.string(Span { start: first.start, end: last.end });
        let is_int = variable && parse_constant(Type::I32, &literal).is_ok();
        match guessed_type(&literal) {
            Some(Type::I64) if is_int => Type::I32,
            guessed => guessed.unwrap_or(Type::I64),
        }
    }
    #[cold]
    fn argument_needs_type(&mut self, variable: bool) -> Reported {
        let t = self.c.token;
        let (_, last) = self.constant_here();
        let ty = self.guessed_argument(variable);
        let why = if variable { "a variable argument" } else { "an argument of a call through a register" };
        let literal = self.string(Span { start: t.start, end: last.end });
        let reported = self.c.error(t, format!("a constant that is {why} needs its type: `{ty} {literal}`"));
        self.c.widen(last.end);
        self.c.help(format!("write `{ty} {literal}`"), vec![Edit::insert(t.start, format!("{ty} "))]);
        reported
    }
    /// Reports a constant, an address or a memory operand in place of an aggregate argument. `first` is the first token
    /// of the argument: its type, if one is written.
    #[cold]
    fn wants_aggregate(&mut self, agg: Agg, first: Token) -> Reported {
        let t = self.c.token;
        let name = format!(":{}", name_after_sigil(&self.symbols.decls.types[agg].name));
        let what = self.c.describe(t);
        let reported = self.c.error(t, format!("an argument `{name} [..]` is wanted here, found {what}"));
        let operand = match t.kind {
            TokenKind::Sym | TokenKind::Obj => {
                let whole = Span { start: t.start, end: self.end_of_sum(t) };
                Some((format!("[{}]", self.string(whole)), whole.end))
            }
            _ => self.brackets_at(t).map(|whole| (self.string(whole), whole.end)),
        };
        if let Some((operand, end)) = operand {
            let written = format!("{name} {operand}");
            let whole = Span { start: first.start, end };
            self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
        reported
    }
}

/// True for the words by which LLVM determines whether a call may become a jump.
pub(super) fn is_mark_of_llvm(word: &[u8]) -> bool {
    matches!(word, b"tail" | b"musttail" | b"notail")
}
