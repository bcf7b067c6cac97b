//! Facts about registers while the pass runs, in dense tables kept from function to function.

use super::rules::index::{Class, OPAQUE, PROMISED, class_of, class_of_constant, is_constant};
use crate::analysis::known_bits::{Bits, KnownBits, Limits};
use crate::edit::reads::replace_reads;
use lir_syntax::ir::{Function, Inst, Opcode, Operand, PackedOption, Reg, SecondaryMap, Type};

/// The facts about one register that are used most, in one place.
#[derive(Copy, Clone, Default)]
struct RegisterFact {
    /// The instruction that assigns it.
    def: PackedOption<Inst>,
    /// The number of times it is read.
    uses: u32,
    class: Class,
}

/// Facts about registers, kept up to date while instructions are rewritten.
#[derive(Default)]
pub(super) struct RegisterFacts {
    registers: SecondaryMap<Reg, RegisterFact>,
    /// The operand that replaces a register whose instruction was removed. None for the others.
    replaced: SecondaryMap<Reg, Operand>,
    pub num_replaced: usize,
    known: KnownBits,
    /// Distance of a register to a change that its readers may have missed. 0 if nothing changed, else the number of
    /// operations that the change may still be seen through. Of the iteration before.
    stale: SecondaryMap<Reg, u8>,
    /// The same for the next iteration.
    next_stale: SecondaryMap<Reg, u8>,
    any_stale: bool,
    /// True if every instruction is visited, so that readers come after their operands.
    first_iteration: bool,
    /// Instructions that became unused.
    unused: Vec<Inst>,
    /// The rules that were applied, one after the other.
    pub applied: Vec<&'static str>,
}

/// The distance at which a change may be seen: the depth of left sides in operations.
pub(super) const DEPTH: u8 = 3;

