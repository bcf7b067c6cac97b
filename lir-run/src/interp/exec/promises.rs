//! Checks promises: about the operands and the result of an instruction, and about parameters.

use super::super::accesses::{Noted, Writes};
use super::super::code::{Code, NO_SLOT, Op, PromisedValue};
use super::super::frame::Context;
use super::super::stop::Stop;
use lir_syntax::ir::{Format, Predicate, Promises, Type};
use lir_syntax::semantics::compare;

impl Context<'_> {
    /// Executes an operation that is for promises.
    ///
    /// # Errors
    /// A promise is broken.
    pub(super) fn check(&mut self, op: Op) -> Result<(), Stop> {
        match op.code {
            Code::Claim => self.claim(),
            Code::Note => self.note(op),
            Code::Sets => self.in_sets(op),
            Code::ValuePromise => self.value(op),
            Code::Assume => assumed(op, self.get(op.a), self.get(op.b)),
            _ => kept(op, self.get(op.a), self.get(op.b)),
        }
    }
    fn value(&mut self, op: Op) -> Result<(), Stop> {
        let (bits, PromisedValue { promises, ty, what }) = (self.get(op.a), &self.code.values[op.imm as usize]);
        if let Some(broken) = promises.broken_by(*ty, bits) {
            return Err(broken_value(&broken, what, *ty, bits));
        }
        if promises.dereferenceable != 0 && !self.memory.may_read(bits, promises.dereferenceable) {
            return Err(broken_value(&format!("dereferenceable {}", promises.dereferenceable), what, *ty, bits));
        }
        Ok(())
    }
    fn claim(&mut self) -> Result<(), Stop> {
        if let Some(limit) = &self.code.limit {
            let before = (self.frame.mark.top, self.memory.shared.heap.made());
            self.memory.limits.begin(self.frame.base, before, limit);
        }
        self.memory.claims.begin(self.frame.base, &self.code.claims)
    }
    fn in_sets(&mut self, op: Op) -> Result<(), Stop> {
        let address = self.lea(&self.code.mems[op.a as usize]);
        self.memory.sets.note(self.frame.base, &self.code.sets, op.imm as usize, address)
    }
    fn note(&mut self, op: Op) -> Result<(), Stop> {
        if self.memory.claims.is_empty() && self.memory.limits.is_empty() {
            return Ok(());
        }
        let noted = Noted {
            address: self.lea(&self.code.mems[op.a as usize]),
            size: if op.b == NO_SLOT { op.imm } else { self.get(op.b) },
            writes: Writes::from_u8(op.aux),
            frame: self.frame.base,
            made: &self.code.made[op.dst as usize],
        };
        self.memory.note(noted)
    }
}

/// Checks the promises of an instruction on these operands.
fn kept(op: Op, a: u64, b: u64) -> Result<(), Stop> {
    let broken = Promises::from_bits(op.imm as u8).broken(op.op, op.ty, a, b);
    if broken.is_empty() { Ok(()) } else { Err(broken_promise(op, broken, a, b)) }
}

/// Checks an `assume` of these operands.
fn assumed(op: Op, a: u64, b: u64) -> Result<(), Stop> {
    let (predicate, w) = (Predicate::from_u8(op.aux), op.ty.as_word());
    if compare::holds(predicate, w, a, b) {
        return Ok(());
    }
    let (a, b) = (w.sign_extend(a), w.sign_extend(b));
    Err(Stop::error(format!("the promise `assume` is broken by `{} {} {a}, {b}`", predicate.name(), op.ty)))
}

#[cold]
fn broken_value(promise: &str, what: &str, ty: Type, bits: u64) -> Stop {
    let value = ty.as_word().sign_extend(bits);
    Stop::error(format!("the promise `{promise}` is broken by {what}, which is {value}"))
}

#[cold]
fn broken_promise(op: Op, broken: Promises, a: u64, b: u64) -> Stop {
    let name = broken.names().next().expect("a promise is broken");
    let number = |bits| op.ty.as_word().sign_extend(bits);
    let (mnemonic, ty, a) = (op.op.mnemonic(), op.ty, number(a));
    let second = if op.op.format() == Format::Binary { format!(", {}", number(b)) } else { String::new() };
    Stop::error(format!("the promise `{name}` is broken by `{mnemonic} {ty} {a}{second}`"))
}
