//! Addresses: `getelementptr` as memory operands.
//!
//! An address is kept as `base + index * scale + displacement` as long as it has that form. It is computed into a
//! register where it is used as a value, and where another index is added.

use super::function::{State, Translated, Translator};
use crate::llvm::ast::{self, Operand as Value, Value as Written};
use crate::llvm::translate::fold::{self, Folded};
use crate::llvm::translate::scalar::Scalar;
use crate::llvm::types::{Kind, Ty};
use lir_syntax::ir::{Base, Mem, Opcode, Operand, Type, lies_within};

impl Translator<'_> {
    /// Returns the memory operand for an access of `bytes` bytes through a pointer.
    ///
    /// Code that is never reached may access an object out of bounds at a constant offset. LIR refuses such an access,
    /// so the address is then computed by another instruction.
    pub(super) fn memory(&mut self, pointer: &Value, bytes: u64) -> Translated<Mem> {
        let mem = self.address(pointer)?;
        Ok(self.checked(mem, bytes))
    }

    /// Returns a memory operand for an access of `bytes` bytes that does not leave its object.
    pub(super) fn checked(&mut self, mem: Mem, bytes: u64) -> Mem {
        let size = match mem.base {
            Base::Obj(obj) => Some(self.func.stack[obj].size),
            Base::Sym(sym) => self.symbols.size(sym),
            _ => None,
        };
        if size.is_none_or(|size| mem.index.is_some() || lies_within(mem.disp.into(), bytes, size)) {
            return mem;
        }
        Mem::reg(self.lea(mem))
    }

    /// Returns a pointer as a memory operand.
    pub(super) fn address(&mut self, pointer: &Value) -> Translated<Mem> {
        if *self.program.types.kind(pointer.ty) != Kind::Ptr(0) {
            return self.refuse("an address must be a `ptr`");
        }
        match pointer.value {
            Written::Local(local) => match self.state(local)? {
                State::Address(mem, _) => Ok(mem),
                _ => self.register(pointer).map(Mem::reg),
            },
            Written::Zero | Written::Undef | Written::Poison => Ok(Mem::base_disp(Base::None, 0)),
            constant => match self.refusing(fold::fold(self.program, self.symbols, pointer.ty, constant))? {
                Folded::Address(sym, offset) if i32::try_from(offset).is_ok() => Ok(Mem::sym(sym, offset as i32)),
                Folded::Bits(n) if i32::try_from(n as i64).is_ok() => Ok(Mem::base_disp(Base::None, n as i32)),
                _ => self.register(pointer).map(Mem::reg),
            },
        }
    }

    /// Translates a `getelementptr`.
    pub(super) fn get_element_ptr(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a getelementptr has a result");
        let Some((base, indices)) = operands.split_first() else { return self.refuse("the base is missing") };
        if indices.iter().chain([base]).any(|o| matches!(self.program.types.kind(o.ty), Kind::Vector { .. })) {
            return self.vector_of_addresses(inst, operands);
        }
        let mut mem = self.address(base)?;
        let mut offset = 0i64;
        let mut ty = inst.ty;
        for (k, index) in indices.iter().enumerate() {
            if let Some(n) = self.constant_index(index)? {
                let (next, bytes) = self.refusing(fold::step(self.program, ty, k == 0, n))?;
                offset = offset.wrapping_add(bytes);
                ty = next;
                continue;
            }
            let (element, stride) = self.indexed_type(ty, k == 0)?;
            let (scalar, index) = (self.scalar_of(index.ty)?, self.value(index)?);
            mem = self.add_index(mem, scalar, index, stride);
            ty = element;
        }
        let mem = self.displaced(mem, offset);
        self.set_address(result, mem);
        Ok(())
    }

    /// Returns the value of an index that is constant.
    fn constant_index(&mut self, index: &Value) -> Translated<Option<i64>> {
        if let Written::Local(_) = index.value {
            return Ok(None);
        }
        let bits = self.scalar_of(index.ty)?.bits;
        match self.refusing(fold::fold(self.program, self.symbols, index.ty, index.value))? {
            Folded::Bits(n) => Ok(Some((n as i64) << (64 - bits) >> (64 - bits))),
            Folded::Address(..) => Ok(None),
        }
    }

    /// Returns the type of the elements that a variable index selects from, and the distance of neighbours in bytes.
    pub(super) fn indexed_type(&self, ty: Ty, is_first: bool) -> Translated<(Ty, u64)> {
        let types = &self.program.types;
        match types.kind(ty) {
            _ if is_first => Ok((ty, types.layout(ty).size)),
            Kind::Array { elem, .. } | Kind::Vector { elem, .. } => match types.stride(ty) {
                Some(stride) => Ok((*elem, stride)),
                None => self.refuse("the elements of the vector have no addresses"),
            },
            _ => self.refuse("the index of a struct must be a constant"),
        }
    }

    /// Adds `index * size` to an address.
    pub(super) fn add_index(&mut self, mut mem: Mem, scalar: Scalar, operand: Operand, size: u64) -> Mem {
        let operand = if scalar.is_narrow() { self.sign_extended(operand, scalar).into() } else { operand };
        let wide = self.convert(Opcode::Sext, scalar.ty, operand, Type::I64);
        let mut index = self.in_register(Type::I64, wide);
        let scale = match size {
            0 => return mem,
            1 | 2 | 4 | 8 => size as u8,
            _ if size.is_power_of_two() => {
                index = self.binary_const(Opcode::Shl, Type::I64, index, size.trailing_zeros() as u64);
                1
            }
            _ => {
                index = self.binary_const(Opcode::Mul, Type::I64, index, size);
                1
            }
        };
        if mem.index.is_some() {
            mem = Mem::reg(self.lea(mem));
        }
        mem.indexed(index, scale)
    }

    /// Adds a constant to an address.
    pub(super) fn displaced(&mut self, mem: Mem, offset: i64) -> Mem {
        match (mem.disp as i64).checked_add(offset).and_then(|sum| i32::try_from(sum).ok()) {
            Some(disp) => Mem { disp, ..mem },
            None => {
                let base = self.lea(mem);
                Mem::reg(self.binary_const(Opcode::Add, Type::I64, base, offset as u64))
            }
        }
    }
}
