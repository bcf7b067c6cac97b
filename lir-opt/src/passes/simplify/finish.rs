//! What is worked out about a rule when its line was read: what applying it makes, and what that costs.

use super::rule::{NodeId, NodeKind, Rule};
use lir_syntax::ir::{Format, TypeRule};

/// Fills in what follows from both sides of a rule.
pub(super) fn finish(rule: &mut Rule) {
    list_made(rule, rule.right);
    list_ints(rule);
    list_kept(rule);
    rule.loads_constants = loaded_constants(rule, rule.left..rule.nodes.len()) > loaded_constants(rule, 0..1);
}

/// Lists the named operations of the left side that the right side reads.
fn list_kept(rule: &mut Rule) {
    let read = |k: usize| rule.nodes[rule.left..].iter().any(|n| n.kind == NodeKind::Var(k as u8));
    rule.kept = (0..rule.vars.len()).filter(|k| read(*k)).map(|k| rule.vars[k]).collect();
}

/// How many operands of these nodes are constants that must be put into registers.
fn loaded_constants(rule: &Rule, nodes: std::ops::Range<usize>) -> usize {
    let loaded = |n: usize| {
        let second = rule.nodes[n].op().is_some_and(|op| matches!(op.format(), Format::Binary | Format::Compare));
        let is_const = |arg: &NodeId| matches!(rule.nodes[*arg as usize].kind, NodeKind::Const(_));
        let args = rule.args(n as NodeId).iter().enumerate();
        args.filter(|(k, arg)| is_const(arg) && !(second && *k == 1)).count()
    };
    nodes.map(loaded).sum()
}

/// Lists the operations below the root of the right side that are not on constants alone, operands first. An operation
/// that equals an earlier one is replaced by it.
fn list_made(rule: &mut Rule, n: NodeId) {
    for k in 0..rule.args(n).len() {
        let child = rule.args(n)[k];
        list_made(rule, child);
        if !matches!(rule.nodes[child as usize].kind, NodeKind::Op { .. }) {
            continue;
        }
        let earlier = rule.made.iter().copied().find(|m| same_term(rule, *m, child));
        match earlier {
            Some(earlier) => {
                if let NodeKind::Op { args, .. } = &mut rule.nodes[n as usize].kind {
                    args[k] = earlier;
                }
            }
            None => rule.made.push(child),
        }
    }
}

/// Lists the classes that the right side of a rule wants to be integers, where its left side does not.
fn list_ints(rule: &mut Rule) {
    if rule.nodes[0].op().is_none_or(|op| op.info().types != TypeRule::Any) {
        return;
    }
    for node in &rule.nodes[rule.left..] {
        let Some(op) = node.op() else { continue };
        let ints = match op.info().types {
            TypeRule::Int => &[node.annotation][..],
            TypeRule::Widen | TypeRule::Narrow => &[node.annotation, node.ty][..],
            TypeRule::None
            | TypeRule::Float
            | TypeRule::Any
            | TypeRule::VarArg
            | TypeRule::IntToFloat
            | TypeRule::FloatToInt
            | TypeRule::FloatWiden
            | TypeRule::FloatNarrow
            | TypeRule::Bitcast => &[],
        };
        rule.ints.extend(ints);
    }
}

fn same_term(rule: &Rule, a: NodeId, b: NodeId) -> bool {
    let (x, y) = (&rule.nodes[a as usize], &rule.nodes[b as usize]);
    if (x.ty, x.annotation) != (y.ty, y.annotation) {
        return false;
    }
    match (&x.kind, &y.kind) {
        (NodeKind::Op { op, pred, args }, NodeKind::Op { op: other, pred: other_pred, args: others }) => {
            (op, pred) == (other, other_pred) && args.iter().zip(others).all(|(c, d)| same_term(rule, *c, *d))
        }
        (k, l) => k == l,
    }
}
