//! The conditions before a loop under which its copy is entered, and the sums of the other loop in 64 bits.

use super::Version;
use super::counter_sums::CounterSum;
use lir_syntax::ir::{Function, Inst, InstData, IntCC, NameRef, Opcode, Operand, Reg, Type};

/// The instructions before a loop that make up its condition.
pub(super) struct Guard<'f> {
    f: &'f mut Function,
    /// The jump to the loop.
    jump: Inst,
    /// The type of the counter.
    ty: Type,
    /// Registers, and the registers that hold their extensions.
    extended: Vec<(Reg, Operand)>,
    /// Numbers from 0 to 2^width - 1 if nothing wraps, combined by `or`.
    checked: Option<Operand>,
}

impl<'f> Guard<'f> {
    pub(super) fn new(f: &'f mut Function, jump: Inst, ty: Type) -> Guard<'f> {
        Guard { f, jump, ty, extended: Vec::new(), checked: None }
    }
    /// Makes the sums of a loop wide. Returns the branches to its copy, which are taken where something wraps.
    pub(super) fn apply(mut self, version: &Version) -> Vec<InstData> {
        let bound = version.test.bound;
        for extended in &version.sums {
            let part = self.invariant_part(&extended.sum);
            for end in [version.iv.start, bound] {
                let end = self.number(end);
                let sum = self.sum(part, extended.sum.minus_counter, end);
                self.check(sum);
            }
            for &i in &extended.extensions {
                self.widen(i, version.iv.value, part, extended.sum.minus_counter);
            }
        }
        let branch = |ty, cc, a, b| InstData::new(Opcode::Br, ty).with_first(a).with_second(b).with_predicate(cc);
        let mut branches = Vec::new();
        if let Some(checked) = self.checked {
            let width = self.f.make_const(i64::from(self.ty.bits()));
            let beyond = self.before(InstData::binary(Opcode::Lshr, Type::I64, checked, width));
            branches.push(branch(Type::I64, IntCC::Ne, beyond, self.f.make_const(0)));
        }
        if let Some(wraps_at) = version.wraps_at {
            branches.push(branch(self.ty, IntCC::Eq, bound, self.f.make_const(wraps_at)));
        }
        branches
    }
    /// Adds an instruction before the loop. Returns its result.
    fn before(&mut self, data: InstData) -> Operand {
        let result = self.f.new_reg(Type::I64, NameRef::NONE);
        self.f.insert_before(self.jump, data.with_result(result));
        result.into()
    }
    /// Adds the check that a number is one of the counter's type.
    fn check(&mut self, number: Operand) {
        let offset = self.f.make_const(self.ty.as_word().sign_bit() as i64);
        let number = self.before(InstData::binary(Opcode::Add, Type::I64, number, offset));
        self.checked = Some(match self.checked {
            Some(others) => self.before(InstData::binary(Opcode::Or, Type::I64, others, number)),
            None => number,
        });
    }
    /// Returns the number that an operand is, in 64 bits.
    fn number(&mut self, o: Operand) -> Operand {
        let Some(r) = o.as_reg() else {
            let n = self.f.constant(o).expect("an operand is a register or a constant");
            return self.f.make_typed_const(self.ty, n as u64);
        };
        if let Some((_, wide)) = self.extended.iter().find(|(known, _)| *known == r) {
            return *wide;
        }
        let wide = self.before(InstData::convert(Opcode::Sext, self.ty, Type::I64, r));
        self.extended.push((r, wide));
        wide
    }
    /// Returns a register with this number.
    fn in_register(&mut self, o: Operand) -> Operand {
        if o.is_reg() { o } else { self.before(InstData::move_of(Type::I64, o)) }
    }
    /// Returns all of a sum but the counter.
    fn invariant_part(&mut self, sum: &CounterSum) -> Operand {
        let constant = self.f.make_const(sum.constant);
        let mut terms = sum.terms.iter().map(|(r, minus)| (Operand::reg(*r), *minus)).peekable();
        let is_added = |(_, minus): &(Operand, bool)| !minus;
        let mut part = match terms.next_if(is_added) {
            Some((r, _)) if sum.constant == 0 => self.number(r),
            Some((r, _)) => {
                let first = self.number(r);
                self.before(InstData::binary(Opcode::Add, Type::I64, first, constant))
            }
            None => self.in_register(constant),
        };
        for (r, minus) in terms {
            let term = self.number(r);
            part = self.sum(part, minus, term);
        }
        part
    }
    fn sum(&mut self, a: Operand, minus: bool, b: Operand) -> Operand {
        self.before(InstData::binary(if minus { Opcode::Sub } else { Opcode::Add }, Type::I64, a, b))
    }
    /// Makes an extended sum in the loop the sum of the extended counter with the rest.
    fn widen(&mut self, extension: Inst, counter: Reg, part: Operand, minus_counter: bool) {
        let wide = self.f.new_reg(Type::I64, self.f.regs[counter].name);
        let extended = InstData::convert(Opcode::Sext, self.ty, Type::I64, counter).with_result(wide);
        self.f.insert_before(extension, extended);
        let (op, a, b) = match minus_counter {
            true => (Opcode::Sub, part, wide.into()),
            false => (Opcode::Add, wide.into(), part),
        };
        let result = self.f.inst(extension).result();
        self.f.replace_inst(extension, InstData::binary(op, Type::I64, a, b).with_result(result));
    }
}
