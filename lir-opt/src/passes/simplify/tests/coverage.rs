//! Every rule is checked with values: with all at 8 bits, however many a rule has, with all at 16 bits where a rule has
//! one, and with boundary and random values at the other widths and for floats. A rule that cannot be written with
//! bytes alone, as it extends, truncates or asks for a width, is checked with all values at the types at which there
//! are fewest. Where a rule is only worth it at some widths (`when`), its sides are equal at all, and are checked there.

use super::super::parse::read_rule;
use super::super::rule::{NodeId, NodeKind, Pred, Rule};
use super::algebra::{Assignment, assign, value_types};
use super::enumeration::{check_all, constants_may_hold, count_tuples};
use super::lazily::{check_lazily, is_lazy};
use super::samples::{Rng, for_each_tuple};
use super::{all_rules, is_typed, type_choices};
use lir_syntax::ir::{Opcode, Type};
use std::panic::catch_unwind;

/// The choices of predicates: every variable runs through its set.
pub fn pred_choices(rule: &Rule) -> Vec<Vec<u8>> {
    let mut choices = vec![Vec::new()];
    for n in &rule.preds {
        let NodeKind::Op { pred: Pred::Bind(_, set), .. } = rule.nodes[*n as usize].kind else { unreachable!() };
        let preds = (0..16u8).filter(|p| set >> p & 1 != 0);
        choices = choices.iter().flat_map(|c| preds.clone().map(|p| [&c[..], &[p]].concat())).collect();
    }
    choices
}

/// How the values of a rule are gone through, for one choice of its types.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// All of them, as they are 16 bits.
    Few,
    /// All of them, in loops.
    Loops,
    /// All of them, as far as they are read.
    Lazily,
    /// Boundary and random values.
    Samples,
}

/// Each choice of types of a rule, and how its values are gone through there: all of them where they are bytes, or have
/// 24 bits with a byte among them. A rule whose conditions hold at no such choice has all values at those types at
/// which there are fewest.
pub fn coverage(rule: &Rule) -> Vec<(Vec<Type>, Coverage)> {
    let choose = |types: Vec<Type>| {
        let coverage = coverage_at(rule, &types);
        (types, coverage)
    };
    let mut choices: Vec<_> = type_choices(rule).into_iter().map(choose).collect();
    let may_hold = |types: &[Type]| {
        let of_preds = |preds| Assignment { preds, ..Assignment::new(rule, types) };
        is_written(rule, types) && pred_choices(rule).into_iter().any(|preds| constants_may_hold(&of_preds(preds)))
    };
    if !choices.iter().any(|c| c.1 != Coverage::Samples && may_hold(&c.0)) {
        let of_ints = choices.iter_mut().filter(|c| c.0.iter().all(|t| t.is_int()) && is_written(rule, &c.0));
        let sized = of_ints.map(|c| (count_tuples(&Assignment::new(rule, &c.0)), c)).filter(|c| c.0 > 0);
        if let Some((count, (types, coverage))) = sized.min_by_key(|c| c.0) {
            *coverage = match count {
                ..=0x1_0000_0000 => Coverage::Loops,
                _ if is_lazy(&Assignment::new(rule, types)) => Coverage::Lazily,
                _ => Coverage::Samples,
            };
        }
    }
    choices
}

/// Whether the right side exists with these types.
pub fn is_written(rule: &Rule, types: &[Type]) -> bool {
    (rule.left..rule.nodes.len()).all(|n| is_typed(rule, n as NodeId, types))
}

/// [`coverage`] as far as it does not depend on other types.
fn coverage_at(rule: &Rule, types: &[Type]) -> Coverage {
    let values = value_types(rule, types);
    let bits: u32 = values.iter().map(|t| t.bits()).sum();
    // The variables come first.
    let vars = &values[..values.len() - rule.consts.len()];
    match bits {
        ..=16 => Coverage::Few,
        _ if !is_written(rule, types) => Coverage::Samples,
        // Bytes that are too many are no samples but an error.
        _ if values.iter().all(|t| *t == Type::I8) => Coverage::Loops,
        ..=24 if vars.contains(&Type::I8) => Coverage::Loops,
        _ => Coverage::Samples,
    }
}

/// For how many tuples the conditions of the rule hold: of types all values of which were gone through, and of others.
fn check_rule(rule: &Rule) -> [u64; 2] {
    let mut reached = [0; 2];
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let preds = pred_choices(rule);
    for (types, coverage) in coverage(rule) {
        let value_types = value_types(rule, &types);
        for preds in &preds {
            let mut a = Assignment { preds: preds.clone(), ..Assignment::new(rule, &types) };
            reached[usize::from(coverage == Coverage::Samples)] += match coverage {
                Coverage::Loops => check_all(&a),
                Coverage::Lazily => check_lazily(&a),
                Coverage::Few | Coverage::Samples => {
                    let mut reached = 0;
                    for_each_tuple(&value_types, &mut rng, |values| {
                        assign(&mut a, values);
                        reached += u64::from(a.check_typed());
                    });
                    reached
                }
            };
        }
    }
    reached
}

/// Whether a rule has floats at all types that it may have.
fn is_of_floats(rule: &Rule) -> bool {
    type_choices(rule).iter().all(|types| types.iter().any(|t| t.is_float()))
}

#[test]
fn every_rule_of_integers_is_checked_with_all_values() {
    for rule in all_rules().filter(|r| !is_of_floats(r)) {
        assert!(coverage(rule).iter().any(|c| c.1 != Coverage::Samples), "{}", rule.text);
    }
}

/// Checks a rule; whether it was reached: with integers where all values were gone through.
fn is_right(rule: &'static Rule) -> bool {
    let [with_all, with_samples] = check_rule(rule);
    with_all > 0 || is_of_floats(rule) && with_samples > 0
}

families!(is_right);

#[test]
fn a_rule_is_wrong_where_it_is_not_worth_it_too() {
    for text in ["mul(x, C) => shl(x, C) when W == 64", "lshr(shl(x, C), C) => trunc(zext:i64(x)) when W == 32"] {
        let rule = read_rule("planted", text);
        assert!(catch_unwind(|| check_rule(&rule)).is_err(), "{text}");
    }
}

#[test]
fn nothing_but_opcodes_of_values_is_used() {
    for rule in all_rules() {
        for n in &rule.nodes {
            if let NodeKind::Op { op, .. } = n.kind {
                assert!(lir_syntax::semantics::is_value_op(op) && op != Opcode::Br, "{}", rule.text);
            }
        }
    }
}
