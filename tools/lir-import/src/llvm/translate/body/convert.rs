//! Conversions.

use super::function::{State, Translated, Translator};
use super::widening::MAX_DEPTH;
use crate::llvm::ast::{self, Op, Operand as Value};
use crate::llvm::translate::scalar::{self, Scalar};
use crate::llvm::types::{Kind, Ty};
use lir_syntax::ir::{Mem, Opcode, Operand, Type};

impl Translator<'_> {
    /// Translates a conversion of scalars or, element by element, of vectors.
    pub(super) fn cast(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a conversion has a result");
        let source = &operands[0];
        if inst.op == Op::Bitcast {
            return self.bitcast(result, source, inst.ty);
        }
        let (from, to) = (self.scalar_of(self.element(source.ty))?, self.scalar_of(self.element(inst.ty))?);
        let values = self.values(source)?;
        let mut converted = Vec::with_capacity(values.len());
        for value in values {
            converted.push(self.cast_scalar(inst.op, from, value, to)?);
        }
        self.set_named(result, to.ty, &converted);
        Ok(())
    }

    pub(super) fn cast_scalar(&mut self, op: Op, from: Scalar, value: Operand, to: Scalar) -> Translated<Operand> {
        let is_float = (from.ty.is_float(), to.ty.is_float());
        Ok(match (op, is_float) {
            (Op::Trunc | Op::Zext | Op::PtrToInt | Op::PtrToAddr | Op::IntToPtr, (false, false)) => {
                self.resized(value, from, to)
            }
            (Op::Sext, (false, false)) => {
                let wide = self.sign_extended(value, from);
                let wide = self.convert(Opcode::Sext, from.ty, wide, to.ty);
                if to.is_narrow() {
                    let wide = self.in_register(to.ty, wide);
                    return Ok(self.masked(wide, to).into());
                }
                wide
            }
            (Op::Fpext, (true, true)) => self.convert(Opcode::Fpext, from.ty, value, to.ty),
            (Op::Fptrunc, (true, true)) => self.convert(Opcode::Fptrunc, from.ty, value, to.ty),
            (Op::Fptosi | Op::Fptoui, (true, false)) => {
                let opcode = if op == Op::Fptosi { Opcode::Fptosi } else { Opcode::Fptoui };
                let whole = self.convert(opcode, from.ty, value, to.ty);
                let whole = self.in_register(to.ty, whole);
                self.masked(whole, to).into()
            }
            (Op::Sitofp, (false, true)) => {
                let whole = self.sign_extended(value, from);
                self.convert(Opcode::Sitofp, from.ty, whole, to.ty)
            }
            (Op::Uitofp, (false, true)) => self.convert(Opcode::Uitofp, from.ty, value, to.ty),
            (Op::AddrSpaceCast, _) => return self.refuse("address spaces are not supported"),
            _ => return self.refuse("the conversion is not defined for these types"),
        })
    }

    /// Returns an integer zero-extended or truncated to another width.
    pub(super) fn resized(&mut self, value: Operand, from: Scalar, to: Scalar) -> Operand {
        if to.ty.bits() > from.ty.bits() {
            return self.convert(Opcode::Zext, from.ty, value, to.ty);
        }
        let low = self.convert(Opcode::Trunc, from.ty, value, to.ty);
        if to.bits >= from.bits {
            return low;
        }
        let low = self.in_register(to.ty, low);
        self.masked(low, to).into()
    }

    /// Translates a `bitcast`.
    fn bitcast(&mut self, result: ast::Local, source: &Value, to: Ty) -> Translated<()> {
        if let ast::Value::Local(local) = source.value
            && let state @ State::Address(..) = self.state(local)?
            && *self.program.types.kind(to) == Kind::Ptr(0)
        {
            self.states[result] = state;
            return Ok(());
        }
        let values = self.values(source)?;
        if source.ty == to {
            self.set(result, &values);
            return Ok(());
        }
        let (from, into) = (scalar::all(&self.program.types, source.ty), scalar::all(&self.program.types, to));
        let (from, into) = (self.refusing(from)?, self.refusing(into)?);
        if let ([(from, _)], [(to, _)]) = (&from[..], &into[..])
            && from.bits == to.bits
        {
            let value = match from.ty == to.ty {
                true => values[0],
                false => self.convert(Opcode::Bitcast, from.ty, values[0], to.ty),
            };
            self.set_named(result, to.ty, &[value]);
            return Ok(());
        }
        let bytes = self.program.types.layout(source.ty).stored;
        if bytes != self.program.types.layout(to).stored {
            return self.refuse("the types have different sizes");
        }
        let object = self.new_object(None, bytes, 8);
        self.store_values(Mem::obj(object, 0), source.ty, &values)?;
        let values = self.load_values(Mem::obj(object, 0), to, false)?;
        match values[..] {
            [value] => self.set_named(result, into[0].0.ty, &[value]),
            _ => self.set(result, &values),
        }
        Ok(())
    }

    /// Returns the scalars of a 64-bit vector that is in the low half of an xmm register.
    pub(super) fn unpack_half(&mut self, half: lir_syntax::ir::Reg, scalars: &[(Scalar, u64)]) -> Vec<Operand> {
        let whole = self.convert(Opcode::Bitcast, Type::F64, half, Type::I64);
        let mut values = Vec::with_capacity(scalars.len());
        for &(scalar, offset) in scalars {
            let whole = self.in_register(Type::I64, whole);
            let shifted = match offset {
                0 => whole,
                _ => self.binary_const(Opcode::Lshr, Type::I64, whole, 8 * offset),
            };
            let int = scalar.ty.bits_type();
            let low = self.convert(Opcode::Trunc, Type::I64, shifted, int);
            values.push(self.convert(Opcode::Bitcast, int, low, scalar.ty));
        }
        values
    }

    /// Returns the 64-bit vector of these scalars: the inverse of [`Translator::unpack_half`].
    pub(super) fn pack_half(&mut self, values: &[Operand], scalars: &[(Scalar, u64)]) -> Operand {
        let mut whole: Option<Operand> = None;
        for (value, &(scalar, offset)) in values.iter().zip(scalars) {
            let int = scalar.ty.bits_type();
            let bits = self.convert(Opcode::Bitcast, scalar.ty, *value, int);
            let wide = self.convert(Opcode::Zext, int, bits, Type::I64);
            whole = Some(match whole {
                None => wide,
                Some(low) => {
                    let placed = self.binary_const(Opcode::Shl, Type::I64, wide, 8 * offset);
                    self.binary(Opcode::Or, Type::I64, placed, low).into()
                }
            });
        }
        let whole = whole.unwrap_or(Operand::NONE);
        self.convert(Opcode::Bitcast, Type::I64, whole, Type::F64)
    }

    // ---- Indices ----

    /// Translates the sign extension of a sum by a sum in 64 bits.
    pub(super) fn widened(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a conversion has a result");
        let value = self.wide_sum(&operands[0], 0)?;
        self.set_named(result, Type::I64, &[value]);
        Ok(())
    }

    /// Returns the sign extension of a value to 64 bits. The limited depth bounds the recursion.
    fn wide_sum(&mut self, value: &Value, depth: u32) -> Translated<Operand> {
        let scalar = self.scalar_of(value.ty)?;
        if let ast::Value::Local(local) = value.value
            && let Some(n) = self.widening.sum(local)
            && (depth < MAX_DEPTH && self.is_cheap(local, n) || self.widening.hides(local))
        {
            let inst = &self.body.insts[n as usize];
            let operands = &self.program.operands[inst.operands.range()];
            let opcode = match inst.op {
                Op::Add => Opcode::Add,
                Op::Sub => Opcode::Sub,
                Op::Mul => Opcode::Mul,
                _ => Opcode::Shl,
            };
            let (mut a, mut b) = (self.wide_sum(&operands[0], depth + 1)?, self.wide_sum(&operands[1], depth + 1)?);
            if matches!(opcode, Opcode::Add | Opcode::Mul) && !a.is_reg() {
                std::mem::swap(&mut a, &mut b);
            }
            return Ok(self.binary(opcode, Type::I64, a, b).into());
        }
        let operand = self.value(value)?;
        match self.func.constant(operand) {
            Some(bits) if !operand.is_reg() => Ok(self.constant(Type::I64, scalar.sign_extend(bits as u64) as u64)),
            _ => Ok(self.convert(Opcode::Sext, scalar.ty, operand, Type::I64)),
        }
    }

    /// True if a sum is worth computing twice: in 32 bits for its other uses, and in 64 bits.
    fn is_cheap(&self, local: ast::Local, n: u32) -> bool {
        self.widening.hides(local) || self.body.insts[n as usize].op != Op::Mul
    }
}
