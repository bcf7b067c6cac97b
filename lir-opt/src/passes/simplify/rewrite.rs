//! The walk over a function, and the application of rules.

use super::matcher::{Match, MatchValues, value_operand};
use super::register_facts::RegisterFacts;
use super::rewrite_state::{Appended, RewriteState};
use super::rules::index::{Class, OPAQUE, Variant, is_constant};
use super::rules::rule::{MAX_LEFT, NodeId, NodeKind, Rule, value_operands};
use super::rules::{key_of, rules_of};
use crate::analysis::effects::{is_removable, is_trapping_arithmetic};
use crate::edit::reads::for_each_inst_left;
use crate::pass::fuel::Fuel;
use crate::pass::remarks::{Common, Remarks};
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{
    Block, Cfg, Decls, Format, Function, Inst, InstData, IntCC, Opcode, Operand, Reg, ResultRule, Type,
};
use lir_syntax::semantics;

/// Limit on the rules that are applied to one instruction in one visit, and to the resulting instructions. No known
/// chain of rules comes near it: it stops endless loops caused by a mistake in the rules.
const MAX_APPLIED: u32 = 200;

/// Walks over a function; real code has not needed more.
pub(super) const MAX_ITERATIONS: usize = 5;

/// One run over a function.
pub(super) struct Rewriter<'a> {
    pub f: &'a mut Function,
    pub facts: &'a mut RegisterFacts,
    pub decls: &'a Decls,
    pub remarks: &'a mut Remarks,
    pub state: &'a mut RewriteState,
    /// True if rules marked `=>+` are applied.
    pub expands: bool,
    /// The instruction that was just appended to a function that is being built. Earlier instructions are kept, since
    /// they may get readers later.
    pub building: Option<Appended>,
    pub changed: bool,
    /// The rewrites that may still be made: each step of rewriting is one.
    pub fuel: Fuel,
    /// Operations on constants that were computed.
    pub computed: u64,
}

/// Returns an operation of the right side, without operands.
pub(super) fn right_operation(m: &Match, rule: &Rule, n: NodeId) -> InstData {
    let node = &rule.nodes[n as usize];
    let NodeKind::Op { op, pred, .. } = &node.kind else { unreachable!("it is an operation") };
    let ty = m.types[node.annotation as usize];
    let data = InstData::new(*op, ty);
    match (op.info().result, pred.value(&m.preds)) {
        (ResultRule::Converted, _) => data.with_target_type(m.types[node.ty as usize]),
        (_, Some(predicate)) => data.with_predicate(predicate),
        (_, None) => data,
    }
}

/// Returns the opcode whose rules an instruction is matched by: a branch is matched as the comparison that it makes.
pub(super) fn matched_as(d: &InstData) -> Opcode {
    match d.op {
        Opcode::Br if d.ty.is_int() => Opcode::Icmp,
        Opcode::Br => Opcode::Fcmp,
        op => op,
    }
}

