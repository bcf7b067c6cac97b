//! Every rule is checked with values: with all at 8 bits, however many a rule has, with all at 16 bits where a rule has
//! one, and with boundary and random values at the other widths and for floats. A rule that cannot be written with
//! bytes alone, since it extends, truncates or requires a width, is checked with all values at the types with the
//! fewest values. A rule that is only profitable at some widths (`when`) is true at all, and is checked at all.

use super::super::rules::predicates::members;
use super::super::rules::rule::{Node, NodeId, NodeKind, Pred, Rule};
use super::algebra::{Assignment, assign, value_types};
use super::enumeration::{Portion, check_portion, constants_may_hold, count_tuples};
use super::instances::count_instances;
use super::lazily::{check_lazily, is_lazy};
use super::read_rule;
use super::samples::{Rng, for_each_tuple};
use super::{all_rules, is_typed, type_choices};
use lir_syntax::ir::{Opcode, Predicate, Type};
use std::panic::catch_unwind;

/// The choices of predicates: every variable runs through its set.
pub fn pred_choices(rule: &Rule) -> Vec<Vec<Predicate>> {
    let mut choices = vec![Vec::new()];
    for n in rule.preds.iter() {
        let NodeKind::Op { op, pred: Pred::Bind(_, set), .. } = rule.nodes[*n as usize].kind else { unreachable!() };
        choices = choices.iter().flat_map(|c| members(op, set).map(|p| [&c[..], &[p]].concat())).collect();
    }
    choices
}

/// The enumeration of a rule's values, for one choice of its types.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// All of them, as they are at most 16 bits.
    Few,
    /// All of them, in loops.
    Loops,
    /// All of them, as far as they are read.
    Lazily,
    /// Boundary and random values.
    Samples,
}

