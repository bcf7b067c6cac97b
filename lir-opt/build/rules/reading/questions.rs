//! What is asked about rules where they are read and proved, and not where they are applied.

use super::constants::{Condition, Expr};
use super::rule::{Node, NodeKind};
use lir_syntax::ir::Opcode;

impl Node {
    /// The operation, where it is one.
    pub fn op(&self) -> Option<Opcode> {
        match self.kind {
            NodeKind::Op { op, .. } => Some(op),
            NodeKind::Var(_) | NodeKind::Const(_) => None,
        }
    }
}

impl Condition {
    /// Whether it asks what is known about a variable, which costs more than arithmetic.
    pub fn is_costly(&self) -> bool {
        match self {
            Condition::Compare(_, a, b) => a.asks_bounds() || b.asks_bounds(),
            Condition::Zeros(..) | Condition::Ones(..) | Condition::Distinct(..) | Condition::Quiet(_) => true,
            Condition::Once(_) | Condition::Outcomes(..) => false,
        }
    }
}

impl Expr {
    /// Whether it asks for a bound of a variable.
    pub fn asks_bounds(&self) -> bool {
        match self {
            Expr::Bound(..) => true,
            Expr::Call(_, _, a) => a.asks_bounds(),
            Expr::Holds(_, _, operands) => operands.0.asks_bounds() || operands.1.asks_bounds(),
            Expr::Interval(_, _, comparisons) => {
                comparisons.iter().any(|c| c.constant.asks_bounds() || c.added.asks_bounds())
            }
            Expr::Binary(_, operands) => operands.0.asks_bounds() || operands.1.asks_bounds(),
            Expr::Int(_) | Expr::Float(_) | Expr::Const(_) | Expr::Width(_) | Expr::Least(_) | Expr::Greatest(_) => {
                false
            }
        }
    }
}

impl Condition {
    /// Whether it speaks of a variable.
    pub fn mentions(&self, var: u8) -> bool {
        match self {
            Condition::Compare(_, a, b) => a.mentions(var) || b.mentions(var),
            Condition::Zeros(x, _) | Condition::Ones(x, _) => *x == var,
            Condition::Quiet(x) | Condition::Once(x) => *x == var,
            Condition::Distinct(x, y) => *x == var || *y == var,
            Condition::Outcomes(..) => false,
        }
    }
}

impl Expr {
    fn mentions(&self, var: u8) -> bool {
        match self {
            Expr::Bound(_, x) => *x == var,
            Expr::Call(_, _, a) => a.mentions(var),
            Expr::Holds(_, _, operands) => operands.0.mentions(var) || operands.1.mentions(var),
            Expr::Interval(_, _, comparisons) => {
                comparisons.iter().any(|c| c.constant.mentions(var) || c.added.mentions(var))
            }
            Expr::Binary(_, operands) => operands.0.mentions(var) || operands.1.mentions(var),
            Expr::Int(_) | Expr::Float(_) | Expr::Const(_) | Expr::Width(_) | Expr::Least(_) | Expr::Greatest(_) => {
                false
            }
        }
    }
}
