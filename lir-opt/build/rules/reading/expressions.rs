//! Expressions over constants.

use super::constants::{Bound, Expr, Func, IntervalPart, Operator, PredRef, Side};
use super::lists::{list, reference};
use super::rule::NodeId;
use super::{Pair, Pairs, R, Reader, Term, fail, index_of, next};
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::sync::LazyLock;

static OPERATORS: LazyLock<PrattParser<R>> = LazyLock::new(|| {
    let levels = [R::or, R::xor, R::and, R::shift, R::sum, R::product];
    levels.into_iter().fold(PrattParser::new(), |all, level| all.op(Op::infix(level, Assoc::Left)))
});

impl Reader<'_> {
    /// Reads a term; `parent` is the operation that it is an operand of.
    pub(super) fn term(&mut self, term: Pair, parent: (NodeId, u8)) -> Term {
        let file = self.file;
        let operands = OPERATORS.map_primary(|p| (p.clone(), self.primary(p, parent)));
        let mut apply = operands.map_infix(|(at, a), op, (_, b)| match (a, b) {
            (Term::Expr(a), Term::Expr(b)) => (at, Term::Expr(Expr::Binary(operator(op.as_str()), reference((a, b))))),
            _ => fail(file, &op, "an operator on what is no constant"),
        });
        apply.parse(term.into_inner()).1
    }
    /// Reads a term that is an expression.
    pub(super) fn expr(&mut self, term: Pair) -> Expr {
        match self.term(term.clone(), (0, 0)) {
            Term::Expr(e) => e,
            Term::Node(_) => self.fail(&term, "a constant is expected"),
        }
    }
    fn primary(&mut self, p: Pair, parent: (NodeId, u8)) -> Term {
        let mut parts = p.clone().into_inner();
        Term::Expr(match p.as_rule() {
            R::call | R::comparison => return self.call(p, parent),
            R::variable => return Term::Node(self.variable(p, parent)),
            R::number => number(&p).unwrap_or_else(|| self.fail(&p, "no number")),
            R::group => self.expr(next(&mut parts)),
            R::complement => Expr::Binary(Operator::Xor, reference((self.constant_part(parts), Expr::Int(-1)))),
            R::negation => Expr::Binary(Operator::Sub, reference((Expr::Int(0), self.constant_part(parts)))),
            R::holds => {
                let p = self.reference(next(&mut parts));
                let (a, b) = (self.expr(next(&mut parts)), self.expr(next(&mut parts)));
                Expr::Holds(p, self.type_of_constants(&a), reference((a, b)))
            }
            R::interval => self.interval(parts),
            R::bound => {
                let of = match next(&mut parts).as_str() {
                    "most" => Bound::Most,
                    "least" => Bound::Least,
                    "smost" => Bound::SignedMost,
                    "sleast" => Bound::SignedLeast,
                    _ => Bound::SignBits,
                };
                Expr::Bound(of, self.bound(&self.vars, &next(&mut parts)))
            }
            R::width => {
                let name = next(&mut parts);
                let var = index_of(&self.vars, name.as_str()).map(|k| self.vars[k as usize].1);
                let node = var.unwrap_or_else(|| self.consts[self.bound(&self.consts, &name) as usize].1);
                Expr::Width(self.nodes[node as usize].ty)
            }
            _ => self.constant(&p),
        })
    }
    /// The operand of a sign.
    fn constant_part(&mut self, mut parts: Pairs) -> Expr {
        let operand = next(&mut parts);
        match self.primary(operand.clone(), (0, 0)) {
            Term::Expr(e) => e,
            Term::Node(_) => self.fail(&operand, "a constant is expected"),
        }
    }
    fn constant(&mut self, name: &Pair) -> Expr {
        match name.as_str() {
            "W" => Expr::Width(self.root_type()),
            "R" => Expr::Width(self.nodes[0].ty),
            "MIN" => Expr::Least(self.root_type()),
            "MAX" => Expr::Greatest(self.root_type()),
            word if self.on_left && index_of(&self.consts, word).is_none() => {
                // The node that the caller makes for it is the next one.
                self.consts.push((word, self.nodes.len() as NodeId));
                Expr::Const(self.consts.len() as u8 - 1)
            }
            _ => Expr::Const(self.bound(&self.consts, name)),
        }
    }
    /// Reads a function; `parts` follow its name.
    pub(super) fn function(&mut self, name: &Pair, mut parts: Pairs) -> Expr {
        let func = Func::from_name(name.as_str()).unwrap_or_else(|| self.fail(name, "no such operation or function"));
        let argument = next(&mut parts);
        if argument.as_rule() != R::term || parts.next().is_some() {
            self.fail(name, "a function has one argument, and no type");
        }
        let argument = self.expr(argument);
        Expr::Call(func, self.type_of_constants(&argument), reference(argument))
    }
    fn interval(&mut self, mut parts: Pairs) -> Expr {
        let is_first = super::next_if(&mut parts, R::common).is_some_and(|common| common.as_str() == "common_first");
        let mut sides: Vec<Side> = Vec::new();
        for part in parts {
            match sides.last_mut() {
                Some(side) if part.as_rule() == R::term => side.added = self.expr(part),
                _ => {
                    let mut parts = part.into_inner();
                    let pred = self.reference(next(&mut parts));
                    sides.push(Side { pred, constant: self.expr(next(&mut parts)), added: Expr::Int(0) });
                }
            }
        }
        let ty = self.type_of_constants(&sides[0].constant);
        let part = if is_first { IntervalPart::First } else { IntervalPart::Count };
        Expr::Interval(part, ty, list(sides))
    }
    /// Returns a predicate variable, or its inverse.
    fn reference(&self, reference: Pair) -> PredRef {
        let name = next(&mut reference.into_inner());
        let inverted = name.as_rule() == R::inverted;
        let name = if inverted { next(&mut name.into_inner()) } else { name };
        PredRef { inverted, var: self.bound(&self.preds, &name) }
    }
    /// Returns the type of the first constant in an expression, else of the root's operands.
    fn type_of_constants(&self, e: &Expr) -> u8 {
        let ty = first_constant(e).map(|k| self.nodes[self.consts[k as usize].1 as usize].ty);
        ty.unwrap_or(self.root_type())
    }
}

fn operator(sign: &str) -> Operator {
    match sign {
        "|" => Operator::Or,
        "^" => Operator::Xor,
        "&" => Operator::And,
        "<<" => Operator::Shl,
        ">>" => Operator::Shr,
        "+" => Operator::Add,
        "-" => Operator::Sub,
        "*" => Operator::Mul,
        "/" => Operator::Div,
        _ => Operator::Rem,
    }
}

fn number(number: &Pair) -> Option<Expr> {
    let text = number.as_str();
    if text.contains('.') {
        return text.parse().ok().map(Expr::Float);
    }
    let hex = text.strip_prefix("0x").map(|digits| i128::from_str_radix(digits, 16));
    hex.unwrap_or_else(|| text.parse()).ok().map(Expr::Int)
}

fn first_constant(e: &Expr) -> Option<u8> {
    match e {
        Expr::Const(k) => Some(*k),
        Expr::Call(_, _, a) => first_constant(a),
        Expr::Binary(_, operands) | Expr::Holds(_, _, operands) => {
            first_constant(&operands.0).or_else(|| first_constant(&operands.1))
        }
        Expr::Interval(_, _, comparisons) => comparisons.iter().find_map(|c| first_constant(&c.constant)),
        Expr::Int(_) | Expr::Float(_) | Expr::Width(_) | Expr::Least(_) | Expr::Greatest(_) | Expr::Bound(..) => None,
    }
}
