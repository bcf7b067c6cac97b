//! The facts about 256 values of a variable at once, which differ in their low byte.
//!
//! A condition such as `most(x) <= 255` holds for few values of a wide variable. That it holds for none of a block is
//! found by asking it with bounds as good as the best of the block has; so few blocks remain to be examined.

use super::super::rules::constants::{Bound, Condition, Expr, TypeId, Values};
use super::super::rules::rule::Rule;
use super::algebra::Assignment;
use super::operations::LANES;
use super::read_rule;
use lir_syntax::ir::{Predicate, Promises, Type};

/// The values of an assignment, with a block of values for one variable.
pub struct Block<'b, 'r> {
    /// For the variable of the block it has the bits above the low byte.
    pub a: &'b mut Assignment<'r>,
    /// The variable with different values.
    pub lane: usize,
}

/// The conditions that [`Block`] can decide: comparisons of one bound of the variable, or its bits, with an expression
/// that depends on no bound.
pub fn list_filters(rule: &Rule, lane: usize) -> Vec<&Condition> {
    let is_bound = |e: &Expr| matches!(e, Expr::Bound(_, var) if *var as usize == lane);
    let decides = |c: &&Condition| match c {
        Condition::Compare(_, a, b) => is_bound(a) && !b.asks_bounds() || is_bound(b) && !a.asks_bounds(),
        Condition::Zeros(var, mask) | Condition::Ones(var, mask) => *var as usize == lane && !mask.asks_bounds(),
        Condition::Distinct(..)
        | Condition::Quiet(_)
        | Condition::Once(_)
        | Condition::Promised(..)
        | Condition::Outcomes(..) => false,
    };
    rule.conditions.iter().filter(decides).collect()
}

impl Block<'_, '_> {
    /// The least value and the greatest.
    fn ends(&self) -> (u64, u64) {
        let least = self.a.vars[self.lane] & !(LANES as u64 - 1);
        (least, least | (LANES as u64 - 1))
    }
}

impl Values for Block<'_, '_> {
    fn constant(&mut self, k: u8) -> u64 {
        self.a.constant(k)
    }
    fn ty(&self, t: TypeId) -> Type {
        self.a.ty(t)
    }
    fn bound(&mut self, bound: Bound, var: u8) -> i128 {
        assert!(var as usize == self.lane);
        let ty = self.type_of_var(var);
        let w = ty.as_word();
        let (least, greatest) = self.ends();
        let signed = |x: u64| i128::from(w.sign_extend(x));
        match bound {
            Bound::Most => i128::from(least),
            Bound::Least => i128::from(greatest),
            // All bytes are one block, in which the sign changes.
            Bound::SignedMost if ty == Type::I8 => i128::from(i8::MIN),
            Bound::SignedLeast if ty == Type::I8 => i128::from(i8::MAX),
            Bound::SignedMost => signed(least),
            Bound::SignedLeast => signed(greatest),
            // 0 and -1 have the most.
            Bound::SignBits if least == 0 || greatest == w.mask() => i128::from(ty.bits()),
            Bound::SignBits => i128::from(w.num_sign_bits(w.sign_extend(least))),
        }
    }
    fn known(&mut self, var: u8) -> (u64, u64) {
        assert!(var as usize == self.lane);
        let (least, greatest) = self.ends();
        (self.type_of_var(var).as_word().truncate(!least), greatest)
    }
    fn are_distinct(&mut self, _: u8, _: u8) -> bool {
        true
    }
    fn is_quiet(&mut self, _: u8) -> bool {
        true
    }
    fn is_read_once(&self, _: u8) -> bool {
        true
    }
    fn is_promised(&mut self, _: Promises, _: u8) -> bool {
        true
    }
    fn predicate(&self, k: u8) -> Predicate {
        self.a.predicate(k)
    }
    fn type_of_var(&self, var: u8) -> Type {
        self.a.type_of_var(var)
    }
}

#[test]
fn a_block_is_left_out_where_a_condition_holds_for_none_of_its_values() {
    let conditions = [
        "most(x) <= 0x6ff", "least(x) >= 0xfc00", "smost(x) < -1000", "sleast(x) > 0x1234", "300 < least(x)",
        "signbits(x) > 5", "signbits(x) >= 16", "zeros(x, 0x1ff)", "zeros(x, 0xa5)", "ones(x, 0x8280)", "nonzero(x)",
        "nonneg(x)",
    ];
    for text in conditions {
        let line: &'static str = format!("neg(x) => neg(x) if {text}").leak();
        let rule = read_rule(line);
        for ty in [Type::I8, Type::I16] {
            let types = vec![ty; rule.types.len()];
            let mut a = Assignment::new(&rule, &types);
            let filters = list_filters(&rule, 0);
            assert_eq!(filters.len(), 1, "{text}");
            for above in (0..=ty.as_word().mask()).step_by(LANES) {
                let some = (above..above + LANES as u64).any(|x| {
                    a.vars[0] = x;
                    a.conditions_hold()
                });
                a.vars[0] = above;
                assert_eq!(filters[0].holds(&mut Block { a: &mut a, lane: 0 }), some, "{text} {ty} {above:x}");
            }
        }
    }
}
