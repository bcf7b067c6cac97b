//! Parses atomic operations: the words for operation and order, then type, memory and values.

use super::BodyParser;
use crate::ir::{Format, InstData, Operand, Order, RmwOp, Type};
use crate::parser::cursor::{Parsed, span};
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Token, TokenKind};

impl BodyParser<'_, '_> {
    /// Parses an atomic operation or a fence after its opcode word.
    pub(super) fn atomic(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        let operation = if d.op.format() == Format::AtomicUpdate { Some(self.rmw_op()?) } else { None };
        let order = self.order(Order::allowed(d.op), d.op.mnemonic())?;
        *d = match (operation, d.op.format()) {
            (Some(op), _) => d.with_rmw(op, order),
            (None, Format::AtomicExchange) => {
                let failure = self.order(Order::OF_LOADS, "a failed `cmpxchg`")?;
                d.with_orders(order, failure)
            }
            (None, _) => d.with_order(order),
        };
        match d.op.format() {
            Format::Fence => Ok(()),
            Format::AtomicLoad => {
                d.ty = self.annotated(word)?;
                let mem = self.mem()?;
                self.f.set_mem(d, mem);
                Ok(())
            }
            Format::AtomicStore => {
                let written = self.c.scalar_type();
                let mem = self.mem()?;
                self.f.set_mem(d, mem);
                let value = self.atomic_value(d, written, word)?;
                *d = d.with_stored(value);
                Ok(())
            }
            _ => self.atomic_change(d, word),
        }
    }

    /// Parses `T [m], V` and `T [m], %expected, %new`, the type optional.
    fn atomic_change(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        let written = self.c.scalar_type();
        let mem = self.mem()?;
        self.f.set_mem_dst(d, mem);
        if d.op.format() == Format::AtomicUpdate {
            let value = self.atomic_value(d, written, word)?;
            *d = d.with_second(value);
            return Ok(());
        }
        self.comma()?;
        let (t, expected) = self.reg_operand_of(written)?;
        self.comma()?;
        let (u, new) = self.reg_operand_of(written)?;
        d.ty = self.type_of_operands(written, word, &[expected, new])?;
        for (at, reg) in [(t, expected), (u, new)] {
            self.check_use(at, reg, super::Want::Type(d.ty))?;
        }
        *d = d.with_list(self.f.make_bc(expected.into(), new.into()));
        Ok(())
    }

    /// Parses `, V` and sets the type. If the type is omitted, the register determines it.
    fn atomic_value(&mut self, d: &mut InstData, written: Option<Type>, word: Token) -> Parsed<Operand> {
        self.comma()?;
        if let Some(ty) = written {
            d.ty = ty;
            return self.value(ty);
        }
        if self.c.at_constant() {
            return Err(self.needs_type(word));
        }
        let (_, value) = self.reg_operand()?;
        d.ty = self.type_of_operands(None, word, &[value])?;
        Ok(value.into())
    }

    /// Takes the word of an operation.
    fn rmw_op(&mut self) -> Parsed<RmwOp> {
        let t = self.word_of_atomic("an operation")?;
        let word = self.c.text(t);
        RmwOp::from_name(word).ok_or(()).map_err(|()| {
            let start = format!("`{}` is not an operation of `atomicrmw`", String::from_utf8_lossy(word));
            let known = RmwOp::ALL.iter().map(|o| o.name().as_bytes());
            let other = match word {
                b"max" => Some("smax"),
                b"min" => Some("smin"),
                b"exchange" | b"swap" => Some("xchg"),
                _ => None,
            };
            self.unknown_word(t, start, known, other)
        })
    }

    /// Takes the word of an order, which must be allowed; `what` names the operation in errors.
    fn order(&mut self, allowed: &[Order], what: &str) -> Parsed<Order> {
        let t = self.word_of_atomic("an order")?;
        let word = self.c.text(t);
        let known = Order::from_name(word);
        if let Some(order) = known.filter(|o| allowed.contains(o)) {
            return Ok(order);
        }
        let name = String::from_utf8_lossy(word).into_owned();
        let names = allowed.iter().map(|o| o.name().as_bytes());
        let Some(order) = known else {
            // The words of LLVM and of C.
            let other = match word {
                b"monotonic" | b"unordered" => Some(Order::Relaxed),
                b"consume" => Some(Order::Acquire),
                _ => None,
            };
            let other = other.filter(|o| allowed.contains(o)).map(Order::name);
            return Err(self.unknown_word(t, format!("`{name}` is not an order"), names, other));
        };
        let what = if what.contains('`') { what.to_string() } else { format!("`{what}`") };
        let list: Vec<String> = allowed.iter().map(|o| format!("`{}`", o.name())).collect();
        let reported = self.c.error(t, format!("{what} has no order `{name}`; it may be {}", list.join(", ")));
        // The weakest allowed order that is as strong: `seq_cst` is always allowed.
        let gives = |o: &&Order| o.acquires() >= order.acquires() && o.releases() >= order.releases();
        if let Some(o) = allowed.iter().find(gives).filter(|_| self.suggests()) {
            self.c.help(format!("write `{}`", o.name()), vec![Edit::replace(span(t), o.name())]);
        }
        Err(reported)
    }

    /// Takes a word that is not a type.
    fn word_of_atomic(&mut self, what: &str) -> Parsed<Token> {
        let t = self.c.token;
        if t.kind != TokenKind::Word || Type::from_name(self.c.text(t)).is_some() {
            return Err(self.c.expected(what));
        }
        Ok(self.c.bump())
    }

    #[cold]
    fn unknown_word<'n>(
        &mut self,
        t: Token,
        start: String,
        known: impl Iterator<Item = &'n [u8]>,
        other: Option<&str>,
    ) -> crate::parser::cursor::Reported {
        let Some(other) = other else {
            let message = self.c.undeclared(&start, b"", self.c.text(t), known);
            return self.c.error(t, message);
        };
        let reported = self.c.error(t, start);
        if self.suggests() {
            self.c.help(format!("write `{other}`"), vec![Edit::replace(span(t), other)]);
        }
        reported
    }
}
