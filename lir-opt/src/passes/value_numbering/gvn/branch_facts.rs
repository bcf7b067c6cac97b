//! The facts that a dominating branch proves (step 7).
//!
//! In the blocks that an edge of a branch dominates, the branch took that edge. For a comparison this restricts the
//! order of its operands to a set of *outcomes*: of integers `equal`, and less or greater as signed and as unsigned
//! numbers; of floats `equal`, `less`, `greater` and `unordered`. Every predicate is a set of outcomes, so a later
//! comparison of the same operands, with the operands exchanged or another predicate, is true where all outcomes that
//! are left are in its set, and false where none is.
//!
//! Where integers can only be equal, one replaces the other: the constant, or of two registers the one that the walk
//! reached first. This does not hold for floats (0.0 equals -0.0), nor of two i64 registers: they may be addresses that
//! are equal and lie in two objects, and the facts about an address depend on which of them it is made from. Two such
//! registers only compare as one: the facts about one decide comparisons of the other.
//!
//! If the result of a comparison is known, the comparison holds or fails accordingly, also if it was extended first. If
//! an `and` is not 0, neither operand is 0; if an `or` is 0, both operands are 0. In the default of a switch its
//! operand equals none of the cases that lead elsewhere: the switch is noted, and its cases are looked through when a
//! comparison of the operand with a constant asks.
//!
//! # Uses
//!
//! Operands are replaced by equal ones: by registers anywhere, by constants where the language takes one. An
//! instruction is looked up by its operands as they are, by the equal operands, and by the numbers that are known here,
//! so nothing is missed that would be found without facts. Where all operands are known, so is the result; a branch on
//! a known value becomes one on a constant, which `constfold` and `simplify-cfg` make a jump. Phis are left alone:
//! their operands are read elsewhere. So are the addresses of loads and stores.
//!
//! # Source
//!
//! Document S5 (M. Bernstein, "Value numbering") names facts that hold in a subtree (scoped union-find) and facts from
//! branches; the sets of outcomes are folklore.

use super::{GlobalNumberer, GlobalNumberingScratch};
use crate::analysis::SsaView;
use crate::analysis::bounds;
use crate::analysis::branches::edge_facts::{edge_fact, is_case_of_another_target};
use crate::edit::reads::reads_any;
use crate::integers::outcomes::{EQUAL, Outcomes, all_outcomes, outcomes, swapped};
use crate::passes::value_numbering::events::Event;
use crate::passes::value_numbering::key::ValueKey;
use crate::tables::kept_tables::empty_map;
use lir_syntax::ir::{Block, Format, Function, Inst, InstData, Opcode, Operand, Reg, ResultRule, SecondaryMap, Type};
use lir_syntax::semantics::{compare, eval, is_value_op};
use rustc_hash::FxHashMap;

/// A comparison that is known something about: its type, and the numbers of its operands, the smaller one first.
type Compared = (Type, u32, u32);

/// One more fact, to be undone.
#[derive(Copy, Clone, Debug)]
enum Undo {
    /// The facts about a comparison before.
    Outcomes(Compared, Option<Outcomes>),
    /// No other operand replaced the register. Of the operand that does, another register, or none, was known to
    /// compare as it does.
    Equal(Reg, Operand),
    /// The same, of two registers that only compare as one.
    ComparesAs(Reg, Operand),
    /// Entering the default of a switch.
    SwitchDefault,
}

/// The default of a switch, by which alone the block that is visited can be reached.
#[derive(Copy, Clone)]
struct SwitchDefault {
    ty: Type,
    /// The number of the operand of the switch.
    number: u32,
    switch: Block,
    to: Block,
}

/// Limit on the enclosing defaults that one comparison looks through, the innermost first.
const MAX_DEFAULTS: usize = 16;

/// A claim that operands of this type have one of these relations.
#[derive(Copy, Clone)]
struct Claim {
    ty: Type,
    set: Outcomes,
    a: Operand,
    b: Operand,
}

