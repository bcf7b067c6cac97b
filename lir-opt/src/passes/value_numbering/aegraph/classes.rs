//! The classes of values and their forms: steps 2 and 3.

use crate::analysis::effects::{is_trapping_arithmetic, may_trap};
use crate::edit::reads::{for_each_inst_left, reads_any};
use crate::pass::fuel::Fuel;
use crate::pass::remarks::Remarks;
use crate::passes::simplify::alternatives::Alternative;
use crate::passes::simplify::one_by_one::{Around, RulesOneByOne};
use crate::passes::value_numbering::gvn::table::{AvailableTable, Strategy};
use crate::passes::value_numbering::key::ValueKey;
use lir_syntax::ir::{
    Block, Cfg, Decls, DominatorTree, EntitySet, Format, Function, Inst, InstData, Opcode, Operand, PackedOption, Reg,
    SecondaryMap,
};
use smallvec::SmallVec;

/// Forms of a class at most.
pub(super) const MAX_FORMS: usize = 6;
/// Limit on the nesting of rules: an operand that a rule makes below a form is given forms itself.
pub(super) const MAX_DEPTH: u32 = 3;
/// Other forms of an operand that rules look at.
const MAX_OTHERS: usize = 3;

/// The cost of a form that is not to be chosen.
const NEVER: u32 = u32::MAX;

/// The numbers of things that were found and made.
#[derive(Copy, Clone, Default)]
pub(super) struct Counts {
    pub found: u64,
    pub forms: u64,
    pub unified: u64,
    pub rewritten: u64,
}

/// The classes of a function.
#[derive(Default)]
pub(super) struct Classes {
    pub rules: RulesOneByOne,
    /// The instruction that computes a class best. None for an instruction that stays where it is.
    pub best: SecondaryMap<Reg, PackedOption<Inst>>,
    cost: SecondaryMap<Reg, u32>,
    /// The block of the first occurrence of a class.
    pub home: SecondaryMap<Reg, Option<Block>>,
    /// The forms of a class: the first, and the next of each.
    first_form: SecondaryMap<Reg, PackedOption<Inst>>,
    next_form: SecondaryMap<Inst, PackedOption<Inst>>,
    table: AvailableTable,
    /// All registers hold one value each.
    values: EntitySet<Reg>,
    /// Instructions that were made for forms and may trap, so that nothing reads them.
    refused: Vec<Inst>,
    pub counts: Counts,
}

impl Classes {
    /// Begins a function, whose blocks are given in reverse postorder.
    pub fn reset(&mut self, f: &mut Function, rpo: &[Block], around: (&Decls, &mut Remarks)) {
        self.rules.reset(f, rpo, around);
        self.best.reset(f.num_regs());
        self.cost.reset(f.num_regs());
        self.home.reset(0);
        self.first_form.reset(0);
        self.next_form.reset(0);
        self.table.reset(Strategy::default(), f.num_regs());
        self.values.clear();
        self.values.extend(f.regs.keys());
        self.counts = Counts::default();
    }
    fn forms(&self, r: Reg) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.first_form.get(r).expand(), |i| self.next_form.get(*i).expand())
    }
    /// Returns the cost of a class that is complete.
    pub fn cost(&self, r: Reg) -> u32 {
        *self.cost.get(r)
    }
    /// Returns the number of forms of a class.
    pub(super) fn num_forms(&self, r: Reg) -> usize {
        self.forms(r).count()
    }
    /// True if the best form is not the one that was there.
    pub(super) fn is_rewritten(&self, r: Reg) -> bool {
        self.first_form[r] != self.best[r]
    }
    fn cost_of_class(&self, r: Reg) -> u32 {
        self.rules.resolved(Operand::reg(r)).as_reg().map_or(0, |r| *self.cost.get(r))
    }
    /// Returns the cost of a form: of the operations that have to be computed for it alone.
    fn cost_of(&self, f: &Function, form: Inst) -> u32 {
        let d = f.inst(form);
        let mut cost = weight(d);
        f.for_each_use(form, |r| {
            if let Some(r) = self.rules.resolved(Operand::reg(r)).as_reg() {
                let of_operand = *self.cost.get(r);
                let is_paid = of_operand != NEVER && self.rules.is_shared(r);
                cost = cost.saturating_add(if is_paid { 0 } else { of_operand });
            }
        });
        cost
    }
}

/// Returns the cost of an operation relative to others, without its operands.
fn weight(d: &InstData) -> u32 {
    match d.op {
        Opcode::Copy => 0,
        Opcode::Mul | Opcode::Smulh | Opcode::Umulh | Opcode::SmulO | Opcode::UmulO => 3,
        Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem | Opcode::Fdiv | Opcode::Fsqrt => 20,
        _ => 1,
    }
}

