//! Loops of up to some hundred trips, by counters of every width that may wrap.
//!
//! Step, predicate and limit are any; some loops are ended by something other than their counter.
//!
//! The number of iterations is found by running the counter when the loop is made. If a counter starts from a value
//! that is not known, it has few bits, and all starts are tried.

use super::Carried;
use crate::body::{Body, Join};
use crate::constants::constant_bits;
use crate::surroundings::Purity;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Base, Block, IntCC, Mem, Opcode, Operand, Reg, Type};
use lir_syntax::semantics::compare;

/// The most trips.
const MOST: u64 = 300;
/// The fewest that are searched for.
const FEW: u64 = 8;
/// Number of times a counter is chosen anew before a plain one is taken.
const TRIES: usize = 40;
/// A counter that starts from an unknown value has this many starts.
const STARTS: u64 = 8;

/// A counter, and the test that ends its loop.
#[derive(Copy, Clone, Debug)]
struct Counter {
    ty: Type,
    /// The first value, or the least of [`STARTS`].
    start: u64,
    starts: u64,
    step: u64,
    /// The loop continues if `value cc limit`.
    cc: IntCC,
    limit: u64,
    /// True if the value after the step is tested.
    tests_next: bool,
}

impl Counter {
    /// Number of trips of the loop from a start, unless more than [`MOST`].
    fn trips_from(&self, start: u64) -> Option<u64> {
        let w = self.ty.as_word();
        let (mut x, mut trips) = (start, 0);
        let stays = |x| compare::holds(self.cc.into(), w, x, self.limit);
        loop {
            if !self.tests_next && !stays(x) {
                return Some(trips);
            }
            trips += 1;
            x = w.truncate(x.wrapping_add(self.step));
            if self.tests_next && !stays(x) {
                return Some(trips);
            }
            if trips > MOST {
                return None;
            }
        }
    }
    /// Returns the most trips from any start.
    fn trips(&self) -> Option<u64> {
        (0..self.starts)
            .map(|k| self.trips_from(self.ty.as_word().truncate(self.start.wrapping_add(k))))
            .try_fold(0, |most, n| Some(most.max(n?)))
    }
}