/// Each choice of types of a rule, with the coverage of its values there: all of them if they are bytes, or have 24
/// bits with a byte among the variables. A rule whose conditions hold at no such choice is checked with all values at
/// the types with the fewest.
pub fn coverage(rule: &Rule) -> Vec<(Vec<Type>, Coverage)> {
    let choose = |types: Vec<Type>| {
        let coverage = coverage_at(rule, &types);
        (types, coverage)
    };
    let mut choices: Vec<_> = type_choices(rule).into_iter().map(choose).collect();
    let tells =
        |types: &[Type]| types.iter().all(|t| t.is_int()) && is_written(rule, types) && !is_trivial(rule, types);
    let may_hold = |types: &[Type]| {
        let of_preds = |preds| Assignment { preds, ..Assignment::new(rule, types) };
        tells(types) && pred_choices(rule).into_iter().any(|preds| constants_may_hold(&of_preds(preds)))
    };
    if !choices.iter().any(|c| c.1 != Coverage::Samples && may_hold(&c.0)) {
        let of_ints = choices.iter_mut().filter(|c| tells(&c.0));
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

/// True if the right side exists with these types.
pub fn is_written(rule: &Rule, types: &[Type]) -> bool {
    (rule.left..rule.nodes.len()).all(|n| is_typed(rule, n as NodeId, types))
}

/// [`coverage`] as far as it does not depend on other types.
fn coverage_at(rule: &Rule, types: &[Type]) -> Coverage {
    let values = value_types(rule, types);
    let bits: u32 = values.iter().map(|t| t.bits()).sum();
    // The variables are first.
    let vars = &values[..values.len() - rule.consts.len()];
    match bits {
        ..=16 => Coverage::Few,
        _ if !is_written(rule, types) => Coverage::Samples,
        // Bytes that are too many are not samples but an error.
        _ if values.iter().all(|t| *t == Type::I8) => Coverage::Loops,
        ..=24 if vars.contains(&Type::I8) => Coverage::Loops,
        _ => Coverage::Samples,
    }
}

/// For how many tuples the conditions of a rule were seen to hold.
struct Reached {
    /// For each choice of predicates: the counts at types with all values, and elsewhere.
    by_preds: Vec<[u64; 2]>,
    /// The types of 32 or 64 bits at which there were less than [`ENOUGH`].
    too_seldom: Vec<(Vec<Type>, u64)>,
}

/// At least this many tuples are tried at types of 32 or 64 bits.
const ENOUGH: u64 = 32;

fn check_rule(rule: &Rule) -> Reached {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let preds = pred_choices(rule);
    let mut reached = Reached { by_preds: vec![[0; 2]; preds.len()], too_seldom: Vec::new() };
    for (types, coverage) in coverage(rule) {
        let value_types = value_types(rule, &types);
        let kind = usize::from(coverage == Coverage::Samples || is_trivial(rule, &types));
        let mut a = Assignment::new(rule, &types);
        let portion = Portion::of_this_run();
        let choices = preds.len();
        for (k, (preds, by_preds)) in preds.iter().zip(&mut reached.by_preds).enumerate() {
            a.preds.clone_from(preds);
            by_preds[kind] += match coverage {
                Coverage::Loops => check_portion(&a, portion),
                Coverage::Lazily => check_lazily(&a, portion),
                Coverage::Few | Coverage::Samples => {
                    let (mut reached, mut number) = (0, 0);
                    for_each_tuple(&value_types, &mut rng, |values| {
                        number += 1;
                        if portion.has_tuple(number, (k, choices)) {
                            assign(&mut a, values);
                            reached += u64::from(a.check_typed());
                        }
                    });
                    reached
                }
            };
        }
        let instances = count_instances(&mut a, &preds, &mut rng, |a| {
            let holds = a.check_typed();
            let tried = preds.iter().position(|p| *p == a.preds).expect("it was chosen among them");
            reached.by_preds[tried][1] += u64::from(holds);
            holds
        });
        if instances < ENOUGH && is_wide(&types) && a.conditions_on_types_hold() && is_written(rule, &types) {
            reached.too_seldom.push((types, instances));
        }
    }
    reached
}

/// True if there are integers alone, some of 32 or 64 bits.
fn is_wide(types: &[Type]) -> bool {
    types.iter().all(|t| t.is_int()) && types.iter().any(|t| t.bits() >= 32)
}

/// True if a rule is trivial at some types: the bytes of one byte are in any order.
fn is_trivial(rule: &Rule, types: &[Type]) -> bool {
    let swaps_one = |n: &Node| n.op() == Some(Opcode::Bswap) && types[n.annotation as usize] == Type::I8;
    rule.nodes.iter().any(swaps_one) && type_choices(rule).len() > 1
}

/// True if a rule has floats at all types that it may have.
fn is_of_floats(rule: &Rule) -> bool {
    type_choices(rule).iter().all(|types| types.iter().any(|t| t.is_float()))
}

#[test]
fn every_rule_of_integers_is_checked_with_all_values() {
    for rule in all_rules().filter(|r| !is_of_floats(r)) {
        assert!(coverage(rule).iter().any(|c| c.1 != Coverage::Samples), "{}", rule.text);
    }
}

/// Checks a rule; returns whether it was reached: with integers at types with all values, with all predicates with
/// which it is reached anywhere, and at all types of 32 and 64 bits, too.
fn is_right(rule: &'static Rule) -> bool {
    let Reached { by_preds, too_seldom } = check_rule(rule);
    assert!(too_seldom.is_empty(), "{}: at {too_seldom:?}", rule.text);
    if is_of_floats(rule) {
        return by_preds.as_flattened().iter().any(|n| *n > 0);
    }
    // A part of the values need not reach a rule that holds for few.
    let is_missed = |[with_all, with_samples]: &[u64; 2]| *with_all == 0 && *with_samples > 0;
    let all = Portion::of_this_run() == Portion::All;
    assert!(!(all && by_preds.iter().any(is_missed)), "{}: {by_preds:?}", rule.text);
    by_preds.iter().any(|[with_all, with_samples]| *with_all > 0 || !all && *with_samples > 0)
}

families!(is_right);

/// Rules that are wrong, or seldom reached, which no single value at 8 bits shows.
const WRONG: [&str; 6] = [
    // Wrong where they are not profitable.
    "mul(x, C) => shl(x, C) when W == 64",
    "lshr(shl(x, C), C) => trunc(zext:i64(x)) when W == 32",
    // Only at 64 bits, for constants that hardly ever coincide.
    "xor(xor(x, C1), C2) => xor(x, C1 ^ C2 ^ (W >> 6)) if C1 == C2 + 0x5b",
    "umulh(umin(x, C1), C2) => W >> 6 if u(C1 * 5 + C2 * 7) == u(0x9d), C1 * C2 <= u(-1)",
    "and(and(x, C1), C2) => trunc(and(zext:i64(x), C1 & C2)) if (C1 & C2) % 0x10000 == 0x5b",
    // As a byte has its bytes in any order.
    "bswap(add(x, C)) => add(bswap(x), C)",
];

#[test]
fn wrong_rules_are_found_that_no_byte_tells_from_right_ones() {
    for text in WRONG {
        let rule: &'static Rule = Box::leak(Box::new(read_rule(text)));
        assert!(!catch_unwind(|| is_right(rule)).unwrap_or(false), "{text}");
    }
}

#[test]
fn nothing_but_opcodes_of_values_is_used() {
    for rule in all_rules() {
        for n in rule.nodes.iter() {
            if let NodeKind::Op { op, .. } = n.kind {
                assert!(lir_syntax::semantics::is_value_op(op) && op != Opcode::Br, "{}", rule.text);
            }
        }
    }
}
