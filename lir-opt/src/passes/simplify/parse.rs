//! Reads rules.
//!
//! ```text
//! rule      = term ( "=>" | "=>+" ) term [ "if" facts ] [ "when" facts ] .
//! term      = OPCODE [ ":" TYPE ] "(" [ predicate "," ] term { "," term } ")"   ; :TYPE is that of the result
//!           | [ NAME "@" ] OPCODE ..                                            ; names the operation (left side)
//!           | NAME [ ":" TYPE ]                                                 ; a value: a lower case letter first
//!           | expression .                                                     ; a constant
//! predicate = WORD | NAME [ ":" WORD { "|" WORD } ] | together
//!           | ( "inv" | "swap" | "unsigned" | "signed" ) "(" NAME ")" .
//! together  = ( "both" | "either" | "only_one" ) "(" NAME "," NAME ")" .
//! TYPE      = WORD                                                              ; as in the language; on the right
//!           | "half" .                                                          ; side the integers of W / 2 bits
//! facts     = condition { "," condition } .
//! condition = expression [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) expression ]
//!           | ( "zeros" | "ones" ) "(" NAME "," expression ")"
//!           | ( "nonzero" | "nonneg" | "bool" | "quiet" | "once" ) "(" NAME ")" | "distinct" "(" NAME "," NAME ")"
//!           | ( "exists" | "always" | "never" ) "(" together ")" .                ; of two predicates
//! ```
//!
//! What stands behind `if` makes the sides equal; what stands behind `when` says where the right one is better, as
//! `W == 64` does of the high half of a product, or `once(t)`, which says that `t` has no other reader. So a rule may
//! be applied at one width, and yet be true, and tested, at all at which its right side can be written.
//!
//! An expression is made of numbers, constants (an upper case letter first), `W` (the bits of the root's annotation),
//! `R` (those of its result), `width(x)`, `MIN`, `MAX`, the operators of C, and functions: those of [`Func`]; of
//! variables `most`, `least`, `smost`, `sleast` and `signbits`; of predicates, each perhaps in `inv(..)`, `holds(P, a,
//! b)`: 1 or 0, `count(P, C)`: for how many x `x P C` holds, `common_first(P, C, Q, D)` and `common_count(P, C, Q, D)`:
//! about those x for which both hold; with a last operand `K` about those for which `x P C` and `x + K Q D` hold.

use super::constants::{Bound, Comparison, Condition, Expr, Func, IntervalPart, Operator, Outcome, PredRef, Side};
use super::finish::Sides;
use super::lists::{List, Ref, Text};
use super::rule::value_operands;
use super::rule::{Args, Combination, MAX_ARGS, MAX_LEFT, Node, NodeId, NodeKind, Pred, PredFn, Rule};
use super::types::Types;
use lir_syntax::ir::{FloatCC, Format, IntCC, Opcode, ResultRule, Type};

/// Reads a rule.
///
/// # Panics
/// Where the line is not a rule: the rules are part of the program, and tests read them all.
pub(super) fn read_rule(line: &'static str) -> Rule {
    let mut p = Parser {
        line,
        at: 0,
        on_left: true,
        nodes: Vec::with_capacity(12),
        vars: Vec::new(),
        consts: Vec::new(),
        preds: Vec::new(),
        types: Types::default(),
    };
    p.rule()
}

