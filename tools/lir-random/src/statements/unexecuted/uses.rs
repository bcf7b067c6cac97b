//! Operations on any operands in code that is never executed. Their results have uses of every kind.

use crate::body::Body;
use crate::constants::constant_bits;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{
    Base, Block, FloatCC, Format, IntCC, Mem, Obj, Opcode, Order, Reg, ResultRule, RmwOp, Type, TypeRule,
};
use lir_syntax::semantics::is_value_op;

/// Operations with a result that no format of expressions has.
const OTHERS: [Opcode; 10] = [
    Opcode::Lea,
    Opcode::Load,
    Opcode::AtomicLoad,
    Opcode::AtomicRmw,
    Opcode::Cmpxchg,
    Opcode::Alloca,
    Opcode::Alloca,
    Opcode::StackSave,
    Opcode::VaArg,
    Opcode::Call,
];

/// The opcodes whose result may have any type, or one of some types.
const OTHERS_OF_ANY_TYPE: [Opcode; 6] =
    [Opcode::Load, Opcode::AtomicLoad, Opcode::AtomicRmw, Opcode::Cmpxchg, Opcode::VaArg, Opcode::Call];

/// Uses of each result, at most.
const USES: usize = 4;

impl Body<'_> {
    /// Makes an operation on anything, and uses of its result.
    pub(super) fn wild_operation(&mut self, object: Obj) {
        let ty = self.wild_type();
        let r = self.wild_result(ty, object);
        self.use_result(ty, r, object);
    }

    /// Makes a result of this type, of any operation that has one.
    pub(super) fn wild_result(&mut self, ty: Type, object: Obj) -> Reg {
        if self.rng.chance(15) {
            let op = self.rng.pick(if ty == Type::I64 { &OTHERS } else { &OTHERS_OF_ANY_TYPE });
            let has_type = op.info().types == TypeRule::None || op.info().types.allows(ty);
            let op = if has_type { op } else { Opcode::Load };
            return self.wild_result_of(op, ty, ty, object);
        }
        let mut of: Vec<(Opcode, Type)> = Vec::new();
        for op in Opcode::ALL.iter().copied().filter(|op| *op == Opcode::Const || is_value_op(*op)) {
            let gives = |from: Type| match op.info().result {
                ResultRule::Same => from == ty,
                ResultRule::Truth => ty == Type::I8,
                _ => op.info().types.allows_conversion(from, ty),
            };
            let in_use = |from: &Type| from.is_int() || self.around.config.floats;
            let from = Type::OF_WORDS.into_iter().filter(in_use).filter(|t| op.info().types.allows(*t) && gives(*t));
            of.extend(from.map(|from| (op, from)));
        }
        let (op, from) = self.rng.pick(&of);
        self.wild_result_of(op, from, ty, object)
    }

    fn wild_result_of(&mut self, op: Opcode, ty: Type, to: Type, object: Obj) -> Reg {
        match op.format() {
            Format::Const => {
                let bits = match self.operand(ty, object) {
                    Value::Bits(bits) => bits,
                    _ => constant_bits(self.rng, ty),
                };
                self.b.constant(ty, Value::Bits(bits))
            }
            Format::Unary => {
                let a = self.wild_register(ty, object);
                self.b.unary(op, ty, a)
            }
            Format::Binary => {
                let (a, v) = (self.wild_register(ty, object), self.operand(ty, object));
                self.b.binary(op, ty, a, v)
            }
            Format::Ternary => {
                let [a, b, c] = [(); 3].map(|()| self.wild_register(ty, object));
                self.b.ternary(op, ty, a, b, c)
            }
            Format::Select => {
                let (c, [a, b]) = (self.condition(), [(); 2].map(|()| self.wild_register(ty, object)));
                self.b.select(c, a, b)
            }
            Format::Compare => self.wild_comparison(ty, object),
            Format::Convert => {
                let a = self.wild_register(ty, object);
                self.b.convert(op, ty, a, to)
            }
            Format::Load if op == Opcode::VaArg => {
                let mem = self.wild_va_list(object);
                self.b.va_arg(ty, mem)
            }
            Format::Load => {
                let mem = self.wild_mem(object, ty.bytes().into());
                self.b.load(ty, mem)
            }
            format if format.is_atomic() => self.wild_atomic(op, ty, object),
            Format::Alloca => {
                let size = self.operand(Type::I64, object);
                self.b.alloca(size, 1 << self.rng.below(6))
            }
            Format::Nullary => self.b.stack_save(),
            Format::Call => {
                let callee = self.wild_register(Type::I64, object);
                self.wild_call(callee, None, Some(ty)).expect("the call has a result")
            }
            _ => {
                let mem = self.wild_mem(object, 0);
                self.b.lea(mem)
            }
        }
    }
    fn wild_atomic(&mut self, op: Opcode, ty: Type, object: Obj) -> Reg {
        let mem = self.wild_mem(object, ty.bytes().into());
        let (order, failure) = (self.rng.pick(&Order::ALL), self.rng.pick(Order::OF_LOADS));
        match op {
            Opcode::AtomicLoad => self.b.atomic_load(failure, ty, mem),
            Opcode::AtomicRmw => {
                let v = self.operand(ty, object);
                self.b.atomicrmw((self.rng.pick(&RmwOp::ALL), order), ty, mem, v)
            }
            _ => {
                let [expected, new] = [(); 2].map(|()| self.wild_register(ty, object));
                self.b.cmpxchg((order, failure), mem, expected, new)
            }
        }
    }
    fn wild_comparison(&mut self, ty: Type, object: Obj) -> Reg {
        let (a, v) = (self.wild_register(ty, object), self.operand(ty, object));
        if ty.is_int() {
            self.b.compare(self.rng.pick(IntCC::ALL), a, v)
        } else {
            self.b.compare(self.rng.pick(FloatCC::ALL), a, v)
        }
    }

    // ---- Uses ----

    /// Some uses of a result.
    pub(super) fn use_result(&mut self, ty: Type, r: Reg, object: Obj) {
        let n = if self.rng.chance(15) { 0 } else { self.rng.range(1, USES) };
        for _ in 0..n {
            self.use_once(ty, r, object);
        }
    }
    /// Assumes something about some results. The number of the register decides, so that seeds keep their modules.
    fn assume_about(&mut self, ty: Type, r: Reg) {
        let n = r.as_u32() as usize;
        if ty.is_int() && ty.has_word() && n.is_multiple_of(4) {
            self.b.assume(IntCC::ALL[n / 4 % IntCC::ALL.len()], r, Value::Bits((n as u64) % 100));
        }
    }
    fn use_once(&mut self, ty: Type, r: Reg, object: Obj) {
        match self.rng.below(if ty == Type::I64 { 12 } else { 6 }) {
            0 => self.compute_with(ty, r, object),
            1 => {
                self.compare_with(ty, r, object);
                self.assume_about(ty, r);
            }
            2 if ty.is_int() => {
                let [a, b] = [(); 2].map(|()| self.wild_register(Type::I64, object));
                self.b.select(r, a, b);
            }
            2 | 3 => {
                let callee = self.wild_register(Type::I64, object);
                self.wild_call(callee, Some((ty, r)), None);
            }
            4 => {
                let mem = self.wild_mem(object, ty.bytes().into());
                if ty.is_int() && ty.has_word() && self.rng.chance(40) {
                    self.b.atomic_store(self.rng.pick(Order::allowed(Opcode::AtomicStore)), ty, mem, r);
                } else {
                    self.b.store(ty, mem, r);
                }
            }
            5 => {
                let (from, next) = (self.current(), self.b.fresh_block("never"));
                self.end_with(ty, r, next);
                self.b.switch_to(next);
                self.b.phi(ty, &[(from, r.into())]);
            }
            6 | 7 => {
                let mem = Mem::base_disp(Base::Reg(r), self.rng.below(64) as i32);
                self.b.load(Type::I32, mem);
            }
            8 => {
                self.wild_call(r, None, None);
            }
            9 => {
                let mem = self.wild_mem(object, 0);
                self.b.memset(mem, 0, r);
            }
            10 => self.b.stack_restore(r),
            _ => {
                self.b.alloca(r, 16);
            }
        }
    }
    fn compute_with(&mut self, ty: Type, r: Reg, object: Obj) {
        let fits = |op: &&Opcode| matches!(op.format(), Format::Unary | Format::Binary) && op.info().types.allows(ty);
        let of: Vec<Opcode> = Opcode::ALL.iter().filter(fits).copied().collect();
        let op = self.rng.pick(&of);
        match op.format() {
            Format::Unary => self.b.unary(op, ty, r),
            _ => {
                let v = self.operand(ty, object);
                self.b.binary(op, ty, r, v)
            }
        };
    }
    fn compare_with(&mut self, ty: Type, r: Reg, object: Obj) {
        let v = self.operand(ty, object);
        if ty.is_int() {
            self.b.compare(self.rng.pick(IntCC::ALL), r, v);
        } else {
            self.b.compare(self.rng.pick(FloatCC::ALL), r, v);
        }
    }
    /// Ends the block by something that reads a register. It continues at a block in any case, or traps.
    fn end_with(&mut self, ty: Type, r: Reg, next: Block) {
        let end = self.b.fresh_block("never");
        match self.rng.below(3) {
            0 => self.b.jmp(next),
            1 if ty.is_int() && ty.has_word() => self.b.switch(r, next, &[(self.rng.below(100) as i64, end)]),
            _ if ty.is_int() => self.b.branch(self.rng.pick(IntCC::ALL), r, 1, next, end),
            _ => self.b.branch(self.rng.pick(FloatCC::ALL), r, 1, next, end),
        }
        self.b.switch_to(end);
        self.b.unreachable();
    }
}
