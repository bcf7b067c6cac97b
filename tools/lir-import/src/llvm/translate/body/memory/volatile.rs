//! Volatile `memcpy`, `memmove` and `memset`.
//!
//! Short ones of known length become loads and stores of up to 8 bytes. Others become a loop over the bytes, which runs
//! from the end if the destination of a `memmove` is above its source:
//!
//! ```text
//!                                          before:
//!                                            br ne %n, 0, loop, rest
//!   memmove(%to, %from, %n, volatile)  =>  loop:
//!                                            %at = phi [%first, before], [%next, loop]
//!                                            %left = phi [%n, before], [%fewer, loop]
//!                                            %x = load volatile i8 [%from + %at]
//!                                            store volatile i8 [%to + %at], %x
//!                                            %next = add %at, %step
//!                                            %fewer = sub %left, 1
//!                                            br ne %fewer, 0, loop, rest
//!                                          rest:
//! ```

use crate::llvm::ast::Operand as Value;
use crate::llvm::translate::body::function::{Translated, Translator};
use crate::llvm::translate::body::memory::pieces;
use lir_syntax::ir::{Comparison, InstData, IntCC, Mem, Opcode, Operand, Reg, Type};

/// The most bytes of a volatile copy each piece of which is a load and a store.
pub(in crate::llvm::translate::body) const MAX_VOLATILE_COPY: u64 = 1024;

impl Translator<'_> {
    /// Translates a volatile operation on a block of memory. `length` is a register or the constant `bytes`.
    pub(in crate::llvm::translate::body) fn volatile_block(
        &mut self,
        stem: &str,
        to: Mem,
        second: &Value,
        (length, bytes): (Operand, u64),
    ) -> Translated<()> {
        if !length.is_reg() && bytes <= MAX_VOLATILE_COPY {
            return self.volatile_pieces(stem, to, second, bytes);
        }
        let to = self.lea(to);
        let length = self.in_register(Type::I64, length);
        let (from, byte) = if stem.starts_with("memset") {
            let byte = self.value(second)?;
            (None, Some(self.in_register(Type::I8, byte)))
        } else {
            let from = self.memory(second, bytes)?;
            (Some(self.lea(from)), None)
        };
        let (first, step) = match from.filter(|_| stem == "memmove") {
            Some(from) => self.direction(to, from, length),
            None => {
                let first = self.constant(Type::I64, 0);
                let step = self.constant(Type::I64, 1);
                (self.in_register(Type::I64, first), self.in_register(Type::I64, step))
            }
        };
        self.loop_over_bytes(length, (first, step), |t, at| {
            let x = match (byte, from) {
                (Some(byte), _) => byte,
                (None, from) => {
                    let from = from.expect("a copy has a source");
                    let load = t.func.load(Type::I8, Mem { index: at.into(), ..Mem::reg(from) }).with_volatile(true);
                    t.define(Type::I8, load)
                }
            };
            let to = Mem { index: at.into(), ..Mem::reg(to) };
            let store = t.func.store(Type::I8, to, x).with_volatile(true);
            t.emit(store);
        });
        Ok(())
    }

    /// Makes loads of all bytes, and then stores, each executed exactly once.
    fn volatile_pieces(&mut self, stem: &str, to: Mem, second: &Value, bytes: u64) -> Translated<()> {
        let mut stores = Vec::new();
        if stem.starts_with("memset") {
            let byte = self.value(second)?;
            stores.extend((0..bytes).map(|at| (Type::I8, at, byte)));
        } else {
            let from = self.memory(second, bytes)?;
            for (ty, at) in pieces(bytes) {
                let mem = self.displaced(from, at as i64);
                let load = self.func.load(ty, mem).with_volatile(true);
                stores.push((ty, at, self.define(ty, load).into()));
            }
        }
        for (ty, at, value) in stores {
            let mem = self.displaced(to, at as i64);
            let store = self.func.store(ty, mem, value).with_volatile(true);
            self.emit(store);
        }
        Ok(())
    }

    /// Returns the index of the byte that a `memmove` copies first, and the step to the next one.
    fn direction(&mut self, to: Reg, from: Reg, length: Reg) -> (Reg, Reg) {
        let above = Comparison { ty: Type::I64, predicate: IntCC::Ugt.into(), a: to.into(), b: from.into() };
        let above = self.define(Type::I8, InstData::compare(above));
        let last = self.binary_const(Opcode::Sub, Type::I64, length, 1);
        let [zero, one, back] = [0, 1, -1i64].map(|n| {
            let n = self.constant(Type::I64, n as u64);
            self.in_register(Type::I64, n)
        });
        (self.choice(Type::I64, above, last, zero), self.choice(Type::I64, above, back, one))
    }

    /// Makes a loop that executes `body` with an index `length` times. Later instructions are in a new block.
    fn loop_over_bytes(&mut self, length: Reg, (first, step): (Reg, Reg), body: impl FnOnce(&mut Self, Reg)) {
        let [zero, one] = [0, 1].map(|n| self.constant(Type::I64, n));
        let is_left = |left: Reg| {
            let predicate = IntCC::Ne.into();
            InstData::branch(Comparison { ty: Type::I64, predicate, a: left.into(), b: zero })
        };
        let before = self.block;
        let [repeat, rest] = self.blocks_after();
        self.emit(is_left(length));
        self.func.set_succs(before, &[repeat, rest]);
        self.block = repeat;
        let [at, left, next, fewer] = [(); 4].map(|()| self.new_reg(Type::I64));
        for (phi, from_before, from_loop) in [(at, first, next), (left, length, fewer)] {
            let list = self.func.make_phi(&[(before, from_before.into()), (repeat, from_loop.into())]);
            self.emit(InstData::new(Opcode::Phi, Type::I64).with_list(list).with_result(phi));
        }
        body(self, at);
        self.emit(InstData::binary(Opcode::Add, Type::I64, at, step).with_result(next));
        self.emit(InstData::binary(Opcode::Sub, Type::I64, left, one).with_result(fewer));
        self.emit(is_left(fewer));
        self.func.set_succs(repeat, &[repeat, rest]);
        self.block = rest;
    }
}