impl Rewriter<'_> {
    /// Steps 2 to 8. The rules that expand are applied after the others have simplified the instructions to be
    /// expanded.
    pub(crate) fn walk_until_stable(&mut self, rpo: &[Block], expand: bool) {
        self.walk(rpo, true);
        self.put_bytes_in_order();
        for _ in 1..MAX_ITERATIONS {
            if expand && !self.state.late.is_empty() {
                self.facts.end_first_iteration();
                self.expand();
            }
            if !self.facts.begin_iteration() {
                break;
            }
            self.walk(rpo, false);
            self.put_bytes_in_order();
        }
        if self.remarks.on() {
            self.report_refusals(expand);
        }
    }
    /// Reports the first rule that did not pay for each remaining instruction. It was tried after the last rewriting.
    /// Also reports instructions that were not expanded.
    fn report_refusals(&mut self, expand: bool) {
        for (i, why) in std::mem::take(&mut self.state.refused) {
            if self.f.layout().block_of(i).is_some() {
                self.remarks.missed(self.f, i, why);
            }
        }
        if !expand {
            self.state.late.sort_unstable();
            self.state.late.dedup();
            for &i in self.state.late.iter().filter(|i| self.f.layout().block_of(**i).is_some()) {
                self.remarks.missed(self.f, i, Event::NotExpanded);
            }
        }
    }
    /// Steps 2 to 5: visits all instructions of the reachable blocks, in an order in which operands come first.
    fn walk(&mut self, rpo: &[Block], first: bool) {
        for &b in rpo {
            let mut next = self.f.layout().first_inst(b);
            while let Some(i) = next {
                next = self.f.layout().next_inst(i);
                let format = self.f.inst(i).op.format();
                if format == Format::Phi {
                    continue;
                }
                let near = first || self.facts.is_near_change(self.f, i);
                if self.facts.num_replaced != 0 {
                    self.replace_operands(i);
                }
                if near && value_operands(format) > 0 {
                    self.visit(i);
                }
            }
        }
    }
    /// Makes an instruction read the replacements of registers whose instructions were removed.
    pub(crate) fn replace_operands(&mut self, i: Inst) {
        self.changed |= self.facts.replace_operands(self.f, i);
    }

    /// Applies the rules marked `=>+` where they match, readers before their operands: a rule about a test of a
    /// remainder must come before the remainder is expanded.
    fn expand(&mut self) {
        self.expands = true;
        let late = std::mem::take(&mut self.state.late);
        for &i in late.iter().rev() {
            if self.f.layout().block_of(i).is_some() && value_operands(self.f.inst(i).op.format()) > 0 {
                self.replace_operands(i);
                self.visit(i);
            }
        }
        self.state.late = late;
        self.state.late.clear();
    }
    /// Replaces removed registers in instructions that the walk does not visit afterwards: in phis, and in unreachable
    /// blocks.
    pub(crate) fn replace_the_rest(&mut self, cfg: &Cfg) {
        if self.facts.num_replaced == 0 {
            return;
        }
        let facts = &*self.facts;
        for_each_inst_left(self.f, cfg, |f, i| self.changed |= facts.replace_operands(f, i));
    }

    /// Rewrites an instruction, and the resulting instructions, as long as rules apply. A new operation may be replaced
    /// by an existing value; the root, which was already visited, then reads that.
    pub(crate) fn visit(&mut self, i: Inst) {
        if self.step(i) {
            self.finish_work();
        }
    }
    /// Rewrites the pushed instructions, and the resulting ones.
    pub(crate) fn finish_work(&mut self) {
        self.remove_unused();
        let mut left = MAX_APPLIED;
        while let Some(i) = self.state.work.pop() {
            let is_present = self.f.layout().block_of(i).is_some() && value_operands(self.f.inst(i).op.format()) > 0;
            if is_present && self.facts.num_replaced != 0 {
                self.replace_operands(i);
            }
            if is_present && left > 0 && self.step(i) {
                left -= 1;
                self.remove_unused();
            }
        }
        debug_assert!(left > 0, "rules that form a cycle: {:?}", self.facts.applied.last());
    }
    /// Takes one step of rewriting. Returns whether there was one to do. Pushes the instruction and the new ones.
    fn step(&mut self, i: Inst) -> bool {
        let d = *self.f.inst(i);
        if !self.fuel.any() || d.op == Opcode::Copy && self.building.is_some_and(|b| b.inst == i) {
            return false;
        }
        let (operands, classes) = self.classes_of(i, &d);
        let rewritten = self.put_constants(i, &d, operands, classes)
            || self.find_rule(i, &d, classes, d.first() == operands[1])
            || self.use_chain(i, &d, classes)
            || self.use_arms(i, &d, classes)
            || self.use_equality(i, &d);
        if rewritten {
            self.fuel.take();
            self.state.refused.remove(&i);
        } else if self.building.is_none() {
            self.note_bytes(i, &d, classes);
        }
        rewritten
    }

    /// Returns the operands of an instruction, and their classes.
    #[inline(always)]
    pub(crate) fn classes_of(&self, i: Inst, d: &InstData) -> ([Operand; 3], [Class; 3]) {
        let class = |o: Operand| self.facts.class_of_operand(self.f, o, d.ty);
        let a = d.first();
        match value_operands(d.op.format()) {
            3 => {
                let (b, c) = self.f.operands_bc(i);
                ([a, b, c], [class(a), class(b), class(c)])
            }
            2 => ([a, d.second(), Operand::NONE], [class(a), class(d.second()), OPAQUE]),
            _ => ([a, Operand::NONE, Operand::NONE], [class(a), OPAQUE, OPAQUE]),
        }
    }

    /// Step 2: moves constants to the second operand and into the instruction; folds operations on constants.
    #[inline(always)]
    pub(crate) fn put_constants(&mut self, i: Inst, d: &InstData, operands: [Operand; 3], classes: [Class; 3]) -> bool {
        let constant = classes.map(is_constant);
        constant.contains(&true) && self.put_any_constants(i, d, operands, constant)
    }
    fn put_any_constants(&mut self, i: Inst, d: &InstData, operands: [Operand; 3], constant: [bool; 3]) -> bool {
        let count = value_operands(d.op.format());
        if constant[..count].iter().all(|c| *c) {
            return self.compute(i, d, operands);
        }
        if count != 2 || !(constant[0] || constant[1]) {
            return false;
        }
        if constant[0] {
            return self.exchange(i, d);
        }
        if !d.second().is_reg() {
            return false;
        }
        let bits = self.facts.constant(self.f, d.second(), d.ty).expect("its class is one of constants");
        let b = self.f.make_typed_const(d.ty, bits);
        self.remarks.done(self.f, i, Event::OperandComputed((d.ty, b), (d.ty, d.second())));
        self.replace(i, d.with_second(b));
        self.facts.drop_use(d.second());
        self.state.work.push(i);
        true
    }
    /// `5 + x => x + 5`, `5 < x => x > 5`.
    fn exchange(&mut self, i: Inst, d: &InstData) -> bool {
        let Some(data) = d.exchanged() else { return false };
        self.remarks.done(self.f, i, Common::Swapped);
        self.replace(i, data);
        self.state.work.push(i);
        true
    }
    /// Makes an operation on constants a `const`, unless it traps. A branch on constants is decided.
    fn compute(&mut self, i: Inst, d: &InstData, operands: [Operand; 3]) -> bool {
        let w = d.ty.as_word();
        let mut values = [0; 3];
        for (value, o) in values.iter_mut().zip(operands) {
            // The condition of a `select` has a type of its own.
            let ty = o.as_reg().map_or(d.ty, |r| self.f.type_of(r));
            match self.facts.constant(self.f, o, ty) {
                Some(bits) => *value = bits,
                None if o.is_none() => {}
                None => return false,
            }
        }
        if d.op == Opcode::Br {
            let holds = semantics::compare::holds(d.predicate(), w, values[0], values[1]);
            self.decide(i, holds);
            return true;
        }
        let Ok(bits) = semantics::eval(d.op, w, d.aux(), values) else { return false };
        self.computed += 1;
        if self.remarks.on() {
            let ty = self.f.def(i).map_or(d.ty, |r| self.f.type_of(r));
            let constant = self.f.make_typed_const(ty, bits);
            self.remarks.done(self.f, i, Common::Computed((ty, constant)));
        }
        self.become_constant(i, bits);
        true
    }
    /// The branch always jumps to its first target, or to its second.
    fn decide(&mut self, i: Inst, holds: bool) {
        let b = self.f.layout().block_of(i).expect("the instruction is in a block");
        let target = self.f.succs(b)[usize::from(!holds)];
        self.remarks.done(self.f, i, Common::Decided(target));
        self.state.decided.push((b, target));
        self.drop_operands(i);
        self.replace(i, InstData::new(Opcode::Jmp, Type::I64));
    }

    /// Step 3: the first rule that applies.
    fn find_rule(&mut self, i: Inst, d: &InstData, classes: [Class; 3], same: bool) -> bool {
        let op = matched_as(d);
        let key = key_of(d);
        let index = rules_of(op);
        index.find(key, classes, same, |v| self.attempt(i, &index.rules[v.rule as usize], v))
    }
    #[inline]
    fn attempt(&mut self, i: Inst, rule: &'static Rule, v: Variant) -> bool {
        let Rewriter { state, f, facts, .. } = self;
        state.m.as_mut().is_some_and(|m| m.matches(f, facts, rule, v, i)) && self.apply_if_it_pays(i, rule)
    }
    fn apply_if_it_pays(&mut self, i: Inst, rule: &'static Rule) -> bool {
        let Some(m) = self.state.m.take() else { return false };
        let pays = self.pays(&m, rule, i);
        if pays && rule.expands && !self.expands {
            self.state.late.push(i);
        } else if pays {
            self.apply(&m, rule, i);
            self.facts.applied.push(rule.text.get());
        } else if self.remarks.on() {
            let (text, kept) = (rule.text.get(), m.read_elsewhere(self.facts, rule));
            let why = kept.map_or(Event::NotFewer(text), |kept| Event::NotFewerFor(text, kept));
            self.state.refused.entry(i).or_insert(why);
        }
        self.state.m = Some(m);
        pays && (!rule.expands || self.expands)
    }
    /// True if the rule expands or adds no instructions, and a branch can be written.
    fn pays(&self, m: &Match, rule: &Rule, i: Inst) -> bool {
        let is_branch = self.f.inst(i).op == Opcode::Br;
        let right = &rule.nodes[rule.right as usize];
        let mut made = rule.made.len() + usize::from(rule.loads_constants);
        let fits = match &right.kind {
            NodeKind::Op { op, .. } => {
                let is_tested = is_branch && op.format() != Format::Compare;
                made += usize::from(is_tested);
                !is_tested || op.info().result == ResultRule::Truth
            }
            NodeKind::Var(k) => {
                !is_branch || !self.is_branch_on(self.f.inst(i), m.operands[rule.vars[*k as usize] as usize])
            }
            NodeKind::Const(_) => true,
        };
        fits && (rule.expands || made == 0 || made <= m.becomes_unused(self.facts, rule))
    }
    /// True if a branch is `br ne %o, 0` already, the form that it would get.
    pub(crate) fn is_branch_on(&self, d: &InstData, o: Operand) -> bool {
        let tests_nonzero =
            d.ty.is_int() && d.aux() == IntCC::Ne as u8 && self.facts.constant(self.f, d.second(), d.ty) == Some(0);
        tests_nonzero && self.facts.resolved(d.first()) == o
    }

    /// Step 4.
    fn apply(&mut self, m: &Match, rule: &'static Rule, i: Inst) {
        self.remarks.done(self.f, i, Event::ByRule(rule.text.get()));
        let mut built = [Operand::NONE; 2 * MAX_LEFT];
        let at = self.state.work.len();
        for &n in rule.made.iter() {
            built[n as usize] = self.make(m, rule, i, n, &built);
        }
        // The first new instruction is visited first.
        self.state.work[at..].reverse();
        self.state.work.insert(at, i);
        let right = &rule.nodes[rule.right as usize];
        match &right.kind {
            NodeKind::Op { op, .. } if self.f.inst(i).op == Opcode::Br && op.format() != Format::Compare => {
                let truth = self.make(m, rule, i, rule.right, &built);
                self.become_value(i, truth);
            }
            NodeKind::Op { .. } => {
                let data = self.operation(m, rule, i, rule.right, &built);
                self.become_operation(i, data);
            }
            NodeKind::Var(_) | NodeKind::Const(_) => {
                let value = self.leaf(m, rule, rule.right);
                self.become_value(i, value);
            }
        }
    }
    /// Makes an operation of the right side below its root, or computes it.
    pub(crate) fn make(&mut self, m: &Match, rule: &Rule, root: Inst, n: NodeId, built: &[Operand]) -> Operand {
        let data = self.operation(m, rule, root, n, built);
        let ty = m.types[rule.nodes[n as usize].ty as usize];
        self.insert_value(root, ty, data)
    }
    /// Inserts an operation before an instruction that gets its name from it. It is visited later.
    pub(crate) fn insert_value(&mut self, root: Inst, ty: Type, data: InstData) -> Operand {
        let name = match self.f.def(root) {
            Some(r) => self.f.regs[r].name,
            None => match self.f.inst(root).first().as_reg() {
                Some(r) => self.f.regs[r].name,
                None => return Operand::NONE,
            },
        };
        let r = self.f.new_reg(ty, name);
        let new = self.f.insert_before(root, data.with_result(r));
        self.facts.set_def(self.f, r, new);
        self.add_operands(new);
        self.state.work.push(new);
        Operand::reg(r)
    }
    /// Returns the instruction for an operation of the right side, without its destination. Constants are put into
    /// registers where only a register is allowed.
    pub(crate) fn operation(&mut self, m: &Match, rule: &Rule, root: Inst, n: NodeId, built: &[Operand]) -> InstData {
        let d = right_operation(m, rule, n);
        let format = d.op.format();
        let mut operands = self.right_operands(m, rule, n, built);
        for (k, o) in operands.iter_mut().enumerate() {
            let may_be_const = k == 1 && matches!(format, Format::Binary | Format::Compare);
            if o.is_const() && !may_be_const {
                let ty = m.types[rule.nodes[rule.args(n)[k] as usize].ty as usize];
                *o = self.in_register(root, ty, *o);
            }
        }
        let [a, b, c] = operands;
        let b = if matches!(format, Format::Ternary | Format::Select) { self.f.make_bc(b, c) } else { b };
        d.with_first(a).with_second(b)
    }
    /// Returns the operands of an operation of the right side.
    pub(crate) fn right_operands(&mut self, m: &Match, rule: &Rule, n: NodeId, built: &[Operand]) -> [Operand; 3] {
        let mut operands = [Operand::NONE; 3];
        for (o, &arg) in operands.iter_mut().zip(rule.args(n)) {
            *o = match &rule.nodes[arg as usize].kind {
                NodeKind::Op { .. } => built[arg as usize],
                NodeKind::Var(_) | NodeKind::Const(_) => self.leaf(m, rule, arg),
            };
        }
        operands
    }
    /// Returns the operand for a variable or a constant of the right side.
    pub fn leaf(&mut self, m: &Match, rule: &Rule, n: NodeId) -> Operand {
        let node = &rule.nodes[n as usize];
        match &node.kind {
            NodeKind::Op { .. } => unreachable!("it is no operation"),
            NodeKind::Var(k) => m.operands[rule.vars[*k as usize] as usize],
            NodeKind::Const(e) => {
                let ty = m.types[node.ty as usize];
                let bits = e.bits(ty, &mut MatchValues { rule, m, f: self.f, facts: self.facts });
                self.f.make_typed_const(ty, bits)
            }
        }
    }
    /// Returns a new register that holds a constant.
    fn in_register(&mut self, root: Inst, ty: Type, constant: Operand) -> Operand {
        let name = self.f.def(root).or(self.f.inst(root).first().as_reg()).map(|r| self.f.regs[r].name);
        let r = self.f.new_reg(ty, name.expect("an instruction that rules rewrite has a register"));
        let data = InstData::move_of(ty, constant).with_result(r);
        let new = self.f.insert_before(root, data);
        self.facts.set_def(self.f, r, new);
        Operand::reg(r)
    }

    /// Step 5 for an operation in place of `i`. A comparison may take the place of a branch on one.
    pub(crate) fn become_operation(&mut self, i: Inst, data: InstData) {
        let old = *self.f.inst(i);
        let dropped = self.operands(i);
        let new = if old.op == Opcode::Br {
            data.with_op(Opcode::Br).with_result(old.result())
        } else {
            data.with_result(old.result())
        };
        self.replace(i, new);
        self.add_operands(i);
        dropped.into_iter().for_each(|o| self.facts.drop_use(o));
        if let Some(r) = self.f.def(i) {
            self.facts.set_def(self.f, r, i);
            self.facts.forget_bits(r);
            self.facts.note_rewritten(r);
        }
    }
    /// Step 5 for a value that exists already.
    pub(crate) fn become_value(&mut self, i: Inst, o: Operand) {
        let (by, dst) = match (o.as_reg(), self.f.def(i)) {
            (Some(by), dst) => (by, dst),
            (None, _) => {
                let ty = self.f.def(i).map_or(Type::I8, |r| self.f.type_of(r));
                let bits = self.facts.constant(self.f, o, ty).expect("an operand is a register or a constant");
                return self.become_constant(i, bits);
            }
        };
        match dst {
            // The value may be in a variable.
            Some(r) if self.building.is_some_and(|b| b.inst == i) => {
                self.become_operation(i, InstData::move_of(self.f.type_of(r), o))
            }
            Some(r) => {
                self.facts.replace(r, by);
                self.drop_operands(i);
                self.f.remove_inst(i);
                self.changed = true;
            }
            None => {
                let dropped = self.operands(i);
                self.replace(i, InstData::branch_on(o, self.f.type_of(by)));
                self.add_operands(i);
                dropped.into_iter().for_each(|o| self.facts.drop_use(o));
            }
        }
    }
    fn become_constant(&mut self, i: Inst, bits: u64) {
        let Some(r) = self.f.def(i) else {
            return self.decide(i, bits != 0);
        };
        let ty = self.f.type_of(r);
        let dropped = self.operands(i);
        let a = self.f.make_typed_const(ty, bits);
        self.replace(i, InstData::move_of(ty, a).with_result(r));
        dropped.into_iter().for_each(|o| self.facts.drop_use(o));
        self.facts.set_def(self.f, r, i);
        self.facts.note_rewritten(r);
    }

    fn replace(&mut self, i: Inst, data: InstData) {
        self.f.replace_inst(i, data);
        self.changed = true;
    }
    /// Returns the operands of an instruction that are values.
    pub fn operands(&self, i: Inst) -> [Operand; 3] {
        let mut operands = [Operand::NONE; 3];
        for (slot, o) in operands.iter_mut().enumerate().take(value_operands(self.f.inst(i).op.format())) {
            *o = value_operand(self.f, i, slot as u8);
        }
        operands
    }
    fn add_operands(&mut self, i: Inst) {
        self.operands(i).into_iter().for_each(|o| self.facts.add_use(o));
    }
    fn drop_operands(&mut self, i: Inst) {
        self.operands(i).into_iter().for_each(|o| self.facts.drop_use(o));
    }
    /// Removes non-trapping instructions that rules are about and that lost their last reader.
    fn remove_unused(&mut self) {
        while let Some(i) = self.facts.take_unused() {
            let op = self.f.inst(i).op;
            let is_value = value_operands(op.format()) > 0 || op == Opcode::Const;
            let may_go = is_value && (is_removable(self.decls, self.f, i) || self.is_safe_division(i));
            let is_present = self.f.layout().block_of(i).is_some();
            let unused = self.f.def(i).is_some_and(|r: Reg| self.facts.uses(r) == 0);
            let is_made = self.building.is_none_or(|b| i >= b.first_made);
            if may_go && is_present && unused && is_made {
                self.drop_operands(i);
                self.f.remove_inst(i);
            }
        }
    }
    /// True if this division is known not to trap: the divisor is not 0, nor -1 if that may overflow.
    fn is_safe_division(&mut self, i: Inst) -> bool {
        let d = *self.f.inst(i);
        let (op, ty) = (d.op, d.ty);
        if !is_trapping_arithmetic(op.effects()) || op.format() != Format::Binary {
            return false;
        }
        let divisor = self.facts.known_bits(self.f, self.facts.resolved(d.second()), ty);
        let is_unsigned = matches!(op, Opcode::Udiv | Opcode::Urem);
        divisor.least() > 0 && (is_unsigned || divisor.zeros & ty.as_word().mask() != 0)
    }
}
