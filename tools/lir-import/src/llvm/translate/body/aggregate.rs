//! Members of aggregates and elements of vectors.

use super::function::{State, Translated, Translator};
use crate::llvm::ast::{self, Constant, Operand as Value, Value as Written};
use crate::llvm::translate::fold::{self, Folded};
use crate::llvm::translate::scalar;
use crate::llvm::types::{Kind, Ty};
use lir_syntax::ir::{Mem, Opcode, Operand, Type};

impl Translator<'_> {
    /// Returns the range of a member's scalars among the scalars of the whole, and its type.
    fn member_range(&self, whole: Ty, indices: &[u32]) -> Translated<(std::ops::Range<usize>, Ty)> {
        let types = &self.program.types;
        let (mut ty, mut start) = (whole, 0u64);
        for &index in indices {
            let count = |ty: Ty| types.layout(ty).scalars;
            match types.kind(ty) {
                Kind::Struct { fields, .. } if (index as usize) < fields.len() => {
                    start += types.members(ty)[index as usize].first_scalar;
                    ty = fields[index as usize];
                }
                Kind::Array { len, elem } if (index as u64) < *len => {
                    start += index as u64 * count(*elem);
                    ty = *elem;
                }
                _ => return self.refuse("the aggregate has no such member"),
            }
        }
        let start = start as usize;
        Ok((start..start + types.layout(ty).scalars as usize, ty))
    }

    pub(super) fn extract_value(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the instruction has a result");
        let (range, ty) = self.member_range(inst.ty, self.indices(inst))?;
        let values = match self.whole(&operands[0])? {
            Some(start) => {
                let values = self.scalars[start + range.start..start + range.end].to_vec();
                let scalars = self.refusing(scalar::all(&self.program.types, ty))?;
                for (value, (scalar, _)) in values.iter().zip(scalars) {
                    self.check_type(*value, scalar)?;
                }
                values
            }
            None => self.values(&operands[0])?[range].to_vec(),
        };
        self.set(result, &values);
        Ok(())
    }

    /// Returns the position of the scalars of an aggregate, if it is the result of an instruction. The caller checks
    /// the types of the scalars that it reads.
    fn whole(&mut self, whole: &Value) -> Translated<Option<usize>> {
        let Written::Local(local) = whole.value else { return Ok(None) };
        match self.state(local)? {
            State::Scalars(start, len) if len as u64 == self.program.types.layout(whole.ty).scalars => {
                Ok(Some(start as usize))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn insert_value(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the instruction has a result");
        let (range, ty) = self.member_range(inst.ty, self.indices(inst))?;
        let member = self.values(&operands[1])?;
        if ty != operands[1].ty || range.len() != member.len() {
            return self.refuse("the member and the inserted value have different types");
        }
        if let Some(start) = self.last_use(&operands[0])? {
            self.scalars[start + range.start..start + range.end].copy_from_slice(&member);
            let Written::Local(local) = operands[0].value else { return self.refuse("the value is of another type") };
            self.states[result] = self.states[local];
            return Ok(());
        }
        let mut values = self.values(&operands[0])?;
        values[range].copy_from_slice(&member);
        self.set(result, &values);
        Ok(())
    }

    /// Returns the position of the scalars of an aggregate that no other instruction uses. Such scalars may be changed
    /// in place, so that a chain of insertions copies nothing.
    fn last_use(&mut self, whole: &Value) -> Translated<Option<usize>> {
        let Written::Local(local) = whole.value else { return Ok(None) };
        let uses = self.uses[local];
        let is_last = uses.values == 1 && uses.addresses + uses.branches == 0;
        if is_last { self.whole(whole) } else { Ok(None) }
    }

    fn indices(&self, inst: &ast::Inst) -> &'_ [u32] {
        &self.program.indices[inst.extra as usize..(inst.extra + inst.extra_len) as usize]
    }

    // ---- Vectors ----

    /// Returns the value of an index that is constant.
    fn lane(&mut self, index: &Value) -> Translated<Option<usize>> {
        if let Written::Local(_) = index.value {
            return Ok(None);
        }
        match self.refusing(fold::fold(self.program, self.symbols, index.ty, index.value))? {
            Folded::Bits(n) => Ok(Some(n.min(u32::MAX as u128) as usize)),
            Folded::Address(..) => Ok(None),
        }
    }

    /// Stores a vector. Returns its memory, and the address of the element that a variable index selects, modulo the
    /// length.
    fn vector_in_memory(&mut self, vector: Ty, values: &[Operand], index: &Value) -> Translated<(Mem, Mem)> {
        let element = self.scalar_of(self.element(vector))?;
        let size = element.ty.bytes() as u64;
        let object = self.new_object(None, size * values.len().next_power_of_two() as u64, 8);
        for (k, value) in values.iter().enumerate() {
            let store = self.func.store(element.ty, Mem::obj(object, (k as u64 * size) as i32), *value);
            self.emit(store);
        }
        let scalar = self.scalar_of(index.ty)?;
        let index = self.value(index)?;
        let index = self.resized(index, scalar, crate::llvm::translate::scalar::Scalar::of(Type::I64));
        // The result for an index out of range is poison, but the access must stay inside the object.
        let index = self.binary_const(Opcode::And, Type::I64, index, values.len().next_power_of_two() as u64 - 1);
        Ok((Mem::obj(object, 0), Mem::obj(object, 0).indexed(index, size as u8)))
    }

    pub(super) fn extract_element(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the instruction has a result");
        let values = self.values(&operands[0])?;
        let scalar = self.scalar_of(self.element(inst.ty))?;
        let value = match self.lane(&operands[1])? {
            Some(n) if n < values.len() => values[n],
            Some(_) => self.constant(scalar.ty, 0),
            None => {
                let (_, mem) = self.vector_in_memory(inst.ty, &values, &operands[1])?;
                let load = self.func.load(scalar.ty, mem);
                self.define(scalar.ty, load).into()
            }
        };
        self.set_scalar(result, value);
        Ok(())
    }

    pub(super) fn insert_element(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the instruction has a result");
        let mut values = self.values(&operands[0])?;
        let scalar = self.scalar_of(self.element(inst.ty))?;
        let value = self.value(&operands[1])?;
        match self.lane(&operands[2])? {
            Some(n) if n < values.len() => values[n] = value,
            Some(_) => {}
            None => {
                let (whole, mem) = self.vector_in_memory(inst.ty, &values, &operands[2])?;
                let store = self.func.store(scalar.ty, mem, value);
                self.emit(store);
                for (k, value) in values.iter_mut().enumerate() {
                    let at = self.displaced(whole, k as i64 * scalar.ty.bytes() as i64);
                    let load = self.func.load(scalar.ty, at);
                    *value = self.define(scalar.ty, load).into();
                }
            }
        }
        self.set(result, &values);
        Ok(())
    }

    pub(super) fn shuffle(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the instruction has a result");
        let (a, b) = (self.values(&operands[0])?, self.values(&operands[1])?);
        let scalar = self.scalar_of(self.element(inst.ty))?;
        let lanes = self.refusing(scalar::all(&self.program.types, operands[2].ty))?.len();
        let mask: Vec<Option<u32>> = match operands[2].value {
            Written::Zero => vec![Some(0); lanes],
            Written::Undef | Written::Poison => vec![None; lanes],
            Written::Const(c) => match &self.program.constants[c] {
                Constant::List(list) => {
                    self.program.operands[list.range()].iter().map(|o| mask_lane(o.value)).collect()
                }
                Constant::Splat(element) => vec![mask_lane(element.value); lanes],
                _ => return self.refuse("the mask is not a constant vector"),
            },
            _ => return self.refuse("the mask is not a constant vector"),
        };
        let mut values = Vec::with_capacity(mask.len());
        for lane in mask {
            let lane = lane.map(|n| n as usize);
            values.push(match lane.and_then(|n| a.get(n).or_else(|| b.get(n - a.len()))) {
                Some(value) => *value,
                None => self.constant(scalar.ty, 0),
            });
        }
        self.set(result, &values);
        Ok(())
    }
}

/// Returns a lane of a mask. None if any value is correct.
fn mask_lane(value: Written) -> Option<u32> {
    match value {
        Written::Int(n) => u32::try_from(n).ok(),
        Written::Zero => Some(0),
        _ => None,
    }
}