/// True for an operation computed from its operands alone, without a trap: it may be anywhere below these.
pub(super) fn is_movable(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    let effects = d.op.effects();
    effects.is_pure() || is_trapping_arithmetic(effects) && d.op.format() == Format::Binary && !may_trap(f, i)
}

/// The walk over a function.
pub(super) struct Numbering<'a> {
    pub classes: &'a mut Classes,
    pub decls: &'a Decls,
    /// No remarks are made on forms that may not be chosen.
    pub silent: Remarks,
    pub dom: &'a DominatorTree,
    pub expand: bool,
    /// The forms that rules may still add.
    pub fuel: &'a mut Fuel,
}

impl Numbering<'_> {
    /// Gives each value its class.
    pub fn walk(&mut self, f: &mut Function, cfg: &Cfg) {
        for &b in self.dom.preorder() {
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                self.classes.rules.read_replacements(f, i);
                if !is_movable(f, i) && f.inst(i).op.format() != Format::Phi {
                    self.simplify_in_place(f, b, i);
                }
                if f.layout().block_of(i).is_some() && is_movable(f, i) {
                    self.number(f, b, i, 0);
                }
            }
        }
        self.classes.refused.drain(..).for_each(|i| f.remove_inst(i));
        for_each_inst_left(f, cfg, |f, i| self.classes.rules.read_replacements(f, i));
    }
    /// Lets rules rewrite an instruction that stays where it is: a branch, or an operation that may trap. The new
    /// instructions are numbered.
    fn simplify_in_place(&mut self, f: &mut Function, b: Block, i: Inst) {
        let (before, after) = (f.layout().prev_inst(i), f.layout().next_inst(i));
        let Classes { rules, values, .. } = &mut *self.classes;
        let mut around = Around { decls: self.decls, remarks: &mut self.silent, values };
        if !rules.simplify(f, i, &mut around) {
            return;
        }
        self.number_made(f, b, before, [Some(i), after], 0);
        if f.layout().block_of(i).is_some() {
            self.classes.rules.read_replacements(f, i);
        }
    }
    /// Numbers the instructions that rules made after `before`, up to one of `ends`.
    fn number_made(&mut self, f: &mut Function, b: Block, before: Option<Inst>, ends: [Option<Inst>; 2], depth: u32) {
        let mut next = before.map_or(f.layout().first_inst(b), |p| f.layout().next_inst(p));
        while let Some(i) = next.filter(|i| !ends.contains(&Some(*i))) {
            next = f.layout().next_inst(i);
            self.classes.values.extend(f.def(i));
            self.classes.rules.read_replacements(f, i);
            if depth > 0 && !is_movable(f, i) {
                self.classes.cost[f.def(i).expect("rules make values")] = NEVER;
                self.classes.refused.push(i);
                continue;
            }
            self.number(f, b, i, depth);
            // A form that may not be chosen is not a reader.
            if depth > 0 && f.layout().block_of(i).is_some() {
                self.classes.rules.drop_reads(f, i);
            }
        }
    }

    /// Step 2 for an operation in `b`, whose operands are classes.
    fn number(&mut self, f: &mut Function, b: Block, i: Inst, depth: u32) {
        let Some(r) = f.def(i) else { return };
        self.classes.rules.put_constants(f, i, (self.decls, &mut self.silent));
        if let Some(known) = self.known(f, b, i, r) {
            if known != r {
                self.classes.counts.found += 1;
                self.become_class(f, r, i, known);
            }
            return;
        }
        let classes = &mut *self.classes;
        classes.first_form[r] = i.into();
        classes.home[r] = Some(b);
        classes.cost[r] = NEVER;
        let same = if depth < MAX_DEPTH && f.inst(i).op != Opcode::Const { self.explore(f, b, r, depth) } else { None };
        match same {
            Some(known) => {
                self.classes.counts.unified += 1;
                self.become_class(f, r, i, known);
            }
            None => self.choose(f, r),
        }
    }
    /// Returns the class that has the key of a form; if none has, `r` has it from now on.
    fn known(&mut self, f: &Function, b: Block, form: Inst, r: Reg) -> Option<Reg> {
        let d = f.inst(form);
        if d.op == Opcode::Copy {
            return self.classes.rules.resolved(d.first()).as_reg();
        }
        let key = ValueKey::in_block(f, form, b, |r| Operand::reg(r).to_bits())?;
        let known = self.classes.table.find_or_insert(key, Operand::reg(r), b, self.dom)?;
        // It may have become another class.
        self.classes.rules.resolved(known).as_reg()
    }
    /// Makes `known` the class of `r`, of which some forms were made.
    fn become_class(&mut self, f: &mut Function, r: Reg, root: Inst, known: Reg) {
        let forms: SmallVec<[Inst; MAX_FORMS]> = self.classes.forms(r).filter(|i| *i != root).collect();
        forms.into_iter().for_each(|i| f.remove_inst(i));
        self.classes.rules.replace(f, root, known);
    }
    /// Adds forms to a new class until there are no more. Returns its final class.
    fn explore(&mut self, f: &mut Function, b: Block, r: Reg, depth: u32) -> Option<Reg> {
        let root = self.classes.first_form[r].expand()?;
        let mut forms: SmallVec<[Inst; MAX_FORMS]> = SmallVec::new();
        forms.push(root);
        let mut at = 0;
        while let Some(&form) = forms.get(at) {
            at += 1;
            let same = self.explore_form(f, b, (r, root), form, &mut forms, depth);
            if same.is_some() {
                return same;
            }
            for (operand, other) in self.other_forms(f, form, depth) {
                self.classes.rules.look_at(f, operand, other);
                let same = self.explore_form(f, b, (r, root), form, &mut forms, depth);
                let best = self.classes.best[operand].expand().expect("an operand with forms is complete");
                self.classes.rules.look_at(f, operand, best);
                if same.is_some() {
                    return same;
                }
            }
        }
        None
    }
    /// Returns the forms of operands that are not their best ones.
    fn other_forms(&self, f: &Function, form: Inst, depth: u32) -> SmallVec<[(Reg, Inst); MAX_OTHERS]> {
        let mut others = SmallVec::new();
        if depth == 0 {
            f.for_each_use(form, |o| {
                let best = self.classes.best.get(o).expand();
                for other in self.classes.forms(o).filter(|i| best.is_some() && Some(*i) != best) {
                    if others.len() < MAX_OTHERS {
                        others.push((o, other));
                    }
                }
            });
        }
        others
    }
    /// Adds the forms that rules make from one form.
    fn explore_form(
        &mut self,
        f: &mut Function,
        b: Block,
        (r, root): (Reg, Inst),
        form: Inst,
        forms: &mut SmallVec<[Inst; MAX_FORMS]>,
        depth: u32,
    ) -> Option<Reg> {
        let mut found = Vec::new();
        let before = f.layout().prev_inst(form);
        self.classes.rules.alternatives(f, form, self.expand, (self.decls, &mut self.silent), &mut found);
        self.number_made(f, b, before, [Some(form), None], depth + 1);
        for alternative in found {
            if !self.fuel.take() {
                break;
            }
            let data = match alternative {
                Alternative::Operation(data) if forms.len() < MAX_FORMS => data,
                Alternative::Operation(_) => continue,
                Alternative::Value(o) => InstData::move_of(f.type_of(r), self.classes.rules.resolved(o)),
            };
            let same = self.add_form(f, b, (r, root), data, forms);
            if same.is_some() {
                return same;
            }
        }
        None
    }
    /// Adds a form to the class `r`, unless another one has it, which is returned.
    fn add_form(
        &mut self,
        f: &mut Function,
        b: Block,
        (r, root): (Reg, Inst),
        data: InstData,
        forms: &mut SmallVec<[Inst; MAX_FORMS]>,
    ) -> Option<Reg> {
        let of = f.new_reg_like(r);
        let new = f.insert_before(root, data.with_result(of));
        self.classes.rules.read_replacements(f, new);
        self.classes.rules.add_reads(f, new);
        self.classes.rules.put_constants(f, new, (self.decls, &mut self.silent));
        self.classes.rules.drop_reads(f, new);
        // A form made from the class itself is useless, and so is one that may trap.
        let is_useless = !is_movable(f, new) || reads_any(f, new, |o| self.classes.cost_of_class(o) == NEVER);
        let known = if is_useless { Some(r) } else { self.known(f, b, new, r) };
        match known {
            None => {
                self.classes.counts.forms += 1;
                let last = *forms.last().expect("the class has a form");
                self.classes.next_form[last] = new.into();
                forms.push(new);
                None
            }
            Some(known) => {
                f.remove_inst(new);
                (known != r && self.classes.cost_of_class(known) != NEVER).then_some(known)
            }
        }
    }
    /// Step 3: the class is complete.
    fn choose(&mut self, f: &Function, r: Reg) {
        let classes = &mut *self.classes;
        let best = classes.forms(r).map(|form| (classes.cost_of(f, form), form)).reduce(|best, next| {
            // Of two that cost the same, rules lead to the later one.
            if next.0 <= best.0 { next } else { best }
        });
        let (cost, form) = best.expect("a class has a form");
        classes.counts.rewritten += u64::from(classes.first_form[r] != form.into());
        classes.best[r] = form.into();
        classes.cost[r] = cost;
        classes.rules.look_at(f, r, form);
    }
}
