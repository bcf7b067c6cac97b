//! Reads rules: `rules.pest` defines their syntax and meaning. Here terms become nodes that have types, and conditions
//! that no grammar can express are checked.
//!
//! Used by the build script and the tests of the pass.

mod conditions;
mod expressions;
mod finish;
mod questions;
mod types;
pub(crate) mod variants;

/// The parser that pest generates from the grammar.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "build/rules.pest"]
    pub(super) struct Grammar;
}

use super::constants::{Condition, Expr};
use super::lists::{list, text};
use super::predicates::{Combination, PredFn};
use super::rule::{Args, MAX_ARGS, MAX_LEFT, Node, NodeId, NodeKind, Pred, Rule, value_operands};
use super::{constants, index, lists, predicates, rule};
use finish::Sides;
use grammar::{Grammar, Rule as R};
use lir_opcodes::{FloatCC, Format, IntCC, Opcode, Predicate, ResultRule, Type};
use pest::Parser;
use pest::error::{Error, ErrorVariant};
use types::Types;

/// A part of a text that matches a rule of the grammar.
type Pair = pest::iterators::Pair<'static, R>;
type Pairs = pest::iterators::Pairs<'static, R>;
/// Names, and the nodes where they are bound.
type Names = Vec<(&'static str, NodeId)>;

/// Reads the rules of a text.
///
/// # Panics
/// The text holds something else; the message has the position. `file` is the name of the text.
pub(crate) fn read_rules(file: &str, text: &'static str) -> Vec<Rule> {
    let parsed = Grammar::parse(R::file, text).unwrap_or_else(|e| panic!("no rule\n{}", e.with_path(file)));
    let rules = parsed.flat_map(Pair::into_inner).filter(|p| p.as_rule() == R::rule);
    rules.map(|rule| Reader::new(file).rule(rule)).collect()
}

/// A rule that is being read.
struct Reader<'a> {
    file: &'a str,
    on_left: bool,
    nodes: Vec<Node>,
    vars: Names,
    consts: Names,
    preds: Names,
    types: Types,
}

/// A term that was read: a node, or an expression that is none yet.
enum Term {
    Node(NodeId),
    Expr(Expr),
}

/// Ends the build, with the position.
fn fail(file: &str, at: &Pair, message: impl ToString) -> ! {
    let variant = ErrorVariant::CustomError { message: message.to_string() };
    panic!("no rule\n{}", Error::<R>::new_from_span(variant, at.as_span()).with_path(file))
}

/// Returns the next part, which exists according to the grammar.
fn next(parts: &mut Pairs) -> Pair {
    parts.next().expect("the grammar has no rule without it")
}

/// Returns the next part, where it is by this rule.
fn next_if(parts: &mut Pairs, by: R) -> Option<Pair> {
    if parts.peek()?.as_rule() == by { parts.next() } else { None }
}

