//! Checks promises: of an instruction about its operands, and of `noalias` parameters.

use super::super::code::{Code, NO_SLOT, Op};
use super::super::frame::Context;
use super::super::noalias::{Noted, Writes};
use super::super::stop::Stop;
use lir_syntax::ir::{Format, Promises};

impl Context<'_> {
    /// Executes an operation that is for promises.
    ///
    /// # Errors
    /// A promise is broken.
    pub(super) fn check(&mut self, op: Op) -> Result<(), Stop> {
        match op.code {
            Code::Claim => self.memory.claims.begin(self.frame.base, &self.code.claims),
            Code::Note => self.note(op),
            _ => kept(op, self.get(op.a), self.get(op.b)),
        }
    }
    fn note(&mut self, op: Op) -> Result<(), Stop> {
        if self.memory.claims.is_empty() {
            return Ok(());
        }
        let noted = Noted {
            address: self.lea(&self.code.mems[op.a as usize]),
            size: if op.b == NO_SLOT { op.imm } else { self.get(op.b) },
            writes: Writes::from_u8(op.aux),
            frame: self.frame.base,
            made: &self.code.made[op.dst as usize],
        };
        self.memory.claims.note(noted)
    }
}

/// Checks the promises of an instruction on these operands.
fn kept(op: Op, a: u64, b: u64) -> Result<(), Stop> {
    let broken = Promises::from_bits(op.imm as u8).broken(op.op, op.ty, a, b);
    if broken.is_empty() { Ok(()) } else { Err(broken_promise(op, broken, a, b)) }
}

#[cold]
fn broken_promise(op: Op, broken: Promises, a: u64, b: u64) -> Stop {
    let name = broken.names().next().expect("a promise is broken");
    let number = |bits| op.ty.as_word().sign_extend(bits);
    let (mnemonic, ty, a) = (op.op.mnemonic(), op.ty, number(a));
    let second = if op.op.format() == Format::Binary { format!(", {}", number(b)) } else { String::new() };
    Stop::error(format!("the promise `{name}` is broken by `{mnemonic} {ty} {a}{second}`"))
}