/// The facts in the block that is visited.
#[derive(Default)]
pub(super) struct BranchFacts {
    outcomes: FxHashMap<Compared, Outcomes>,
    undo: Vec<Undo>,
    /// Number of registers with something equal.
    equalities: usize,
    /// Number of registers that compare as something.
    compared: usize,
    /// The switches that were left by their defaults.
    defaults: Vec<SwitchDefault>,
    /// End of each open block's subtree in preorder, and the length of `undo` before it.
    scopes: Vec<(usize, usize)>,
}

/// Limit on the claims of one edge: the branch's and the ones that follow from it. The others are left out.
const MAX_CLAIMS: usize = 8;

/// Limit on the extensions of a truth value that are seen through.
const MAX_EXTENSIONS: usize = 8;

impl BranchFacts {
    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        empty_map(&mut self.outcomes);
        self.undo.clear();
        (self.equalities, self.compared) = (0, 0);
        self.defaults.clear();
        self.scopes.clear();
    }
    /// True if anything is known.
    #[inline]
    pub(super) fn any(&self) -> bool {
        !self.undo.is_empty()
    }
    /// True if another operand replaces a register here.
    #[inline]
    pub(super) fn any_equal(&self) -> bool {
        self.equalities != 0
    }
    /// True if a register may compare as another operand here.
    #[inline]
    fn any_compared(&self) -> bool {
        self.equalities + self.compared != 0
    }
}

