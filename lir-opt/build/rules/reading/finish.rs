//! Computes the result and the cost of a rule, once its line was read.

use super::constants::TypeId;
use super::rule::{Node, NodeId, NodeKind};
use lir_opcodes::{Format, TypeRule};

/// Both sides of a rule, and data computed from them.
pub(super) struct Sides {
    pub nodes: Vec<Node>,
    /// Number of the nodes of the left side.
    pub left: usize,
    /// For each variable the node of the left side where it is bound.
    pub vars: Vec<NodeId>,
    /// The same as in [`Rule`](super::rule::Rule).
    pub made: Vec<NodeId>,
    pub kept: Vec<NodeId>,
    pub ints: Vec<TypeId>,
    pub loads_constants: bool,
}

impl Sides {
    /// Computes the rest. Operands of the right side that equal earlier ones are replaced by these.
    pub fn new(nodes: Vec<Node>, left: usize, right: NodeId, vars: Vec<NodeId>) -> Sides {
        let (made, kept, ints) = (Vec::new(), Vec::new(), Vec::new());
        let mut sides = Sides { nodes, left, vars, made, kept, ints, loads_constants: false };
        sides.list_made(right);
        sides.list_ints();
        sides.list_kept();
        let all = sides.nodes.len();
        sides.loads_constants = sides.loaded_constants(left..all) > sides.loaded_constants(0..1);
        sides
    }
    /// Lists the named operations of the left side that the right side reads.
    fn list_kept(&mut self) {
        let read = |k: usize| self.nodes[self.left..].iter().any(|n| n.kind == NodeKind::Var(k as u8));
        self.kept = (0..self.vars.len()).filter(|k| read(*k)).map(|k| self.vars[k]).collect();
    }
    /// Counts the operands of these nodes that are constants and need registers.
    fn loaded_constants(&self, nodes: std::ops::Range<usize>) -> usize {
        let loaded = |n: usize| {
            let node = &self.nodes[n];
            let second = node.op().is_some_and(|op| matches!(op.format(), Format::Binary | Format::Compare));
            let is_const = |arg: &NodeId| matches!(self.nodes[*arg as usize].kind, NodeKind::Const(_));
            node.args().iter().enumerate().filter(|(k, arg)| is_const(arg) && !(second && *k == 1)).count()
        };
        nodes.map(loaded).sum()
    }
    /// Lists the operations below a node of the right side, operands first. Operations only on constants are omitted.
    /// An operation that equals an earlier one is replaced by it.
    fn list_made(&mut self, n: NodeId) {
        for k in 0..self.nodes[n as usize].args().len() {
            let child = self.nodes[n as usize].args()[k];
            self.list_made(child);
            if !matches!(self.nodes[child as usize].kind, NodeKind::Op { .. }) {
                continue;
            }
            let earlier = self.made.iter().copied().find(|m| self.same_term(*m, child));
            match earlier {
                Some(earlier) => {
                    if let NodeKind::Op { args, .. } = &mut self.nodes[n as usize].kind {
                        args.nodes[k] = earlier;
                    }
                }
                None => self.made.push(child),
            }
        }
    }
    /// Lists the classes that must be integers only for the right side of a rule.
    fn list_ints(&mut self) {
        if self.nodes[0].op().is_none_or(|op| op.info().types != TypeRule::Any) {
            return;
        }
        for node in &self.nodes[self.left..] {
            let Some(op) = node.op() else { continue };
            let ints = match op.info().types {
                TypeRule::Int => &[node.annotation][..],
                TypeRule::Widen | TypeRule::Narrow => &[node.annotation, node.ty][..],
                _ => &[],
            };
            self.ints.extend(ints);
        }
    }
    fn same_term(&self, a: NodeId, b: NodeId) -> bool {
        let (x, y) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        if (x.ty, x.annotation) != (y.ty, y.annotation) {
            return false;
        }
        match (&x.kind, &y.kind) {
            (NodeKind::Op { op, pred, args }, NodeKind::Op { op: other, pred: other_pred, args: others }) => {
                let same_args = || args.iter().zip(others.iter()).all(|(c, d)| self.same_term(*c, *d));
                (op, pred) == (other, other_pred) && same_args()
            }
            (k, l) => k == l,
        }
    }
}
