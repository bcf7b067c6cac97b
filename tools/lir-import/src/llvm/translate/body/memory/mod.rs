//! Allocations, loads and stores.

mod atomics;
mod volatile;

pub(super) use volatile::MAX_VOLATILE_COPY;

use crate::llvm::ast::{self, Flags, Operand as Value, Value as Written};
use crate::llvm::translate::body::function::{Translated, Translator};
use crate::llvm::translate::fold::{self, Folded};
use crate::llvm::translate::scalar::{self, Scalar};
use crate::llvm::types::{Kind, Ty};
use lir_syntax::ir::module::MAX_OBJECT_SIZE;
use lir_syntax::ir::{Block, InstData, Mem, Opcode, Operand, Type};

impl Translator<'_> {
    /// Translates an `alloca`. An allocation of constant size in the first block becomes a stack object.
    pub(in crate::llvm::translate::body) fn alloca(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("an alloca has a result");
        if inst.flags.has(Flags::INALLOCA) {
            return self.refuse("`inalloca` is not supported");
        }
        let layout = self.program.types.layout(inst.ty);
        let align = (inst.extra as u64).max(if inst.extra == 0 { layout.align } else { 1 }).max(1);
        if !align.is_power_of_two() {
            return self.refuse("the alignment is not a power of two");
        }
        if align > MAX_OBJECT_SIZE {
            return self.refuse("an alignment above 2^30 is not supported");
        }
        let count = match operands.first() {
            None => Some(1),
            Some(Value { value: Written::Local(_), .. }) => None,
            Some(count) => match self.refusing(fold::fold(self.program, self.symbols, count.ty, count.value))? {
                Folded::Bits(n) => Some(n as u64),
                Folded::Address(..) => None,
            },
        };
        if let Some(count) = count
            && self.block == self.func.entry()
        {
            let Some(size) = layout.size.checked_mul(count).filter(|n| *n <= MAX_OBJECT_SIZE) else {
                return self.refuse("the allocation is too large");
            };
            let object = self.new_object(Some(result), size, align);
            self.set_address(result, Mem::obj(object, 0));
            return Ok(());
        }
        let size = match operands.first() {
            Some(count) => {
                let scalar = self.scalar_of(count.ty)?;
                let count = self.value(count)?;
                let count = self.convert(Opcode::Zext, scalar.ty, count, Type::I64);
                self.binary_const(Opcode::Mul, Type::I64, count, layout.size).into()
            }
            None => self.constant(Type::I64, layout.size),
        };
        let reg = self.named_reg(result, Type::I64);
        self.emit(InstData::unary(Opcode::Alloca, Type::I64, size).with_alignment(align.max(8)).with_result(reg));
        self.set_scalar(result, reg);
        Ok(())
    }

    pub(in crate::llvm::translate::body) fn load(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a load has a result");
        if inst.flags.has(Flags::ATOMIC) {
            return self.atomic_load(inst, operands);
        }
        let volatile = inst.flags.has(Flags::VOLATILE);
        let mem = self.memory(&operands[0], self.program.types.layout(inst.ty).stored)?;
        if let Ok(scalar) = scalar::of(&self.program.types, inst.ty)
            && !scalar.is_narrow()
        {
            let reg = self.named_reg(result, scalar.ty);
            let load = self.func.load(scalar.ty, mem).with_volatile(volatile);
            let load = self.emit(load.with_result(reg));
            if inst.facts.1 != 0 {
                let promises = self.promises_of_metadata(inst, scalar);
                self.func.set_value_promises(load, promises);
            }
            self.set_scalar(result, reg);
            return Ok(());
        }
        let values = self.load_values(mem, inst.ty, volatile)?;
        self.set(result, &values);
        Ok(())
    }

    pub(in crate::llvm::translate::body) fn store(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        if inst.flags.has(Flags::ATOMIC) {
            return self.atomic_store(inst, operands);
        }
        let volatile = inst.flags.has(Flags::VOLATILE);
        let mem = self.memory(&operands[1], self.program.types.layout(inst.ty).stored)?;
        if let Ok(scalar) = scalar::of(&self.program.types, inst.ty)
            && (!scalar.is_narrow() || scalar.bits == 1)
        {
            let value = self.value(&operands[0])?;
            let store = self.func.store(scalar.ty, mem, value).with_volatile(volatile);
            self.emit(store);
            return Ok(());
        }
        let values = self.values(&operands[0])?;
        match (volatile, scalar::of(&self.program.types, inst.ty)) {
            (true, Ok(scalar)) => self.store_scalar(mem, scalar, values[0], true),
            (true, Err(_)) if self.packed_elements(inst.ty).is_some() => {
                return self.refuse("volatile stores of vectors whose elements are not whole bytes are not supported");
            }
            (true, Err(_)) => return self.store_scalars(mem, inst.ty, &values, true),
            (false, _) => return self.store_values(mem, inst.ty, &values),
        }
        Ok(())
    }

    /// Loads the scalars of a value.
    pub(in crate::llvm::translate::body) fn load_values(
        &mut self,
        mem: Mem,
        ty: Ty,
        volatile: bool,
    ) -> Translated<Vec<Operand>> {
        if let Some((count, bits)) = self.packed_elements(ty) {
            return self.load_packed(mem, ty, count, bits, volatile);
        }
        let scalars = self.refusing(scalar::all(&self.program.types, ty))?;
        let mut values = Vec::with_capacity(scalars.len());
        for (scalar, offset) in scalars {
            let mem = self.displaced(mem, offset as i64);
            values.push(self.load_scalar(mem, scalar, volatile));
        }
        Ok(values)
    }

    /// Stores the scalars of a value.
    pub(in crate::llvm::translate::body) fn store_values(
        &mut self,
        mem: Mem,
        ty: Ty,
        values: &[Operand],
    ) -> Translated<()> {
        if let Some((_, bits)) = self.packed_elements(ty) {
            return self.store_packed(mem, ty, bits, values);
        }
        self.store_scalars(mem, ty, values, false)
    }
    fn store_scalars(&mut self, mem: Mem, ty: Ty, values: &[Operand], volatile: bool) -> Translated<()> {
        let scalars = self.refusing(scalar::all(&self.program.types, ty))?;
        for (value, (scalar, offset)) in values.iter().zip(scalars) {
            let mem = self.displaced(mem, offset as i64);
            self.store_scalar(mem, scalar, *value, volatile);
        }
        Ok(())
    }

    /// Loads a scalar. An integer whose width is not a register's is loaded in pieces.
    fn load_scalar(&mut self, mem: Mem, scalar: Scalar, volatile: bool) -> Operand {
        if scalar.ty.is_float() {
            let load = self.func.load(scalar.ty, mem).with_volatile(volatile);
            return self.define(scalar.ty, load).into();
        }
        let mut whole: Option<Operand> = None;
        for (ty, offset) in pieces(scalar.bits.div_ceil(8) as u64) {
            let at = self.displaced(mem, offset as i64);
            let load = self.func.load(ty, at).with_volatile(volatile);
            let piece = self.define(ty, load);
            let piece = self.convert(Opcode::Zext, ty, piece, scalar.ty);
            whole = Some(match whole {
                None => piece,
                Some(low) => {
                    let high = self.binary_const(Opcode::Shl, scalar.ty, piece, 8 * offset);
                    self.binary(Opcode::Or, scalar.ty, high, low).into()
                }
            });
        }
        let whole = whole.unwrap_or(Operand::NONE);
        // In memory, the bits above the value in its last byte are unspecified.
        if scalar.bits.is_multiple_of(8) {
            return whole;
        }
        let whole = self.in_register(scalar.ty, whole);
        self.masked(whole, scalar).into()
    }

    fn store_scalar(&mut self, mem: Mem, scalar: Scalar, value: Operand, volatile: bool) {
        if scalar.ty.is_float() || !scalar.is_narrow() {
            let store = self.func.store(scalar.ty, mem, value).with_volatile(volatile);
            self.emit(store);
            return;
        }
        for (ty, offset) in pieces(scalar.bits.div_ceil(8) as u64) {
            let high = match offset {
                0 => value,
                _ => self.binary_const(Opcode::Lshr, scalar.ty, value, 8 * offset).into(),
            };
            let piece = self.convert(Opcode::Trunc, scalar.ty, high, ty);
            let at = self.displaced(mem, offset as i64);
            let store = self.func.store(ty, at, piece).with_volatile(volatile);
            self.emit(store);
        }
    }

    // ---- Vectors whose elements are not whole bytes ----

    /// Returns the number and the width of the elements of a vector that is packed bit by bit.
    fn packed_elements(&self, ty: Ty) -> Option<(u64, u32)> {
        let Kind::Vector { len, .. } = self.program.types.kind(ty) else { return None };
        self.program.types.packed_element(ty).map(|bits| (*len, bits))
    }

    fn whole_of_packed(&self, ty: Ty, bits: u32) -> Translated<Scalar> {
        let total = self.program.types.layout(ty).scalars.saturating_mul(bits as u64);
        if total > 64 {
            return self.refuse("in memory, vectors of more than 64 bits must have elements of whole words");
        }
        Ok(Scalar::int(total as u32))
    }

    fn load_packed(&mut self, mem: Mem, ty: Ty, count: u64, bits: u32, volatile: bool) -> Translated<Vec<Operand>> {
        let whole = self.whole_of_packed(ty, bits)?;
        let all = self.load_scalar(mem, whole, volatile);
        let element = Scalar::int(bits);
        let mut values = Vec::new();
        for k in 0..count {
            let shifted = self.binary_const(Opcode::Lshr, whole.ty, all, k * bits as u64);
            values.push(self.resized(shifted.into(), whole, element));
        }
        Ok(values)
    }

    fn store_packed(&mut self, mem: Mem, ty: Ty, bits: u32, values: &[Operand]) -> Translated<()> {
        let whole = self.whole_of_packed(ty, bits)?;
        let mut all = self.constant(whole.ty, 0);
        for (k, value) in values.iter().enumerate() {
            let wide = self.convert(Opcode::Zext, Scalar::int(bits).ty, *value, whole.ty);
            let placed = self.binary_const(Opcode::Shl, whole.ty, wide, k as u64 * bits as u64);
            all = self.binary(Opcode::Or, whole.ty, placed, all).into();
        }
        self.store_scalar(mem, whole, all, false);
        Ok(())
    }

    /// Makes two blocks after the current one: a loop, and the block of later instructions.
    fn blocks_after(&mut self) -> [Block; 2] {
        let mut last = self.block;
        [(); 2].map(|()| {
            let name = self.func.block(self.block).name.derived();
            let block = self.func.make_block(name);
            self.func.insert_block_after(block, last);
            last = block;
            block
        })
    }
}

/// Returns the types and the offsets of the loads or stores that cover a number of bytes.
pub(in crate::llvm::translate::body) fn pieces(bytes: u64) -> impl Iterator<Item = (Type, u64)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let left = bytes - done;
        let (ty, size) = match left {
            0 => return None,
            1 => (Type::I8, 1),
            2 | 3 => (Type::I16, 2),
            4..=7 => (Type::I32, 4),
            _ => (Type::I64, 8),
        };
        let piece = (ty, done);
        done += size;
        Some(piece)
    })
}
