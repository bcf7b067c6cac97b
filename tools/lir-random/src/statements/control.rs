//! Branches and switches, with phis where their paths meet.

use crate::body::{Body, Join, Mark};
use crate::constants::constant_bits;
use crate::surroundings::Purity;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Block, CallArg, Ext, IntCC, Opcode, Type};

impl Body<'_> {
    /// Fills arms that end in the join, and continues there. Each begins with the registers of `mark`.
    fn finish_arms(
        &mut self,
        mark: &Mark,
        mut join: Join,
        arms: impl IntoIterator<Item = Block>,
        fill: impl Fn(&mut Self),
    ) {
        for arm in arms {
            self.release(mark);
            self.b.switch_to(arm);
            fill(self);
            self.enter(&mut join);
            self.b.jmp(join.block);
        }
        self.release(mark);
        self.finish(join);
    }

    /// Makes two arms, or one and an edge past it.
    pub(super) fn if_else(&mut self) {
        let mark = self.mark();
        let mut early = self.rng.chance(30).then(|| self.join("join", 3));
        let then = self.b.fresh_block("then");
        let both = self.rng.chance(60);
        let otherwise = both.then(|| self.b.fresh_block("else"));
        let mut join = early.take().unwrap_or_else(|| self.join("join", 3));
        if !both {
            self.enter(&mut join);
        }
        if self.rng.chance(4) && !both {
            self.branch(join.block, join.block);
            // The arm is unreachable, and has its entries in the phis all the same.
        } else if self.rng.chance(50) {
            self.branch(then, otherwise.unwrap_or(join.block));
        } else {
            self.branch(otherwise.unwrap_or(join.block), then);
        }
        self.finish_arms(&mark, join, [Some(then), otherwise].into_iter().flatten(), Self::inner_statements);
    }

    /// Makes a switch whose cases share targets; some go to the join at once.
    pub(super) fn switch(&mut self) {
        let mark = self.mark();
        let ty = self.integer_type();
        let a = self.any(ty);
        // With all values of the operand among the cases, the default may be unreachable.
        let width = self.rng.pick(&[0, 2, 3, 4, 6]);
        let operand = if width > 0 { self.b.binary(Opcode::And, ty, a, (1 << width) - 1) } else { a };
        let mut cases = self.case_values(ty, width);
        let mut operand = operand;
        if width > 0 && self.rng.chance(30) {
            // The same somewhere else, where it is not known that there are few values.
            let low = self.rng.below(80) as i64 - 60;
            operand = self.b.binary(Opcode::Add, ty, operand, low);
            cases.iter_mut().for_each(|v| *v += low);
        }
        let most = if width > 3 { 9 } else { 4 };
        let arms: Vec<Block> = (0..self.rng.range(1, most)).map(|_| self.b.fresh_block("case")).collect();
        let mut join = self.join("join", 3);
        self.enter(&mut join);
        let targets: Vec<(i64, Block)> = cases.iter().map(|v| (*v, self.target(&arms, &join))).collect();
        let dead = (matches!(width, 2 | 3) && self.this.purity == Purity::Any && self.rng.chance(50))
            .then(|| self.b.fresh_block("never"));
        // The phis have an entry for this block, so it jumps to the join in any case.
        let default = match dead {
            Some(dead) if targets.iter().any(|t| t.1 == join.block) => dead,
            _ => join.block,
        };
        self.b.switch(operand, default, &targets);
        if let Some(dead) = dead {
            self.b.switch_to(dead);
            self.b.unreachable();
        }
        self.finish_arms(&mark, join, arms, Self::inner_statements);
    }

    /// Tests of one value for equality, one after the other: they become a switch, or are decided by the test before.
    pub(super) fn equality_chain(&mut self) {
        let mark = self.mark();
        let ty = self.integer_type();
        let a = self.any(ty);
        let width = self.rng.pick(&[0, 2, 3]);
        let operand = if width > 0 { self.b.binary(Opcode::And, ty, a, (1 << width) - 1) } else { a };
        let mut values = self.case_values(ty, width);
        values.truncate(6);
        if let (Some(v), true) = (values.first().copied(), self.rng.chance(30)) {
            values.push(v);
        }
        let arms: Vec<Block> = (0..self.rng.range(1, 3)).map(|_| self.b.fresh_block("equal")).collect();
        let mut join = self.join("join", 2);
        for v in values {
            let (arm, next) = (self.rng.pick(&arms), self.b.fresh_block("test"));
            let v = Value::Bits(ty.as_word().truncate(v as u64));
            match self.rng.below(10) {
                0..7 => self.b.branch(IntCC::Eq, operand, v, arm, next),
                7..9 => self.b.branch(IntCC::Ne, operand, v, next, arm),
                _ => self.b.branch(self.rng.pick(IntCC::ALL), operand, v, arm, next),
            }
            self.b.switch_to(next);
            if self.rng.chance(15) {
                self.expression();
            }
        }
        self.enter(&mut join);
        self.b.jmp(join.block);
        self.finish_arms(&mark, join, arms, |g| {
            if g.rng.chance(50) {
                g.inner_statements();
            }
        });
    }

    fn target(&mut self, arms: &[Block], join: &Join) -> Block {
        if self.rng.chance(15) { join.block } else { self.rng.pick(arms) }
    }

    /// Distinct case values: all of `width` bits, or of more bits some, densely or sparsely, or some at the edges of
    /// the type.
    fn case_values(&mut self, ty: Type, width: u32) -> Vec<i64> {
        if width > 3 {
            let percent = self.rng.pick(&[10, 50, 90]);
            return (0..1 << width).filter(|_| self.rng.chance(percent)).collect();
        }
        if width > 0 {
            return (0..1 << width).collect();
        }
        let mut values: Vec<i64> =
            (0..self.rng.below(9)).map(|_| ty.as_word().sign_extend(constant_bits(self.rng, ty))).collect();
        if self.rng.chance(40) {
            let first = self.rng.below(100) as i64;
            values.extend(first..first + 10);
        }
        let mut seen = Vec::new();
        values.retain(|v| {
            !seen.contains(v) && {
                seen.push(*v);
                true
            }
        });
        values
    }

    /// Makes a path that ends the function, seldom taken: a return, or in a function that may trap a trap.
    pub(super) fn rare_end(&mut self) {
        let mark = self.mark();
        let [end, go_on] = ["end", "on"].map(|label| self.b.fresh_block(label));
        let (ty, v) = (Type::I32, self.rng.bits() as i32);
        let a = self.any(ty);
        self.b.branch(IntCC::Eq, a, v, end, go_on);
        self.b.switch_to(end);
        if self.rng.chance(70) && self.returns_plainly() {
            self.return_result();
        } else {
            if let Some(trap) = self.around.never_returns.filter(|_| self.rng.chance(50)) {
                let c = self.any(Type::I32);
                self.b.call(self.around.decls, trap, &[CallArg::Reg(c, Ext::None)], None);
            }
            self.b.unreachable();
        }
        self.release(&mark);
        self.b.switch_to(go_on);
    }

    /// `@test` hashes all data before it returns, so it returns only at its end.
    fn returns_plainly(&self) -> bool {
        !self.this.sig.variadic
    }
}
