//! Every rule is checked with values: with all at 8 bits, however many a rule has, with all at 16 bits where a rule has
//! one, and with boundary and random values at the other widths and for floats. A rule that cannot be written with
//! bytes alone, as it extends, truncates or asks for a width, is checked with all values at the types at which there
//! are fewest.

use super::super::rule::{NodeId, NodeKind, Pred, Rule, TypeClass};
use super::algebra::{Assignment, assign, value_types};
use super::enumeration::{check_all, count_tuples};
use super::lazily::{check_lazily, is_lazy};
use super::samples::{Rng, for_each_tuple};
use super::{all_rules, is_typed, type_choices};
use lir_syntax::ir::{Opcode, Type};

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
/// 24 bits with a byte among them. A rule that has no such choice has all values at those types at which there are
/// fewest.
pub fn coverage(rule: &Rule) -> Vec<(Vec<Type>, Coverage)> {
    let choose = |types: Vec<Type>| {
        let coverage = coverage_at(rule, &types);
        (types, coverage)
    };
    let mut choices: Vec<_> = type_choices(rule).into_iter().map(choose).collect();
    if choices.iter().all(|c| c.1 == Coverage::Samples) {
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

/// How many tuples were found for which the conditions of the rule hold.
fn check_rule(rule: &Rule) -> u64 {
    let mut reached = 0;
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let preds = pred_choices(rule);
    for (types, coverage) in coverage(rule) {
        let value_types = value_types(rule, &types);
        for preds in &preds {
            let mut a = Assignment { preds: preds.clone(), ..Assignment::new(rule, &types) };
            reached += match coverage {
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

#[test]
fn every_rule_of_integers_is_checked_with_all_values() {
    // A rule for one width of 32 or 64 bits has no smaller instance.
    let is_wide = |t: &TypeClass| matches!(t, TypeClass::Fixed(Type::I32 | Type::I64));
    for rule in all_rules() {
        let choices = coverage(rule);
        if choices.iter().all(|c| c.1 == Coverage::Samples) {
            let of_floats = choices.iter().all(|c| c.0.iter().any(|t| t.is_float()));
            let of_wide_values = rule.vars.iter().all(|n| is_wide(&rule.types[rule.nodes[*n as usize].ty as usize]));
            assert!(of_floats || of_wide_values, "{}", rule.text);
        }
    }
}

fn is_right(rule: &'static Rule) -> bool {
    check_rule(rule) > 0
}

families!(is_right);

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
