//! Every rule is checked, by values ([`coverage`]) and through the pass ([`engine`]).

/// A test for each family of rules, each of which `$check` must say yes to; or, without a check, their names.
macro_rules! families {
    ($check:ident) => {
        families! { $check: identities constants bits shifts extend compare select overflow float division }
    };
    (names: $($name:ident)*) => { [$(stringify!($name)),*] };
    ($check:ident: $($name:ident)*) => { $(
        #[test]
        fn $name() {
            let failed = super::rules_that_fail(stringify!($name), $check);
            assert!(failed.is_empty(), "wrong or not reached:\n{}", failed.join("\n"));
        }
    )* };
}

mod algebra;
mod blocks;
mod bytes;
mod coverage;
mod engine;
mod enumeration;
mod equalities;
mod instances;
mod lanes;
mod lazily;
mod operations;
mod samples;
mod tries;

use super::constants::{Bound, Comparison, Condition, Expr, Operator};
use super::rule::{Node, NodeId, NodeKind, Rule, TypeClass, half};
use super::{FAMILIES, RuleSet, list_rules};
use lir_syntax::ir::{Format, Opcode, Type, TypeRule};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The rules of a family for which `check` says no, or panics.
fn rules_that_fail(family: &str, check: impl Fn(&'static Rule) -> bool) -> Vec<&'static str> {
    assert!(FAMILIES.iter().any(|f| f.0 == family), "{family}");
    let rules = all_rules().filter(|r| r.family == family);
    let fails = |r: &&'static Rule| !catch_unwind(AssertUnwindSafe(|| check(r))).unwrap_or(false);
    rules.filter(fails).map(|r| r.text).collect()
}

/// All rules.
fn all_rules() -> impl Iterator<Item = &'static Rule> {
    Opcode::ALL.iter().flat_map(|op| &RuleSet::get().of(*op).rules)
}

/// Every choice of types for the classes of a rule at which its left side can be written.
fn type_choices(rule: &Rule) -> Vec<Vec<Type>> {
    let mut choices: Vec<Vec<Type>> = vec![Vec::new()];
    for class in &rule.types {
        let types = match class {
            TypeClass::Fixed(ty) => std::slice::from_ref(ty),
            TypeClass::At(_) => &Type::ALL[..],
            TypeClass::Half(of) => {
                choices.retain_mut(|c| half(c[*of as usize]).map(|ty| c.push(ty)).is_some());
                continue;
            }
        };
        choices = choices.iter().flat_map(|c| types.iter().map(|t| [&c[..], &[*t]].concat())).collect();
    }
    choices.retain(|types| (0..rule.left).all(|n| is_typed(rule, n as NodeId, types)));
    choices.retain(|types| rule.ints.iter().all(|t| types[*t as usize].is_int()));
    choices
}

/// Whether an operation exists with these types.
fn is_typed(rule: &Rule, n: NodeId, types: &[Type]) -> bool {
    let node = &rule.nodes[n as usize];
    let NodeKind::Op { op, args, .. } = &node.kind else { return true };
    let (annotation, ty) = (types[node.annotation as usize], types[node.ty as usize]);
    let rule_of_types = op.info().types;
    if op.format() == Format::Convert {
        return rule_of_types.allows_conversion(annotation, ty);
    }
    let condition = op.format() != Format::Select || types[rule.nodes[args[0] as usize].ty as usize].is_int();
    rule_of_types.allows(annotation) && condition
}

/// Whether the result of an operation is a NaN of which only that it is quiet is known.
fn is_arithmetic(op: Opcode) -> bool {
    !matches!(op, Opcode::Copy | Opcode::Fneg | Opcode::Fabs | Opcode::Fcopysign | Opcode::Select | Opcode::Bitcast)
        && !matches!(op.info().types, TypeRule::Any)
}

#[test]
fn all_families_are_tested() {
    let families: Vec<&str> = FAMILIES.iter().map(|f| f.0).collect();
    assert_eq!(families, families!(names));
}

#[test]
fn rules_are_listed() {
    let text = list_rules();
    assert!(text.starts_with("identities:\n  copy(x) => x\n"), "{text}");
    assert!(text.lines().count() > 500);
}

#[test]
fn no_rule_is_written_twice() {
    let mut left: Vec<&str> = all_rules().map(|r| r.text).collect();
    left.sort_unstable();
    let twice: Vec<_> = left.windows(2).filter(|w| w[0] == w[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// Whether an expression, by its form, is never negative.
fn is_nonnegative(e: &Expr) -> bool {
    match e {
        Expr::Bound(Bound::Most | Bound::Least | Bound::SignBits, _) => true,
        Expr::Const(_) | Expr::Width(_) | Expr::Greatest(_) => true,
        Expr::Int(n) => *n >= 0,
        Expr::Binary(Operator::Add | Operator::Mul, operands) => {
            is_nonnegative(&operands.0) && is_nonnegative(&operands.1)
        }
        _ => false,
    }
}

/// Whether the bounds in an expression are all upper ones, or all lower ones: then a better bound can only make a
/// condition hold that held before.
fn has_bounds_of(e: &Expr, upper: bool) -> bool {
    match e {
        Expr::Bound(Bound::Most | Bound::SignedMost, _) => upper,
        Expr::Bound(Bound::Least | Bound::SignedLeast | Bound::SignBits, _) => !upper,
        Expr::Binary(Operator::Add, operands) => has_bounds_of(&operands.0, upper) && has_bounds_of(&operands.1, upper),
        Expr::Binary(Operator::Mul, operands) if e.asks_bounds() => {
            let of_this_kind = |e: &Expr| has_bounds_of(e, upper) && is_nonnegative(e);
            of_this_kind(&operands.0) && of_this_kind(&operands.1)
        }
        Expr::Binary(Operator::Sub, operands) => {
            has_bounds_of(&operands.0, upper) && has_bounds_of(&operands.1, !upper)
        }
        _ => !e.asks_bounds(),
    }
}

#[test]
fn bounds_are_asked_by_conditions_alone() {
    for rule in all_rules() {
        let asks = |n: &Node| matches!(&n.kind, NodeKind::Const(e) if e.asks_bounds());
        assert!(!rule.nodes.iter().any(asks), "{}", rule.text);
    }
}

#[test]
fn conditions_are_monotonic_in_what_is_known() {
    for rule in all_rules() {
        for c in &rule.conditions {
            let (comparison, a, b) = match c {
                Condition::Compare(comparison, a, b) => (comparison, a, b),
                Condition::Zeros(_, mask) | Condition::Ones(_, mask) => {
                    assert!(!mask.asks_bounds(), "{}", rule.text);
                    continue;
                }
                _ => continue,
            };
            let fine = match comparison {
                Comparison::Eq | Comparison::Ne => !a.asks_bounds() && !b.asks_bounds(),
                Comparison::Lt | Comparison::Le => has_bounds_of(a, true) && has_bounds_of(b, false),
                Comparison::Gt | Comparison::Ge => has_bounds_of(a, false) && has_bounds_of(b, true),
            };
            assert!(fine, "{}", rule.text);
        }
    }
}