/// A name, and the node where it is bound.
type Names = Vec<(&'static str, NodeId)>;

struct Parser {
    line: &'static str,
    at: usize,
    on_left: bool,
    nodes: Vec<Node>,
    vars: Names,
    consts: Names,
    preds: Names,
    types: Types,
}

/// What was read: a node, or an expression that is none yet.
enum Term {
    Node(NodeId),
    Expr(Expr),
}

impl Parser {
    fn rule(&mut self) -> Rule {
        let root = self.term_node((0, 0));
        assert!(root == 0, "the left side begins with its root: {}", self.line);
        let left = self.nodes.len();
        self.types.end_left_side();
        self.on_left = false;
        self.expect("=>");
        let expands = self.eat("+");
        let right = self.term_node((0, 0));
        self.types.unify(self.nodes[0].ty, self.nodes[right as usize].ty);
        let mut conditions = self.conditions("if");
        let mut worth = self.conditions("when");
        self.skip_blanks();
        assert!(self.at == self.line.len(), "{}: what is at {}?", self.line, self.at);
        assert!(!worth.iter().any(Condition::is_costly), "{}: known bits in what it is worth", self.line);
        conditions.sort_by_key(Condition::is_costly);
        let (types, type_checks) = self.types.finish(&mut self.nodes, left);
        self.types.rename(&mut self.nodes, conditions.iter_mut().chain(&mut worth));
        let nodes_of = |names: &Names| -> Vec<NodeId> { names.iter().map(|n| n.1).collect() };
        assert!(left <= MAX_LEFT && self.nodes.len() <= 2 * MAX_LEFT, "{}: too large", self.line);
        let sides = Sides::new(std::mem::take(&mut self.nodes), left, right, nodes_of(&self.vars));
        Rule {
            text: Text::made(self.line),
            left,
            right,
            made: List::made(sides.made),
            kept: List::made(sides.kept),
            vars: List::made(sides.vars),
            consts: List::made(nodes_of(&self.consts)),
            preds: List::made(nodes_of(&self.preds)),
            conditions: List::made(conditions),
            worth: List::made(worth),
            types: List::made(types),
            type_checks: List::made(type_checks),
            ints: List::made(sides.ints),
            expands,
            loads_constants: sides.loads_constants,
            nodes: List::made(sides.nodes),
        }
    }

    /// A term as a node; `parent` says what it is an operand of.
    fn term_node(&mut self, parent: (NodeId, u8)) -> NodeId {
        match self.expression(parent) {
            Term::Node(n) => n,
            Term::Expr(e) => {
                // The place of a constant on the left side is where its type is known from.
                let ty = self.types.new_class();
                self.node(NodeKind::Const(e), ty, ty, parent)
            }
        }
    }
    fn node(&mut self, kind: NodeKind, ty: u8, annotation: u8, parent: (NodeId, u8)) -> NodeId {
        self.nodes.push(Node { kind, ty, annotation, parent });
        (self.nodes.len() - 1) as NodeId
    }

    /// `OPCODE [":" TYPE] "(" .. ")"`; the word was read.
    fn operation(&mut self, op: Opcode, parent: (NodeId, u8)) -> NodeId {
        let info = op.info();
        let annotation = self.types.new_class();
        let ty = match info.result {
            ResultRule::Truth => self.types.fixed(Type::I8),
            ResultRule::Converted => self.types.new_class(),
            ResultRule::Same => annotation,
            ResultRule::None | ResultRule::Address | ResultRule::Call => panic!("{}: {op:?} in a rule", self.line),
        };
        let none = Args { count: 0, nodes: [0; MAX_ARGS] };
        let this = self.node(NodeKind::Op { op, pred: Pred::None, args: none }, ty, annotation, parent);
        self.types.note_operation(this, ty, annotation);
        if self.eat(":") {
            let fixed = self.type_name();
            self.types.unify(ty, fixed);
        }
        self.expect("(");
        let mut chosen = Pred::None;
        if info.format == Format::Compare {
            chosen = self.predicate(op, this);
            self.expect(",");
        }
        let mut operands = none;
        while operands.is_empty() || self.eat(",") {
            let k = operands.count;
            assert!(usize::from(k) < MAX_ARGS, "{}: operands of {op:?}", self.line);
            let n = self.term_node((this, k));
            let arg_ty = self.nodes[n as usize].ty;
            if info.format == Format::Select && k == 0 {
                self.types.note_register(n, arg_ty);
            } else {
                self.types.unify(annotation, arg_ty);
            }
            operands.nodes[usize::from(k)] = n;
            operands.count += 1;
        }
        self.expect(")");
        assert!(operands.len() == value_operands(info.format), "{}: operands of {op:?}", self.line);
        self.types.note_rule(annotation, ty, info.types);
        if let NodeKind::Op { pred, args, .. } = &mut self.nodes[this as usize].kind {
            (*pred, *args) = (chosen, operands);
        }
        this
    }

    fn predicate(&mut self, op: Opcode, this: NodeId) -> Pred {
        let word = self.word();
        if let Some(p) = predicate_of(op, word) {
            return Pred::Is(p);
        }
        if let Some(combination) = Combination::from_name(word) {
            assert!(!self.on_left, "{}: {word} on the left side", self.line);
            let (k, l) = self.two_predicates();
            return Pred::Two(combination, k, l);
        }
        let change = match word {
            "inv" => PredFn::Inverted,
            "swap" => PredFn::Swapped,
            "unsigned" => PredFn::Unsigned,
            "signed" => PredFn::Signed,
            _ => PredFn::Same,
        };
        if change != PredFn::Same {
            self.expect("(");
            let name = self.word();
            self.expect(")");
            return Pred::Of(change, index_of(&self.preds, name).unwrap_or_else(|| panic!("{}: {name}", self.line)));
        }
        if let Some(k) = index_of(&self.preds, word) {
            return Pred::Of(PredFn::Same, k);
        }
        assert!(self.on_left, "{}: predicate {word} is not bound", self.line);
        self.preds.push((word, this));
        let mut set = if op == Opcode::Fcmp { (1 << FloatCC::ALL.len()) - 1 } else { (1 << IntCC::ALL.len()) - 1 };
        if self.eat(":") {
            set = 1 << self.predicate_name(op);
            while self.eat("|") {
                set |= 1 << self.predicate_name(op);
            }
        }
        Pred::Bind(self.preds.len() as u8 - 1, set)
    }
    /// `"(" NAME "," NAME ")"`.
    fn two_predicates(&mut self) -> (u8, u8) {
        self.expect("(");
        let k = self.bound_predicate();
        self.expect(",");
        let l = self.bound_predicate();
        self.expect(")");
        (k, l)
    }
    fn bound_predicate(&mut self) -> u8 {
        let name = self.word();
        index_of(&self.preds, name).unwrap_or_else(|| panic!("{}: {name} is not bound", self.line))
    }
    /// `NAME | "inv" "(" NAME ")"`.
    fn predicate_reference(&mut self) -> PredRef {
        let inverted = self.eat("inv(");
        let var = self.bound_predicate();
        if inverted {
            self.expect(")");
        }
        PredRef { inverted, var }
    }
    fn predicate_name(&mut self, op: Opcode) -> u8 {
        let word = self.word();
        predicate_of(op, word).unwrap_or_else(|| panic!("{}: no predicate {word}", self.line))
    }

    /// Operators from the loosest, `|`, to the tightest, `*`.
    fn expression(&mut self, parent: (NodeId, u8)) -> Term {
        self.operators(0, parent)
    }
    fn operators(&mut self, level: usize, parent: (NodeId, u8)) -> Term {
        const LEVELS: [&[(&str, Operator)]; 6] = [
            &[("|", Operator::Or)],
            &[("^", Operator::Xor)],
            &[("&", Operator::And)],
            &[("<<", Operator::Shl), (">>", Operator::Shr)],
            &[("+", Operator::Add), ("-", Operator::Sub)],
            &[("*", Operator::Mul), ("/", Operator::Div), ("%", Operator::Rem)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.primary(parent) };
        let mut left = self.operators(level + 1, parent);
        while let Term::Expr(a) = &left
            && let Some((_, op)) = operators.iter().find(|(text, _)| self.eat(text))
        {
            let a = a.clone();
            let Term::Expr(b) = self.operators(level + 1, parent) else { panic!("{}: an operator", self.line) };
            left = Term::Expr(Expr::Binary(*op, Ref::made((a, b))));
        }
        left
    }
    fn expr(&mut self) -> Expr {
        match self.expression((0, 0)) {
            Term::Expr(e) => e,
            Term::Node(_) => panic!("{}: a constant is expected at {}", self.line, self.at),
        }
    }
    fn primary(&mut self, parent: (NodeId, u8)) -> Term {
        self.skip_blanks();
        if self.eat("(") {
            let inner = self.expr();
            self.expect(")");
            return Term::Expr(inner);
        }
        if self.eat("~") {
            let Term::Expr(e) = self.primary(parent) else { panic!("{}: ~", self.line) };
            return Term::Expr(Expr::Binary(Operator::Xor, Ref::made((e, Expr::Int(-1)))));
        }
        if self.line[self.at..].starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return Term::Expr(self.number(parent));
        }
        let word = self.word();
        if self.eat("@") {
            let k = self.vars.len();
            self.vars.push((word, self.nodes.len() as NodeId));
            let op = self.word();
            let n = self.operation(opcode(op).unwrap_or_else(|| panic!("{}: {op}", self.line)), parent);
            debug_assert!(self.vars[k].1 == n);
            return Term::Node(n);
        }
        match opcode(word) {
            Some(op) if self.peek("(") || self.peek(":") => Term::Node(self.operation(op, parent)),
            _ if word.starts_with(|c: char| c.is_ascii_uppercase()) => Term::Expr(self.constant(word)),
            _ if self.peek("(") => Term::Expr(self.function(word)),
            _ => Term::Node(self.variable(word, parent)),
        }
    }
    fn number(&mut self, parent: (NodeId, u8)) -> Expr {
        let rest = &self.line[self.at..];
        if rest.starts_with('-') && !rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1;
            let Term::Expr(e) = self.primary(parent) else { panic!("{}: -", self.line) };
            return Expr::Binary(Operator::Sub, Ref::made((Expr::Int(0), e)));
        }
        let len = 1 + rest[1..].bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'.').count();
        let text = &rest[..len];
        self.at += len;
        if text.contains('.') {
            return Expr::Float(text.parse().unwrap_or_else(|e| panic!("{}: {e}", self.line)));
        }
        let hex = text.strip_prefix("0x").map(|digits| i128::from_str_radix(digits, 16));
        Expr::Int(hex.unwrap_or_else(|| text.parse()).unwrap_or_else(|e| panic!("{}: {e}", self.line)))
    }
    /// The type that `W`, `MIN` and `MAX` are about: that of the root's operands.
    fn root_type(&self) -> u8 {
        self.nodes[0].annotation
    }
    fn constant(&mut self, word: &'static str) -> Expr {
        match word {
            "W" => return Expr::Width(self.root_type()),
            "R" => return Expr::Width(self.nodes[0].ty),
            "MIN" => return Expr::Least(self.root_type()),
            "MAX" => return Expr::Greatest(self.root_type()),
            _ => {}
        }
        if let Some(k) = index_of(&self.consts, word) {
            return Expr::Const(k);
        }
        assert!(self.on_left, "{}: {word} is not bound", self.line);
        // The node that the caller makes for it is the next one.
        self.consts.push((word, self.nodes.len() as NodeId));
        Expr::Const(self.consts.len() as u8 - 1)
    }
    fn variable(&mut self, word: &'static str, parent: (NodeId, u8)) -> NodeId {
        let known = index_of(&self.vars, word);
        assert!(known.is_some() || self.on_left, "{}: {word} is not bound", self.line);
        let k = known.unwrap_or(self.vars.len() as u8);
        let ty = match known {
            Some(k) => self.types.another_place(self.nodes[self.vars[k as usize].1 as usize].ty),
            None => self.types.new_class(),
        };
        if known.is_none() {
            self.vars.push((word, self.nodes.len() as NodeId));
        }
        let n = self.node(NodeKind::Var(k), ty, ty, parent);
        if self.eat(":") {
            let fixed = self.type_name();
            self.types.unify(ty, fixed);
        }
        n
    }
    fn function(&mut self, word: &'static str) -> Expr {
        self.expect("(");
        let bound = match word {
            "most" => Some(Bound::Most),
            "least" => Some(Bound::Least),
            "smost" => Some(Bound::SignedMost),
            "sleast" => Some(Bound::SignedLeast),
            "signbits" => Some(Bound::SignBits),
            _ => None,
        };
        let e = if let Some(of_predicates) = self.of_predicates(word) {
            of_predicates
        } else if let Some(bound) = bound {
            Expr::Bound(bound, self.bound_variable())
        } else if word == "width" {
            let name = self.word();
            Expr::Width(self.type_of_name(name))
        } else {
            let func = Func::from_name(word).unwrap_or_else(|| panic!("{}: no function {word}", self.line));
            let argument = self.expr();
            Expr::Call(func, self.type_of_constants(&argument), Ref::made(argument))
        };
        self.expect(")");
        e
    }
    /// `holds(P, a, b)`, `count(P, C)`, `common_first(P, C, Q, D [, K])`, `common_count(P, C, Q, D [, K])`, up to the
    /// last bracket.
    fn of_predicates(&mut self, word: &str) -> Option<Expr> {
        let (part, number) = match word {
            "holds" => {
                let p = self.predicate_reference();
                self.expect(",");
                let a = self.expr();
                self.expect(",");
                let b = self.expr();
                let ty = self.type_of_constants(&a);
                return Some(Expr::Holds(p, ty, Ref::made((a, b))));
            }
            "count" => (IntervalPart::Count, 1),
            "common_first" => (IntervalPart::First, 2),
            "common_count" => (IntervalPart::Count, 2),
            _ => return None,
        };
        let mut comparisons = Vec::new();
        while comparisons.len() < number {
            if !comparisons.is_empty() {
                self.expect(",");
            }
            let p = self.predicate_reference();
            self.expect(",");
            comparisons.push(Side { pred: p, constant: self.expr(), added: Expr::Int(0) });
        }
        if number == 2 && self.eat(",") {
            comparisons[number - 1].added = self.expr();
        }
        let ty = self.type_of_constants(&comparisons[0].constant);
        Some(Expr::Interval(part, ty, List::made(comparisons)))
    }
    /// The type of the first constant in an expression, else that of the root's operands.
    fn type_of_constants(&self, e: &Expr) -> u8 {
        let ty = first_constant(e).map(|k| self.nodes[self.consts[k as usize].1 as usize].ty);
        ty.unwrap_or(self.root_type())
    }
    fn type_of_name(&self, name: &str) -> u8 {
        let k = index_of(&self.vars, name).map(|k| self.vars[k as usize].1);
        let k = k.or_else(|| index_of(&self.consts, name).map(|k| self.consts[k as usize].1));
        self.nodes[k.unwrap_or_else(|| panic!("{}: {name} is not bound", self.line)) as usize].ty
    }
    fn bound_variable(&mut self) -> u8 {
        let name = self.word();
        index_of(&self.vars, name).unwrap_or_else(|| panic!("{}: {name} is not bound", self.line))
    }

    /// What stands behind a word, where the word does.
    fn conditions(&mut self, word: &str) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if self.eat_word(word) {
            conditions.push(self.condition());
            while self.eat(",") {
                conditions.push(self.condition());
            }
        }
        conditions
    }
    fn condition(&mut self) -> Condition {
        let start = self.at;
        let word = self.word_or_nothing();
        let outcome = match word {
            "exists" => Some(Outcome::Predicate),
            "always" => Some(Outcome::Always),
            "never" => Some(Outcome::Never),
            _ => None,
        };
        if let Some(outcome) = outcome {
            return self.outcome(outcome);
        }
        const FACTS: [&str; 8] = ["zeros", "ones", "distinct", "nonzero", "nonneg", "bool", "quiet", "once"];
        let is_fact = FACTS.contains(&word);
        if !is_fact {
            self.at = start;
            return self.comparison();
        }
        self.expect("(");
        let x = self.bound_variable();
        let fact = match word {
            "nonzero" => Condition::Compare(Comparison::Ge, Expr::Bound(Bound::Least, x), Expr::Int(1)),
            "nonneg" => Condition::Compare(Comparison::Ge, Expr::Bound(Bound::SignedLeast, x), Expr::Int(0)),
            "quiet" => Condition::Quiet(x),
            "once" => Condition::Once(x),
            "distinct" => {
                self.expect(",");
                Condition::Distinct(x, self.bound_variable())
            }
            "bool" => Condition::Compare(Comparison::Le, Expr::Bound(Bound::Most, x), Expr::Int(1)),
            _ => {
                self.expect(",");
                let bits = self.expr();
                if word == "zeros" { Condition::Zeros(x, bits) } else { Condition::Ones(x, bits) }
            }
        };
        self.expect(")");
        fact
    }
    fn outcome(&mut self, outcome: Outcome) -> Condition {
        self.expect("(");
        let word = self.word();
        let combination = Combination::from_name(word).unwrap_or_else(|| panic!("{}: {word}", self.line));
        let (k, l) = self.two_predicates();
        self.expect(")");
        let comparison = self.nodes[self.preds[k as usize].1 as usize].op();
        Condition::Outcomes(outcome, combination, comparison.expect("a comparison has a predicate"), k, l)
    }
    fn comparison(&mut self) -> Condition {
        let left = self.expr();
        let comparisons = [
            ("==", Comparison::Eq),
            ("!=", Comparison::Ne),
            ("<=", Comparison::Le),
            (">=", Comparison::Ge),
            ("<", Comparison::Lt),
            (">", Comparison::Gt),
        ];
        match comparisons.iter().find(|(text, _)| self.eat(text)) {
            Some((_, c)) => Condition::Compare(*c, left, self.expr()),
            None => Condition::Compare(Comparison::Ne, left, Expr::Int(0)),
        }
    }

    fn type_name(&mut self) -> u8 {
        let word = self.word();
        if word == "half" {
            return self.types.half(self.root_type());
        }
        let ty = Type::from_name(word.as_bytes()).unwrap_or_else(|| panic!("{}: no type {word}", self.line));
        self.types.fixed(ty)
    }
    fn skip_blanks(&mut self) {
        while self.line.as_bytes().get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }
    fn peek(&mut self, text: &str) -> bool {
        self.skip_blanks();
        self.line[self.at..].starts_with(text)
    }
    /// Passes over `text`, where it stands here and is not the beginning of a longer operator.
    fn eat(&mut self, text: &str) -> bool {
        if !self.peek(text) {
            return false;
        }
        let next = self.line.as_bytes().get(self.at + text.len());
        if matches!((text, next), ("<", Some(b'<')) | (">", Some(b'>')) | ("=", Some(b'>'))) {
            return false;
        }
        self.at += text.len();
        true
    }
    fn expect(&mut self, text: &str) {
        assert!(self.eat(text), "{}: `{text}` is expected at {}", self.line, self.at);
    }
    fn eat_word(&mut self, word: &str) -> bool {
        let start = self.at;
        if self.word_or_nothing() == word {
            return true;
        }
        self.at = start;
        false
    }
    fn word_or_nothing(&mut self) -> &'static str {
        self.skip_blanks();
        let rest = &self.line[self.at..];
        let len = rest.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count();
        self.at += len;
        &rest[..len]
    }
    fn word(&mut self) -> &'static str {
        let word = self.word_or_nothing();
        assert!(!word.is_empty(), "{}: a name is expected at {}", self.line, self.at);
        word
    }
}

impl Combination {
    /// The combination of a name in rules.
    fn from_name(name: &str) -> Option<Combination> {
        match name {
            "both" => Some(Combination::Both),
            "either" => Some(Combination::Either),
            "only_one" => Some(Combination::One),
            _ => None,
        }
    }
}

fn index_of(names: &Names, name: &str) -> Option<u8> {
    names.iter().position(|n| n.0 == name).map(|k| k as u8)
}

fn opcode(word: &str) -> Option<Opcode> {
    Opcode::from_mnemonic(word.as_bytes())
}

fn predicate_of(op: Opcode, word: &str) -> Option<u8> {
    if op == Opcode::Fcmp {
        FloatCC::from_name(word.as_bytes()).map(|p| p as u8)
    } else {
        IntCC::from_name(word.as_bytes()).map(|p| p as u8)
    }
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
