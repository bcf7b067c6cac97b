//! Arithmetic and comparisons.

use super::function::{Translated, Translator};
use crate::llvm::ast::{self, Op, Operand as Value};
use crate::llvm::translate::scalar::Scalar;
use crate::llvm::types::Ty;
use lir_syntax::ir::{Comparison, FloatCC, InstData, IntCC, Opcode, Operand, Predicate, Promises, Reg, Type};

/// Returns the opcode of an arithmetic operation.
fn opcode(op: Op) -> Option<Opcode> {
    Some(match op {
        Op::Add => Opcode::Add,
        Op::Sub => Opcode::Sub,
        Op::Mul => Opcode::Mul,
        Op::Udiv => Opcode::Udiv,
        Op::Sdiv => Opcode::Sdiv,
        Op::Urem => Opcode::Urem,
        Op::Srem => Opcode::Srem,
        Op::Shl => Opcode::Shl,
        Op::Lshr => Opcode::Lshr,
        Op::Ashr => Opcode::Ashr,
        Op::And => Opcode::And,
        Op::Or => Opcode::Or,
        Op::Xor => Opcode::Xor,
        Op::Fadd => Opcode::Fadd,
        Op::Fsub => Opcode::Fsub,
        Op::Fmul => Opcode::Fmul,
        Op::Fdiv => Opcode::Fdiv,
        Op::Fneg => Opcode::Fneg,
        _ => return None,
    })
}

/// The predicates of `icmp`, in the order of the parser.
pub(super) const INT_PREDICATES: [IntCC; 10] = [
    IntCC::Eq,
    IntCC::Ne,
    IntCC::Ugt,
    IntCC::Uge,
    IntCC::Ult,
    IntCC::Ule,
    IntCC::Sgt,
    IntCC::Sge,
    IntCC::Slt,
    IntCC::Sle,
];

/// The predicates of `fcmp` between `false` and `true`, in the order of the parser.
const FLOAT_PREDICATES: [FloatCC; 14] = [
    FloatCC::Oeq,
    FloatCC::Ogt,
    FloatCC::Oge,
    FloatCC::Olt,
    FloatCC::Ole,
    FloatCC::One,
    FloatCC::Ord,
    FloatCC::Ueq,
    FloatCC::Ugt,
    FloatCC::Uge,
    FloatCC::Ult,
    FloatCC::Ule,
    FloatCC::Une,
    FloatCC::Uno,
];

