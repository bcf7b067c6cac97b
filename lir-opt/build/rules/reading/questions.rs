//! Questions about rules for reading and proving them, not for applying them.

use super::constants::{Condition, Expr};
use super::rule::{Node, NodeKind};
use lir_opcodes::Opcode;

impl Node {
    /// Returns the operation, if it is one.
    pub fn op(&self) -> Option<Opcode> {
        match self.kind {
            NodeKind::Op { op, .. } => Some(op),
            NodeKind::Var(_) | NodeKind::Const(_) => None,
        }
    }
}

impl Condition {
    /// True if it queries facts about a variable, which costs more than arithmetic.
    pub fn is_costly(&self) -> bool {
        match self {
            Condition::Compare(_, a, b) => a.asks_bounds() || b.asks_bounds(),
            Condition::Zeros(..) | Condition::Ones(..) | Condition::Distinct(..) | Condition::Quiet(_) => true,
            Condition::Once(_) | Condition::Promised(..) | Condition::Outcomes(..) => false,
        }
    }
    /// True if it refers to a variable.
    pub fn mentions(&self, var: u8) -> bool {
        match self {
            Condition::Compare(_, a, b) => a.mentions(var) || b.mentions(var),
            Condition::Zeros(x, _) | Condition::Ones(x, _) => *x == var,
            Condition::Quiet(x) | Condition::Once(x) | Condition::Promised(_, x) => *x == var,
            Condition::Distinct(x, y) => *x == var || *y == var,
            Condition::Outcomes(..) => false,
        }
    }
}

impl Expr {
    /// True if it queries a bound of a variable.
    pub fn asks_bounds(&self) -> bool {
        self.any(&|e| matches!(e, Expr::Bound(..)))
    }
    fn mentions(&self, var: u8) -> bool {
        self.any(&|e| matches!(e, Expr::Bound(_, x) if *x == var))
    }
    /// True if something holds of it or of a part of it.
    fn any(&self, holds: &impl Fn(&Expr) -> bool) -> bool {
        holds(self)
            || match self {
                Expr::Call(_, _, a) => a.any(holds),
                Expr::Holds(_, _, operands) | Expr::Binary(_, operands) => {
                    operands.0.any(holds) || operands.1.any(holds)
                }
                Expr::Interval(_, _, sides) => sides.iter().any(|s| s.constant.any(holds) || s.added.any(holds)),
                _ => false,
            }
    }
}