impl Body<'_> {
    /// Makes a loop whose trips are counted when it is made.
    pub(crate) fn long_loop(&mut self) {
        let counter = self.long_counter();
        let trips = counter.trips().expect("the counter was chosen so");
        if !self.affordable(60 * trips.max(1)) {
            return self.expression();
        }
        let (made_before, around) = (self.b.func.num_insts(), self.trips);
        let start = self.start_value(&counter);
        let ty = counter.ty;
        let before = self.current();
        let [head, body] = ["long", "turn"].map(|label| self.b.fresh_block(label));
        let mut exit = self.join("after", 2);
        let [total_start, far_start] = [(); 2].map(|()| self.value(Type::I64));
        self.b.jmp(head);
        self.b.switch_to(head);
        let mut i = self.carried(ty, before, start);
        let mut total = self.carried(Type::I64, before, total_start);
        let mut far = self.rng.chance(60).then(|| self.carried(Type::I64, before, far_start));
        let outside = self.mark();
        self.trips *= trips.max(1);
        self.keep(ty, i.reg);
        self.keep(Type::I64, total.reg);
        if counter.tests_next {
            self.b.jmp(body);
        } else {
            self.enter(&mut exit);
            self.long_test(&counter, i.reg, body, exit.block);
        }
        self.b.switch_to(body);
        let sum = self.long_iteration(ty, i.reg, total.reg);
        if self.rng.chance(30) {
            self.leave_by_something_else(sum, &mut exit);
        }
        if let Some(far) = &mut far {
            self.far_iteration(far, &mut exit);
        }
        let next = self.long_step(&counter, i.reg);
        let last = self.current();
        i.entries.push((last, Operand::reg(next)));
        total.entries.push((last, Operand::reg(sum)));
        if counter.tests_next {
            self.keep(ty, next);
            self.enter(&mut exit);
            self.long_test(&counter, next, head, exit.block);
        } else {
            self.b.jmp(head);
        }
        self.close([i, total].into_iter().chain(far).collect());
        self.trips = around;
        self.steps += (self.b.func.num_insts() - made_before) as u64 * trips * around;
        self.release(&outside);
        self.finish(exit);
    }

    /// Makes the branch that ends the loop, on either result of its test.
    fn long_test(&mut self, counter: &Counter, tested: Reg, stay: Block, leave: Block) {
        let limit = Value::Bits(counter.limit);
        if self.rng.chance(30) {
            self.b.branch(counter.cc.inverted(), tested, limit, leave, stay);
        } else {
            self.b.branch(counter.cc, tested, limit, stay, leave);
        }
    }
    /// Writes an iteration: the counter is read in some way, and something is added up.
    fn long_iteration(&mut self, ty: Type, i: Reg, total: Reg) -> Reg {
        let wide = if ty == Type::I64 {
            i
        } else {
            self.b.convert(self.rng.pick(&[Opcode::Zext, Opcode::Sext]), ty, i, Type::I64)
        };
        let memory = self.around.config.memory && self.this.purity != Purity::ReadNone;
        for _ in 0..self.rng.below(3) {
            match self.rng.below(4) {
                0 | 1 if memory => self.access_by_counter(wide),
                2 => {
                    let op = self.rng.pick(&[Opcode::Mul, Opcode::Xor, Opcode::Lshr, Opcode::Smax]);
                    let v = self.value(ty);
                    let r = self.b.binary(op, ty, i, v);
                    self.keep(ty, r);
                }
                _ => self.expression(),
            }
        }
        let v = if self.rng.chance(50) { Value::Reg(wide) } else { Value::Reg(self.any(Type::I64)) };
        let op = self.rng.pick(&[Opcode::Add, Opcode::Add, Opcode::Xor, Opcode::Sub]);
        let sum = self.b.binary(op, Type::I64, total, v);
        self.keep(Type::I64, sum)
    }
    /// Makes a load or store whose index is the counter, within the region.
    fn access_by_counter(&mut self, wide: Reg) {
        let ty = self.scalar_type();
        let writes = self.writes() && self.rng.chance(50);
        let Some(region) = self.region(ty.bytes(), |r| !writes || r.may_be_written()) else { return };
        let scale = self.rng.pick(&[1u32, 2, 4, 8]);
        let most = (region.size - ty.bytes()) / scale;
        let mask = (1i64 << (most + 1).ilog2()) - 1;
        let index = self.b.binary(Opcode::And, Type::I64, wide, mask);
        let mem = region.start().indexed(index, scale as u8);
        if writes {
            let v = self.value(ty);
            let v = self.clean_value(ty, v);
            self.b.store(ty, mem, v);
        } else {
            let r = self.b.load(ty, mem);
            self.keep(ty, r);
        }
    }
    /// Makes an exit that does not depend on the counter.
    fn leave_by_something_else(&mut self, sum: Reg, exit: &mut Join) {
        let on = self.b.fresh_block("on");
        let low = self.b.binary(Opcode::And, Type::I64, sum, self.rng.pick(&[7, 15, 63]));
        self.enter(exit);
        let v = self.rng.below(8) as i64;
        self.b.branch(IntCC::Eq, low, v, exit.block, on);
        self.b.switch_to(on);
    }
    /// Makes a step of the second counter, which advances far by a `lea`. Often an exit tests it.
    fn far_iteration(&mut self, far: &mut Carried, exit: &mut Join) {
        if self.rng.chance(60) {
            let on = self.b.fresh_block("on");
            self.enter(exit);
            let v = self.value(Type::I64);
            self.b.branch(self.rng.pick(IntCC::ALL), far.reg, v, exit.block, on);
            self.b.switch_to(on);
        }
        let disp = self.displacement();
        let next = self.b.lea(Mem::base_disp(Base::Reg(far.reg), disp));
        far.entries.push((self.current(), Operand::reg(next)));
    }
    /// Makes the next value of the counter, by an addition, a subtraction, or a `lea`.
    fn long_step(&mut self, counter: &Counter, i: Reg) -> Reg {
        let (ty, step) = (counter.ty, counter.step);
        let signed = ty.as_word().sign_extend(step);
        match self.rng.below(3) {
            0 => self.b.binary(Opcode::Sub, ty, i, Value::Bits(ty.as_word().truncate(step.wrapping_neg()))),
            1 if ty == Type::I64 && i32::try_from(signed).is_ok() => {
                self.b.lea(Mem::base_disp(Base::Reg(i), signed as i32))
            }
            _ => self.b.binary(Opcode::Add, ty, i, Value::Bits(step)),
        }
    }
    fn start_value(&mut self, counter: &Counter) -> Value {
        if counter.starts == 1 {
            return Value::Bits(counter.start);
        }
        let a = self.any(counter.ty);
        let low = self.b.binary(Opcode::And, counter.ty, a, STARTS as i64 - 1);
        Value::Reg(self.b.binary(Opcode::Add, counter.ty, low, Value::Bits(counter.start)))
    }

    /// Returns a counter that ends: any, if one is found, else a plain one.
    fn long_counter(&mut self) -> Counter {
        for _ in 0..TRIES {
            let c = self.any_counter();
            if c.trips().is_some_and(|n| (FEW..=MOST).contains(&n)) {
                return c;
            }
        }
        let (ty, start) = (self.integer_type(), constant_bits(self.rng, Type::I8));
        let limit = ty.as_word().truncate(start + self.rng.range(FEW as usize, 200) as u64);
        let start = ty.as_word().truncate(start);
        Counter { ty, start, starts: 1, step: 1, cc: IntCC::Ne, limit, tests_next: true }
    }
    fn any_counter(&mut self) -> Counter {
        let ty = self.integer_type();
        let w = ty.as_word();
        let step = match self.rng.below(5) {
            0 => 1,
            1 => self.rng.pick(&[-1i64, 2, -2, 3, -3, 4, 5, 7, -7, 8, 16, 100]) as u64,
            2 => self.displacement() as i64 as u64,
            _ => constant_bits(self.rng, ty),
        };
        let step = w.truncate(step);
        let start = constant_bits(self.rng, ty);
        // Some steps away, give or take a part of one; or anywhere.
        let away = start.wrapping_add(step.wrapping_mul(self.rng.range(FEW as usize, MOST as usize) as u64));
        let limit = match self.rng.below(4) {
            0 => constant_bits(self.rng, ty),
            1 => w.truncate(away.wrapping_add(self.rng.below(3) as u64).wrapping_sub(1)),
            _ => w.truncate(away),
        };
        let starts = if self.rng.chance(30) { STARTS } else { 1 };
        let (cc, tests_next) = (self.rng.pick(IntCC::ALL), self.rng.chance(50));
        Counter { ty, start, starts, step, cc, limit, tests_next }
    }
}
