//! Stores the facts proved by passed branches and guards: the third writer and the fourth.
//!
//! A comparison that holds on an edge is stored under the registers that it compares, and decides later comparisons and
//! branches ([`crate::analysis::branches`]). It also narrows the interval of each integer that it compares; the
//! intervals of operands decide comparisons and overflow tests, and are searched through [`DEPTH`] operations.
//!
//! Source: nanojit's `CseFilter::insGuard`, after which the condition of a guard is a known constant, and its
//! `Interval` of 32-bit sums, differences and products (LIR.cpp). Ours has intervals of all integers, and intervals
//! from guards.

use crate::analysis::branches::condition::decided_by;
use crate::integers::range::{self, Range};
use crate::passes::simplify::one_by_one::RulesOneByOne;
use lir_syntax::ir::{Comparison, EntitySet, Format, Function, InstData, IntCC, Operand, Reg, SecondaryMap, Type};

/// Operations that an interval is looked for through.
const DEPTH: u32 = 3;
/// Limit on the facts about a register that are examined, the last ones first.
const MAX_FACTS: usize = 8;

/// The facts that hold on the way to here.
#[derive(Default)]
pub(super) struct PassedGuards {
    facts: Vec<Fact>,
    /// One more than the index of the last fact about a register.
    last: SecondaryMap<Reg, u32>,
    intervals: SecondaryMap<Reg, Option<Range>>,
    /// The registers with known facts.
    known: Vec<Reg>,
}

struct Fact {
    holds: Comparison,
    /// One more than the index of the fact before about the first operand.
    before: u32,
}

