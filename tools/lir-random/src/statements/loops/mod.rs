//! Loops. They end after fewer than [`MAX_TRIPS`] trips, except the loops of [`long`], which take up to 300.

mod blocks;
mod ends;
mod free_flow;
mod long;
mod narrow;

use crate::body::{Body, Join, MAX_TRIPS};
use crate::constants::constant_bits;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Block, Inst, InstData, IntCC, Opcode, Operand, Reg, Type};

/// A phi of a loop head. Its entries are set when all back edges are known.
pub(crate) struct Carried {
    inst: Inst,
    pub(crate) reg: Reg,
    ty: Type,
    pub(crate) entries: Vec<(Block, Operand)>,
}

/// The counter of a loop: a phi, or a register that is assigned again.
enum Counter {
    Phi(Carried),
    Register(Reg),
}

/// Number of iterations of a loop.
#[derive(Copy, Clone)]
struct Trips {
    ty: Type,
    end: Value,
    /// From 0 up to `end`, or from `end` down to 0.
    down: bool,
}

impl Body<'_> {
    // ---- Phis of loop heads ----

    /// Makes a phi at the head, which is current, with its entry for `before`.
    fn carried(&mut self, ty: Type, before: Block, start: Value) -> Carried {
        let start = self.b.operand(ty, start);
        let reg = self.b.phi(ty, &[(before, start.into())]);
        let inst = self.b.last().expect("the phi was just added");
        Carried { inst, reg, ty, entries: vec![(before, start)] }
    }
    /// Phis of random types that start with the values that `starts` chose before the loop.
    fn carried_values(&mut self, before: Block, starts: &[(Type, Value)]) -> Vec<Carried> {
        let phis: Vec<Carried> = starts.iter().map(|(ty, v)| self.carried(*ty, before, *v)).collect();
        for p in &phis {
            self.keep(p.ty, p.reg);
        }
        phis
    }
    fn starts(&mut self) -> Vec<(Type, Value)> {
        // Two of one type at least, so that they can change places.
        let ty = self.scalar_type();
        let mut types = vec![ty, ty];
        types.extend((0..self.rng.below(4)).map(|_| self.scalar_type()));
        types.into_iter().map(|ty| (ty, self.value(ty))).collect()
    }
    /// Passes operands from the current block to the phis: others of them, or anything. The block must then jump to the
    /// head.
    fn carry(&mut self, phis: &mut [Carried]) {
        let all: Vec<(Type, Reg)> = phis.iter().map(|p| (p.ty, p.reg)).collect();
        let mut next = Vec::new();
        for p in phis.iter() {
            let others: Vec<Reg> = all.iter().filter(|o| o.0 == p.ty && o.1 != p.reg).map(|o| o.1).collect();
            let swapped = !others.is_empty() && self.rng.chance(40);
            next.push(if swapped { Value::Reg(self.rng.pick(&others)) } else { self.value(p.ty) });
        }
        let from = self.current();
        for (p, v) in phis.iter_mut().zip(next) {
            let o = self.b.operand(p.ty, v);
            p.entries.push((from, o));
        }
    }
    /// Sets the entries of phis. A block to which nothing leads has constants in their place.
    fn close(&mut self, phis: Vec<Carried>) {
        for p in phis {
            if p.entries.is_empty() {
                let bits = constant_bits(self.rng, p.ty);
                let constant = self.b.operand(p.ty, Value::Bits(bits));
                self.b.func.replace_inst(p.inst, InstData::move_of(p.ty, constant).with_result(p.reg));
            } else {
                self.b.func.set_phi_entries(p.inst, &p.entries);
            }
        }
    }

    // ---- Counters ----

    fn trip_count(&mut self) -> Trips {
        let ty = self.integer_type();
        let end = if self.rng.chance(50) {
            Value::Int(self.rng.range(1, MAX_TRIPS as usize - 1) as i64)
        } else {
            let a = self.any(ty);
            let few = self.b.binary(Opcode::And, ty, a, MAX_TRIPS as i64 - 1);
            Value::Reg(few)
        };
        Trips { ty, end, down: self.rng.chance(30) }
    }
    fn start_of(trips: Trips) -> Value {
        if trips.down { trips.end } else { Value::Int(0) }
    }
    fn counter(
        &mut self,
        before: Block,
        head: Block,
        trips: Trips,
        starts: &[(Type, Value)],
    ) -> (Counter, Vec<Carried>) {
        let start = Self::start_of(trips);
        let in_register = (!self.variables.is_empty() && self.rng.chance(50)).then(|| self.b.reg(trips.ty));
        if let Some(r) = in_register {
            match start {
                Value::Reg(end) => self.b.assign(r).copy(end),
                start => self.b.assign(r).constant(trips.ty, start),
            };
        }
        self.b.jmp(head);
        self.b.switch_to(head);
        let counter = match in_register {
            Some(r) => Counter::Register(r),
            None => Counter::Phi(self.carried(trips.ty, before, start)),
        };
        let phis = self.carried_values(before, starts);
        (counter, phis)
    }
    /// Makes the next value of the counter. The current block must then jump to the head, or out of the loop.
    fn step(&mut self, counter: &mut Counter, trips: Trips) -> Reg {
        let by = if trips.down { -1 } else { 1 };
        match counter {
            Counter::Phi(phi) => self.b.binary(Opcode::Add, trips.ty, phi.reg, by),
            Counter::Register(r) => {
                let r = *r;
                self.b.assign(r).binary(Opcode::Add, trips.ty, r, by)
            }
        }
    }
    /// Jumps back to the head.
    fn go_back(&mut self, head: Block, counter: &mut Counter, trips: Trips, phis: &mut [Carried]) {
        self.carry(phis);
        let next = self.step(counter, trips);
        if let Counter::Phi(phi) = counter {
            phi.entries.push((self.current(), Operand::reg(next)));
        }
        self.b.jmp(head);
    }
    fn close_counter(&mut self, counter: Counter) {
        if let Counter::Phi(phi) = counter {
            self.close(vec![phi]);
        }
    }

    // ---- Statements ----

    /// `while`: a test at the head, sometimes a second back edge and an exit from the middle.
    pub(super) fn counted_loop(&mut self) {
        let starts = self.starts();
        let trips = self.trip_count();
        let before = self.current();
        // The exit is before or after the body in the text.
        let early = self.rng.chance(30).then(|| self.join("exit", 2));
        let head = self.b.fresh_block("loop");
        let (mut counter, mut phis) = self.counter(before, head, trips, &starts);
        let body = self.b.fresh_block("body");
        let mut exit = early.unwrap_or_else(|| self.join("exit", 2));
        self.trips *= MAX_TRIPS;
        self.enter(&mut exit);
        let at_head = self.mark();
        self.head_test(&counter, trips, body, &exit);
        self.b.switch_to(body);
        self.inner_statements();
        if self.rng.chance(30) {
            let on = self.b.fresh_block("on");
            self.enter(&mut exit);
            self.branch(exit.block, on);
            self.b.switch_to(on);
            self.inner_statements();
        }
        if self.rng.chance(25) {
            let [again, on] = ["continue", "on"].map(|label| self.b.fresh_block(label));
            self.branch(again, on);
            let mark = self.mark();
            self.b.switch_to(again);
            self.go_back(head, &mut counter, trips, &mut phis);
            self.release(&mark);
            self.b.switch_to(on);
            self.inner_statements();
        }
        self.go_back(head, &mut counter, trips, &mut phis);
        self.close(phis);
        self.close_counter(counter);
        self.trips /= MAX_TRIPS;
        self.release(&at_head);
        self.finish(exit);
    }

    fn head_test(&mut self, counter: &Counter, trips: Trips, body: Block, exit: &Join) {
        let i = match counter {
            Counter::Phi(phi) => phi.reg,
            Counter::Register(r) => *r,
        };
        // The counter is a value like others, but it is not reassigned.
        if matches!(counter, Counter::Phi(_)) {
            self.keep(trips.ty, i);
        }
        match (trips.down, self.rng.chance(50)) {
            (true, true) => self.b.branch(IntCC::Sgt, i, 0, body, exit.block),
            (true, false) => self.b.branch(IntCC::Eq, i, 0, exit.block, body),
            (false, true) => self.b.branch(IntCC::Ult, i, trips.end, body, exit.block),
            (false, false) => self.b.branch(IntCC::Sge, i, trips.end, exit.block, body),
        }
    }

    /// Makes a block that is its own predecessor, whose phis change places.
    pub(super) fn self_loop(&mut self) {
        let starts = self.starts();
        let before = self.current();
        let [head, exit] = ["self", "exit"].map(|label| self.b.fresh_block(label));
        let end = self.rng.range(1, MAX_TRIPS as usize - 1) as i64;
        let ty = self.integer_type();
        self.b.jmp(head);
        self.b.switch_to(head);
        let mut counter = self.carried(ty, before, Value::Int(0));
        let mut phis = self.carried_values(before, &starts);
        self.trips *= MAX_TRIPS;
        for _ in 0..self.rng.below(4) {
            self.expression();
        }
        self.trips /= MAX_TRIPS;
        self.carry(&mut phis);
        let next = self.b.binary(Opcode::Add, ty, counter.reg, 1);
        counter.entries.push((head, Operand::reg(next)));
        self.b.branch(IntCC::Slt, next, end, head, exit);
        phis.push(counter);
        self.close(phis);
        // The block dominates the following code, so its values may be used there.
        self.b.switch_to(exit);
    }

    /// Makes two blocks that jump to one another, each entered from outside. Their fuel runs out.
    pub(super) fn irreducible_loop(&mut self) {
        let starts = self.starts();
        let before = self.current();
        let [left, right] = ["left", "right"].map(|label| self.b.fresh_block(label));
        let mut exit = self.join("exit", 2);
        let fuel = Value::Int(self.rng.range(1, MAX_TRIPS as usize - 1) as i64);
        let mark = self.mark();
        self.branch(left, right);
        self.trips *= MAX_TRIPS;
        let mut entries = Vec::new();
        for (this, other) in [(left, right), (right, left)] {
            self.release(&mark);
            self.b.switch_to(this);
            let mut phis = vec![self.carried(Type::I32, before, fuel)];
            phis.extend(self.carried_values(before, &starts));
            self.inner_statements();
            let rest = self.b.binary(Opcode::Sub, Type::I32, phis[0].reg, 1);
            let mut out = vec![Operand::reg(rest)];
            for p in &phis[1..] {
                let v = self.value(p.ty);
                out.push(self.b.operand(p.ty, v));
            }
            self.enter(&mut exit);
            entries.push((phis, self.current(), out));
            self.b.branch(IntCC::Sle, rest, 0, exit.block, other);
        }
        self.trips /= MAX_TRIPS;
        // The phis of each one take the values of the other.
        let (right_phis, right_end, right_out) = entries.pop().expect("two blocks were made");
        let (left_phis, left_end, left_out) = entries.pop().expect("two blocks were made");
        for (phis, from, out) in [(left_phis, right_end, right_out), (right_phis, left_end, left_out)] {
            let both = phis.into_iter().zip(out).map(|(mut p, o)| {
                p.entries.push((from, o));
                p
            });
            let both = both.collect();
            self.close(both);
        }
        self.release(&mark);
        self.finish(exit);
    }
}
