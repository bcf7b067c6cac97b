//! Loops that fill and copy memory, and do nothing else.

use crate::body::{Body, Region};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Base, IntCC, Mem, Opcode, Reg, Type};

/// The most iterations.
const MOST: u32 = 300;

/// The store of a loop, and the source of its value.
struct Element {
    ty: Type,
    to: Region,
    /// None for a value that is the same in each iteration.
    from: Option<Region>,
}

impl Body<'_> {
    /// Makes a loop that fills a part of a region, or copies another one there.
    pub(crate) fn block_loop(&mut self) {
        if self.rng.chance(40) {
            let size = self.rng.pick(&[64, 256, 300, 1000]);
            self.new_object(size, false);
        }
        let ty = self.integer_type();
        let Some(to) = self.region(2 * ty.bytes(), |r| r.may_be_written()) else { return self.expression() };
        let (to, from) = match self.rng.below(10) {
            0 | 1 => self.shifted(ty, to),
            2..5 => {
                let apart = self.rng.chance(80);
                (to, self.region(2 * ty.bytes(), |r| !apart || r.disjoint(&to)))
            }
            _ => (to, None),
        };
        let size = from.map_or(to.size, |from| from.size.min(to.size));
        let most = (size / ty.bytes()).min(MOST);
        if !self.affordable(10 * u64::from(most)) {
            return self.expression();
        }
        self.steps += 10 * u64::from(most) * self.trips;
        let element = Element { ty, to, from };
        if from.is_none() && !to.is_private() && self.rng.chance(25) {
            self.pointer_loop(element, most)
        } else {
            self.index_loop(element, most)
        }
    }

    /// Returns two parts of a region that overlap, or are the same. Now and then both are reached only by a pointer.
    fn shifted(&mut self, ty: Type, region: Region) -> (Region, Option<Region>) {
        let by = self.rng.range(0, (region.size - 2 * ty.bytes()).min(40) as usize) as u32;
        // Most are whole elements apart.
        let by = if self.rng.chance(70) { by / ty.bytes() * ty.bytes() } else { by };
        let region = if !region.is_private() && self.rng.chance(30) {
            let start = self.b.lea(region.start());
            region.named(start)
        } else {
            region
        };
        let (low, high) = (region.part(0, region.size - by), region.part(by, region.size - by));
        if self.rng.chance(50) { (low, Some(high)) } else { (high, Some(low)) }
    }

    /// Returns a number from 1, or 0, up to `most`.
    fn length(&mut self, ty: Type, least: i64, most: u32) -> Value {
        if self.rng.chance(30) {
            return Value::Int(self.rng.range(least as usize, most as usize) as i64);
        }
        let a = self.any(ty);
        let low = self.b.binary(Opcode::And, ty, a, (1i64 << most.ilog2()) - 1);
        Value::Reg(if least == 0 { low } else { self.b.binary(Opcode::Add, ty, low, least) })
    }

    /// Returns a value, most often one of equal bytes.
    fn filling(&mut self, ty: Type) -> Value {
        match self.rng.below(4) {
            0 => Value::Int(0),
            1 => Value::Int(-1),
            2 => Value::Bits(ty.as_word().truncate(0x4242_4242_4242_4242)),
            _ => {
                let v = self.value(ty);
                self.clean_value(ty, v)
            }
        }
    }
    fn in_register(&mut self, ty: Type, v: Value) -> Reg {
        if let Value::Reg(r) = v { r } else { self.b.constant(ty, v) }
    }

    /// Makes a loop with an index. It is jumped over if there is nothing to do, or does at least one iteration.
    fn index_loop(&mut self, element: Element, most: u32) {
        let Element { ty, to, from } = element;
        let index_type = self.rng.pick(&[Type::I32, Type::I64]);
        let jumped_over = self.rng.chance(50);
        let n = self.length(index_type, i64::from(!jumped_over), most);
        let n = self.in_register(index_type, n);
        let value = self.filling(ty);
        let [before, head, exit] = ["begin", "block", "end"].map(|label| self.b.fresh_block(label));
        if jumped_over {
            self.b.branch(self.rng.pick(&[IntCC::Sgt, IntCC::Ugt, IntCC::Ne]), n, 0, before, exit);
        } else {
            self.b.jmp(before);
        }
        self.b.switch_to(before);
        self.b.jmp(head);
        self.b.switch_to(head);
        let down = self.rng.chance(30);
        let next = self.b.reg(index_type);
        let start = if down { n.into() } else { Value::Int(0) };
        let i = self.b.phi(index_type, &[(before, start), (head, next.into())]);
        if down {
            self.b.assign(next).binary(Opcode::Sub, index_type, i, 1);
        }
        let index = self.wide_index(index_type, if down { next } else { i });
        let value = match from {
            Some(from) => {
                let mem = self.element(from.start(), ty, index);
                self.b.load(ty, mem).into()
            }
            None => value,
        };
        let mem = self.element(to.start(), ty, index);
        self.b.store(ty, mem, value);
        if down {
            let cc = self.rng.pick(&[IntCC::Sgt, IntCC::Ugt, IntCC::Ne]);
            self.b.branch(cc, next, 0, head, exit);
        } else {
            self.b.assign(next).binary(Opcode::Add, index_type, i, 1);
            let cc = self.rng.pick(&[IntCC::Slt, IntCC::Ult, IntCC::Ne]);
            self.b.branch(cc, next, n, head, exit);
        }
        self.b.switch_to(exit);
        if !jumped_over && self.rng.chance(40) {
            let last = self.rng.pick(&[i, next]);
            self.keep(index_type, last);
        }
    }
    fn wide_index(&mut self, ty: Type, r: Reg) -> Reg {
        if ty == Type::I64 {
            return r;
        }
        self.b.convert(self.rng.pick(&[Opcode::Sext, Opcode::Zext]), ty, r, Type::I64)
    }

    /// Makes a loop with a pointer that advances to an end.
    fn pointer_loop(&mut self, element: Element, most: u32) {
        let Element { ty, to, .. } = element;
        let bytes = i64::from(ty.bytes());
        let n = self.length(Type::I64, 1, most);
        let n = self.in_register(Type::I64, n);
        let value = self.filling(ty);
        let length = self.b.binary(Opcode::Mul, Type::I64, n, bytes);
        let first = self.b.lea(to.start());
        let end = self.b.binary(Opcode::Add, Type::I64, first, length);
        let before = self.current();
        let [head, exit] = ["block", "end"].map(|label| self.b.fresh_block(label));
        self.b.jmp(head);
        self.b.switch_to(head);
        let next = self.b.reg(Type::I64);
        let p = self.b.phi(Type::I64, &[(before, first.into()), (head, next.into())]);
        self.b.store(ty, Mem::base_disp(Base::Reg(p), 0), value);
        self.b.assign(next).binary(Opcode::Add, Type::I64, p, bytes);
        self.b.branch(self.rng.pick(&[IntCC::Ult, IntCC::Ne]), next, end, head, exit);
        self.b.switch_to(exit);
    }
}
