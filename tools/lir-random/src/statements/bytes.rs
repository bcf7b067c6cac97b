//! Numbers that are loaded and stored byte by byte, in both orders, and nearly so.

use crate::body::Body;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Mem, Opcode, Reg, Type};

/// Operations that put bytes next to each other.
const JOINS: &[Opcode] = &[Opcode::Or, Opcode::Or, Opcode::Add, Opcode::Xor];

impl Body<'_> {
    /// Makes a number of adjacent bytes, which are loaded one by one, or in pairs. Some trees have a flaw.
    pub(super) fn number_of_bytes(&mut self) {
        let ty = self.rng.pick(&[Type::I16, Type::I32, Type::I64]);
        let count = self.rng.pick(&[2, 2, 4, 4, 8, 3]).min(ty.bytes());
        let Some(region) = self.region(count, |_| true) else { return self.expression() };
        let mem = self.mem_in(region, count);
        let descends = self.rng.chance(50);
        let flaw = self.rng.chance(20).then(|| self.rng.below(count as usize) as u32);
        let mut parts = Vec::new();
        for k in 0..count {
            let position = if descends { count - 1 - k } else { k };
            let part = self.byte_at(ty, Mem { disp: mem.disp + k as i32, ..mem }, position, flaw == Some(k));
            parts.push(part);
        }
        while parts.len() > 1 {
            let [a, b] = [(); 2].map(|()| {
                let k = self.rng.below(parts.len());
                parts.swap_remove(k)
            });
            let join = self.rng.pick(JOINS);
            parts.push(self.b.binary(join, ty, a, b));
        }
        self.keep(ty, parts[0]);
    }
    /// Makes a byte of memory at a position of a number.
    fn byte_at(&mut self, ty: Type, mem: Mem, position: u32, is_flawed: bool) -> Reg {
        let byte = self.b.load(Type::I8, mem);
        if is_flawed && self.rng.chance(30) {
            self.keep(Type::I8, byte);
        }
        if is_flawed && self.writes() && self.rng.chance(50) {
            self.store();
        }
        let extension = if is_flawed || self.rng.chance(5) { Opcode::Sext } else { Opcode::Zext };
        let wide = self.b.convert(extension, Type::I8, byte, ty);
        let by = 8 * position + if is_flawed && self.rng.chance(50) { self.rng.pick(&[1, 8]) } else { 0 };
        if by == 0 { wide } else { self.b.binary(Opcode::Shl, ty, wide, Value::Int(i64::from(by))) }
    }

    /// Stores of the bytes of a register, or of constants, to adjacent addresses. Some go elsewhere.
    pub(super) fn bytes_of_number(&mut self) {
        let ty = self.rng.pick(&[Type::I16, Type::I32, Type::I64]);
        let part = self.rng.pick(&[Type::I8, Type::I8, Type::I16, Type::I32]);
        let part = if part.bytes() < ty.bytes() { part } else { Type::I8 };
        let count = self.rng.range(2, (ty.bytes() / part.bytes()) as usize) as u32;
        let Some(region) = self.region(count * part.bytes(), |r| r.writable) else { return self.expression() };
        let mem = self.mem_in(region, count * part.bytes());
        let number = self.any(ty);
        let Value::Reg(number) = self.clean_value(ty, number.into()) else { return self.expression() };
        let descends = self.rng.chance(50);
        let constants = self.rng.chance(30);
        for k in 0..count {
            let position = if descends { count - 1 - k } else { k };
            let value = if constants {
                Value::Int(self.rng.pick(&[0, 0, 1, -1, 0x41]))
            } else {
                Value::Reg(self.part_of(ty, number, part, position))
            };
            let at = if self.rng.chance(5) { 0 } else { k };
            self.b.store(part, Mem { disp: mem.disp + (at * part.bytes()) as i32, ..mem }, value);
            if self.rng.chance(5) {
                self.load();
            }
        }
        let again = self.b.load(part, mem);
        self.keep(part, again);
    }
    fn part_of(&mut self, ty: Type, number: Reg, part: Type, position: u32) -> Reg {
        let by = position * part.bits() + if self.rng.chance(4) { 1 } else { 0 };
        let shift = self.rng.pick(&[Opcode::Lshr, Opcode::Ashr]);
        let mut shifted = if by == 0 { number } else { self.b.binary(shift, ty, number, Value::Int(i64::from(by))) };
        if self.rng.chance(15) {
            let mask = part.as_word().mask() as i64;
            shifted = self.b.binary(Opcode::And, ty, shifted, Value::Int(mask));
        }
        self.b.convert(Opcode::Trunc, ty, shifted, part)
    }
}