impl GlobalNumberingScratch {
    /// Forgets facts of subtrees that do not contain position `at` of the preorder.
    fn leave_facts(&mut self, at: usize) {
        while let Some((_, mark)) = self.facts.scopes.pop_if(|(end, _)| *end <= at) {
            for fact in self.facts.undo.drain(mark..).rev() {
                match fact {
                    Undo::Outcomes(key, Some(before)) => {
                        self.facts.outcomes.insert(key, before);
                    }
                    Undo::Outcomes(key, None) => {
                        self.facts.outcomes.remove(&key);
                    }
                    Undo::Equal(r, other) => {
                        note_other(&mut self.other, self.equal[r], other);
                        self.equal[r] = Operand::NONE;
                        self.facts.equalities -= 1;
                    }
                    Undo::ComparesAs(r, other) => {
                        note_other(&mut self.other, self.compares_as[r], other);
                        self.compares_as[r] = Operand::NONE;
                        self.facts.compared -= 1;
                    }
                    Undo::SwitchDefault => {
                        self.facts.defaults.pop();
                    }
                }
            }
        }
    }
    /// Returns the equal operand here: a constant, or the register that the walk reached first.
    #[inline]
    pub(super) fn equal_here(&self, mut o: Operand) -> Operand {
        while let Some(r) = o.as_reg()
            && !self.equal[r].is_none()
        {
            o = self.equal[r];
        }
        o
    }
    /// Returns the last register on the chain of equal operands of an operand here.
    fn last_register(&self, mut o: Operand) -> Operand {
        while let Some(r) = o.as_reg()
            && self.equal[r].is_reg()
        {
            o = self.equal[r];
        }
        o
    }
    /// Returns the number of the operand that is known to be equal to one here.
    #[inline]
    pub(super) fn number_here(&self, o: Operand) -> u32 {
        if self.facts.any_equal() { self.number_of(self.equal_here(o)) } else { self.number_of(o) }
    }
    /// Returns the operand that one compares as here.
    fn compared_here(&self, mut o: Operand) -> Operand {
        loop {
            o = self.equal_here(o);
            match o.as_reg().map(|r| self.compares_as[r]).filter(|as_this| !as_this.is_none()) {
                Some(as_this) => o = as_this,
                None => return o,
            }
        }
    }
    /// Returns the number of an operand that compares as another one does, under which facts about it may be older.
    fn other_number(&self, o: Operand) -> Option<u32> {
        let other = self.compared_here(o).as_reg().map(|r| self.other[r]).filter(|other| !other.is_none())?;
        Some(self.number_of(other))
    }
    /// Notes that one of these sets of outcomes holds in addition to the facts known before. Returns the remaining set.
    fn note_outcomes(&mut self, ty: Type, set: Outcomes, a: Operand, b: Operand) -> Outcomes {
        let (x, y) = (self.number_of(self.compared_here(a)), self.number_of(self.compared_here(b)));
        if x == y || (Operand::from_bits(x).is_const() && Operand::from_bits(y).is_const()) {
            return set;
        }
        let in_order = |set| if x > y { swapped(ty, set) } else { set };
        let key = (ty, x.min(y), x.max(y));
        let before = self.facts.outcomes.get(&key).copied();
        let left = in_order(set) & before.unwrap_or(all_outcomes(ty));
        // No outcome is left: control does not come here.
        if left == 0 || before == Some(left) {
            return if left == 0 { set } else { in_order(left) };
        }
        self.facts.outcomes.insert(key, left);
        self.facts.undo.push(Undo::Outcomes(key, before));
        in_order(left)
    }
    /// Notes that two integers are equal.
    fn note_equal(&mut self, ty: Type, a: Operand, b: Operand) {
        let (a, b) = (self.equal_here(a), self.equal_here(b));
        let (x, y) = (self.number_of(a), self.number_of(b));
        let is_const = |n| Operand::from_bits(n).is_const();
        let (younger, older) = match (is_const(x), is_const(y)) {
            _ if x == y => return,
            (true, true) => return,
            (false, true) => (a, Operand::from_bits(y)),
            (true, false) => (b, Operand::from_bits(x)),
            (false, false) if ty == Type::I64 => return self.note_compared_as(a, b),
            (false, false) => {
                if x > y {
                    (a, b)
                } else {
                    (b, a)
                }
            }
        };
        let r = younger.as_reg().expect("an operand is a constant or a register");
        self.equal[r] = older;
        self.facts.equalities += 1;
        let other = note_other(&mut self.other, older, younger);
        self.facts.undo.push(Undo::Equal(r, other));
    }
    /// Notes that two registers of equal values compare as one.
    fn note_compared_as(&mut self, a: Operand, b: Operand) {
        let (a, b) = (self.compared_here(a), self.compared_here(b));
        let (younger, older) = if self.number_of(a) > self.number_of(b) { (a, b) } else { (b, a) };
        if let Some(r) = younger.as_reg().filter(|_| self.number_of(a) != self.number_of(b)) {
            self.compares_as[r] = older;
            self.facts.compared += 1;
            let other = note_other(&mut self.other, older, younger);
            self.facts.undo.push(Undo::ComparesAs(r, other));
        }
    }
    /// Returns the truth of a comparison, as far as it is known here.
    fn known_truth(&self, f: &Function, d: &InstData) -> Option<bool> {
        let plain = (self.number_of(d.first()), self.number_of(d.second()));
        if !self.facts.any_compared() {
            return self.known_of_numbers(f, d, plain, plain);
        }
        let [x, y] = [d.first(), d.second()].map(|o| self.number_of(self.compared_here(o)));
        self.known_of_numbers(f, d, (x, y), plain).or_else(|| {
            let known = |pair| self.known_outcome(f, d.ty, outcomes(d.predicate()), pair);
            let [other_x, other_y] = [d.first(), d.second()].map(|o| self.other_number(o));
            let first = other_x.and_then(|x| known((x, y)));
            first.or_else(|| other_y.and_then(|y| known((x, y)).or_else(|| other_x.and_then(|x| known((x, y))))))
        })
    }
    /// The same by the numbers of the operands that these compare as here and by their own.
    #[inline]
    fn known_of_numbers(&self, f: &Function, d: &InstData, here: (u32, u32), plain: (u32, u32)) -> Option<bool> {
        let w = d.ty.as_word();
        let bits = |n| f.constant_bits(Operand::from_bits(n), w);
        if let (Some(x), Some(y)) = (bits(here.0), bits(here.1)) {
            return Some(compare::holds(d.predicate(), w, x, y));
        }
        let holds = outcomes(d.predicate());
        if here.0 == here.1 && here != plain && d.ty.is_int() {
            return Some(holds & EQUAL != 0);
        }
        let known = self.known_outcome(f, d.ty, holds, here);
        if known.is_some() || here == plain { known } else { self.known_outcome(f, d.ty, holds, plain) }
    }
    /// True if one of the outcomes in `holds` is certain, false if none is possible.
    fn known_outcome(&self, f: &Function, ty: Type, holds: Outcomes, (x, y): (u32, u32)) -> Option<bool> {
        let known = self.facts.outcomes.get(&(ty, x.min(y), x.max(y))).copied();
        let mut known = match known {
            Some(known) if x > y => swapped(ty, known),
            Some(known) => known,
            None if self.facts.defaults.is_empty() => return None,
            None => all_outcomes(ty),
        };
        if !self.facts.defaults.is_empty() && self.is_other_case(f, ty, x.min(y), Operand::from_bits(x.max(y))) {
            known &= !EQUAL;
        }
        let (never, always) = (known & holds == 0, known & !holds == 0);
        (never || always).then_some(always)
    }
    /// True if a constant is a case of an enclosing switch of the number that was left by its default.
    fn is_other_case(&self, f: &Function, ty: Type, number: u32, constant: Operand) -> bool {
        let nearest = self.facts.defaults.iter().rev().take(MAX_DEFAULTS);
        let mut defaults = nearest.filter(|d| constant.is_const() && d.number == number);
        defaults.any(|d| d.ty == ty && is_case_of_another_target(f, d.switch, d.to, constant))
    }
}