impl Translator<'_> {
    /// Clears the bits of a register above the width of the scalar.
    pub(super) fn masked(&mut self, reg: Reg, scalar: Scalar) -> Reg {
        if !scalar.is_narrow() {
            return reg;
        }
        self.binary_const(Opcode::And, scalar.ty, reg, scalar.mask())
    }

    /// Returns the value of a narrow scalar with copies of its sign in the upper bits of the register.
    pub(super) fn sign_extended(&mut self, value: impl Into<Operand>, scalar: Scalar) -> Reg {
        let value = self.in_register(scalar.ty, value.into());
        if !scalar.is_narrow() {
            return value;
        }
        if scalar.bits == 1 {
            return self.unary(Opcode::Neg, scalar.ty, value);
        }
        let unused = (scalar.ty.bits() - scalar.bits) as u64;
        let high = self.binary_const(Opcode::Shl, scalar.ty, value, unused);
        self.binary_const(Opcode::Ashr, scalar.ty, high, unused)
    }

    /// Translates an arithmetic operation on scalars or, element by element, on vectors.
    pub(super) fn arithmetic(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("arithmetic has a result");
        let scalar = self.scalar_of(self.element(inst.ty))?;
        if matches!(inst.op, Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem | Op::Fneg) != scalar.ty.is_float() {
            return self.refuse("the operation is not defined for this type");
        }
        let a = self.values(&operands[0])?;
        let b = match operands.get(1) {
            Some(b) => self.values(b)?,
            None => vec![Operand::NONE; a.len()],
        };
        let mut values = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            values.push(match inst.op {
                Op::Frem => self.float_remainder(scalar.ty, a, b)?,
                Op::Fneg => self.unary(Opcode::Fneg, scalar.ty, a).into(),
                _ => {
                    let result = self.operation(inst.op, scalar, a, b)?;
                    if self.symbols.options.unspeculated && !scalar.is_narrow() {
                        self.promise(result, inst.promises);
                    }
                    result.into()
                }
            });
        }
        self.set_named(result, scalar.ty, &values);
        Ok(())
    }

    /// Gives the instruction that was just made for a register the promises of LLVM's flags. LLVM's promises are
    /// weaker: a broken one makes the result poison, which is harmless if the result is not used. So this is correct
    /// only for a text in which an instruction is executed where the source executes it, since there its result is
    /// used.
    fn promise(&mut self, result: Reg, promises: Promises) {
        let made = self.func.layout().last_inst(self.block).filter(|i| self.func.def(*i) == Some(result));
        let Some(i) = made else { return };
        let d = *self.func.inst(i);
        let kept = promises.and(Promises::of_opcode(d.op));
        if !kept.is_empty() {
            self.func.replace_inst(i, d.with_promises(kept));
        }
    }

    /// Sets the value of a local. If a register was made for the value, it gets the name of the local.
    pub(super) fn set_named(&mut self, result: ast::Local, ty: Type, values: &[Operand]) {
        if let [value] = values
            && let Some(reg) = value.as_reg()
            && self.func.regs[reg].name == lir_syntax::ir::NameRef::NONE
        {
            debug_assert_eq!(self.func.type_of(reg), ty);
            self.func.regs[reg].name = self.name_of(result);
        }
        self.set(result, values);
    }

    /// Inserts `op a, b` on integers or floats, and returns its result.
    pub(super) fn operation(&mut self, op: Op, scalar: Scalar, mut a: Operand, mut b: Operand) -> Translated<Reg> {
        let Some(mut opcode) = opcode(op) else { return self.refuse("the operation is not supported") };
        let ty = scalar.ty;
        let commutes = opcode.effects().has(lir_syntax::ir::Effects::COMMUTATIVE);
        if commutes && !a.is_reg() && b.is_reg() {
            std::mem::swap(&mut a, &mut b);
        }
        if !scalar.is_narrow() {
            return Ok(self.binary(opcode, ty, a, b));
        }
        match op {
            Op::Add | Op::Sub if scalar.bits == 1 => opcode = Opcode::Xor,
            Op::Mul if scalar.bits == 1 => opcode = Opcode::And,
            Op::Sdiv | Op::Srem => {
                a = self.sign_extended(a, scalar).into();
                b = self.sign_extended(b, scalar).into();
            }
            Op::Ashr => a = self.sign_extended(a, scalar).into(),
            _ => {}
        }
        let whole = self.binary(opcode, ty, a, b);
        let is_clean =
            matches!(opcode, Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Udiv | Opcode::Urem | Opcode::Lshr);
        Ok(if is_clean { whole } else { self.masked(whole, scalar) })
    }

    /// Translates `frem` into a call of the C library's function.
    fn float_remainder(&mut self, ty: Type, a: Operand, b: Operand) -> Translated<Operand> {
        let name = if ty == Type::F32 { "fmodf" } else { "fmod" };
        let args = [self.in_register(ty, a), self.in_register(ty, b)];
        self.library_call(name, &args, Some(ty)).map(|reg| reg.map_or(Operand::NONE, Operand::reg))
    }

    // ---- Comparisons ----

    /// Returns the comparison of two scalars, whose first operand is a register; or its result, if that is the same for
    /// all values.
    pub(super) fn comparison(
        &mut self,
        inst: &ast::Inst,
        ty: Ty,
        mut a: Operand,
        mut b: Operand,
    ) -> Translated<Result<Comparison, bool>> {
        let scalar = self.scalar_of(ty)?;
        let mut predicate = match (inst.op, scalar.ty.is_float()) {
            (Op::Icmp, false) => Predicate::Int(INT_PREDICATES[inst.detail as usize]),
            (Op::Fcmp, true) => match inst.detail {
                0 => return Ok(Err(false)),
                15 => return Ok(Err(true)),
                n => Predicate::Float(FLOAT_PREDICATES[n as usize - 1]),
            },
            _ => return self.refuse("the comparison is not defined for this type"),
        };
        if !a.is_reg() && b.is_reg() {
            std::mem::swap(&mut a, &mut b);
            predicate = predicate.swapped();
        }
        let is_signed = matches!(predicate, Predicate::Int(IntCC::Sgt | IntCC::Sge | IntCC::Slt | IntCC::Sle));
        if is_signed && scalar.is_narrow() {
            a = self.sign_extended(a, scalar).into();
            b = self.sign_extended(b, scalar).into();
        }
        let a = self.in_register(scalar.ty, a);
        Ok(Ok(Comparison { ty: scalar.ty, predicate, a: a.into(), b }))
    }

    /// Translates `icmp` and `fcmp` on scalars or, element by element, on vectors.
    pub(super) fn compare(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a comparison has a result");
        let ty = self.element(inst.ty);
        let (a, b) = (self.values(&operands[0])?, self.values(&operands[1])?);
        let mut values = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            values.push(match self.comparison(inst, ty, a, b)? {
                Ok(comparison) => self.define(Type::I8, InstData::compare(comparison)).into(),
                Err(known) => self.constant(Type::I8, known as u64),
            });
        }
        self.set_named(result, Type::I8, &values);
        Ok(())
    }

    /// Translates a `select` of scalars, of aggregates by one condition, or of vectors by one condition or a vector of
    /// conditions.
    pub(super) fn select(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a select has a result");
        let conditions = self.values(&operands[0])?;
        let (a, b) = (self.values(&operands[1])?, self.values(&operands[2])?);
        if operands[1].ty != operands[2].ty || conditions.len() != 1 && conditions.len() != a.len() {
            return self.refuse("the values have different types");
        }
        let scalars = self.refusing(crate::llvm::translate::scalar::all(&self.program.types, inst.ty))?;
        let mut values = Vec::with_capacity(a.len());
        for (k, (scalar, _)) in scalars.into_iter().enumerate() {
            let condition = conditions[if conditions.len() == 1 { 0 } else { k }];
            let condition = self.in_register(Type::I8, condition);
            let (a, b) = (self.in_register(scalar.ty, a[k]), self.in_register(scalar.ty, b[k]));
            values.push(self.choice(scalar.ty, condition, a, b).into());
        }
        match values[..] {
            [value] => self.set_named(result, scalar_type(self, value), &[value]),
            _ => self.set(result, &values),
        }
        Ok(())
    }

    /// Inserts `select T condition, a, b`, and returns its result.
    pub(super) fn choice(&mut self, ty: Type, condition: Reg, a: Reg, b: Reg) -> Reg {
        let others = self.func.make_bc(a.into(), b.into());
        self.define(ty, InstData::binary(Opcode::Select, ty, condition, others))
    }
}

fn scalar_type(translator: &Translator<'_>, value: Operand) -> Type {
    value.as_reg().map_or(Type::I64, |reg| translator.func.type_of(reg))
}
