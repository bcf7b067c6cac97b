//! `lea` of numbers: an addition with up to three terms, which may take the place of any sum.
//!
//! A displacement is not an operand. A pass that takes one for a constant, or an index of a pool for a register, shows
//! it with displacements whose bits look like such an operand: near 2^30 and 2^31 on either side, and small ones.

use crate::body::{Body, Region};
use crate::constants::constant_bits;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Base, IntCC, Mem, Opcode, Reg, Type};

/// The operations around a `lea`, in addition to random ones.
const AROUND: &[Opcode] = &[Opcode::Add, Opcode::Add, Opcode::Sub, Opcode::Xor, Opcode::And, Opcode::Mul, Opcode::Shl];

impl Body<'_> {
    /// Makes a `lea` of values and some arithmetic on it, often with its own operands.
    pub(crate) fn lea_of_values(&mut self) {
        let mem = self.number_as_address();
        let mut r = self.b.lea(mem);
        self.keep(Type::I64, r);
        for _ in 0..self.rng.below(4) {
            let other = match self.rng.below(4) {
                0 => mem.index.map_or_else(|| self.value(Type::I64), Value::Reg),
                1 => {
                    let mem = self.number_as_address();
                    Value::Reg(self.b.lea(mem))
                }
                2 => match mem.base {
                    Base::Reg(base) => Value::Reg(base),
                    _ => self.value(Type::I64),
                },
                _ => self.value(Type::I64),
            };
            let op = self.rng.pick(AROUND);
            r = match other {
                Value::Reg(other) if self.rng.chance(50) => self.b.binary(op, Type::I64, other, r),
                other => self.b.binary(op, Type::I64, r, other),
            };
            self.keep(Type::I64, r);
        }
        if self.rng.chance(30) {
            let v = self.value(Type::I64);
            let c = self.b.compare(self.rng.pick(IntCC::ALL), r, v);
            self.keep(Type::I8, c);
        }
    }

    /// Returns every form of a memory operand, of numbers.
    pub(crate) fn number_as_address(&mut self) -> Mem {
        let disp = self.displacement();
        let base = match self.rng.below(10) {
            0 => Base::None,
            _ => Base::Reg(self.any(Type::I64)),
        };
        let mem = Mem::base_disp(base, disp);
        if !self.rng.chance(40) {
            return mem;
        }
        let index = match base {
            Base::Reg(r) if self.rng.chance(20) => r,
            _ => self.any(Type::I64),
        };
        mem.indexed(index, self.rng.pick(&[1, 2, 4, 8]))
    }

    /// Returns a displacement, often at an edge of an encoding.
    pub(crate) fn displacement(&mut self) -> i32 {
        let near = self.rng.below(4) as i32;
        match self.rng.below(8) {
            0 => 0,
            1 | 2 => self.rng.below(300) as i32 - 150,
            3 => i32::MIN + near,
            4 => i32::MAX - near,
            5 => (1 << 30) - 2 + near,
            6 => -(1 << 30) - 2 + near,
            _ => constant_bits(self.rng, Type::I32) as i32,
        }
    }

    /// Returns the difference of two addresses in one object. It is a number, however far outside they are.
    pub(crate) fn address_difference(&mut self) {
        let Some(region) = self.region(1, |r| !r.is_private()) else { return self.lea_of_values() };
        let at = region.start();
        let [p, q] = [(); 2].map(|()| {
            let disp = self.displacement();
            match at.disp.checked_add(disp) {
                Some(disp) => self.b.lea(Mem { disp, ..at }),
                None => {
                    let p = self.b.lea(at);
                    self.b.lea(Mem::base_disp(Base::Reg(p), disp))
                }
            }
        });
        let r = self.b.binary(Opcode::Sub, Type::I64, p, q);
        self.keep(Type::I64, r);
    }

    /// Makes the address of a region, as another one plus the difference of two. That one is in its object, the two in
    /// some object. The sum belongs to the region's object, however the three are grouped.
    pub(super) fn pointer_by_difference(&mut self, region: Region) -> Reg {
        let Some(other) = self.region(1, |r| !r.is_private()) else { return self.far_pointer(region) };
        let by = self.rng.below(other.size as usize) as i32;
        let (at, from) = (region.start(), other.start());
        let base = self.b.lea(Mem { disp: at.disp - by, ..at });
        let first = self.b.lea(from);
        let second = if self.rng.chance(50) {
            self.b.lea(Mem { disp: from.disp + by, ..from })
        } else {
            let by = self.b.constant(Type::I64, i64::from(by));
            self.b.lea(from.indexed(by, 1))
        };
        let [base, first, second] = self.disguised(base, first, second);
        if let Some(moved) = self.around.moved.filter(|_| self.rng.chance(30)) {
            let args = moved.arguments([base, second, first]);
            self.steps += 4 * self.trips;
            let r = self.b.call(self.around.decls, moved.sym, &args, None);
            return r.expect("the function has a result");
        }
        let difference = self.b.binary(Opcode::Sub, Type::I64, second, first);
        let [a, b] = if self.rng.chance(50) { [base, difference] } else { [difference, base] };
        self.b.binary(Opcode::Add, Type::I64, a, b)
    }

    /// Disguises an address and two others whose difference is added to it. They are hardly or not at all recognised as
    /// such.
    ///
    /// The difference must stay a number: an address less a number is an address, and the sum of two addresses is none.
    /// So either both of the two become numbers, or the one that it is added to.
    fn disguised(&mut self, base: Reg, first: Reg, second: Reg) -> [Reg; 3] {
        match self.rng.below(6) {
            0 => [self.as_number(base), first, second],
            1 => [base, self.as_number(first), self.as_number(second)],
            _ => [base, first, second].map(|r| self.reloaded(r)),
        }
    }
    /// Returns the same register, or one with the same address that was stored and loaded.
    fn reloaded(&mut self, r: Reg) -> Reg {
        if !self.rng.chance(20) {
            return r;
        }
        let cell = Mem::obj(self.raw_object(8), 0);
        if self.rng.chance(50) {
            self.b.volatile();
        }
        self.b.store(Type::I64, cell, r);
        self.b.load(Type::I64, cell)
    }
    /// Returns a number that has the value of an address.
    fn as_number(&mut self, r: Reg) -> Reg {
        let ty = Type::I64;
        match self.rng.below(4) {
            0 => {
                let three = self.b.binary(Opcode::Mul, ty, r, 3);
                let two = self.b.binary(Opcode::Shl, ty, r, 1);
                self.b.binary(Opcode::Sub, ty, three, two)
            }
            1 => self.b.binary(Opcode::Umin, ty, r, -1),
            2 if self.around.config.floats => {
                let float = self.b.convert(Opcode::Bitcast, ty, r, Type::F64);
                self.b.convert(Opcode::Bitcast, Type::F64, float, ty)
            }
            _ => {
                let nothing = self.b.constant(ty, 0);
                self.b.binary(self.rng.pick(&[Opcode::Xor, Opcode::Or]), ty, r, nothing)
            }
        }
    }

    /// Returns a register with the address of a region, after an excursion far outside.
    pub(super) fn far_pointer(&mut self, region: Region) -> Reg {
        let at = region.start();
        let by = self.displacement();
        let far = match at.disp.checked_add(by).filter(|_| self.rng.chance(60)) {
            Some(disp) => self.b.lea(Mem { disp, ..at }),
            None => {
                let p = self.b.lea(at);
                self.b.lea(Mem::base_disp(Base::Reg(p), by))
            }
        };
        match by.checked_neg().filter(|_| self.rng.chance(60)) {
            Some(back) => self.b.lea(Mem::base_disp(Base::Reg(far), back)),
            None => self.b.binary(Opcode::Sub, Type::I64, far, i64::from(by)),
        }
    }
}
