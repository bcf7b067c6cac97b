//! Both sides of every rule are evaluated: for all values at 8 bits, however many a rule has (see [`enumeration`]), for
//! all at 16 bits where a rule has one, and for boundary and random values at the other widths and for floats. A rule
//! that cannot be written with bytes alone, as it extends, truncates or asks for a width, is evaluated for all values
//! where these have 24 bits together at most.
//!
//! [`enumeration`]: super::enumeration

use super::super::constants::{Bound, Values};
use super::super::rule::{NodeId, NodeKind, Pred, Rule, TypeId};
use super::enumeration::{are_enumerable, check_all};
use super::samples::{Rng, all, special};
use super::{is_arithmetic, is_typed, type_choices};
use lir_syntax::ir::{Opcode, Type};
use lir_syntax::semantics::{Trap, eval, float};

/// The values of a rule's variables, constants and predicates.
#[derive(Clone)]
pub struct Assignment<'a> {
    pub rule: &'a Rule,
    pub types: &'a [Type],
    pub vars: Vec<u64>,
    pub consts: Vec<u64>,
    pub preds: Vec<u8>,
}

impl Values for Assignment<'_> {
    fn constant(&mut self, k: u8) -> u64 {
        self.consts[k as usize]
    }
    fn ty(&self, t: TypeId) -> Type {
        self.types[t as usize]
    }
    fn bound(&mut self, bound: Bound, var: u8) -> i128 {
        let (ty, x) = (self.type_of_var(var), self.vars[var as usize]);
        let signed = ty.sign_extend(x);
        match bound {
            Bound::Most | Bound::Least => i128::from(x),
            Bound::SignedMost | Bound::SignedLeast => i128::from(signed),
            Bound::SignBits => {
                let equal = if signed < 0 { signed.leading_ones() } else { signed.leading_zeros() };
                i128::from(equal - (64 - ty.bits()))
            }
        }
    }
    fn known(&mut self, var: u8) -> (u64, u64) {
        let x = self.vars[var as usize];
        (self.type_of_var(var).truncate(!x), x)
    }
    fn is_quiet(&mut self, var: u8) -> bool {
        let (ty, x) = (self.type_of_var(var), self.vars[var as usize]);
        !float::is_nan(ty, x) || x & float::quiet_bit(ty) != 0
    }
    fn is_read_once(&self, _: u8) -> bool {
        true
    }
    fn predicate(&self, k: u8) -> u8 {
        self.preds[k as usize]
    }
    fn type_of_var(&self, var: u8) -> Type {
        self.types[self.rule.nodes[self.rule.vars[var as usize] as usize].ty as usize]
    }
}

impl Assignment<'_> {
    pub fn aux(&self, n: NodeId) -> u8 {
        let node = &self.rule.nodes[n as usize];
        let NodeKind::Op { op, pred, .. } = &node.kind else { return 0 };
        match *pred {
            Pred::None => self.types[node.ty as usize] as u8,
            Pred::Is(p) => p,
            Pred::Bind(k, _) => self.preds[k as usize],
            Pred::Of(change, k) => change.apply(*op, self.preds[k as usize]),
            Pred::Two(combination, k, l) => combination
                .predicate(*op, self.preds[k as usize], self.preds[l as usize])
                .expect("a condition says that there is one"),
        }
    }
    /// Evaluates a node; a named operation is computed where it is bound.
    pub fn value(&mut self, n: NodeId) -> Result<u64, Trap> {
        let rule = self.rule;
        let node = &rule.nodes[n as usize];
        match &node.kind {
            NodeKind::Var(k) => match rule.nodes[rule.vars[*k as usize] as usize].kind {
                NodeKind::Op { .. } => self.value(rule.vars[*k as usize]),
                _ => Ok(self.vars[*k as usize]),
            },
            NodeKind::Const(e) => Ok(e.bits(self.types[node.ty as usize], self)),
            NodeKind::Op { op, args, .. } => {
                let mut values = [0; 3];
                for (k, arg) in args.iter().enumerate() {
                    values[k] = self.value(*arg)?;
                }
                eval(*op, self.types[node.annotation as usize], self.aux(n), values)
            }
        }
    }
    /// Whether all conditions hold. The bits of named operations are those of their values.
    pub fn conditions_hold(&mut self) -> bool {
        for (k, n) in self.rule.vars.iter().enumerate() {
            if matches!(self.rule.nodes[*n as usize].kind, NodeKind::Op { .. }) {
                self.vars[k] = self.value(*n).unwrap_or(0);
            }
        }
        let rule = self.rule;
        rule.conditions.iter().all(|c| c.holds(self))
    }
    /// Compares both sides where the conditions hold; whether they do. An operation below the root that traps stays
    /// where it is, so that what the root becomes does not matter.
    pub fn check(&mut self) -> bool {
        if !self.conditions_hold() {
            return false;
        }
        let rule = self.rule;
        if rule.args(0).iter().any(|n| self.value(*n).is_err()) {
            return true;
        }
        let (left, right) = (self.value(0), self.value(rule.right));
        let ty = self.types[rule.nodes[0].ty as usize];
        let NodeKind::Op { op, .. } = rule.nodes[0].kind else { unreachable!() };
        let same = match (left, right) {
            (Ok(l), Ok(r)) if ty.is_float() && is_arithmetic(op) && float::is_nan(ty, l) => {
                float::is_nan(ty, r) && r & float::quiet_bit(ty) != 0
            }
            (l, r) => l == r,
        };
        assert!(
            same,
            "{}\n{:?} vars {:x?} constants {:x?} predicates {:?}: {left:x?} is not {right:x?}",
            rule.text, self.types, self.vars, self.consts, self.preds
        );
        true
    }
}

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

