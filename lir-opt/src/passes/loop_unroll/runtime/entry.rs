//! The tests before a group of iterations and at its end.

use super::{Choice, Entry};
use lir_syntax::ir::{Block, Function, Inst, InstData, IntCC, NameRef, Opcode, Operand, Type};

/// The entry of a group.
pub(super) struct Entered {
    /// The block that leads to the group.
    pub(super) block: Block,
    /// The number on whose one side the next group may follow. None where the test is `ne`.
    limit: Option<Operand>,
    /// The same, if it is not the preheader, but a block behind that for a second test. Both lead to the loop as well.
    pub(super) second: Option<Block>,
}

/// Instructions in front of a terminator.
struct Before<'f> {
    f: &'f mut Function,
    at: Inst,
    ty: Type,
}

impl Before<'_> {
    /// Adds an instruction. Returns its result.
    fn add(&mut self, data: InstData) -> Operand {
        let result = self.f.new_reg(self.ty, NameRef::NONE);
        self.f.insert_before(self.at, data.with_result(result));
        result.into()
    }
    fn in_register(&mut self, o: Operand) -> Operand {
        if o.is_reg() { o } else { self.add(InstData::move_of(self.ty, o)) }
    }
    /// The difference of two operands.
    fn difference(&mut self, a: Operand, b: Operand) -> Operand {
        let a = self.in_register(a);
        self.add(InstData::binary(Opcode::Sub, self.ty, a, b))
    }
    /// A bound less what the counter grows by.
    fn limit(&mut self, choice: &Choice) -> Operand {
        let growth = self.f.make_typed_const(self.ty, choice.growth as u64);
        self.difference(choice.test.bound, growth)
    }
    /// The distance of a counter from the bound, without a sign.
    fn distance(&mut self, choice: &Choice, from: Operand) -> Operand {
        match choice.growth > 0 {
            true => self.difference(choice.test.bound, from),
            false => self.difference(from, choice.test.bound),
        }
    }
    /// The branch that is taken where the distance is greater than the growth, or as great where that passes.
    fn is_far(&mut self, choice: &Choice, distance: Operand) -> InstData {
        let passes_equal = matches!(choice.test.stay, IntCC::Sle | IntCC::Ule | IntCC::Sge | IntCC::Uge);
        let growth = self.f.make_typed_const(self.ty, choice.growth.unsigned_abs());
        self.branch(if passes_equal { IntCC::Uge } else { IntCC::Ugt }, distance, growth)
    }
    fn branch(&mut self, cc: IntCC, a: Operand, b: Operand) -> InstData {
        let a = self.in_register(a);
        InstData::new(Opcode::Br, self.ty).with_first(a).with_second(b).with_predicate(cc)
    }
}

/// Has the block before a loop lead to its group where one may be executed.
pub(super) fn enter(f: &mut Function, choice: &Choice, first: Block) -> Entered {
    let (preheader, header) = (choice.shape.preheader, choice.shape.header);
    let jump = f.terminator(preheader);
    let mut before = Before { f, at: jump, ty: choice.ty };
    let stay = choice.test.stay;
    match choice.entry {
        Entry::Distance => {
            let distance = before.distance(choice, choice.iv.start);
            let limit = (stay != IntCC::Ne).then(|| before.limit(choice));
            let branch = before.is_far(choice, distance);
            f.replace_inst(jump, branch);
            f.set_succs(preheader, &[first, header]);
            Entered { block: preheader, limit, second: None }
        }
        Entry::Difference => {
            let limit = before.limit(choice);
            let branch = before.branch(stay, choice.iv.start, limit);
            f.replace_inst(jump, branch);
            f.set_succs(preheader, &[first, header]);
            Entered { block: preheader, limit: Some(limit), second: None }
        }
        Entry::WrappingDifference => {
            let limit = before.limit(choice);
            let does_not_wrap = match stay {
                IntCC::Slt | IntCC::Sle => IntCC::Slt,
                IntCC::Sgt | IntCC::Sge => IntCC::Sgt,
                IntCC::Ult | IntCC::Ule => IntCC::Ult,
                IntCC::Ugt | IntCC::Uge => IntCC::Ugt,
                IntCC::Eq | IntCC::Ne => unreachable!("nothing is ordered by it"),
            };
            let starts = before.branch(stay, choice.iv.start, limit);
            let branch = before.branch(does_not_wrap, limit, choice.test.bound);
            let second = f.make_block(f.block(preheader).name.derived());
            f.insert_block_after(second, preheader);
            f.append_inst(second, starts, f.loc_of(jump));
            f.set_succs(second, &[first, header]);
            f.replace_inst(jump, branch);
            f.set_succs(preheader, &[second, header]);
            Entered { block: second, limit: Some(limit), second: Some(second) }
        }
    }
}

/// Adds the branch at the end of a group, at which the counter will be `next`.
pub(super) fn leave(f: &mut Function, choice: &Choice, entered: &Entered, latch: Block, next: Operand) {
    let loc = f.loc_of(f.terminator(choice.shape.latch));
    // The instructions of the distance stand in front of something.
    f.append_inst(latch, InstData::new(Opcode::Jmp, Type::I64), loc);
    let at = f.terminator(latch);
    let mut before = Before { f, at, ty: choice.ty };
    let branch = match entered.limit {
        Some(limit) => before.branch(choice.test.stay, next, limit),
        None => {
            let distance = before.distance(choice, next);
            before.is_far(choice, distance)
        }
    };
    f.replace_inst(at, branch);
}
