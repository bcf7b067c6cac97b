//! Finds tuples for which the conditions of a rule hold, if they are rare.
//!
//! Random constants are hardly ever the complement of each other. So each is chosen, computed from another one, or
//! determined by a condition with an equality; and some variables are near a constant, or small.

use super::super::rules::constants::{Comparison, Condition, Expr};
use super::algebra::{Assignment, assign, value_types};
use super::samples::{Rng, special};
use lir_syntax::ir::{Predicate, Type};

/// The number of times that constants are chosen.
const ATTEMPTS: usize = 4000;
/// The number of times at most that they fit.
const FITTING: usize = 96;
/// So often variables are chosen for constants that fit.
const VALUES: usize = 12;

/// Calls `check` with tuples for which the conditions about constants hold, and counts the ones for which it returns
/// true. The predicates are chosen among `preds`.
pub fn count_instances<'r>(
    a: &mut Assignment<'r>,
    preds: &[Vec<Predicate>],
    rng: &mut Rng,
    mut check: impl FnMut(&mut Assignment<'r>) -> bool,
) -> u64 {
    let types = value_types(a.rule, a.types);
    let sets: Vec<Vec<u64>> = types.iter().map(|t| special(*t)).collect();
    let num_vars = types.len() - a.rule.consts.len();
    let (mut fitting, mut reached) = (0, 0);
    for _ in 0..ATTEMPTS {
        a.preds = preds[rng.below(preds.len())].clone();
        let mut values: Vec<u64> = sets.iter().zip(&types).map(|(set, ty)| choose(rng, set, *ty)).collect();
        relate_constants(rng, &mut values[num_vars..], &types[num_vars..]);
        assign(a, &values);
        solve(a);
        values[num_vars..].copy_from_slice(&a.consts);
        let rule = a.rule;
        if !rule.conditions.iter().filter(|c| !c.is_costly()).all(|c| c.holds(a)) {
            continue;
        }
        for _ in 0..VALUES {
            for k in 0..num_vars {
                values[k] = choose_variable(rng, &sets[k], types[k], &values[num_vars..]);
            }
            assign(a, &values);
            reached += u64::from(check(a));
        }
        fitting += 1;
        if fitting == FITTING {
            break;
        }
    }
    reached
}

/// A special value, or any, or a small one.
fn choose(rng: &mut Rng, set: &[u64], ty: Type) -> u64 {
    match rng.below(4) {
        0 | 1 => rng.pick(set),
        2 => ty.as_word().truncate(rng.next()),
        _ => rng.next() % u64::from(ty.bits()),
    }
}

/// A value of a variable: most often near a constant, or small.
fn choose_variable(rng: &mut Rng, set: &[u64], ty: Type, constants: &[u64]) -> u64 {
    let (w, shift) = (ty.as_word(), rng.next() % u64::from(ty.bits()));
    match rng.below(5) {
        0 if !constants.is_empty() => {
            let c = rng.pick(constants);
            w.truncate(related(rng, ty, c))
        }
        // A truth value, or another.
        1 => rng.next() % 3,
        // Of few bits, or with many equal to its sign.
        2 => w.truncate(rng.next()) >> shift,
        3 => w.truncate((w.sign_extend(rng.next()) >> shift) as u64),
        _ => choose(rng, set, ty),
    }
}

/// Replaces some constants by values computed from others.
fn relate_constants(rng: &mut Rng, constants: &mut [u64], types: &[Type]) {
    if constants.len() < 2 {
        return;
    }
    for _ in 0..rng.below(3) {
        let (from, to) = (rng.below(constants.len()), rng.below(constants.len()));
        constants[to] = types[to].as_word().truncate(related(rng, types[to], constants[from]));
    }
}

/// A number that rules may need together with another one.
fn related(rng: &mut Rng, ty: Type, x: u64) -> u64 {
    let width = u64::from(ty.bits());
    let least = 1 << (width - 1);
    let small = rng.next() % 8;
    match rng.below(13) {
        0 => !x,
        1 => x.wrapping_neg(),
        2 => x ^ least,
        3 => (x ^ least).wrapping_sub(1),
        4 => x.wrapping_add(1),
        5 => x.wrapping_sub(1),
        6 => width.wrapping_sub(x),
        7 => x % width,
        8 => 1 << (x % width),
        9 => ty.as_word().mask() >> (x % width),
        10 => x.wrapping_mul(small),
        11 => x / small.max(1),
        _ => x,
    }
}

/// Sets constants to the values that conditions require.
fn solve(a: &mut Assignment<'_>) {
    let rule = a.rule;
    for c in rule.conditions.iter() {
        let (k, e) = match c {
            Condition::Compare(Comparison::Eq, Expr::Const(k), e) => (*k, e),
            Condition::Compare(Comparison::Eq, e, Expr::Const(k)) => (*k, e),
            _ => continue,
        };
        let ty = a.types[rule.nodes[rule.consts[k as usize] as usize].ty as usize];
        a.consts[k as usize] = ty.as_word().truncate(e.number(a) as u64);
    }
}