impl PassedGuards {
    /// Forgets everything, since control may come from elsewhere.
    pub fn start(&mut self) {
        for r in self.known.drain(..) {
            self.last[r] = 0;
            self.intervals[r] = None;
        }
        self.facts.clear();
    }
    /// A comparison holds from here on. It reads values alone.
    pub fn learn(&mut self, f: &Function, c: Comparison, appended: &mut RulesOneByOne, values: &EntitySet<Reg>) {
        let mut next = Some(c);
        for _ in 0..DEPTH {
            let Some(c) = next else { break };
            self.learn_one(f, c, appended, values);
            next = tested(f, &c, appended);
        }
    }
    fn learn_one(&mut self, f: &Function, c: Comparison, appended: &mut RulesOneByOne, values: &EntitySet<Reg>) {
        let is_fixed = |o: Operand| o.as_reg().is_none_or(|r| values.contains(r));
        if !is_fixed(c.a) || !is_fixed(c.b) {
            return;
        }
        if let Some(cc) = c.predicate.as_int()
            && [c.a, c.b].iter().any(|o| o.as_reg().is_none_or(|r| self.intervals.get(r).is_some()))
        {
            let [a, b] = [c.a, c.b].map(|o| self.interval(f, o, c.ty, appended, 0));
            self.narrow(c.a, a.meet(range::constrain(cc, a, b)));
            self.narrow(c.b, b.meet(range::constrain(cc.swapped(), b, a)));
        }
        for c in [c, c.swapped()] {
            let first = c.a;
            if let Some(r) = first.as_reg() {
                self.facts.push(Fact { holds: c, before: self.last[r] });
                self.last[r] = self.facts.len() as u32;
                self.known.push(r);
            }
        }
    }
    fn narrow(&mut self, o: Operand, to: Option<Range>) {
        if let (Some(r), Some(_)) = (o.as_reg(), to) {
            self.intervals[r] = to;
            self.known.push(r);
        }
    }
    /// Decides a comparison. None if it may hold or not.
    pub fn decide(&self, f: &Function, asked: Comparison, appended: &mut RulesOneByOne) -> Option<bool> {
        if self.facts.is_empty() {
            return None;
        }
        for asked in [asked, asked.swapped()] {
            let first = asked.a;
            let mut at = first.as_reg().map_or(0, |r| *self.last.get(r));
            for _ in 0..MAX_FACTS {
                let Some(fact) = at.checked_sub(1).map(|n| &self.facts[n as usize]) else { break };
                let decided = decided_by(asked, fact.holds, f);
                if decided.is_some() {
                    return decided;
                }
                at = fact.before;
            }
        }
        let cc = asked.predicate.as_int()?;
        if ![asked.a, asked.b].iter().any(|o| self.is_narrowed(f, *o, appended, 0)) {
            return None;
        }
        let [a, b] = [asked.a, asked.b].map(|o| self.interval(f, o, asked.ty, appended, 0));
        range::compare(cc, a, b)
    }
    /// Returns the value of an overflow test, if intervals decide it.
    pub fn overflows(&self, f: &Function, d: &InstData, appended: &mut RulesOneByOne) -> Option<bool> {
        let [a, b] = [d.first(), d.second()].map(|o| self.interval(f, o, d.ty, appended, 0));
        range::overflows(d.op, d.ty.as_word(), a, b)
    }
    /// True if guards narrow the interval of an operand. Recursion is bounded by [`DEPTH`].
    fn is_narrowed(&self, f: &Function, o: Operand, appended: &RulesOneByOne, depth: u32) -> bool {
        let Some(r) = o.as_reg() else { return false };
        if self.intervals.get(r).is_some() {
            return true;
        }
        if depth == DEPTH {
            return false;
        }
        let Some(i) = appended.def(r) else { return false };
        let d = *f.inst(i);
        match d.op.format() {
            Format::Binary => [d.first(), d.second()].iter().any(|o| self.is_narrowed(f, *o, appended, depth + 1)),
            Format::Convert => self.is_narrowed(f, d.first(), appended, depth + 1),
            _ => false,
        }
    }
    /// Returns the one number that an operand can be.
    pub fn point(&self, f: &Function, o: Operand, ty: Type, appended: &mut RulesOneByOne) -> Option<i64> {
        self.interval(f, o, ty, appended, 0).as_point()
    }
    /// Returns an interval in which an operand lies, as a signed number. Recursion is bounded by [`DEPTH`].
    fn interval(&self, f: &Function, o: Operand, ty: Type, appended: &mut RulesOneByOne, depth: u32) -> Range {
        let full = Range::full(ty.as_word());
        let Some(r) = o.as_reg() else {
            return f.constant(o).map_or(full, |k| Range::point(ty.as_word().sign_extend(k as u64)));
        };
        let mut known = appended.limits(f, o).map_or(full, |l| l.signed);
        if let Some(narrower) = self.intervals.get(r).and_then(|n| n.meet(known)) {
            known = narrower;
        }
        if depth == DEPTH || self.known.is_empty() {
            return known;
        }
        let Some(i) = appended.def(r) else { return known };
        let d = *f.inst(i);
        let w = d.ty.as_word();
        let of = match d.op.format() {
            Format::Binary if d.ty.is_int() => {
                let [a, b] = [d.first(), d.second()].map(|o| self.interval(f, o, d.ty, appended, depth + 1));
                range::binary(d.op, w, a, b)
            }
            Format::Convert if d.ty.is_int() && d.to_type().is_int() => {
                range::unary(d.op, w, d.to_type().as_word(), self.interval(f, d.first(), d.ty, appended, depth + 1))
            }
            _ => None,
        };
        of.and_then(|of| of.meet(known)).unwrap_or(known)
    }
}

/// Returns the comparison that holds where `x != 0` or `x == 0` does, `x` being its result.
fn tested(f: &Function, c: &Comparison, appended: &RulesOneByOne) -> Option<Comparison> {
    let cc = c.predicate.as_int().filter(|cc| matches!(cc, IntCC::Eq | IntCC::Ne))?;
    if c.second_constant(f) != Some(0) {
        return None;
    }
    let result = c.a;
    let d = f.inst(appended.def(result.as_reg()?)?);
    let inner = (d.op.format() == Format::Compare).then(|| Comparison::of(d))?;
    Some(if cc == IntCC::Ne { inner } else { inner.inverted() })
}
