//! The tests before a group of iterations and at its end.

use super::{Choice, FirstTest};
use crate::edit::blocks::{JUMP, block_like};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Block, Function, Inst, InstData, IntCC, Opcode, Operand, Reg};

/// The way into a group.
pub(super) struct GroupEntry {
    /// The block that leads to the group.
    pub(super) block: Block,
    /// The limit: the next group may follow if the counter is on one side of it. None if the distance is tested.
    limit: Option<Operand>,
    /// The same block, if it is not the preheader, but one after it for a second test. Both lead to the loop, too.
    pub(super) second: Option<Block>,
}

/// Inserts the operands of the tests of a group before a terminator.
struct TestWriter<'f> {
    b: FunctionBuilder<'f>,
    choice: &'f Choice,
}

impl<'f> TestWriter<'f> {
    fn new(f: &'f mut Function, at: Inst, choice: &'f Choice) -> TestWriter<'f> {
        TestWriter { b: FunctionBuilder::before(f, at), choice }
    }
    fn in_register(&mut self, o: Operand) -> Reg {
        o.as_reg().unwrap_or_else(|| self.b.constant(self.choice.ty, o))
    }
    fn difference(&mut self, a: Operand, b: Operand) -> Reg {
        let a = self.in_register(a);
        self.b.binary(Opcode::Sub, self.choice.ty, a, b)
    }
    /// Computes the bound minus the growth of the counter.
    fn limit(&mut self) -> Reg {
        let growth = self.b.operand(self.choice.ty, self.choice.growth);
        self.difference(self.choice.test.bound, growth)
    }
    /// Computes the distance of a counter from the bound, unsigned.
    fn distance(&mut self, from: Operand) -> Reg {
        let bound = self.choice.test.bound;
        if self.choice.growth > 0 { self.difference(bound, from) } else { self.difference(from, bound) }
    }
    /// Returns the branch that is taken where the distance is greater than the growth, or as great where that passes.
    fn branch_if_far(&mut self, distance: Reg) -> InstData {
        let passes_equal = matches!(self.choice.test.stay, IntCC::Sle | IntCC::Ule | IntCC::Sge | IntCC::Uge);
        let growth = self.b.func.make_typed_const(self.choice.ty, self.choice.growth.unsigned_abs());
        self.branch(if passes_equal { IntCC::Uge } else { IntCC::Ugt }, distance.into(), growth)
    }
    /// Returns the branch that is always taken.
    fn branch_always(&mut self) -> InstData {
        let zero = self.b.operand(self.choice.ty, 0);
        self.branch(IntCC::Eq, zero, zero)
    }
    fn branch(&mut self, cc: IntCC, a: Operand, b: Operand) -> InstData {
        let a = self.in_register(a);
        InstData::new(Opcode::Br, self.choice.ty).with_first(a).with_second(b).with_predicate(cc)
    }
}

/// Has the block before a loop lead to its group where one may be executed.
pub(super) fn enter(f: &mut Function, choice: &Choice, first: Block) -> GroupEntry {
    let (preheader, header) = (choice.shape.preheader, choice.shape.header);
    let jump = f.terminator(preheader);
    let mut writer = TestWriter::new(f, jump, choice);
    let (stay, start) = (choice.test.stay, choice.iv.start);
    let (block, limit, branch) = match choice.first_test {
        FirstTest::Always => (preheader, Some(choice.test.bound), writer.branch_always()),
        FirstTest::Distance => {
            let distance = writer.distance(start);
            let limit = (stay != IntCC::Ne).then(|| writer.limit().into());
            (preheader, limit, writer.branch_if_far(distance))
        }
        FirstTest::Difference => {
            let limit = writer.limit();
            (preheader, Some(limit.into()), writer.branch(stay, start, limit.into()))
        }
        FirstTest::WrappingDifference => {
            let limit = writer.limit();
            let starts = writer.branch(stay, start, limit.into());
            let does_not_wrap = writer.branch(strictly(stay), limit.into(), choice.test.bound);
            let second = block_like(f, preheader, preheader);
            f.append_inst(second, starts, f.debug_loc(jump));
            f.set_succs(second, &[first, header]);
            (second, Some(limit.into()), does_not_wrap)
        }
    };
    f.replace_inst(jump, branch);
    let second = Some(block).filter(|b| *b != preheader);
    f.set_succs(preheader, &[second.unwrap_or(first), header]);
    GroupEntry { block, limit, second }
}

/// The same order without equality.
fn strictly(stay: IntCC) -> IntCC {
    match stay {
        IntCC::Slt | IntCC::Sle => IntCC::Slt,
        IntCC::Sgt | IntCC::Sge => IntCC::Sgt,
        IntCC::Ult | IntCC::Ule => IntCC::Ult,
        IntCC::Ugt | IntCC::Uge => IntCC::Ugt,
        IntCC::Eq | IntCC::Ne => unreachable!("nothing is ordered by it"),
    }
}

/// Adds the branch at the end of a group, at which the counter will be `next`.
pub(super) fn leave(f: &mut Function, choice: &Choice, entry: &GroupEntry, latch: Block, next: Operand) {
    let loc = f.debug_loc(f.terminator(choice.shape.latch));
    // The instructions of the distance need an insertion point.
    let at = f.append_inst(latch, JUMP, loc);
    let mut writer = TestWriter::new(f, at, choice);
    let branch = match entry.limit {
        Some(limit) => writer.branch(choice.test.stay, next, limit),
        None => {
            let distance = writer.distance(next);
            writer.branch_if_far(distance)
        }
    };
    f.replace_inst(at, branch);
}

/// Makes the block after a group leave the loop, since no iterations are left.
pub(super) fn skip_rest(f: &mut Function, choice: &Choice, rest: Block) {
    let test = f.terminator(rest);
    let mut writer = TestWriter::new(f, test, choice);
    let branch = writer.branch_always();
    let exits_first = f.succs(choice.shape.latch)[0] != choice.shape.header;
    let cc = if exits_first { IntCC::Eq } else { IntCC::Ne };
    f.replace_inst(test, branch.with_predicate(cc));
}