impl GlobalNumberer<'_> {
    /// The walk enters the block at position `at` of the preorder: adds the facts that the one edge into it proves.
    pub(super) fn enter_facts(&mut self, f: &Function, at: usize) {
        self.scratch.leave_facts(at);
        let (cfg, dom) = (self.around.cfg, self.around.dom);
        let b = dom.preorder()[at];
        let &[p] = cfg.preds(b) else { return };
        let succs = f.succs(p);
        if succs.len() < 2 || !cfg.is_reachable(p) {
            return;
        }
        let mark = self.scratch.facts.undo.len();
        if let Some(c) = edge_fact(f, p, b) {
            self.prove(f, c.ty, outcomes(c.predicate), c.a, c.b);
        } else if succs[0] == b && f.inst(f.terminator(p)).op.format() == Format::Switch {
            let d = f.inst(f.terminator(p));
            let number = self.scratch.number_of(self.scratch.compared_here(d.first()));
            self.scratch.facts.defaults.push(SwitchDefault { ty: d.ty, number, switch: p, to: b });
            self.scratch.facts.undo.push(Undo::SwitchDefault);
        }
        if self.scratch.facts.undo.len() > mark {
            self.scratch.facts.scopes.push((dom.subtree(b).end, mark));
        }
    }
    /// Notes that two operands have one of these relations, and the facts that follow.
    fn prove(&mut self, f: &Function, ty: Type, set: Outcomes, a: Operand, b: Operand) {
        let mut claims = [Claim { ty, set, a, b }; MAX_CLAIMS];
        let (mut next, mut len) = (0, 1);
        while next < len {
            let Claim { ty, set, a, b } = claims[next];
            next += 1;
            let set = self.scratch.note_outcomes(ty, set, a, b);
            if ty.is_float() {
                continue;
            }
            if set == EQUAL {
                self.scratch.note_equal(ty, a, b);
            }
            let zero = Operand::from_bits(self.scratch.number_here(b));
            let is_zero = set == EQUAL;
            if f.constant(zero) != Some(0) || !(is_zero || set & EQUAL == 0) {
                continue;
            }
            // The facts that follow from a value that is zero, or is not.
            let Some(i) = a.as_reg().and_then(|r| self.around.ssa.def(r)) else { continue };
            let d = *f.inst(i);
            if is_truth(f, &d, self.around.ssa) && !is_zero {
                self.scratch.note_equal(ty, a, Operand::small(1).expect("1 is small"));
            }
            let said =
                |a| Claim { ty: d.ty, set: if is_zero { EQUAL } else { all_outcomes(d.ty) & !EQUAL }, a, b: zero };
            let splits = d.op == if is_zero { Opcode::Or } else { Opcode::And };
            let follow = if d.op.format() == Format::Compare {
                let holds = outcomes(d.predicate());
                let set = if is_zero { all_outcomes(d.ty) & !holds } else { holds };
                [Some(Claim { ty: d.ty, set, a: d.first(), b: d.second() }), None]
            } else if splits || matches!(d.op, Opcode::Zext | Opcode::Sext) {
                [Some(said(d.first())), splits.then(|| said(d.second()))]
            } else {
                [None, None]
            };
            // A constant operand gives no facts.
            for claim in follow.into_iter().flatten().filter(|c| c.a.is_reg()) {
                if let Some(slot) = claims.get_mut(len) {
                    *slot = claim;
                    len += 1;
                }
            }
        }
    }
    /// Replaces operands of an instruction by known equal ones, with the consequences. Returns true if the instruction
    /// itself was replaced.
    pub(super) fn use_equalities(&mut self, f: &mut Function, b: Block, i: Inst) -> bool {
        if !reads_any(f, i, |r| !self.scratch.equal[r].is_none()) {
            return false;
        }
        if self.find_plain(f, b, i) {
            return true;
        }
        // A comparison of operands that become one register adds no new facts.
        if f.inst(i).op.format() == Format::Compare && self.decide(f, b, i) {
            return true;
        }
        if !self.crumbs && self.replaced_operands(f, i) && self.find_plain(f, b, i) {
            return true;
        }
        match (f.def(i), self.computed(f, i)) {
            (Some(r), Some(value)) => {
                self.explainer.remarks.done(f, i, Event::KnownByBranch((f.type_of(r), value)));
                self.replace(f, b, i, r, value);
                true
            }
            (Some(_) | None, _) => false,
        }
    }
    /// True if operands were replaced.
    fn replaced_operands(&mut self, f: &mut Function, i: Inst) -> bool {
        let mut replaced = 0;
        let stayed = bounds::rewrite_uses(f, self.around.decls, i, |u| {
            let r = Operand::reg(u.reg);
            let mut equal = self.scratch.equal_here(r);
            if equal.is_const() && !u.may_be_const {
                equal = self.scratch.last_register(r);
            }
            replaced += u32::from(equal != r);
            equal
        });
        let any = replaced > u32::from(stayed);
        self.found.operands += u64::from(any);
        if any {
            self.explainer.remarks.done(f, i, Event::EqualByBranch);
        }
        any
    }
    /// Replaces an instruction by the value with its key, without the facts known here. Returns true if it was
    /// replaced.
    fn find_plain(&mut self, f: &mut Function, b: Block, i: Inst) -> bool {
        let key =
            ValueKey::of(f, i, |r| self.scratch.numbers[r]).or_else(|| match f.inst(i).op.format() == Format::Call {
                true => self.call_key(f, b, i).ok(),
                false => None,
            });
        let by = key.and_then(|key| self.scratch.available.find(&key, b, self.around.dom));
        match (f.def(i), by) {
            (Some(r), Some(by)) => {
                key.iter().for_each(|key| self.report(|s| s.report_found(f, b, i, key, by)));
                self.replace(f, b, i, r, by);
                true
            }
            (Some(_) | None, _) => false,
        }
    }
    /// Returns the result of an instruction whose operands are known here. For a `select`, it is the operand that is
    /// chosen.
    fn computed(&mut self, f: &mut Function, i: Inst) -> Option<Operand> {
        let d = *f.inst(i);
        let number = |o: Operand| Operand::from_bits(self.scratch.number_here(o));
        let value = |o: Operand, ty: Type| f.constant_bits(number(o), ty.as_word());
        let arguments = match d.op.format() {
            Format::Select => {
                let (x, y) = f.operands_bc(i);
                let condition = f.constant(number(d.first()))?;
                return Some(if condition != 0 { x } else { y });
            }
            Format::Unary | Format::Convert => [value(d.first(), d.ty)?, 0, 0],
            Format::Binary | Format::Compare => [value(d.first(), d.ty)?, value(d.second(), d.ty)?, 0],
            _ => return None,
        };
        let bits = is_value_op(d.op).then(|| eval(d.op, d.ty.as_word(), d.aux(), arguments).ok()).flatten()?;
        let ty = f.type_of(f.def(i)?);
        Some(f.make_typed_const(ty, bits))
    }
    /// Replaces a comparison by its result, or has a branch or switch test that. Returns true if it was a comparison
    /// that was replaced.
    pub(super) fn decide(&mut self, f: &mut Function, b: Block, i: Inst) -> bool {
        let d = *f.inst(i);
        match d.op.format() {
            Format::Compare => {
                let Some(truth) = self.scratch.known_truth(f, &d) else { return false };
                let r = f.def(i).expect("a comparison assigns");
                let truth = f.make_typed_const(Type::I8, u64::from(truth));
                self.explainer.remarks.done(f, i, Event::KnownByBranch((Type::I8, truth)));
                self.replace(f, b, i, r, truth);
                true
            }
            Format::Branch => {
                let is_decided = Operand::from_bits(self.scratch.number_of(d.first())).is_const();
                if let (false, Some(truth)) = (is_decided, self.scratch.known_truth(f, &d)) {
                    let truth = f.make_typed_const(Type::I8, u64::from(truth));
                    self.explainer.remarks.done(f, i, Event::KnownByBranch((Type::I8, truth)));
                    let a = self.constant_before(f, b, i, Type::I8, truth);
                    f.replace_inst(i, InstData::branch_on(a, Type::I8));
                }
                false
            }
            Format::Switch => {
                let number = Operand::from_bits(self.scratch.number_here(d.first()));
                if number.is_const() && number.to_bits() != self.scratch.number_of(d.first()) {
                    let a = self.constant_before(f, b, i, d.ty, number);
                    f.replace_inst(i, d.with_first(a));
                }
                false
            }
            _ => false,
        }
    }
    /// Returns a register with a constant, for a terminator to test: one of its block, or a new one that is assigned
    /// before the terminator and named after the operand that this tests.
    fn constant_before(&mut self, f: &mut Function, b: Block, i: Inst, ty: Type, value: Operand) -> Operand {
        let tested = f.inst(i).first().as_reg().expect("a terminator tests a register");
        let r = f.new_reg(ty, f.regs[tested].name);
        let constant = InstData::move_of(ty, value).with_result(r);
        let constant = f.insert_before(i, constant);
        self.found.replaced += 1;
        let key = self.key(f, b, constant).expect("a constant takes part");
        self.settle(f, b, constant, r, key);
        Operand::reg(self.scratch.leader[r].expand().unwrap_or(r))
    }
}

/// Notes, for an operand that others compare as, one of these: the facts known about it before are found through it.
/// Returns the one that was noted before.
fn note_other(others: &mut SecondaryMap<Reg, Operand>, of: Operand, other: Operand) -> Operand {
    of.as_reg().map_or(Operand::NONE, |r| std::mem::replace(&mut others[r], other))
}

/// True if an instruction gives 0 or 1. It makes a truth value, or extends one.
fn is_truth(f: &Function, d: &InstData, ssa: &SsaView) -> bool {
    let mut d = *d;
    for _ in 0..MAX_EXTENSIONS {
        if d.op.info().result == ResultRule::Truth {
            return true;
        }
        let source = if matches!(d.op, Opcode::Zext | Opcode::Sext) { d.first().as_reg() } else { None };
        match source.and_then(|r| ssa.def(r)) {
            Some(i) => d = *f.inst(i),
            None => return false,
        }
    }
    false
}
