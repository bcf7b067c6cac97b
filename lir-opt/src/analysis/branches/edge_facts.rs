//! Finds the facts on the path to a block that decide its terminator.
//!
//! Control that reaches a block along an edge took that edge, and before it the edges through single predecessors. Each
//! edge out of a branch or switch implies that a condition holds. In SSA form it still holds below: the assignments of
//! its operands dominate the branch, and are not in between.

use crate::analysis::branches::condition::{decided_by, values};
use lir_syntax::ir::{Block, Cfg, Comparison, Format, Function, Operand, Type};

/// Limit on the targets of a switch: all would be examined for each of them.
const MAX_TARGETS: usize = 32;
/// Limit on the cases of a switch, which are searched for each edge. The edge to a target of a larger switch gives no
/// fact; its default edge excludes only this many cases.
pub(crate) const MAX_CASES: usize = 64;

/// The question that a terminator decides. Its operands may differ from the operands of the terminator: phis are
/// replaced by their values on an edge.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Question {
    /// A condition, which holds or not.
    Branch(Comparison),
    /// The case of a switch that an integer takes.
    Switch(Type, Operand),
}

impl Question {
    /// Returns the question of a block that ends in a branch or a switch.
    pub(crate) fn of(f: &Function, b: Block) -> Option<Question> {
        let d = f.inst(f.terminator(b));
        if d.op.format() == Format::Branch {
            Some(Question::Branch(Comparison::of(d)))
        } else if d.op.format() == Format::Switch {
            Some(Question::Switch(d.ty, d.first()))
        } else {
            None
        }
    }
    /// Returns the index among the targets of `b` of the one taken from `p`. At most `steps` edges above are examined.
    pub(crate) fn decide(self, f: &Function, cfg: &Cfg, b: Block, p: Block, steps: usize) -> Option<usize> {
        let (mut from, mut to) = (p, b);
        for _ in 0..steps {
            let decided = self.by_edge(f, b, from, to);
            if decided.is_some() {
                return decided;
            }
            to = from;
            let &[up] = cfg.preds(to) else { return None };
            from = up;
        }
        None
    }
    /// The same, by one edge.
    fn by_edge(self, f: &Function, b: Block, from: Block, to: Block) -> Option<usize> {
        let format = f.inst(f.terminator(from)).op.format();
        if format == Format::Branch {
            self.by_condition(f, b, edge_fact(f, from, to)?)
        } else if format == Format::Switch && f.succs(from).len() <= MAX_TARGETS {
            self.by_switch(f, b, from, to)
        } else {
            None
        }
    }
    /// The same, where `fact` holds.
    fn by_condition(self, f: &Function, b: Block, fact: Comparison) -> Option<usize> {
        match self {
            Question::Branch(asked) => decided_by(asked, fact, f).map(|holds| usize::from(!holds)),
            Question::Switch(_, x) => {
                let values = values(fact, f).filter(|v| fact.a == x && v.len == 1)?;
                Some(index_of_case(f, b, values.start))
            }
        }
    }
    /// The same, for the edge from the switch of `from` to `to`.
    fn by_switch(self, f: &Function, b: Block, from: Block, to: Block) -> Option<usize> {
        let targets = f.succs(from);
        if targets[0] != to {
            return self.by_condition(f, b, edge_fact(f, from, to)?);
        }
        let switch = f.terminator(from);
        let (ty, x) = (f.inst(switch).ty, f.inst(switch).first());
        let isnt = |k: Operand| Comparison::equal(ty, x, k).inverted();
        // The default: none of the cases with other targets, one of which may be the question.
        let mut cases = f.switch_cases(switch).zip(&targets[1..]);
        cases.find_map(|(k, t)| if *t == to { None } else { self.by_condition(f, b, isnt(k)) })
    }
}

/// Returns the condition that holds on the edge from `p` to `to`: the condition of a branch or its inverse; after a
/// switch that the operand equals a case, if no other case leads there.
pub(crate) fn edge_fact(f: &Function, p: Block, to: Block) -> Option<Comparison> {
    let (i, targets) = (f.terminator(p), f.succs(p));
    let d = f.inst(i);
    match d.op.format() {
        Format::Branch if targets[0] == targets[1] => None,
        Format::Branch if targets[0] == to => Some(Comparison::of(d)),
        Format::Branch => Some(Comparison::of(d).inverted()),
        Format::Switch if targets[0] != to && targets.len() <= MAX_CASES => {
            let mut here = f.switch_cases(i).zip(&targets[1..]).filter(|(_, t)| **t == to);
            let (only, more) = (here.next()?.0, here.next());
            more.is_none().then(|| Comparison::equal(d.ty, d.first(), only))
        }
        _ => None,
    }
}

/// True if a constant of the switch's type is a case of `p` that leads to another block than its default `to`. Only the
/// first [`MAX_CASES`] cases count.
pub(crate) fn is_case_of_another_target(f: &Function, p: Block, to: Block, constant: Operand) -> bool {
    let Some(payload) = f.constant(constant) else { return false };
    let (i, targets) = (f.terminator(p), f.succs(p));
    let mut cases = f.switch_cases(i).zip(&targets[1..]).take(MAX_CASES);
    cases.any(|(k, t)| *t != to && f.constant(k) == Some(payload))
}

/// Returns the index of the target that the switch of `b` has for these bits.
pub(crate) fn index_of_case(f: &Function, b: Block, bits: u64) -> usize {
    let i = f.terminator(b);
    let payload = f.inst(i).ty.constant_payload(bits);
    let k = f.switch_cases(i).position(|c| f.constant(c) == Some(payload));
    k.map_or(0, |k| k + 1)
}
