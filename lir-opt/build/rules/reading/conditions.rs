//! Reads the conditions after `if` and `when`.

use super::constants::{Bound, Comparison, Condition, Expr, Outcome};
use super::{Pair, R, Reader, next};
use lir_opcodes::Promises;

impl Reader<'_> {
    /// Reads the conditions in a list, if there is one.
    pub(super) fn conditions(&mut self, list: Option<Pair>) -> Vec<Condition> {
        list.into_iter().flat_map(Pair::into_inner).map(|c| self.condition(c)).collect()
    }
    fn condition(&mut self, condition: Pair) -> Condition {
        let kind = condition.as_rule();
        let mut parts = condition.into_inner();
        let first = next(&mut parts);
        match kind {
            R::outcome => {
                let outcome = match first.as_str() {
                    "exists" => Outcome::Predicate,
                    "always" => Outcome::Always,
                    _ => Outcome::Never,
                };
                let (combination, k, l) = self.both(next(&mut parts));
                Condition::Outcomes(outcome, combination, k, l)
            }
            R::fact => {
                let x = self.bound(&self.vars, &next(&mut parts));
                match first.as_str() {
                    "nonzero" => Condition::Compare(Comparison::Ge, Expr::Bound(Bound::Least, x), Expr::Int(1)),
                    "nonneg" => Condition::Compare(Comparison::Ge, Expr::Bound(Bound::SignedLeast, x), Expr::Int(0)),
                    "bool" => Condition::Compare(Comparison::Le, Expr::Bound(Bound::Most, x), Expr::Int(1)),
                    "quiet" => Condition::Quiet(x),
                    "once" => Condition::Once(x),
                    promise => {
                        let promise = Promises::from_name(promise.as_bytes()).expect("the grammar has its word");
                        Condition::Promised(promise, x)
                    }
                }
            }
            R::distinct => {
                Condition::Distinct(self.bound(&self.vars, &first), self.bound(&self.vars, &next(&mut parts)))
            }
            R::bits => {
                let (x, bits) = (self.bound(&self.vars, &next(&mut parts)), self.expr(next(&mut parts)));
                if first.as_str() == "zeros" { Condition::Zeros(x, bits) } else { Condition::Ones(x, bits) }
            }
            _ => {
                let left = self.expr(first);
                let Some(sign) = parts.next() else { return Condition::Compare(Comparison::Ne, left, Expr::Int(0)) };
                let comparison = match sign.as_str() {
                    "==" => Comparison::Eq,
                    "!=" => Comparison::Ne,
                    "<=" => Comparison::Le,
                    ">=" => Comparison::Ge,
                    "<" => Comparison::Lt,
                    _ => Comparison::Gt,
                };
                Condition::Compare(comparison, left, self.expr(next(&mut parts)))
            }
        }
    }
}
