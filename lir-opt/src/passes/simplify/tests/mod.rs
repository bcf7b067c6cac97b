//! Every rule is checked, by values ([`coverage`]) and through the pass ([`engine`]).

/// A test for each family of rules: `$check` must be true for each rule. Or, without a check, their names.
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
mod hypothetical;
mod instances;
mod lanes;
mod lazily;
mod operations;
mod samples;

use super::rules::constants::{Bound, Comparison, Condition, Expr, Operator};
use super::rules::families::{FAMILIES, all_lines};
use super::rules::reading::read_rules;
use super::rules::reading::variants::tables_by_key;
use super::rules::rule::{Node, NodeId, NodeKind, Rule, TypeClass, half};
use super::rules::{list_rules, rules_of};
use lir_syntax::ir::{Format, Opcode, Type, TypeRule};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The rules of a family for which `check` is false, or panics.
fn rules_that_fail(family: &str, check: impl Fn(&'static Rule) -> bool) -> Vec<&'static str> {
    let texts: Vec<&str> = all_lines().filter(|(of, _)| *of == family).map(|(_, text)| text).collect();
    assert!(!texts.is_empty(), "{family}");
    let rules = all_rules().filter(|r| texts.contains(&r.text.get()));
    let fails = |r: &&'static Rule| !catch_unwind(AssertUnwindSafe(|| check(r))).unwrap_or(false);
    rules.filter(fails).map(|r| r.text.get()).collect()
}

/// A rule that is in no file.
fn read_rule(line: &'static str) -> Rule {
    read_rules("a test", line).pop().expect("a rule")
}

/// All rules.
fn all_rules() -> impl Iterator<Item = &'static Rule> {
    Opcode::ALL.iter().flat_map(|op| rules_of(*op).rules.iter())
}

/// Every choice of types for the classes of a rule at which its left side can be written.
fn type_choices(rule: &Rule) -> Vec<Vec<Type>> {
    let mut choices: Vec<Vec<Type>> = vec![Vec::new()];
    for class in rule.types.iter() {
        let types = match class {
            TypeClass::Fixed(ty) => std::slice::from_ref(ty),
            TypeClass::At(_) => &Type::OF_WORDS[..],
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

/// True if an operation exists with these types.
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

/// True if a NaN result of an operation is quiet, with otherwise unknown bits.
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

/// The tables of the build script hold the rules of the files.
#[test]
fn tables_hold_the_rules_that_are_read() {
    let lines: Vec<&str> = all_lines().map(|(_, line)| line).collect();
    assert_eq!(all_rules().count(), lines.len());
    for op in Opcode::ALL {
        let index = rules_of(*op);
        let read = lines.iter().map(|line| read_rule(line)).filter(|r| r.nodes[0].op() == Some(*op));
        let read: Vec<Rule> = read.collect();
        let by_key = tables_by_key(*op, &read);
        assert_eq!(index.keys.len(), by_key.len());
        for (tables, new) in index.keys.iter().zip(&by_key) {
            assert_eq!(tables.len(), new.len());
            for (table, new) in tables.iter().zip(new) {
                let allowed: Vec<u128> = table.allowed.iter().map(|set| **set).collect();
                assert_eq!((&*table.variants, allowed, table.same), (&*new.variants, new.allowed.clone(), new.same));
            }
        }
        for (rule, read) in index.rules.iter().zip(&read) {
            assert_eq!(rule.text.get(), read.text.get());
            assert_eq!((&rule.nodes, rule.left, rule.right), (&read.nodes, read.left, read.right), "{}", rule.text);
            let lists = |r: &Rule| [r.made, r.vars, r.kept, r.consts, r.preds, r.ints];
            assert_eq!(lists(rule), lists(read), "{}", rule.text);
            assert_eq!((&rule.conditions, &rule.worth), (&read.conditions, &read.worth), "{}", rule.text);
            assert_eq!((&rule.types, &rule.type_checks), (&read.types, &read.type_checks), "{}", rule.text);
            assert_eq!((rule.loads_constants, rule.expands), (read.loads_constants, read.expands), "{}", rule.text);
        }
    }
}

#[test]
fn messages_say_where_a_rule_is_wrong() {
    for (text, position, message) in [
        ("# a comment\nadd(x, y) => z\n", "2:14", "not bound on the left side"),
        ("addd(x, y) => x", "1:1", "no such operation"),
        ("add(x, y => x", "1:10", "expected"),
        ("icmp(less, x, y) => 0 if x", "1:26", "a constant is expected"),
        ("icmp(P:less, x, y) => 0", "1:8", "no such predicate"),
        ("add(x:i8, y:i16) => x", "1:1", "types that do not agree: i8 and i16"),
        ("add(x, y) => x when nonneg(x)", "1:1", "known bits in what it is worth"),
        ("mul(x, y, z) => x", "1:1", "another number of operands"),
    ] {
        let error = catch_unwind(|| read_rules("wrong.rules", text)).err().expect("it is wrong");
        let said = error.downcast_ref::<String>().expect("a message");
        assert!(said.contains(&format!("wrong.rules:{position}\n")) && said.contains(message), "{text}: {said}");
    }
}

#[test]
fn no_rule_is_written_twice() {
    let mut left: Vec<&str> = all_rules().map(|r| r.text.get()).collect();
    left.sort_unstable();
    let twice: Vec<_> = left.windows(2).filter(|w| w[0] == w[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// True if an expression, by its form, is never negative.
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

/// True if the bounds in an expression are all upper ones, or all lower ones: then a better bound can only make a
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
fn conditions_are_monotonic_in_the_known_facts() {
    for rule in all_rules() {
        for c in rule.conditions.iter() {
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
