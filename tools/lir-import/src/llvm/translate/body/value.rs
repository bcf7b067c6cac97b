//! Operands: values of LLVM as lists of scalars, which are registers and constants.

use super::function::{State, Stop, Translated, Translator};
use crate::llvm::ast::{Constant, List, Local, Op, Operand as Value, Value as Written};
use crate::llvm::translate::fold::{self, Folded};
use crate::llvm::translate::scalar::{self, Scalar};
use crate::llvm::types::{Kind, Ty};
use lir_syntax::ir::{Mem, Opcode, Operand, PackedOption, Reg, Type};

impl Translator<'_> {
    // ---- Results ----

    /// Sets the value of a local.
    pub(super) fn set(&mut self, local: Local, values: &[Operand]) {
        let start = self.scalars.len() as u32;
        self.scalars.extend_from_slice(values);
        self.states[local] = State::Scalars(start, values.len() as u32);
    }
    /// Sets the value of a local that is a scalar.
    pub(super) fn set_scalar(&mut self, local: Local, value: impl Into<Operand>) {
        self.set(local, &[value.into()]);
    }
    /// Makes a local an address. If it is also used as a value, a register holds it from here on.
    pub(super) fn set_address(&mut self, local: Local, mem: Mem) {
        let mut register = None;
        if self.uses[local].values > 0 {
            let lea = self.func.lea(mem);
            let reg = self.named_reg(local, Type::I64);
            self.emit(lea.with_result(reg));
            register = Some(reg);
        }
        // Reading a computed address is cheaper than computing it again, except for the address of a stack object or a
        // symbol.
        let is_register = mem.regs().next().is_some();
        let mem = register.filter(|_| is_register).map_or(mem, Mem::reg);
        self.states[local] = State::Address(mem, PackedOption::from(register));
    }

    // ---- Operands ----

    /// True if values of a type are one scalar.
    pub(super) fn is_scalar(&self, ty: Ty) -> bool {
        scalar::of(&self.program.types, ty).is_ok()
    }
    /// Returns the scalar of a type that is a single scalar.
    pub(super) fn scalar_of(&self, ty: Ty) -> Translated<Scalar> {
        self.refusing(scalar::of(&self.program.types, ty))
    }

    /// Returns the type of the elements of a vector; another type itself.
    pub(super) fn element(&self, ty: Ty) -> Ty {
        match self.program.types.kind(ty) {
            Kind::Vector { elem, .. } => *elem,
            _ => ty,
        }
    }

    /// Returns a scalar value: a register or a constant.
    pub(super) fn value(&mut self, value: &Value) -> Translated<Operand> {
        let scalar = self.scalar_of(value.ty)?;
        let operand = match value.value {
            Written::Local(local) => match self.state(local)? {
                State::Scalars(start, 1) => self.scalars[start as usize],
                State::Scalars(..) => return self.refuse("expected a scalar"),
                state => self.address_value(state)?,
            },
            Written::Int(n) => self.constant(scalar.ty, scalar.truncate(n as i128 as u128)),
            Written::Zero | Written::Undef | Written::Poison => self.constant(scalar.ty, 0),
            other => self.constant_value(scalar, value.ty, other)?,
        };
        self.check_type(operand, scalar)?;
        Ok(operand)
    }

    /// Returns a scalar value in a register.
    pub(super) fn register(&mut self, value: &Value) -> Translated<Reg> {
        let ty = self.scalar_of(value.ty)?.ty;
        let operand = self.value(value)?;
        Ok(self.in_register(ty, operand))
    }

    /// Returns all scalars of a value.
    pub(super) fn values(&mut self, value: &Value) -> Translated<Vec<Operand>> {
        if self.is_scalar(value.ty) {
            return Ok(vec![self.value(value)?]);
        }
        let scalars = self.refusing(scalar::all(&self.program.types, value.ty))?;
        let values = match value.value {
            Written::Local(local) => match self.state(local)? {
                State::Scalars(start, len) => self.scalars[start as usize..(start + len) as usize].to_vec(),
                _ => return self.refuse("expected an aggregate"),
            },
            other => self.constant_values(value.ty, other)?,
        };
        if values.len() != scalars.len() {
            return self.refuse("the value is of another type");
        }
        for (operand, (scalar, _)) in values.iter().zip(scalars) {
            self.check_type(*operand, scalar)?;
        }
        Ok(values)
    }

    /// Returns the state of a local that has been translated.
    pub(super) fn state(&mut self, local: Local) -> Translated<State> {
        match self.states[local] {
            State::Unknown => self.refuse("an operand is used before its definition"),
            State::Refused => Err(Stop::Reported),
            State::Comparison(_) => self.refuse("a comparison is used outside of its block"),
            state => Ok(state),
        }
    }

    fn address_value(&mut self, state: State) -> Translated<Operand> {
        match state {
            State::Address(mem, reg) => Ok(match reg.expand() {
                Some(reg) => reg.into(),
                None => self.lea(mem).into(),
            }),
            _ => self.refuse("expected a scalar"),
        }
    }

    /// Checks that a use has the type of the definition.
    pub(super) fn check_type(&self, operand: Operand, scalar: Scalar) -> Translated<()> {
        match operand.as_reg() {
            Some(reg) if self.func.type_of(reg) != scalar.ty => self.refuse("the value is of another type"),
            _ => Ok(()),
        }
    }

    // ---- Constants ----

    fn constant_value(&mut self, scalar: Scalar, ty: Ty, value: Written) -> Translated<Operand> {
        let folded = match fold::fold(self.program, self.symbols, ty, value) {
            Ok(folded) => folded,
            // A value that data cannot express is computed at run time.
            Err(reason) => match value {
                Written::Const(c) if let Constant::Expr { op, operands, .. } = self.program.constants[c] => {
                    return self.computed(scalar, op, operands, reason);
                }
                _ => return self.refuse(reason),
            },
        };
        match folded {
            Folded::Bits(n) => Ok(self.constant(scalar.ty, scalar.truncate(n))),
            Folded::Address(sym, offset) if scalar.ty == Type::F64 => {
                let address = self.symbol_address(sym, offset);
                Ok(self.convert(Opcode::Bitcast, Type::I64, address, Type::F64))
            }
            Folded::Address(..) if scalar != Scalar::PTR => self.refuse("an address is wider than the type here"),
            Folded::Address(sym, offset) => Ok(self.symbol_address(sym, offset).into()),
        }
    }

    /// Returns the value of an expression on addresses that is only known at run time, such as a difference. The limit
    /// on the nesting of constants bounds the recursion.
    fn computed(&mut self, scalar: Scalar, op: Op, operands: List, reason: String) -> Translated<Operand> {
        let operands = &self.program.operands[operands.range()];
        match (op, operands) {
            (Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Lshr | Op::Ashr, [a, b]) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.operation(op, scalar, a, b).map(Operand::reg)
            }
            (Op::Trunc | Op::Zext | Op::Sext | Op::PtrToInt | Op::PtrToAddr | Op::IntToPtr, [a]) => {
                let from = self.scalar_of(a.ty)?;
                let value = self.value(a)?;
                self.cast_scalar(op, from, value, scalar)
            }
            _ => self.refuse(reason),
        }
    }

    /// Returns the address of a symbol plus an offset, in a register.
    fn symbol_address(&mut self, sym: lir_syntax::ir::Sym, offset: i64) -> Reg {
        match i32::try_from(offset) {
            Ok(disp) => self.lea(Mem::sym(sym, disp)),
            Err(_) => {
                let base = self.lea(Mem::sym(sym, 0));
                self.binary_const(Opcode::Add, Type::I64, base, offset as u64)
            }
        }
    }

    /// Returns the low limbs of a constant integer, and whether it is negative.
    fn known_limbs(&self, ty: Ty, value: Written) -> Translated<(Vec<u64>, bool)> {
        let is_negative = match value {
            Written::Int(n) => n < 0,
            Written::Const(c) => match &self.program.constants[c] {
                Constant::HugeInt(limbs, is_negative) => return Ok((limbs.to_vec(), *is_negative)),
                Constant::Int(_, is_negative) => *is_negative,
                _ => false,
            },
            _ => false,
        };
        match self.refusing(fold::fold(self.program, self.symbols, ty, value))? {
            Folded::Bits(n) => Ok((vec![n as u64, (n >> 64) as u64], is_negative)),
            Folded::Address(..) => self.refuse("an address is narrower than the type here"),
        }
    }

    /// Returns the limbs of a constant integer.
    fn wide_constant(&mut self, ty: Ty, bits: u32, value: Written) -> Translated<Vec<Operand>> {
        let (known, is_negative) = self.known_limbs(ty, value)?;
        let above = if is_negative { u64::MAX } else { 0 };
        let mut limbs = Vec::new();
        for (at, k) in (0..bits).step_by(64).zip(0..) {
            let limb = known.get(k).copied().unwrap_or(above);
            let scalar = Scalar::int_in(Type::I64, (bits - at).min(64));
            limbs.push(self.constant(Type::I64, limb & scalar.mask()));
        }
        Ok(limbs)
    }

    /// Returns the scalars of a constant of an aggregate type. The limit on the nesting of constants bounds the
    /// recursion.
    fn constant_values(&mut self, ty: Ty, value: Written) -> Translated<Vec<Operand>> {
        if self.is_scalar(ty) {
            return Ok(vec![self.value(&Value { ty, value })?]);
        }
        if let Some(bits) = self.wide_bits(ty) {
            return self.wide_constant(ty, bits, value);
        }
        let mut values = Vec::new();
        match value {
            Written::Zero | Written::Undef | Written::Poison => {
                for (scalar, _) in self.refusing(scalar::all(&self.program.types, ty))? {
                    values.push(self.constant(scalar.ty, 0));
                }
            }
            Written::Const(constant) => match &self.program.constants[constant] {
                Constant::List(list) => {
                    for element in &self.program.operands[list.range()] {
                        values.extend(self.constant_values(element.ty, element.value)?);
                    }
                }
                Constant::Splat(element) => {
                    let one = self.constant_values(element.ty, element.value)?;
                    let count = self.refusing(scalar::all(&self.program.types, ty))?.len();
                    values.extend(one.iter().cycle().take(if one.is_empty() { 0 } else { count }));
                }
                Constant::Bytes(bytes) => {
                    for byte in bytes {
                        values.push(self.func.make_typed_const(Type::I8, *byte as u64));
                    }
                }
                _ => return self.refuse("the constant is not supported here"),
            },
            _ => return self.refuse("the value is of another type"),
        }
        Ok(values)
    }
}
