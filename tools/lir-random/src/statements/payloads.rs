//! NaNs, quiet and signalling, with sign and payload, moved and compared bit by bit.
//!
//! Arithmetic gives a NaN with unknown bits. Operations that only move a value keep them: loads, stores, phis,
//! `select`, `copy`, calls, `bitcast`; and `fneg`, `fabs` and `fcopysign` change only the sign. Floats that are made
//! here are kept apart from others, so that no arithmetic comes between them and the integers that are made from them.

use crate::body::Body;
use crate::surroundings::Purity;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{CallArg, Ext, FloatCC, Opcode, Reg, Type};

impl Body<'_> {
    /// Makes a float with any bits, moved some times and read as an integer. The bits are often a NaN's.
    pub(super) fn payload(&mut self) {
        let (ty, bits) = self.rng.pick(&[(Type::F32, Type::I32), (Type::F64, Type::I64)]);
        let mut x = self.exact_float(ty, bits);
        for _ in 0..self.rng.range(1, 4) {
            x = self.moved_exactly(ty, bits, x);
        }
        let c = self.b.compare(self.rng.pick(FloatCC::ALL), x, x);
        self.keep(Type::I8, c);
        let r = self.b.convert(Opcode::Bitcast, ty, x, bits);
        self.keep(bits, r);
    }

    fn exact_float(&mut self, ty: Type, bits: Type) -> Reg {
        if self.rng.chance(30) {
            let k = self.nan_bits(ty);
            return self.b.constant(ty, Value::Bits(k));
        }
        let mut n = self.any(bits);
        if self.rng.chance(60) {
            let k = self.nan_bits(ty);
            n = self.b.binary(Opcode::Or, bits, n, Value::Bits(k));
        }
        self.b.convert(Opcode::Bitcast, bits, n, ty)
    }
    /// Returns the bits of a NaN: quiet or signalling, of either sign, with few bits of payload or many.
    fn nan_bits(&mut self, ty: Type) -> u64 {
        let w = ty.as_word();
        let mantissa = if ty == Type::F32 { 23 } else { 52 };
        let exponent = w.mask() >> 1 & !((1u64 << mantissa) - 1);
        let payload = match self.rng.below(4) {
            0 => 1,
            1 => 1 << (mantissa - 1),
            2 => 1 << self.rng.below(mantissa),
            _ => self.rng.bits() & ((1 << mantissa) - 1) | 1,
        };
        let sign = if self.rng.chance(50) { w.sign_bit() } else { 0 };
        sign | exponent | payload
    }

    /// The same bits, or the same except for the sign, by another way.
    fn moved_exactly(&mut self, ty: Type, bits: Type, x: Reg) -> Reg {
        match self.rng.below(9) {
            0 => self.b.copy(x),
            1 => self.b.unary(self.rng.pick(&[Opcode::Fneg, Opcode::Fabs]), ty, x),
            2 => {
                let y = self.exact_float(ty, bits);
                self.b.binary(Opcode::Fcopysign, ty, x, y)
            }
            3 => {
                let (y, c) = (self.exact_float(ty, bits), self.condition());
                let (a, b) = if self.rng.chance(50) { (x, y) } else { (y, x) };
                self.b.select(c, a, b)
            }
            4 => {
                let n = self.b.convert(Opcode::Bitcast, ty, x, bits);
                self.b.convert(Opcode::Bitcast, bits, n, ty)
            }
            5 | 6 if self.writes() => self.through_memory(ty, bits, x),
            7 if self.this.purity == Purity::Any => self.through_call(ty, x),
            _ => self.through_phi(ty, bits, x),
        }
    }
    fn through_memory(&mut self, ty: Type, bits: Type, x: Reg) -> Reg {
        let Some(region) = self.region(ty.bytes(), |r| r.may_be_written()) else { return x };
        let mem = self.mem_in(region, ty.bytes());
        if self.rng.chance(30) {
            // As an integer on one side.
            let n = self.b.convert(Opcode::Bitcast, ty, x, bits);
            self.b.store(bits, mem, n);
            return self.b.load(ty, mem);
        }
        self.b.store(ty, mem, x);
        if self.rng.chance(30) {
            let n = self.b.load(bits, mem);
            return self.b.convert(Opcode::Bitcast, bits, n, ty);
        }
        self.b.load(ty, mem)
    }
    fn through_phi(&mut self, ty: Type, bits: Type, x: Reg) -> Reg {
        let y = self.exact_float(ty, bits);
        let [then, join] = ["moved", "met"].map(|label| self.b.fresh_block(label));
        let before = self.current();
        let mark = self.mark();
        self.branch(then, join);
        self.b.switch_to(then);
        let z = if self.rng.chance(50) { y } else { self.b.unary(Opcode::Fneg, ty, y) };
        self.b.jmp(join);
        self.release(&mark);
        self.b.switch_to(join);
        self.b.phi(ty, &[(before, x.into()), (then, z.into())])
    }
    /// By a call of a function that returns its argument.
    fn through_call(&mut self, ty: Type, x: Reg) -> Reg {
        let same = self.around.identities[usize::from(ty == Type::F64)];
        let Some(same) = same else { return x };
        let r = self.b.call(self.around.decls, same, &[CallArg::Reg(x, Ext::None)], None);
        r.expect("the function has a result")
    }
}