impl RegisterFacts {
    /// Knows nothing, of no function.
    pub fn clear(&mut self) {
        self.forget_all(0);
    }
    /// Looks at every instruction once.
    pub fn reset(&mut self, f: &Function) {
        self.forget_all(f.num_regs());
        for (param, _) in f.promised_params() {
            self.registers[param].class = PROMISED;
        }
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                f.for_each_use(i, |r| self.registers[r].uses += 1);
                if let Some(r) = f.def(i) {
                    self.set_def(f, r, i);
                }
            }
        }
        if f.may_have_value_promises() {
            self.note_promises(f);
        }
    }
    /// Gives results that have promises their class.
    #[cold]
    fn note_promises(&mut self, f: &Function) {
        for i in f.layout().all_insts().filter(|i| f.has_value_promises(*i)) {
            if let Some(r) = f.def(i) {
                self.registers[r].class = PROMISED;
            }
        }
    }
    fn forget_all(&mut self, n: usize) {
        self.registers.reset(n);
        self.replaced.reset(n);
        self.next_stale.reset(0);
        self.known.reset();
        (self.num_replaced, self.any_stale, self.first_iteration) = (0, false, true);
        self.unused.clear();
        self.applied.clear();
    }
    /// Forgets the assignment of a register. Its bits remain known.
    pub(crate) fn forget_def(&mut self, r: Reg) {
        let fact = &mut self.registers[r];
        (fact.def, fact.class) = (PackedOption::NONE, OPAQUE);
    }
    /// Notes that `i` assigns `r`.
    #[inline]
    pub(crate) fn set_def(&mut self, f: &Function, r: Reg, i: Inst) {
        let d = f.inst(i);
        let class = if d.op == Opcode::Const {
            let w = d.ty.as_word();
            f.constant_bits(d.first(), w).map_or(OPAQUE, |bits| class_of_constant(w, bits))
        } else {
            class_of(d.op)
        };
        let fact = &mut self.registers[r];
        (fact.def, fact.class) = (i.into(), class);
    }
    /// Returns the instruction that assigns a register; none for parameters.
    #[inline]
    pub fn def(&self, r: Reg) -> Option<Inst> {
        self.registers.get(r).def.expand()
    }
    #[inline]
    pub fn class(&self, r: Reg) -> Class {
        self.registers.get(r).class
    }
    /// Returns the class of an operand that has type `ty` where it is a constant.
    #[inline]
    pub(crate) fn class_of_operand(&self, f: &Function, o: Operand, ty: Type) -> Class {
        let w = ty.as_word();
        match o.as_reg() {
            Some(r) => self.class(r),
            None => f.constant_bits(o, w).map_or(OPAQUE, |bits| class_of_constant(w, bits)),
        }
    }
    /// Returns the bits of an operand of type `ty`, if it is or holds a constant.
    #[inline]
    pub fn constant(&self, f: &Function, o: Operand, ty: Type) -> Option<u64> {
        let o = match o.as_reg() {
            Some(r) if is_constant(self.class(r)) => f.inst(self.def(r)?).first(),
            Some(_) => return None,
            None => o,
        };
        f.constant_bits(o, ty.as_word())
    }
    /// Number of times a register is read.
    #[inline]
    pub fn uses(&self, r: Reg) -> u32 {
        self.registers.get(r).uses
    }
    /// Returns the operand that replaces another one now.
    #[inline]
    pub fn resolved(&self, mut o: Operand) -> Operand {
        while let Some(r) = o.as_reg()
            && !self.replaced.get(r).is_none()
        {
            o = *self.replaced.get(r);
        }
        o
    }
    /// Makes an instruction read the replacements of registers whose instructions were removed. Returns whether it was
    /// changed.
    #[inline]
    pub(crate) fn replace_operands(&self, f: &mut Function, i: Inst) -> bool {
        let is_replaced = |r| !self.replaced.get(r).is_none();
        replace_reads(f, i, |r| is_replaced(r).then(|| self.resolved(Operand::reg(r))))
    }
    /// Replaces `r` by `by`, a register, which gets the readers of `r`.
    pub fn replace(&mut self, r: Reg, by: Reg) {
        let readers = std::mem::take(&mut self.registers[r].uses);
        self.registers[by].uses += readers;
        self.replaced[r] = Operand::reg(by);
        self.num_replaced += 1;
        self.note_rewritten(by);
    }
    /// One more reader of an operand.
    #[inline]
    pub(crate) fn add_use(&mut self, o: Operand) {
        if let Some(r) = o.as_reg() {
            self.registers[r].uses += 1;
        }
    }
    /// Adds a reader of a register, until [`RegisterFacts::release`].
    #[inline]
    pub fn hold(&mut self, r: Reg) {
        self.registers[r].uses += 1;
    }
    /// Removes a reader of the replacement of a register. The replacement is kept, even if nothing else reads it.
    #[inline]
    pub fn release(&mut self, r: Reg) {
        if let Some(r) = self.resolved(Operand::reg(r)).as_reg() {
            self.registers[r].uses -= 1;
        }
    }
    /// Removes a reader. After the last one, [`RegisterFacts::take_unused`] returns the instruction.
    pub(crate) fn drop_use(&mut self, o: Operand) {
        let Some(r) = self.resolved(o).as_reg() else { return };
        self.registers[r].uses -= 1;
        match self.uses(r) {
            0 => self.unused.extend(self.def(r)),
            // The remaining reader may have been visited when there was another.
            1 => self.note_change(r),
            _ => {}
        }
    }
    /// Returns an instruction that lost its last reader.
    pub(crate) fn take_unused(&mut self) -> Option<Inst> {
        self.unused.pop()
    }
    fn note_change(&mut self, r: Reg) {
        self.next_stale[r] = DEPTH;
        self.any_stale = true;
    }
    /// Forgets the known bits of a register: its new computation may give more.
    pub(crate) fn forget_bits(&mut self, r: Reg) {
        self.known.forget(r);
    }
    /// Records that an instruction was rewritten. In the first iteration its readers are visited later.
    pub(crate) fn note_rewritten(&mut self, r: Reg) {
        if !self.first_iteration {
            self.note_change(r);
        }
    }
    /// Ends the first iteration: from now on readers may have been visited before their operands change.
    pub(crate) fn end_first_iteration(&mut self) {
        self.first_iteration = false;
    }
    /// Begins another iteration, which visits the instructions near a change. Returns whether there are any.
    pub(crate) fn begin_iteration(&mut self) -> bool {
        std::mem::swap(&mut self.stale, &mut self.next_stale);
        self.next_stale.reset(0);
        self.first_iteration = false;
        std::mem::take(&mut self.any_stale)
    }
    /// True if an instruction has to be visited again, for something near it changed.
    pub(crate) fn is_near_change(&mut self, f: &Function, i: Inst) -> bool {
        let mut near = 0;
        f.for_each_use(i, |r| near = near.max(*self.stale.get(r)));
        if near > 1
            && let Some(r) = f.def(i)
            && *self.stale.get(r) < near - 1
        {
            self.stale[r] = near - 1;
        }
        near > 0
    }
    pub(crate) fn known_bits(&mut self, f: &Function, o: Operand, ty: Type) -> Bits {
        let RegisterFacts { known, registers, .. } = self;
        known.of(f, |r| registers.get(r).def.expand(), o, ty)
    }
    /// Returns the limits of an operand.
    pub fn limits(&mut self, f: &Function, o: Operand, ty: Type) -> Limits {
        let RegisterFacts { known, registers, .. } = self;
        known.limits(f, |r| registers.get(r).def.expand(), o, ty)
    }
}
