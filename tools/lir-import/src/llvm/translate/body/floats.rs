//! Intrinsics on floats that need several operations: classes, minimum and maximum, and powers of an integer exponent.

use super::function::{Translated, Translator};
use crate::llvm::ast::{self, Operand as Value};
use crate::llvm::translate::scalar::Scalar;
use lir_syntax::ir::{Comparison, FloatCC, InstData, IntCC, Opcode, Operand, Reg, Type};

/// The bits in a mask of `llvm.is.fpclass` for each kind of number: for negative and for positive ones.
const INFINITE: [u64; 2] = [1 << 2, 1 << 9];
const NORMAL: [u64; 2] = [1 << 3, 1 << 8];
const SUBNORMAL: [u64; 2] = [1 << 4, 1 << 7];
const ZERO: [u64; 2] = [1 << 5, 1 << 6];
const SIGNALING: u64 = 1;
const QUIET: u64 = 1 << 1;

/// The bit patterns that separate the classes of a type, without the sign.
struct Patterns {
    infinity: u64,
    least_normal: u64,
    least_quiet: u64,
}

impl Patterns {
    fn of(ty: Type) -> Patterns {
        match ty {
            Type::F32 => Patterns { infinity: 0x7f80_0000, least_normal: 0x0080_0000, least_quiet: 0x7fc0_0000 },
            _ => Patterns { infinity: 0x7ff << 52, least_normal: 1 << 52, least_quiet: 0xfff << 51 },
        }
    }
}

/// Returns an `fcmp` instruction.
fn compared(ty: Type, predicate: FloatCC, a: Reg, b: Reg) -> InstData {
    InstData::compare(Comparison { ty, predicate: predicate.into(), a: a.into(), b: b.into() })
}

impl Translator<'_> {
    /// Translates `llvm.is.fpclass` into comparisons of the bits. The bit patterns of magnitudes ascend with the
    /// numbers, then come infinity and the NaNs.
    pub(super) fn is_class(&mut self, scalar: Scalar, value: Operand, mask: &Value) -> Translated<Operand> {
        let mask_scalar = self.scalar_of(mask.ty)?;
        let mask = self.value(mask)?;
        let Some(mask) = self.func.constant(mask).filter(|_| !mask.is_reg()) else {
            return self.refuse("the mask of classes is not a constant");
        };
        let mask = mask as u64 & mask_scalar.mask();
        let patterns = Patterns::of(scalar.ty);
        let int = scalar.ty.bits_type();
        let bits = self.convert(Opcode::Bitcast, scalar.ty, value, int);
        let bits = self.in_register(int, bits);
        let sign = 1u64 << (int.bits() - 1);
        let magnitude = self.binary_const(Opcode::And, int, bits, sign - 1);
        let Patterns { infinity, least_normal, least_quiet } = patterns;
        let kinds = [
            (ZERO, 0, 1),
            (SUBNORMAL, 1, least_normal),
            (NORMAL, least_normal, infinity),
            (INFINITE, infinity, infinity + 1),
            ([SIGNALING; 2], infinity + 1, least_quiet),
            ([QUIET; 2], least_quiet, sign),
        ];
        let mut found: Option<Reg> = None;
        for ([negative, positive], from, to) in kinds {
            let test = match (mask & negative != 0, mask & positive != 0) {
                (false, false) => continue,
                (true, true) => self.lies_in(int, magnitude, from, to),
                (false, true) => self.lies_in(int, bits, from, to),
                (true, false) => self.lies_in(int, bits, sign | from, sign.wrapping_add(to)),
            };
            found = Some(match found {
                None => test,
                Some(others) => self.binary(Opcode::Or, Type::I8, others, test),
            });
        }
        Ok(match found {
            Some(test) => test.into(),
            None => self.constant(Type::I8, 0),
        })
    }

    /// True if `from <= value < to`, without signs.
    fn lies_in(&mut self, ty: Type, value: Reg, from: u64, to: u64) -> Reg {
        let offset = self.binary_const(Opcode::Sub, ty, value, from);
        let length = self.constant(ty, to.wrapping_sub(from));
        let predicate = IntCC::Ult.into();
        self.define(Type::I8, InstData::compare(Comparison { ty, predicate, a: offset.into(), b: length }))
    }

    /// Returns the result of `llvm.scmp` or `llvm.ucmp`: 1, 0 or -1.
    pub(super) fn three_way(&mut self, signed: bool, from: Scalar, [a, b]: [Operand; 2], to: Scalar) -> Operand {
        let extend =
            |t: &mut Self, value| if signed { t.sign_extended(value, from) } else { t.in_register(from.ty, value) };
        let (a, b) = (extend(self, a), extend(self, b));
        let (above, below) = if signed { (IntCC::Sgt, IntCC::Slt) } else { (IntCC::Ugt, IntCC::Ult) };
        let [above, below] = [above, below].map(|predicate| {
            let comparison = Comparison { ty: from.ty, predicate: predicate.into(), a: a.into(), b: b.into() };
            self.define(Type::I8, InstData::compare(comparison))
        });
        self.order(above, below, to)
    }

    /// Returns 1 if the first test holds, -1 if the second one does, else 0.
    pub(super) fn order(&mut self, above: Reg, below: Reg, to: Scalar) -> Operand {
        let order = self.binary(Opcode::Sub, Type::I8, above, below);
        let wide = self.convert(Opcode::Sext, Type::I8, order, to.ty);
        let wide = self.in_register(to.ty, wide);
        self.masked(wide, to).into()
    }

    /// Translates `llvm.powi` and `llvm.ldexp`, functions of a float and an i32.
    pub(super) fn with_exponent(&mut self, inst: &ast::Inst, function: &str, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the intrinsic has a result");
        let [value, exponent] = operands else { return self.refuse("an argument is missing") };
        if exponent.ty != crate::llvm::types::Ty::i32() {
            return self.refuse("the exponent is not an i32");
        }
        let ty = self.scalar_of(value.ty)?.ty;
        let args = [self.register(value)?, self.register(exponent)?];
        if let Some(reg) = self.library_call(function, &args, Some(ty))? {
            self.set_named(result, ty, &[reg.into()]);
        }
        Ok(())
    }

    /// Returns the maximum or minimum; if one operand is a NaN, the other operand.
    pub(super) fn greater_or_less(&mut self, greater: bool, ty: Type, a: Operand, b: Operand) -> Operand {
        let (a, b) = (self.in_register(ty, a), self.in_register(ty, b));
        let predicate = if greater { FloatCC::Ogt } else { FloatCC::Olt };
        let first = self.define(Type::I8, compared(ty, predicate, a, b));
        let chosen = self.choice(ty, first, a, b);
        let second_is_nan = self.define(Type::I8, compared(ty, FloatCC::Uno, b, b));
        self.choice(ty, second_is_nan, a, chosen).into()
    }

    /// Returns the maximum or minimum, with -0 below 0; if one operand is a NaN, the other operand.
    pub(super) fn greater_or_less_number(&mut self, greater: bool, ty: Type, a: Operand, b: Operand) -> Operand {
        let (a, b) = (self.in_register(ty, a), self.in_register(ty, b));
        let chosen = self.binary(if greater { Opcode::Fmax } else { Opcode::Fmin }, ty, a, b);
        let second_is_nan = self.define(Type::I8, compared(ty, FloatCC::Uno, b, b));
        let chosen = self.choice(ty, second_is_nan, a, chosen);
        let first_is_nan = self.define(Type::I8, compared(ty, FloatCC::Uno, a, a));
        self.choice(ty, first_is_nan, b, chosen).into()
    }
}
