//! Conversions between floats and integers of up to 128 bits, by calls of the C runtime.

use super::{LIMB, LIMB_BITS};
use crate::llvm::ast::{self, Op, Operand as Value};
use crate::llvm::translate::body::function::{Translated, Translator};
use crate::llvm::translate::runtime::conversion;
use crate::llvm::types::Ty;
use lir_syntax::ir::{Comparison, FloatCC, InstData, Operand, Reg, Type};

const MOST_BITS: u32 = 128;

impl Translator<'_> {
    pub(super) fn wide_to_float(&mut self, op: Op, bits: u32, limbs: Vec<Operand>, to: Ty) -> Translated<Operand> {
        let ty = self.scalar_of(to)?.ty;
        let name = self.conversion_function(op, bits, ty)?;
        let limbs = if op == Op::Sitofp { self.with_sign(limbs, bits) } else { limbs };
        let args: Vec<Reg> = limbs.into_iter().map(|limb| self.in_register(LIMB, limb)).collect();
        self.library_call(name, &args, Some(ty)).map(|reg| reg.map_or(Operand::NONE, Operand::reg))
    }

    pub(super) fn float_to_wide(&mut self, op: Op, from: &Value, bits: u32) -> Translated<Vec<Operand>> {
        let ty = self.scalar_of(from.ty)?.ty;
        let name = self.conversion_function(op, bits, ty)?;
        let value = self.register(from)?;
        self.pair_call(name, &[value])
    }

    fn conversion_function(&self, op: Op, bits: u32, ty: Type) -> Translated<&'static str> {
        match conversion(op, ty).filter(|_| bits <= MOST_BITS) {
            Some(name) => Ok(name),
            None => self.refuse("conversions between floats and integers of more than 128 bits are not supported"),
        }
    }

    /// Translates `llvm.fptosi.sat` and `llvm.fptoui.sat`: the nearest bound if the value is out of range, 0 for a NaN.
    /// Returns false for another intrinsic.
    pub(in crate::llvm::translate::body) fn wide_saturation(
        &mut self,
        result: ast::Local,
        stem: &str,
        bits: u32,
        operands: &[Value],
    ) -> Translated<bool> {
        let ("fptosi.sat" | "fptoui.sat", [from]) = (stem, operands) else { return Ok(false) };
        if bits != MOST_BITS {
            return self.refuse("saturating conversions to more than 64 bits are supported only for 128 bits");
        }
        let signed = stem == "fptosi.sat";
        let limbs = self.float_to_wide(if signed { Op::Fptosi } else { Op::Fptoui }, from, bits)?;
        let ty = self.scalar_of(from.ty)?.ty;
        let value = self.register(from)?;
        // The bounds are powers of two, which floats represent exactly; no finite f32 reaches 2^128.
        let least = if signed { -(2f64.powi(127)) } else { 0.0 };
        let above = if signed { 2f64.powi(127) } else { 2f64.powi(128) };
        let bits_of = |x: f64| if ty == Type::F32 { (x as f32).to_bits() as u64 } else { x.to_bits() };
        let sign = 1u64 << (LIMB_BITS - 1);
        let (lowest, highest) = match signed {
            true => ([0, sign], [u64::MAX, !sign]),
            false => ([0, 0], [u64::MAX; 2]),
        };
        let cases = [
            (FloatCC::Olt, bits_of(least), lowest),
            (FloatCC::Oge, bits_of(above), highest),
            (FloatCC::Uno, bits_of(0.0), [0, 0]),
        ];
        let mut values = limbs;
        for (predicate, bound, limbs) in cases {
            let bound = self.constant(ty, bound);
            let bound = self.in_register(ty, bound);
            let comparison = Comparison { ty, predicate: predicate.into(), a: value.into(), b: bound.into() };
            let holds = self.define(Type::I8, InstData::compare(comparison));
            for (value, limb) in values.iter_mut().zip(limbs) {
                let limb = self.constant(LIMB, limb);
                let (limb, kept) = (self.in_register(LIMB, limb), self.in_register(LIMB, *value));
                *value = self.choice(LIMB, holds, limb, kept).into();
            }
        }
        self.set(result, &values);
        Ok(true)
    }
}
