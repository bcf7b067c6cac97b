//! Vectors as wholes: reductions, masks of signs, and vectors of addresses.

use super::function::{Translated, Translator};
use crate::llvm::ast::{self, Op, Operand as Value};
use crate::llvm::translate::fold;
use crate::llvm::translate::scalar::Scalar;
use lir_syntax::ir::{Mem, Opcode, Operand, Type};

impl Translator<'_> {
    /// Translates `llvm.vector.reduce.add` and the like, by the last word of the name. The elements are combined in
    /// order.
    pub(super) fn reduce(&mut self, result: ast::Local, word: &str, operands: &[Value]) -> Translated<()> {
        let Some(vector) = operands.last() else { return self.refuse("an argument is missing") };
        let scalar = self.scalar_of(self.element(vector.ty))?;
        let mut elements = self.values(vector)?;
        // A sum or product of floats begins with the first argument.
        if let [start, _] = operands {
            elements.insert(0, self.value(start)?);
        }
        let mut elements = elements.into_iter();
        let Some(mut whole) = elements.next() else { return self.refuse("the vector has no elements") };
        for element in elements {
            whole = self.combined(word, scalar, whole, element)?;
        }
        self.set_named(result, scalar.ty, &[whole]);
        Ok(())
    }

    fn combined(&mut self, word: &str, scalar: Scalar, a: Operand, b: Operand) -> Translated<Operand> {
        let operation = match word {
            "add" => Op::Add,
            "mul" => Op::Mul,
            "and" => Op::And,
            "or" => Op::Or,
            "xor" => Op::Xor,
            "fadd" => Op::Fadd,
            "fmul" => Op::Fmul,
            _ => {
                let opcode = match word {
                    "smax" => Opcode::Smax,
                    "smin" => Opcode::Smin,
                    "umax" => Opcode::Umax,
                    "umin" => Opcode::Umin,
                    "fmaximum" => Opcode::Fmax,
                    "fminimum" => Opcode::Fmin,
                    _ => return self.refuse(format!("the intrinsic `llvm.vector.reduce.{word}` is not supported")),
                };
                return Ok(self.two_operands(opcode, word, scalar, a, b));
            }
        };
        self.operation(operation, scalar, a, b).map(Operand::reg)
    }

    /// Translates `llvm.x86.sse2.pmovmskb.128`: the sign bits of the bytes, the first byte's in bit 0.
    pub(super) fn signs_of_bytes(&mut self, result: ast::Local, vector: &Value) -> Translated<()> {
        let bytes = self.values(vector)?;
        let mut mask: Option<Operand> = None;
        for (k, byte) in bytes.into_iter().enumerate() {
            let sign = self.binary_const(Opcode::Lshr, Type::I8, byte, 7);
            let wide = self.convert(Opcode::Zext, Type::I8, sign, Type::I32);
            mask = Some(match mask {
                None => wide,
                Some(others) => {
                    let placed = self.binary_const(Opcode::Shl, Type::I32, wide, k as u64);
                    self.binary(Opcode::Or, Type::I32, placed, others).into()
                }
            });
        }
        let Some(mask) = mask else { return self.refuse("the vector has no elements") };
        self.set_named(result, Type::I32, &[mask]);
        Ok(())
    }

    /// Translates a `getelementptr` whose base or indices are vectors. The address of each element is computed
    /// separately.
    pub(super) fn vector_of_addresses(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a getelementptr has a result");
        let (mut columns, mut count) = (Vec::with_capacity(operands.len()), 0);
        for operand in operands {
            let values = self.values(operand)?;
            if values.is_empty() {
                return self.refuse("the vector has no elements");
            }
            count = count.max(values.len());
            columns.push((self.scalar_of(self.element(operand.ty))?, values));
        }
        let mut addresses = Vec::with_capacity(count);
        for k in 0..count {
            let row: Vec<(Scalar, Operand)> =
                columns.iter().map(|(scalar, values)| (*scalar, values[k.min(values.len() - 1)])).collect();
            addresses.push(self.element_address(inst, &row)?);
        }
        self.set(result, &addresses);
        Ok(())
    }

    fn element_address(&mut self, inst: &ast::Inst, row: &[(Scalar, Operand)]) -> Translated<Operand> {
        let (base, indices) = row.split_first().expect("a getelementptr has a base");
        let base = self.in_register(base.0.ty, base.1);
        let (mut mem, mut ty) = (Mem::reg(base), inst.ty);
        for (n, (scalar, index)) in indices.iter().enumerate() {
            match self.func.constant(*index) {
                Some(bits) if !index.is_reg() => {
                    let (next, bytes) =
                        self.refusing(fold::step(self.program, ty, n == 0, scalar.sign_extend(bits as u64)))?;
                    mem = self.displaced(mem, bytes);
                    ty = next;
                }
                _ => {
                    let (element, stride) = self.indexed_type(ty, n == 0)?;
                    mem = self.add_index(mem, *scalar, *index, stride);
                    ty = element;
                }
            }
        }
        Ok(self.lea(mem).into())
    }
}
