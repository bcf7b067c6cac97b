//! Evaluates both sides of a rule, with values for its variables and constants.

use super::super::rules::constants::{Bound, Condition, Expr, TypeId, Values};
use super::super::rules::rule::{NodeId, NodeKind, Rule};
use super::coverage::is_written;
use super::enumeration::list_constants;
use super::is_arithmetic;
use lir_syntax::ir::{IntCC, Predicate, Promises, Type};
use lir_syntax::semantics::{Trap, eval, float};

/// The values of a rule's variables, constants and predicates.
#[derive(Clone)]
pub struct Assignment<'a> {
    pub rule: &'a Rule,
    pub types: &'a [Type],
    pub vars: Vec<u64>,
    pub consts: Vec<u64>,
    pub preds: Vec<Predicate>,
}

impl Values for Assignment<'_> {
    fn constant(&mut self, k: u8) -> u64 {
        self.consts[k as usize]
    }
    fn ty(&self, t: TypeId) -> Type {
        self.types[t as usize]
    }
    fn bound(&mut self, bound: Bound, var: u8) -> i128 {
        let (w, x) = (self.type_of_var(var).as_word(), self.vars[var as usize]);
        let signed = w.sign_extend(x);
        match bound {
            Bound::Most | Bound::Least => i128::from(x),
            Bound::SignedMost | Bound::SignedLeast => i128::from(signed),
            Bound::SignBits => i128::from(w.num_sign_bits(signed)),
        }
    }
    fn known(&mut self, var: u8) -> (u64, u64) {
        let x = self.vars[var as usize];
        (self.type_of_var(var).as_word().truncate(!x), x)
    }
    fn are_distinct(&mut self, x: u8, y: u8) -> bool {
        self.vars[x as usize] != self.vars[y as usize]
    }
    fn is_quiet(&mut self, var: u8) -> bool {
        let (w, x) = (self.type_of_var(var).as_word(), self.vars[var as usize]);
        !float::is_nan(w, x) || x & float::quiet_bit(w) != 0
    }
    fn is_read_once(&self, _: u8) -> bool {
        true
    }
    fn is_promised(&mut self, promises: Promises, var: u8) -> bool {
        let node = &self.rule.nodes[self.rule.vars[var as usize] as usize];
        let NodeKind::Op { op, args, .. } = node.kind else { unreachable!("operations have promises") };
        let ty = self.types[node.annotation as usize];
        let mut operands = [0; 2];
        for (value, arg) in operands.iter_mut().zip(args.iter()) {
            let Ok(bits) = self.value(*arg) else { return false };
            *value = bits;
        }
        promises.broken(op, ty, operands[0], operands[1]).is_empty()
    }
    fn predicate(&self, k: u8) -> Predicate {
        self.preds[k as usize]
    }
    fn type_of_var(&self, var: u8) -> Type {
        self.types[self.rule.nodes[self.rule.vars[var as usize] as usize].ty as usize]
    }
}

impl<'a> Assignment<'a> {
    /// All values are 0; predicates are to be set where the rule has any.
    pub fn new(rule: &'a Rule, types: &'a [Type]) -> Assignment<'a> {
        let (vars, consts) = (vec![0; rule.vars.len()], vec![0; rule.consts.len()]);
        Assignment { rule, types, vars, consts, preds: vec![Predicate::Int(IntCC::Eq); rule.preds.len()] }
    }
    /// The discriminant of the predicate of a node, or its type.
    pub fn aux(&self, n: NodeId) -> u8 {
        let node = &self.rule.nodes[n as usize];
        let NodeKind::Op { pred, .. } = &node.kind else { return 0 };
        pred.value(&self.preds).map_or(self.types[node.ty as usize] as u8, Predicate::to_u8)
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
                eval(*op, self.types[node.annotation as usize].as_word(), self.aux(n), values)
            }
        }
    }
    /// True if the conditions hold for the sides to be equal. Named operations have the bits of their values.
    pub fn conditions_hold(&mut self) -> bool {
        for (k, n) in self.rule.vars.iter().enumerate() {
            if matches!(self.rule.nodes[*n as usize].kind, NodeKind::Op { .. }) {
                self.vars[k] = self.value(*n).unwrap_or(0);
            }
        }
        let rule = self.rule;
        rule.conditions.iter().all(|c| c.holds(self))
    }
    /// True if the conditions that are only about types hold.
    pub fn conditions_on_types_hold(&mut self) -> bool {
        let rule = self.rule;
        rule.conditions.iter().filter(|c| is_about_types(c)).all(|c| c.holds(self))
    }
    /// Compares both sides if the conditions hold; returns whether they do. An operation below the root that traps is
    /// kept, so that the result of the root does not matter.
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
        let w = ty.as_word();
        let NodeKind::Op { op, .. } = rule.nodes[0].kind else { unreachable!() };
        let same = match (left, right) {
            (Ok(l), Ok(r)) if ty.is_float() && is_arithmetic(op) && float::is_nan(w, l) => {
                float::is_nan(w, r) && r & float::quiet_bit(w) != 0
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
    /// [`Assignment::check`], and that the right side can be written.
    pub fn check_typed(&mut self) -> bool {
        let rule = self.rule;
        if !is_written(rule, self.types) {
            let is_applied = self.conditions_hold() && rule.worth.iter().all(|c| c.holds(self));
            assert!(!is_applied, "{}: no such operation at {:?}", rule.text, self.types);
            return false;
        }
        self.check()
    }
}

/// True if a condition compares widths with numbers.
fn is_about_types(c: &Condition) -> bool {
    let Condition::Compare(_, a, b) = c else { return false };
    let is_fixed = |e: &Expr| {
        let mut constants = Vec::new();
        !e.asks_bounds() && !matches!(e, Expr::Holds(..) | Expr::Interval(..)) && {
            list_constants(e, &mut constants);
            constants.is_empty()
        }
    };
    is_fixed(a) && is_fixed(b)
}

/// The types of the values to choose: the variables that are not operations, then the constants.
pub fn value_types(rule: &Rule, types: &[Type]) -> Vec<Type> {
    let node_type = |n: &NodeId| types[rule.nodes[*n as usize].ty as usize];
    let free = |n: &&NodeId| matches!(rule.nodes[**n as usize].kind, NodeKind::Var(_));
    rule.vars.iter().filter(free).chain(rule.consts.iter()).map(node_type).collect()
}

/// Sets the variables that are not operations, then the constants.
pub fn assign(a: &mut Assignment<'_>, values: &[u64]) {
    let mut values = values.iter().copied();
    for (k, n) in a.rule.vars.iter().enumerate() {
        if matches!(a.rule.nodes[*n as usize].kind, NodeKind::Var(_)) {
            a.vars[k] = values.next().unwrap();
        }
    }
    a.consts.iter_mut().for_each(|c| *c = values.next().unwrap());
}
