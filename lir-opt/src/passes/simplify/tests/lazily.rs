//! Checks both sides of a rule for all values, if a side reads only some of them: `select` reads one of two.
//!
//! Both sides are evaluated with no value known. An evaluation that needs an unknown value stops there; that value then
//! takes all possible values, and with each of them both sides are evaluated anew. If both have a result, it is the
//! result for all values of the unread variables. (C. Runciman, M. Naylor, F. Lindblad, "SmallCheck and Lazy
//! SmallCheck", Haskell 2008, section 4; they find the values that are read by an exception.)

use super::super::rules::rule::{NodeId, NodeKind};
use super::algebra::Assignment;
use super::coverage::{Coverage, coverage};
use super::enumeration::{Portion, Unknown, list_constants};
use super::read_rule;
use lir_syntax::ir::{Opcode, Type};
use lir_syntax::semantics::eval;
use std::panic::catch_unwind;

/// True if a rule may be checked here: no operation traps, and no condition needs values.
pub fn is_lazy(a: &Assignment<'_>) -> bool {
    let traps = |op| matches!(op, Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem);
    a.rule.conditions.is_empty() && !a.rule.nodes.iter().any(|n| n.op().is_some_and(traps))
}

/// Checks a rule for all values, or for a part of the values of two bytes. Panics if the sides differ; returns the
/// number of compared results.
pub fn check_lazily(a: &Assignment<'_>, portion: Portion) -> u64 {
    Search { a: a.clone(), known: Vec::new(), portion }.check()
}

struct Search<'r> {
    a: Assignment<'r>,
    /// The nodes with a value.
    known: Vec<Unknown>,
    portion: Portion,
}

impl Search<'_> {
    /// Tries all values of the unknowns. The recursion is as deep as the number of values of a rule.
    fn check(&mut self) -> u64 {
        let (left, right) = (self.value(0), self.value(self.a.rule.right));
        let unknown = match (left, right) {
            (Ok(left), Ok(right)) => {
                assert!(left == right, "{}: {left:x} is not {right:x}\n{}", self.a.rule.text, self.describe());
                return 1;
            }
            (Err(unknown), _) | (_, Err(unknown)) => unknown,
        };
        self.known.push(unknown);
        let ty = self.type_of(unknown);
        let portion = if ty == Type::I16 { self.portion } else { Portion::All };
        let compared = (0..=ty.as_word().mask()).filter(|x| portion.has(*x)).map(|x| {
            match unknown {
                Unknown::Const(k) => self.a.consts[k as usize] = x,
                Unknown::Var(k) => self.a.vars[k as usize] = x,
            }
            self.check()
        });
        let compared = compared.sum();
        self.known.pop();
        compared
    }
    /// The value of a node, or the unknown that it needs first.
    fn value(&mut self, n: NodeId) -> Result<u64, Unknown> {
        let rule = self.a.rule;
        let node = &rule.nodes[n as usize];
        match &node.kind {
            NodeKind::Var(k) => match rule.nodes[rule.vars[*k as usize] as usize].kind {
                NodeKind::Op { .. } => self.value(rule.vars[*k as usize]),
                _ => self.needs(Unknown::Var(*k)).map(|()| self.a.vars[*k as usize]),
            },
            NodeKind::Const(e) => {
                let mut unknowns = Vec::new();
                list_constants(e, &mut unknowns);
                unknowns.into_iter().try_for_each(|unknown| self.needs(unknown))?;
                Ok(e.bits(self.a.types[node.ty as usize], &mut self.a))
            }
            NodeKind::Op { op: Opcode::Select, args, .. } => {
                let chosen = if self.value(args[0])? != 0 { args[1] } else { args[2] };
                self.value(chosen)
            }
            NodeKind::Op { op, args, .. } => {
                let mut values = [0; 3];
                for (k, arg) in args.iter().enumerate() {
                    values[k] = self.value(*arg)?;
                }
                let ty = self.a.types[node.annotation as usize];
                Ok(eval(*op, ty.as_word(), self.a.aux(n), values).expect("it does not trap"))
            }
        }
    }
    fn needs(&self, unknown: Unknown) -> Result<(), Unknown> {
        if self.known.contains(&unknown) { Ok(()) } else { Err(unknown) }
    }
    fn type_of(&self, unknown: Unknown) -> Type {
        let rule = self.a.rule;
        let node = match unknown {
            Unknown::Const(k) => rule.consts[k as usize],
            Unknown::Var(k) => rule.vars[k as usize],
        };
        self.a.types[rule.nodes[node as usize].ty as usize]
    }
    fn describe(&self) -> String {
        format!("{:?} vars {:x?} constants {:x?}", self.a.types, self.a.vars, self.a.consts)
    }
}

#[test]
fn only_read_variables_take_all_values() {
    let rule = read_rule("select(c, x, y) => select(c, x, y)");
    let types = vec![Type::I8; rule.types.len()];
    assert_eq!(check_lazily(&Assignment::new(&rule, &types), Portion::All), 256 * 256);
    let rule = read_rule("select(c, x, add(y, z)) => select(c, x, add(z, y))");
    assert_eq!(check_lazily(&Assignment::new(&rule, &types), Portion::All), 255 * 256 + 256 * 256);
}

#[test]
fn a_wrong_rule_is_found_by_the_one_value_that_it_is_wrong_for() {
    let rule = read_rule("select(c, icmp(eq, x:i16, 0x5ba3), icmp(eq, y:i16, 7)) => select(c, 0, icmp(eq, y, 7))");
    let (types, coverage) = coverage(&rule).remove(0);
    assert_eq!(coverage, Coverage::Lazily);
    let complaint =
        catch_unwind(|| check_lazily(&Assignment::new(&rule, &types), Portion::All)).expect_err("it is wrong");
    let complaint = complaint.downcast::<String>().expect("it is in words");
    assert!(complaint.contains("vars [1, 5ba3, "), "{complaint}");
}