impl<'a> Reader<'a> {
    fn new(file: &'a str) -> Reader<'a> {
        let nodes = Vec::with_capacity(12);
        let (vars, consts, preds, types) = (Vec::new(), Vec::new(), Vec::new(), Types::default());
        Reader { file, on_left: true, nodes, vars, consts, preds, types }
    }
    fn rule(mut self, whole: Pair) -> Rule {
        let mut parts = whole.clone().into_inner();
        let left_side = next(&mut parts);
        if self.term_node(left_side.clone(), (0, 0)) != 0 {
            self.fail(&left_side, "the left side is no operation");
        }
        let left = self.nodes.len();
        self.types.end_left_side();
        self.on_left = false;
        let expands = next(&mut parts).as_str() == "=>+";
        let right = self.term_node(next(&mut parts), (0, 0));
        self.types.unify(self.nodes[0].ty, self.nodes[right as usize].ty);
        let mut conditions = self.conditions(next_if(&mut parts, R::facts));
        let mut worth = self.conditions(next_if(&mut parts, R::worth));
        if worth.iter().any(Condition::is_costly) {
            self.fail(&whole, "known bits in what it is worth");
        }
        conditions.sort_by_key(Condition::is_costly);
        let (types, type_checks) = self.types.finish(&self.nodes);
        if let Some(error) = &self.types.error {
            self.fail(&whole, error);
        }
        self.types.rename(&mut self.nodes, conditions.iter_mut().chain(&mut worth));
        if left > MAX_LEFT || self.nodes.len() > 2 * MAX_LEFT {
            self.fail(&whole, "too large");
        }
        let nodes_of = |names: Names| -> Vec<NodeId> { names.iter().map(|n| n.1).collect() };
        let sides = Sides::new(self.nodes, left, right, nodes_of(self.vars));
        Rule {
            text: text(whole.as_str().trim_end()),
            left,
            right,
            made: list(sides.made),
            kept: list(sides.kept),
            vars: list(sides.vars),
            consts: list(nodes_of(self.consts)),
            preds: list(nodes_of(self.preds)),
            conditions: list(conditions),
            worth: list(worth),
            types: list(types),
            type_checks: list(type_checks),
            ints: list(sides.ints),
            expands,
            loads_constants: sides.loads_constants,
            nodes: list(sides.nodes),
        }
    }
    fn fail(&self, at: &Pair, message: impl ToString) -> ! {
        fail(self.file, at, message)
    }
    /// Returns the number of a name that the left side binds.
    fn bound(&self, names: &Names, name: &Pair) -> u8 {
        index_of(names, name.as_str()).unwrap_or_else(|| self.fail(name, "not bound on the left side"))
    }

    /// Makes a node of a term; `parent` is the operation that it is an operand of.
    fn term_node(&mut self, term: Pair, parent: (NodeId, u8)) -> NodeId {
        match self.term(term, parent) {
            Term::Node(n) => n,
            Term::Expr(e) => {
                // The position of a constant on the left side is where its type is known from.
                let ty = self.types.new_class();
                self.node(NodeKind::Const(e), ty, ty, parent)
            }
        }
    }
    fn node(&mut self, kind: NodeKind, ty: u8, annotation: u8, parent: (NodeId, u8)) -> NodeId {
        self.nodes.push(Node { kind, ty, annotation, parent });
        (self.nodes.len() - 1) as NodeId
    }

    /// Reads an operation, or a function of constants.
    fn call(&mut self, call: Pair, parent: (NodeId, u8)) -> Term {
        let mut parts = call.into_inner();
        let label = next_if(&mut parts, R::label);
        let name = next(&mut parts);
        match Opcode::from_mnemonic(name.as_str().as_bytes()) {
            Some(op) => {
                if let Some(label) = label {
                    self.vars.push((label.into_inner().as_str(), self.nodes.len() as NodeId));
                }
                Term::Node(self.operation(op, &name, parts, parent))
            }
            None if label.is_some() => self.fail(&name, "no such operation"),
            None => Term::Expr(self.function(&name, parts)),
        }
    }
    /// Reads an operation; `parts` follow its name.
    fn operation(&mut self, op: Opcode, name: &Pair, mut parts: Pairs, parent: (NodeId, u8)) -> NodeId {
        let info = op.info();
        let annotation = self.types.new_class();
        let ty = match info.result {
            ResultRule::Truth => self.types.fixed(Type::I8),
            ResultRule::Converted => self.types.new_class(),
            ResultRule::Same => annotation,
            ResultRule::None | ResultRule::Address | ResultRule::Call => self.fail(name, "not for rules"),
        };
        let mut operands = Args { count: 0, nodes: [0; MAX_ARGS] };
        let this = self.node(NodeKind::Op { op, pred: Pred::None, args: operands }, ty, annotation, parent);
        self.types.note_operation(this, ty, annotation);
        if let Some(name) = next_if(&mut parts, R::type_name) {
            let fixed = self.type_name(name);
            self.types.unify(ty, fixed);
        }
        let is_comparison = info.format == Format::Compare;
        let chosen = if is_comparison { self.predicate(op, next(&mut parts), this) } else { Pred::None };
        if parts.len() != value_operands(info.format) {
            self.fail(name, "another number of operands");
        }
        for (k, term) in (0..).zip(parts) {
            let n = self.term_node(term, (this, k));
            let arg_ty = self.nodes[n as usize].ty;
            if info.format == Format::Select && k == 0 {
                self.types.note_register(n, arg_ty);
            } else {
                self.types.unify(annotation, arg_ty);
            }
            operands.nodes[usize::from(k)] = n;
            operands.count += 1;
        }
        self.types.note_rule(annotation, ty, info.types);
        self.nodes[this as usize].kind = NodeKind::Op { op, pred: chosen, args: operands };
        this
    }

    fn predicate(&mut self, op: Opcode, predicate: Pair, this: NodeId) -> Pred {
        let kind = predicate.as_rule();
        let mut parts = predicate.clone().into_inner();
        match kind {
            R::both => {
                let (combination, k, l) = self.both(predicate);
                Pred::Two(combination, k, l)
            }
            R::inverted => Pred::Of(PredFn::Inverted, self.bound(&self.preds, &next(&mut parts))),
            R::changed => {
                let change = match next(&mut parts).as_str() {
                    "swap" => PredFn::Swapped,
                    "unsigned" => PredFn::Unsigned,
                    _ => PredFn::Signed,
                };
                Pred::Of(change, self.bound(&self.preds, &next(&mut parts)))
            }
            _ => {
                let name = next(&mut parts);
                if let Some(p) = predicate_of(op, &name) {
                    return Pred::Is(p);
                }
                if let Some(k) = index_of(&self.preds, name.as_str()) {
                    return Pred::Of(PredFn::Same, k);
                }
                if !self.on_left {
                    self.bound(&self.preds, &name);
                }
                self.preds.push((name.as_str(), this));
                let all = if op == Opcode::Fcmp { FloatCC::ALL.len() } else { IntCC::ALL.len() };
                let choice = |set, name| match predicate_of(op, &name) {
                    Some(p) => set | 1 << p.index(),
                    None => self.fail(&name, "no such predicate"),
                };
                let set = if parts.is_empty() { (1 << all) - 1 } else { parts.fold(0, choice) };
                Pred::Bind(self.preds.len() as u8 - 1, set)
            }
        }
    }
    /// Returns the combination of two predicates.
    fn both(&self, both: Pair) -> (Combination, u8, u8) {
        let mut parts = both.into_inner();
        let combination = match next(&mut parts).as_str() {
            "both" => Combination::Both,
            "either" => Combination::Either,
            _ => Combination::One,
        };
        let mut bound = || self.bound(&self.preds, &next(&mut parts));
        (combination, bound(), bound())
    }

    fn variable(&mut self, variable: Pair, parent: (NodeId, u8)) -> NodeId {
        let mut parts = variable.into_inner();
        let name = next(&mut parts);
        let known = index_of(&self.vars, name.as_str());
        if !self.on_left {
            self.bound(&self.vars, &name);
        }
        let k = known.unwrap_or(self.vars.len() as u8);
        let ty = match known {
            Some(k) => self.types.another_position(self.nodes[self.vars[k as usize].1 as usize].ty),
            None => self.types.new_class(),
        };
        if known.is_none() {
            self.vars.push((name.as_str(), self.nodes.len() as NodeId));
        }
        let n = self.node(NodeKind::Var(k), ty, ty, parent);
        if let Some(name) = parts.next() {
            let fixed = self.type_name(name);
            self.types.unify(ty, fixed);
        }
        n
    }
    fn type_name(&mut self, ty: Pair) -> u8 {
        let name = next(&mut ty.into_inner());
        if name.as_str() == "half" {
            return self.types.half(self.root_type());
        }
        let ty = Type::from_name(name.as_str().as_bytes());
        self.types.fixed(ty.unwrap_or_else(|| self.fail(&name, "no such type")))
    }
    /// Returns the type that `W`, `MIN` and `MAX` refer to: the type of the root's operands.
    fn root_type(&self) -> u8 {
        self.nodes[0].annotation
    }
}

fn index_of(names: &Names, name: &str) -> Option<u8> {
    names.iter().position(|n| n.0 == name).map(|k| k as u8)
}

fn predicate_of(op: Opcode, name: &Pair) -> Option<Predicate> {
    let name = name.as_str().as_bytes();
    if op == Opcode::Fcmp {
        FloatCC::from_name(name).map(Predicate::Float)
    } else {
        IntCC::from_name(name).map(Predicate::Int)
    }
}