/// The types of what has to be chosen: the variables that are no operations, then the constants.
pub fn value_types(rule: &Rule, types: &[Type]) -> Vec<Type> {
    let node_type = |n: &NodeId| types[rule.nodes[*n as usize].ty as usize];
    let free = |n: &&NodeId| matches!(rule.nodes[**n as usize].kind, NodeKind::Var(_));
    rule.vars.iter().filter(free).chain(&rule.consts).map(node_type).collect()
}

/// Sets the variables that are no operations, then the constants.
pub fn assign(a: &mut Assignment<'_>, values: &[u64]) {
    let mut values = values.iter().copied();
    for (k, n) in a.rule.vars.iter().enumerate() {
        if matches!(a.rule.nodes[*n as usize].kind, NodeKind::Var(_)) {
            a.vars[k] = values.next().unwrap();
        }
    }
    a.consts.iter_mut().for_each(|c| *c = values.next().unwrap());
}

/// Calls `f` with tuples of values of these types: all of them where there are few enough.
pub fn for_each_tuple(types: &[Type], rng: &mut Rng, mut f: impl FnMut(&[u64])) {
    let bits: u32 = types.iter().map(|t| t.bits()).sum();
    let mut tuple = vec![0; types.len()];
    if bits <= 16 {
        for packed in 0..1u64 << bits {
            let mut rest = packed;
            for (t, ty) in tuple.iter_mut().zip(types) {
                *t = ty.truncate(rest);
                rest >>= ty.bits();
            }
            f(&tuple);
        }
        return;
    }
    let sets: Vec<Vec<u64>> = types.iter().map(|t| special(*t)).collect();
    if let [a, b] = &sets[..] {
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y))) {
            f(&[x, y]);
        }
    }
    let small = types.iter().position(|t| *t == Type::I8).filter(|_| types.len() >= 3);
    for round in 0..6000u64 {
        for (t, set) in tuple.iter_mut().zip(&sets) {
            *t = if rng.next() >> 60 < 10 { rng.pick(set) } else { rng.next() };
        }
        tuple.iter_mut().zip(types).for_each(|(t, ty)| *t = ty.truncate(*t));
        // Constants that belong together are seldom met by chance.
        if types.len() >= 2 && round % 3 == 0 {
            let last = types.len() - 1;
            let by = rng.pick(&[0, 1, u64::MAX]);
            tuple[last] = types[last].truncate(tuple[last - 1].wrapping_add(by));
            if round % 2 == 0 {
                let width = u64::from(types[last].bits());
                tuple[last - 1] %= width;
                tuple[last] = types[last].truncate(rng.pick(&[tuple[last - 1], width - tuple[last - 1]]));
            }
        }
        match small {
            // One value runs through all.
            Some(k) if round < 300 => {
                for x in all(Type::I8) {
                    tuple[k] = x;
                    f(&tuple);
                }
            }
            _ => f(&tuple),
        }
    }
}

/// How many tuples were found for which the conditions of the rule hold.
fn check_rule(rule: &Rule) -> u64 {
    let mut reached = 0;
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let preds = pred_choices(rule);
    for types in type_choices(rule) {
        let value_types = value_types(rule, &types);
        for preds in &preds {
            let mut a = Assignment {
                rule,
                types: &types,
                vars: vec![0; rule.vars.len()],
                consts: vec![0; rule.consts.len()],
                preds: preds.clone(),
            };
            let written = (rule.left..rule.nodes.len()).all(|n| is_typed(rule, n as NodeId, &types));
            if written && are_enumerable(rule, &value_types) {
                reached += check_all(&a);
                continue;
            }
            for_each_tuple(&value_types, &mut rng, |values| {
                assign(&mut a, values);
                reached += u64::from(a.check_typed());
            });
        }
    }
    reached
}

impl Assignment<'_> {
    /// [`Assignment::check`], and that the right side can be written.
    fn check_typed(&mut self) -> bool {
        let rule = self.rule;
        let written = (rule.left..rule.nodes.len()).all(|n| is_typed(rule, n as NodeId, self.types));
        if !written {
            assert!(!self.conditions_hold(), "{}: no such operation at {:?}", rule.text, self.types);
            return false;
        }
        self.check()
    }
}

fn is_right(rule: &'static Rule) -> bool {
    check_rule(rule) > 0
}

families!(is_right);

#[test]
fn nothing_but_opcodes_of_values_is_used() {
    for rule in super::all_rules() {
        for n in &rule.nodes {
            if let NodeKind::Op { op, .. } = n.kind {
                assert!(lir_syntax::semantics::is_value_op(op) && op != Opcode::Br, "{}", rule.text);
            }
        }
    }
}
